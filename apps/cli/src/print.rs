//! Prints replies to stdout, and everything else to stderr. No other module prints.

use crate::demo::Step;
use crate::environment::Surroundings;
use crate::{pager, terminal};
use skillc_domain::fault::{Fault, Warning};
use skillc_ops::diagnostic::is_question;
use skillc_ops::first_steps::FirstSteps;
use skillc_ops::harmless::json;
use skillc_ops::render::{Render, plain};
use skillc_ops::{Answer, Diagnostic, Failure, Reply, View};
use skillc_ports::PortError;
use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// The format of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Text for users.
    Text,
    /// JSON for programs.
    Json,
    /// A format that only some operations support.
    Other(String),
}

/// The value of `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The printer of a run.
#[derive(Clone, Debug)]
pub struct Printer {
    format: OutputFormat,
    color: ColorChoice,
    out: View,
    err: View,
    may_page: bool,
}

impl Printer {
    /// A printer to the streams of the process.
    pub fn new(format: OutputFormat, color: ColorChoice, is_verbose: bool) -> Self {
        let view = |has_color, is_terminal| View { has_color, is_terminal, is_verbose, ..View::default() };
        let out = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        let err = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
        let decide = |auto, is_terminal| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => auto && is_terminal,
        };
        let (is_out, is_err) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        let out = View { width: terminal::width(), ..view(decide(out, is_out), is_out) };
        let err = View { width: terminal::err_width(), ..view(decide(err, is_err), is_err) };
        Self { format, color, out, err, may_page: false }
    }

    /// Shows replies that are longer than the terminal through a pager, if possible.
    pub fn with_pager(mut self, may_page: bool) -> Self {
        self.may_page = may_page && pager::is_possible();
        self
    }

    /// Shortens paths below the home and the working directory.
    pub fn with_surroundings(mut self, surroundings: &Surroundings) -> Self {
        for view in [&mut self.out, &mut self.err] {
            view.home.clone_from(&surroundings.places.home);
            view.cwd.clone_from(&surroundings.places.cwd);
            view.project.clone_from(&surroundings.places.project);
        }
        self
    }

    /// Disables the pager if the command or the configuration does.
    pub fn paging(mut self, is_paged: bool) -> Self {
        self.may_page &= is_paged;
        self
    }

    /// Whether `--verbose` is set.
    pub fn is_verbose(&self) -> bool {
        self.err.is_verbose
    }

    /// Whether replies are printed as text, for a user.
    pub fn is_for_people(&self) -> bool {
        self.format == OutputFormat::Text
    }

    /// Prints an answer: warnings, failures, reply.
    pub fn answer(&self, answer: &Answer) -> ExitCode {
        answer.warnings.iter().for_each(|warning| self.warning(warning));
        answer.failures.iter().for_each(|failure| self.failure(failure));
        if let Some(reply) = &answer.reply {
            match &self.format {
                OutputFormat::Text => self.text(reply.as_ref()),
                OutputFormat::Json => self.write_json(&reply.json_text(self.out.is_terminal)),
                OutputFormat::Other(format) => {
                    self.write_other(format, &reply.formatted(format).unwrap_or_default())
                }
            }
        }
        let has_failed = answer.reply.as_ref().is_some_and(|reply| reply.has_failed());
        if answer.failures.is_empty() && !has_failed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Prints a reply as text. A long one goes through the pager, together with the findings that would otherwise go
    /// to standard error.
    fn text(&self, reply: &dyn Reply) {
        let mut diagnostics = Vec::new();
        reply.diagnostics(&self.err, &mut diagnostics);
        let diagnostics = fitted(diagnostics, &self.err);
        let text =
            if reply.is_content() { reply.text(&self.out) } else { fitted(reply.text(&self.out), &self.out) };
        let is_together = self.err.is_terminal && self.err.has_color == self.out.has_color;
        if is_together && self.page(&[&diagnostics[..], &text].concat()) {
            return;
        }
        terminal::err(&diagnostics, self.err.has_color);
        if is_together || !self.page(&text) {
            self.write(&text);
        }
    }

    fn page(&self, text: &[u8]) -> bool {
        self.may_page && pager::show(text, self.out.has_color)
    }

    /// Prints the help of the program and, for a user without skills, an overview.
    pub fn overview(&self, help: &clap::builder::StyledStr, first_steps: Option<&FirstSteps>) -> ExitCode {
        self.help(help);
        if let Some(first_steps) = first_steps {
            self.write(b"\n");
            self.write(&first_steps.text(&self.out));
        }
        ExitCode::SUCCESS
    }

    /// Prints a fault that ends the run.
    pub fn refused(&self, fault: &Fault) -> ExitCode {
        self.fault(fault);
        ExitCode::FAILURE
    }

    /// Prints a help text.
    pub fn help(&self, text: &clap::builder::StyledStr) -> ExitCode {
        let text = if self.out.has_color { text.ansi().to_string() } else { text.to_string() };
        self.write(text.as_bytes());
        ExitCode::SUCCESS
    }

    /// Prints clap's message about an invalid command line: the error with its code, the tip, and the usage.
    pub fn misused(&self, error: &str) -> ExitCode {
        let label = self.err.bad("error[E100]");
        for line in error.trim_end().lines() {
            let line = plain(line);
            let (head, rest) = line.split_once(':').unwrap_or(("", &line));
            self.err_line(&match head {
                "error" => format!("{label}:{rest}"),
                "  tip" => format!("{}{rest}", self.err.good("  tip:")),
                "Usage" => format!("{}{rest}", self.err.strong("Usage:")),
                _ => line,
            });
        }
        ExitCode::FAILURE
    }

    /// Prints a fault with its hint.
    pub fn fault(&self, fault: &Fault) {
        let label = self.err.bad(format!("error[{}]", fault.code()));
        self.diagnostic(&label, fault.into());
    }

    /// Prints a warning with its hint.
    pub fn warning(&self, warning: &Warning) {
        let label = self.err.careful(format!("warning[{}]", warning.code()));
        self.diagnostic(&label, warning.into());
    }

    /// Prints a line to stderr that is neither a fault nor a warning.
    pub fn note(&self, line: &str) {
        self.err_line(&plain(line));
    }

    fn err_line(&self, line: &str) {
        terminal::err(&fitted(format!("{line}\n").into_bytes(), &self.err), self.err.has_color);
    }

    fn failure(&self, failure: &Failure) {
        self.fault(&failure.fault);
        if self.is_verbose() {
            failure.causes().iter().for_each(|cause| self.err_line(&format!("  cause: {}", plain(cause))));
        }
    }

    /// The message and, below it, the hint.
    fn diagnostic(&self, label: &str, Diagnostic { message, hint, .. }: Diagnostic) {
        self.err_line(&format!("{label}: {}", plain(&message)));
        let Some(hint) = hint else { return };
        let mut lines = hint.lines();
        match is_question(&hint) {
            true => self.err_line(""),
            false => {
                let first = plain(lines.next().unwrap_or_default());
                self.err_line(&format!("{}: {first}", self.err.faint("hint")));
            }
        }
        lines.for_each(|line| self.err_line(&plain(line)));
    }

    /// Prints a step of the demo at once, except as JSON.
    pub fn step(&self, step: &Step) {
        if self.format == OutputFormat::Text {
            self.write(&fitted(step.text(&self.out), &self.out));
        }
    }

    /// Prints a script as it is.
    pub fn script(&self, bytes: &[u8]) -> ExitCode {
        self.write(bytes);
        ExitCode::SUCCESS
    }

    /// Prints the version.
    pub fn version(&self) -> ExitCode {
        match self.format {
            // Values can always be serialized.
            OutputFormat::Json => {
                let version = serde_json::json!({ "version": env!("CARGO_PKG_VERSION") });
                self.write_json(format!("{version:#}\n").as_bytes());
                ExitCode::SUCCESS
            }
            _ => version(),
        }
    }

    /// Prints all steps of the demo as JSON; as text they are printed one by one.
    pub fn steps(&self, steps: &[Step]) -> ExitCode {
        if self.format == OutputFormat::Json {
            // Values can always be serialized.
            let mut bytes =
                serde_json::to_vec_pretty(&serde_json::json!({ "steps": steps })).unwrap_or_default();
            bytes.push(b'\n');
            self.write_json(&bytes);
        }
        ExitCode::SUCCESS
    }

    fn write(&self, bytes: &[u8]) {
        write_out(bytes, self.out.has_color);
    }

    fn write_json(&self, bytes: &[u8]) {
        let shown = if self.out.is_terminal { json(bytes) } else { Cow::Borrowed(bytes) };
        write_out(&shown, false);
    }

    /// Writes a format of some operations. None has color, and SARIF is JSON.
    fn write_other(&self, format: &str, bytes: &[u8]) {
        if format == "sarif" { self.write_json(bytes) } else { write_out(bytes, false) }
    }
}

/// Used only by the picker.
#[cfg_attr(not(feature = "pick"), expect(dead_code, reason = "the picker was left out"))]
impl Printer {
    /// Whether the picker may draw in color; independent of stdout.
    pub fn has_color_on_terminal(&self) -> bool {
        self.color == ColorChoice::Always
            || self.color == ColorChoice::Auto
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    }

    /// Whether replies are text on a terminal.
    pub fn is_person_at_terminal(&self) -> bool {
        self.out.is_terminal && self.is_for_people()
    }

    /// A path, formatted for a person.
    pub fn shown_path(&self, path: &Path) -> String {
        self.out.path(path)
    }

    /// Prints a line.
    pub fn line(&self, line: &str) {
        self.write(&fitted(format!("{line}\n").into_bytes(), &self.out));
    }

    /// Prints a path for scripts; on a terminal its control characters are escaped.
    pub fn path(&self, path: &Path) -> ExitCode {
        let mut line = match self.out.is_terminal {
            true => plain(&path.to_string_lossy()).into_bytes(),
            false => path.as_os_str().as_encoded_bytes().to_vec(),
        };
        line.push(b'\n');
        self.write(&line);
        ExitCode::SUCCESS
    }
}

/// A text with its lines wrapped at the width of the terminal.
fn fitted(text: Vec<u8>, view: &View) -> Vec<u8> {
    terminal::fitted(text, view.width)
}

/// Prints `skc <version>`.
pub fn version() -> ExitCode {
    write_out(concat!("skc ", env!("CARGO_PKG_VERSION"), "\n").as_bytes(), false);
    ExitCode::SUCCESS
}

/// Writes to stdout. A closed pipe is not an error, since its reader has seen enough; any other error ends the process
/// with status 1.
fn write_out(bytes: &[u8], has_color: bool) {
    match terminal::out(bytes, has_color) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let fault = Failure::from(PortError::io("write the reply", error)).fault;
            terminal::err(format!("{}\n", plain(&fault.line())).as_bytes(), false);
            std::process::exit(1);
        }
        _ => {}
    }
}

/// Reports panics as E999, and ends the process with status 1.
pub fn exit_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        report_panic(panic);
        // No write is left incomplete, since all are atomic.
        std::process::exit(1);
    }));
}

/// Reports panics as E999 without ending the process: in a server a panic ends only its own request.
pub fn survive_panics() {
    std::panic::set_hook(Box::new(report_panic));
}

fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let cause = panic.payload();
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    let fault = Fault::Internal { message: format!("skc panicked{place}: {}", text.unwrap_or_default()) };
    terminal::err(format!("{}\n", plain(&fault.line())).as_bytes(), false);
}
