//! The tests that run the generated repositories.

use super::allowed::{Act, Surface};
use super::judge::Judge;
use super::random::number;
use super::sandbox::Sandbox;
use super::{commands, report, settings};
use crate::site::put;
use skillc_ops::OPS;
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

/// Decisions 4, 8, 15, 37, 50; D1, D2, D3, D4, D6, D9, D13.
#[test]
fn no_hostile_repository_makes_any_command_write_or_tell_what_is_outside() {
    let (first, count) = (number("SKC_HOSTILE_SEED", 1), number("SKC_HOSTILE_REPOSITORIES", 400));
    // In memory if possible, because nothing here has to survive the test.
    let shared = Path::new("/dev/shm");
    let above = if shared.is_dir() { shared.to_owned() } else { env::temp_dir() };
    let mut folder = tempfile::Builder::new().prefix("skc-hostile-").tempdir_in(above).unwrap();
    folder.disable_cleanup(count == 1);
    let report = report::try_out(folder.path(), first, count);
    if count == 1 {
        println!("kept: {}", folder.path().display());
    }
    assert!(report.faults.is_empty(), "seeds {first} and on:\n{}", report.shown());
}

/// The table of command lines is complete: a new verb without an entry is run with the examples of its help.
#[test]
fn every_verb_is_run_over_hostile_repositories() {
    let lines: BTreeSet<String> = commands::lines().into_iter().map(|words| words[0].clone()).collect();
    let verbs: BTreeSet<String> = commands::examples().into_iter().map(|(verb, _)| verb).collect();
    for verb in OPS.iter().map(|entry| entry.name).chain(verbs.iter().map(String::as_str)) {
        assert!(lines.contains(verb) || verb == "host", "no line for '{verb}'");
    }
}

/// RFC-0009:C-RESOLUTION lists every key, and each is drawn.
#[test]
fn every_setting_of_the_reference_is_drawn() {
    let keys = settings::keys();
    for key in [
        "version",
        "search.tokenizer",
        "targets.<name>",
        "lint.rules.<rule>",
        "permissions.confirm",
        "skills.initial.max_bytes",
    ] {
        assert!(keys.iter().any(|drawn| drawn == key), "{key} in {keys:?}");
    }
    assert!(keys.len() >= 24, "{keys:?}");
}

/// A judge that notices nothing would pass every run, so each kind of violation is tried here.
#[test]
fn the_judge_sees_changes_outside_and_reported_paths() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Sandbox::new(folder.path(), true);
    let act = |words: &str| Act {
        surface: Surface::CommandLine,
        words: words.split(' ').map(str::to_owned).collect(),
    };
    let seen = |words: &str, change: &dyn Fn()| {
        sandbox.restore();
        let mut judge = Judge::new(&sandbox);
        change();
        judge.changed(&act(words));
        judge.strays(&act(words));
        judge.faults.iter().map(|fault| fault.kind.clone()).collect::<Vec<_>>()
    };
    let write = |path: &str| put(&sandbox.root().join(path), "x");
    for (words, path) in [
        ("build demo", "home/.claude/skills/commit/SKILL.md"),
        ("build demo --force", "home/.bashrc"),
        ("build demo", "home/.claude/skills/new/SKILL.md"),
        ("outline demo", "code/neighbor/notes.txt"),
        ("outline demo", "home/.skillc/config.toml"),
        ("enable demo --project", "home/.skillc/config.toml"),
        ("list", "code/clone/README.md"),
        ("build demo", "code/clone/AGENTS.md"),
        ("stats demo --html notes.txt", "code/clone/notes.txt"),
        ("lint demo", "code/clone/.skillc/skills/demo/SKILL.md"),
        ("try", "tmp/left/over"),
        ("list", "code/clone/.skillc/runtime/demo/.skillc-tmp-x"),
    ] {
        assert!(!seen(words, &|| write(path)).is_empty(), "{words}: {path}");
    }
    for (words, path) in [
        ("outline demo", "code/clone/.skillc/runtime/demo/.skillc-meta/logs.db"),
        ("init fresh", "code/clone/.skillc/skills/fresh/SKILL.md"),
        ("find x", "home/.skillc/discovery.db"),
        ("stats demo --html usage.html", "code/clone/usage.html"),
    ] {
        assert_eq!(seen(words, &|| write(path)), [""; 0], "{words}: {path}");
    }
    let mut judge = Judge::new(&sandbox);
    let key = fs::read(sandbox.root().join("home/.ssh/id_rsa")).unwrap();
    judge.said(&act("open demo x"), &key);
    assert_eq!(judge.faults[0].kind, "CommandLine open: told the secret of home/.ssh/id_rsa");
}
