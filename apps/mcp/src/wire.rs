//! Messages over a pair of byte streams, one a line: bounded in what is read, and in what waits for an answer.
//!
//! A client that does not read its answers is not read either, so that it costs no more memory than the window.

use crate::framing::{self, Line};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, JsonRpcMessage, RequestId,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use skillc_ops::harmless::json;
use skillc_ops::serve::LineCutter;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex as AsyncMutex, Notify, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;

/// Longest line that is read, in bytes: the largest arguments are a query and a few paths.
const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Bytes of requests that may wait for their answers: two of the longest.
const WINDOW_BYTES: u32 = 2 * LINE_BYTES_MAX as u32;
/// What a request counts at least, in bytes: so that 128 of them wait at most.
const REQUEST_BYTES_MIN: u32 = WINDOW_BYTES / 128;
/// Subscriptions of one client at a time; each lasts, and so is not counted in the window.
const SUBSCRIPTIONS_MAX: usize = 64;

/// The protocol's side of the two streams. A clone is the same.
pub struct Wire<W> {
    incoming: Arc<AsyncMutex<mpsc::Receiver<ClientJsonRpcMessage>>>,
    out: Arc<Out<W>>,
}

impl<W> Clone for Wire<W> {
    fn clone(&self) -> Self {
        Self { incoming: self.incoming.clone(), out: self.out.clone() }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Wire<W> {
    /// Begins to read. The task ends with the input, or when nothing can be written any more.
    pub fn open<R: AsyncRead + Send + Unpin + 'static>(input: R, output: W) -> (Self, JoinHandle<()>) {
        // What is read ahead of the service is one message, apart from those that it answers.
        let (sender, receiver) = mpsc::channel(1);
        let out = Arc::new(Out::new(output));
        let reading = tokio::spawn(read(Lines::new(input), out.clone(), sender));
        (Self { incoming: Arc::new(AsyncMutex::new(receiver)), out }, reading)
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Wire<W> {
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

/// Reads lines and passes messages on, until the input ends or the output fails.
async fn read<R, W>(mut lines: Lines<R>, out: Arc<Out<W>>, sender: mpsc::Sender<ClientJsonRpcMessage>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    let all = async {
        while let Some(line) = lines.next().await {
            let (line, bytes) = match line {
                Some(line) => (framing::read(line), line.len()),
                None => (framing::too_long(LINE_BYTES_MAX), 0),
            };
            let go_on = match line {
                Line::Skipped => Ok(()),
                Line::Refused(reply) => out.refuse(*reply).await,
                Line::Message(message) => pass(*message, bytes, &out, &sender).await,
            };
            if go_on.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = all => {}
        () = out.broken.notified() => {}
    }
}

/// Passes one message on when there is room for it. An error means that nobody takes messages any more.
async fn pass<W: AsyncWrite + Send + Unpin>(
    message: ClientJsonRpcMessage,
    bytes: usize,
    out: &Out<W>,
    sender: &mpsc::Sender<ClientJsonRpcMessage>,
) -> io::Result<()> {
    if let JsonRpcMessage::Request(request) = &message {
        let is_subscription = matches!(request.request, ClientRequest::SubscriptionsListenRequest(_));
        let opened = match is_subscription {
            true => out.window.subscribe(&request.id),
            false => out.window.open(&request.id, bytes).await,
        };
        if let Err(reason) = opened {
            let error = ErrorData::invalid_request(reason, None);
            // Without the id: its answer is still to come, or would be taken for it.
            return out.write(&ServerJsonRpcMessage::error(error, None)).await;
        }
    }
    let cancelled = cancelled(&message);
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    sender.send(message).await.map_err(gone)?;
    if let Some(id) = cancelled {
        out.window.close(&id);
    }
    Ok(())
}

/// The request that a notification takes back; it gets no answer any more.
fn cancelled(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Notification(notification) => match &notification.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.clone(),
            _ => None,
        },
        _ => None,
    }
}

/// The output, written a line at a time.
struct Out<W> {
    stream: AsyncMutex<W>,
    window: Window,
    broken: Notify,
}

impl<W: AsyncWrite + Send + Unpin> Out<W> {
    fn new(stream: W) -> Self {
        Self { stream: AsyncMutex::new(stream), window: Window::new(), broken: Notify::new() }
    }

    /// Answers a line that is no request; without its id where that is the one of a request whose answer is still to come,
    /// for which this would be taken.
    async fn refuse(&self, mut reply: ServerJsonRpcMessage) -> io::Result<()> {
        if let JsonRpcMessage::Error(error) = &mut reply {
            error.id.take_if(|id| self.window.is_open(id));
        }
        self.write(&reply).await
    }

    /// Writes a message whole, after those that came before it; one that answers a request makes its room free.
    async fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut stream = self.stream.lock().await;
        // Whoever tries the server by hand has its answers on a terminal.
        let mut done = stream.write_all(&json(&line)).await;
        if done.is_ok() {
            done = stream.flush().await;
        }
        match message {
            JsonRpcMessage::Response(response) => self.window.close(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.window.close(id)),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        if done.is_err() {
            self.broken.notify_one();
        }
        done
    }
}

/// Requests that wait for their answers.
struct Window {
    room: Arc<Semaphore>,
    subscriptions: Arc<Semaphore>,
    open: Mutex<HashMap<RequestId, Option<OwnedSemaphorePermit>>>,
}

impl Window {
    fn new() -> Self {
        Self {
            room: Arc::new(Semaphore::new(WINDOW_BYTES as usize)),
            subscriptions: Arc::new(Semaphore::new(SUBSCRIPTIONS_MAX)),
            open: Mutex::default(),
        }
    }

    /// Waits for room for a request; refuses an id that waits for an answer already.
    async fn open(&self, id: &RequestId, bytes: usize) -> Result<(), String> {
        let bytes = u32::try_from(bytes).unwrap_or(WINDOW_BYTES).clamp(REQUEST_BYTES_MIN, WINDOW_BYTES);
        // The room is never closed, so this waits and does not fail.
        let room = self.room.clone().acquire_many_owned(bytes).await.ok();
        self.enter(id, room)
    }

    fn subscribe(&self, id: &RequestId) -> Result<(), String> {
        let room = self.subscriptions.clone().try_acquire_owned();
        let room = room.map_err(|_| format!("more than {SUBSCRIPTIONS_MAX} subscriptions"))?;
        self.enter(id, Some(room))
    }

    fn enter(&self, id: &RequestId, room: Option<OwnedSemaphorePermit>) -> Result<(), String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.contains_key(id) {
            return Err(format!("the id '{id}' is in use by a pending request"));
        }
        open.insert(id.clone(), room);
        Ok(())
    }

    fn is_open(&self, id: &RequestId) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    fn close(&self, id: &RequestId) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// Lines of a stream, none longer than the limit.
struct Lines<R> {
    input: BufReader<R>,
    cutter: LineCutter,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    fn new(input: R) -> Self {
        Self { input: BufReader::new(input), cutter: LineCutter::new(LINE_BYTES_MAX) }
    }

    /// The next line with its end; within, `None` for one that was too long. What follows the last end is no line.
    async fn next(&mut self) -> Option<Option<&[u8]>> {
        self.cutter.begin();
        loop {
            let read = self.input.fill_buf().await.ok().filter(|read| !read.is_empty())?;
            let (taken, is_end) = self.cutter.take(read);
            self.input.consume(taken);
            if is_end {
                return Some(self.cutter.line());
            }
        }
    }
}
