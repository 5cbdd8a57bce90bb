//! A session in each generation of the protocol, from the first line to the last.

use super::client::CLIENT;
use super::{Client, LIFECYCLES, Lifecycle, logged};
use crate::site::Site;
use serde_json::json;

#[test]
fn each_generation_of_the_protocol_is_served_until_the_input_ends() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    for lifecycle in LIFECYCLES {
        let mut client = Client::start(&site, lifecycle);
        let reply = client.call("skc_list", json!({}));
        assert_eq!(reply["structuredContent"]["skills"][0]["name"], "demo", "{lifecycle:?}");
        let end = client.close();
        assert_eq!((end.status, end.out.as_str(), end.err.as_str()), (0, "", ""), "{lifecycle:?}");
    }
}

#[test]
fn a_stateless_client_discovers_the_server() {
    let site = Site::new();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let reply = client.ask("server/discover", json!({}));
    assert_eq!(reply["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "skillc", "{reply}");
    assert!(reply["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{reply}");
}

#[test]
fn a_call_is_logged_with_the_name_that_the_client_gives() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n");
    for lifecycle in LIFECYCLES {
        Client::start(&site, lifecycle).call("skc_outline", json!({ "skill": "demo" }));
    }
    let events = logged(&site, "demo");
    assert_eq!(events.len(), LIFECYCLES.len(), "{events:?}");
    for event in events {
        assert_eq!((event.command.as_str(), event.args["client"].as_str()), ("outline", Some(CLIENT)));
    }
}

#[test]
fn lines_that_are_no_messages_do_not_end_the_server() {
    let site = Site::new();
    let mut client = Client::start(&site, Lifecycle::Raw);
    for line in [&b"\xff\xfe"[..], b"", b"{", b"[]", b"null"] {
        client.send_line(line);
    }
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "raw", "version": "0" },
    });
    client.send_line(
        json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params }).to_string(),
    );
    let reply = std::iter::repeat_with(|| client.read()).find(|message| message["id"] == 7).unwrap();
    assert_eq!(reply["result"]["serverInfo"]["name"], "skillc");
    assert_eq!(client.close().status, 0);
}
