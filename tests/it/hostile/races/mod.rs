//! Another process swaps a folder of the project with a link, as fast as the system can, while everything is run: the
//! target of the link must never be revealed or written to.
//!
//! `SKC_RACE_CALLS` says how often each call of the server is made over all places (180), `SKC_RACE_COMMANDS` the
//! same of each command (30).

mod scene;

use super::in_time;
use crate::mcp::{Client, Lifecycle};
use crate::random::number;
use scene::{CANARY, Decoy, Exchange, Scene};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is swapped, relative to the project.
const PLACES: &[&str] = &[
    ".skillc/skills/x",
    ".skillc/skills/x/SKILL.md",
    ".skillc/skills/x/refs",
    ".skillc/skills",
    ".skillc",
    ".skillc/runtime",
    ".skillc/runtime/x",
    ".skillc/runtime/x/.skillc-meta",
    ".skillc/logs",
    ".skillc/config.toml",
    ".claude",
    ".claude/skills",
    ".agents/skills",
    "vendor/dl",
    "AGENTS.md",
];

/// Every command; `{n}` is an unused number.
const COMMANDS: &[&str] = &[
    "outline x",
    "show x --section Top",
    "open x refs/a.md",
    "open x SKILL.md",
    "open x secret.txt",
    "sources x",
    "search x marmot",
    "lint x",
    "lint x --fix",
    "lint x --diff",
    "list --check-obsolete",
    "find marmot",
    "load x",
    "load plain",
    "mentions $x",
    "catalog --roots all",
    "catalog --write AGENTS.md",
    "stats x",
    "slim --apply all",
    "doctor",
    "doctor --fix",
    "stats --all --html usage{n}.html",
    "pack x --output x{n}.skill",
    "publish x --well-known public{n}",
    "plugin init --force",
    "plugin sync",
    "plugin check",
    "prove x --badge x{n}.svg",
    "pack x --for well-known --output y{n}.zip",
    "sync",
    "log forget x",
    "undeploy x",
    "targets",
    "config",
    "build x",
    "build --all",
    "build x --copy --force",
    "build x -t codex",
    "build ./vendor/dl --force",
    "init fresh{n}",
    "enable x --project",
    "disable x --project",
    "mcp config claude-code --write --project",
    "eval discovery --queries queries.jsonl --corpus .skillc/skills",
    // Last: if another link takes its place in the meantime, it is not restored.
    "rename x moved",
    "rename moved x",
];

/// The tool calls of one round: each tool with its arguments.
fn calls(round: u64) -> Vec<(&'static str, Value)> {
    let tool = |name: &str, arguments: Value| ("tools/call", json!({ "name": name, "arguments": arguments }));
    let mut all = vec![
        tool("skc_outline", json!({ "skill": "x" })),
        tool("skc_show", json!({ "skill": "x", "section": "Top" })),
        tool("skc_open", json!({ "skill": "x", "path": "SKILL.md" })),
        tool("skc_open", json!({ "skill": "x", "path": "refs/a.md" })),
        tool("skc_open", json!({ "skill": "x", "path": "secret.txt" })),
        tool("skc_sources", json!({ "skill": "x" })),
        tool("skc_search", json!({ "skill": "x", "query": "marmot" })),
        tool("skc_list", json!({ "check_obsolete": true })),
        tool("skc_stats", json!({ "all": true })),
        tool("skc_targets", json!({})),
        tool("skc_config", json!({})),
        tool("skill_search", json!({ "query": "marmot", "roots": "all", "mode": "lexical" })),
        tool("skill_load", json!({ "name": "x", "force": true })),
        tool("skill_load", json!({ "name": "plain", "force": true })),
        tool("skc_build", json!({ "skill": "x" })),
        tool("skc_build", json!({ "all": true, "force": true })),
        tool("skc_build", json!({ "skill": "./vendor/dl", "force": true })),
        tool("skc_init", json!({ "name": format!("made{round}") })),
        ("resources/list", json!({})),
        ("resources/read", json!({ "uri": "skill://x/SKILL.md" })),
        ("resources/read", json!({ "uri": "skill://x/refs/a.md" })),
        ("skills/list", json!({})),
        ("prompts/get", json!({ "name": "use_skill", "arguments": { "name": "x" } })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "" } }),
        ),
    ];
    // The slowest by far.
    if round.is_multiple_of(4) {
        all.push(tool("skc_lint", json!({ "skill": ["x"] })));
    }
    all
}

/// Violations, by what was run and what it did, with the number of times at each place.
#[derive(Default)]
struct Faults(BTreeMap<String, BTreeMap<String, (u64, String)>>);

impl Faults {
    fn note(&mut self, act: &str, what: &str, at: &str, example: String) {
        let places = self.0.entry(format!("{act}: {what}")).or_default();
        places.entry(at.to_owned()).or_insert((0, example)).0 += 1;
    }

    fn shown(&self) -> String {
        let place =
            |(at, (count, example)): (&String, &(u64, String))| format!("    {count} × {at} {example}\n");
        let kind = |(kind, places): (&String, &BTreeMap<_, _>)| {
            format!("{kind}\n{}", places.iter().map(place).collect::<String>())
        };
        self.0.iter().map(kind).collect()
    }
}

/// Checks the output and the state outside.
fn judge(faults: &mut Faults, scene: &mut Scene, act: &str, at: &str, said: &str) {
    if said.contains(CANARY) {
        faults.note(act, "told what stands outside", at, String::new());
    }
    if ["panicked at", "skc panicked"].iter().any(|panic| said.contains(panic)) {
        faults.note(act, "panicked", at, said.to_owned());
    }
    if let Some(first) = scene.changed_outside().first() {
        let first = first.replace(&*scene.outside.to_string_lossy(), "outside");
        let path = first.split(' ').find(|word| word.starts_with("outside")).unwrap_or_default();
        faults.note(act, "changed what stands outside", at, format!("({path})"));
    }
}

/// A scene with a place that is being swapped.
fn begin(place: &str, decoy: Decoy) -> (Scene, Exchange) {
    let scene = Scene::new(decoy);
    let target = scene.outside.join(place);
    let aside = scene.site.root().join("aside");
    let exchange = Exchange::start(scene.site.project().join(place), target, aside);
    (scene, exchange)
}

fn race_calls(place: &str, decoy: Decoy, rounds: u64, faults: &mut Faults) -> u64 {
    let (mut scene, exchange) = begin(place, decoy);
    let at = format!("{place} ({decoy:?})");
    let mut client = Client::start(&scene.site, Lifecycle::Initialize("2025-06-18"));
    for round in 0..rounds {
        for (method, params) in calls(round) {
            scene.edit(round);
            let reply = client.request(method, params.clone());
            judge(faults, &mut scene, &called(method, &params), &at, &reply.to_string());
        }
    }
    let exchanges = exchange.stop();
    let end = client.close();
    judge(faults, &mut scene, "the server's errors", &at, &end.err);
    assert_eq!(end.status, 0, "{}", end.err);
    exchanges
}

/// A call in words, without names that a round created.
fn called(method: &str, params: &Value) -> String {
    let name = params["name"].as_str().unwrap_or_default();
    match method {
        "tools/call" if name == "skc_init" => name.to_owned(),
        "tools/call" => format!("{name} {}", params["arguments"]),
        "resources/read" => format!("{method} {}", params["uri"]),
        method => method.to_owned(),
    }
}

fn race_commands(place: &str, decoy: Decoy, rounds: u64, faults: &mut Faults) -> u64 {
    let (mut scene, exchange) = begin(place, decoy);
    let at = format!("{place} ({decoy:?})");
    for round in 0..rounds {
        for line in COMMANDS {
            scene.edit(round);
            let words = line.replace("{n}", &round.to_string());
            let run = in_time(scene.site.command(words.split(' ')));
            if ![0, 1].contains(&run.status) {
                faults.note(line, "ended oddly", &at, format!("({} {})", run.status, run.err));
            }
            judge(faults, &mut scene, line, &at, &(run.out + &run.err));
        }
    }
    exchange.stop()
}

/// Every place with every decoy, each with a share of the rounds.
fn race(variable: &str, rounds: u64, one: fn(&str, Decoy, u64, &mut Faults) -> u64) {
    let scenes = 2 * PLACES.len() as u64;
    let rounds = number(variable, rounds).div_ceil(scenes);
    let (mut faults, mut exchanges) = (Faults::default(), u64::MAX);
    for place in PLACES {
        for decoy in [Decoy::LookAlike, Decoy::Bare] {
            // Without a SKILL.md there is nothing to swap.
            if (*place, decoy) != (".skillc/skills/x/SKILL.md", Decoy::Bare) {
                exchanges = exchanges.min(one(place, decoy, rounds, &mut faults));
            }
        }
    }
    println!(
        "{rounds} rounds of each at each of {} places, each exchanged at least {exchanges} times",
        PLACES.len()
    );
    assert!(faults.0.is_empty(), "{} kinds of faults:\n{}", faults.0.len(), faults.shown());
    // At least one per round, otherwise nothing was raced with; other tests use the processor at the same time.
    assert!(exchanges > rounds, "only {exchanges} exchanges");
}

/// D5, D1, D4: the server, which can be called many times a second.
#[test]
fn no_call_reads_or_writes_outside_while_a_place_is_exchanged_for_a_link() {
    race("SKC_RACE_CALLS", 180, race_calls);
}

/// D5, D1, D4: each command as a process of its own.
#[test]
fn no_command_reads_or_writes_outside_while_a_place_is_exchanged_for_a_link() {
    race("SKC_RACE_COMMANDS", 30, race_commands);
}
