//! The commands that write, each with a home directory in which it has something to do.

use super::state::EARLIER_RUN;
use crate::site::{Site, put, skill_md};
use serde_json::json;
use std::fs;

/// A command and the home directory in which it runs.
pub struct Scene {
    pub name: &'static str,
    pub set: fn(&Site),
    pub command: &'static [&'static str],
    /// Error codes that are acceptable when the command runs again after it has completed.
    pub when_done: &'static [&'static str],
}

const fn scene(name: &'static str, set: fn(&Site), command: &'static [&'static str]) -> Scene {
    Scene { name, set, command, when_done: &[] }
}

const fn once(
    name: &'static str,
    set: fn(&Site),
    command: &'static [&'static str],
    when_done: &'static [&'static str],
) -> Scene {
    Scene { name, set, command, when_done }
}

pub const SCENES: &[Scene] = &[
    scene("init", empty, &["init"]),
    once("init a skill", base, &["init", "fresh"], &["E050"]),
    scene("first build", base, &["build", "alpha"]),
    scene("build all", base, &["build", "--all", "--target", "claude,cursor"]),
    scene("build after an edit", edited, &["build", "alpha"]),
    scene("build a copy", built, &["build", "alpha", "--copy", "--force"]),
    scene("import", download, &["build", "../download/delta"]),
    scene("import over another", replaced, &["build", "../download/alpha", "--force"]),
    scene("undeploy", built, &["undeploy", "alpha"]),
    scene("undeploy all", built, &["undeploy", "--all"]),
    once("rename", built, &["rename", "alpha", "omega"], &["E001"]),
    once("rename with a copy", copied, &["rename", "alpha", "omega"], &["E001"]),
    once("remove", built, &["remove", "alpha"], &["E001"]),
    once("remove for good", built, &["remove", "alpha", "--purge"], &["E001"]),
    scene("disable", built, &["disable", "alpha", "--project"]),
    scene("enable", disabled, &["enable", "alpha", "--project"]),
    scene("lint --fix", base, &["lint", "beta", "--fix", "--unsafe"]),
    scene("lint --baseline", base, &["lint", "beta", "--baseline", "baseline.json"]),
    once("undo an import", imported_over, &["undo"], &["E054"]),
    scene("pack", base, &["pack", "alpha", "--output", "alpha.zip"]),
    scene("publish", base, &["publish", "alpha", "gamma", "--well-known", "public"]),
    scene("config set", base, &["config", "set", "search.tokenizer", "cjk"]),
    scene("history import", sessions, &["history", "import"]),
    scene("plugin init", plugin, &["plugin", "init"]),
    scene("plugin sync", drifted, &["plugin", "sync"]),
    scene("catalog --write", base, &["catalog", "--write", "AGENTS.md"]),
    scene("mcp config --write", base, &["mcp", "config", "claude-code", "--write", "--project"]),
    scene("sync", fallback, &["sync"]),
    scene("log forget", built, &["log", "forget", "alpha"]),
    scene("stats --html", built, &["stats", "alpha", "--html", "usage.html"]),
    scene("find", base, &["find", "something to do"]),
    scene("doctor --fix", sick, &["doctor", "--fix"]),
];

fn empty(site: &Site) {
    fs::remove_dir_all(site.project().join(".skillc")).unwrap();
    put(&site.project().join("README.md"), "mine\n");
}

/// Creates three skills, with files of the user around them.
fn base(site: &Site) {
    site.write_skill("alpha", "# Alpha\n\nSee [more](references/more.md).\n\n## Use\n\nText.\n");
    site.write("alpha", "references/more.md", "# More\n\nMore text of alpha.\n");
    site.write("alpha", "scripts/run.sh", "#!/bin/sh\necho alpha\n");
    site.write(
        "beta",
        "SKILL.md",
        "---\nname: Beta\ndescription: Does beta. Use when testing.\n---\n\n# Beta   \n\n- [ ] text\n",
    );
    site.write_skill("gamma", "# Gamma\n\nText of gamma.\n");
    put(&site.project().join("AGENTS.md"), "# Ours\n\nHand-written.\n");
    put(
        &site.project().join(".mcp.json"),
        "{\n  // ours\n  \"mcpServers\": {}\n}\n".replace("  // ours\n", ""),
    );
    put(
        &site.project().join(".skillc/config.toml"),
        "# ours\n[search]\n# the words\ntokenizer = \"ascii\"\n",
    );
    put(&site.project().join(".claude/skills/own/SKILL.md"), skill_md("own", "# Own\n\nBy hand.\n"));
    put(&site.home().join(".claude/skills/theirs/SKILL.md"), skill_md("theirs", "# Theirs\n\nBy hand.\n"));
    put(&site.home().join(".skillc/config.toml"), "# mine\n");
}

/// Runs commands whose events the logs must keep.
fn run(site: &Site, lines: &[&[&str]]) {
    for (at, line) in lines.iter().enumerate() {
        site.skc_with(&[("SKC_RUN_ID", &format!("{EARLIER_RUN}{}-{at}", line.join("-")))], *line).ok();
    }
}

fn built(site: &Site) {
    base(site);
    run(
        site,
        &[
            &["build", "alpha", "--target", "claude,cursor"],
            &["build", "gamma"],
            &["show", "alpha", "--section", "Use"],
            &["search", "alpha", "text"],
        ],
    );
}

/// As `built`, with a copy beside the link.
fn copied(site: &Site) {
    base(site);
    run(site, &[&["build", "alpha"], &["build", "alpha", "--target", "cursor", "--copy"]]);
}

fn edited(site: &Site) {
    built(site);
    site.write("alpha", "references/more.md", "# More\n\nEdited text of alpha.\n\n## New\n\nText.\n");
    site.write("alpha", "references/other.md", "# Other\n\nText.\n");
}

fn disabled(site: &Site) {
    built(site);
    run(site, &[&["disable", "alpha", "--project"]]);
}

fn download(site: &Site) {
    base(site);
    for name in ["alpha", "delta"] {
        let folder = site.root().join("download").join(name);
        put(&folder.join("SKILL.md"), skill_md(name, "# Downloaded\n\nText.\n"));
        put(&folder.join("notes/a.md"), format!("# Notes of the other {name}\n"));
    }
}

fn replaced(site: &Site) {
    download(site);
    run(site, &[&["build", "alpha"]]);
}

fn imported_over(site: &Site) {
    replaced(site);
    run(site, &[&["build", "../download/alpha", "--force"]]);
}

fn sessions(site: &Site) {
    built(site);
    let file = site.project().join(".skillc/skills/alpha/references/more.md");
    let lines = (0..20).flat_map(|at| {
        let message = |kind: &str, content: serde_json::Value| {
            json!({ "type": kind, "uuid": format!("{kind}-{at}"), "sessionId": "s1", "timestamp": "2026-03-04T05:06:07.000Z",
                    "cwd": "/work/app", "requestId": format!("r-{at}"), "message": { "id": format!("m-{at}"), "role": kind,
                    "content": content, "usage": { "input_tokens": 3, "output_tokens": 4 } } })
        };
        let id = format!("t-{at}");
        [
            message("assistant", json!([{ "type": "tool_use", "id": id, "name": "Read", "input": { "file_path": file } }])),
            message("user", json!([{ "type": "tool_result", "tool_use_id": id, "content": "x", "is_error": false }])),
        ]
    });
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    put(&site.home().join(".claude/projects/-work-app/s1.jsonl"), text);
}

fn plugin(site: &Site) {
    fs::remove_dir_all(site.project().join(".skillc")).unwrap();
    for name in ["notes", "pdf"] {
        put(&site.project().join(format!("skills/{name}/SKILL.md")), skill_md(name, "# Title\n\nText.\n"));
    }
    let config = "[sources]\nroots = [\"skills\"]\n\n[plugin]\nname = \"acme\"\nversion = \"1.2.0\"\n\
        description = \"Skills for tests\"\n";
    put(&site.project().join(".skillc/config.toml"), config);
}

fn drifted(site: &Site) {
    plugin(site);
    run(site, &[&["plugin", "init"], &["config", "set", "plugin.version", "1.3.0"]]);
}

fn fallback(site: &Site) {
    base(site);
    let runtime = site.runtime("alpha");
    put(&runtime, "a file in the place of the runtime");
    run(site, &[&["outline", "alpha"], &["outline", "alpha"]]);
    fs::remove_file(&runtime).unwrap();
    run(site, &[&["build", "alpha"]]);
}

fn sick(site: &Site) {
    edited(site);
    fs::remove_dir_all(site.skill("beta")).unwrap();
    run(site, &[&["build", "gamma", "--target", "cursor", "--copy"]]);
    let copy = site.project().join(".agents/skills/gamma/SKILL.md");
    fs::write(copy, skill_md("gamma", "# Edited by hand\n")).unwrap();
    let log = site.runtime("gamma").join(".skillc-meta/logs.db");
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", log.display()));
    }
    fs::write(log, "no database".repeat(20)).unwrap();
}
