//! The protocol on a pair of byte streams: requests are read from lines and answered concurrently.
//!
//! Backpressure: while a client does not read its responses, at most `REQUESTS_MAX` of its requests are in memory.

use crate::contract::Command;
use crate::host::HostServer;
use crate::message::{self, IncomingMessage, Request, response};
use crate::rpc_error::RpcError;
use serde_json::Value;
use skillc_ops::harmless::json;
use skillc_ops::serve::json_rpc::LineDecoder;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Longest line in bytes: room for a batch of 64 requests with a query and a path each.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// Concurrent requests. More than most machines have processors, since some requests wait for disks and locks; few
/// enough that each may hold a long line and a large result.
const REQUESTS_MAX: u32 = 16;
/// Bytes of the responses to one batch; requests beyond them are refused.
const BATCH_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Serves standard input and output until the input ends and every request is answered, or the output breaks.
///
/// # Errors
/// If the runtime that waits for permits cannot be built.
pub fn serve_stdio(host: Arc<HostServer>) -> io::Result<()> {
    serve(host, io::stdin(), io::stdout())
}

/// As [`serve_stdio`], on any streams.
///
/// # Errors
/// As [`serve_stdio`].
pub fn serve(
    host: Arc<HostServer>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    // Only for waiting on the semaphore; requests run on threads.
    let runtime = Arc::new(Builder::new_current_thread().build()?);
    let permits = Arc::new(Semaphore::new(REQUESTS_MAX as usize));
    let (ended, end) = channel();
    let (stream, broken) = (Mutex::new(output), Mutex::new(ended.clone()));
    let out = Arc::new(LineWriter { stream, permits: permits.clone(), broken });
    let of_reader = runtime.clone();
    // On a thread of its own, since a blocked read must not delay the end when the output breaks.
    thread::spawn(move || {
        let _ = catch_unwind(AssertUnwindSafe(|| read(&host, input, &out, &of_reader)));
        let _ = ended.send(());
    });
    // The reader holds a sender until it sends.
    let _ = end.recv();
    // An error means that the output broke, which closes the semaphore.
    let _ = runtime.block_on(permits.acquire_many(REQUESTS_MAX));
    Ok(())
}

fn read<W: Write + Send + 'static>(
    host: &Arc<HostServer>,
    input: impl Read,
    out: &Arc<LineWriter<W>>,
    runtime: &Runtime,
) {
    let mut input = BufReader::new(input);
    let mut decoder = LineDecoder::new(LINE_BYTES_MAX);
    while next_line(&mut input, &mut decoder) && !out.permits.is_closed() {
        let line = match decoder.line() {
            Some(line) => message::parse(line),
            None => message::too_long(LINE_BYTES_MAX),
        };
        if line == IncomingMessage::Ignored {
            continue;
        }
        let Ok(permit) = runtime.block_on(out.permits.clone().acquire_owned()) else { return };
        spawn_answer(host.clone(), out.clone(), line, permit);
    }
}

/// Reads the next line; `false` at the end of the input. An unfinished last line counts as a line.
fn next_line(input: &mut impl BufRead, decoder: &mut LineDecoder) -> bool {
    decoder.begin();
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return false,
        };
        if chunk.is_empty() {
            return !decoder.is_empty();
        }
        let (taken, is_complete) = decoder.take(chunk);
        input.consume(taken);
        if is_complete {
            return true;
        }
    }
}

/// Answers a line on a new thread, or on this one if the system refuses another thread.
fn spawn_answer<W: Write + Send + 'static>(
    host: Arc<HostServer>,
    out: Arc<LineWriter<W>>,
    line: IncomingMessage,
    permit: OwnedSemaphorePermit,
) {
    // A failed spawn drops its closure, so the line is shared with it.
    let work = Arc::new(Mutex::new(Some((line, permit))));
    let answer = move |work: &Mutex<Option<_>>| {
        let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((line, _permit)) = taken {
            answer_line(&host, &out, line);
        }
    };
    let (on_thread, shared) = (answer.clone(), work.clone());
    if thread::Builder::new().name("request".to_owned()).spawn(move || on_thread(&shared)).is_err() {
        answer(&work);
    }
}

fn answer_line<W: Write>(host: &HostServer, out: &LineWriter<W>, line: IncomingMessage) {
    match line {
        IncomingMessage::Ignored => {}
        IncomingMessage::Single(request) => out.write(answer(host, request)),
        IncomingMessage::Batch(requests) => out.write(answer_batch(host, requests)),
    }
}

fn answer(host: &HostServer, request: Request) -> Vec<u8> {
    response(request.id, request.command.and_then(|command| run(host, command)))
}

/// Answers a batch in order, as one array.
fn answer_batch(host: &HostServer, requests: Vec<Request>) -> Vec<u8> {
    let mut line = Vec::new();
    for request in requests {
        line.push(if line.is_empty() { b'[' } else { b',' });
        if line.len() > BATCH_BYTES_MAX {
            let error = format!("the responses of this batch exceed the limit of {BATCH_BYTES_MAX} bytes");
            line.extend(response(request.id, Err(RpcError::request(error))));
            continue;
        }
        line.extend(answer(host, request));
    }
    line.push(b']');
    line
}

/// Runs a command; a panic becomes its error. Only ports outlive the panic, and their writes are atomic.
fn run(host: &HostServer, command: Command) -> Result<Value, RpcError> {
    let done = catch_unwind(AssertUnwindSafe(|| host.answer(command)));
    done.unwrap_or_else(|_| Err(RpcError::panicked()))
}

/// The output, one line at a time.
struct LineWriter<W> {
    stream: Mutex<W>,
    permits: Arc<Semaphore>,
    broken: Mutex<Sender<()>>,
}

impl<W: Write> LineWriter<W> {
    /// Writes a whole line. If the output is broken, no further requests are started.
    fn write(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // The output may be a terminal, so control characters are escaped.
        if stream.write_all(&json(&line)).and_then(|()| stream.flush()).is_err() {
            self.permits.close();
            let _ = self.broken.lock().unwrap_or_else(PoisonError::into_inner).send(());
        }
    }
}
