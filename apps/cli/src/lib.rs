//! The command line over the list of operations, and the only crate that chooses adapters.
//!
//! The exit status is 0 or 1. The reply goes to stdout, everything else to stderr.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod args;
mod clients;
mod completions;
mod config;
mod consent;
mod demo;
mod environment;
mod help;
mod host;
mod live_config;
mod man;
mod mcp;
mod newline;
mod pager;
#[cfg(feature = "pick")]
mod pick;
mod pick_command;
mod print;
mod progress;
mod shipped;
mod signals;
mod terminal;
mod text_editor;
mod tips;
mod tool_set;
mod wire;

pub use args::full_command;
pub use clients::table::CLIENTS;
pub use config::{ProjectRule, TomlSettings, project_rules};
pub use demo::{Step, demo};
pub use shipped::SHIPPED_SKILL;
pub use wire::app;

use args::{Parsed, Verb};
use environment::Surroundings;
use print::Printer;
use progress::TerminalProgress;
use skillc_ops::executor::block_on;
use skillc_ops::first_steps::FirstSteps;
use skillc_ops::workspace::LiveApp;
use skillc_ops::{Answer, Caller, ConfigProblems};
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the program with the process's own arguments, environment and streams.
pub fn main() -> ExitCode {
    signals::ignore_file_size_signal();
    let arguments: Vec<_> = std::env::args_os().collect();
    // Answered before anything else is set up, since scripts ask for it often.
    if matches!(arguments.get(1).and_then(|a| a.to_str()), Some("--version" | "-V")) && arguments.len() == 2 {
        return print::version();
    }
    print::exit_on_panic();
    if let Some(status) = completions::answer(&arguments, full_command) {
        return status;
    }
    match args::parse(arguments) {
        Parsed::Run(command) => run(&command),
        Parsed::Help(text, printer) => printer.help(&text),
        Parsed::Overview(help, printer) => overview(&help, &printer),
        Parsed::Refused(fault, printer) => printer.refused(&fault),
        Parsed::Misused(error, printer) => printer.misused(&error),
    }
}

fn run(command: &args::CommandLine) -> ExitCode {
    let surroundings = match Surroundings::of_process() {
        Ok(surroundings) => surroundings,
        Err(fault) => return command.printer.refused(&fault),
    };
    let printer = command.printer.clone().with_surroundings(&surroundings);
    let loaded = config::load(&surroundings);
    loaded.problems.iter().for_each(|fault| printer.fault(fault));
    loaded.warnings.iter().for_each(|warning| printer.warning(warning));
    let printer = printer.paging(loaded.settings.output.has_pager);
    let progress = Arc::new(TerminalProgress::new(printer.is_verbose()));
    let mut environment = surroundings.environment.clone();
    environment.config_problems = ConfigProblems { faults: loaded.problems, warnings: loaded.warnings };
    let places = surroundings.places_with(&loaded.settings);
    let mut app = app(places, loaded.settings, environment, progress);
    if printer.is_for_people() {
        app.call.caller = Caller::Person;
    }
    app.call.detail(|| format!("home {}", app.call.places.home.display()));
    app.call.detail(|| match &app.call.places.project {
        Some(project) => format!("project {}", project.display()),
        None => "no project".to_owned(),
    });
    match &command.verb {
        Verb::Operation(entry, matches) => match (entry.parse_args)(matches) {
            Ok(call) => {
                let answer = block_on(&app, call(&app)).unwrap_or_else(Answer::failed);
                printer.paging(entry.is_paged).answer(&answer)
            }
            Err(fault) => printer.refused(&fault),
        },
        Verb::Completions(shell) => printer.script(&completions::script(shell, full_command())),
        Verb::Man(matches) => man::run(&app, full_command(), matches, &printer),
        Verb::Version => printer.version(),
        Verb::Try => run_demo(&printer),
        Verb::McpConfig(matches) => clients::run(&app, matches, &printer),
        Verb::Mcp(set, listen) => {
            let live = LiveApp::new(wire::serving(app), live_config::resolver(surroundings, &printer));
            mcp::run(live, *set, listen, &printer)
        }
        Verb::Host => host::run(wire::serving(app), surroundings, &printer),
        Verb::Pick(matches) => pick_command::run(app, surroundings, matches, &printer),
    }
}

/// Prints the help and, for a user without skills, an overview. Problems of the configuration are reported by
/// commands instead.
fn overview(help: &clap::builder::StyledStr, printer: &Printer) -> ExitCode {
    let Ok(surroundings) = Surroundings::of_process() else { return printer.help(help) };
    let settings = config::load(&surroundings).settings;
    let progress = Arc::new(TerminalProgress::new(false));
    let app = app(surroundings.places_with(&settings), settings, surroundings.environment.clone(), progress);
    printer.clone().with_surroundings(&surroundings).overview(help, FirstSteps::of(&app).as_ref())
}

fn run_demo(printer: &Printer) -> ExitCode {
    match demo(SHIPPED_SKILL, |step| printer.step(step)) {
        Ok(steps) => printer.steps(&steps),
        Err(failure) => printer.answer(&Answer::failed(failure)),
    }
}
