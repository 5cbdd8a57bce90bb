//! RFC-0007:C-OUTPUT on a terminal.

use crate::site::{Run, Site, finish, program};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a shell line on a terminal, with `$SKC` as the program, and returns everything the terminal received.
#[track_caller]
pub fn on_terminal(site: &Site, vars: &[(&str, &str)], line: &str) -> String {
    with_input(site, vars, line, Stdio::null()).out
}

/// Like `on_terminal`, as bytes.
#[track_caller]
pub fn bytes_on_terminal(site: &Site, vars: &[(&str, &str)], line: &str) -> Vec<u8> {
    with_input(site, vars, line, Stdio::null()).bytes
}

/// Like `on_terminal`, with this input typed.
#[track_caller]
pub fn typed_on_terminal(site: &Site, line: &str, typed: &str) -> String {
    let file = site.root().join("typed");
    fs::write(&file, typed).unwrap();
    with_input(site, &[("NO_COLOR", "1")], line, fs::File::open(file).unwrap().into()).out
}

#[track_caller]
fn with_input(site: &Site, vars: &[(&str, &str)], line: &str, input: Stdio) -> Run {
    let mut command = site.command([""; 0]);
    let prepared: Vec<_> = command.get_envs().map(|(n, v)| (n.to_owned(), v.unwrap().to_owned())).collect();
    command = terminal(line);
    command.current_dir(site.project()).env_clear().envs(prepared);
    // A pager would wait for a key.
    command.env("SKC", program()).env("TERM", "xterm").env("SHELL", "/bin/sh").env("SKILLC_NO_PAGER", "1");
    command.envs(vars.iter().copied());
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = finish(command);
    assert!(run.err.is_empty() && !run.out.is_empty(), "{line}: {}{}", run.out, run.err);
    run
}

/// A command that runs a shell line on a terminal: `script` of util-linux, or Python's `pty`.
fn terminal(line: &str) -> Command {
    let says = |program: &str| Command::new(program).arg("--version").output().map(|done| done.stdout);
    if says("script").is_ok_and(|version| String::from_utf8_lossy(&version).contains("util-linux")) {
        let mut command = Command::new("script");
        command.args(["-qec", line, "/dev/null"]);
        return command;
    }
    says("python3").expect("a terminal for the test: script of util-linux, or python3");
    let mut command = Command::new("python3");
    command.args(["-c", "import pty, sys; pty.spawn(sys.argv[1:])", "/bin/sh", "-c", line]);
    command
}

/// RFC-0007:C-OUTPUT
#[test]
fn color_follows_terminal_no_color_and_option() {
    let site = Site::built("x", "# X\n");
    let is_colored = |vars: &[(&str, &str)], line: &str| on_terminal(&site, vars, line).contains('\u{1b}');
    for line in ["$SKC list", "$SKC outline x", "$SKC explain E007", "$SKC --help", "$SKC list --bogus"] {
        assert!(is_colored(&[], line), "{line}");
        assert!(!is_colored(&[("NO_COLOR", "1")], line), "{line} with NO_COLOR");
        assert!(is_colored(&[("NO_COLOR", "1")], &format!("{line} --color always")), "{line} --color always");
        assert!(!is_colored(&[], &format!("{line} --color never")), "{line} --color never");
        assert!(!is_colored(&[], &format!("{line} --color=never")), "{line} --color=never");
        assert!(!is_colored(&[("CLICOLOR_FORCE", "1")], &format!("{line} 2>&1 | cat")), "{line} in a pipe");
        assert!(is_colored(&[], &format!("{line} --color always 2>&1 | cat")), "{line} always in a pipe");
    }
    assert!(!is_colored(&[], "$SKC list --format json"));
}

/// A skill that takes more than a second to build, since shorter work shows no progress.
fn slow_skill() -> Site {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    for doublings in 6..12 {
        let text = "# A heading\n\nWords of a section.\n\n".repeat(1 << doublings);
        (0..2_000).for_each(|i| drop(site.write("x", &format!("references/{i}.md"), &text)));
        let start = Instant::now();
        assert_eq!(site.skc(["build", "x"]).ok().err, "", "no progress in a pipe");
        let took = start.elapsed();
        fs::remove_dir_all(site.runtime("x")).unwrap();
        if took > Duration::from_secs(1) {
            return site;
        }
    }
    panic!("no build takes a second");
}

/// RFC-0007:C-OUTPUT
#[test]
fn progress_is_silent_without_a_terminal() {
    let site = slow_skill();
    let shown = on_terminal(&site, &[], "$SKC build x");
    assert!(shown.contains("building x") && shown.contains("/2001"), "{shown}");
    fs::remove_dir_all(site.runtime("x")).unwrap();
    let shown = on_terminal(&site, &[], "$SKC build x 2>&1 | cat");
    assert!(!shown.contains("building") && shown.contains("Built x"), "{shown}");
}

/// RFC-0007:C-OUTPUT
#[test]
fn lines_are_broken_at_the_width_of_the_terminal() {
    let site = Site::new();
    let long = "does many things at once and has a description that no terminal shows on one line";
    site.write(
        "x",
        "SKILL.md",
        format!("---\nname: x\ndescription: {long}\n---\n# X\n[a](missing.md) {long}\n"),
    );
    let shown = |columns: usize, line: &str| {
        on_terminal(&site, &[("NO_COLOR", "1"), ("COLUMNS", &columns.to_string())], line)
    };
    for line in ["$SKC lint x", "$SKC list", "$SKC find things", "$SKC explain E002", "$SKC show x -s Y"] {
        for columns in [60, 80] {
            let text = shown(columns, line);
            let widest = text.lines().map(|line| line.trim_end().chars().count()).max();
            assert!(widest <= Some(columns), "{line} at {columns}:\n{text}");
        }
        assert_ne!(shown(60, line), shown(140, line), "{line}");
    }
    let piped = on_terminal(&site, &[("COLUMNS", "60")], "$SKC lint x 2>&1 | cat");
    assert!(piped.contains(long), "{piped}");
    let content = shown(60, "$SKC open x SKILL.md");
    assert!(content.contains(long), "{content}");
}

/// RFC-0007:C-OUTPUT
#[test]
fn a_path_is_relative_to_the_working_directory() {
    let site = Site::built("x", "# X\n[a](missing.md)\n");
    let below = site.project().join("docs/deep");
    fs::create_dir_all(&below).unwrap();
    let list = site.skc_in(&below, ["list", "-v"]).ok().out;
    assert!(list.contains(" ../../.skillc/skills/x\n"), "{list}");
    let lint = site.skc_in(&below, ["lint", "x"]);
    assert!(lint.err.starts_with("../../.skillc/skills/x/SKILL.md:"), "{}", lint.err);
}

/// RFC-0007:C-PAGER
#[test]
fn a_long_reply_goes_through_the_pager_on_a_terminal_only() {
    let site = Site::built("x", "# X\n");
    let paged = |vars: &[(&str, &str)], line: &str| {
        let file = site.root().join("paged");
        let _ = fs::remove_file(&file);
        let pager = format!("cat > {}", file.display());
        let on = [("PAGER", pager.as_str()), ("LINES", "10"), ("SKILLC_NO_PAGER", "")];
        let vars = [&on, vars].concat();
        let shown = on_terminal(&site, &vars, &format!("echo; {line}"));
        let text = fs::read_to_string(&file).ok();
        assert_eq!(text.is_none(), shown.contains("TARGET") || shown.contains("name: x"), "{line}: {shown}");
        text
    };
    assert!(paged(&[], "$SKC targets").is_some_and(|text| text.contains("TARGET") && text.contains("zed")));
    assert_eq!(paged(&[("LINES", "200")], "$SKC targets"), None);
    assert_eq!(paged(&[], "$SKC targets --no-pager"), None);
    assert_eq!(paged(&[], "$SKC targets | cat"), None);
    assert_eq!(paged(&[], "$SKC targets < /dev/null"), None);
    assert_eq!(paged(&[("SKILLC_NO_PAGER", "1")], "$SKC targets"), None);
    assert_eq!(paged(&[("SKILLC_AGENT", "claude-code")], "$SKC targets"), None);
    assert_eq!(paged(&[("PAGER", "")], "$SKC targets"), None);
    site.skc(["config", "set", "output.pager", "false", "--global"]).ok();
    assert_eq!(paged(&[], "$SKC targets"), None);
    site.skc(["config", "set", "output.pager", "true", "--global"]).ok();
    assert!(paged(&[], "$SKC targets").is_some());
    assert_eq!(paged(&[("PAGER", "no-such-pager-at-all")], "$SKC targets"), None);
}

/// RFC-0007:C-PAGER
#[test]
fn findings_and_summary_go_through_the_pager_together() {
    let site = Site::new();
    let links: String = (0..9).map(|i| format!("[a](missing-{i}.md)\n")).collect();
    site.write_skill("x", &format!("# X\n{links}"));
    let file = site.root().join("paged");
    let pager = format!("cat > {}", file.display());
    let vars = [("PAGER", pager.as_str()), ("LINES", "6"), ("SKILLC_NO_PAGER", ""), ("NO_COLOR", "1")];
    let status = on_terminal(&site, &vars, "$SKC lint x; echo status $?");
    assert_eq!(status.trim(), "status 1");
    let paged = fs::read_to_string(&file).unwrap();
    assert!(paged.contains("missing-0.md") && paged.contains("\nx: "), "{paged}");
    let built = on_terminal(&site, &vars, "$SKC build x");
    assert!(built.contains("Built x"), "{built}");
}
