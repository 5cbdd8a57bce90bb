//! `skc mcp`: its command line, and the start of the server.

use crate::clients;
use crate::print::{self, Printer};
use crate::tool_set;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use skillc_domain::fault::Fault;
use skillc_mcp::{Listen, Listening, Server, ToolSet, parse_address, serve};
use skillc_ops::executor::runtime;
use skillc_ops::workspace::LiveApp;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  skc mcp
  skc mcp config claude-code --write
  skc mcp --tools read
  skc mcp --http 127.0.0.1:8080
  skc mcp --socket ~/.skillc/mcp.sock";

const ABOUT_HTTP: &str = "Serve HTTP at this address, path /mcp; port 0 picks a free one. Clients send the token \
in ~/.skillc/mcp-token, which the first start creates, as 'Authorization: Bearer TOKEN'";

/// For a person who starts the server by hand, where it would only seem to hang.
const ON_TERMINAL: &str = "reading JSON-RPC from standard input; clients start this server themselves: \
'skc mcp config CLIENT' prints how; Ctrl-D ends it";

pub fn command() -> Command {
    Command::new("mcp")
        .about("Serve agents over the Model Context Protocol, on standard input and output")
        .after_help(EXAMPLES)
        .args_conflicts_with_subcommands(true)
        .subcommand(clients::command())
        .arg(tool_set::arg("all"))
        .arg(Arg::new("http").long("http").value_name("ADDRESS:PORT").help(ABOUT_HTTP))
        .arg(
            Arg::new("socket")
                .long("socket")
                .value_name("PATH")
                .value_hint(ValueHint::FilePath)
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with("http")
                .help("Serve a Unix socket that only you can connect to; each connection is one client"),
        )
        .arg(Arg::new("allow-remote").long("allow-remote").action(ArgAction::SetTrue).requires("http").help(
            "Allow --http to listen on an address that other machines can reach; traffic is not encrypted",
        ))
}

/// The transport that the arguments select.
///
/// # Errors
/// E100 for an invalid address.
pub fn listen(matches: &ArgMatches) -> Result<Listen, Fault> {
    if let Some(path) = matches.get_one::<PathBuf>("socket") {
        return Ok(Listen::Socket(path.clone()));
    }
    let Some(given) = matches.get_one::<String>("http") else { return Ok(Listen::Stdio) };
    let is_remote_allowed = matches.get_flag("allow-remote");
    Ok(Listen::Http { address: parse_address(given)?, is_remote_allowed })
}

/// Serves agents until the input ends or a signal asks the process to end.
pub fn run(app: LiveApp, set: ToolSet, listen: &Listen, printer: &Printer) -> ExitCode {
    print::survive_panics();
    if matches!(listen, Listen::Stdio) && std::io::stdin().is_terminal() {
        printer.note(ON_TERMINAL);
    }
    let runtime = match runtime(true) {
        Ok(runtime) => runtime,
        Err(failure) => return printer.refused(&failure.fault),
    };
    let done = runtime.block_on(serve(Server::new(app, set), listen, |listening| report(listening, printer)));
    // Running calls are not awaited: no client is left to read their results.
    runtime.shutdown_background();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => printer.refused(&fault),
    }
}

fn report(listening: &Listening, printer: &Printer) {
    printer.note(&format!("listening on {}", listening.address));
    if let Some(token) = &listening.token {
        printer.note(&format!("token in {}", token.display()));
    }
}
