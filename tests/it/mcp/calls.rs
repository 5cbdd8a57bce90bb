//! Concurrent calls (RFC-0007:C-MCP-SERVER), with a clock that blocks or panics when a test says so.

use super::{Client, Lifecycle};
use crate::rfc_0004::app;
use crate::site::{Site, skill_md};
use serde_json::{Value, json};
use skillc_domain::time::UnixNs;
use skillc_mcp::{Server, ToolSet, serve_streams};
use skillc_memory::MemoryMachine;
use skillc_ops::workspace::LiveApp;
use skillc_ports::Clock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};

/// A clock that signals each time it is read, and then waits until it may answer, or panics.
struct Gate {
    asked: Sender<()>,
    /// Receives whether to answer. On `false` the clock panics.
    may_answer: Mutex<Receiver<bool>>,
}

impl Clock for Gate {
    fn now(&self) -> UnixNs {
        self.asked.send(()).unwrap();
        let may_answer = self.may_answer.lock().unwrap().recv().unwrap_or(true);
        assert!(may_answer, "the clock broke");
        UnixNs::default()
    }

    fn wait(&self, _ns: u64) {}

    fn random(&self) -> u128 {
        7
    }
}

/// A client in the same process as its server.
struct Near {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: WriteHalf<DuplexStream>,
    asked: Receiver<()>,
    go_on: Sender<bool>,
}

impl Near {
    /// Starts a server for an in-memory machine with one skill, and completes the handshake.
    async fn start() -> Self {
        let machine = MemoryMachine::new();
        machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", "# Top\n"));
        let ((asked_sender, asked), (go_on, may_answer)) = (channel(), channel());
        let clock = Arc::new(Gate { asked: asked_sender, may_answer: Mutex::new(may_answer) });
        let mut app = app(&machine);
        Arc::make_mut(&mut app.ports).clock = clock;
        let server = Server::new(LiveApp::fixed(app), ToolSet::All);
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = split(theirs);
        tokio::spawn(serve_streams(server, input, output));
        let (output, input) = split(ours);
        let mut near = Self { lines: BufReader::new(output).lines(), input, asked, go_on };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "near", "version": "1" },
        });
        near.send(json!({ "id": 0, "method": "initialize", "params": hello })).await;
        assert_eq!(near.read().await["id"], 0);
        near
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Calls a tool that reads the clock at its end, and waits until it does.
    async fn call_up_to_the_clock(&mut self, id: u64) {
        let params = json!({ "name": "skc_outline", "arguments": { "skill": "demo" } });
        self.send(json!({ "id": id, "method": "tools/call", "params": params })).await;
        while self.asked.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
    }

    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(super::client::DEADLINE, self.lines.next_line()).await;
        serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap()
    }
}

fn near<T>(test: impl AsyncFnOnce(Near) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let done = runtime.block_on(async { test(Near::start().await).await });
    runtime.shutdown_background();
    done
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn a_panic_in_a_call_is_an_error_for_its_caller_alone() {
    near(async |mut client| {
        client.call_up_to_the_clock(1).await;
        client.send(json!({ "id": 2, "method": "tools/list" })).await;
        assert_eq!(client.read().await["id"], 2);
        client.go_on.send(false).unwrap();
        let reply = client.read().await;
        assert_eq!(reply["id"], 1, "{reply}");
        assert_eq!(reply["result"]["isError"], true, "{reply}");
        assert_eq!(reply["result"]["_meta"]["skillc/errors"][0]["code"], "E999", "{reply}");
        client.call_up_to_the_clock(3).await;
        client.go_on.send(true).unwrap();
        let reply = client.read().await;
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(3), &json!(false)), "{reply}");
    });
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn a_cancelled_call_gets_no_answer_and_blocks_no_other() {
    near(async |mut client| {
        client.call_up_to_the_clock(1).await;
        client.send(json!({ "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
        client.send(json!({ "id": 2, "method": "tools/list" })).await;
        assert_eq!(client.read().await["id"], 2);
        // The id can be used again while the thread still runs.
        client.send(json!({ "id": 1, "method": "ping" })).await;
        assert_eq!(client.read().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
        client.go_on.send(true).unwrap();
        client.call_up_to_the_clock(3).await;
        client.go_on.send(true).unwrap();
        assert_eq!(client.read().await["id"], 3);
    });
}

/// RFC-0010:C-SESSION
#[test]
fn a_load_that_was_cancelled_does_not_count_as_loaded() {
    near(async |mut client| {
        let load = json!({ "name": "skill_load", "arguments": { "name": "demo" } });
        client.send(json!({ "id": 1, "method": "tools/call", "params": load })).await;
        while client.asked.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        client.send(json!({ "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
        client.send(json!({ "id": 2, "method": "ping" })).await;
        assert_eq!(client.read().await["id"], 2);
        (0..20).for_each(|_| client.go_on.send(true).unwrap());
        // The canceled call ends before the next one asks for a permit, or at the same time. Give it time to do so.
        tokio::time::sleep(Duration::from_millis(300)).await;
        for (id, is_known) in [(3, false), (4, true)] {
            client.send(json!({ "id": id, "method": "tools/call", "params": load })).await;
            let reply = client.read().await;
            assert_eq!(reply["id"], id, "{reply}");
            assert_eq!(reply["result"]["structuredContent"]["suppressed"] == true, is_known, "{reply}");
        }
    });
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn an_id_that_waits_for_its_answer_is_not_given_twice() {
    near(async |mut client| {
        client.call_up_to_the_clock(1).await;
        client.send(json!({ "id": 1, "method": "ping" })).await;
        let refused = client.read().await;
        assert_eq!((refused.get("id"), &refused["error"]["code"]), (None, &json!(-32600)), "{refused}");
        client.go_on.send(true).unwrap();
        let reply = client.read().await;
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(1), &json!(false)), "{reply}");
    });
}

/// RFC-0007:C-MCP-SERVER, L3
#[test]
fn a_line_that_cannot_be_read_is_not_taken_for_the_answer_of_a_call_that_runs() {
    near(async |mut client| {
        client.call_up_to_the_clock(1).await;
        for broken in [r#"{"id":1,"params":"\ud800"}"#, r#"{"id":1,"method":5}"#] {
            client.input.write_all(format!("{broken}\n").as_bytes()).await.unwrap();
            let refused = client.read().await;
            assert!(refused.get("error").is_some() && refused.get("id").is_none(), "{refused}");
        }
        client.go_on.send(true).unwrap();
        let reply = client.read().await;
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(1), &json!(false)), "{reply}");
    });
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn all_calls_that_read_files_share_one_limit() {
    /// The number of calls that run at the same time.
    const ROOM: u64 = 32;
    near(async |mut client| {
        for id in 1..=ROOM {
            client.call_up_to_the_clock(id).await;
        }
        let file = json!({ "uri": "skill://demo/SKILL.md" });
        let prompt = json!({ "name": "use_skill", "arguments": { "name": "demo" } });
        for (id, method, params) in [
            (33, "skills/get", &file),
            (34, "resources/read", &file),
            (35, "prompts/get", &prompt),
            (36, "skills/list", &json!({})),
        ] {
            client.send(json!({ "id": id, "method": method, "params": params })).await;
        }
        for id in [37, 38] {
            client.send(json!({ "id": id, "method": "tools/list" })).await;
            assert_eq!(client.read().await["id"], id, "what reads no file waits for nothing");
        }
        assert!(client.asked.try_recv().is_err(), "a file was read");
        // Every call reads the clock once. Calls that read files read it again, for their event and for their caches.
        (0..2 * ROOM).for_each(|_| client.go_on.send(true).unwrap());
        let mut answered = Vec::new();
        for _ in 1..=36 {
            let reply = client.read().await;
            assert!(reply.get("error").is_none(), "{reply}");
            answered.push(reply["id"].as_u64().unwrap());
        }
        answered.sort_unstable();
        assert_eq!(answered, (1..=36).collect::<Vec<_>>());
    });
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn sixty_four_calls_at_once_are_all_answered() {
    let site = Site::built("demo", "# Top\nwords\n");
    let mut client = Client::start(&site, Lifecycle::Initialize("2025-11-25"));
    let calls = [
        json!({ "name": "skc_outline", "arguments": { "skill": "demo" } }),
        json!({ "name": "skc_search", "arguments": { "skill": "demo", "query": "words" } }),
        json!({ "name": "skc_show", "arguments": { "skill": "demo", "section": "Top" } }),
        json!({ "name": "skc_stats", "arguments": { "skill": "demo" } }),
    ];
    let ids: Vec<u64> = (0..64).map(|n| client.send("tools/call", calls[n % calls.len()].clone())).collect();
    for id in ids {
        let reply = client.reply_to(id);
        assert_eq!(reply["result"]["isError"], false, "{reply}");
    }
    assert_eq!(client.close().status, 0);
    assert_eq!(super::logged(&site, "demo").len(), 1 + 64, "the build and each call");
}

/// RFC-0007:C-MCP-SERVER
#[test]
#[cfg(target_os = "linux")]
fn a_client_that_never_reads_is_not_read_either() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    /// The number of requests. Their replies are many times larger than what the server buffers.
    const REQUESTS: usize = 20_000;
    let site = Site::new();
    let mut child = site.command(["mcp"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (told, progress) = channel();
    let writer = thread::spawn(move || {
        let hello = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mute","version":"1"}}}"#;
        writeln!(input, "{hello}").unwrap();
        for id in 0..REQUESTS {
            writeln!(input, r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#).unwrap();
            told.send(id).unwrap();
        }
    });
    // Stop once nothing has been accepted for a while: the writer is blocked.
    let mut last = 0;
    while let Ok(id) = progress.recv_timeout(Duration::from_secs(2)) {
        last = id;
    }
    assert!(last < REQUESTS - 1, "all was read");
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let resident_kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(resident_kib < 100 * 1024, "{line}");
    // Once the client reads, every request is answered.
    let answered = BufReader::new(output).lines().map_while(Result::ok).count();
    writer.join().unwrap();
    assert_eq!(answered, 1 + REQUESTS);
    assert!(child.wait().unwrap().success());
}
