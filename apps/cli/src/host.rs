//! `skc host`: its command line, and how a working directory is looked at.

use crate::config;
use crate::environment::Surroundings;
use crate::print::{self, Printer};
use clap::Command;
use skillc_host::{Ground, Host, serve_stdio};
use skillc_ops::App;
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

const EXAMPLES: &str = "Examples:
  skc host
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\"}' | skc host";

/// Problems of configuration files that are remembered, so that each is told once.
const PROBLEMS_MAX: usize = 256;

/// The command.
pub fn command() -> Command {
    Command::new("host")
        .about("Serve a runtime that embeds skc: list, search and load skills over JSON-RPC 2.0, one message per line")
        .after_help(EXAMPLES)
}

/// Serves until the input ends.
pub fn run(app: App, surroundings: Surroundings, printer: &Printer) -> ExitCode {
    print::let_panics_end_calls_only();
    let (printer, told) = (printer.clone(), Mutex::new(HashSet::new()));
    let survey = move |cwd: &Path| {
        let there = surroundings.moved_to(cwd);
        let loaded = config::load(&there);
        let is_new = |line: String| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.len() < PROBLEMS_MAX && told.insert(line)
        };
        loaded.problems.iter().filter(|fault| is_new(fault.line())).for_each(|fault| printer.fault(fault));
        loaded.warnings.iter().filter(|w| is_new(w.to_string())).for_each(|warning| printer.warning(warning));
        Ground { places: there.places, settings: loaded.settings, environment: there.environment }
    };
    serve_stdio(Arc::new(Host::new(app, Box::new(survey))));
    ExitCode::SUCCESS
}
