//! The server on a pair of byte streams: standard input and output, or one connection of a socket.

use crate::catch_panic::CatchPanic;
use crate::server::Server;
use crate::transport::LineTransport;
use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::stdio_pipes;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Time for pending responses after the end of the input: the client may still read.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until standard input ends. Invalid input from the client is not a failure of the server.
pub async fn serve_stdio(server: Server) {
    let (input, output) = stdio_pipes();
    serve_streams(server, input, output).await;
}

/// Serves one client until its input ends.
pub async fn serve_streams(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) {
    let (server, open) = server.connected();
    let (transport, reader) = LineTransport::open(input, output);
    let mut reader = AbortOnDrop(reader);
    loop {
        let running = match CatchPanic(server.clone()).serve(transport.clone()).await {
            Ok(running) => running,
            // Messages before the handshake, and a failed handshake, do not end the connection.
            Err(
                ServerInitializeError::ExpectedInitializeRequest(Some(_))
                | ServerInitializeError::InitializeFailed(_)
                | ServerInitializeError::UnexpectedInitializeResponse(_),
            ) => continue,
            Err(_) => break,
        };
        let mut ended = std::pin::pin!(running.waiting());
        tokio::select! {
            _ = &mut ended => {}
            // The input ended; an aborted task is not an error.
            _ = &mut reader.0 => {
                drop(open);
                let _ = timeout(GRACE, ended).await;
            }
        }
        break;
    }
}

/// The task that reads a client's input.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
