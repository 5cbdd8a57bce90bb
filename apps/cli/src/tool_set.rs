//! `--tools`: the tools that a server offers.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};
use skillc_mcp::ToolSet;

/// The option. Its default differs between the server and the clients' configuration.
pub fn arg(default: &'static str) -> Arg {
    Arg::new("tools")
        .long("tools")
        .value_name("SET")
        .default_value(default)
        .value_parser(PossibleValuesParser::new(ToolSet::NAMES.map(|(name, _)| name)))
        .help("Tools to offer: read (find and read skills), author (make, check and deploy them) or all")
}

/// The value of `--tools`, such as `read`.
pub fn name(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("tools").map(String::as_str).unwrap_or_default()
}

/// The tool set selected by `--tools`.
pub fn chosen(matches: &ArgMatches) -> ToolSet {
    let found = ToolSet::NAMES.into_iter().find(|(known, _)| *known == name(matches));
    found.map_or_else(ToolSet::default, |(_, set)| set)
}
