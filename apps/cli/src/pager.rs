//! Shows a long text through a pager, as git does: only on a terminal, for a person.

use crate::environment::variable;
use crate::terminal;
use signal_hook::consts::SIGINT;
use skillc_ops::harmless::last_look;
use std::io::{IsTerminal, Write, stdin, stdout};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// The pager if PAGER is not set.
const DEFAULT_PAGER: &str = "less";
/// Options for less, unless the user sets any: exit at once if the text fits, pass colors through, leave the text on
/// the screen.
const LESS_OPTIONS: &str = "FRX";
/// The exit status of a shell for a command that does not exist or cannot be run.
const NOT_RUN: [i32; 2] = [126, 127];

/// Whether a pager may be used at all: both streams are a terminal, the reader is not an agent, and no variable
/// forbids it.
pub fn is_possible() -> bool {
    let is_off = variable("SKILLC_NO_PAGER").is_some_and(|value| value != "0");
    let is_for_person = variable("SKILLC_AGENT").is_none() && !is_off;
    is_for_person && stdin().is_terminal() && stdout().is_terminal()
}

/// Shows a text that is longer than the terminal; returns whether it was shown.
pub fn show(text: &[u8], has_color: bool) -> bool {
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    let is_long = terminal::height().is_some_and(|height| lines >= height);
    let Some(mut pager) = is_long.then(command).flatten().and_then(|mut command| command.spawn().ok()) else {
        return false;
    };
    // The interrupt is for the pager; without a handler it would end only this process.
    let _ = signal_hook::flag::register(SIGINT, Arc::default());
    feed(&mut pager, &last_look(text, has_color));
    let status = pager.wait();
    !status.is_ok_and(|status| status.code().is_some_and(|code| NOT_RUN.contains(&code)))
}

/// The pager from the environment; `None` if it is `cat` or empty.
fn command() -> Option<Command> {
    let mut command = match std::env::var("PAGER") {
        Ok(own) if own.trim().is_empty() || own.trim() == "cat" => return None,
        Ok(own) => in_shell(&own),
        Err(_) => Command::new(DEFAULT_PAGER),
    };
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    command.stdin(Stdio::piped());
    Some(command)
}

/// The shell splits the command, as for other programs that run a pager.
#[cfg(unix)]
fn in_shell(own: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", own]);
    shell
}

#[cfg(not(unix))]
fn in_shell(own: &str) -> Command {
    let mut words = own.split_whitespace();
    let mut pager = Command::new(words.next().unwrap_or_default());
    pager.args(words);
    pager
}

/// Writes the text to the pager. Quitting a pager before the end closes the pipe, which is not an error.
fn feed(pager: &mut Child, text: &[u8]) {
    if let Some(mut stdin) = pager.stdin.take() {
        let _ = stdin.write_all(text);
    }
}
