//! `skc pick`: its command line, and loading the picked skill.

use crate::config;
use crate::environment::Surroundings;
use crate::print::Printer;
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use skillc_domain::discovery::roots::Which;
use skillc_ops::App;
use skillc_ops::operation::call_blocking;
use skillc_ops::verb::load::{Load, LoadRequest};
use skillc_pick::{PickOptions, Picked, ScopeView, SkillSource};
use std::path::Path;
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  skc pick
  skc pick \"release notes\" --scope repo
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

/// Lets the user pick a skill, and loads it or prints its path. Status 1 if none was picked.
pub fn run(mut app: App, surroundings: Surroundings, matches: &ArgMatches, printer: &Printer) -> ExitCode {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let options = PickOptions {
        query: word("query").to_owned(),
        scope: ScopeView::from_word(word("scope")).unwrap_or_default(),
        has_color: printer.has_color_on_terminal(),
    };
    let roots = match word("roots") {
        "all" => Which::All,
        "standard" => Which::Standard,
        _ => Which::Default,
    };
    // A switch may have created the project's file.
    let reload = move || config::load(&surroundings.moved_to(&surroundings.places.cwd)).settings;
    let again = reload.clone();
    match skillc_pick::pick(SkillSource::new(app.clone(), roots, Box::new(reload)), &options) {
        Ok(Picked::Skill(path)) if matches.get_flag("print") => printer.path(&path),
        Ok(Picked::Skill(path)) => {
            app.call.settings = again();
            load(&app, &path, printer)
        }
        Ok(Picked::Nothing) => ExitCode::FAILURE,
        Err(fault) => printer.refused(&fault),
    }
}

/// Loads a skill as `skc load PATH` does.
fn load(app: &App, path: &Path, printer: &Printer) -> ExitCode {
    let request = LoadRequest { path: Some(path.to_string_lossy().into_owned()), ..LoadRequest::default() };
    printer.answer(&call_blocking::<Load>(app, request).boxed())
}
