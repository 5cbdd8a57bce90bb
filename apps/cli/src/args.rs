//! Parses the command line. The commands come from the list of operations; only the requested one is built.

use crate::environment::variable;
use crate::print::{ColorChoice, OutputFormat, Printer};
use crate::{completions, host, man, mcp, pick, similar_arguments, tool_set};
use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use skillc_domain::fault::Fault;
use skillc_mcp::{Listen, ToolSet};
use skillc_ops::{OPS, OperationEntry, entry_named};
use std::ffi::OsString;

/// A valid command line.
pub struct CommandLine {
    /// The command to run.
    pub verb: Verb,
    /// The printer that the global options select.
    pub printer: Printer,
}

pub enum Verb {
    /// An operation with its arguments.
    Operation(&'static OperationEntry, ArgMatches),
    Try,
    Mcp(ToolSet, Listen),
    McpConfig(ArgMatches),
    Host,
    Pick(ArgMatches),
    /// The script for this shell.
    Completions(String),
    Man(ArgMatches),
}

/// The result of parsing.
pub enum Parsed {
    /// A command to run.
    Run(CommandLine),
    /// A help text or the version.
    Help(clap::builder::StyledStr, Printer),
    Refused(Fault, Printer),
}

/// Parses arguments; the first is the name of the program.
pub fn parse(arguments: Vec<OsString>) -> Parsed {
    let name = arguments.get(1).and_then(|argument| argument.to_str());
    let command = match name.and_then(entry_named) {
        Some(entry) => root().subcommand(subcommand(entry)),
        None => full_command(),
    };
    let matches = match command.try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => return refused(&error, &arguments),
    };
    let printer = printer(&matches);
    match matches.subcommand() {
        Some(("try", _)) => Parsed::Run(CommandLine { verb: Verb::Try, printer }),
        Some(("host", _)) => Parsed::Run(CommandLine { verb: Verb::Host, printer }),
        Some(("pick", inner)) => Parsed::Run(CommandLine { verb: Verb::Pick(inner.clone()), printer }),
        Some(("man", inner)) => Parsed::Run(CommandLine { verb: Verb::Man(inner.clone()), printer }),
        Some(("completions", inner)) => {
            let shell = inner.get_one::<String>("shell").cloned().unwrap_or_default();
            Parsed::Run(CommandLine { verb: Verb::Completions(shell), printer })
        }
        Some(("mcp", inner)) => match (inner.subcommand_matches("config"), mcp::listen(inner)) {
            (Some(matches), _) => {
                Parsed::Run(CommandLine { verb: Verb::McpConfig(matches.clone()), printer })
            }
            (None, Ok(listen)) => {
                Parsed::Run(CommandLine { verb: Verb::Mcp(tool_set::chosen(inner), listen), printer })
            }
            (None, Err(fault)) => Parsed::Refused(fault, printer),
        },
        Some((name, inner)) => match entry_named(name) {
            Some(entry) => match unfit_format(entry, &matches) {
                Some(fault) => Parsed::Refused(fault, printer),
                None => Parsed::Run(CommandLine { verb: Verb::Operation(entry, inner.clone()), printer }),
            },
            None => Parsed::Refused(Fault::invalid_option(format!("unknown command '{name}'")), printer),
        },
        None => Parsed::Refused(Fault::invalid_option("no command was given"), printer),
    }
}

/// The command with every subcommand, for help and the reference.
pub fn full_command() -> Command {
    OPS.iter()
        .fold(root(), |command, entry| command.subcommand(subcommand(entry)))
        .subcommand(
            Command::new("try")
                .about("Watch a demo: build the skill that ships with skc in a temporary home, and read it")
                .after_help("Examples:\n  skc try"),
        )
        .subcommand(pick::command())
        .subcommand(mcp::command())
        .subcommand(host::command())
        .subcommand(completions::command())
        .subcommand(man::command())
}

fn subcommand(entry: &OperationEntry) -> Command {
    (entry.augment)(Command::new(entry.name))
}

fn root() -> Command {
    let global = |name: &'static str| Arg::new(name).long(name).global(true);
    Command::new("skc")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The development kit for Agent Skills: write, build, deploy, read and search them")
        .after_help("Examples:\n  skc try\n  skc init my-skill\n  skc build my-skill\n  skc search my-skill \"error handling\"")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .arg(global("format").short('o').value_name("FORMAT").value_parser(formats()).default_value("text").help("Output format; sarif and github are for lint only"))
        .arg(global("verbose").short('v').action(ArgAction::SetTrue).help("Show resolved paths and timings"))
        .arg(global("color").value_name("WHEN").value_parser(ValueParser::from(["auto", "always", "never"])).default_value("auto").help("When to use colors"))
}

/// The formats of all operations, without duplicates.
fn formats() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for format in OPS.iter().flat_map(|entry| entry.formats) {
        if !all.contains(format) {
            all.push(format);
        }
    }
    all
}

fn printer(matches: &ArgMatches) -> Printer {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let format = match word("format") {
        "text" => OutputFormat::Text,
        "json" => OutputFormat::Json,
        other => OutputFormat::Other(other.to_owned()),
    };
    Printer::new(format, color_choice(word("color")), matches.get_flag("verbose") || is_verbose_by_variable())
}

/// E100 for a format that the operation does not support.
fn unfit_format(entry: &OperationEntry, matches: &ArgMatches) -> Option<Fault> {
    let asked = matches.get_one::<String>("format").map(String::as_str).unwrap_or("text");
    let message = || {
        format!(
            "'{}' does not support --format {asked}; use one of: {}",
            entry.name,
            entry.formats.join(", ")
        )
    };
    (!entry.formats.contains(&asked)).then(|| Fault::invalid_option(message()))
}

fn color_choice(word: &str) -> ColorChoice {
    match word {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// The last `--color` of arguments that are invalid as a whole.
fn color_of_invalid(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().map(|argument| argument.to_str().unwrap_or_default()).collect();
    let value = |two: &[&str]| match two[0] {
        "--color" => Some(color_choice(two[1])),
        _ => two[1].strip_prefix("--color=").map(color_choice),
    };
    words.windows(2).rev().find_map(value).unwrap_or(ColorChoice::Auto)
}

/// Whether SKC_VERBOSE is set, and neither empty nor `0`.
fn is_verbose_by_variable() -> bool {
    variable("SKC_VERBOSE").is_some_and(|value| value != "0")
}

fn refused(error: &clap::Error, arguments: &[OsString]) -> Parsed {
    let printer = Printer::new(OutputFormat::Text, color_of_invalid(arguments), is_verbose_by_variable());
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Parsed::Help(error.render(), printer),
        _ => Parsed::Refused(
            Fault::unknown_option(
                message(error),
                similar_arguments::suggestions(error, arguments, &full_command()),
            ),
            printer,
        ),
    }
}

/// Whether a paragraph of clap's error is more than usage and suggestions, which the hint has.
fn is_fact(paragraph: &str) -> bool {
    let left_out = ["Usage:", "For more", "tip: a similar", "tip: some similar"];
    !left_out.iter().any(|start| paragraph.trim_start().starts_with(start))
}

/// The first paragraph of clap's error on one line, without `error:`.
fn message(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "no command was given".to_owned();
    }
    let text = error.to_string();
    let paragraphs: Vec<_> = text.split("\n\n").filter(|p| is_fact(p)).collect();
    let words: Vec<_> = paragraphs.iter().flat_map(|p| p.split_whitespace()).collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}
