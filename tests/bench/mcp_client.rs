//! A server on its standard streams, driven from this thread with as little work as is needed to distinguish its
//! answers.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// A running server after its handshake.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    next_id: u64,
}

/// A call of a tool.
pub struct Call {
    /// Name of the tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: Value,
}

impl Server {
    /// Starts a program; returns the seconds until it has answered the handshake.
    pub fn start(command: &mut Command) -> Result<(Self, f64), String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" },
        });
        let begun = Instant::now();
        let mut child = command.spawn().map_err(|e| format!("{:?}: {e}", command.get_program()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a child without pipes".to_owned());
        };
        let output = BufReader::new(output);
        let mut server = Server { child, input, output, line: String::new(), next_id: 0 };
        server.send("initialize", &hello)?;
        server.receive()?;
        let taken = begun.elapsed().as_secs_f64();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(server.input, "{ready}").map_err(|e| e.to_string())?;
        Ok((server, taken))
    }

    /// Seconds of one call. A tool that fails is an error, since its duration is meaningless.
    pub fn call(&mut self, call: &Call) -> Result<f64, String> {
        let params = json!({ "name": call.tool, "arguments": call.arguments });
        let begun = Instant::now();
        self.send("tools/call", &params)?;
        self.receive()?;
        let taken = begun.elapsed().as_secs_f64();
        self.check().map(|()| taken)
    }

    /// Seconds of `count` calls, `at_once` of them at a time, taken from a list in turn.
    pub fn calls(&mut self, calls: &[Call], count: usize, at_once: usize) -> Result<f64, String> {
        let params: Vec<Value> =
            calls.iter().map(|call| json!({ "name": call.tool, "arguments": call.arguments })).collect();
        let mut open = HashMap::new();
        let begun = Instant::now();
        for sent in 0..count {
            if sent >= at_once {
                self.answer(&mut open)?;
            }
            open.insert(self.next_id, ());
            self.send("tools/call", &params[sent % params.len()])?;
        }
        while !open.is_empty() {
            self.answer(&mut open)?;
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    fn answer(&mut self, open: &mut HashMap<u64, ()>) -> Result<(), String> {
        self.receive()?;
        self.check()?;
        let id = self.line.split("\"id\":").nth(1).and_then(|rest| rest.split([',', '}']).next());
        let known = id.and_then(|id| id.parse().ok()).and_then(|id: u64| open.remove(&id));
        known.ok_or_else(|| format!("an answer to nothing: {}", self.line))
    }

    /// Resident memory in bytes.
    pub fn resident_bytes(&self) -> Result<f64, String> {
        let file = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        let kib: Option<f64> = line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        kib.map(|kib| kib * 1024.0).ok_or(format!("{file} tells no VmRSS"))
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<(), String> {
        let id = self.next_id;
        self.next_id += 1;
        let message =
            format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.input.write_all(message.as_bytes()).map_err(|e| e.to_string())
    }

    /// Receives the next answer; skips notifications.
    fn receive(&mut self) -> Result<(), String> {
        loop {
            self.line.clear();
            match self.output.read_line(&mut self.line) {
                Ok(0) => return Err("the server ended".to_owned()),
                Ok(_) if self.line.contains("\"method\":\"notifications/") => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        let has_failed = self.line.contains("\"isError\":true") || !self.line.contains("\"result\":");
        if has_failed { Err(format!("a call failed: {}", self.line.trim_end())) } else { Ok(()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
