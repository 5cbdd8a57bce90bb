//! Signals that would end the program without an error message.

/// Ignores SIGXFSZ, so that a write beyond the limit on file sizes fails with an error instead of ending the process.
#[cfg(unix)]
pub fn ignore_file_size_signal() {
    use signal_hook::consts::SIGXFSZ;
    // Without the handler, the signal ends the process as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Default::default());
}

/// Does nothing: other systems have no such signal.
#[cfg(not(unix))]
pub fn ignore_file_size_signal() {}
