//! When the process is told to end.

/// Resolves at the first SIGINT or SIGTERM, or Ctrl-C where there are no signals. From this call on, not from its first
/// poll, they no longer end the process by themselves.
#[cfg(unix)]
pub fn stopped() -> impl Future<Output = ()> {
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
pub async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
