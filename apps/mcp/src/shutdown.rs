//! Signals that ask the process to end.

/// Resolves at the first SIGINT or SIGTERM. From this call on, not only from the first poll, these signals no longer
/// terminate the process.
#[cfg(unix)]
pub fn shutdown_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let both = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async {
        let (Ok(mut interrupt), Ok(mut terminate)) = both else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// Resolves at the first Ctrl-C.
#[cfg(not(unix))]
pub async fn shutdown_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
