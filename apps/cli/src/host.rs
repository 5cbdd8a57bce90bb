//! `skc host`: its command line, and how it resolves the workspace of a request.

use crate::config;
use crate::environment::Surroundings;
use crate::print::{self, Printer};
use clap::Command;
use skillc_host::{HostServer, Workspace, serve_stdio};
use skillc_ops::{App, Failure};
use skillc_ports::PortError;
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

const EXAMPLES: &str = "Examples:
  skc host
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\"}' | skc host";

/// Distinct problems of configuration files that are reported; each is reported once.
const PROBLEMS_MAX: usize = 256;

pub fn command() -> Command {
    Command::new("host")
        .about("Serve a runtime that embeds skc: list, search and load skills over JSON-RPC 2.0, one message per line")
        .after_help(EXAMPLES)
}

/// Serves an embedding runtime until the input ends.
pub fn run(app: App, surroundings: Surroundings, printer: &Printer) -> ExitCode {
    print::survive_panics();
    let (reporter, reported) = (printer.clone(), Mutex::new(HashSet::new()));
    let resolve = move |cwd: &Path| {
        let there = surroundings.moved_to(cwd);
        let loaded = config::load(&there);
        let is_new = |line: String| {
            let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
            reported.len() < PROBLEMS_MAX && reported.insert(line)
        };
        loaded.problems.iter().filter(|fault| is_new(fault.line())).for_each(|fault| reporter.fault(fault));
        loaded
            .warnings
            .iter()
            .filter(|w| is_new(w.to_string()))
            .for_each(|warning| reporter.warning(warning));
        Workspace {
            places: there.places_with(&loaded.settings),
            settings: loaded.settings,
            environment: there.environment,
        }
    };
    match serve_stdio(Arc::new(HostServer::new(app, Box::new(resolve)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => printer.refused(&Failure::from(PortError::io("start", error)).fault),
    }
}
