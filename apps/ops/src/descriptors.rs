//! Whether the process may open what an event loop needs, which aborts where it cannot.

use skillc_ports::PortError;

/// Pairs of sockets that are opened for a look: the loop takes fewer, and the work itself some more.
#[cfg(unix)]
const PAIRS: usize = 8;

/// Opens and closes as many descriptors as an event loop needs.
///
/// # Errors
/// Too many open files.
#[cfg(unix)]
pub fn must_be_free() -> Result<(), PortError> {
    let pairs = (0..PAIRS).map(|_| std::os::unix::net::UnixStream::pair());
    pairs.collect::<Result<Vec<_>, _>>().map(drop).map_err(|error| PortError::io("start", error))
}

/// Other systems have no such limit.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn must_be_free() -> Result<(), PortError> {
    Ok(())
}
