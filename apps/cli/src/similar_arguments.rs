//! Suggests commands, options and values in place of unknown ones.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use skillc_domain::suggest::{list, nearest};
use std::ffi::OsString;

/// The lines of suggestions for what the parser refused; empty without any.
pub fn suggestions(error: &Error, arguments: &[OsString], root: &Command) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let near = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let known = command_of(arguments, root);
            let names: Vec<&str> = known.get_subcommands().map(Command::get_name).collect();
            text(ContextKind::InvalidSubcommand).map(|unknown| lines(unknown, &names))
        }
        ErrorKind::UnknownArgument => {
            let options = options(&command_of(arguments, root), root);
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            let unknown = text(ContextKind::InvalidArg).filter(|unknown| unknown.starts_with("--"));
            unknown.map(|unknown| lines(unknown.split('=').next().unwrap_or_default(), &options))
        }
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                text(ContextKind::InvalidValue).map(|unknown| lines(unknown, &known))
            }
            _ => None,
        },
        _ => None,
    };
    near.unwrap_or_default()
}

fn lines(unknown: &str, known: &[&str]) -> String {
    list(nearest(unknown, known.iter().copied()))
}

/// The command that the arguments name, as far as they name one.
fn command_of(arguments: &[OsString], root: &Command) -> Command {
    let mut command = root.clone();
    for word in arguments.iter().skip(1).filter_map(|argument| argument.to_str()) {
        if let Some(inner) = command.find_subcommand(word) {
            command = inner.clone();
        }
    }
    command
}

/// The long options of a command, with the global ones.
fn options(command: &Command, root: &Command) -> Vec<String> {
    let global = root.get_arguments().filter(|argument| argument.is_global_set());
    let longs = command.get_arguments().chain(global).filter_map(|argument| argument.get_long());
    let mut options: Vec<String> = longs.chain(["help"]).map(|long| format!("--{long}")).collect();
    options.sort_unstable();
    options.dedup();
    options
}
