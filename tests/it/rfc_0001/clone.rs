//! RFC-0001:C-CLONE: a project that is committed and cloned.

use crate::site::{Run, Site, put, skill_md};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use walkdir::WalkDir;

fn git(folder: &Path, arguments: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .output()
        .unwrap();
    let said = [&run.stderr[..], &run.stdout].concat();
    assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&said));
}

/// A project with a stored skill and one that is built in place. Both are built as a link and as a copy, used,
/// cataloged, and cloned into another home directory.
struct Clone {
    first: Site,
    second: Site,
}

impl Clone {
    fn new() -> Self {
        let first = Site::without_project();
        put(&first.project().join("skills/near/SKILL.md"), skill_md("near", "# Near\n"));
        put(&first.project().join("skills/near/scripts/x.py"), "print('x')\n");
        first.skc(["init", "--in-place"]).ok();
        first.skc(["init", "far"]).ok();
        first.write("stored", "SKILL.md", skill_md("stored", "# Stored\n"));
        first.skc(["build", "--all"]).ok();
        first.skc(["build", "--all", "--copy", "--target", "cursor"]).ok();
        let away = first.root().join("away");
        put(&away.join("SKILL.md"), skill_md("taken", "# Taken\n"));
        first.skc(["build", away.to_str().unwrap(), "--copy", "--target", "kiro"]).ok();
        first.skc(["show", "near", "--section", "Near"]).ok();
        // A fallback log.
        let log = first.runtime("stored").join(".skillc-meta/logs.db");
        fs::remove_file(&log).ok();
        fs::create_dir(&log).unwrap();
        first.skc(["outline", "stored"]).ok();
        first.skc(["catalog", "--write", "AGENTS.md"]).ok();
        // Make sure that each clone builds at a different time.
        std::thread::sleep(Duration::from_millis(1100));
        git(&first.project(), &["init", "-q"]);
        git(&first.project(), &["add", "-A"]);
        git(&first.project(), &["commit", "-q", "-m", "all"]);
        let second = Site::without_project();
        fs::remove_dir(second.project()).unwrap();
        git(&second.root(), &["clone", "-q", first.project().to_str().unwrap(), "project"]);
        Self { first, second }
    }

    fn skc(&self, arguments: &[&str]) -> Run {
        self.second.skc(arguments)
    }

    /// Files and links of the clone, without git's own.
    fn entries(&self) -> Vec<PathBuf> {
        let walk = WalkDir::new(self.second.project()).into_iter().filter_entry(|e| e.file_name() != ".git");
        walk.map(|entry| entry.unwrap().into_path())
            .filter(|path| !path.is_dir() || path.is_symlink())
            .collect()
    }
}

/// RFC-0001:C-CLONE
#[test]
fn a_clone_has_no_link_out_of_it_no_log_and_no_absolute_path() {
    let clone = Clone::new();
    let first = clone.first.root().to_string_lossy().into_owned();
    let entries = clone.entries();
    assert!(entries.iter().any(|path| path.ends_with(".claude/skills/near")), "{entries:?}");
    for path in &entries {
        let name = path.to_string_lossy();
        assert!(!name.contains("/runtime/") && !name.contains("/logs/") && !name.ends_with(".db"), "{name}");
        match fs::read_link(path) {
            Ok(to) => assert!(to.is_relative(), "{name} -> {to:?}"),
            Err(_) => {
                let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
                assert!(!text.contains(&first), "{name}: {text}");
            }
        }
    }
}

/// RFC-0001:C-CLONE, RFC-0010:C-WRITE
#[test]
fn a_clone_is_listed_as_it_is_and_made_whole_by_one_command() {
    let clone = Clone::new();
    let listed = clone.skc(&["list", "--format", "json"]).ok().json();
    let skills = listed["skills"].as_array().unwrap();
    assert_eq!(skills.len(), 4, "{listed}");
    assert!(skills.iter().all(|skill| skill["status"] == "not-built"), "{listed}");
    clone.skc(&["catalog", "--write", "AGENTS.md", "--check"]).ok();
    let built = clone.skc(&["build", "--all"]).ok();
    assert!(
        built.out.contains("4 built, 0 unchanged") && built.err.is_empty(),
        "{} {}",
        built.out,
        built.err
    );
    let stub = fs::read_to_string(clone.second.project().join(".claude/skills/near/SKILL.md")).unwrap();
    assert!(stub.contains("skc sources near"), "{stub}");
    clone.skc(&["show", "near", "--section", "Near"]).ok();
    clone.skc(&["load", "stored"]).ok();
    // A committed copy is recognized as ours. With a different modification time it stays unchanged.
    let again = clone.skc(&["build", "--all", "--copy", "--target", "cursor"]).ok();
    assert_eq!(again.err, "");
    let status = clone.skc(&["list", "--status", "normal", "--format", "json"]).ok().json();
    assert_eq!(status["filtered"], 4, "{status}");
    git(&clone.second.project(), &["diff", "--exit-code"]);
    assert!(clone.skc(&["search", "near", "near"]).ok().out.contains("SKILL.md"));
    assert_eq!(clone.skc(&["find", "near", "-o", "json"]).ok().json()["results"][0]["name"], "near");
    let script = clone.second.project().join(".claude/skills/near/scripts/x.py");
    assert_eq!(fs::read_to_string(script).unwrap(), "print('x')\n");
    assert_eq!(clone.skc(&["open", "near", "scripts/x.py"]).ok().base_directories, ["skills/near"]);
    let own = clone.second.root().to_string_lossy().into_owned();
    let sources = clone.skc(&["sources", "near", "-o", "json"]).ok().json();
    assert!(sources["dir"].as_str().unwrap().starts_with(&own), "{sources}");
    clone.skc(&["undeploy", "near"]).ok();
    for target in [".claude", ".agents"] {
        assert!(clone.second.project().join(target).join("skills/near").symlink_metadata().is_err());
    }
}

/// RFC-0001:C-CLONE
#[test]
fn a_gitignore_of_the_users_own_is_left_alone() {
    let site = Site::new();
    let file = site.project().join(".skillc/.gitignore");
    put(&file, "mine\n");
    site.write_skill("x", "# X\n");
    site.skc(["build", "x"]).ok();
    assert_eq!(fs::read_to_string(file).unwrap(), "mine\n");
    assert!(!site.home().join(".skillc/.gitignore").exists());
}

/// RFC-0006:C-INIT
#[test]
fn an_edit_in_a_new_store_is_seen_by_the_next_read() {
    let site = Site::without_project();
    site.skc(["init", "x"]).ok();
    site.skc(["build", "x"]).ok();
    site.write_skill("x", "# X\n\n# New\nadded text\n");
    let shown = site.skc(["show", "x", "--section", "New"]).ok();
    assert!(shown.out.contains("added text"), "{}", shown.out);
    // The median in milliseconds, minus that of a read without an edit.
    let median = |edits: bool| {
        let mut times: Vec<Duration> = (0..15)
            .map(|at| {
                if edits {
                    site.write_skill("x", &format!("# X\n\n# New\nedit {at}\n"));
                }
                let start = Instant::now();
                let shown = site.skc(["show", "x", "--section", "New"]).ok();
                let took = start.elapsed();
                assert!(!edits || shown.out.contains(&format!("edit {at}\n")), "{}", shown.out);
                took
            })
            .collect();
        times.sort();
        times[times.len() / 2]
    };
    let (read, edited) = (median(false), median(true));
    assert!(edited < 3 * read + Duration::from_millis(50), "{edited:?} after an edit, {read:?} without");
}

/// RFC-0001:C-CLONE, RFC-0007:C-REMOVE
#[test]
fn a_skill_is_removed_from_every_folder_of_a_clone() {
    for is_built in [false, true] {
        let clone = Clone::new();
        if is_built {
            clone.skc(&["build", "--all"]).ok();
        }
        clone.skc(&["remove", "near"]).ok();
        for target in [".claude", ".agents"] {
            let place = clone.second.project().join(target).join("skills/near");
            assert!(place.symlink_metadata().is_err(), "{target}, built: {is_built}");
        }
        assert!(!clone.second.project().join("skills/near").exists());
        clone.skc(&["undo"]).ok();
        assert!(clone.second.project().join("skills/near/scripts/x.py").is_file());
    }
}

/// RFC-0001:C-CLONE, RFC-0010:C-ENABLE
#[test]
fn a_skill_is_switched_off_in_every_folder_of_a_clone() {
    for is_built in [false, true] {
        let clone = Clone::new();
        if is_built {
            clone.skc(&["build", "--all"]).ok();
        }
        let place = |target: &str| clone.second.project().join(target).join("skills/near");
        clone.skc(&["disable", "near"]).ok();
        for target in [".claude", ".agents"] {
            assert!(place(target).symlink_metadata().is_err(), "{target}, built: {is_built}");
        }
        assert!(place(".claude").parent().unwrap().join("stored").symlink_metadata().is_ok());
        clone.skc(&["enable", "near"]).ok();
        assert!(place(".claude").symlink_metadata().is_ok(), "built: {is_built}");
    }
}
