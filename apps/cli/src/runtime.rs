//! The tokio runtime of this thread.

use skillc_ops::descriptors::must_be_free;
use skillc_ops::{Answer, App, Failure};
use skillc_ports::PortError;
use std::pin::Pin;
use tokio::runtime::{Builder, Runtime};

/// Runs one operation to its end, on a runtime of this thread. Only a team's server needs sockets and timers.
pub fn block_on<'a>(
    app: &'a App,
    start: impl FnOnce(&'a App) -> Pin<Box<dyn Future<Output = Answer> + 'a>>,
) -> Answer {
    match runtime(app.ports.team.is_some()) {
        Ok(runtime) => runtime.block_on(start(app)),
        Err(failure) => Answer { reply: None, failures: vec![failure], warnings: Vec::new() },
    }
}

/// Builds a runtime of this thread.
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
