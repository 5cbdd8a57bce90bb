//! `skc completions`: the script for a shell, and the answers to its completion requests.

mod candidates;

use crate::environment::variable;
use crate::print::{ColorChoice, OutputFormat, Printer};
use candidates::{TypedLine, with_candidates};
use clap::builder::ValueParser;
use clap::{Arg, Command};
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete_nushell::Nushell;
use skillc_domain::fault::Fault;
use std::ffi::OsString;
use std::process::ExitCode;

const SHELLS: [&str; 6] = ["bash", "zsh", "fish", "powershell", "elvish", "nushell"];

/// The variable in which a script passes the name of its shell.
const VARIABLE: &str = "SKC_COMPLETE";

const EXAMPLES: &str = "Examples:
  skc completions bash > ~/.local/share/bash-completion/completions/skc
  skc completions fish > ~/.config/fish/completions/skc.fish
  skc completions zsh > ~/.zfunc/_skc";

pub fn command() -> Command {
    Command::new("completions")
        .about("Print the script that completes commands, skills, files and sections in a shell")
        .after_help(EXAMPLES)
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(ValueParser::from(SHELLS))
                .help("The shell"),
        )
}

/// The script for a shell of `SHELLS`, which completes `command`.
pub fn script(shell: &str, command: Command) -> Vec<u8> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let Some(completer) = shells.completer(shell) else { return nushell(command) };
    // Writing to memory never fails.
    let _ = completer.write_registration(VARIABLE, "skc", "skc", "skc", &mut script);
    match shell {
        "bash" => quoting(&script).into_bytes(),
        "zsh" => [script.as_slice(), FIRST_USE_IN_ZSH].concat(),
        _ => script,
    }
}

/// If zsh loads the script as a file `_skc` from its function path, the first completion runs it, so it must answer
/// that completion itself.
const FIRST_USE_IN_ZSH: &[u8] =
    b"if [[ \"$funcstack[1]\" == _skc ]]; then _clap_dynamic_completer_skc \"$@\"; fi\n";

/// Makes bash quote what it inserts, since names of skills and headings come from files by other people.
fn quoting(script: &[u8]) -> String {
    String::from_utf8_lossy(script).replace("complete -o nospace", "complete -o filenames -o nospace")
}

/// The placeholder value of an argument whose completions Nushell gets from the program.
const ASKED: &str = "ask-for-skills";

/// Nushell does not request completions word by word; a command in the script lists the names of skills.
fn nushell(mut command: Command) -> Vec<u8> {
    let takes_skill = |verb: &&Command| verb.get_arguments().any(|arg| arg.get_id() == "skill");
    let verbs = command.get_subcommands().filter(takes_skill).map(|verb| verb.get_name().to_owned());
    for verb in verbs.collect::<Vec<_>>() {
        command = command.mut_subcommand(verb, |verb| {
            verb.mut_arg("skill", |arg| arg.value_parser(ValueParser::from([ASKED])))
        });
    }
    let mut script = Vec::new();
    clap_complete::generate(Nushell, &mut command, "skc", &mut script);
    let listed = "^skc list --format json | from json | get skills.name";
    String::from_utf8_lossy(&script).replace(&format!("[ \"{ASKED}\" ]"), listed).into_bytes()
}

/// Answers a completion request of a script, if there is one.
pub fn answer(arguments: &[OsString], command: fn() -> Command) -> Option<ExitCode> {
    let shell = variable(VARIABLE)?;
    let line = TypedLine::new(arguments, &shell, command);
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(|| with_candidates(command(), &line)).var(VARIABLE);
    Some(match asked.try_complete(arguments, here.as_deref()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            let message = error.to_string().trim_start_matches("error: ").trim_end().to_owned();
            Printer::new(OutputFormat::Text, ColorChoice::Auto, false)
                .refused(&Fault::invalid_option(message))
        }
    })
}
