//! `WatchedSkillScanner`: a cached scan equals a new one, whatever was done in between.

use skillc_disk::{DiskSkillScanner, WatchedSkillScanner};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::scan::{ScanBounds, ScannedRoot};
use skillc_ports::{Scan, SkillScanner};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const BOUNDS: ScanBounds<'_> =
    ScanBounds { file: "SKILL.md", depth_max: 6, folders_max: 1_000, takes_files: false, border: None };

/// A skills folder on a file system that reports all changes.
struct Scene {
    home: TempDir,
    scanner: WatchedSkillScanner,
    known: Mutex<Option<Arc<ScannedRoot>>>,
}

impl Scene {
    /// With two skills, one of them behind a link, and a stub; old enough to be trusted.
    fn new() -> Self {
        let scene = Self::empty();
        scene.write("r/a/SKILL.md", "a");
        scene.write("r/group/b/SKILL.md", "b");
        scene.write("out/c/SKILL.md", "c");
        scene.write("r/stub/SKILL.md", "stub");
        scene.write("r/stub/.skillc-meta/manifest.json", "{}");
        symlink(scene.at("out/c"), scene.at("r/c")).unwrap();
        scene.settle();
        scene
    }

    fn empty() -> Self {
        let memory = Path::new("/dev/shm");
        let home = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        fs::create_dir(home.path().join("r")).unwrap();
        Self { home, scanner: WatchedSkillScanner::default(), known: Mutex::default() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    /// Scans with the known scan, as the catalog does: heads are read, and the result is the next known scan.
    fn search(&self) -> Scan {
        let mut known = self.known.lock().unwrap();
        let mut scan = self.scanner.scan(&self.at("r"), &BOUNDS, known.take()).unwrap();
        if scan.is_news {
            scan.scanned = Arc::new(with_heads(Arc::unwrap_or_clone(scan.scanned)));
        }
        *known = Some(scan.scanned.clone());
        scan
    }

    /// Waits until stamps can be trusted and the folders are watched.
    fn settle(&self) {
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(20));
            if !self.search().is_news {
                return;
            }
        }
        panic!("it never settles");
    }

    /// Checks that the next scan equals one without a known scan.
    #[track_caller]
    fn agrees(&self, after: &str) {
        let told = self.search().scanned;
        let anew = DiskSkillScanner.scan(&self.at("r"), &BOUNDS, None).unwrap().scanned;
        let anew = with_heads(Arc::unwrap_or_clone(anew));
        assert_eq!((&told.root, &told.folders), (&anew.root, &anew.folders), "after {after}");
    }
}

/// Fills in heads made from the files' content.
fn with_heads(mut scanned: ScannedRoot) -> ScannedRoot {
    for at in 0..scanned.folders.len() {
        let text = fs::read_to_string(scanned.canonical(at).join("SKILL.md"));
        if let (Some(skill), Ok(description)) = (&mut scanned.folders[at].skill, text) {
            let head = SkillHead::Skill {
                name: "n".to_owned(),
                description,
                digest: Digest([0; 32]),
                flaws: Vec::new(),
            };
            skill.head.get_or_insert(head);
        }
    }
    scanned
}

#[test]
fn a_search_for_another_file_is_another_search() {
    let scene = Scene::new();
    scene.write("r/p/manifest.toml", "name = 'p'");
    scene.settle();
    let known = scene.search().scanned;
    let bounds = ScanBounds { file: "manifest.toml", ..BOUNDS };
    let of_python = scene.scanner.scan(&scene.at("r"), &bounds, Some(known)).unwrap().scanned;
    let with_skill: Vec<_> = of_python.folders.iter().filter(|folder| folder.skill.is_some()).collect();
    assert_eq!((with_skill.len(), with_skill[0].name.as_str()), (1, "p"));
}

#[test]
fn an_unchanged_folder_of_skills_is_not_searched_again() {
    let scene = Scene::new();
    assert!(!scene.search().is_news);
    // A second name changes the stamp of a file, but no event in its folder reports it; only a look at the file
    // reveals it.
    fs::hard_link(scene.at("r/a/SKILL.md"), scene.at("second")).unwrap();
    assert!(!scene.search().is_news, "nobody looked");
    let known = scene.known.lock().unwrap().clone();
    assert!(DiskSkillScanner.scan(&scene.at("r"), &BOUNDS, known).unwrap().is_news);
    // Logs next to the manifest of a stub change nothing.
    scene.write("r/stub/.skillc-meta/logs.db-wal", "x");
    assert!(!scene.search().is_news, "nobody looked");
}

/// RFC-0010:C-CATALOG
#[test]
fn each_change_is_seen_by_the_next_search() {
    let scene = Scene::new();
    let change = |what: &str, change: &dyn Fn()| {
        change();
        scene.agrees(what);
        scene.settle();
    };
    change("an edit in place", &|| scene.write("r/a/SKILL.md", "other"));
    change("an edit behind a link", &|| scene.write("out/c/SKILL.md", "other"));
    change("a new skill", &|| scene.write("r/group/new/SKILL.md", "new"));
    change("a skill in a new folder deep down", &|| scene.write("r/x/y/z/SKILL.md", "deep"));
    change("a rename over the file", &|| {
        scene.write("r/a/next", "renamed");
        fs::rename(scene.at("r/a/next"), scene.at("r/a/SKILL.md")).unwrap();
    });
    change("a deleted file", &|| fs::remove_file(scene.at("r/group/new/SKILL.md")).unwrap());
    change("a deleted folder", &|| fs::remove_dir_all(scene.at("r/x")).unwrap());
    change("a renamed folder", &|| fs::rename(scene.at("r/group"), scene.at("r/other")).unwrap());
    change("an edit in the renamed folder", &|| scene.write("r/other/b/SKILL.md", "moved"));
    change("another folder of its old name", &|| scene.write("r/group/b/SKILL.md", "second"));
    change("an edit there", &|| scene.write("r/group/b/SKILL.md", "third"));
    change("a manifest", &|| scene.write("r/stub/.skillc-meta/manifest.json", "{\"other\":1}"));
    change("a manifest that is gone", &|| fs::remove_dir_all(scene.at("r/stub/.skillc-meta")).unwrap());
    change("a link that leads elsewhere", &|| {
        scene.write("out/d/SKILL.md", "d");
        fs::remove_file(scene.at("r/c")).unwrap();
        symlink(scene.at("out/d"), scene.at("r/c")).unwrap();
    });
    change("a write through an open file", &|| {
        use std::io::Write;
        let mut file = File::options().append(true).open(scene.at("r/a/SKILL.md")).unwrap();
        file.write_all(b"more").unwrap();
    });
}

/// RFC-0010:C-CATALOG
#[test]
fn changes_outside_the_watched_folders_are_seen_too() {
    let scene = Scene::new();
    let change = |what: &str, change: &dyn Fn()| {
        change();
        scene.agrees(what);
        scene.settle();
    };
    change("another folder above the end of a link", &|| {
        fs::rename(scene.at("out"), scene.at("away")).unwrap();
        scene.write("out/c/SKILL.md", "another");
    });
    change("a file that is a link", &|| {
        scene.write("elsewhere.md", "x");
        fs::remove_file(scene.at("r/a/SKILL.md")).unwrap();
        symlink(scene.at("elsewhere.md"), scene.at("r/a/SKILL.md")).unwrap();
    });
    change("an edit at the end of that link", &|| scene.write("elsewhere.md", "y"));
    change("a file of two names", &|| {
        fs::hard_link(scene.at("r/group/b/SKILL.md"), scene.at("second")).unwrap();
        scene.write("r/touched/SKILL.md", "so that it is looked at");
    });
    change("an edit by its other name", &|| scene.write("second", "by the other"));
    change("a link to nowhere", &|| {
        fs::create_dir(scene.at("r/dangling")).unwrap();
        symlink(scene.at("nowhere.md"), scene.at("r/dangling/SKILL.md")).unwrap();
    });
    change("its end appears", &|| scene.write("nowhere.md", "there"));
    change("another folder in its own place", &|| {
        fs::rename(scene.at("r"), scene.at("old")).unwrap();
        scene.write("r/a/SKILL.md", "of another folder");
    });
    change("an edit there", &|| scene.write("r/a/SKILL.md", "other"));
}

/// RFC-0010:C-CATALOG
#[test]
fn edits_beside_searches_are_all_seen() {
    let scene = Scene::new();
    for round in 0..200 {
        let text = format!("round {round}");
        thread::scope(|scope| {
            scope.spawn(|| scene.write("r/a/SKILL.md", &text));
            scope.spawn(|| drop(scene.search()));
        });
        scene.agrees(&text);
    }
}
