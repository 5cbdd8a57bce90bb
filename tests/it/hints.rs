//! RFC-0005:C-HINTS: suggestions and hints, on a skill with several files.

use crate::site::{Run, Site, put, skill_md};

fn site() -> Site {
    let site = Site::new();
    site.write_skill("release-notes", "# Release notes\n\n## Installation\n\nText.\n");
    site.write("release-notes", "references/api.md", "# API\n\n## Errors\n");
    site.write("release-notes", "scripts/run.py", "print(1)\n");
    site.skc(["build", "release-notes"]).ok();
    site
}

#[track_caller]
fn suggests(run: Run, code: &str, suggestion: &str) {
    let run = run.fails(code);
    let question = format!("\n\nDid you mean one of these?\n  - {suggestion}\n");
    assert!(run.err.contains(&question), "{}", run.err);
}

/// RFC-0002:C-SHOW, RFC-0005:C-HINTS
#[test]
fn suggestions_stand_below_an_empty_line() {
    let run = site().skc(["show", "release-notes", "-s", "Instalation"]).fails("E020");
    let expected = "error[E020]: section not found: 'Instalation'\n\nDid you mean one of these?\n  - Installation (SKILL.md)\n";
    assert_eq!(run.err, expected);
}

/// RFC-0005:C-HINTS
#[test]
fn every_kind_of_name_has_suggestions() {
    let site = site();
    put(&site.home().join(".skillc/skills/pdf-forms/SKILL.md"), skill_md("pdf-forms", "# X\n"));
    let skc = |line: &str| site.skc(line.split(' '));
    for command in ["outline", "build", "stats", "lint", "undeploy"] {
        suggests(skc(&format!("{command} release-note")), "E001", "release-notes");
    }
    suggests(skc("outline PDF-form"), "E001", "pdf-forms");
    suggests(skc("load release-note"), "E071", "release-notes");
    suggests(skc("open release-notes api.md"), "E021", "references/api.md");
    suggests(skc("open release-notes reference/api.md"), "E021", "references/api.md");
    suggests(skc("show release-notes -s API --file refrences/api.md"), "E021", "references/api.md");
    suggests(skc("sources release-notes --dir script"), "E022", "scripts");
    suggests(skc("stats release-notes --group-by section"), "E030", "sections");
    suggests(skc("explain E199"), "E100", "E109");
    suggests(skc("explain path-escape"), "E100", "path-escapes");
    suggests(skc("build release-notes --target cluade"), "E100", "claude");
}

/// RFC-0005:C-HINTS
#[test]
fn a_setting_has_suggestions() {
    let site = site();
    for (config, suggestion) in [
        ("[index]\non-stale = \"error\"\n", "index.on_stale"),
        ("on_stale = \"error\"\n", "index.on_stale"),
        ("[serch]\ntokenizer = \"cjk\"\n", "search"),
        ("[lint.rules]\nSKL99 = \"off\"\n", "lint.rules.SKL"),
    ] {
        put(&site.home().join(".skillc/config.toml"), config);
        let run = site.skc(["list"]).ok();
        let expected = format!("\n\nDid you mean one of these?\n  - {suggestion}");
        assert!(run.err.starts_with("warning[W030]") && run.err.contains(&expected), "{config}: {}", run.err);
    }
}

/// RFC-0005:C-HINTS
#[test]
fn a_name_that_resembles_none_is_not_guessed_at() {
    let site = site();
    for line in
        [["outline", "quantum-chromodynamics"], ["explain", "nonsense"], ["load", "quantum-chromodynamics"]]
    {
        let run = site.skc(line);
        assert!(!run.err.contains("Did you mean") && run.err.contains("\nhint: "), "{}", run.err);
    }
    for (line, hint) in [
        ("build release-notes --target foo", "run 'skc targets' to list the agents"),
        ("config set foo bar", "run 'skc config' to list the settings"),
        ("config get foo", "run 'skc config' to list the settings"),
    ] {
        let run = site.skc(line.split(' ')).fails("E100");
        assert!(run.err.contains(&format!("\nhint: {hint}")), "{}", run.err);
    }
    let run = site.skc(["open", "release-notes", "assets/logo.svg"]).fails("E021");
    assert!(run.err.contains("hint: run 'skc sources release-notes' to list the files"), "{}", run.err);
}

/// RFC-0005:C-HINTS
#[test]
fn an_agent_is_suggested_no_skill_that_is_kept_from_it() {
    let site = site();
    put(&site.home().join(".skillc/config.toml"), "[permissions]\ndeny = [\"release-*\"]\n");
    let run = site.skc_with(&[("SKILLC_AGENT", "1")], ["outline", "release-note"]).fails("E001");
    assert!(!run.err.contains("release-notes"), "{}", run.err);
}

/// RFC-0005:C-HINTS
#[test]
fn a_hint_fits_its_fault() {
    let site = Site::new();
    let build = |text: &[u8], name: &str| {
        let folder = site.skill("x");
        std::fs::remove_dir_all(&folder).ok();
        put(&folder.join(name), text);
        site.skc(["build", "x"])
    };
    let text = skill_md("x", "# X\n");
    for (bytes, name, code, hint) in [
        (&b"---\nname: x\ndescription: caf\xe9\n---\n"[..], "SKILL.md", "E013", "save SKILL.md as UTF-8"),
        (b"---\nname: x\ndescription: X.\n", "SKILL.md", "E013", "close the front matter"),
        (b"---\n- x\n---\n", "SKILL.md", "E013", "write lines such as 'name: my-skill'"),
        (b"---\nname: [x]\ndescription: X.\n---\n", "SKILL.md", "E013", "write the value as text"),
        (b"---\nname: x: y\ndescription: X.\n---\n", "SKILL.md", "E013", "quote values"),
        (text.as_bytes(), "skill.md", "E010", "rename 'skill.md' to 'SKILL.md'"),
        (text.as_bytes(), "Skill.md", "E010", "rename 'Skill.md' to 'SKILL.md'"),
        (text.as_bytes(), "README.md", "E010", "create SKILL.md there"),
    ] {
        let run = build(bytes, name).fails(code);
        assert!(run.err.contains(&format!("hint: {hint}")), "{}", run.err);
    }
    let run = site.skc(["mentions", "--file", "none.txt"]).fails("E021");
    assert!(run.err.contains("hint: check the path"), "{}", run.err);
    let run = site.skc(["outline", "./none"]).fails("E001");
    assert!(run.err.contains("hint: check the path"), "{}", run.err);
    site.write_skill("x", "# X\n");
    let run = site.skc(["lint", "x", "--profile", "foo"]).fails("E100");
    assert!(run.err.contains(" cursor,") && !run.err.contains("the cursor"), "{}", run.err);
    let run = site.skc(["outline", "x", "--cursor", "foo"]).fails("E100");
    assert!(run.err.contains("hint: leave out the cursor"), "{}", run.err);
    assert!(!site.skc(["undo"]).fails("E053").err.contains("hint"));
    let run = Site::without_project().skc(["plugin", "init"]).fails("E100");
    assert!(run.err.contains("no project here\nhint: run 'skc init'"), "{}", run.err);
}

/// RFC-0005:C-HINTS
#[test]
fn where_there_is_no_skill_at_all_the_hint_says_so() {
    let site = Site::new();
    for line in [&["lint"][..], &["publish", "--well-known", "p"]] {
        let run = site.skc(line).fails("E001");
        assert!(run.err.contains("hint: there is no skill here: run 'skc init'"), "{}", run.err);
    }
}

/// RFC-0006:C-INIT
#[test]
fn a_refused_name_is_repeated_as_it_was_given() {
    let site = Site::built("x", "# X\n");
    for line in [&["init", "Bad Name"][..], &["rename", "x", "Bad Name"]] {
        let run = site.skc(line).fails("E051");
        assert!(run.err.contains("invalid skill name 'Bad Name'"), "{}", run.err);
    }
}

/// RFC-0003:C-FILTERS
#[test]
fn a_project_that_can_be_no_folder_is_e031() {
    let site = site();
    put(&site.project().join("file"), "");
    let long = "x".repeat(300);
    for given in ["file", long.as_str(), &"y/".repeat(3_000)] {
        let run = site.skc(["stats", "release-notes", "--project", given]).fails("E031");
        assert!(run.err.contains("--project") && run.err.contains("hint: pass a folder"), "{}", run.err);
    }
    site.skc(["stats", "release-notes", "--project", "/gone/long/ago"]).ok();
}

/// RFC-0004:C-INDEX
#[test]
fn a_manifest_that_is_gone_or_broken_is_e002_until_the_next_build() {
    let site = site();
    let manifest = site.runtime("release-notes").join(".skillc-meta/manifest.json");
    for broken in [None, Some("{"), Some("{}"), Some("")] {
        match broken {
            None => std::fs::remove_file(&manifest).unwrap(),
            Some(text) => put(&manifest, text),
        }
        for line in [["show", "release-notes", "-s", "API"], ["search", "release-notes", "text", "--limit=3"]]
        {
            let run = site.skc(line).fails("E002");
            assert!(run.err.contains("skc build release-notes"), "{}", run.err);
        }
        site.skc(["build", "release-notes"]).ok();
        site.skc(["show", "release-notes", "-s", "API"]).ok();
    }
}

/// RFC-0005:C-HINTS
#[test]
fn an_unknown_name_of_the_catalog_is_answered_with_its_path() {
    let site = Site::new();
    put(&site.project().join(".claude/skills/azure/SKILL.md"), skill_md("azure", "# Azure\n\nText.\n"));
    let run = site.skc(["outline", "azure"]);
    assert!(run.err.ends_with("Did you mean one of these?\n  - .claude/skills/azure\n"), "{}", run.err);
    assert_eq!(site.skc(["outline", ".claude/skills/azure"]).ok().status, 0);
}
