//! RFC-0010:C-CATALOG and C-CONTEXT: which skills are available, and the block that lists them.

use crate::site::{Run, Site, put, skill_md};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Names in the catalog, in its order.
fn names(run: &Run) -> Vec<String> {
    texts(&run.json()["skills"], "name")
}

fn texts(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}

fn add(folder: &Path, name: &str) {
    put(&folder.join(name).join("SKILL.md"), skill_md(name, "body"));
}

fn catalog(site: &Site, more: &[&str]) -> Run {
    site.skc(["catalog", "--format", "json"].iter().chain(more)).ok()
}

/// RFC-0010:C-CATALOG; the skills specification, 13.1.
#[test]
fn skills_from_the_root_of_the_repository_down_to_here_are_listed() {
    let site = Site::without_project();
    let (root, cwd) = (site.project(), site.project().join("a/b"));
    fs::create_dir_all(root.join(".git")).unwrap();
    add(&root.join(".agents/skills"), "at-root");
    add(&root.join("a/.agents/skills/group/deeper"), "between");
    add(&cwd.join(".agents/skills"), "here");
    add(&cwd.join("below/.agents/skills"), "below");
    add(&root.join("other/.agents/skills"), "beside");
    add(&site.root().join(".agents/skills"), "above");
    let run = site.skc_in(&cwd, ["catalog", "--format", "json"]).ok();
    assert_eq!(names(&run), ["at-root", "between", "here"]);
    assert_eq!(texts(&run.json()["skills"], "scope"), ["repo"; 3]);
    let here = &run.json()["skills"][2];
    assert_eq!(here["path"], cwd.join(".agents/skills/here/SKILL.md").to_str().unwrap());
    assert_eq!(here["dir"], cwd.join(".agents/skills/here").to_str().unwrap());
}

/// RFC-0010:C-CATALOG; the skills specification, 13.2.
#[test]
fn skills_of_the_user_are_listed_as_such() {
    let site = Site::without_project();
    add(&site.home().join(".agents/skills"), "mine");
    add(&site.home().join(".agents/skills/team/group"), "ours");
    let run = catalog(&site, &[]);
    assert_eq!(names(&run), ["mine", "ours"]);
    assert_eq!(texts(&run.json()["skills"], "scope"), ["user"; 2]);
    // In the home directory itself, its folders still belong to the user.
    let run = site.skc_in(&site.home(), ["catalog", "--format", "json"]).ok();
    assert_eq!(texts(&run.json()["skills"], "scope"), ["user"; 2]);
}

/// RFC-0010:C-CATALOG
#[test]
fn stores_of_skc_and_configured_folders_count_and_agents_folders_on_request() {
    let site = Site::new();
    site.write_skill("stored", "body");
    add(&site.home().join(".skillc/skills"), "global");
    add(&site.project().join("tools/skills"), "tool");
    add(&site.home().join("more"), "extra");
    add(&site.home().join(".claude/skills"), "claudes");
    add(&site.project().join(".cursor/skills"), "cursors");
    put(&site.project().join(".skillc/config.toml"), "[discovery]\nroots = ['tools/skills']\n");
    put(&site.home().join(".skillc/config.toml"), "[discovery]\nroots = ['~/more']\n");
    let run = catalog(&site, &[]);
    assert_eq!(names(&run), ["stored", "tool", "claudes", "global", "extra"]);
    assert_eq!(texts(&run.json()["skills"], "scope"), ["repo", "repo", "user", "user", "user"]);
    assert_eq!(run.json()["elsewhere"], 1);
    assert!(site.skc(["catalog"]).ok().err.contains("1 more in folders of other agents"));
    let all = catalog(&site, &["--roots", "all"]);
    assert_eq!(names(&all), ["cursors", "stored", "tool", "claudes", "global", "extra"]);
    assert_eq!(all.json()["elsewhere"], 0);
    assert_eq!(names(&catalog(&site, &["--scope", "user"])), ["claudes", "global", "extra"]);
}

/// RFC-0010:C-CATALOG
#[test]
fn the_root_of_a_repository_is_named_or_shown_by_a_marker() {
    let site = Site::without_project();
    let cwd = site.project().join("a/b");
    fs::create_dir_all(&cwd).unwrap();
    add(&site.project().join(".agents/skills"), "outer");
    add(&site.project().join("a/.agents/skills"), "middle");
    add(&cwd.join(".agents/skills"), "inner");
    let here = |vars: &[(&str, &str)]| {
        let mut command = site.command(["catalog", "--format", "json"]);
        command.current_dir(&cwd).envs(vars.iter().copied());
        names(&crate::site::finish(command).ok())
    };
    assert_eq!(here(&[]), ["inner"], "without a marker");
    for marker in [".git", ".jj", ".codelia", ".skillc"] {
        let marker = site.project().join("a").join(marker);
        fs::create_dir(&marker).unwrap();
        assert_eq!(here(&[]), ["middle", "inner"], "{marker:?}");
        fs::remove_dir(&marker).unwrap();
    }
    put(&site.project().join(".git"), "gitdir: elsewhere");
    assert_eq!(here(&[]), ["outer", "middle", "inner"], "a worktree's file");
    let middle = site.project().join("a");
    for variable in ["SKILLC_AGENTS_ROOT", "CODELIA_AGENTS_ROOT"] {
        assert_eq!(here(&[(variable, middle.to_str().unwrap())]), ["middle", "inner"]);
    }
    put(&site.home().join(".skillc/config.toml"), "[discovery]\nmarkers = ['.here']\n");
    assert_eq!(here(&[]), ["inner"]);
    put(&middle.join(".here"), "");
    assert_eq!(here(&[]), ["middle", "inner"]);
}

/// RFC-0010:C-CATALOG
#[test]
fn an_invalid_skill_is_an_error_and_no_skill() {
    let site = Site::without_project();
    let root = site.project().join(".agents/skills");
    let long = "x".repeat(1_025);
    for (folder, front) in [
        ("other", "name: name\ndescription: d"),
        ("Upper", "name: Upper\ndescription: d"),
        ("a--b", "name: a--b\ndescription: d"),
        ("no-name", "description: d"),
        ("no-words", "name: no-words"),
        ("blank", "name: blank\ndescription: ' '"),
        ("listed", "name: listed\ndescription: [d]"),
        ("long", &format!("name: long\ndescription: {long}")),
        ("colon", "name: colon\ndescription: Use: when"),
    ] {
        put(&root.join(folder).join("SKILL.md"), format!("---\n{front}\n---\n"));
    }
    put(&root.join("none/SKILL.md"), "# No front matter\n");
    put(&root.join("bytes/SKILL.md"), b"---\nname: bytes\ndescription: \xff\n---\n");
    let most = "y".repeat(64);
    put(
        &root.join(&most).join("SKILL.md"),
        format!("---\nname: {most}\ndescription: {}\n---\n", "é".repeat(1_024)),
    );
    let run = catalog(&site, &[]);
    assert_eq!(names(&run), [most]);
    let errors = run.json()["errors"].clone();
    assert_eq!(errors.as_array().unwrap().len(), 11, "{errors}");
    let message = |folder: &str| {
        let path = root.join(folder).join("SKILL.md");
        let found = errors.as_array().unwrap().iter().find(|e| e["path"] == path.to_str().unwrap());
        found.unwrap()["message"].as_str().unwrap().to_owned()
    };
    assert!(message("other").contains("name 'name' differs from the name of its folder, 'other'"));
    assert!(message("long").contains("1025 characters"));
    assert!(message("bytes").contains("not UTF-8"));
    assert!(site.skc(["catalog"]).ok().err.contains("skipped .agents/skills/Upper/SKILL.md: name 'Upper'"));
}

/// RFC-0010:C-CATALOG
#[test]
fn a_lenient_reader_takes_what_only_a_strict_one_refuses() {
    let site = Site::without_project();
    let root = site.project().join(".agents/skills");
    put(&root.join("x/SKILL.md"), skill_md("Other Name", "body"));
    put(&root.join("no-words/SKILL.md"), "---\nname: no-words\n---\n");
    put(&root.join("colon/SKILL.md"), "---\nname: colon\ndescription: Use: when it fits\n---\n");
    put(&site.home().join(".skillc/config.toml"), "[discovery]\nlenient = true\n");
    let run = catalog(&site, &[]);
    assert_eq!(names(&run), ["colon", "Other Name"]);
    assert_eq!(run.json()["skills"][0]["description"], "Use: when it fits");
    for skill in run.json()["skills"].as_array().unwrap() {
        assert!(!skill["flaws"].as_array().unwrap().is_empty());
    }
    assert_eq!(run.json()["errors"].as_array().unwrap().len(), 1);
}

/// RFC-0010:C-CATALOG
#[test]
fn skills_of_one_name_are_all_kept_and_reported() {
    let site = Site::without_project();
    for root in [site.project(), site.home()] {
        add(&root.join(".agents/skills"), "same");
        add(&root.join(".agents/skills"), "other");
    }
    put(&site.home().join(".agents/skills/other/SKILL.md"), skill_md("other", "not the same"));
    let run = catalog(&site, &[]);
    assert_eq!(names(&run), ["other", "same", "other", "same"]);
    let same = run.json()["same_names"].clone();
    assert_eq!(texts(&same, "name"), ["other", "same"]);
    assert_eq!((&same[0]["copies"], &same[1]["copies"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(same[0]["paths"].as_array().unwrap().len(), 2);
    assert!(site.skc(["catalog"]).ok().err.contains("name 'same' of 2 copies: .agents/skills/same/SKILL.md"));
}

/// RFC-0010:C-CATALOG
#[test]
fn switched_off_the_catalog_is_empty_and_says_so() {
    let site = Site::without_project();
    add(&site.project().join(".agents/skills"), "x");
    put(&site.home().join(".skillc/config.toml"), "[skills]\nenabled = false\n");
    let run = site.skc(["catalog"]).ok();
    assert!(run.out.is_empty() && run.err.contains("warning[W050]"), "{}", run.err);
    assert!(names(&catalog(&site, &[])).is_empty());
    put(&site.home().join(".skillc/config.toml"), "[skills]\ndisabled = ['x']\n");
    assert!(names(&catalog(&site, &[])).is_empty());
}

/// RFC-0010:C-CATALOG
#[test]
fn a_change_shows_at_once_whatever_is_remembered() {
    let site = Site::without_project();
    let root = site.project().join(".agents/skills");
    add(&root, "a");
    assert_eq!(names(&catalog(&site, &[])), ["a"]);
    add(&root.join("a/deep/er"), "b");
    assert_eq!(names(&catalog(&site, &[])), ["a", "b"]);
    put(&root.join("a/SKILL.md"), "---\nname: a\ndescription: New words.\n---\n");
    assert_eq!(catalog(&site, &[]).json()["skills"][0]["description"], "New words.");
    fs::rename(root.join("a/deep/er"), root.join("a/deep/there")).unwrap();
    assert!(catalog(&site, &[]).json()["skills"][1]["path"].as_str().unwrap().contains("there"));
    fs::remove_file(root.join("a/SKILL.md")).unwrap();
    assert_eq!(names(&catalog(&site, &[])), ["b"]);
    fs::remove_dir_all(&root).unwrap();
    assert!(names(&catalog(&site, &[])).is_empty());
}

/// RFC-0010:C-CATALOG
#[test]
fn cached_files_may_be_gone_or_damaged() {
    let site = Site::without_project();
    add(&site.project().join(".agents/skills"), "a");
    let before = catalog(&site, &[]).out;
    let file = site.home().join(".skillc/discovery.db");
    assert!(file.is_file());
    assert_eq!(catalog(&site, &[]).out, before);
    for damage in [&b"not a database"[..], b"", &[0; 4096]] {
        for beside in ["discovery.db-wal", "discovery.db-shm"] {
            let _ = fs::remove_file(file.with_file_name(beside));
        }
        fs::write(&file, damage).unwrap();
        assert_eq!(catalog(&site, &[]).out, before);
    }
    fs::remove_dir_all(site.home().join(".skillc")).unwrap();
    put(&site.home().join(".skillc"), "a file in the way");
    assert_eq!(catalog(&site, &[]).out, before);
}

/// RFC-0010:C-CONTEXT
#[test]
fn the_block_is_as_the_specification_shows_it() {
    let site = Site::without_project();
    add(&site.project().join(".agents/skills"), "repo-review");
    let block = site.skc(["catalog"]).ok().out;
    let path = site.project().join(".agents/skills/repo-review/SKILL.md");
    let expected = format!(
        "<skills_catalog scope=\"initial\" truncated=\"false\">\n  <skill>\n    <name>repo-review</name>\n    \
         <description>Does repo-review. Use when testing.</description>\n    <path>{}</path>\n    \
         <scope>repo</scope>\n  </skill>\n</skills_catalog>\n</skills_context>\n",
        path.display()
    );
    assert!(block.starts_with("<skills_context>\n<skills_usage>\n  <rule>"), "{block}");
    assert!(block.ends_with(&expected), "{block}");
    assert_eq!(site.skc(["catalog", "--format", "xml"]).ok().out, block);
    let markdown = site.skc(["catalog", "--format", "md"]).ok().out;
    assert!(markdown.starts_with("## Skills\n") && markdown.contains("- **repo-review** (repo): Does"));
}

/// RFC-0010:C-CONTEXT
#[test]
fn without_a_skill_there_is_no_block() {
    let site = Site::without_project();
    for format in ["text", "xml", "md"] {
        assert_eq!(site.skc(["catalog", "--format", format]).ok().out, "", "{format}");
    }
}

/// RFC-0010:C-CONTEXT
#[test]
fn settings_and_options_limit_the_block() {
    let site = Site::without_project();
    (10..40).for_each(|at| add(&site.project().join(".agents/skills"), &format!("s{at}")));
    let whole = site.skc(["catalog"]).ok().out;
    assert!(whole.contains("truncated=\"false\"") && !whole.contains("skill_search"));
    let cut = catalog(&site, &["--max-entries", "3"]);
    assert_eq!(names(&cut), ["s10", "s11", "s12"]);
    assert_eq!((&cut.json()["truncated"], &cut.json()["total"]), (&Value::Bool(true), &30.into()));
    let by_bytes = site.skc(["catalog", "--max-bytes", "2048"]).ok().out;
    assert!(
        by_bytes.len() <= 2_048
            && by_bytes.contains("truncated=\"true\"")
            && by_bytes.contains("skill_search")
    );
    put(&site.home().join(".skillc/config.toml"), "[skills.initial]\nmaxEntries = 2\n");
    assert_eq!(names(&catalog(&site, &[])), ["s10", "s11"]);
    assert_eq!(names(&catalog(&site, &["--max-entries", "30"])).len(), 30);
    site.skc(["catalog", "--max-entries", "0"]).fails("E100");
    site.skc(["catalog", "--max-bytes", "1023"]).fails("E100");
}

/// RFC-0010:C-BUDGET
#[test]
fn a_clients_budget_tells_what_it_would_cut() {
    let site = Site::without_project();
    for at in 10..60 {
        let text = format!("---\nname: s{at}\ndescription: {}\n---\n", "word ".repeat(100));
        put(&site.project().join(format!(".agents/skills/s{at}/SKILL.md")), &text);
        put(&site.project().join(format!(".claude/skills/s{at}/SKILL.md")), &text);
    }
    let budget = |client: &str, more: &[&str]| {
        let args = ["--budget", client];
        catalog(&site, &[&args, more].concat()).json()["budget"].clone()
    };
    let claude = budget("claude-code", &[]);
    assert_eq!((&claude["limit"], &claude["dropped"]), (&8_000.into(), &0.into()));
    assert!(claude["name_only"].as_u64().unwrap() > 30, "{claude}");
    let wide = budget("claude-code", &["--context", "1000000"]);
    assert_eq!((&wide["limit"], &wide["whole"]), (&40_000.into(), &50.into()));
    let codex = budget("codex", &[]);
    assert_eq!((&codex["limit"], &codex["whole"]), (&8_000.into(), &0.into()));
    let text = site.skc(["catalog", "--budget", "codex"]).ok().out;
    assert!(text.starts_with("codex lists at most 8000 characters; this list has "), "{text}");
    site.skc(["catalog", "--context", "9"]).fails("E100");
    std::fs::remove_dir_all(site.project().join(".claude")).unwrap();
    let text = site.skc(["catalog", "--budget", "claude-code"]).ok().out;
    assert_eq!(text, "claude-code reads none of the folders that have skills here\n");
}
