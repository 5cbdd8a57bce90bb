//! The command line of `skc pick`, which also exists in a program without the picker.

use crate::environment::variable;
#[cfg(feature = "pick")]
pub use crate::pick::run;
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use std::io::{IsTerminal, stderr, stdin, stdout};

const EXAMPLES: &str = "Keys:
  enter   load the skill, and copy the path of its SKILL.md to the clipboard
  ctrl-Y  load it, and copy its text
  ctrl-O  open its SKILL.md in $VISUAL or $EDITOR

Examples:
  skc pick
  skc pick \"release notes\" --scope repo
  skc pick --print-text | less
  cd \"$(dirname \"$(skc pick --print)\")\"";

pub fn command() -> Command {
    Command::new("pick")
        .about("Pick a skill in the terminal, and load it")
        .after_help(EXAMPLES)
        .arg(Arg::new("query").value_name("QUERY").help("Initial query"))
        .arg(
            Arg::new("print")
                .long("print")
                .action(ArgAction::SetTrue)
                .help("Print the path of its SKILL.md instead of loading it"),
        )
        .arg(
            Arg::new("print-text")
                .long("print-text")
                .action(ArgAction::SetTrue)
                .conflicts_with("print")
                .help("Print its text, as into a pipe, instead of copying its path"),
        )
        .arg(
            Arg::new("scope")
                .long("scope")
                .value_name("SCOPE")
                .value_parser(ValueParser::from(["all", "repo", "user"]))
                .default_value("all")
                .help("Scope shown first"),
        )
        .arg(
            Arg::new("roots")
                .long("roots")
                .value_name("ROOTS")
                .value_parser(ValueParser::from(["default", "standard", "all"]))
                .default_value("default")
                .help("Folders to look for skills in; 'standard' leaves out those of agents, 'all' includes those of every agent"),
        )
}

/// Whether the picker can be shown instead of another command: a person is at a terminal.
pub fn is_possible() -> bool {
    let is_person = variable("SKILLC_AGENT").is_none() && variable("TERM").is_none_or(|term| term != "dumb");
    let is_terminal = stdin().is_terminal() && stdout().is_terminal() && stderr().is_terminal();
    cfg!(feature = "pick") && is_person && is_terminal
}

/// E110: this program has no picker.
#[cfg(not(feature = "pick"))]
pub fn run(
    _: skillc_ops::App,
    _: crate::environment::Surroundings,
    _: &clap::ArgMatches,
    printer: &crate::print::Printer,
) -> std::process::ExitCode {
    printer.refused(&skillc_domain::fault::Fault::FeatureMissing { feature: "pick".to_owned() })
}
