//! A complete session of an agent over every transport (RFC-0007:C-MCP-TOOLS): it finds a real skill, looks through
//! it, reads a section and a file, and the log records which client it was.

use super::http::Http;
use super::{Client, LIFECYCLES, client, logged, socket};
use crate::site::Site;
use serde_json::{Value, json};

/// The skill that ships in the program.
const SKILL: &str = "using-skc";

type Call = Box<dyn FnMut(&str, Value) -> Value>;

/// A transport to the server.
struct Way {
    /// The client's name in the log.
    client: &'static str,
    /// Sends a call of a tool and returns its result.
    call: Call,
}

/// Standard input and output, in both protocol generations.
fn pipes(site: &Site) -> Vec<Way> {
    let way = |lifecycle| {
        let mut pipe = Client::start(site, lifecycle);
        Way { client: client::CLIENT, call: Box::new(move |tool, arguments| pipe.call(tool, arguments)) }
    };
    LIFECYCLES.into_iter().map(way).collect()
}

/// HTTP in the older protocol generation: the client names itself in a header.
fn http(site: &Site) -> Way {
    let http = Http::start(site);
    let call = move |tool: &str, arguments: Value| {
        let headers = [("MCP-Protocol-Version", "2025-11-25"), ("User-Agent", "old-client/7")];
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        http.post(&headers, message.to_string()).json()["result"].take()
    };
    Way { client: "old-client/7", call: Box::new(call) }
}

/// HTTP in version 2026-07-28: each request names the client.
fn stateless_http(site: &Site) -> Way {
    let http = Http::start(site);
    let call = move |tool: &str, arguments: Value| {
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
            ("User-Agent", "library/1"),
        ];
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "new-client", "version": "8" },
        });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        http.post(&headers, message.to_string()).json()["result"].take()
    };
    Way { client: "new-client/8", call: Box::new(call) }
}

fn unix_socket(site: &Site) -> Way {
    let served = socket::serve(site);
    let mut client = socket::Client::connect(&socket::path(site));
    let call = move |tool: &str, arguments: Value| {
        let _lives = &served;
        let params = json!({ "name": tool, "arguments": arguments });
        client.ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))["result"]
            .take()
    };
    Way { client: "s/1", call: Box::new(call) }
}

/// Calls a tool and returns its data and its text. Fails on a tool error.
#[track_caller]
fn told(way: &mut Way, tool: &str, arguments: Value) -> (Value, String) {
    let mut reply = (way.call)(tool, arguments);
    assert_eq!(reply["isError"], false, "{tool}: {reply}");
    let text = reply["content"][0]["text"].as_str().unwrap();
    let text = text.split("base directory: ").next().unwrap().to_owned();
    (reply["structuredContent"].take(), text)
}

/// The calls of an agent that was asked how to check a skill.
fn story(way: &mut Way) {
    let (list, _) = told(way, "skc_list", json!({ "pattern": "using-*" }));
    let skill = list["skills"][0]["name"].clone();
    assert_eq!(skill, SKILL);
    let (_, headings) = told(way, "skc_outline", json!({ "skill": skill, "level": 2 }));
    assert!(headings.contains("references/authoring.md"), "{headings}");
    let (found, _) = told(way, "skc_search", json!({ "skill": skill, "query": "checking skill" }));
    let (file, section) = (&found["results"][0]["file"], &found["results"][0]["section"]);
    assert_eq!(section, "Check a skill by reading it", "{found}");
    let (_, shown) = told(way, "skc_show", json!({ "skill": skill, "section": section, "file": file }));
    assert!(shown.starts_with("## Check a skill by reading it\n"), "{shown}");
    let (_, whole) = told(way, "skc_open", json!({ "skill": skill, "path": file }));
    assert!(whole.contains(&shown) && whole.len() > shown.len(), "{whole}");
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn an_agent_finds_reads_and_is_logged_by_its_name() {
    let site = Site::built("another", "# Another\n");
    for (path, bytes) in skillc::SHIPPED_SKILL {
        site.write(SKILL, path, bytes);
    }
    site.skc(["build", SKILL]).ok();
    let mut seen = logged(&site, SKILL).len();
    let ways = [vec![http(&site), stateless_http(&site), unix_socket(&site)], pipes(&site)];
    for mut way in ways.into_iter().flatten() {
        story(&mut way);
        let events = logged(&site, SKILL).split_off(seen);
        let rows: Vec<_> =
            events.iter().map(|event| (event.command.as_str(), event.args["client"].as_str())).collect();
        let expected = ["outline", "search", "show", "open"].map(|command| (command, Some(way.client)));
        assert_eq!(rows, expected, "{}", way.client);
        let read: Vec<_> = events.iter().map(|event| event.file.as_deref()).collect();
        assert_eq!(read[2..], [Some("references/authoring.md"); 2], "{events:?}");
        seen += events.len();
    }
}
