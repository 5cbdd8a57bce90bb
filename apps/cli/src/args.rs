//! Parses the command line. The commands come from the list of operations; only the requested one is built.

use crate::environment::variable;
use crate::print::{ColorChoice, OutputFormat, Printer};
use crate::{completions, help, host, man, mcp, pick_command, tips, tool_set};
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use skillc_domain::fault::Fault;
use skillc_mcp::{Listen, ToolSet};
use skillc_ops::render::plain;
use skillc_ops::{CommandGroup, OPS, OperationEntry, entry_named};
use std::ffi::OsString;

/// Width of the help in the reference, in columns.
const REFERENCE_WIDTH: usize = 100;

/// The groups of the commands that are not operations.
const OWN_GROUPS: &[(CommandGroup, &str)] = &[
    (CommandGroup::Make, "try"),
    (CommandGroup::Make, "completions"),
    (CommandGroup::Make, "man"),
    (CommandGroup::Find, "pick"),
    (CommandGroup::Build, "mcp"),
    (CommandGroup::Find, "host"),
];

const AFTER_HELP: &str = "'skc help COMMAND' shows the options and examples of a command.

Examples:
  skc try
  skc init my-skill
  skc build my-skill
  skc find \"draw a diagram\"";

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
    Version,
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
    /// The help for a command line without a command.
    Overview(clap::builder::StyledStr, Printer),
    Refused(Fault, Printer),
    /// clap's message about an invalid command line.
    Misused(String, Printer),
}

/// Parses arguments; the first is the name of the program.
pub fn parse(arguments: Vec<OsString>) -> Parsed {
    let name = arguments.get(1).and_then(|argument| argument.to_str());
    let command = match name.and_then(entry_named) {
        Some(entry) => root(help::width()).subcommand(subcommand(entry, help::width())),
        None => full_command_at(help::width()),
    };
    let matches = match command.try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        // For a person, a search without a query opens the picker.
        Err(_) if name == Some("find") && arguments.len() == 2 && pick_command::is_possible() => {
            return parse(["skc", "pick"].map(OsString::from).into());
        }
        Err(error) => return refused(&error, &arguments),
    };
    let printer = printer(&matches);
    match matches.subcommand() {
        Some(("try", _)) => Parsed::Run(CommandLine { verb: Verb::Try, printer }),
        Some(("version", _)) => Parsed::Run(CommandLine { verb: Verb::Version, printer }),
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
        None => Parsed::Overview(full_command_at(help::width()).render_help(), printer),
    }
}

/// The command with every subcommand, for help and the reference.
pub fn full_command() -> Command {
    full_command_at(REFERENCE_WIDTH)
}

/// The command, with its help wrapped at `width` columns.
pub fn full_command_at(width: usize) -> Command {
    let operations =
        OPS.iter().fold(root(width), |command, entry| command.subcommand(subcommand(entry, width)));
    let own = [
        demo_command(),
        pick_command::command(),
        mcp::command(),
        host::command(),
        completions::command(),
        man::command(),
        version_command(),
    ];
    let text_and_json = || format(&["text", "json"]);
    let command =
        own.into_iter().fold(operations, |command, own| command.subcommand(own.arg(text_and_json())));
    help::with_groups(command, OWN_GROUPS, width)
}

fn demo_command() -> Command {
    Command::new("try")
        .about("Watch a demo: build the skill that ships with skc in a temporary home, and read it")
        .after_help("Examples:\n  skc try")
}

/// Hidden from the list of commands, since `--version` is among the options.
fn version_command() -> Command {
    Command::new("version").about("Print the version").after_help("Examples:\n  skc version").hide(true)
}

fn subcommand(entry: &OperationEntry, width: usize) -> Command {
    help::with_siblings((entry.augment)(Command::new(entry.name)).arg(format(entry.formats)), width)
}

fn root(width: usize) -> Command {
    let global = |name: &'static str| Arg::new(name).long(name).global(true);
    Command::new("skc")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The development kit for Agent Skills: write, build, deploy, read and search them")
        .after_help(AFTER_HELP)
        .term_width(width)
        .arg(
            format(&formats())
                .hide_possible_values(true)
                .help("Output format: text or json; a command's help lists all of its own"),
        )
        .arg(global("verbose").short('v').action(ArgAction::SetTrue).help("Show resolved paths and timings"))
        .arg(
            global("color")
                .value_name("WHEN")
                .value_parser(ValueParser::from(["auto", "always", "never"]))
                .default_value("auto")
                .help("When to use colors"),
        )
        .arg(
            global("no-pager")
                .action(ArgAction::SetTrue)
                .help("Print a long reply at once instead of showing it in $PAGER"),
        )
}

/// `--format` for a command that supports these formats.
fn format(formats: &[&'static str]) -> Arg {
    Arg::new("format")
        .long("format")
        .short('o')
        .global(true)
        .value_name("FORMAT")
        .value_parser(PossibleValuesParser::new(formats.iter().copied()))
        .default_value("text")
        .help("Output format")
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
    let is_verbose = matches.get_flag("verbose") || is_verbose_by_variable();
    Printer::new(format, color_choice(word("color")), is_verbose).with_pager(!matches.get_flag("no-pager"))
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

/// The last `--color` in arguments that are otherwise invalid.
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
        _ => Parsed::Misused(misuse(error, arguments), printer),
    }
}

/// clap's message about the arguments, with control characters escaped: an argument could otherwise add lines to it.
fn misuse(error: &clap::Error, arguments: &[OsString]) -> String {
    let escaped: Vec<String> = arguments.iter().map(|argument| plain(&argument.to_string_lossy())).collect();
    let command = full_command_at(help::width());
    match command.clone().try_get_matches_from(&escaped) {
        Err(mut error) => {
            tips::add(&mut error, &escaped, command);
            error.to_string()
        }
        Ok(_) => plain(&error.to_string()),
    }
}
