//! `SkillScanner` and `ScanCache`.

use super::machines::{Machine, RealMachine, in_memory};
use skillc_disk::{DiskSkillScanner, WatchedSkillScanner};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot, SkillForm};
use skillc_memory::{MemoryScanCache, MemorySkillScanner};
use skillc_ports::{ErrorKind, Scan, ScanCache, SkillScanner};
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

contract!([memory, disk, watched] {
    folders_are_listed_level_by_level,
    nothing_there_is_not_found,
    hidden_names_and_packages_are_left_out_of_a_search,
    a_stub_shows_by_its_manifest,
    entries_that_are_no_files_are_distinguished,
    links_to_folders_are_followed_once,
    a_border_keeps_links_from_being_searched,
    bounds_end_a_search,
    an_unchanged_search_is_no_news_and_keeps_heads,
    a_changed_skill_loses_its_head_and_no_other_does,
    a_changed_folder_is_listed_again,
    files_of_the_root_are_skills_where_the_bounds_take_them,
    a_root_that_is_a_skill_has_no_further_files,
});

struct ScanScene {
    machine: Box<dyn Machine>,
    scanner: Box<dyn SkillScanner>,
}

fn memory() -> ScanScene {
    let machine = in_memory();
    let scanner = Box::new(MemorySkillScanner::new(&machine));
    ScanScene { machine: Box::new(machine), scanner }
}

fn disk() -> ScanScene {
    ScanScene { machine: Box::new(RealMachine::new()), scanner: Box::new(DiskSkillScanner) }
}

fn watched() -> ScanScene {
    ScanScene { machine: Box::new(RealMachine::new()), scanner: Box::new(WatchedSkillScanner::default()) }
}

const BOUNDS: ScanBounds<'_> =
    ScanBounds { file: "SKILL.md", depth_max: 6, folders_max: 1_000, takes_files: false, border: None };

impl ScanScene {
    fn write(&self, paths: &[&str]) {
        paths.iter().for_each(|path| self.machine.write(path, path.as_bytes()));
    }

    fn scan(&self, known: Option<Arc<ScannedRoot>>) -> Scan {
        self.scanner.scan(&self.machine.at("r"), &BOUNDS, known).unwrap()
    }

    /// Paths of the folders as reached, relative to the root; those with a skill have a `*`.
    fn met(&self, bounds: &ScanBounds<'_>) -> Vec<String> {
        let scanned = self.scanner.scan(&self.machine.at("r"), bounds, None).unwrap().scanned;
        let shown = |at: usize| {
            let met = scanned.met(&PathBuf::new(), at).to_string_lossy().into_owned();
            met + if scanned.folders[at].skill.is_some() { "*" } else { "" }
        };
        (0..scanned.folders.len()).map(shown).collect()
    }

    /// A scan whose stamps can be trusted, with a head for each skill.
    fn settled(&self) -> Arc<ScannedRoot> {
        let mut known = None;
        for _ in 0..100 {
            std::thread::sleep(std::time::Duration::from_millis(30));
            let scan = self.scan(known.take());
            if !scan.is_news {
                return scan.scanned;
            }
            let mut scanned = Arc::unwrap_or_clone(scan.scanned);
            for folder in &mut scanned.folders {
                if let Some(skill) = folder.skill.as_mut().filter(|skill| skill.form == SkillForm::File) {
                    skill.head = Some(head(&folder.name));
                }
            }
            known = Some(Arc::new(scanned));
        }
        panic!("it never settles");
    }
}

fn head(name: &str) -> SkillHead {
    let (description, flaws) = ("described".to_owned(), vec!["flaw".to_owned()]);
    SkillHead::Skill { name: name.to_owned(), description, digest: Digest([3; 32]), flaws }
}

fn folders_are_listed_level_by_level(scene: &ScanScene) {
    scene.write(&["r/b/SKILL.md", "r/a/c/SKILL.md", "r/a/c/d/SKILL.md", "r/a/note.md", "r/SKILL.md"]);
    assert_eq!(scene.met(&BOUNDS), ["*", "a", "b*", "a/c*", "a/c/d*"]);
    let scanned = scene.scan(None).scanned;
    assert_eq!(scanned.canonical(4), scanned.root.join("a/c/d"));
}

fn nothing_there_is_not_found(scene: &ScanScene) {
    scene.write(&["file"]);
    for path in ["none", "file"] {
        let error = scene.scanner.scan(&scene.machine.at(path), &BOUNDS, None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound, "{path}");
    }
}

fn files_of_the_root_are_skills_where_the_bounds_take_them(scene: &ScanScene) {
    scene.write(&[
        "r/b.md",
        "r/a.md",
        "r/README.md",
        "r/.x.md",
        "r/note.txt",
        "r/z/SKILL.md",
        "r/z/in.md",
        "out.md",
    ]);
    scene.machine.folder("r/folder.md");
    scene.machine.fifo("r/fifo.md");
    scene.machine.link("r/c.md", "b.md");
    scene.machine.link("r/out.md", "../out.md");
    scene.machine.link("r/gone.md", "none.md");
    assert_eq!(scene.met(&BOUNDS), ["", "folder.md", "z*"]);
    let bounds = ScanBounds { takes_files: true, ..BOUNDS };
    let all = ["", "a.md*", "b.md*", "c.md*", "fifo.md", "gone.md", "out.md", "folder.md", "z*"];
    assert_eq!(scene.met(&bounds), all);
    let scanned = scene.scanner.scan(&scene.machine.at("r"), &bounds, None).unwrap().scanned;
    assert_eq!(
        (scanned.canonical(2), scanned.canonical(3)),
        (scanned.root.join("b.md"), scanned.root.join("b.md"))
    );
    let problems: Vec<_> = scanned.folders.iter().filter_map(|folder| folder.problem.as_deref()).collect();
    let odd = "not a regular file";
    assert_eq!(problems, [odd, odd, "a link that leads out of its folder"]);
    assert_eq!(scene.met(&ScanBounds { folders_max: 3, ..bounds }), all[..3]);
    assert_eq!(scene.met(&ScanBounds { depth_max: 0, ..bounds }), all[..7]);
}

fn a_root_that_is_a_skill_has_no_further_files(scene: &ScanScene) {
    scene.write(&["r/SKILL.md", "r/a.md"]);
    assert_eq!(scene.met(&ScanBounds { takes_files: true, ..BOUNDS }), ["*"]);
}

fn hidden_names_and_packages_are_left_out_of_a_search(scene: &ScanScene) {
    scene.write(&["r/.x/SKILL.md", "r/node_modules/x/SKILL.md", "r/a/.git/SKILL.md", "r/b/skill.md"]);
    assert_eq!(scene.met(&BOUNDS), ["", "a", "b"]);
}

fn a_stub_shows_by_its_manifest(scene: &ScanScene) {
    scene.write(&[
        "r/a/SKILL.md",
        "r/a/.skillc-meta/manifest.json",
        "r/b/SKILL.md",
        "r/b/.skillc-meta/logs.db",
    ]);
    let scanned = scene.scan(None).scanned;
    let forms: Vec<_> = scanned.folders.iter().filter_map(|f| f.skill.as_ref()).map(|s| s.form).collect();
    assert_eq!(forms, [SkillForm::Stub, SkillForm::File]);
}

fn entries_that_are_no_files_are_distinguished(scene: &ScanScene) {
    scene.machine.folder("r/folder/SKILL.md");
    scene.machine.folder("r/fifo");
    scene.machine.fifo("r/fifo/SKILL.md");
    scene.machine.folder("r/link");
    scene.machine.link("r/link/SKILL.md", "nowhere");
    let scanned = scene.scan(None).scanned;
    let form =
        |name: &str| scanned.folders.iter().find(|f| f.name == name).unwrap().skill.as_ref().map(|s| s.form);
    assert_eq!(
        (form("folder"), form("fifo"), form("link")),
        (None, Some(SkillForm::NotAFile), Some(SkillForm::NotAFile))
    );
}

fn links_to_folders_are_followed_once(scene: &ScanScene) {
    scene.write(&["r/a/SKILL.md", "out/x/SKILL.md", "far/y/SKILL.md"]);
    scene.machine.link("r/inside", "a");
    scene.machine.absolute_link("r/out", "out");
    scene.machine.absolute_link("out/further", "far");
    scene.machine.link("r/up", "..");
    scene.machine.link("r/self", ".");
    scene.machine.link("r/round", "round");
    scene.machine.link("r/nowhere", "none");
    assert_eq!(
        scene.met(&BOUNDS),
        ["", "a*", "inside*", "out", "self", "up", "out/further", "out/x*"],
        "behind a link no further one is searched"
    );
    let scanned = scene.scan(None).scanned;
    assert_eq!(scanned.canonical(2), scanned.root.join("a"));
    assert!(scanned.canonical(7).ends_with("out/x") && !scanned.canonical(7).starts_with(&scanned.root));
}

fn a_border_keeps_links_from_being_searched(scene: &ScanScene) {
    scene.write(&["r/a", "out/x/SKILL.md", "out/SKILL.md"]);
    scene.machine.absolute_link("r/out", "out");
    let border = scene.scan(None).scanned.root.clone();
    assert_eq!(scene.met(&ScanBounds { border: Some(&border), ..BOUNDS }), ["", "out*"]);
    scene.machine.absolute_link("led", "out");
    let led =
        scene.scanner.scan(&scene.machine.at("led"), &ScanBounds { border: Some(&border), ..BOUNDS }, None);
    assert_eq!(led.unwrap_err().kind, ErrorKind::Escapes);
    let above = border.parent().unwrap();
    assert_eq!(scene.met(&ScanBounds { border: Some(above), ..BOUNDS }), ["", "out*", "out/x*"]);
}

fn bounds_end_a_search(scene: &ScanScene) {
    scene.write(&["r/a/b/c/SKILL.md", "r/a/b/c/inside/x", "r/d/SKILL.md"]);
    let truncated = |bounds: &ScanBounds<'_>| {
        scene.scanner.scan(&scene.machine.at("r"), bounds, None).unwrap().scanned.truncated
    };
    let deep = |depth_max| ScanBounds { depth_max, ..BOUNDS };
    assert_eq!(scene.met(&deep(2)), ["", "a", "d*", "a/b"]);
    assert_eq!(
        (truncated(&deep(2)), truncated(&deep(3))),
        (true, false),
        "a skill's own folders are no loss"
    );
    let few = ScanBounds { folders_max: 3, ..BOUNDS };
    assert_eq!((scene.met(&few).len(), truncated(&few)), (3, true));
}

fn an_unchanged_search_is_no_news_and_keeps_heads(scene: &ScanScene) {
    scene.write(&["r/a/SKILL.md", "r/g/b/SKILL.md", "r/g/n/x", "r/s/SKILL.md"]);
    scene.machine.link("r/l", "a");
    let settled = scene.settled();
    let again = scene.scan(Some(settled.clone()));
    assert!(!again.is_news);
    assert_eq!(again.scanned.folders, settled.folders);
    let heads = settled.folders.iter().filter_map(|f| f.skill.as_ref()).filter(|s| s.head.is_some()).count();
    assert_eq!(heads, 4);
}

fn a_changed_skill_loses_its_head_and_no_other_does(scene: &ScanScene) {
    scene.write(&["r/a/SKILL.md", "r/b/SKILL.md"]);
    let settled = scene.settled();
    scene.machine.write("r/a/SKILL.md", b"other bytes");
    let scan = scene.scan(Some(settled));
    let head_of = |at: usize| scan.scanned.folders[at].skill.as_ref().unwrap().head.clone();
    assert_eq!((scan.is_news, head_of(1), head_of(2)), (true, None, Some(head("b"))));
}

fn a_changed_folder_is_listed_again(scene: &ScanScene) {
    scene.write(&["r/a/SKILL.md", "r/a/deep/er/x", "r/b/SKILL.md", "r/c/SKILL.md"]);
    let settled = scene.settled();
    scene.write(&["r/a/deep/er/new/SKILL.md"]);
    scene.machine.delete("r/b");
    scene.machine.rename("r/c", "r/d");
    let scan = scene.scan(Some(settled));
    assert!(scan.is_news);
    let names: Vec<_> = scan.scanned.folders.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["", "a", "d", "deep", "er", "new"]);
    assert_eq!(scan.scanned.folders[1].skill.as_ref().unwrap().head, Some(head("a")));
}

mod memory_of_scans {
    use super::*;

    fn search() -> Arc<ScannedRoot> {
        let scene = memory();
        scene.write(&["r/a/SKILL.md"]);
        scene.settled()
    }

    fn keeps_and_recalls(memory: &dyn ScanCache) {
        let (one, other) = (PathBuf::from("/one"), PathBuf::from("/other"));
        assert_eq!(memory.get(slice::from_ref(&one)), [None]);
        let search = search();
        memory.insert(&one, &search);
        assert_eq!(memory.get(&[other, one.clone()]), [None, Some(search.clone())]);
        memory.insert(&one, &Arc::default());
        assert_eq!(memory.get(&[one]), [Some(Arc::default())]);
    }

    #[test]
    fn a_search_that_was_kept_is_recalled_in_memory() {
        keeps_and_recalls(&MemoryScanCache::default());
    }

    #[test]
    fn a_search_that_was_kept_is_recalled_from_sqlite() {
        let home = tempfile::tempdir().unwrap();
        let index = || skillc_sqlite::SkillDiscoveryIndex::at(&home.path().join("discovery.db"));
        keeps_and_recalls(&index().scans());
        let (one, other) = (PathBuf::from("/one"), PathBuf::from("/other"));
        let again = index().scans();
        let first = again.get(&[other, one.clone()]);
        assert_eq!(first, [None, Some(Arc::default())]);
        // A scan that was read once is the same object the next time.
        let second = again.get(&[one]).pop().flatten().unwrap();
        assert!(Arc::ptr_eq(first[1].as_ref().unwrap(), &second));
    }
}
