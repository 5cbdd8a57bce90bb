//! RFC-0007:C-OUTPUT on a terminal.

use crate::site::{Run, Site, finish, program};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a line of the shell, in which `$SKC` is the program, on a terminal; all that the terminal got.
#[track_caller]
pub fn on_terminal(site: &Site, vars: &[(&str, &str)], line: &str) -> String {
    with_input(site, vars, line, Stdio::null()).out
}

/// The same as bytes.
#[track_caller]
pub fn bytes_on_terminal(site: &Site, vars: &[(&str, &str)], line: &str) -> Vec<u8> {
    with_input(site, vars, line, Stdio::null()).bytes
}

/// The same with what somebody types there.
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
    command.env("SKC", program()).env("TERM", "xterm").env("SHELL", "/bin/sh").envs(vars.iter().copied());
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = finish(command);
    assert!(run.err.is_empty() && !run.out.is_empty(), "{line}: {}{}", run.out, run.err);
    run
}

/// A command that gives a line of the shell a terminal: that of util-linux, or Python's.
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
fn colour_follows_terminal_no_color_and_option() {
    let site = Site::built("x", "# X\n");
    let is_coloured = |vars: &[(&str, &str)], line: &str| on_terminal(&site, vars, line).contains('\u{1b}');
    for line in ["$SKC list", "$SKC outline x", "$SKC explain E007", "$SKC --help", "$SKC list --bogus"] {
        assert!(is_coloured(&[], line), "{line}");
        assert!(!is_coloured(&[("NO_COLOR", "1")], line), "{line} with NO_COLOR");
        assert!(
            is_coloured(&[("NO_COLOR", "1")], &format!("{line} --color always")),
            "{line} --color always"
        );
        assert!(!is_coloured(&[], &format!("{line} --color never")), "{line} --color never");
        assert!(!is_coloured(&[], &format!("{line} --color=never")), "{line} --color=never");
        assert!(!is_coloured(&[("CLICOLOR_FORCE", "1")], &format!("{line} 2>&1 | cat")), "{line} in a pipe");
        assert!(is_coloured(&[], &format!("{line} --color always 2>&1 | cat")), "{line} always in a pipe");
    }
    assert!(!is_coloured(&[], "$SKC list --format json"));
}

/// A skill that takes more than a second to build: work that ends sooner may show no progress.
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
