//! A project and a home directory with 25 problems, one of each kind.

use crate::site::{Site, put, skill_md, snapshot};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The planted problems: the check that finds each, its severity, and the end of the path that it reports.
pub const PLANTED: [(&str, &str, &str); 25] = [
    ("configuration", "error", "project/.skillc/config.toml"),
    ("configuration", "warning", "home/.skillc/config.toml"),
    ("writable-by-others", "error", "home/.agents/skills/open"),
    ("dead-link", "error", "project/.claude/skills/gone"),
    ("dead-link", "error", "home/.claude/skills/foreign"),
    ("link-loop", "error", "home/.claude/skills/round"),
    ("lost-source", "error", "project/.claude/skills/lost"),
    ("lost-source", "error", "project/.claude/skills/lost-copy"),
    ("dropped-skill", "error", "home/.agents/skills/undescribed"),
    ("dropped-skill", "error", "home/.claude/skills/group/deep"),
    ("left-out-skill", "warning", "home/.claude/skills/misnamed"),
    ("same-name", "warning", "project/.claude/skills/twin"),
    ("same-name", "note", "home/.agents/skills/clone"),
    ("listing-budget", "warning", "home/.claude/skills"),
    ("stale-build", "warning", "project/.skillc/skills/stale"),
    ("differing-copy", "warning", "project/.claude/skills/copied"),
    ("dead-server", "error", "home/.claude.json"),
    ("dead-server", "error", "project/.mcp.json"),
    ("client-config", "error", "home/.cursor/mcp.json"),
    ("broken-log", "error", "project/.skillc/runtime/good/.skillc-meta/logs.db"),
    ("fallback-log", "warning", "project/.skillc/logs/stale/.skillc-meta/logs.db"),
    ("model", "error", "home/.skillc/models/all-MiniLM-L6-v2"),
    ("idle-rule", "warning", "home/.skillc/config.toml"),
    ("unfinished-rename", "warning", "elsewhere/.skillc/skills/old-name"),
    ("leftover", "note", "home/.claude/skills/.skillc-tmp-x-0123456789abcdef"),
];

/// The findings that `--fix` repairs, by check and end of path.
pub const SAFE: [(&str, &str); 6] = [
    ("dead-link", "project/.claude/skills/gone"),
    ("stale-build", "project/.skillc/skills/stale"),
    ("differing-copy", "project/.claude/skills/copied"),
    ("broken-log", "project/.skillc/runtime/good/.skillc-meta/logs.db"),
    ("fallback-log", "project/.skillc/logs/stale/.skillc-meta/logs.db"),
    ("leftover", "home/.claude/skills/.skillc-tmp-x-0123456789abcdef"),
];

/// A machine with every problem in [`PLANTED`].
pub fn planted() -> Site {
    let site = Site::new();
    for folder in [".claude", ".codex", ".gemini", ".cursor"] {
        fs::create_dir_all(site.home().join(folder)).unwrap();
    }
    builds(&site);
    links(&site);
    skills(&site);
    clients(&site);
    logs(&site);
    own_files(&site);
    site
}

fn builds(site: &Site) {
    for name in ["good", "gone", "lost", "stale", "copied", "lost-copy"] {
        site.write_skill(name, &format!("# {name}\n\nText.\n"));
        site.write(name, "references/more.md", "# More\n\nMore text.\n");
        let is_copy = name.contains("cop");
        site.skc(["build", name].into_iter().chain(is_copy.then_some("--copy"))).ok();
    }
    for name in ["gone", "lost", "lost-copy"] {
        fs::remove_dir_all(site.skill(name)).unwrap();
    }
    for name in ["gone", "lost-copy"] {
        fs::remove_dir_all(site.runtime(name)).unwrap();
    }
    site.write("stale", "references/more.md", "# More\n\nOther text.\n");
    put(&site.project().join(".claude/skills/copied/SKILL.md"), skill_md("copied", "# Edited here\n"));
}

fn links(site: &Site) {
    let folder = site.home().join(".claude/skills");
    fs::create_dir_all(&folder).unwrap();
    symlink("/nowhere/foreign", folder.join("foreign")).unwrap();
    symlink("round", folder.join("round")).unwrap();
}

fn skills(site: &Site) {
    let skill = |folder: &str, name: &str, text: String| {
        put(&site.root().join(folder).join(name).join("SKILL.md"), text);
    };
    skill("home/.agents/skills", "open", skill_md("open", "# Open\n"));
    let open = site.home().join(".agents/skills/open");
    fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    skill("home/.agents/skills", "undescribed", "---\nname: undescribed\n---\n".to_owned());
    skill("home/.claude/skills", "group/deep", skill_md("deep", "# Deep\n"));
    skill("home/.claude/skills", "misnamed", skill_md("another-name", "# Misnamed\n"));
    skill("home/.claude/skills", "twin", skill_md("twin", "# The user's\n"));
    skill("project/.claude/skills", "twin", skill_md("twin", "# The project's\n"));
    skill("home/.agents/skills", "clone", skill_md("clone", "# Clone\n"));
    skill("home/.gemini/skills", "clone", skill_md("clone", "# Clone\n"));
    for number in 0..9 {
        let description = format!("Does number {number}. Use when testing. {}", "Long. ".repeat(150));
        let text = format!("---\nname: long-{number}\ndescription: {}\n---\n# Long\n", description.trim());
        skill("home/.claude/skills", &format!("long-{number}"), text);
    }
}

fn clients(site: &Site) {
    let servers =
        |command: &str| json!({ "mcpServers": { "gone": { "command": command, "args": ["mcp"] } } });
    put(&site.home().join(".claude.json"), servers("/nowhere/bin/skc").to_string());
    put(&site.project().join(".mcp.json"), servers("no-such-program").to_string());
    put(&site.home().join(".cursor/mcp.json"), "{ \"mcpServers\": ");
}

fn logs(site: &Site) {
    let fallback = site.project().join(".skillc/logs/stale/.skillc-meta");
    fs::create_dir_all(&fallback).unwrap();
    // A log that was copied from a sandbox.
    for end in ["", "-wal"] {
        let name = format!("logs.db{end}");
        let from = site.runtime("copied").join(".skillc-meta").join(&name);
        if from.exists() {
            fs::copy(from, fallback.join(name)).unwrap();
        }
    }
    let broken = site.runtime("good").join(".skillc-meta/logs.db");
    fs::remove_file(broken.with_file_name("logs.db-wal")).ok();
    fs::remove_file(broken.with_file_name("logs.db-shm")).ok();
    fs::write(broken, "no database".repeat(100)).unwrap();
}

fn own_files(site: &Site) {
    let own = site.home().join(".skillc");
    put(
        &own.join("config.toml"),
        "[serach]\ntokenizer = \"cjk\"\n\n[skills]\ndisabled = [\"no-such-skill\"]\n",
    );
    put(&site.project().join(".skillc/config.toml"), "[search\n");
    put(&own.join("models/all-MiniLM-L6-v2/config.json"), "{}");
    let place = site.root().join("elsewhere/.skillc/skills/old-name");
    let record = json!({ "place": place, "path": place, "name": "new-name", "edits_name": true,
        "front_name": "old-name", "runtimes": [], "is_shadowed": false, "is_off": false, "switched_off_by": [] });
    put(&own.join("journal/0123456789abcdef"), record.to_string());
    let leftover = site.home().join(".claude/skills/.skillc-tmp-x-0123456789abcdef");
    put(&leftover.join("SKILL.md"), "half");
    let long_ago = SystemTime::now() - Duration::from_secs(7_200);
    fs::File::open(leftover).unwrap().set_modified(long_ago).unwrap();
}

/// A folder whose name is not Unicode, which no agent can name.
pub fn unnameable(site: &Site) -> PathBuf {
    let folder = site.home().join(".claude/skills").join(OsStr::from_bytes(b"b\xff"));
    put(&folder.join("SKILL.md"), skill_md("b", "# B\n"));
    folder
}

/// All entries of the project and the home directory except the trash.
pub fn tree(site: &Site) -> Vec<(String, Vec<u8>)> {
    let mut tree = snapshot(&site.root());
    tree.retain(|(name, _)| !name.starts_with("home/.skillc/trash"));
    tree
}

/// The findings in a reply: check, severity and path below the site.
pub fn findings(site: &Site, reply: &Value, key: &str) -> BTreeSet<(String, String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let below = |finding: &Value| {
        let path = text(finding, "path");
        let below =
            Path::new(&path).strip_prefix(site.root()).map(|path| path.to_string_lossy().into_owned());
        below.unwrap_or(path)
    };
    let all = reply[key].as_array().unwrap().iter();
    all.map(|finding| (text(finding, "check"), text(finding, "severity"), below(finding))).collect()
}
