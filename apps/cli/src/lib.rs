//! The command line over the list of operations, and the only crate that chooses adapters.
//!
//! The exit status is 0 or 1. The reply goes to stdout, everything else to stderr.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod args;
mod clients;
mod config;
mod consent;
mod environment;
mod host;
mod mcp;
mod newline;
mod pick;
mod print;
mod progress;
mod signals;
mod terminal;
mod tour;
mod wire;

pub use args::full_command;
pub use clients::table::CLIENTS;
pub use config::{ProjectRule, TomlSettings, project_rules};
pub use tour::{SHIPPED_SKILL, Step, tour};
pub use wire::app;

use args::{Parsed, Verb};
use environment::Surroundings;
use print::Printer;
use progress::TerminalProgress;
use skillc_ops::descriptors::must_be_free;
use skillc_ops::{Answer, App, Caller, Failure};
use skillc_ports::PortError;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the program with the process's own arguments, environment and streams.
pub fn main() -> ExitCode {
    signals::take_no_end_from_limits();
    let arguments: Vec<_> = std::env::args_os().collect();
    // Answered before anything is put together: scripts ask for it often.
    if matches!(arguments.get(1).and_then(|a| a.to_str()), Some("--version" | "-V")) && arguments.len() == 2 {
        return print::version();
    }
    print::install_panic_message();
    match args::parse(arguments) {
        Parsed::Run(command) => run(&command),
        Parsed::Help(text, printer) => printer.help(&text),
        Parsed::Refused(fault, printer) => printer.refused(&fault),
    }
}

fn run(command: &args::Line) -> ExitCode {
    let surroundings = match Surroundings::of_process() {
        Ok(surroundings) => surroundings,
        Err(fault) => return command.printer.refused(&fault),
    };
    let printer = command.printer.clone().with_surroundings(&surroundings);
    let loaded = config::load(&surroundings);
    loaded.problems.iter().for_each(|fault| printer.fault(fault));
    loaded.warnings.iter().for_each(|warning| printer.warning(warning));
    let progress = Arc::new(TerminalProgress::new(printer.is_verbose()));
    let mut app =
        app(surroundings.places.clone(), loaded.settings, surroundings.environment.clone(), progress);
    if printer.is_for_people() {
        app.caller = Caller::Person;
    }
    app.detail(|| format!("home {}", app.places.home.display()));
    app.detail(|| match &app.places.project {
        Some(project) => format!("project {}", project.display()),
        None => "no project".to_owned(),
    });
    match &command.verb {
        Verb::Operation(entry, matches) => {
            printer.answer(&block_on(&app, |app| (entry.run_args)(app, matches)))
        }
        Verb::Try => try_out(&printer),
        Verb::McpConfig(matches) => clients::run(&app, matches, &printer),
        Verb::Mcp(listen) => mcp::run(wire::serving(app), listen, &printer),
        Verb::Host => host::run(wire::serving(app), surroundings, &printer),
        Verb::Pick(matches) => pick::run(app, surroundings, matches, &printer),
    }
}

fn try_out(printer: &Printer) -> ExitCode {
    match tour(SHIPPED_SKILL, |step| printer.step(step)) {
        Ok(steps) => printer.steps(&steps),
        Err(failure) => {
            printer.answer(&Answer { reply: None, failures: vec![failure], warnings: Vec::new() })
        }
    }
}

/// Drives one operation to its end, on a runtime of this thread alone. Sockets and timers are for a team's server only.
fn block_on<'a>(
    app: &'a App,
    start: impl FnOnce(&'a App) -> std::pin::Pin<Box<dyn Future<Output = Answer> + 'a>>,
) -> Answer {
    match runtime(app.team.is_some()) {
        Ok(runtime) => runtime.block_on(start(app)),
        Err(failure) => Answer { reply: None, failures: vec![failure], warnings: Vec::new() },
    }
}

/// The runtime of this thread.
///
/// # Errors
/// E108 where an event loop cannot be had.
fn runtime(has_event_loop: bool) -> Result<tokio::runtime::Runtime, Failure> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    if has_event_loop {
        must_be_free()?;
        runtime.enable_all();
    }
    Ok(runtime.build().map_err(|error| PortError::io("start", error))?)
}
