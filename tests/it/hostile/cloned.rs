//! What a cloned repository can contain: links in place of skc's own folders, and configurations and names that lead
//! elsewhere.

use super::promptly;
use crate::mcp::{Client, Lifecycle};
use crate::site::{Run, Site, finish, put, skill_md, snapshot};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A project with a skill `commit`, and a home folder with one of the same name that a person wrote.
fn site() -> Site {
    let site = Site::new();
    site.write_skill("commit", "# Hostile\n\ntext\n");
    put(&site.home().join(".claude/skills/commit/SKILL.md"), skill_md("commit", "# Precious\n"));
    put(&site.home().join("private/notes.txt"), "precious");
    site
}

fn server(site: &Site) -> Client {
    Client::start(site, Lifecycle::Initialize("2025-11-25"))
}

fn call(client: &mut Client, tool: &str, arguments: Value) -> Value {
    client.ask("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// Moves a folder of the project away and puts a link in its place.
fn replace_by_link(site: &Site, path: &str, to: &Path) -> PathBuf {
    let link = site.project().join(path);
    if link.is_dir() {
        fs::rename(&link, link.with_extension("moved")).unwrap();
    }
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(to, &link).unwrap();
    link
}

#[track_caller]
fn names_the_link(run: &Run, link: &Path) {
    assert_eq!(run.status, 1, "{run:?}");
    let link = link.to_string_lossy();
    assert!(run.err.contains("error[E018]") && run.err.contains(&*link), "{link} is not named: {}", run.err);
}

/// D1, RFC-0007:C-LINKS
#[test]
fn a_link_in_the_place_of_the_runtimes_is_refused_and_named() {
    let site = site();
    let home = snapshot(&site.home());
    let link = replace_by_link(&site, ".skillc/runtime", &site.home().join(".claude/skills"));
    let lines: [&[&str]; 7] = [
        &["build", "commit"],
        &["build", "--all"],
        &["outline", "commit"],
        &["stats", "commit"],
        &["lint", "commit"],
        &["open", "commit", "SKILL.md"],
        &["sources", "commit"],
    ];
    for line in lines {
        names_the_link(&promptly(&site, line), &link);
        assert_eq!(snapshot(&site.home()), home, "{line:?}");
    }
    let mut client = server(&site);
    let reply = call(&mut client, "skc_build", json!({"skill": "commit"}));
    assert!(reply.to_string().contains("E018"), "{reply}");
    // The server caches its scans in the user's own `.skillc`.
    let mut after = snapshot(&site.home());
    after.retain(|(path, _)| !path.starts_with(".skillc/"));
    assert_eq!(after, home);
}

/// D1, RFC-0007:C-LINKS
#[test]
fn a_link_at_any_folder_of_ours_is_refused_and_named() {
    for path in [".skillc", ".skillc/skills", ".skillc/runtime/commit", ".skillc/runtime/commit/.skillc-meta"]
    {
        let site = site();
        let private = site.home().join("private");
        put(&private.join("skills/commit/SKILL.md"), skill_md("commit", "# Theirs\n"));
        put(&private.join("commit/SKILL.md"), skill_md("commit", "# Theirs\n"));
        let home = snapshot(&site.home());
        let link = replace_by_link(&site, path, &private);
        let lines: [&[&str]; 4] = [
            &["build", "commit"],
            &["outline", "commit"],
            &["lint", "commit", "--fix"],
            &["show", "commit", "-s", "Hostile"],
        ];
        for line in lines {
            names_the_link(&promptly(&site, line), &link);
            assert_eq!(snapshot(&site.home()), home, "{path} {line:?}");
        }
    }
}

/// D1, D4, RFC-0007:C-LINKS
#[test]
fn nothing_is_made_or_imported_through_a_link() {
    for path in [".skillc", ".skillc/skills"] {
        let site = site();
        put(&site.root().join("dl/new/SKILL.md"), skill_md("new", "# New\n"));
        let home = snapshot(&site.home());
        let link = replace_by_link(&site, path, &site.home());
        for line in [["init", "new"], ["init", "private"], ["build", "../dl/new"]] {
            names_the_link(&promptly(&site, line), &link);
            assert_eq!(snapshot(&site.home()), home, "{path} {line:?}");
        }
        let mut client = server(&site);
        call(&mut client, "skc_init", json!({"name": "private"}));
        let reply = call(&mut client, "skc_open", json!({"skill": "private", "path": "notes.txt"}));
        assert!(!reply.to_string().contains("precious"), "{reply}");
        assert_eq!(snapshot(&site.home()), home, "{path}");
    }
}

/// D1, RFC-0007:C-LINKS
#[test]
fn nothing_is_deployed_through_a_link() {
    for path in [".claude", ".claude/skills"] {
        let site = site();
        let target = if path == ".claude" { ".claude" } else { ".claude/skills" };
        let home = snapshot(&site.home());
        let link = replace_by_link(&site, path, &site.home().join(target));
        for line in
            [vec!["build", "commit"], vec!["build", "commit", "--force"], vec!["build", "commit", "--copy"]]
        {
            names_the_link(&promptly(&site, &line), &link);
            assert_eq!(snapshot(&site.home()), home, "{line:?}");
        }
        promptly(&site, ["undeploy", "commit"]).ok();
        assert_eq!(snapshot(&site.home()), home);
    }
}

/// D1, RFC-0007:C-LINKS
#[test]
fn no_fallback_log_is_written_through_a_link() {
    let site = site();
    let link = replace_by_link(&site, ".skillc/logs", &site.home().join("private"));
    let home = snapshot(&site.home());
    names_the_link(&promptly(&site, ["outline", "commit"]), &link);
    assert_eq!(snapshot(&site.home()), home);
}

/// RFC-0007:C-LINKS
#[test]
fn the_users_own_skillc_folder_may_be_a_link_of_theirs() {
    let site = Site::new();
    fs::create_dir(site.home().join("dotfiles")).unwrap();
    symlink("dotfiles", site.home().join(".skillc")).unwrap();
    site.skc(["init", "mine", "--global"]).ok();
    site.skc(["build", "mine"]).ok();
    assert!(site.home().join("dotfiles/runtime/mine/SKILL.md").is_file());
    assert!(site.skc(["outline", "mine"]).ok().out.contains("Mine"));
    assert!(site.skc(["list"]).ok().out.contains("mine"));
    let inside = Site::new();
    fs::create_dir(inside.project().join("store")).unwrap();
    symlink(inside.project().join("store"), inside.home().join(".skillc")).unwrap();
    inside.skc(["init", "mine", "--global"]).fails("E018");
    assert_eq!(fs::read_dir(inside.project().join("store")).unwrap().count(), 0, "it lies in the project");
}

/// RFC-0007:C-LINKS
#[test]
fn a_store_link_leads_into_the_project_and_nowhere_else() {
    let site = site();
    put(&site.project().join("skills/shared/SKILL.md"), skill_md("shared", "# Shared\n"));
    put(&site.home().join("private/hidden/SKILL.md"), skill_md("hidden", "# Hidden\n"));
    symlink("../../skills/shared", site.skill("shared")).unwrap();
    symlink(site.home().join("private/hidden"), site.skill("hidden")).unwrap();
    assert!(promptly(&site, ["outline", "shared"]).ok().out.contains("Shared"));
    names_the_link(&promptly(&site, ["outline", "hidden"]), &site.skill("hidden"));
    names_the_link(&promptly(&site, ["open", ".skillc/skills/hidden", "SKILL.md"]), &site.skill("hidden"));
    let named = site.home().join("private/hidden");
    let outline = promptly(&site, ["outline".into(), named.into_os_string()]);
    assert!(outline.ok().out.contains("Hidden"), "the user may name it");
}

/// RFC-0007:C-LINKS
#[test]
fn a_path_in_the_project_leads_to_no_skill_of_the_user() {
    let site = site();
    let mine = site.home().join(".skillc/skills/mine");
    put(&mine.join("SKILL.md"), skill_md("mine", "# Mine\n"));
    let link = site.project().join("vendor/dl");
    fs::create_dir(link.parent().unwrap()).unwrap();
    symlink(&mine, &link).unwrap();
    let before = snapshot(&site.home());
    for words in [
        vec!["build", "./vendor/dl", "--force"],
        vec!["lint", "vendor/dl", "--fix"],
        vec!["remove", "./vendor/dl"],
        vec!["rename", "./vendor/dl", "other"],
        vec!["outline", "vendor/dl"],
    ] {
        names_the_link(&promptly(&site, words.clone()), &link);
        assert_eq!(snapshot(&site.home()), before, "{words:?}");
    }
    assert!(promptly(&site, ["outline", "mine"]).ok().out.contains("Mine"), "by its name");
}

/// RFC-0007:C-LINKS
#[test]
fn an_agents_path_in_no_project_leads_out_by_no_link() {
    let site = Site::new();
    let folder = site.root().join("clone");
    put(&site.root().join("private/SKILL.md"), skill_md("private", "# Private\n"));
    put(&folder.join("skills/own/SKILL.md"), skill_md("own", "# Own\n"));
    symlink(site.root().join("private"), folder.join("dl")).unwrap();
    symlink("skills/own", folder.join("inside")).unwrap();
    let run = |agent: &str, path: &str| {
        let mut command = site.command(["outline", path]);
        command.current_dir(&folder).env("SKILLC_AGENT", agent);
        finish(command)
    };
    names_the_link(&run("claude-code", "dl"), &folder.join("dl"));
    assert!(run("claude-code", "inside").ok().out.contains("Own"));
    assert!(run("", "dl").ok().out.contains("Private"), "a user follows the links of their own folders");
    symlink(folder.join("dl"), site.home().join("dl")).unwrap();
    let mut at_home = site.command(["outline", "dl"]);
    at_home.current_dir(site.home()).env("SKILLC_AGENT", "claude-code");
    assert!(finish(at_home).ok().out.contains("Private"), "links of the home are the user's own");
}

/// D2, RFC-0001:C-DEPLOYMENT
#[test]
fn an_agent_replaces_by_force_only_what_skc_made() {
    let site = Site::new();
    site.write_skill("evil", "# Evil\n");
    for (folder, global) in [(site.project(), false), (site.home(), true)] {
        let mine = folder.join(".claude/skills/evil");
        put(&mine.join("SKILL.md"), "mine");
        put(&mine.join("notes.md"), "mine");
        let before = snapshot(&mine);
        let mut client = server(&site);
        let reply = call(&mut client, "skc_build", json!({"skill": "evil", "force": true, "global": global}));
        assert!(reply.to_string().contains("E014"), "{reply}");
        assert_eq!(snapshot(&mine), before);
    }
    put(&site.root().join("dl/SKILL.md"), skill_md("evil", "# Other\n"));
    let mut client = server(&site);
    let reply = call(&mut client, "skc_build", json!({"skill": site.root().join("dl"), "force": true}));
    assert!(reply.to_string().contains("E015"), "{reply}");
    assert!(fs::read_to_string(site.skill("evil").join("SKILL.md")).unwrap().contains("# Evil"));
}

/// D2, RFC-0007:C-UNDO, RFC-0001:C-DEPLOYMENT
#[test]
fn entries_replaced_by_force_are_named_and_come_back() {
    let site = site();
    let mine = site.project().join(".claude/skills/commit");
    put(&mine.join("SKILL.md"), "mine");
    put(&mine.join("sub/notes.md"), "mine");
    let before = snapshot(&mine);
    let built = site.skc(["build", "commit", "--force"]).ok();
    assert!(built.err.contains("W041") && built.err.contains(&*mine.to_string_lossy()), "{}", built.err);
    assert!(mine.is_symlink());
    assert!(site.skc(["undo", "--list"]).ok().out.contains(".claude/skills/commit"));
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&mine), before);
    site.skc(["undo"]).fails("E053");
}

/// D2, RFC-0007:C-UNDO
#[test]
fn a_stored_skill_that_an_import_replaced_comes_back() {
    let site = site();
    put(&site.root().join("dl/SKILL.md"), skill_md("commit", "# Imported\n"));
    let stored = || fs::read_to_string(site.skill("commit").join("SKILL.md")).unwrap();
    site.skc(["build", "../dl", "--force"]).ok();
    assert!(stored().contains("# Imported"));
    site.skc(["undo"]).ok();
    assert!(stored().contains("# Hostile"));
    site.skc(["undo"]).ok();
    assert!(stored().contains("# Imported"), "an undo can be undone");
}

/// RFC-0007:C-UNDO
#[test]
fn an_undo_leaves_alone_what_skc_did_not_put_there() {
    let site = site();
    let mine = site.project().join(".claude/skills/commit");
    put(&mine.join("notes.md"), "mine");
    site.skc(["build", "commit", "--force"]).ok();
    fs::remove_file(&mine).unwrap();
    put(&mine.join("newer.md"), "newer");
    site.skc(["undo"]).fails("E054");
    assert_eq!(fs::read(mine.join("newer.md")).unwrap(), b"newer");
    assert!(site.skc(["undo", "--list"]).ok().out.contains("commit"), "it is still in the trash");
}

/// D2, RFC-0001:C-DEPLOYMENT
#[test]
fn forcing_all_in_a_project_that_was_never_approved_asks_first() {
    let site = site();
    put(&site.project().join(".skillc/config.toml"), "version = 1\n");
    let mine = site.project().join(".claude/skills/commit");
    put(&mine.join("notes.md"), "mine");
    site.skc(["build", "--all", "--force"]).fails("E019");
    assert!(mine.join("notes.md").is_file());
    let mut client = server(&site);
    let reply = call(&mut client, "skc_build", json!({"all": true, "force": true}));
    assert!(reply.to_string().contains("E019"), "{reply}");
    assert!(mine.join("notes.md").is_file());
    fs::remove_file(site.project().join(".skillc/config.toml")).unwrap();
    site.skc(["build", "--all", "--force"]).ok();
}

/// D3, RFC-0001:C-DEPLOYMENT
#[test]
fn a_link_into_the_runtime_of_another_project_is_not_ours() {
    let site = site();
    let other = site.root().join("other/.skillc/runtime/commit");
    put(&other.join("SKILL.md"), "stub");
    let place = site.project().join(".claude/skills/commit");
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    symlink(&other, &place).unwrap();
    site.skc(["build", "commit"]).fails("E014");
    assert_eq!(fs::read_link(&place).unwrap(), other);
    site.skc(["build", "commit", "--force"]).ok();
    assert_eq!(fs::read_link(&place).unwrap(), Path::new("../../.skillc/runtime/commit"));
}

/// L6, RFC-0001:C-DEPLOYMENT
#[test]
fn a_dangling_link_that_skc_did_not_make_is_left_alone() {
    let site = site();
    let place = site.project().join(".claude/skills/commit");
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    symlink("/mnt/unmounted/commit", &place).unwrap();
    site.skc(["build", "commit"]).fails("E014");
    assert_eq!(fs::read_link(&place).unwrap(), Path::new("/mnt/unmounted/commit"));
}

/// D9, RFC-0007:C-LINKS
#[test]
fn a_file_that_the_user_names_is_not_written_through_a_link() {
    let site = site();
    put(&site.home().join(".bashrc"), "precious\n");
    put(&site.home().join(".claude.json"), "{}");
    for (name, to) in
        [("AGENTS.md", ".bashrc"), ("usage.html", "private/notes.txt"), ("base.json", ".bashrc")]
    {
        symlink(site.home().join(to), site.project().join(name)).unwrap();
    }
    symlink(site.home().join(".claude.json"), site.project().join(".mcp.json")).unwrap();
    symlink(site.home().join("private"), site.project().join("docs")).unwrap();
    site.skc(["outline", "commit"]).ok();
    let home = |site: &Site| {
        let mut all = snapshot(&site.home());
        all.retain(|(path, _)| !path.starts_with(".skillc"));
        all
    };
    let before = home(&site);
    let lines: [&[&str]; 5] = [
        &["catalog", "--write", "AGENTS.md"],
        &["stats", "commit", "--html", "usage.html"],
        &["stats", "commit", "--html", "docs/usage.html"],
        &["stats", "--all", "--html", "docs/usage.html", "--force"],
        &["mcp", "config", "claude-code", "--write", "--project"],
    ];
    for line in lines {
        let run = promptly(&site, line);
        assert!(run.status == 1 && run.err.contains("error[E018]"), "{line:?}: {}", run.err);
        assert_eq!(home(&site), before, "{line:?}");
    }
    assert_eq!(promptly(&site, ["lint", "commit", "--baseline", "base.json"]).status, 1);
    assert_eq!(home(&site), before);
    promptly(&site, ["catalog", "--write", "AGENTS.md", "--follow"]).ok();
    assert!(fs::read_to_string(site.home().join(".bashrc")).unwrap().starts_with("precious\n"));
    assert!(site.project().join("AGENTS.md").is_symlink());
}

/// D13, RFC-0007:C-LINKS
#[test]
fn a_file_that_skc_did_not_make_is_replaced_by_force_only() {
    let site = site();
    site.skc(["outline", "commit"]).ok();
    let notes = site.project().join("notes.txt");
    put(&site.project().join("q.jsonl"), "{\"query\": \"text\", \"relevant\": [\"commit\"]}\n");
    let foreign = site.project().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    put(&notes, "mine");
    let eval = [
        "eval",
        "discovery",
        "--queries",
        "q.jsonl",
        "--corpus",
        ".skillc/skills",
        "--mode",
        "lexical",
        "--index",
    ];
    for line in [
        vec!["stats", "commit", "--html", "notes.txt"],
        [&eval[..], &["notes.txt"]].concat(),
        [&eval[..], &["foreign.db"]].concat(),
    ] {
        let before = (fs::read(&notes).unwrap(), fs::read(&foreign).unwrap());
        promptly(&site, &line).fails("E052");
        assert_eq!((fs::read(&notes).unwrap(), fs::read(&foreign).unwrap()), before, "{line:?}");
    }
    promptly(&site, ["stats", "commit", "--html", "notes.txt", "--force"]).ok();
    promptly(&site, ["stats", "commit", "--html", "notes.txt"]).ok();
    promptly(&site, [&eval[..], &["foreign.db", "--force"]].concat()).ok();
    promptly(&site, [&eval[..], &["foreign.db"]].concat()).ok();
    promptly(&site, [&eval[..], &["new.db"]].concat()).ok();
    promptly(&site, [&eval[..], &["new.db"]].concat()).ok();
}

/// L2, RFC-0007:C-LINKS
#[test]
fn the_next_write_removes_the_remains_of_a_killed_writer() {
    let site = site();
    let left = |folder: PathBuf| put(&folder.join(".skillc-tmp-0011223344556677"), "a whole copy");
    left(site.home());
    left(site.project());
    left(site.skill("commit"));
    let gone = |folder: PathBuf| !folder.join(".skillc-tmp-0011223344556677").exists();
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    assert!(gone(site.project()));
    site.skc(["mcp", "config", "claude-code", "--write"]).ok();
    assert!(gone(site.home()));
    put(&site.root().join("dl/SKILL.md"), skill_md("new", "# New\n"));
    left(site.root().join("dl"));
    site.skc(["build", "../dl"]).ok();
    assert!(gone(site.skill("new")), "an import does not copy it");
}

/// D4, RFC-0010:C-CATALOG
#[test]
fn a_cloned_link_or_stub_shows_no_skill_of_another_project() {
    let site = site();
    let theirs = site.root().join("neighbor/.skillc/skills/theirs");
    put(&theirs.join("SKILL.md"), skill_md("theirs", "# Confidential\n"));
    fs::create_dir_all(site.project().join(".agents/skills")).unwrap();
    symlink(&theirs, site.project().join(".agents/skills/theirs")).unwrap();
    let stub = site.project().join(".claude/skills/theirs");
    put(&stub.join("SKILL.md"), skill_md("theirs", "# Stub\n"));
    let manifest = json!({
        "skill": "theirs", "version": 1, "built_at": "2026-01-01T00:00:00Z", "source_hash": "0".repeat(64), "source": theirs,
    });
    put(&stub.join(".skillc-meta/manifest.json"), manifest.to_string());
    for line in [vec!["find", "theirs"], vec!["catalog", "--roots", "all"], vec!["load", "theirs"]] {
        let run = promptly(&site, &line);
        assert!(
            !run.out.contains("Does theirs") && !run.out.contains("Confidential"),
            "{line:?}: {}",
            run.out
        );
    }
}

/// D1, RFC-0007:C-LINKS
#[test]
fn a_forged_journal_deletes_no_file_that_it_names() {
    for command in ["outline", "search", "show", "build", "sources"] {
        let site = site();
        site.skc(["build", "commit"]).ok();
        let precious = site.home().join("private/notes.txt");
        put(&with_suffix(&index_of(&site, "commit"), "-journal"), forged_journal(&precious));
        let line: &[&str] = match command {
            "search" => &[command, "commit", "text"],
            "show" => &[command, "commit", "--section", "Hostile"],
            _ => &[command, "commit"],
        };
        promptly(&site, line);
        // Whatever the first command reported, the skill can be used again.
        promptly(&site, ["build", "commit"]).ok();
        promptly(&site, ["search", "commit", "text"]).ok();
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious", "{command}");
    }
}

/// A rollback journal without pages that names a super-journal, which SQLite deletes after the rollback.
fn forged_journal(super_journal: &Path) -> Vec<u8> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let name = super_journal.as_os_str().as_bytes();
    let checksum = name.iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    let mut journal = MAGIC.to_vec();
    journal.extend([0; 504]);
    journal.extend(name);
    journal.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
    journal.extend(checksum.to_be_bytes());
    journal.extend(MAGIC);
    journal
}

fn index_of(site: &Site, skill: &str) -> PathBuf {
    let meta = site.project().join(".skillc/runtime").join(skill).join(".skillc-meta");
    let is_index = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "db");
    fs::read_dir(meta).unwrap().map(|entry| entry.unwrap().path()).find(is_index).unwrap()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
