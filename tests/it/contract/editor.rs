//! `SkillEditor`.

use super::machines::{Machine, RealMachine, in_memory, watched};
use skillc_disk::DiskSkillEditor;
use skillc_domain::path::RelPath;
use skillc_memory::{Kind, MemoryMachine, MemorySkillEditor};
use skillc_ports::{ErrorKind, PortError, SkillEditor};

contract!([memory, disk] {
    a_file_is_replaced_as_a_whole,
    a_reader_sees_the_old_file_or_the_new_one,
    a_file_that_changed_in_between_is_left_alone,
    a_hidden_file_and_one_behind_a_link_inside_are_replaced,
    a_skill_behind_a_link_is_refused,
    a_link_is_refused,
    entries_that_are_no_files_are_refused,
    a_missing_entry_is_not_found,
    a_path_that_leads_out_is_refused,
    nothing_is_left_beside_it,
    two_files_of_one_folder_are_replaced_side_by_side,
});

struct EditorScene {
    machine: Box<dyn Machine>,
    editor: Box<dyn SkillEditor>,
}

fn memory() -> EditorScene {
    let machine = in_memory();
    let editor = Box::new(MemorySkillEditor::new(&machine));
    EditorScene { machine: Box::new(machine), editor }.begun()
}

fn disk() -> EditorScene {
    EditorScene { machine: Box::new(RealMachine::new()), editor: Box::new(DiskSkillEditor) }.begun()
}

impl EditorScene {
    /// Creates a skill `s`, and files next to it that must not be touched.
    fn begun(self) -> Self {
        self.machine.write("outside/secret.md", b"old");
        for path in ["s/SKILL.md", "s/refs/a.md", "s/.h/b.md"] {
            self.machine.write(path, b"old");
        }
        self
    }

    fn replace(&self, path: &str, old: &[u8], new: &[u8]) -> Result<(), PortError> {
        self.editor.replace(&self.machine.at("s"), &RelPath::parse(path).unwrap(), old, new)
    }

    fn refused(&self, path: &str) -> ErrorKind {
        let before = self.machine.all_below("");
        let kind = self.replace(path, b"old", b"new").expect_err(path).kind;
        assert_eq!(self.machine.all_below(""), before, "{path}");
        kind
    }
}

fn a_file_is_replaced_as_a_whole(at: &EditorScene) {
    let mut held = b"old".to_vec();
    for new in [&b"much longer \xff\0\r\n"[..], b"", b"x", &[7; 100_000]] {
        at.replace("SKILL.md", &held, new).unwrap();
        assert_eq!(at.machine.read("s/SKILL.md").unwrap(), new);
        held = new.to_vec();
    }
    assert_eq!(at.machine.read("s/refs/a.md").unwrap(), b"old");
}

fn a_reader_sees_the_old_file_or_the_new_one(at: &EditorScene) {
    let texts = [vec![b'a'; 20_000], vec![b'b'; 30_000]];
    at.machine.write("s/SKILL.md", &texts[1]);
    let look = || assert!(texts.contains(&at.machine.read("s/SKILL.md").unwrap()));
    watched(look, || {
        for turn in 0..20 {
            at.replace("SKILL.md", &texts[(turn + 1) % 2], &texts[turn % 2]).unwrap();
        }
    });
}

fn a_file_that_changed_in_between_is_left_alone(at: &EditorScene) {
    for held in ["", "ol", "old\n", "OLD", "other"] {
        at.machine.write("s/SKILL.md", held.as_bytes());
        assert_eq!(at.refused("SKILL.md"), ErrorKind::Changed, "{held:?}");
    }
}

fn a_hidden_file_and_one_behind_a_link_inside_are_replaced(at: &EditorScene) {
    at.machine.link("s/link", "refs");
    at.replace(".h/b.md", b"old", b"new").unwrap();
    at.replace("link/a.md", b"old", b"new").unwrap();
    for path in ["s/.h/b.md", "s/refs/a.md"] {
        assert_eq!(at.machine.read(path).unwrap(), b"new", "{path}");
    }
    assert!(matches!(at.machine.kind("s/link"), Some(Kind::Link(_))));
}

/// D5
fn a_skill_behind_a_link_is_refused(at: &EditorScene) {
    at.machine.link("link", "s");
    let path = RelPath::parse("SKILL.md").unwrap();
    let refused = at.editor.replace(&at.machine.at("link"), &path, b"old", b"new");
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Linked);
    assert_eq!(at.machine.read("s/SKILL.md").unwrap(), b"old");
}

fn a_link_is_refused(at: &EditorScene) {
    for (path, to) in
        [("same.md", "SKILL.md"), ("refs/up.md", "../SKILL.md"), ("out.md", "../outside/secret.md")]
    {
        at.machine.link(&format!("s/{path}"), to);
        assert_eq!(at.refused(path), ErrorKind::NotAFile, "{path}");
    }
    at.machine.link("s/dangling.md", "nothing");
    at.machine.link("s/loop.md", "loop.md");
    for path in ["dangling.md", "loop.md"] {
        assert_eq!(at.refused(path), ErrorKind::NotAFile, "{path}");
    }
}

fn entries_that_are_no_files_are_refused(at: &EditorScene) {
    at.machine.fifo("s/pipe.md");
    at.machine.folder("s/folder.md");
    for path in ["pipe.md", "folder.md", "refs", ""] {
        assert_eq!(at.refused(path), ErrorKind::NotAFile, "{path}");
    }
}

fn a_missing_entry_is_not_found(at: &EditorScene) {
    at.machine.link("s/loop", "loop");
    for path in ["missing.md", "missing/a.md", "SKILL.md/a.md", "loop/a.md"] {
        assert_eq!(at.refused(path), ErrorKind::NotFound, "{path}");
    }
    for root in ["nothing", "s/SKILL.md"] {
        let path = RelPath::parse("SKILL.md").unwrap();
        let refused = at.editor.replace(&at.machine.at(root), &path, b"old", b"new").unwrap_err();
        assert_eq!(refused.kind, ErrorKind::NotFound, "{root}");
    }
}

fn a_path_that_leads_out_is_refused(at: &EditorScene) {
    at.machine.link("s/out", "../outside");
    at.machine.absolute_link("s/refs/absolute", "outside");
    at.machine.link("s/gone", "../gone");
    at.machine.link("s/by-way", "refs/absolute");
    for path in
        ["out/secret.md", "refs/absolute/secret.md", "gone/a.md", "by-way/secret.md", "out/missing.md"]
    {
        assert_eq!(at.refused(path), ErrorKind::Escapes, "{path}");
    }
}

fn nothing_is_left_beside_it(at: &EditorScene) {
    at.replace("refs/a.md", b"old", b"new").unwrap();
    at.refused("refs/a.md");
    at.refused("refs/b.md");
    assert_eq!(at.machine.names("s/refs"), ["a.md"]);
    assert_eq!(at.machine.names("s"), [".h", "SKILL.md", "refs"]);
}

fn two_files_of_one_folder_are_replaced_side_by_side(at: &EditorScene) {
    let paths: Vec<String> = (0..8).map(|n| format!("refs/{n}.md")).collect();
    paths.iter().for_each(|path| at.machine.write(&format!("s/{path}"), b"old"));
    std::thread::scope(|scope| {
        for path in &paths {
            scope.spawn(|| at.replace(path, b"old", path.as_bytes()).unwrap());
        }
    });
    for path in &paths {
        assert_eq!(at.machine.read(&format!("s/{path}")).unwrap(), path.as_bytes());
    }
    assert_eq!(at.machine.names("s/refs").len(), 9);
}

/// The disk cannot be stopped at a step; there, the rename alone makes the change.
#[test]
fn a_killed_edit_leaves_the_old_file_or_the_new_one() {
    for steps in 0..5 {
        let machine = in_memory();
        Machine::write(&machine, "s/SKILL.md", b"old text");
        let editor = MemorySkillEditor::new(&machine);
        let path = RelPath::parse("SKILL.md").unwrap();
        MemoryMachine::stop_after(&machine, steps);
        let done = editor.replace(&Machine::at(&machine, "s"), &path, b"old text", b"new text");
        machine.restart();
        let expected: &[u8] = if done.is_ok() { b"new text" } else { b"old text" };
        assert_eq!(Machine::read(&machine, "s/SKILL.md").unwrap(), expected, "after {steps} steps");
        assert_eq!(done.is_ok(), steps >= 3);
        let others: Vec<_> =
            Machine::names(&machine, "s").into_iter().filter(|name| name != "SKILL.md").collect();
        assert!(others.iter().all(|name| name.starts_with('.')), "{others:?} is no part of the skill");
    }
}
