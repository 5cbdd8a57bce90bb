//! Arbitrary bytes on standard input (RFC-0007:C-MCP-SERVER): the output is only protocol messages, and the server
//! runs until the input ends.

use super::{Client, LIFECYCLES, Lifecycle};
use crate::random::number;
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::Stdio;

fn begun(site: &Site) -> Client {
    Client::start(site, Lifecycle::Initialize("2025-11-25"))
}

/// Asserts that the server still answers and exits with success.
#[track_caller]
fn is_well(mut client: Client) {
    let tools = client.ask("tools/list", json!({}));
    assert!(tools["tools"].as_array().is_some_and(|tools| tools.len() > 5), "{tools}");
    let end = client.close();
    assert_eq!((end.status, end.err.as_str()), (0, ""), "{}", end.out);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn a_bad_line_is_answered_or_skipped_and_the_next_one_is_served() {
    let site = Site::new();
    let mut client = begun(&site);
    let deep = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"ping","params":{}"#, "[".repeat(1_000_000));
    let cases: &[(&[u8], Option<i64>)] = &[
        (b"", None),
        (b"   ", None),
        (b"\xEF\xBB\xBF", None),
        (b"no JSON", Some(-32700)),
        (b"\xEF\xBB\xBF\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", Some(-32700)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xFFng\"}", Some(-32700)),
        (b"\xFF\xFE\x00", Some(-32700)),
        (deep.as_bytes(), Some(-32700)),
        (b"[]", Some(-32600)),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, Some(-32601)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such"}}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None),
        (br#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#, None),
        (br#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#, None),
        (br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#, None),
        (br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}"#, None),
    ];
    for (line, code) in cases {
        client.send_line(line);
        let ping = client.send("ping", json!({}));
        let first = client.read();
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        match code {
            Some(code) => {
                assert_eq!(first["error"]["code"], *code, "{shown}: {first}");
                client.reply_to(ping);
            }
            None => assert_eq!(first["id"], ping, "{shown}: {first}"),
        }
    }
    is_well(client);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn an_id_comes_back_as_it_was_given() {
    let site = Site::new();
    let mut client = begun(&site);
    for id in [json!(0), json!(-5), json!(i64::MAX), json!(""), json!("a\"\u{0}é"), json!("7")] {
        client.send_line(json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string());
        assert_eq!(client.read()["id"], id);
    }
    is_well(client);
}

/// RFC-0007:C-MCP-SERVER, L3
#[test]
fn an_unreadable_request_is_answered_by_its_id() {
    let site = Site::new();
    let mut client = begun(&site);
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for line in [
        r#"{"jsonrpc":"2.0","id":"mine","method":"ping","params":{"a":"\ud800"}}"#.to_owned(),
        r#"{"params":{"a":"\ud800"},"method":"ping","id":"mine","jsonrpc":"2.0"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":"mine","method":"ping","params":{{"a":{deep}}}}}"#),
        r#"{"jsonrpc":"2.0","id":"\u006dine","method":"ping","params":{"#.to_owned(),
    ] {
        client.send_line(&line);
        let refused = client.read();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("mine"), &json!(-32700)), "{line}");
    }
    client.send_line(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"\ud800"}}"#);
    is_well(client);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn a_line_of_more_than_four_mebibytes_is_refused() {
    let site = Site::new();
    let mut client = begun(&site);
    let padded = |bytes: usize| {
        let message =
            json!({ "jsonrpc": "2.0", "id": 5, "method": "ping", "params": { "pad": "x".repeat(bytes) } });
        message.to_string()
    };
    client.send_line(padded(4 << 20));
    let refused = client.read();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    client.send_line(padded((4 << 20) - 1_000));
    assert_eq!(client.read()["id"], 5);
    client.send_line("x".repeat(20 << 20));
    assert_eq!(client.read()["error"]["code"], -32600);
    is_well(client);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn messages_before_the_handshake_do_not_end_the_server() {
    let site = Site::new();
    let mut client = Client::start(&site, Lifecycle::Raw);
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        "junk",
    ] {
        client.send_line(line);
    }
    assert_eq!(client.read()["error"]["code"], -32700);
    assert!(client.request("ping", json!({})).get("result").is_some());
    assert!(client.request("tools/list", json!({})).get("error").is_some(), "no handshake yet");
    client.notify("notifications/initialized", json!({}));
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "late", "version": "1" },
    });
    assert_eq!(client.ask("initialize", hello)["protocolVersion"], "2025-11-25");
    is_well(client);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn nothing_but_protocol_is_on_standard_output() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    site.write("demo", "references/bad.md", b"\xFF\xFE");
    let team = "[team]\nurl = 'postgres://team.example/x'\npassword_file = 'none'\n";
    put(&site.home().join(".skillc/config.toml"), format!("unknown_key = 1\n{team}"));
    for lifecycle in LIFECYCLES {
        let mut command = site.command(["-v", "mcp"]);
        command.envs([("RUST_LOG", "trace"), ("SKC_VERBOSE", "1"), ("RUST_BACKTRACE", "full")]);
        let mut client = Client::start_command(command, lifecycle);
        // The client fails on any line that is not a message.
        let built = client.call("skc_build", json!({ "skill": "demo" }));
        assert_eq!(built["isError"], false, "{built}");
        if lifecycle == LIFECYCLES[0] {
            assert!(built["content"][0]["text"].as_str().unwrap().contains("W020"), "{built}");
        }
        client.call("skc_outline", json!({ "skill": "demo" }));
        client.call("skc_outline", json!({ "skill": "none" }));
        let end = client.close();
        assert_eq!((end.status, end.out.as_str()), (0, ""));
        assert!(end.err.contains("error[E101]") && end.err.contains("demo"), "{}", end.err);
    }
}

/// A session of two calls, as bytes.
fn session() -> Vec<u8> {
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "brief", "version": "1" },
    });
    let outline = json!({ "name": "skc_outline", "arguments": { "skill": "demo" } });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": outline }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" }),
    ];
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn the_end_of_input_at_any_moment_ends_the_server_with_status_0() {
    let site = Site::built("demo", "# Top\n");
    let session = session();
    let ends: Vec<usize> =
        (0..session.len()).filter(|at| *at == 0 || session[at - 1] == b'\n').chain([session.len()]).collect();
    let cuts: Vec<usize> =
        ends.iter().flat_map(|end| [*end, end + 1, end + 40]).filter(|at| *at <= session.len()).collect();
    for cut in cuts {
        for reads in [true, false] {
            let mut child = site.command(["mcp"]).stdin(Stdio::piped()).spawn().unwrap();
            let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take());
            if !reads {
                // Close the reading end, so that the server's writes fail.
                drop(output.take());
            }
            // Without a reader, the server may already have ended.
            let _ = input.write_all(&session[..cut]);
            drop(input);
            let mut out = String::new();
            if let Some(mut output) = output {
                output.read_to_string(&mut out).unwrap();
            }
            assert!(child.wait().unwrap().success(), "cut at {cut}");
            let whole = session[..cut].iter().filter(|byte| **byte == b'\n').count();
            let requests = if reads { [0, 1, 1, 2, 3][whole] } else { 0 };
            assert_eq!(
                out.lines().count(),
                requests,
                "cut at {cut}: each request that came whole is answered: {out}"
            );
        }
    }
}

/// RFC-0007:C-MCP-SERVER
#[test]
#[cfg(unix)]
fn a_signal_ends_the_server_with_status_0() {
    let site = Site::new();
    for signal in ["-TERM", "-INT"] {
        let mut child = site.command(["mcp"]).stdin(Stdio::piped()).spawn().unwrap();
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        input.write_all(&session()).unwrap();
        // Wait for the first answer, which shows that the server runs.
        output.read_exact(&mut [0]).unwrap();
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        drop(input);
    }
}

/// Random numbers from a seed, the same on every system (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Byte sequences that are likely to break a parser.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"null",
    b"-1",
    b"1e999",
    b"\xFF",
    b"\0",
    b"\n",
    b"\r\n",
    b"18446744073709551616",
    b"\"id\":null,",
    b"\"id\":[],",
    b"\"method\":1,",
    b"\"jsonrpc\":\"1.0\",",
    b"\"result\":{},",
    b"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7},",
    b"../..",
    b"%2e%2e",
    b"skill://",
];

/// A copy of a line with some bytes changed, removed, duplicated or inserted.
fn mutated(line: &[u8], random: &mut Random) -> Vec<u8> {
    let mut line = line.to_vec();
    for _ in 0..=random.below(3) {
        let (at, len) = (random.below(line.len()), random.below(12));
        let end = (at + len).min(line.len());
        match random.below(6) {
            0 if !line.is_empty() => line[at] = random.next() as u8,
            1 => drop(line.drain(at..end)),
            2 => line.truncate(at),
            3 => {
                let part = line[at..end].to_vec();
                line.splice(at..at, part);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                line.splice(at..at, piece.iter().copied());
            }
        }
    }
    line
}

/// Valid lines of both protocol generations; serving them changes nothing.
fn valid_lines() -> Vec<Vec<u8>> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "fuzz", "version": "1" },
    });
    let requests = [
        ("ping", json!({})),
        ("server/discover", json!({ "_meta": meta })),
        ("tools/list", json!({ "cursor": "x" })),
        ("tools/call", json!({ "name": "skc_outline", "arguments": { "skill": "demo", "level": 2 } })),
        ("tools/call", json!({ "name": "skc_explain", "arguments": { "code": "E002" }, "_meta": meta })),
        ("tools/call", json!({ "name": "skc_open", "arguments": { "skill": "demo", "path": "SKILL.md" } })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "skill://demo/SKILL.md" })),
        ("resources/directory/read", json!({ "uri": "skill://demo" })),
        ("skills/list", json!({})),
        ("skills/get", json!({ "uri": "skill://demo/SKILL.md" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "use_skill", "arguments": { "name": "demo" } })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "d" } }),
        ),
        ("logging/setLevel", json!({ "level": "info" })),
        ("subscriptions/listen", json!({ "notifications": { "resourcesListChanged": true }, "_meta": meta })),
    ];
    let request = |(id, (method, params)): (usize, &(&str, Value))| {
        json!({ "jsonrpc": "2.0", "id": format!("f-{id}"), "method": method, "params": params })
            .to_string()
            .into_bytes()
    };
    let mut lines: Vec<Vec<u8>> = requests.iter().enumerate().map(request).collect();
    for notification in ["notifications/initialized", "notifications/cancelled", "notifications/progress"] {
        let params = json!({ "requestId": "f-3", "progressToken": 1, "progress": 1 });
        lines.push(
            json!({ "jsonrpc": "2.0", "method": notification, "params": params }).to_string().into_bytes(),
        );
    }
    lines
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn thousands_of_broken_lines_leave_the_server_answering() {
    let count = number("SKC_FUZZ_LINES", 6_000);
    let site = Site::new();
    site.write("demo", "SKILL.md", skill_md("demo", "# Top\n"));
    let lines = valid_lines();
    for seed in [1, 0xC0FFEE] {
        println!("seed {seed}");
        let mut random = Random(seed);
        let mut client = begun(&site);
        for _ in 0..count {
            let line = &lines[random.below(lines.len())];
            client.send_line(mutated(line, &mut random));
        }
        client.send_line(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
        client.wait_for("answer to the last line", |message| message["id"] == "last");
        is_well(client);
    }
}
