//! Takes over the terminal, and restores it in every case, panics included.
//!
//! It is the controlling terminal of the process, never standard output, which is for the picked path.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use skillc_domain::fault::Fault;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal is taken over. Global, since a panic in any thread has to restore the one terminal of the
/// process.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is taken over; restored on drop.
pub struct Screen {
    pub terminal: Terminal<CrosstermBackend<BufWriter<Tty>>>,
}

#[cfg(unix)]
pub type Tty = std::fs::File;
#[cfg(not(unix))]
pub type Tty = io::Stderr;

/// The controlling terminal.
#[cfg(unix)]
pub fn tty() -> io::Result<Tty> {
    std::fs::File::options().read(true).write(true).open("/dev/tty")
}

#[cfg(not(unix))]
pub fn tty() -> io::Result<Tty> {
    use std::io::IsTerminal;
    let is_terminal = io::stderr().is_terminal() && io::stdin().is_terminal();
    is_terminal.then(io::stderr).ok_or_else(|| io::ErrorKind::NotConnected.into())
}

/// Checks for a terminal that can be drawn on.
///
/// # Errors
/// E085.
pub fn check() -> Result<(), Fault> {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if is_dumb || tty().is_err() { Err(Fault::NoTerminal {}) } else { Ok(()) }
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// E085.
    pub fn open() -> Result<Self, Fault> {
        restore_on_panic();
        Self::take().map_err(|_| {
            restore();
            Fault::NoTerminal {}
        })
    }

    fn take() -> io::Result<Self> {
        let mut out = BufWriter::new(tty()?);
        IS_TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(out, EnterAlternateScreen, EnableBracketedPaste)?;
        Ok(Self { terminal: Terminal::new(CrosstermBackend::new(out))? })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal; does nothing unless it is taken over.
fn restore() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = disable_raw_mode();
    if let Ok(mut out) = tty() {
        let _ = execute!(out, DisableBracketedPaste, LeaveAlternateScreen, Show);
        let _ = out.flush();
    }
}

/// Restores the terminal before the previous hook, which reports the panic and may end the process.
fn restore_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore();
        before(panic);
    }));
}
