//! The server on a pair of byte streams: standard input and output, or one connection of a socket.

use crate::guard::Guarded;
use crate::server::Server;
use crate::wire::Wire;
use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::stdio_pipes;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long answers may take that are still to come when the input has ended: a client that closed it may yet read.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until standard input ends. Whatever a client sends, that is no failure of the server.
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
    let (wire, reading) = Wire::open(input, output);
    let mut reading = Reading(reading);
    loop {
        let running = match Guarded(server.clone()).serve(wire.clone()).await {
            Ok(running) => running,
            // What comes before the handshake, or does not lead to one, does not end the connection.
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
            // A task that was cut off has nothing to say any more.
            _ = &mut reading.0 => {
                drop(open);
                let _ = timeout(GRACE, ended).await;
            }
        }
        break;
    }
}

/// The task that reads a client's input. It ends with the value, also where the whole client is let go of.
struct Reading(JoinHandle<()>);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.abort();
    }
}
