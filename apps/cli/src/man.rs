//! `skc man`: the manual pages of the program and of each command.

use crate::print::Printer;
use clap::{Arg, ArgMatches, Command, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use skillc_ops::written::{self, Allowed};
use skillc_ops::{Answer, App, Failure};
use skillc_ports::PortError;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The first line of each page, which identifies it when it is replaced.
const MARK: &str = ".\\\" Written by skc man.\n";

pub fn command() -> Command {
    Command::new("man")
        .about("Write the man pages of skc and its commands to a folder")
        .after_help("Examples:\n  skc man ~/.local/share/man/man1")
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .required(true)
                .value_hint(ValueHint::DirPath)
                .value_parser(clap::value_parser!(PathBuf))
                .help("The folder, which must exist"),
        )
}

/// Writes every page. A file that skc did not write is not replaced.
pub fn run(app: &App, command: Command, matches: &ArgMatches, printer: &Printer) -> ExitCode {
    let folder =
        matches.get_one::<PathBuf>("dir").map(|dir| app.call.places.cwd.join(dir)).unwrap_or_default();
    match write_pages(app, command, &folder) {
        Ok(count) => {
            printer.note(&format!("Wrote {count} man pages"));
            ExitCode::SUCCESS
        }
        Err(failure) => printer.answer(&Answer::failed(failure)),
    }
}

fn write_pages(app: &App, command: Command, folder: &Path) -> Result<usize, Failure> {
    let pages = pages(command).map_err(|error| PortError::io("render the man pages", error))?;
    for (name, text) in &pages {
        let is_ours = |old: &[u8]| old.starts_with(MARK.as_bytes());
        written::write(app, &folder.join(name), text, Allowed::default(), &is_ours)?;
    }
    Ok(pages.len())
}

/// Every page: file name and text.
fn pages(mut command: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone());
    pages.push((man.get_filename(), page(command, &man)?));
    command.get_subcommands().try_for_each(|below| add_pages(below, pages))
}

fn page(command: &Command, man: &Man) -> io::Result<Vec<u8>> {
    let mut text = MARK.as_bytes().to_vec();
    text.extend_from_slice(title(command).as_bytes());
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    examples(command).to_writer(&mut text)?;
    Ok(text)
}

/// The title with an empty date, so that the same program always writes the same page.
fn title(command: &Command) -> String {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    format!(".TH {name} 1 \"\" \"skc {}\"\n", env!("CARGO_PKG_VERSION"))
}

/// The examples of the help, line by line.
fn examples(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let Some((_, lines)) = help.split_once("Examples:\n") else { return roff };
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}
