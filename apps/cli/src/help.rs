//! The help of the program, with commands grouped in the order of a typical workflow.

use crate::terminal;
use clap::Command;
use clap::builder::StyledStr;
use skillc_ops::render::wrap;
use skillc_ops::{CommandGroup, OPS};
use std::fmt::Write;

/// Width of a help text that does not go to a terminal, and the maximum on one, in columns.
const WIDTH_MAX: usize = 100;

/// Adds the program's help to its command; `own` groups the commands that are not operations.
pub fn with_groups(command: Command, own: &[(CommandGroup, &str)], width: usize) -> Command {
    let template = template(&command, own, width);
    command.help_template(template)
}

/// The commands that list something, and the question that each one answers.
const LISTING: [(&str, &str); 4] = [
    ("list", "the skills that you write here, and whether they are built"),
    ("targets", "the agents, and how many skills each of them has"),
    ("catalog", "every skill that an agent here can see"),
    ("find", "the skills that fit a task"),
];

/// Adds to a listing command what the others list.
pub fn with_siblings(command: Command, width: usize) -> Command {
    let is_listing = LISTING.iter().any(|(name, _)| *name == command.get_name());
    match command.get_after_help().filter(|_| is_listing).map(ToString::to_string) {
        Some(examples) => command.after_help(format!("{}\n\n{examples}", which_lists_what(width))),
        None => command,
    }
}

fn which_lists_what(width: usize) -> String {
    const INDENT: usize = 15;
    let line = |(name, what): &(&str, &str)| {
        let below = format!("\n{}", " ".repeat(INDENT));
        let lines = wrap(what, width.saturating_sub(INDENT));
        format!("\n{:INDENT$}{}", format!("  skc {name}"), lines.join(&below))
    };
    LISTING.iter().map(line).fold("Which command lists what:".to_owned(), |text, line| text + &line)
}

/// The width of help texts, in columns.
pub fn width() -> usize {
    terminal::width().map_or(WIDTH_MAX, |width| width.min(WIDTH_MAX))
}

fn template(command: &Command, own: &[(CommandGroup, &str)], width: usize) -> StyledStr {
    let header = command.get_styles().get_header();
    let mut text = StyledStr::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (group, title) in CommandGroup::TITLES {
        let operations = OPS.iter().filter(|entry| entry.group == group).map(|entry| entry.name);
        let names = operations.chain(own.iter().filter(|(of, _)| *of == group).map(|(_, name)| *name));
        // Writing to memory never fails.
        let _ = write!(text, "\n{header}{title}:{header:#}\n");
        for command in names.filter_map(|name| command.find_subcommand(name)) {
            describe(&mut text, command, width);
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    text
}

/// The lines for one command: its name, and a description in a column of its own.
fn describe(text: &mut StyledStr, command: &Command, width: usize) {
    const INDENT: usize = 15;
    let literal = command.get_styles().get_literal();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let name = command.get_name();
    let gap = " ".repeat(INDENT.saturating_sub(2 + name.len()));
    let lines = wrap(&about, width.saturating_sub(INDENT));
    let _ = writeln!(
        text,
        "  {literal}{name}{literal:#}{gap}{}",
        lines.join(&format!("\n{}", " ".repeat(INDENT)))
    );
}
