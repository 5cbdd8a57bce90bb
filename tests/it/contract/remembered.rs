//! `SkillTree::cached_survey`: a cached survey equals a new one, whatever was done to the skill in between.

use skillc_disk::WatchedSkillFiles;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::survey::Survey;
use skillc_ports::{SkillFiles, SkillTree};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tempfile::TempDir;

/// More folders than are watched.
const TOO_MANY_FOLDERS: usize = 4_200;

/// A skill on a file system that reports all changes.
struct Scene {
    root: TempDir,
    files: WatchedSkillFiles,
}

impl Scene {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let scene = Self { root: root.unwrap(), files: WatchedSkillFiles::default() };
        scene.write("SKILL.md", "body");
        scene.write("a/x.md", "x");
        scene
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join("s").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn tree(&self) -> Box<dyn SkillTree> {
        self.files.open(&self.at("")).unwrap()
    }

    fn walked(&self) -> Survey {
        self.tree().survey().unwrap()
    }

    fn cached_survey(&self) -> Arc<SummarizedSurvey> {
        self.tree().cached_survey().expect("a folder that can be watched")
    }

    #[track_caller]
    fn agrees(&self, after: &str) {
        // The cached survey first, so that the walk cannot be what corrects it.
        if let Some(known) = self.tree().cached_survey() {
            assert_eq!(known.files, self.walked().files, "after {after}");
        }
    }

    /// Whether two surveys are the same object, so that nothing was walked.
    fn is_cached(&self) -> bool {
        let [first, second] = [(); 2].map(|()| self.tree().cached_survey());
        first.zip(second).is_some_and(|(first, second)| Arc::ptr_eq(&first, &second))
    }
}

#[test]
fn an_unchanged_skill_is_not_walked_again() {
    let scene = Scene::new();
    let first = scene.cached_survey();
    assert!(Arc::ptr_eq(&first, &scene.cached_survey()));
    scene.tree().read(&first.files[0].path, 1_000).unwrap();
    fs::read_dir(scene.at("a")).unwrap().for_each(drop);
    scene.write(".hidden", "editors write such files all the while");
    assert!(Arc::ptr_eq(&first, &scene.cached_survey()), "nothing of it is seen by a walk");
    scene.write("SKILL.md", "other");
    assert!(!Arc::ptr_eq(&first, &scene.cached_survey()));
    assert!(scene.is_cached());
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn an_edit_right_before_the_question_is_seen() {
    let scene = Scene::new();
    for round in 0..2_000_u64 {
        let text = "y".repeat(1 + round as usize % 7);
        match round % 3 {
            0 => scene.write("a/x.md", &text),
            1 => File::options().write(true).open(scene.at("a/x.md")).unwrap().set_len(round % 5).unwrap(),
            _ => {
                scene.write("a/.draft", &text);
                fs::rename(scene.at("a/.draft"), scene.at("a/x.md")).unwrap();
            }
        }
        scene.agrees(&format!("round {round}"));
    }
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn every_kind_of_change_is_seen() {
    let scene = Scene::new();
    let outside = scene.root.path().join("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("deep/z.md"), "z").unwrap();
    let path = |path: &str| scene.at(path);
    let steps: &[(&str, &dyn Fn())] = &[
        ("a new file", &|| scene.write("a/new.md", "n")),
        ("a file in new folders", &|| scene.write("b/c/d/e.md", "e")),
        ("a second file there", &|| scene.write("b/c/d/f.md", "f")),
        ("an edit there", &|| scene.write("b/c/d/e.md", "ee")),
        ("a renamed folder", &|| fs::rename(path("b"), path("g")).unwrap()),
        ("an edit below it", &|| scene.write("g/c/d/e.md", "eee")),
        ("a folder that came in", &|| fs::rename(&outside, path("came")).unwrap()),
        ("an edit in what came", &|| scene.write("came/deep/z.md", "zz")),
        ("a folder that left", &|| fs::rename(path("came"), &outside).unwrap()),
        ("an edit in what left", &|| fs::write(outside.join("deep/z.md"), "zzz").unwrap()),
        ("a deleted file", &|| fs::remove_file(path("a/new.md")).unwrap()),
        ("a deleted folder", &|| fs::remove_dir_all(path("g")).unwrap()),
        ("the same folder anew", &|| scene.write("g/c/d/e.md", "new")),
        ("other rights", &|| fs::set_permissions(path("a/x.md"), PermissionsExt::from_mode(0o600)).unwrap()),
        ("another time", &|| {
            let file = File::options().write(true).open(path("a/x.md")).unwrap();
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
        }),
        ("a byte in place", &|| {
            let file = File::options().write(true).open(path("a/x.md")).unwrap();
            file.write_all_at(b"q", 0).unwrap();
        }),
        ("two files exchanged", &|| {
            fs::rename(path("a/x.md"), path("a/.t")).unwrap();
            fs::rename(path("SKILL.md"), path("a/x.md")).unwrap();
            fs::rename(path("a/.t"), path("SKILL.md")).unwrap();
        }),
        ("a file in the place of a folder", &|| {
            fs::remove_dir_all(path("g")).unwrap();
            fs::write(path("g"), "now a file").unwrap();
        }),
        ("a hidden folder that becomes visible", &|| {
            scene.write(".h/y.md", "y");
            fs::rename(path(".h"), path("h")).unwrap();
        }),
        ("an edit in it", &|| scene.write("h/y.md", "yy")),
        ("one that is hidden", &|| fs::rename(path("h"), path(".h")).unwrap()),
    ];
    for (what, act) in steps {
        assert!(scene.is_cached(), "before {what}");
        act();
        scene.agrees(what);
    }
    assert!(scene.is_cached());
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn changes_during_walks_are_seen_after_them() {
    let scene = Scene::new();
    let is_over = AtomicBool::new(false);
    for round in 0..40 {
        is_over.store(false, Ordering::SeqCst);
        thread::scope(|scope| {
            scope.spawn(|| {
                for at in 0..60 {
                    scene.write(&format!("n{round}/{}/{at}.md", at % 7), &"x".repeat(at % 11));
                    if at % 9 == 8 {
                        fs::remove_dir_all(scene.at(&format!("n{round}/{}", at % 7))).unwrap();
                    }
                }
                is_over.store(true, Ordering::SeqCst);
            });
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::SeqCst) {
                        scene.tree().cached_survey();
                    }
                });
            }
        });
        scene.agrees(&format!("round {round}"));
    }
    assert!(scene.is_cached());
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn the_target_of_a_link_is_never_cached() {
    let scene = Scene::new();
    scene.write(".hidden/y.md", "y");
    symlink("../.hidden/y.md", scene.at("a/link.md")).unwrap();
    for text in ["yy", "y", "yyy"] {
        assert!(!scene.is_cached());
        scene.write(".hidden/y.md", text);
        scene.agrees(text);
    }
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_file_with_a_second_name_is_never_remembered() {
    let scene = Scene::new();
    let other = scene.root.path().join("other");
    fs::hard_link(scene.at("a/x.md"), &other).unwrap();
    for text in ["yy", "y", "yyy"] {
        assert!(!scene.is_cached());
        fs::write(&other, text).unwrap();
        scene.agrees(text);
    }
}

/// No event reports a second name created later; a read of the file then notices that it differs.
#[test]
fn reading_a_file_that_is_another_than_remembered_forgets_the_skill() {
    let scene = Scene::new();
    let known = scene.cached_survey();
    let other = scene.root.path().join("other");
    fs::hard_link(scene.at("a/x.md"), &other).unwrap();
    fs::write(&other, "by another name").unwrap();
    let path = &known.files.iter().find(|file| file.path.as_str() == "a/x.md").unwrap().path;
    scene.tree().read(path, 1_000).unwrap();
    scene.agrees("reading");
}

#[test]
fn another_skill_at_the_same_path_is_another() {
    let scene = Scene::new();
    for round in 0..20 {
        assert!(scene.is_cached());
        fs::rename(scene.at(""), scene.root.path().join(format!("old{round}"))).unwrap();
        scene.write(&format!("only-{round}.md"), "body");
        scene.agrees("a new skill");
        fs::remove_dir_all(scene.root.path().join(format!("old{round}"))).unwrap();
        fs::remove_dir_all(scene.at("")).unwrap();
        assert!(scene.files.open(&scene.at("")).is_err());
        scene.write(&format!("again-{round}.md"), "body");
        scene.agrees("once more");
    }
}

#[test]
fn a_skill_inside_another_is_part_of_both() {
    let scene = Scene::new();
    let inner = || scene.files.open(&scene.at("a")).unwrap();
    for text in ["yy", "y", "yyy"] {
        let (outer_known, inner_known) = (scene.cached_survey(), inner().cached_survey().unwrap());
        assert!(Arc::ptr_eq(&inner_known, &inner().cached_survey().unwrap()));
        scene.write("a/x.md", text);
        scene.agrees(text);
        assert!(!Arc::ptr_eq(&outer_known, &scene.cached_survey()));
        assert_eq!(inner().cached_survey().unwrap().files, inner().survey().unwrap().files);
    }
    fs::remove_dir_all(scene.at("a")).unwrap();
    scene.agrees("the end of the inner one");
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_skill_of_more_folders_than_are_watched_is_walked_each_time() {
    let scene = Scene::new();
    (0..TOO_MANY_FOLDERS).for_each(|at| fs::create_dir(scene.at(&format!("f{at}"))).unwrap());
    assert!(!scene.is_cached());
    scene.write("f4100/y.md", "y");
    scene.agrees("an edit");
    assert_eq!(scene.walked().files.len(), 3);
    // The room that it used is free again.
    let small = Scene { files: scene.files, root: Scene::new().root };
    assert!(small.is_cached());
}
