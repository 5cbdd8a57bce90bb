//! Tips below the parser's messages: the command that a word of another program means, and where to find a missing
//! argument.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use skillc_domain::text::shell::argument;

/// Words for commands that other programs have, and what to run here.
const OTHER_WORDS: &[(&[&str], &str)] = &[
    (&["delete", "rm", "del"], "'skc remove SKILL' removes a skill, its builds and deployments"),
    (
        &["uninstall"],
        "'skc undeploy SKILL' removes a skill from agents, 'skc remove SKILL' removes it altogether",
    ),
    (
        &["install", "add", "import", "deploy", "update", "upgrade", "compile", "link"],
        "'skc build SKILL' imports a skill from a path, compiles it and deploys it",
    ),
    (&["new", "create"], "'skc init NAME' creates a skill"),
    (&["check", "validate", "verify"], "'skc lint' checks skills, 'skc doctor' the skills of this machine"),
    (
        &["get", "read", "cat", "view", "print"],
        "'skc show SKILL --section HEADING' prints a section, 'skc open SKILL FILE' a file",
    ),
    (&["ls", "status"], "'skc list' lists the skills that you write here, and whether they are built"),
    (&["mv", "move"], "'skc rename SKILL NAME' renames a skill"),
    (&["settings", "configure"], "'skc config' shows every setting"),
    (&["serve", "server"], "'skc mcp' serves agents, 'skc mcp config CLIENT' sets a client up"),
];

/// Adds to the error of a parser what would work instead; `arguments` begin with the name of the program.
pub fn add(error: &mut clap::Error, arguments: &[String], parser: Command) {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => other_command(error, parser),
        ErrorKind::MissingRequiredArgument => missing(arguments),
        ErrorKind::InvalidValue => setting(error, arguments),
        _ => None,
    };
    let Some(tip) = tip else { return };
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        error.remove(kind);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
}

/// The command that an unknown one means, if the parser does not know it better.
fn other_command(error: &clap::Error, parser: Command) -> Option<String> {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let word = unknown.to_lowercase();
    if let Some((_, tip)) = OTHER_WORDS.iter().find(|(words, _)| words.contains(&word.as_str())) {
        return Some((*tip).to_owned());
    }
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    // `skc help` does not look for similar commands, but the command itself does.
    let asked = parser.try_get_matches_from(["skc", unknown]).err()?;
    match asked.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::String(name) => Some(format!("a similar subcommand exists: '{name}'")),
        ContextValue::Strings(names) => {
            Some(format!("some similar subcommands exist: '{}'", names.join("', '")))
        }
        _ => None,
    }
}

/// Where to find the argument that a command lacks.
fn missing(arguments: &[String]) -> Option<String> {
    let is_option = |word: &&String| word.starts_with('-');
    let mut words = arguments.iter().skip(1).filter(|word| !is_option(word));
    match (words.next()?.as_str(), words.next()) {
        ("explain", None) => Some("name a code or a lint rule, such as 'skc explain E002'".to_owned()),
        ("show", Some(skill)) => Some(format!("'skc outline {}' lists the headings", argument(skill))),
        ("open", Some(skill)) => Some(format!("'skc sources {}' lists the files", argument(skill))),
        ("show" | "open" | "search" | "outline" | "sources", None) => {
            Some("'skc list' lists the skills that can be named".to_owned())
        }
        _ => None,
    }
}

/// How to show the setting that was given in place of an action.
fn setting(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidValue) else { return None };
    let is_config = arguments.get(1).is_some_and(|word| word == "config");
    let is_known = error.get(ContextKind::SuggestedValue).is_some();
    let is_action = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(name)) if name.contains("ACTION"));
    (is_config && is_action && !is_known)
        .then(|| format!("'skc config get {}' shows a setting", argument(given)))
}
