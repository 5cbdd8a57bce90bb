//! Arguments of calls (RFC-0007:C-MCP-SERVER): a wrong argument is a tool error that says what would be accepted.

use super::{Client, Lifecycle};
use crate::site::{Site, snapshot};
use serde_json::{Value, json};

fn client(site: &Site) -> Client {
    Client::start(site, Lifecycle::Initialize("2025-11-25"))
}

/// Code and message of a tool error.
#[track_caller]
fn tool_error(reply: &Value) -> (String, String) {
    assert_eq!(reply["isError"], true, "{reply}");
    let error = &reply["_meta"]["skillc/errors"][0];
    let text = reply["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(error["message"].as_str().unwrap()), "{reply}");
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn arguments_that_do_not_fit_are_tool_errors_with_a_reason() {
    let site = Site::built("demo", "# Top\n");
    let mut client = client(&site);
    let cases = [
        ("skc_outline", json!({}), "missing argument 'skill'"),
        ("skc_outline", json!({ "skill": 5 }), "'skill' must be a string, got a number"),
        ("skc_outline", json!({ "skill": "demo", "level": "2" }), "'level' must be an integer, got a string"),
        ("skc_outline", json!({ "skill": "demo", "level": 9 }), "level"),
        ("skc_outline", json!({ "skill": "demo", "level": -1 }), "'level' must be at least 1, got -1"),
        ("skc_outline", json!({ "skill": "demo", "format": "json" }), "unknown argument 'format'"),
        ("skc_list", json!({ "scope": "every" }), "must be one of: project, global, all; got \"every\""),
        ("skc_list", json!({ "limit": 0 }), "limit"),
        ("skc_search", json!({ "skill": "demo", "query": ["a"] }), "'query' must be a string, got a list"),
        ("skc_lint", json!({ "skill": "demo", "exit_on": "never" }), "'exit_on'"),
        ("skc_lint", json!({ "skill": "demo", "fix": true }), "'fix' is only for the command line"),
        ("skc_stats", json!({ "all": true, "html": "x.html" }), "'html' is only for the command line"),
    ];
    for (tool, arguments, reason) in cases {
        let (code, message) = tool_error(&client.call(tool, arguments.clone()));
        assert_eq!(code, "E100", "{tool} {arguments}");
        assert!(message.contains(reason), "{tool} {arguments}: {message}");
    }
    // Optional arguments may be null, whatever their type.
    let nulls = json!({ "scope": null, "check_obsolete": null, "limit": null });
    assert_eq!(client.call("skc_list", nulls)["isError"], false);
    assert_eq!(client.call("skc_outline", json!({ "skill": "demo", "level": null }))["isError"], false);
    assert_eq!(client.close().status, 0);
}

/// RFC-0007:C-MCP-SERVER
#[test]
fn an_agent_says_no_path_that_is_written_to() {
    let site = Site::built("demo", "# Top\n");
    let before = snapshot(&site.root().join("home"));
    let mut client = client(&site);
    let out = site.root().join("out");
    for target in ["./out", "../out", "~/out", out.to_str().unwrap(), "claude/../../out"] {
        let arguments = json!({ "skill": "demo", "target": ["claude", target] });
        let (code, message) = tool_error(&client.call("skc_build", arguments));
        assert_eq!(code, "E100");
        assert!(message.contains("only the command line accepts"), "{message}");
    }
    assert_eq!(client.call("skc_build", json!({ "skill": "demo", "target": ["claude"] }))["isError"], false);
    assert_eq!(client.close().status, 0);
    assert!(!out.exists() && !site.project().join("out").exists());
    assert_eq!(snapshot(&site.root().join("home")), before);
}
