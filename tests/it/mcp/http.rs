//! The server over HTTP (RFC-0007:C-MCP-TRANSPORTS), tested at the level of bytes.

use super::logged;
use crate::site::{Site, put};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;

/// A running server.
pub struct Served {
    /// Its process.
    pub child: Child,
    /// The first lines of its standard error.
    pub told: Vec<String>,
}

impl Served {
    /// Starts it, and waits until it accepts connections, which is when it has printed this number of lines.
    #[track_caller]
    pub fn start(mut command: Command, lines: usize) -> Self {
        let mut child = command.spawn().unwrap();
        let told = BufReader::new(child.stderr.as_mut().unwrap()).lines().take(lines);
        let told: Vec<String> = told.map(Result::unwrap).collect();
        assert_eq!(told.len(), lines, "{told:?}");
        Self { child, told }
    }

    /// Sends it a signal; returns its exit status and its whole standard output.
    pub fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let done = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        (self.child.wait().unwrap().code(), out)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The server over HTTP of a site.
pub struct Http {
    /// Its process.
    pub served: Served,
    /// Address and port.
    pub address: String,
    /// The token that requests have to carry.
    pub token: String,
}

/// A response: its status, its head in lower case, its body.
#[derive(Debug)]
pub struct Answer {
    /// Such as 200.
    pub status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

fn token_file(site: &Site) -> PathBuf {
    site.home().join(".skillc/mcp-token")
}

impl Http {
    /// Starts it on a free port.
    pub fn start(site: &Site) -> Self {
        let served = Served::start(site.command(["mcp", "--http", "127.0.0.1:0"]), 2);
        let url = served.told[0].strip_prefix("listening on http://").expect("an address");
        let address = url.strip_suffix("/mcp").expect("the path").to_owned();
        let token = fs::read_to_string(token_file(site)).unwrap().trim().to_owned();
        Self { served, address, token }
    }

    /// Sends these bytes and reads the response to its end.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Posts a body with a client's usual headers; the given ones replace or add to them.
    pub fn post(&self, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
        self.raw(&self.request(headers, body))
    }

    /// The bytes of such a request.
    pub fn request(&self, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
        let bearer = format!("Bearer {}", self.token);
        let usual = [
            ("Host", self.address.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Authorization", &bearer),
            ("Connection", "close"),
        ];
        let mut request = "POST /mcp HTTP/1.1\r\n".to_owned();
        let left = usual.iter().filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
        for (name, value) in left.chain(headers).filter(|(_, value)| !value.is_empty()) {
            request += &format!("{name}: {value}\r\n");
        }
        let body = body.as_ref();
        request += &format!("Content-Length: {}\r\n\r\n", body.len());
        [request.as_bytes(), body].concat()
    }
}

/// The request body of a tool call.
pub fn call(tool: &str, arguments: Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn both_generations_are_served_over_http_and_the_log_has_the_clients_name() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    assert_eq!(http.post(&[], hello.to_string()).json()["result"]["protocolVersion"], "2025-11-25");
    let outline = call("skc_outline", json!({ "skill": "demo" }));
    let headers = [("MCP-Protocol-Version", "2025-11-25"), ("User-Agent", "old-client/7")];
    assert_eq!(http.post(&headers, &outline).json()["result"]["isError"], false);

    let mut outline: Value = serde_json::from_str(&outline).unwrap();
    outline["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "new-client", "version": "8" },
    });
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "skc_outline"),
        ("User-Agent", "library/1"),
    ];
    let reply = http.post(&headers, outline.to_string());
    assert_eq!(reply.json()["result"]["isError"], false, "{reply:?}");
    let clients: Vec<Value> =
        logged(&site, "demo").into_iter().map(|event| event.args["client"].clone()).collect();
    assert_eq!(clients[1..], [json!("old-client/7"), json!("new-client/8")]);
    assert_eq!(http.served.end("-TERM"), (Some(0), String::new()));
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn the_token_is_made_once_for_its_user_alone() {
    let site = Site::new();
    let first = Http::start(&site);
    assert!(first.served.told[1].contains("mcp-token"), "{:?}", first.served.told);
    assert_eq!(fs::metadata(token_file(&site)).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(first.token.len() == 64 && first.token.bytes().all(|b| b.is_ascii_hexdigit()), "{}", first.token);
    let second = Http::start(&site);
    assert_eq!(first.token, second.token);
    let left: Vec<_> =
        fs::read_dir(site.home().join(".skillc")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mcp-token"]);
    assert_eq!(first.served.end("-INT"), (Some(0), String::new()));
    assert_eq!(second.served.end("-TERM"), (Some(0), String::new()));
    let other = Site::new();
    assert_ne!(Http::start(&other).token, second_token(&site));
}

fn second_token(site: &Site) -> String {
    fs::read_to_string(token_file(site)).unwrap().trim().to_owned()
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_token_that_is_a_link_or_open_to_others_or_none_is_refused() {
    let token = "ab".repeat(32);
    for (mode, text) in
        [(0o644, token.as_str()), (0o660, &token), (0o600, ""), (0o600, "short"), (0o600, &token[1..])]
    {
        let site = Site::new();
        put(&token_file(&site), text);
        fs::set_permissions(token_file(&site), fs::Permissions::from_mode(mode)).unwrap();
        site.skc(["mcp", "--http", "127.0.0.1:0"]).fails("E102");
        assert_eq!(fs::read_to_string(token_file(&site)).unwrap(), text);
    }
    let site = Site::new();
    let elsewhere = site.root().join("elsewhere");
    put(&elsewhere, &token);
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(site.home().join(".skillc")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, token_file(&site)).unwrap();
    site.skc(["mcp", "--http", "127.0.0.1:0"]).fails("E102");
    fs::remove_file(token_file(&site)).unwrap();
    fs::create_dir(token_file(&site)).unwrap();
    site.skc(["mcp", "--http", "127.0.0.1:0"]).fails("E102");
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_caller_without_the_token_learns_only_that_one_is_needed() {
    let site = Site::new();
    let http = Http::start(&site);
    let list = call("skc_list", json!({}));
    let wrong = format!("Bearer {}", "0".repeat(64));
    let basic = format!("Basic {}", http.token);
    for shown in ["", "Bearer", wrong.as_str(), basic.as_str(), http.token.as_str()] {
        let answer = http.post(&[("Authorization", shown)], &list);
        assert_eq!(answer.status, 401, "{shown}");
        assert!(answer.head.contains("www-authenticate: bearer"), "{}", answer.head);
        assert!(!answer.body.contains("tool"), "{}", answer.body);
    }
    assert_eq!(http.post(&[], &list).status, 200);
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_page_of_another_origin_and_a_name_of_another_host_are_refused() {
    let site = Site::new();
    let http = Http::start(&site);
    let list = call("skc_list", json!({}));
    for origin in ["http://evil.example", "https://127.0.0.1.evil.example", "null", "file://"] {
        assert_eq!(http.post(&[("Origin", origin)], &list).status, 403, "{origin}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example:80", "169.254.169.254"] {
        assert_eq!(http.post(&[("Host", host)], &list).status, 403, "{host}");
    }
    for origin in ["http://localhost:3000", "http://127.0.0.1:9", "http://[::1]:1", "https://localhost"] {
        assert_eq!(http.post(&[("Origin", origin)], &list).status, 200, "{origin}");
    }
    assert_eq!(http.post(&[("Host", "localhost:1")], &list).status, 200);
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_body_too_large_or_none_of_the_protocol_is_refused() {
    let site = Site::new();
    let http = Http::start(&site);
    assert_eq!(http.post(&[], vec![b' '; (1 << 20) + 1]).status, 413);
    assert_eq!(http.post(&[], vec![b'x'; 8 << 20]).status, 413);
    let mut padded = call("skc_list", json!({}));
    padded += &" ".repeat((1 << 20) - padded.len());
    assert_eq!(http.post(&[], padded).status, 200);
    for (body, code) in [
        ("{", -32700),
        ("[]", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":4}}"#, -32602),
    ] {
        let answer = http.post(&[], body);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(code)), "{body}");
    }
    assert!(http.post(&[], "").status >= 400);
    assert_eq!(http.post(&[("Content-Type", "text/plain")], call("skc_list", json!({}))).status, 415);
    let bearer = &http.token;
    let head = format!("Host: localhost\r\nAuthorization: Bearer {bearer}\r\nConnection: close\r\n\r\n");
    assert_eq!(http.raw(format!("GET /mcp HTTP/1.1\r\n{head}").as_bytes()).status, 405);
    assert_eq!(http.raw(format!("POST /other HTTP/1.1\r\n{head}").as_bytes()).status, 404);
    assert_eq!(http.raw(b"no HTTP\r\n\r\n").status, 400);
    assert_eq!(http.served.end("-TERM"), (Some(0), String::new()));
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn an_address_that_other_machines_reach_needs_a_word() {
    let site = Site::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let refused = site.skc(["mcp", "--http", address]).fails("E100");
        assert!(refused.err.contains("--allow-remote"), "{}", refused.err);
    }
    assert!(!token_file(&site).exists());
    let served = Served::start(site.command(["mcp", "--http", "0.0.0.0:0", "--allow-remote"]), 2);
    assert_eq!(served.end("-TERM").0, Some(0));
    for wrong in [
        &["mcp", "--http", "example.com:80"][..],
        &["mcp", "--http", "127.0.0.1"],
        &["mcp", "--allow-remote"],
    ] {
        site.skc(wrong).fails("E100");
    }
    let http = Http::start(&site);
    site.skc(["mcp", "--http", &http.address]).fails("E103");
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn many_callers_at_once_are_all_answered_and_idle_ones_block_no_other() {
    let site = Site::built("demo", "# Top\nwords\n");
    let http = Arc::new(Http::start(&site));
    let idle: Vec<TcpStream> = (0..32).map(|_| TcpStream::connect(&http.address).unwrap()).collect();
    let ask = |_| {
        let http = http.clone();
        std::thread::spawn(move || {
            http.post(&[], call("skc_search", json!({ "skill": "demo", "query": "words" })))
        })
    };
    let asked: Vec<_> = (0..64).map(ask).collect();
    for answer in asked {
        assert_eq!(answer.join().unwrap().json()["result"]["isError"], false);
    }
    drop(idle);
    let http = Arc::into_inner(http).unwrap();
    assert_eq!(http.served.end("-TERM"), (Some(0), String::new()));
}

/// RFC-0010:C-SESSION
#[test]
fn over_http_a_session_is_what_the_client_says() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let suppressed = |headers: &[(&str, &str)]| {
        let reply = http.post(headers, call("skill_load", json!({ "name": "demo" }))).json();
        reply["result"]["structuredContent"]["suppressed"].clone()
    };
    let version = ("MCP-Protocol-Version", "2025-11-25");
    let (one, two) = (("Mcp-Session-Id", "one"), ("Mcp-Session-Id", "two"));
    let loads =
        [&[version][..], &[version], &[version, one], &[version, one], &[version, two]].map(suppressed);
    assert_eq!(loads, [false, false, false, true, false].map(Value::from));
}

fn initialize(http: &Http) -> Answer {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    http.post(&[], json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string())
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_subscription_that_http_cannot_fulfil_is_not_offered() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let capabilities = initialize(&http).json()["result"]["capabilities"].clone();
    let resources = capabilities["resources"].as_object().unwrap();
    assert!(!resources.contains_key("subscribe") && !resources.contains_key("listChanged"), "{resources:?}");
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": "skill://demo/SKILL.md" },
    });
    let refused = http.post(&[("MCP-Protocol-Version", "2025-11-25")], subscribe.to_string()).json();
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    // It is possible over standard input and output, and the newer generation can subscribe over both.
    let mut client = super::Client::start_command(site.command(["mcp"]), super::Lifecycle::Raw);
    assert_eq!(client.shake_hands("2025-11-25")["capabilities"]["resources"]["subscribe"], true);
}

/// RFC-0007:C-MCP-TRANSPORTS
#[test]
fn a_client_is_given_a_session_in_which_calls_can_be_cancelled() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let session = |answer: &Answer| {
        let line = answer.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        line.map(str::to_owned)
    };
    let (one, two) = (session(&initialize(&http)).unwrap(), session(&initialize(&http)).unwrap());
    assert_ne!(one, two);
    // A locked log keeps the call waiting for longer than the test runs.
    let log = rusqlite::Connection::open(site.runtime("demo").join(".skillc-meta/logs.db")).unwrap();
    assert_eq!(
        http.post(&[("Mcp-Session-Id", &one)], call("skc_outline", json!({ "skill": "demo" }))).status,
        200
    );
    log.execute_batch("BEGIN EXCLUSIVE").unwrap();
    std::thread::scope(|threads| {
        let waits = threads.spawn(|| {
            http.post(&[("Mcp-Session-Id", &one)], call("skc_outline", json!({ "skill": "demo" })))
        });
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        std::thread::sleep(std::time::Duration::from_millis(500));
        http.post(&[("Mcp-Session-Id", &two)], cancel.to_string());
        http.post(&[], cancel.to_string());
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!waits.is_finished(), "it is a call of another session");
        let begun = std::time::Instant::now();
        http.post(&[("Mcp-Session-Id", &one)], cancel.to_string());
        let answer = waits.join().unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (202, ""), "{answer:?}");
        assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    });
    log.execute_batch("ROLLBACK").unwrap();
}
