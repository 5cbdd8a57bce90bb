//! A minimal client over standard input and output. It knows JSON-RPC, and only the handshake of the protocol.

use crate::site::{Run, Site};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long to wait for an answer. It is so long that only a hang reaches it.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The name that the client gives.
pub const NAME: &str = "tiny-client";
/// The version that the client gives.
pub const VERSION: &str = "1.2.3";
/// Both, as the log has them.
pub const CLIENT: &str = "tiny-client/1.2.3";

/// How a client starts a session, and what it adds to its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// The handshake, with this version.
    Initialize(&'static str),
    /// Version 2026-07-28: no handshake, and each request names the client.
    Stateless,
    /// Nothing is added; the test sends everything itself.
    Raw,
}

/// A running server, and the client's end of its pipes.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    lifecycle: Lifecycle,
    last_id: u64,
    set_aside: VecDeque<Value>,
}

impl Client {
    /// Starts `skc mcp` in the project of a site, and completes the handshake if the lifecycle has one.
    pub fn start(site: &Site, lifecycle: Lifecycle) -> Self {
        Self::start_command(site.command(["mcp"]), lifecycle)
    }

    /// Like `start`, with a command that a site prepared.
    pub fn start_command(mut command: Command, lifecycle: Lifecycle) -> Self {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = text_of(child.stderr.take().unwrap());
        let mut client =
            Self { child, input, lines, errors, lifecycle, last_id: 0, set_aside: VecDeque::new() };
        if let Lifecycle::Initialize(version) = lifecycle {
            client.shake_hands(version);
        }
        client
    }

    pub fn shake_hands(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": NAME, "version": VERSION },
        });
        let reply = self.ask("initialize", params);
        assert_eq!(reply["protocolVersion"], version);
        self.notify("notifications/initialized", json!({}));
        reply
    }

    /// Sends arbitrary bytes and a line break.
    pub fn send_line(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("an open input");
        input
            .write_all(line.as_ref())
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| input.flush())
            .unwrap();
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send_line(message.to_string());
    }

    /// Sends a request and returns its id, without waiting.
    pub fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if self.lifecycle == Lifecycle::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": NAME, "version": VERSION },
            });
        }
        let message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.send_line(message.to_string());
        self.last_id
    }

    /// The next message that the server sends.
    #[track_caller]
    pub fn read(&mut self) -> Value {
        self.read_within(DEADLINE).expect("a message before the deadline")
    }

    /// Like `read`; `None` on a timeout or at the end of the server's output.
    #[track_caller]
    pub fn read_within(&mut self, time: Duration) -> Option<Value> {
        if let Some(message) = self.set_aside.pop_front() {
            return Some(message);
        }
        self.receive(time)
    }

    #[track_caller]
    fn receive(&mut self, time: Duration) -> Option<Value> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                let message: Value =
                    serde_json::from_str(&line).unwrap_or_else(|e| panic!("not protocol: {e}: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                Some(message)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The first message that satisfies the predicate, including earlier ones. Others are kept for later.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, mut fits: impl FnMut(&Value) -> bool) -> Value {
        if let Some(at) = self.set_aside.iter().position(&mut fits) {
            return self.set_aside.remove(at).unwrap();
        }
        loop {
            let message = self.receive(DEADLINE).unwrap_or_else(|| panic!("no {what}"));
            if fits(&message) {
                return message;
            }
            self.set_aside.push_back(message);
        }
    }

    /// The reply to a request that was sent.
    #[track_caller]
    pub fn reply_to(&mut self, id: u64) -> Value {
        self.wait_for("reply", |message| message["id"] == id && message.get("method").is_none())
    }

    /// Waits for a notification of this method and returns its parameters.
    #[track_caller]
    pub fn notified(&mut self, method: &str) -> Value {
        self.wait_for(method, |message| message["method"] == method)["params"].take()
    }

    /// Sends a request and returns the reply, a result or an error.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.reply_to(id)
    }

    /// Sends a request and returns its result. Fails on an error.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut reply = self.request(method, params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].take()
    }

    /// Sends a request and returns the code and message of its error. Fails if it succeeds.
    #[track_caller]
    pub fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let reply = self.request(method, params);
        let code = reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {reply}"));
        (code, reply["error"]["message"].as_str().unwrap().to_owned())
    }

    /// Calls a tool and returns its result, which may be a tool error.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Closes the input and returns the server's exit status, the rest of its output, and its standard error.
    #[track_caller]
    pub fn close(mut self) -> Run {
        drop(self.input.take());
        let rest: Vec<String> = std::iter::from_fn(|| self.lines.recv_timeout(DEADLINE).ok()).collect();
        // Its output is closed, so it has ended or is about to. A hang is caught by the deadline of the whole run.
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        let out = rest.join("\n");
        let err = self.errors.recv_timeout(DEADLINE).unwrap_or_default();
        Run { status, bytes: out.clone().into_bytes(), out, err, base_directories: Vec::new() }
    }
}

/// Ends the server if a test fails before it closes the client.
impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn text_of(mut output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}
