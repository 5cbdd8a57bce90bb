//! The one place that prints: replies to stdout, everything else to stderr.

use crate::environment::Surroundings;
use crate::terminal;
use crate::tour::Step;
use skillc_domain::fault::{Fault, Warning};
use skillc_ops::harmless::json;
use skillc_ops::render::plain;
use skillc_ops::{Answer, Failure, View};
use skillc_ports::PortError;
use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// How a reply is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// One that only some operations have.
    Other(String),
}

/// When colour is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Prints in one way throughout a run.
#[derive(Clone, Debug)]
pub struct Printer {
    format: Format,
    colour: Colour,
    out: View,
    err: View,
}

impl Printer {
    /// A printer to the process's own streams.
    pub fn new(format: Format, colour: Colour, is_verbose: bool) -> Self {
        let view = |has_colour, is_terminal| View { has_colour, is_terminal, is_verbose, ..View::default() };
        let out = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        let err = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
        let decide = |auto, is_terminal| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => auto && is_terminal,
        };
        let (is_out, is_err) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        Self {
            format,
            colour,
            out: view(decide(out, is_out), is_out),
            err: view(decide(err, is_err), is_err),
        }
    }

    /// The same with short forms of the paths around.
    pub fn with_surroundings(mut self, surroundings: &Surroundings) -> Self {
        for view in [&mut self.out, &mut self.err] {
            view.home.clone_from(&surroundings.places.home);
            view.cwd.clone_from(&surroundings.places.cwd);
        }
        self
    }

    /// Whether details are wanted.
    pub fn is_verbose(&self) -> bool {
        self.err.is_verbose
    }

    /// Whether replies are printed as text.
    pub fn is_for_people(&self) -> bool {
        self.format == Format::Text
    }

    /// Prints an answer: warnings, failures, reply.
    pub fn answer(&self, answer: &Answer) -> ExitCode {
        answer.warnings.iter().for_each(|warning| self.warning(warning));
        answer.failures.iter().for_each(|failure| self.failure(failure));
        if let Some(reply) = &answer.reply {
            match &self.format {
                Format::Text => {
                    terminal::err(&reply.diagnostics(&self.err), self.err.has_colour);
                    self.write(&reply.text(&self.out));
                }
                Format::Json => self.write_json(&reply.json_text()),
                Format::Other(format) => {
                    self.write_other(format, &reply.formatted(format).unwrap_or_default())
                }
            }
        }
        let has_failed = answer.reply.as_ref().is_some_and(|reply| reply.has_failed());
        if answer.failures.is_empty() && !has_failed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Prints a fault that ends the run.
    pub fn refused(&self, fault: &Fault) -> ExitCode {
        self.fault(fault);
        ExitCode::FAILURE
    }

    /// Prints a help text.
    pub fn help(&self, text: &clap::builder::StyledStr) -> ExitCode {
        let text = if self.out.has_colour { text.ansi().to_string() } else { text.to_string() };
        self.write(text.as_bytes());
        ExitCode::SUCCESS
    }

    /// Prints a fault with its hint.
    pub fn fault(&self, fault: &Fault) {
        let label = self.err.bad(format!("error[{}]", fault.code()));
        self.diagnostic(&label, &fault.to_string(), fault.hint());
    }

    /// Prints a warning with its hint.
    pub fn warning(&self, warning: &Warning) {
        let label = self.err.careful(format!("warning[{}]", warning.code()));
        self.diagnostic(&label, &warning.to_string(), warning.hint());
    }

    /// Prints a line to stderr that is neither a fault nor a warning.
    pub fn note(&self, line: &str) {
        self.err_line(&plain(line));
    }

    fn err_line(&self, line: &str) {
        terminal::err(format!("{line}\n").as_bytes(), self.err.has_colour);
    }

    fn failure(&self, failure: &Failure) {
        self.fault(&failure.fault);
        if self.is_verbose() {
            failure.causes().iter().for_each(|cause| self.err_line(&format!("  cause: {}", plain(cause))));
        }
    }

    /// The line, and under it the hint: a question with its list as it is, anything else after `hint:`.
    fn diagnostic(&self, label: &str, message: &str, hint: Option<String>) {
        self.err_line(&format!("{label}: {}", plain(message)));
        let Some(hint) = hint else { return };
        let mut lines = hint.lines();
        let first = lines.next().unwrap_or_default();
        let prefix =
            if first.ends_with('?') { String::new() } else { format!("{}: ", self.err.faint("hint")) };
        self.err_line(&format!("{prefix}{}", plain(first)));
        lines.for_each(|line| self.err_line(&plain(line)));
    }

    /// Prints a step of the tour as it happens, unless all are printed as JSON at the end.
    pub fn step(&self, step: &Step) {
        if self.format == Format::Text {
            self.write(&step.text(&self.out));
        }
    }

    /// Whether what is drawn on the terminal may have colour, whatever becomes of stdout.
    pub fn has_colour_on_terminal(&self) -> bool {
        self.colour == Colour::Always
            || self.colour == Colour::Auto
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    }

    /// Prints a path alone, for scripts; on a terminal it is made harmless.
    pub fn path(&self, path: &Path) -> ExitCode {
        let mut line = match self.out.is_terminal {
            true => plain(&path.to_string_lossy()).into_bytes(),
            false => path.as_os_str().as_encoded_bytes().to_vec(),
        };
        line.push(b'\n');
        self.write(&line);
        ExitCode::SUCCESS
    }

    /// Prints the whole tour.
    pub fn steps(&self, steps: &[Step]) -> ExitCode {
        if self.format == Format::Json {
            // A value always has a JSON form.
            let mut bytes =
                serde_json::to_vec_pretty(&serde_json::json!({ "steps": steps })).unwrap_or_default();
            bytes.push(b'\n');
            self.write_json(&bytes);
        }
        ExitCode::SUCCESS
    }

    fn write(&self, bytes: &[u8]) {
        write_out(bytes, self.out.has_colour);
    }

    fn write_json(&self, bytes: &[u8]) {
        let shown = if self.out.is_terminal { json(bytes) } else { Cow::Borrowed(bytes) };
        write_out(&shown, false);
    }

    /// A format of one operation, which has no colour; SARIF is JSON.
    fn write_other(&self, format: &str, bytes: &[u8]) {
        if format == "sarif" { self.write_json(bytes) } else { write_out(bytes, false) }
    }
}

/// Prints `skc <version>`.
pub fn version() -> ExitCode {
    write_out(concat!("skc ", env!("CARGO_PKG_VERSION"), "\n").as_bytes(), false);
    ExitCode::SUCCESS
}

/// Writes to stdout. A reader that closes the pipe early has what it wanted; anything else that keeps the reply from being
/// written ends the program as a failure.
fn write_out(bytes: &[u8], has_colour: bool) {
    match terminal::out(bytes, has_colour) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let fault = Failure::from(PortError::io("write the reply", error)).fault;
            terminal::err(format!("{}\n", plain(&fault.line())).as_bytes(), false);
            std::process::exit(1);
        }
        _ => {}
    }
}

/// A panic is a bug; its message is one of ours all the same, and so is the exit status.
pub fn install_panic_message() {
    std::panic::set_hook(Box::new(|panic| {
        tell_panic(panic);
        // Nothing that was written stays half done: every write is atomic.
        std::process::exit(1);
    }));
}

/// The same message, but the process goes on: in a server a panic ends the call that it came up in, and no other.
pub fn let_panics_end_calls_only() {
    std::panic::set_hook(Box::new(tell_panic));
}

fn tell_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let cause = panic.payload();
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    let fault = Fault::Internal { message: format!("skc panicked{place}: {}", text.unwrap_or_default()) };
    terminal::err(format!("{}\n", plain(&fault.line())).as_bytes(), false);
}
