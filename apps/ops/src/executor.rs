//! Runs futures to completion on the calling thread.

use crate::app::App;
use crate::failure::Failure;
use skillc_ports::PortError;
use tokio::runtime::{Builder, Runtime};

/// Runs a future for this app. Only a team's server needs sockets and timers.
///
/// # Errors
/// As [`runtime`].
pub fn block_on<T>(app: &App, future: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(runtime(app.ports.team.is_some())?.block_on(future))
}

/// Builds a tokio runtime for this thread, with sockets and timers if it gets an event loop.
///
/// # Errors
/// E108 if the system refuses an event loop.
pub fn runtime(has_event_loop: bool) -> Result<Runtime, Failure> {
    let mut runtime = Builder::new_current_thread();
    if has_event_loop {
        must_be_free()?;
        runtime.enable_all();
    }
    Ok(runtime.build().map_err(|error| PortError::io("start", error))?)
}

/// Number of socket pairs opened for the check: the event loop needs fewer, and the work itself some more.
#[cfg(unix)]
const PAIRS: usize = 8;

/// Opens and closes as many descriptors as an event loop needs, since tokio aborts if it cannot get them.
///
/// # Errors
/// `TooManyOpenFiles`.
#[cfg(unix)]
fn must_be_free() -> Result<(), PortError> {
    let pairs = (0..PAIRS).map(|_| std::os::unix::net::UnixStream::pair());
    pairs.collect::<Result<Vec<_>, _>>().map(drop).map_err(|error| PortError::io("start", error))
}

/// Does nothing: other systems have no such limit.
#[cfg(not(unix))]
fn must_be_free() -> Result<(), PortError> {
    Ok(())
}
