//! RFC-0007:C-OUTPUT, the parts that need no terminal.

use crate::site::{Site, finish};
use skillc_ops::OPS;
use std::process::Stdio;

/// RFC-0007:C-OUTPUT
#[test]
fn json_replies_are_objects_on_every_command() {
    let site = Site::new();
    site.write_skill("y", "# Y\n");
    let lines = [
        "init x",
        "lint x",
        "build x",
        "list",
        "outline x",
        "show x --section X",
        "open x SKILL.md",
        "sources x",
        "search x TODO",
        "find x",
        "load x",
        "mentions $x",
        "enable x",
        "disable x",
        "prove y",
        "stats x",
        "history sources",
        "slim x",
        "sync",
        "log forget x",
        "model status",
        "targets",
        "pack x",
        "publish x --well-known public",
        "plugin check --explain-load",
        "undeploy x",
        "remove x",
        "rename y z",
        "undo --list",
        "catalog",
        "config",
        "explain E001",
        "doctor",
        "try",
    ];
    let verbs: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    // `team` needs a server, and `team_story` covers its replies. `eval` needs a file of queries and has its own
    // tests.
    let is_shown = |name: &&str| !matches!(*name, "team" | "eval");
    let all = OPS.iter().map(|entry| entry.name).filter(is_shown).chain(["try"]);
    assert_eq!(verbs, all.collect::<Vec<_>>());
    for line in lines {
        let run = site.skc(line.split(' ').chain(["--format", "json"])).ok();
        assert!(run.json().is_object(), "{line}: {}", run.out);
        assert!(run.out.starts_with('{') && run.out.ends_with("}\n"), "{line}");
    }
}

/// RFC-0007:C-OUTPUT
#[test]
fn verbose_tells_paths_and_times_on_stderr() {
    let site = Site::built("x", "# X\n");
    let show = ["show", "x", "--section", "X"];
    let quiet = site.skc(show).ok();
    assert_eq!(quiet.err, "");
    for (vars, args) in
        [(&[][..], &["-v"][..]), (&[("SKC_VERBOSE", "1")], &[]), (&[("SKC_VERBOSE", "no")], &[])]
    {
        let run = site.skc_with(vars, show.iter().chain(args)).ok();
        assert_eq!(run.out, quiet.out);
        for path in [site.home(), site.project(), site.skill("x"), site.index("x")] {
            assert!(run.err.contains(path.to_str().unwrap()), "{}: {}", path.display(), run.err);
        }
        assert!(run.err.lines().any(|line| line.ends_with(" ms")), "{}", run.err);
        assert!(run.err.lines().all(|line| line.starts_with("  ")), "{}", run.err);
    }
    for off in ["", "0"] {
        assert_eq!(site.skc_with(&[("SKC_VERBOSE", off)], show).ok().err, "");
    }
    let built = site.skc(["build", "x", "--verbose"]).ok();
    assert!(built.err.contains(" ms\n") && !built.out.contains(" ms"), "{}", built.err);
}

/// RFC-0007:C-OUTPUT
#[test]
fn control_characters_in_names_are_escaped() {
    let site = Site::new();
    let evil = "e\u{1b}[2J\u{9b}\nerror[E999]: \u{202e}l";
    site.write_skill("x", "# X\n\u{1b}[1mkept\u{7}\n");
    site.write("x", &format!("{evil}/{evil}.md"), "# Xe\u{1b}[2J\u{7f}\u{9b} xylophone\n");
    site.write("x", &format!("{evil}.txt"), b"\xff");
    site.write(evil, "SKILL.md", "---\nname: x\n---\n");
    let bad = format!("./{evil}");
    for args in [
        &["build", "x", "-v"][..],
        &["outline", "x", "-v"],
        &["sources", "x"],
        &["sources", "x", "--dir", evil],
        &["sources", "x", "--dir", &bad[1..]],
        &["search", "x", "xylophone"],
        &["search", "x", evil],
        &["find", evil],
        &["show", "x", "--section", "e"],
        &["show", "x", "--section", evil],
        &["open", "x", evil],
        &["open", "x", "--max-lines", evil],
        &["list", "-v"],
        &["outline", &bad],
        &["show", "./.skillc/skills/x", "--section", evil],
        &["build", evil],
        &["build", "x", "--target", evil],
        &["build", &format!(".skillc/skills/{evil}")],
        &["init", evil],
        &["explain", evil],
        &["list", "--pattern", &format!("[{evil}")],
        &[evil],
    ] {
        let run = site.skc(args);
        for text in [&run.out, &run.err] {
            let raw = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
            assert!(!text.contains(raw), "{args:?}: {text:?}");
            assert!(!text.lines().skip(1).any(|line| line.starts_with("error[E999]")), "{args:?}: {text}");
        }
    }
    assert!(site.skc(["sources", "x"]).ok().out.contains("e\\u{1b}[2J\\u{9b}\\nerror[E999]: \\u{202e}l.txt"));
    assert!(site.skc(["open", "x", "SKILL.md"]).ok().out.ends_with("\u{1b}[1mkept\u{7}\n"));
    assert!(site.skc(["show", "x", "--section", "X"]).ok().out.ends_with("\u{1b}[1mkept\u{7}\n"));
}

/// RFC-0007:C-OUTPUT
#[test]
fn a_closed_pipe_is_no_crash() {
    let site = Site::built("x", &"# X\n".repeat(50_000));
    for args in [
        &["open", "x", "SKILL.md"][..],
        &["outline", "x"],
        &["outline", "x", "--format", "json"],
        &["list"],
        &["try"],
        &["--help"],
        &["build", "--help"],
        &["--version"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = site.command(args);
        command.stdout(Stdio::from(writer));
        let run = finish(command);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{args:?}");
    }
}

/// RFC-0007:C-OUTPUT
#[test]
fn a_reply_that_cannot_be_written_is_a_failure() {
    let site = Site::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = site.command(["list"]);
    command.stdout(full);
    finish(command).fails("E107");
}
