//! `skc pick`: its command line, and what is done with what was picked.

use crate::block_on;
use crate::config;
use crate::environment::Surroundings;
use crate::print::Printer;
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use skillc_domain::discovery::roots::Which;
use skillc_domain::fault::Fault;
use skillc_ops::App;
use skillc_ops::operation::find;
use skillc_pick::{Asked, Picked, ScopeFilter, Source};
use std::path::Path;
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  skc pick
  skc pick \"release notes\" --scope repo
  cd \"$(dirname \"$(skc pick --print)\")\"";

/// The command.
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
                .value_parser(ValueParser::from(["default", "all"]))
                .default_value("default")
                .help("Folders to look for skills in; 'all' includes those of every agent"),
        )
}

/// Lets a person pick, and loads the skill or prints its path. Status 1 where none was picked.
pub fn run(app: App, surroundings: Surroundings, matches: &ArgMatches, printer: &Printer) -> ExitCode {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let asked = Asked {
        query: word("query").to_owned(),
        scope: ScopeFilter::from_word(word("scope")).unwrap_or_default(),
        has_colour: printer.has_colour_on_terminal(),
    };
    let roots = if word("roots") == "all" { Which::All } else { Which::Default };
    // A switch may have made the project's file.
    let reload = move || config::load(&surroundings.moved_to(&surroundings.places.cwd)).settings;
    let again = reload.clone();
    match skillc_pick::pick(Source::new(app.clone(), roots, Box::new(reload)), &asked) {
        Ok(Picked::Skill(path)) if matches.get_flag("print") => printer.path(&path),
        Ok(Picked::Skill(path)) => load(&App { settings: again(), ..app }, &path, printer),
        Ok(Picked::Nothing) => ExitCode::FAILURE,
        Err(fault) => printer.refused(&fault),
    }
}

/// As `skc load PATH` does it.
fn load(app: &App, path: &Path, printer: &Printer) -> ExitCode {
    let Some(entry) = find("load") else {
        return printer.refused(&Fault::Internal { message: "no operation 'load'".to_owned() });
    };
    let arguments = serde_json::json!({ "path": path.to_string_lossy() });
    printer.answer(&block_on(app, |app| (entry.run_json)(app, arguments)))
}
