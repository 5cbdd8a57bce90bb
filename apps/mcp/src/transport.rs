//! Messages over a pair of byte streams, one per line, with bounds on line length and on pending requests.
//!
//! Backpressure: while a client does not read its responses, its requests are not read either.

use crate::framing::{self, Line};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, JsonRpcMessage, RequestId,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use skillc_ops::harmless::json;
use skillc_ops::serve::json_rpc::LineDecoder;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex as AsyncMutex, Notify, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;

/// Longest line in bytes: the largest arguments are a query and a few paths.
const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Bytes of pending requests: two of the longest.
const PENDING_BYTES_MAX: u32 = 2 * LINE_BYTES_MAX as u32;
/// Bytes that a request counts at least, so that at most 128 are pending.
const REQUEST_BYTES_MIN: u32 = PENDING_BYTES_MAX / 128;
/// Concurrent subscriptions of one client; they are long-lived, and so are not counted as pending bytes.
const SUBSCRIPTIONS_MAX: usize = 64;

/// The transport of one client. Clones share the streams.
pub struct LineTransport<W> {
    incoming: Arc<AsyncMutex<mpsc::Receiver<ClientJsonRpcMessage>>>,
    out: Arc<LineWriter<W>>,
}

impl<W> Clone for LineTransport<W> {
    fn clone(&self) -> Self {
        Self { incoming: self.incoming.clone(), out: self.out.clone() }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> LineTransport<W> {
    /// Starts reading. The returned task ends with the input, or when the output fails.
    pub fn open<R: AsyncRead + Send + Unpin + 'static>(input: R, output: W) -> (Self, JoinHandle<()>) {
        // At most one message is read ahead of the service.
        let (sender, receiver) = mpsc::channel(1);
        let out = Arc::new(LineWriter::new(output));
        let reader = tokio::spawn(read(LineReader::new(input), out.clone(), sender));
        (Self { incoming: Arc::new(AsyncMutex::new(receiver)), out }, reader)
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for LineTransport<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let out = self.out.clone();
        async move { out.write(&item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.lock().await.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Reads lines and forwards their messages, until the input ends or the output fails.
async fn read<R, W>(
    mut lines: LineReader<R>,
    out: Arc<LineWriter<W>>,
    sender: mpsc::Sender<ClientJsonRpcMessage>,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    let all = async {
        while let Some(line) = lines.next().await {
            let (line, bytes) = match line {
                Some(line) => (framing::parse(line), line.len()),
                None => (framing::too_long(LINE_BYTES_MAX), 0),
            };
            let done = match line {
                Line::Ignored => Ok(()),
                Line::Invalid(error) => out.write_error(*error).await,
                Line::Message(message) => forward(*message, bytes, &out, &sender).await,
            };
            if done.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = all => {}
        () = out.broken.notified() => {}
    }
}

/// Forwards one message when the bounds permit it. An error means that no further messages are accepted.
async fn forward<W: AsyncWrite + Send + Unpin>(
    message: ClientJsonRpcMessage,
    bytes: usize,
    out: &LineWriter<W>,
    sender: &mpsc::Sender<ClientJsonRpcMessage>,
) -> io::Result<()> {
    if let JsonRpcMessage::Request(request) = &message {
        let is_subscription = matches!(request.request, ClientRequest::SubscriptionsListenRequest(_));
        let added = match is_subscription {
            true => out.pending.add_subscription(&request.id),
            false => out.pending.add(&request.id, bytes).await,
        };
        if let Err(reason) = added {
            let error = ErrorData::invalid_request(reason, None);
            // Without the id: the client would take the error for the response of the pending request.
            return out.write(&ServerJsonRpcMessage::error(error, None)).await;
        }
    }
    let cancelled = cancelled(&message);
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    sender.send(message).await.map_err(gone)?;
    if let Some(id) = cancelled {
        out.pending.remove(&id);
    }
    Ok(())
}

/// The request that a notification cancels; it gets no response.
fn cancelled(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Notification(notification) => match &notification.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.clone(),
            _ => None,
        },
        _ => None,
    }
}

/// The output, one line at a time.
struct LineWriter<W> {
    stream: AsyncMutex<W>,
    pending: PendingRequests,
    broken: Notify,
}

impl<W: AsyncWrite + Send + Unpin> LineWriter<W> {
    fn new(stream: W) -> Self {
        Self { stream: AsyncMutex::new(stream), pending: PendingRequests::new(), broken: Notify::new() }
    }

    /// Answers an invalid line, without its id if a request with that id is pending.
    async fn write_error(&self, mut reply: ServerJsonRpcMessage) -> io::Result<()> {
        if let JsonRpcMessage::Error(error) = &mut reply {
            error.id.take_if(|id| self.pending.contains(id));
        }
        self.write(&reply).await
    }

    /// Writes a whole message. A response ends its pending request.
    async fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut stream = self.stream.lock().await;
        // The output may be a terminal, so control characters are escaped.
        let mut done = stream.write_all(&json(&line)).await;
        if done.is_ok() {
            done = stream.flush().await;
        }
        match message {
            JsonRpcMessage::Response(response) => self.pending.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.pending.remove(id)),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        if done.is_err() {
            self.broken.notify_one();
        }
        done
    }
}

/// Requests without a response yet. Each holds permits for its bytes.
struct PendingRequests {
    bytes: Arc<Semaphore>,
    subscriptions: Arc<Semaphore>,
    permits: Mutex<HashMap<RequestId, Option<OwnedSemaphorePermit>>>,
}

impl PendingRequests {
    fn new() -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(PENDING_BYTES_MAX as usize)),
            subscriptions: Arc::new(Semaphore::new(SUBSCRIPTIONS_MAX)),
            permits: Mutex::default(),
        }
    }

    /// Waits for permits and adds a request; refuses an id that is already pending.
    async fn add(&self, id: &RequestId, bytes: usize) -> Result<(), String> {
        let bytes = u32::try_from(bytes).unwrap_or(PENDING_BYTES_MAX);
        let bytes = bytes.clamp(REQUEST_BYTES_MIN, PENDING_BYTES_MAX);
        // The semaphore is never closed, so this does not fail.
        let permit = self.bytes.clone().acquire_many_owned(bytes).await.ok();
        self.insert(id, permit)
    }

    fn add_subscription(&self, id: &RequestId) -> Result<(), String> {
        let permit = self.subscriptions.clone().try_acquire_owned();
        let permit = permit.map_err(|_| format!("more than {SUBSCRIPTIONS_MAX} subscriptions"))?;
        self.insert(id, Some(permit))
    }

    fn insert(&self, id: &RequestId, permit: Option<OwnedSemaphorePermit>) -> Result<(), String> {
        let mut permits = self.permits.lock().unwrap_or_else(PoisonError::into_inner);
        if permits.contains_key(id) {
            return Err(format!("the id '{id}' is in use by a pending request"));
        }
        permits.insert(id.clone(), permit);
        Ok(())
    }

    fn contains(&self, id: &RequestId) -> bool {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    fn remove(&self, id: &RequestId) {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// Reads lines up to the limit.
struct LineReader<R> {
    input: BufReader<R>,
    decoder: LineDecoder,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    fn new(input: R) -> Self {
        Self { input: BufReader::new(input), decoder: LineDecoder::new(LINE_BYTES_MAX) }
    }

    /// The next line with its line break; the inner `None` stands for a line that is too long. An unfinished last line
    /// is dropped.
    async fn next(&mut self) -> Option<Option<&[u8]>> {
        self.decoder.begin();
        loop {
            let chunk = self.input.fill_buf().await.ok().filter(|chunk| !chunk.is_empty())?;
            let (taken, is_complete) = self.decoder.take(chunk);
            self.input.consume(taken);
            if is_complete {
                return Some(self.decoder.line());
            }
        }
    }
}
