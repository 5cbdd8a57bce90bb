//! Signals that would end the program where an error says more.

/// A write beyond the limit on a file's size raises SIGXFSZ, which ends a process that takes no notice of it; with somebody
/// who takes notice, the write fails, and is told as any other that fails.
#[cfg(unix)]
pub fn take_no_end_from_limits() {
    use signal_hook::consts::SIGXFSZ;
    // Where it cannot be taken, everything is as it was.
    let _ = signal_hook::flag::register(SIGXFSZ, Default::default());
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub fn take_no_end_from_limits() {}
