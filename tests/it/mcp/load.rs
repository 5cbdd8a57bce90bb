//! D10: the server's memory does not grow with the number of sessions that have ended.
//!
//! `SKC_SESSIONS` sets their number. The fault was measured with 6,000; 1,500 are enough to detect it.

use super::http::{Http, Served, call};
use super::socket::{Client, path, serve};
use crate::site::Site;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The memory in KiB that the later sessions may add in total. A server that never released a session added 8 to 11
/// per session.
const GROWTH_KIB_MAX: u64 = 1_500;

/// Runs sessions one after the other: the first third, during which caches fill, and then the others, during which
/// memory may hardly grow.
#[track_caller]
fn leave_nothing(served: impl Fn() -> u32, sessions: usize, mut hold: impl FnMut(usize)) {
    let sessions = std::env::var("SKC_SESSIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(sessions);
    (0..sessions / 3).for_each(&mut hold);
    let before = resident_kib(served());
    (sessions / 3..sessions).for_each(&mut hold);
    let after = resident_kib(served());
    println!("{sessions} sessions: {before} KiB after a third of them, {after} KiB after all");
    assert!(after <= before + GROWTH_KIB_MAX, "{before} KiB, then {after} KiB");
}

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn id(served: &Served) -> u32 {
    served.child.id()
}

/// RFC-0007:C-MCP-TRANSPORTS, D10
#[test]
fn sessions_on_the_socket_that_ended_leave_nothing() {
    let site = Site::built("demo", "# Top\n");
    let served = serve(&site);
    leave_nothing(
        || id(&served),
        1_500,
        |n| {
            let mut client = Client::connect(&path(&site));
            client.tell(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
            client.tell(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
            if n % 4 == 0 {
                let params = json!({ "uri": "skill://demo/SKILL.md" });
                client.ask(
                    json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": params }),
                );
            }
            assert_eq!(client.list()["result"]["isError"], false);
            if n % 4 == 1 {
                // A stream that is still open when its client disconnects.
                client.ask(wish_to_listen());
            }
        },
    );
    assert_eq!(served.end("-TERM").0, Some(0));
}

fn wish_to_listen() -> serde_json::Value {
    let wish = json!({ "notifications": { "resourcesListChanged": true } });
    serde_json::from_str(&stateless("subscriptions/listen", wish)).unwrap()
}

/// A request of a client of version 2026-07-28, which identifies itself in each one.
fn stateless(method: &str, mut params: serde_json::Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "load", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

/// RFC-0007:C-MCP-TRANSPORTS, D10
#[test]
fn named_sessions_and_streams_over_http_that_ended_leave_nothing() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let listen = http.request(
        &[("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen")],
        wish_to_listen().to_string(),
    );
    leave_nothing(
        || id(&http.served),
        900,
        |n| {
            if n % 3 > 0 {
                let name = format!("session-{n}");
                let headers = [("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Session-Id", name.as_str())];
                let loaded = http.post(&headers, call("skill_load", json!({ "name": "demo" })));
                assert_eq!(loaded.status, 200, "{loaded:?}");
                return;
            }
            // A stream whose client disconnects while it is open.
            let mut stream = TcpStream::connect(&http.address).unwrap();
            stream.write_all(&listen).unwrap();
            let mut begun = [0; 15];
            stream.read_exact(&mut begun).unwrap();
            assert_eq!(&begun, b"HTTP/1.1 200 OK", "{}", String::from_utf8_lossy(&begun));
        },
    );
    assert_eq!(http.served.end("-TERM").0, Some(0));
}
