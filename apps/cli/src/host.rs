//! `skc host`: its command line, and how it resolves the workspace of a request.

use crate::environment::Surroundings;
use crate::live_config::resolver;
use crate::print::{self, Printer};
use clap::Command;
use skillc_host::{HostServer, serve_stdio};
use skillc_ops::{App, Failure};
use skillc_ports::PortError;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "Examples:
  skc host
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\"}' | skc host";

pub fn command() -> Command {
    Command::new("host")
        .about("Serve a runtime that embeds skc: list, search and load skills over JSON-RPC 2.0, one message per line")
        .after_help(EXAMPLES)
}

/// Serves an embedding runtime until the input ends.
pub fn run(app: App, surroundings: Surroundings, printer: &Printer) -> ExitCode {
    print::survive_panics();
    match serve_stdio(Arc::new(HostServer::new(app, resolver(surroundings, printer)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => printer.refused(&Failure::from(PortError::io("start", error)).fault),
    }
}
