//! A running server picks up changes of the configuration (RFC-0007:C-MCP-FRESH).

use super::http::{Http, call};
use super::{Client, Lifecycle};
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;

/// Calls tools of a running server.
type Caller<'a> = Box<dyn FnMut(&str, Value) -> Value + 'a>;

/// Runs a test over stdio and over HTTP, on sites of their own with two skills.
fn on_both(test: impl Fn(&Site, &mut Caller<'_>)) {
    let site = || {
        let site = Site::new();
        ["open", "other"].iter().for_each(|name| site.write_skill(name, "# Top\n\nThe marmot whistles.\n"));
        site
    };
    let stdio = site();
    let mut client = Client::start(&stdio, Lifecycle::Initialize("2025-11-25"));
    let mut caller: Caller<'_> = Box::new(|tool, arguments| client.call(tool, arguments));
    test(&stdio, &mut caller);
    let over_http = site();
    let http = Http::start(&over_http);
    let mut caller: Caller<'_> =
        Box::new(|tool, arguments| http.post(&[], call(tool, arguments)).json()["result"].clone());
    test(&over_http, &mut caller);
}

fn code(reply: &Value) -> &str {
    reply["_meta"]["skillc/errors"][0]["code"].as_str().unwrap_or("ok")
}

fn load(caller: &mut Caller<'_>, name: &str) -> Value {
    caller("skill_load", json!({ "name": name, "force": true }))
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_skill_that_is_switched_off_and_on_again_is_so_for_the_next_call() {
    on_both(|site, caller| {
        assert_eq!(code(&load(caller, "open")), "ok");
        site.skc(["disable", "open"]).ok();
        assert_eq!(code(&load(caller, "open")), "E073");
        assert_eq!(code(&caller("skc_outline", json!({ "skill": "open" }))), "E073");
        assert_eq!(code(&load(caller, "other")), "ok");
        site.skc(["enable", "open"]).ok();
        assert_eq!(code(&load(caller, "open")), "ok");
    });
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn rules_of_both_files_count_for_the_next_call() {
    on_both(|site, caller| {
        assert_eq!(code(&load(caller, "open")), "ok");
        let users = site.home().join(".skillc/config.toml");
        let project = site.project().join(".skillc/config.toml");
        for file in [&users, &project] {
            put(file, "[permissions]\ndeny = [\"open\"]\n");
            assert_eq!(code(&load(caller, "open")), "E072", "{}", file.display());
            // A change of the same size within the resolution of the clock.
            put(file, "[permissions]\ndeny = [\"opem\"]\n");
            assert_eq!(code(&load(caller, "open")), "ok", "{}", file.display());
            put(file, "[permissions\n");
            assert_eq!(code(&load(caller, "open")), "E086", "{}", file.display());
            fs::remove_file(file).unwrap();
            assert_eq!(code(&load(caller, "open")), "ok", "{}", file.display());
        }
        put(&users, "[skills]\nenabled = false\n");
        assert_eq!(code(&load(caller, "open")), "E073");
        let found = caller("skill_search", json!({ "query": "marmot" }));
        assert_eq!(found["structuredContent"]["count"], 0, "{found}");
    });
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn consent_that_is_given_as_the_error_says_counts_for_the_next_call() {
    on_both(|site, caller| {
        put(&site.home().join(".skillc/config.toml"), "[permissions]\nconfirm = [\"open\"]\n");
        let refused = load(caller, "open");
        assert_eq!(code(&refused), "E074", "{refused}");
        let hint = refused["_meta"]["skillc/errors"][0]["hint"].as_str().unwrap();
        let command = hint.split_once("`skc ").unwrap().1.split_once('`').unwrap().0;
        site.skc(command.split(' ')).ok();
        assert_eq!(code(&load(caller, "open")), "ok", "{hint}");
    });
}

/// RFC-0007:C-MCP-FRESH
#[test]
fn a_new_root_and_a_new_store_are_searched_by_the_next_call() {
    on_both(|site, caller| {
        put(&site.root().join("tools/far/SKILL.md"), skill_md("far", "# Far\n"));
        assert_eq!(code(&load(caller, "far")), "E071");
        let tools = site.root().join("tools");
        put(
            &site.home().join(".skillc/config.toml"),
            format!("[discovery]\nroots = [{:?}]\n", tools.to_str().unwrap()),
        );
        assert_eq!(code(&load(caller, "far")), "ok");
        let resources = format!("[sources]\nroots = [{:?}]\n", tools.to_str().unwrap());
        put(&site.home().join(".skillc/config.toml"), &resources);
        assert_eq!(code(&caller("skc_outline", json!({ "skill": "far" }))), "ok");
    });
}
