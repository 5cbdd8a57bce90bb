//! The protocol on a pair of byte streams: lines in, answers out, requests side by side.
//!
//! A client that does not read its answers is not read either once the room is full, so that it costs no more memory.

use crate::contract::Command;
use crate::host::Host;
use crate::message::{self, Line, Message, answer};
use crate::refusal::Refusal;
use crate::room::{Room, Seat};
use serde_json::Value;
use skillc_ops::harmless::json;
use skillc_ops::serve::LineCutter;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Longest line that is read, in bytes: the largest parameters are a query and a path, 64 times over in an array.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// Requests that are worked on at a time; a further one is read when one of them is answered. More than most machines
/// need, since some wait for disks and locks; few enough that each may hold a long line and a large answer.
const REQUESTS_MAX: usize = 16;
/// Bytes of the answers to one array, after which the rest of it is refused.
const BATCH_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Serves standard input and output until the input ends and all is answered, or nobody takes answers any more.
pub fn serve_stdio(host: Arc<Host>) {
    serve(host, io::stdin(), io::stdout());
}

/// The same on any streams.
pub fn serve(host: Arc<Host>, input: impl Read + Send + 'static, output: impl Write + Send + 'static) {
    let room = Room::new(REQUESTS_MAX);
    let (ended, end) = channel();
    let out =
        Arc::new(Out { stream: Mutex::new(output), room: room.clone(), broken: Mutex::new(ended.clone()) });
    // A thread of its own: where the output breaks, nobody waits for the input.
    thread::spawn(move || {
        let _ = catch_unwind(AssertUnwindSafe(|| read(&host, input, &out)));
        let _ = ended.send(());
    });
    // Its other end lives as long as the reader, which says when it is done.
    let _ = end.recv();
    room.wait_until_empty(REQUESTS_MAX);
}

fn read<W: Write + Send + 'static>(host: &Arc<Host>, input: impl Read, out: &Arc<Out<W>>) {
    let mut input = BufReader::new(input);
    let mut cutter = LineCutter::new(LINE_BYTES_MAX);
    while next(&mut input, &mut cutter) && !out.room.is_closed() {
        let line = match cutter.line() {
            Some(line) => message::read(line),
            None => message::too_long(LINE_BYTES_MAX),
        };
        let Some(seat) = (line != Line::Skipped).then(|| out.room.enter()) else { continue };
        let Some(seat) = seat else { return };
        begin(host.clone(), out.clone(), line, seat);
    }
}

/// Reads the next line; `false` when there is none. What follows the last line break is a line if there is anything.
fn next(input: &mut impl BufRead, cutter: &mut LineCutter) -> bool {
    cutter.begin();
    loop {
        let read = match input.fill_buf() {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return false,
        };
        if read.is_empty() {
            return !cutter.is_empty();
        }
        let (taken, is_end) = cutter.take(read);
        input.consume(taken);
        if is_end {
            return true;
        }
    }
}

/// Answers a line on a thread of its own; on this one where the system has no more of them.
fn begin<W: Write + Send + 'static>(host: Arc<Host>, out: Arc<Out<W>>, line: Line, seat: Seat) {
    let work = Arc::new(Mutex::new(Some((line, seat))));
    let take =
        |work: &Mutex<Option<(Line, Seat)>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (ours, our_host, our_out) = (work.clone(), host.clone(), out.clone());
    let there = move || {
        if let Some((line, _seat)) = take(&ours) {
            answer_line(&our_host, &our_out, line);
        }
    };
    if thread::Builder::new().name("request".to_owned()).spawn(there).is_err()
        && let Some((line, _seat)) = take(&work)
    {
        answer_line(&host, &out, line);
    }
}

fn answer_line<W: Write>(host: &Host, out: &Out<W>, line: Line) {
    match line {
        Line::Skipped => {}
        Line::One(message) => out.write(one(host, message)),
        Line::Batch(messages) => out.write(batch(host, messages)),
    }
}

fn one(host: &Host, message: Message) -> Vec<u8> {
    answer(message.id, message.command.and_then(|command| guarded(host, command)))
}

/// One array of answers, made one after the other.
fn batch(host: &Host, messages: Vec<Message>) -> Vec<u8> {
    let mut line = Vec::new();
    for message in messages {
        line.push(if line.is_empty() { b'[' } else { b',' });
        if line.len() > BATCH_BYTES_MAX {
            let refusal = Refusal::request(format!(
                "the answers of this batch exceed the limit of {BATCH_BYTES_MAX} bytes"
            ));
            line.extend(answer(message.id, Err(refusal)));
            continue;
        }
        line.extend(one(host, message));
    }
    line.push(b']');
    line
}

/// What comes of a command, also where it panics: nothing of it outlives that but ports, whose writes are atomic.
fn guarded(host: &Host, command: Command) -> Result<Value, Refusal> {
    let done = catch_unwind(AssertUnwindSafe(|| host.answer(command)));
    done.unwrap_or_else(|_| Err(Refusal::panicked()))
}

/// The output, written a line at a time.
struct Out<W> {
    stream: Mutex<W>,
    room: Room,
    broken: Mutex<Sender<()>>,
}

impl<W: Write> Out<W> {
    /// Writes a line whole. When nobody takes it, nothing further is done.
    fn write(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever tries the host by hand has its answers on a terminal.
        if stream.write_all(&json(&line)).and_then(|()| stream.flush()).is_err() {
            self.room.close();
            let _ = self.broken.lock().unwrap_or_else(PoisonError::into_inner).send(());
        }
    }
}
