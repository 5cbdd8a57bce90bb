//! `SkillFiles` and `SkillTree`.

use super::machines::{Machine, RealMachine, in_memory};
use skillc_disk::{DiskSkillFiles, WatchedSkillFiles};
use skillc_domain::path::RelPath;
use skillc_domain::survey::{ListedFiles, Survey};
use skillc_memory::MemorySkillFiles;
use skillc_ports::{ErrorKind, SkillFiles, SkillTree};

contract!([memory, disk, watched] {
    a_folder_that_is_not_there_is_not_found,
    a_skill_behind_a_link_is_refused,
    an_open_skill_stays_the_same_folder_when_its_path_leads_elsewhere,
    files_come_in_the_order_of_the_bytes_of_their_paths,
    hidden_files_are_skipped,
    a_link_inside_is_followed_and_a_loop_ends,
    a_link_met_behind_a_link_leads_to_files_only,
    a_link_to_a_hidden_file_or_folder_is_followed,
    a_link_that_leads_nowhere_is_left_out,
    a_link_that_leads_out_is_listed_and_never_read,
    a_link_that_climbs_and_comes_back_leads_out,
    a_link_planted_after_the_build_is_not_followed,
    a_pipe_or_folder_called_md_is_not_opened,
    two_surveys_of_an_unchanged_skill_are_equal_but_for_their_time,
    a_change_shows_in_the_stamp,
    a_link_to_a_file_has_the_stamp_of_the_file,
    a_file_is_read_whole_with_the_stamp_of_its_survey,
    a_file_is_read_up_to_the_bound,
    a_missing_entry_is_not_found,
    a_missing_path_or_a_folder_is_no_file,
    a_path_outside_the_skill_is_refused_even_if_absent,
    open_reads_a_hidden_file_that_is_named,
    the_digest_of_a_file_is_that_of_its_bytes,
    other_bytes_have_another_digest,
    a_folder_is_one_also_hidden_and_behind_a_link,
    reading_writes_nothing,
});

struct FilesScene {
    machine: Box<dyn Machine>,
    files: Box<dyn SkillFiles>,
}

fn memory() -> FilesScene {
    let machine = in_memory();
    let files = Box::new(MemorySkillFiles::new(&machine));
    FilesScene { machine: Box::new(machine), files }.begun()
}

/// The same, with watched folders.
fn watched() -> FilesScene {
    FilesScene { machine: Box::new(RealMachine::new()), files: Box::new(WatchedSkillFiles::default()) }
        .begun()
}

fn disk() -> FilesScene {
    FilesScene { machine: Box::new(RealMachine::new()), files: Box::new(DiskSkillFiles) }.begun()
}

impl FilesScene {
    /// Creates a skill `s`, and files next to it that must not be revealed.
    fn begun(self) -> Self {
        self.machine.write("outside/secret.md", b"secret");
        self.write(&["SKILL.md"]);
        self
    }

    /// Writes files below the skill, each with its path as its text.
    fn write(&self, paths: &[&str]) {
        paths.iter().for_each(|path| self.machine.write(&format!("s/{path}"), path.as_bytes()));
    }

    fn link(&self, path: &str, to: &str) {
        self.machine.link(&format!("s/{path}"), to);
    }

    fn tree(&self) -> Box<dyn SkillTree> {
        self.files.open(&self.machine.at("s")).unwrap()
    }

    /// What a walk sees. What is remembered and what is listed are the same.
    fn survey(&self) -> Survey {
        let survey = self.tree().survey().unwrap();
        assert_eq!(self.tree().listing().unwrap(), ListedFiles::from(&survey));
        if let Some(known) = self.tree().cached_survey() {
            assert_eq!((&known.files, &known.escaping), (&survey.files, &survey.escaping));
        }
        survey
    }

    fn listed(&self) -> Vec<String> {
        listed(&self.survey())
    }

    fn read(&self, path: &str) -> Result<String, ErrorKind> {
        let content = self.tree().read(&rel(path), 1_000_000).map_err(|error| error.kind)?;
        Ok(String::from_utf8(content.bytes).unwrap())
    }
}

fn rel(path: &str) -> RelPath {
    RelPath::parse(path).unwrap()
}

fn listed(survey: &Survey) -> Vec<String> {
    survey.files.iter().map(|file| file.path.to_string()).collect()
}

fn escaping(survey: &Survey) -> Vec<String> {
    survey.escaping.iter().map(RelPath::to_string).collect()
}

fn a_folder_that_is_not_there_is_not_found(at: &FilesScene) {
    for path in ["nothing", "s/SKILL.md", "s/SKILL.md/x"] {
        let refused = at.files.open(&at.machine.at(path)).err().expect(path);
        assert_eq!(refused.kind, ErrorKind::NotFound, "{path}");
    }
}

/// D5
fn a_skill_behind_a_link_is_refused(at: &FilesScene) {
    at.machine.link("link", "s");
    assert_eq!(at.files.open(&at.machine.at("link")).err().unwrap().kind, ErrorKind::Linked);
}

fn an_open_skill_stays_the_same_folder_when_its_path_leads_elsewhere(at: &FilesScene) {
    let tree = at.tree();
    at.machine.rename("s", "moved");
    at.machine.write("s/other.md", b"other");
    assert_eq!(listed(&tree.survey().unwrap()), ["SKILL.md"]);
    assert_eq!(tree.read(&rel("SKILL.md"), 100).unwrap().bytes, b"SKILL.md");
    assert_eq!(tree.read(&rel("other.md"), 100).unwrap_err().kind, ErrorKind::NotFound);
}

fn files_come_in_the_order_of_the_bytes_of_their_paths(at: &FilesScene) {
    at.write(&["é.md", "a/b.md", "a-b.md", "a.md", "Z.md", "a/a/c.md", "z", "a b"]);
    let expected = ["SKILL.md", "Z.md", "a b", "a-b.md", "a.md", "a/a/c.md", "a/b.md", "z", "é.md"];
    assert_eq!(at.listed(), expected);
}

/// RFC-0007:C-FILES
fn hidden_files_are_skipped(at: &FilesScene) {
    at.write(&[".env", ".git/config", "a/.b/c.md", "a/..d", "a/e.md"]);
    at.link(".link", "SKILL.md");
    at.link("a/.out", "../../outside");
    let survey = at.survey();
    assert_eq!(listed(&survey), ["SKILL.md", "a/e.md"]);
    assert!(survey.escaping.is_empty() && survey.warnings.is_empty(), "{survey:?}");
}

/// RFC-0007:C-FILES
fn a_link_inside_is_followed_and_a_loop_ends(at: &FilesScene) {
    at.write(&["real/a.md", "real/deep/b.md", "other/c.md"]);
    for (path, to) in [
        ("same.md", "SKILL.md"),
        ("link", "real"),
        ("real/onward", "../other"),
        ("real/upward", ".."),
        ("real/itself", "."),
        ("loop", "loop"),
        ("ping", "pong"),
        ("pong", "ping"),
    ] {
        at.link(path, to);
    }
    let survey = at.survey();
    let expected = [
        "SKILL.md",
        "link/a.md",
        "link/deep/b.md",
        "other/c.md",
        "real/a.md",
        "real/deep/b.md",
        "real/onward/c.md",
        "same.md",
    ];
    assert_eq!(listed(&survey), expected);
    assert!(survey.escaping.is_empty() && survey.warnings.is_empty(), "{survey:?}");
}

fn a_link_met_behind_a_link_leads_to_files_only(at: &FilesScene) {
    at.write(&["one/a.md", "two/b.md"]);
    at.link("one/file.md", "../two/b.md");
    at.link("one/folder", "../two");
    at.link("link", "one");
    let behind: Vec<_> = at.listed().into_iter().filter(|path| path.starts_with("link")).collect();
    assert_eq!(behind, ["link/a.md", "link/file.md"]);
}

fn a_link_to_a_hidden_file_or_folder_is_followed(at: &FilesScene) {
    at.write(&[".h/a.md", ".h/.b.md"]);
    at.link("shown.md", ".h/a.md");
    at.link("folder", ".h");
    assert_eq!(at.listed(), ["SKILL.md", "folder/a.md", "shown.md"]);
}

fn a_link_that_leads_nowhere_is_left_out(at: &FilesScene) {
    at.link("dangling.md", "nothing.md");
    at.link("through-a-file", "SKILL.md/x");
    let survey = at.survey();
    assert_eq!(listed(&survey), ["SKILL.md"]);
    assert!(survey.escaping.is_empty() && survey.warnings.is_empty(), "{survey:?}");
}

/// RFC-0001:C-CONSTRAINTS
fn a_link_that_leads_out_is_listed_and_never_read(at: &FilesScene) {
    at.write(&["a/b.md"]);
    at.link("a/climbs", "../../outside");
    at.link("a/file.md", "../../outside/secret.md");
    at.link("a/gone", "../../gone");
    at.machine.absolute_link("z", "outside");
    at.link("by-way", "a/climbs");
    let survey = at.survey();
    assert_eq!(listed(&survey), ["SKILL.md", "a/b.md"]);
    assert_eq!(escaping(&survey), ["a/climbs", "a/file.md", "a/gone", "by-way"]);
    at.machine.absolute_link("s/z", "outside");
    assert_eq!(escaping(&at.survey()), ["a/climbs", "a/file.md", "a/gone", "by-way", "z"]);
    for path in ["a/climbs/secret.md", "a/file.md", "a/gone", "by-way/secret.md", "z/secret.md"] {
        assert_eq!(at.read(path), Err(ErrorKind::Escapes), "{path}");
        assert_eq!(at.tree().digest(&rel(path)).unwrap_err().kind, ErrorKind::Escapes, "{path}");
    }
}

fn a_link_that_climbs_and_comes_back_leads_out(at: &FilesScene) {
    at.link("there-and-back.md", "../s/SKILL.md");
    assert_eq!(escaping(&at.survey()), ["there-and-back.md"]);
    assert_eq!(at.read("there-and-back.md"), Err(ErrorKind::Escapes));
}

/// RFC-0007:C-FILES
fn a_link_planted_after_the_build_is_not_followed(at: &FilesScene) {
    at.write(&["refs/secret.md", "refs/a.md"]);
    let tree = at.tree();
    let kind = |path: &str| tree.read(&rel(path), 100).map(drop).map_err(|error| error.kind);
    assert_eq!(kind("refs/secret.md"), Ok(()));
    at.link("refs/a.md", "../../outside/secret.md");
    assert_eq!(kind("refs/a.md"), Err(ErrorKind::Escapes));
    at.machine.delete("s/refs");
    at.link("refs", "../outside");
    assert_eq!(kind("refs/secret.md"), Err(ErrorKind::Escapes));
    assert_eq!(tree.digest(&rel("refs/secret.md")).unwrap_err().kind, ErrorKind::Escapes);
    assert_eq!(tree.is_folder(&rel("refs")).unwrap_err().kind, ErrorKind::Escapes);
    at.machine.delete("s/refs");
    at.link("refs", "..");
    assert_eq!(kind("refs/outside/secret.md"), Err(ErrorKind::Escapes));
}

/// RFC-0007:C-FILES
fn a_pipe_or_folder_called_md_is_not_opened(at: &FilesScene) {
    at.machine.fifo("s/pipe.md");
    at.machine.folder("s/folder.md");
    at.link("to-pipe.md", "pipe.md");
    assert_eq!(at.listed(), ["SKILL.md"]);
    for path in ["pipe.md", "folder.md", "to-pipe.md"] {
        assert_eq!(at.read(path), Err(ErrorKind::NotAFile), "{path}");
        assert_eq!(at.tree().digest(&rel(path)).unwrap_err().kind, ErrorKind::NotAFile, "{path}");
    }
}

fn two_surveys_of_an_unchanged_skill_are_equal_but_for_their_time(at: &FilesScene) {
    at.write(&["a/b.md", "c.md", "d/e/f.md"]);
    at.link("link", "a");
    at.link("out", "../outside");
    let (first, second) = (at.survey(), at.survey());
    assert_eq!(first.files, second.files);
    assert_eq!((first.escaping, first.warnings), (second.escaping, second.warnings));
    assert!(first.taken_ns <= second.taken_ns);
}

fn a_change_shows_in_the_stamp(at: &FilesScene) {
    at.write(&["a.md"]);
    let before = at.survey();
    at.machine.write("s/a.md", b"longer than it was");
    let after = at.survey();
    assert_ne!(before.get(&rel("a.md")), after.get(&rel("a.md")));
    assert_eq!(before.get(&rel("SKILL.md")), after.get(&rel("SKILL.md")));
    assert_eq!(after.get(&rel("a.md")).unwrap().stamp.size, 18);
}

fn a_link_to_a_file_has_the_stamp_of_the_file(at: &FilesScene) {
    at.link("link.md", "SKILL.md");
    at.machine.folder("s/folder");
    at.link("folder/link.md", "../link.md");
    let survey = at.survey();
    let stamp = |path| survey.get(&rel(path)).unwrap().stamp;
    assert_eq!(stamp("link.md"), stamp("SKILL.md"));
    assert_eq!(stamp("folder/link.md"), stamp("SKILL.md"));
}

fn a_file_is_read_whole_with_the_stamp_of_its_survey(at: &FilesScene) {
    at.machine.write("s/bytes", &[0, 255, b'\r', b'\n', 0xc3]);
    let content = at.tree().read(&rel("bytes"), 100).unwrap();
    assert_eq!(content.bytes, [0, 255, b'\r', b'\n', 0xc3]);
    assert_eq!(content.stamp, at.survey().get(&rel("bytes")).unwrap().stamp);
    assert_eq!(content.stamp.size, 5);
}

fn a_file_is_read_up_to_the_bound(at: &FilesScene) {
    at.machine.write("s/five", b"12345");
    at.machine.write("s/none", b"");
    let read =
        |path: &str, bytes_max| at.tree().read(&rel(path), bytes_max).map(|content| content.bytes.len());
    assert_eq!(read("five", 5).unwrap(), 5);
    assert_eq!(read("five", u64::MAX).unwrap(), 5);
    assert_eq!(read("five", 4).unwrap_err().kind, ErrorKind::TooLarge);
    assert_eq!(read("none", 0).unwrap(), 0);
}

fn a_missing_entry_is_not_found(at: &FilesScene) {
    at.link("dangling", "nothing");
    at.link("loop", "loop");
    for path in ["nothing", "nothing/at/all", "SKILL.md/x", "dangling", "loop", "loop/x", &"x".repeat(300)] {
        assert_eq!(at.read(path), Err(ErrorKind::NotFound), "{path}");
        assert_eq!(at.tree().digest(&rel(path)).unwrap_err().kind, ErrorKind::NotFound, "{path}");
    }
}

fn a_missing_path_or_a_folder_is_no_file(at: &FilesScene) {
    at.write(&["a/b.md"]);
    at.link("link", "a");
    for path in ["", "a", "link"] {
        assert_eq!(at.read(path), Err(ErrorKind::NotAFile), "{path:?}");
        assert_eq!(at.tree().digest(&rel(path)).unwrap_err().kind, ErrorKind::NotAFile, "{path:?}");
    }
}

/// RFC-0002:C-OPEN
fn a_path_outside_the_skill_is_refused_even_if_absent(at: &FilesScene) {
    at.machine.absolute_link("s/out", "outside");
    at.link("above", "..");
    for path in ["out/nothing/there.md", "above/nothing.md", "out", "above"] {
        assert_eq!(at.read(path), Err(ErrorKind::Escapes), "{path}");
    }
}

/// RFC-0002:C-OPEN
fn open_reads_a_hidden_file_that_is_named(at: &FilesScene) {
    at.write(&[".h/.x"]);
    at.link("a/link", "../.h/.x");
    assert_eq!(at.read(".h/.x").unwrap(), ".h/.x");
    assert_eq!(at.read("a/link").unwrap(), ".h/.x", "also behind a link that stays inside");
}

fn the_digest_of_a_file_is_that_of_its_bytes(at: &FilesScene) {
    let large: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
    at.machine.write("s/large", &large);
    at.link("link", "large");
    let tree = at.tree();
    assert_eq!(tree.digest(&rel("large")).unwrap(), at.files.digest(&large));
    assert_eq!(tree.digest(&rel("link")).unwrap(), at.files.digest(&large));
}

fn other_bytes_have_another_digest(at: &FilesScene) {
    let digests: std::collections::BTreeSet<_> =
        [&b""[..], b"\0", b"\0\0", b"a", b"b", b"ab", b"ba"].map(|bytes| at.files.digest(bytes)).into();
    assert_eq!(digests.len(), 7);
}

fn a_folder_is_one_also_hidden_and_behind_a_link(at: &FilesScene) {
    at.write(&["a/b.md", ".h/c.md"]);
    at.link("link", "a");
    at.link("loop", "loop");
    at.link("out", "../outside");
    let is_folder = |path: &str| at.tree().is_folder(&rel(path)).map_err(|error| error.kind);
    for (path, expected) in [
        ("", true),
        ("a", true),
        (".h", true),
        ("link", true),
        ("SKILL.md", false),
        ("SKILL.md/x", false),
        ("nothing", false),
        ("loop", false),
    ] {
        assert_eq!(is_folder(path), Ok(expected), "{path:?}");
    }
    assert_eq!(is_folder("out"), Err(ErrorKind::Escapes));
    assert_eq!(is_folder("out/nothing"), Err(ErrorKind::Escapes));
}

/// RFC-0000:C-COMPAT-PORTABLE
fn reading_writes_nothing(at: &FilesScene) {
    at.write(&["a/b.md", ".h/c.md"]);
    at.link("link", "a");
    at.link("out", "../outside");
    let before = (at.machine.all_below(""), at.survey().files);
    at.survey();
    for path in ["a/b.md", "link/b.md", "nothing", "a", "out/secret.md"] {
        let _ = at.read(path);
        let _ = at.tree().digest(&rel(path));
        let _ = at.tree().is_folder(&rel(path));
    }
    assert_eq!((at.machine.all_below(""), at.survey().files), before);
}
