//! RFC-0007:C-MCP-RESOURCES: clients that subscribed are notified of edits.

use super::{Client, Lifecycle};
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;

const URI: &str = "skill://demo/SKILL.md";
const LIST: &str = "notifications/resources/list_changed";
const UPDATED: &str = "notifications/resources/updated";

fn demo() -> Site {
    let site = Site::new();
    site.write_skill("demo", "one");
    site.write("demo", "a/x.md", "one");
    site
}

/// Replaces a file of `demo` atomically, so that one edit is one change.
fn replace(site: &Site, path: &str, text: &str) {
    let draft = site.write("demo", ".draft", text);
    fs::rename(draft, site.skill("demo").join(path)).unwrap();
}

fn text(client: &mut Client, uri: &str) -> Value {
    client.ask("resources/read", json!({ "uri": uri }))["contents"][0]["text"].take()
}

/// Opens a stream, waits until the server confirms it, and returns its id.
fn listen(client: &mut Client, wish: Value) -> u64 {
    let id = client.send("subscriptions/listen", json!({ "notifications": wish }));
    let accepted = client.notified("notifications/subscriptions/acknowledged");
    assert_eq!(accepted["notifications"], wish, "{accepted}");
    id
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn an_edit_is_announced_and_the_next_answer_is_the_new_text() {
    let site = demo();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let wish = json!({ "resourcesListChanged": true, "resourceSubscriptions": [URI, "skill://demo/a"] });
    let id = listen(&mut client, wish);
    replace(&site, "SKILL.md", &skill_md("demo", "two"));
    let told = client.notified(UPDATED);
    assert_eq!(told["uri"], URI);
    assert_eq!(told["_meta"]["io.modelcontextprotocol/subscriptionId"], id, "{told}");
    client.notified(LIST);
    assert_eq!(text(&mut client, URI), skill_md("demo", "two"));
    replace(&site, "a/new.md", "new");
    assert_eq!(client.notified(UPDATED)["uri"], "skill://demo/a");
    assert_eq!(text(&mut client, "skill://demo/a/new.md"), "new");
    assert_eq!(client.close().status, 0);
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_client_of_the_older_generation_is_notified_too() {
    let site = demo();
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::start(&site, Lifecycle::Initialize(version));
        client.ask("resources/subscribe", json!({ "uri": URI }));
        replace(&site, "SKILL.md", &skill_md("demo", version));
        assert_eq!(client.notified(UPDATED)["uri"], URI);
        client.notified(LIST);
        assert_eq!(text(&mut client, URI), skill_md("demo", version));
        client.ask("resources/unsubscribe", json!({ "uri": URI }));
        replace(&site, "SKILL.md", &skill_md("demo", "other"));
        client.notified(LIST);
        replace(&site, "a/x.md", version);
        // Notifications of the second change arrive after all of those of the first.
        let told = client.wait_for("announcement", |m| m["method"] == LIST || m["method"] == UPDATED);
        assert_eq!(told["method"], LIST);
        assert_eq!(client.close().status, 0);
    }
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_new_and_a_deleted_skill_are_announced() {
    let site = Site::without_project();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    listen(&mut client, json!({ "resourcesListChanged": true }));
    let store = site.home().join(".skillc/skills");
    put(&store.join("late/SKILL.md"), skill_md("late", "x"));
    client.notified(LIST);
    assert_eq!(client.ask("skills/list", json!({}))["skills"][0]["uri"], "skill://late/SKILL.md");
    fs::remove_dir_all(store.join("late")).unwrap();
    client.notified(LIST);
    assert_eq!(client.ask("skills/list", json!({}))["skills"], json!([]));
}

/// RFC-0007:C-MCP-RESOURCES
#[cfg(unix)]
#[test]
fn an_edit_of_a_skill_behind_a_link_is_announced() {
    let site = demo();
    let elsewhere = site.project().join("elsewhere");
    put(&elsewhere.join("SKILL.md"), skill_md("linked", "one"));
    let mut client = Client::start(&site, Lifecycle::Stateless);
    listen(&mut client, json!({ "resourceSubscriptions": ["skill://linked/SKILL.md"] }));
    std::os::unix::fs::symlink(&elsewhere, site.skill("linked")).unwrap();
    client.notified(UPDATED);
    put(&elsewhere.join("SKILL.md"), skill_md("linked", "two"));
    client.notified(UPDATED);
    assert_eq!(text(&mut client, "skill://linked/SKILL.md"), skill_md("linked", "two"));
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_client_that_no_longer_listens_is_not_notified() {
    let site = demo();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let first = listen(&mut client, json!({ "resourceSubscriptions": [URI] }));
    client.notify("notifications/cancelled", json!({ "requestId": first }));
    let second = listen(&mut client, json!({ "resourceSubscriptions": [URI] }));
    replace(&site, "SKILL.md", &skill_md("demo", "two"));
    let told = client.notified(UPDATED);
    assert_eq!(told["_meta"]["io.modelcontextprotocol/subscriptionId"], second, "{told}");
}
