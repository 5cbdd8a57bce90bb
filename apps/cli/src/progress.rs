//! Progress bars and details on stderr.

use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skillc_ops::render::plain;
use skillc_ports::Progress;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Delay before a bar is shown: for shorter work it would only flicker.
const BAR_DELAY: Duration = Duration::from_millis(300);

/// Shows a bar on a terminal, and details with `-v`.
pub struct TerminalProgress {
    is_verbose: bool,
    has_terminal: bool,
    work: Mutex<Vec<Work>>,
}

struct Work {
    what: String,
    total: u64,
    done: u64,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl TerminalProgress {
    /// Progress on standard error.
    pub fn new(is_verbose: bool) -> Self {
        Self { is_verbose, has_terminal: std::io::stderr().is_terminal(), work: Mutex::default() }
    }

    fn with_work<T>(&self, change: impl FnOnce(&mut Vec<Work>) -> T) -> T {
        change(&mut self.work.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, what: &str, total: u64) {
        self.with_work(|work| {
            work.push(Work { what: what.to_owned(), total, done: 0, since: Instant::now(), bar: None });
        });
    }

    /// Advances the bar of the outermost work only: the skills of `--all`, not the files of each.
    fn advance(&self, steps: u64) {
        let has_terminal = self.has_terminal;
        self.with_work(|work| {
            let is_outermost = work.len() == 1;
            let Some(last) = work.last_mut().filter(|_| is_outermost && has_terminal) else { return };
            last.done += steps;
            if last.bar.is_none() && last.since.elapsed() >= BAR_DELAY {
                last.bar = Some(bar(&last.what, last.total));
            }
            if let Some(bar) = &last.bar {
                bar.set_position(last.done);
            }
        });
    }

    fn end(&self) {
        if let Some(Work { bar: Some(bar), .. }) = self.with_work(Vec::pop) {
            bar.finish_and_clear();
        }
    }

    fn wants_details(&self) -> bool {
        self.is_verbose
    }

    fn detail(&self, line: &str) {
        if self.is_verbose {
            let line = format!("  {}\n", plain(line)).into_bytes();
            terminal::err(&terminal::fitted(line, terminal::err_width()), false);
        }
    }
}

fn bar(what: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:32} {pos}/{len}") {
        bar.set_style(style);
    }
    bar.set_message(plain(what));
    bar
}
