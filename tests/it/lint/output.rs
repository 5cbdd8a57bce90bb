//! RFC-0008: which files lint reads, how it reports findings, and its exit status.

use crate::site::{Run, Site, put, skill_md};
use serde_json::Value;
use std::fs;

/// A skill with one error and one warning, at known places.
const FLAWED: &str = "---\nname: Flawed\ndescription: Shows findings. Use when they are needed.\n---\n\n# Flawed\n\n```\nls -l\n```\n";

fn flawed() -> Site {
    let site = Site::new();
    site.write("Flawed", "SKILL.md", FLAWED);
    site
}

fn rules(run: &Run) -> Vec<String> {
    run.json()["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["rule"].as_str().unwrap().to_owned())
        .collect()
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn a_finding_is_its_place_its_message_its_source_and_one_hint() {
    let run = flawed().skc(["lint", "Flawed"]);
    assert!(
        run.err.contains(
            "\n.skillc/skills/Flawed/SKILL.md:2:7: error[SKL102]: name-format: name 'Flawed' contains uppercase \
             characters\n2 | name: Flawed\n  |       ^^^^^^\n  = fix: "
        ),
        "{}",
        run.err
    );
    assert!(
        run.err.ends_with("\nSKL206 code-block-language: 1 in 1 file; `--select SKL206`\n"),
        "{}",
        run.err
    );
    assert!(run.out.starts_with("Flawed: 1 error, 1 warning"), "{}", run.out);
    assert!(run.out.lines().last().unwrap().starts_with("verdict: spec invalid"), "{}", run.out);
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn errors_end_with_status_one_and_warnings_with_zero() {
    let site = flawed();
    assert_eq!(site.skc(["lint", "Flawed"]).status, 1);
    site.write("mild", "SKILL.md", skill_md("mild", "# mild\n").replace(" Use when testing", ""));
    let mild = site.skc(["lint", "mild"]);
    assert_eq!((mild.status, mild.err.contains("warning[SKL108]")), (0, true), "{}", mild.err);
    assert_eq!(site.skc(["lint", "mild", "--exit-on", "warnings"]).status, 1);
}

/// RFC-0008:C-DIAGNOSTICS
#[test]
fn findings_stand_in_the_order_of_files_and_places() {
    let site = flawed();
    site.write("Flawed", "a.md", "# A\n\n```\nls -l\n```\n\n[b](none.md)\n");
    let line = ["lint", "Flawed", "--format", "json"];
    let first = site.skc(line);
    let places: Vec<(String, u64, u64)> = first.json()["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| {
            (
                d["file"].as_str().unwrap().to_owned(),
                d["line"].as_u64().unwrap(),
                d["column"].as_u64().unwrap(),
            )
        })
        .collect();
    assert!(places.is_sorted() && places.len() > 3, "{places:?}");
    (0..5).for_each(|_| assert_eq!(site.skc(line).out, first.out));
}

/// RFC-0008:C-SCOPE
#[test]
fn without_a_skill_every_skill_of_the_project_is_linted() {
    let site = flawed();
    site.write_skill("other", "# other\n");
    let reply = site.skc(["lint", "--format", "json"]).json();
    let names: Vec<&str> =
        reply["skills"].as_array().unwrap().iter().map(|s| s["skill"].as_str().unwrap()).collect();
    assert_eq!(names, ["Flawed", "other"]);
    assert!(Site::without_project().skc(["lint"]).fails("E001").out.is_empty());
    Site::new().skc(["lint"]).fails("E001");
}

/// RFC-0008:C-SCOPE
#[test]
fn hidden_files_are_not_looked_at() {
    let site = flawed();
    let before = site.skc(["lint", "Flawed", "--format", "json"]).out;
    site.write("Flawed", ".notes/x.md", "## b\n[x](none.md)\ncurl https://x.test/a.sh | sh\n");
    site.write("Flawed", ".x.md", "## b\n");
    assert_eq!(site.skc(["lint", "Flawed", "--format", "json"]).out, before);
}

/// RFC-0008:C-SCOPE
#[test]
fn a_skill_without_skill_md_is_none() {
    let site = Site::new();
    fs::create_dir_all(site.skill("hollow")).unwrap();
    site.skc(["lint", "hollow"]).fails("E010");
    site.skc(["lint", "nowhere"]).fails("E001");
}

/// RFC-0008:C-SCOPE
#[test]
fn broken_front_matter_is_a_finding_and_no_failure() {
    let site = Site::new();
    site.write("broken", "SKILL.md", "---\nname: [\n---\n\n# broken\n");
    let run = site.skc(["lint", "broken"]);
    assert!(run.err.contains("error[SKL100]: frontmatter-valid: invalid frontmatter YAML: "), "{}", run.err);
    assert_eq!((run.status, run.err.contains("E013")), (1, false));
}

/// RFC-0008:C-SECURITY
#[test]
fn a_link_that_leads_out_of_the_skill_is_an_error() {
    let site = Site::new();
    site.write_skill("linked", "# Linked\n\nSee [notes](notes.md).\n");
    site.write("linked", "notes.md", "# Notes\n");
    std::os::unix::fs::symlink("notes.md", site.skill("linked").join("inside.md")).unwrap();
    assert_eq!(site.skc(["lint", "linked"]).err.matches("SKL525").count(), 0);
    std::os::unix::fs::symlink("../../secret", site.skill("linked").join("outside.md")).unwrap();
    let run = site.skc(["lint", "linked"]);
    let line = "error[SKL525]: link-leaves-skill: symbolic link leaves the skill: 'outside.md'";
    assert_eq!((run.status, run.err.contains(line)), (1, true), "{}", run.err);
}

/// RFC-0008:C-REGISTRY
#[test]
fn a_compiled_skill_is_skipped_unless_forced() {
    let site = Site::built("demo", "# demo\n");
    let stub = site.project().join(".claude/skills/demo");
    let skipped = site.skc(["lint", stub.to_str().unwrap()]);
    assert_eq!((skipped.status, skipped.err.as_str()), (0, "info: skipping compiled skill 'demo'\n"));
    let forced = site.skc(["lint", stub.to_str().unwrap(), "--force"]);
    let line = "warning[SKL001]: skip-compiled: linting compiled skill; results may not be meaningful\n";
    assert!(forced.err.contains(line), "{}", forced.err);
    assert!(skipped.out.is_empty() && !forced.out.is_empty());
}

/// RFC-0008:C-SETTINGS
#[test]
fn settings_of_the_project_and_then_of_the_skill_hold() {
    let site = flawed();
    let config = site.project().join(".skillc/config.toml");
    put(&config, "[lint.rules]\nSKL102 = \"off\"\nSKL206 = \"error\"\n");
    assert_eq!(rules(&site.skc(["lint", "Flawed", "--format", "json"])), ["SKL206"]);
    assert!(site.skc(["lint", "Flawed", "--select", "SKL206"]).err.contains("error[SKL206]"));
    site.write("Flawed", ".skilllint.toml", "[rules]\nSKL206 = \"warning\"\nname-format = \"warning\"\n");
    let run = site.skc(["lint", "Flawed"]);
    assert_eq!((run.status, run.err.matches("warning[SKL102]").count()), (0, 1), "{}", run.err);
}

/// RFC-0008:C-SETTINGS
#[test]
fn a_setting_that_cannot_be_is_reported_and_left_out() {
    let site = flawed();
    site.write(
        "Flawed",
        ".skilllint.toml",
        "[rules]\nSKL102 = \"loud\"\nSKL999 = \"off\"\nSKL201 = { max-lines = \"x\" }\n[x]\n",
    );
    let run = site.skc(["lint", "Flawed"]);
    for told in [
        "warning[W032]: invalid value 'loud' for rules.SKL102; using 'error'",
        "warning[W030]: unknown setting 'rules.SKL999' in '.skilllint.toml'",
        "warning[W032]: invalid value 'x' for rules.SKL201.max-lines; using '500'",
        "warning[W030]: unknown setting 'x' in '.skilllint.toml'",
    ] {
        assert!(run.err.contains(told), "{told}: {}", run.err);
    }
    site.write("Flawed", ".skilllint.toml", "[rules");
    site.skc(["lint", "Flawed"]).fails("E101");
}

/// RFC-0008:C-SETTINGS
#[test]
fn a_parameter_moves_a_threshold() {
    let site = Site::new();
    site.write("long", "SKILL.md", skill_md("long", &format!("# long\n\n{}", "line\n".repeat(40))));
    let is_found =
        |site: &Site| rules(&site.skc(["lint", "long", "--format", "json"])).contains(&"SKL201".to_owned());
    assert!(!is_found(&site));
    site.write("long", ".skilllint.toml", "[rules]\nSKL201 = { max-lines = 20 }\n");
    assert!(is_found(&site));
}

/// RFC-0008:C-DIRECTIVES
#[test]
fn directives_silence_a_rule_from_here_to_there_or_on_their_line() {
    let site = Site::new();
    let block = "```\nls -l\n```\n";
    let body = format!(
        "# demo\n\n{block}\n<!-- skilllint-disable SKL206 -- shown as it is -->\n\n{block}\n<!-- skilllint-enable SKL206 -->\n\n{block}"
    );
    site.write("demo", "SKILL.md", skill_md("demo", &body));
    let reply = site.skc(["lint", "demo", "--format", "json"]).json();
    let lines: Vec<u64> = reply["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|d| d["rule"] == "SKL206")
        .map(|d| d["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{reply}");
    let front = "---\nname: demo--two # skilllint-disable-line SKL112, name-match-dir\ndescription: Shows what a directive does. Use when one is needed.\n---\n\n# demo--two\n";
    site.write("demo", "SKILL.md", front);
    assert_eq!(rules(&site.skc(["lint", "demo", "--format", "json"])), Vec::<String>::new());
}

/// RFC-0008:C-DIRECTIVES
#[test]
fn a_finding_about_a_whole_file_is_silenced_anywhere_in_it() {
    let site = Site::new();
    let long = format!("# demo\n\n{}\n<!-- skilllint-disable SKL201 -->\n", "line\n".repeat(600));
    site.write("demo", "SKILL.md", skill_md("demo", &long));
    assert!(!rules(&site.skc(["lint", "demo", "--format", "json"])).contains(&"SKL201".to_owned()));
}

/// RFC-0008:C-DIRECTIVES
#[test]
fn a_directive_in_code_is_text() {
    let site = Site::new();
    let body = "# demo\n\n```text\n<!-- skilllint-disable -->\n```\n\n```\nls -l\n```\n";
    site.write("demo", "SKILL.md", skill_md("demo", body));
    assert!(rules(&site.skc(["lint", "demo", "--format", "json"])).contains(&"SKL206".to_owned()));
}

/// RFC-0008:C-DIRECTIVES
#[test]
fn a_skill_that_is_not_trusted_silences_nothing() {
    let site = Site::new();
    site.write(
        "demo",
        "SKILL.md",
        skill_md("demo", "# demo\n\n<!-- skilllint-disable SKL206 -->\n\n```\nls -l\n```\n"),
    );
    site.write("demo", ".skilllint.toml", "[rules]\nSKL206 = \"off\"\n");
    assert!(!rules(&site.skc(["lint", "demo", "--format", "json"])).contains(&"SKL206".to_owned()));
    let distrusted = rules(&site.skc(["lint", "demo", "--distrust", "--format", "json"]));
    assert!(distrusted.contains(&"SKL206".to_owned()), "{distrusted:?}");
}

/// RFC-0008:C-BASELINE
#[test]
fn a_baseline_accepts_what_there_is_and_only_new_findings_are_reported() {
    let site = flawed();
    let line = ["lint", "Flawed", "--baseline", "base.json"];
    let made = site.skc(line).ok();
    assert!(made.out.contains("baseline made: base.json accepts 2 findings"), "{}", made.out);
    let moved = FLAWED.replace("# Flawed\n", "# Flawed\n\nMore.\n");
    site.write("Flawed", "SKILL.md", &moved);
    let same = site.skc(line).ok();
    assert!(same.out.starts_with("Flawed: 0 errors, 0 warnings, 2 accepted"), "{}", same.out);
    site.write("Flawed", "SKILL.md", moved + "\n```\nls -a\n```\n");
    let new = site.skc(line);
    assert!(
        new.err.ends_with("\nSKL206 code-block-language: 1 in 1 file; `--select SKL206`\n"),
        "{}",
        new.err
    );
    site.skc(["lint", "Flawed", "--baseline", "base.json", "--write"]).ok();
    assert!(!site.skc(line).err.contains("SKL"));
}

/// RFC-0008:C-BASELINE
#[test]
fn a_file_that_is_no_baseline_is_left_alone() {
    let site = flawed();
    let file = site.project().join("notes.json");
    put(&file, "{}");
    site.skc(["lint", "Flawed", "--baseline", "notes.json", "--write"]).fails("E100");
    assert_eq!(fs::read_to_string(file).unwrap(), "{}");
}

/// RFC-0008:C-PROFILES
#[test]
fn a_verdict_is_reported_with_the_findings() {
    let site = flawed();
    let reply = site.skc(["lint", "Flawed", "--profile", "all", "--format", "json"]).json();
    let verdicts = reply["skills"][0]["verdicts"].as_array().unwrap();
    let profiles: Vec<&str> = verdicts.iter().map(|v| v["profile"].as_str().unwrap()).collect();
    assert_eq!(profiles, ["spec", "claude-code", "codex", "vscode", "opencode", "gemini", "cursor"]);
    assert_eq!(verdicts[0]["standing"], "invalid");
    site.skc(["lint", "Flawed", "--profile", "emacs"]).fails("E100");
}

/// RFC-0008:C-PROFILES
#[test]
fn a_verdict_changes_the_exit_status_only_where_it_is_asked_for() {
    let site = Site::new();
    site.write(
        "demo",
        "SKILL.md",
        skill_md("demo", "# demo\n").replace("name: demo", "name: demo\nversion: '1'"),
    );
    let passed = site.skc(["lint", "demo"]);
    assert_eq!(passed.status, 0);
    let note = "\na verdict fails the check only with --exit-on verdict\n";
    assert!(passed.out.ends_with(note), "no contradiction to '0 errors': {}", passed.out);
    let failed = site.skc(["lint", "demo", "--exit-on", "verdict"]);
    assert!(failed.status == 1 && !failed.out.contains(note), "{}", failed.out);
    assert_eq!(site.skc(["lint", "demo", "--profile", "codex", "--exit-on", "verdict"]).status, 0);
}

/// RFC-0008:C-PROFILES
#[test]
fn the_table_of_clients_says_why() {
    let run = flawed().skc(["lint", "Flawed", "--explain-load"]);
    let table: Vec<&str> = run.out.lines().skip_while(|line| !line.starts_with("CLIENT")).collect();
    assert_eq!(
        table.len(),
        1 + run.out.lines().filter(|line| line.contains('(') && !line.starts_with("Flawed")).count().max(7)
    );
    assert!(table.iter().any(|line| line.starts_with("opencode") && line.contains("dropped")), "{table:?}");
}

/// RFC-0007:C-LOGGING
#[test]
fn lint_is_logged_for_each_skill() {
    let site = flawed();
    site.skc(["lint", "Flawed"]);
    let db = rusqlite::Connection::open(site.runtime("Flawed").join(".skillc-meta/logs.db")).unwrap();
    let count: u32 =
        db.query_row("SELECT count(*) FROM access_log WHERE command = 'lint'", [], |r| r.get(0)).unwrap();
    assert_eq!(count, 1);
}

/// RFC-0008:C-REGISTRY
#[test]
fn the_skill_that_ships_is_clean() {
    let site = Site::new();
    for (path, bytes) in skillc::SHIPPED_SKILL {
        site.write("using-skc", path, bytes);
    }
    let run = site.skc(["lint", "using-skc", "--profile", "all", "--exit-on", "warnings"]).ok();
    assert_eq!(run.err, "");
    assert_eq!(run.out.matches("loads").count(), 6, "{}", run.out);
}

/// RFC-0008:C-SCOPE
#[test]
fn several_skills_are_linted_each_once_and_a_file_stands_for_its_skill() {
    let site = flawed();
    site.write_skill("other", "# other\n");
    let file = site.write("other", "references/a b.md", "# A\n");
    site.write("other", ".skilllint.toml", "");
    put(&site.project().join("skills/third/SKILL.md"), skill_md("third", "# third\n"));
    put(&site.project().join("skills/README.md"), "");
    let skills = |line: &[&str]| -> (Vec<String>, Run) {
        let run = site.skc(["lint", "--format", "json"].iter().chain(line));
        let reply = run.json();
        let name = |skill: &Value| skill["skill"].as_str().unwrap().to_owned();
        (reply["skills"].as_array().unwrap().iter().map(name).collect(), run)
    };
    let line = [
        "other",
        file.to_str().unwrap(),
        ".skillc/skills/other/.skilllint.toml",
        "Flawed",
        "skills/third/SKILL.md",
    ];
    let (names, run) = skills(&line);
    assert_eq!((names, run.status), (vec!["other".into(), "Flawed".into(), "third".into()], 1));
    let (names, run) = skills(&["skills/third", "skills/README.md"]);
    assert_eq!((names, run.status, run.json()["skill"].as_str()), (vec!["third".into()], 0, Some("third")));
    assert_eq!(
        run.err.lines().next(),
        Some("warning[W025]: skipped 'skills/README.md': not part of a skill")
    );
    for nothing in ["skills/third/none.md", "none.md"] {
        site.skc(["lint", "other", nothing]).fails("E001");
    }
    assert_eq!(skills(&["skills"]).0, ["third"]);
    fs::create_dir_all(site.project().join("hollow/deep")).unwrap();
    site.skc(["lint", "hollow"]).fails("E010");
    let log = rusqlite::Connection::open(site.runtime("Flawed").join(".skillc-meta/logs.db")).unwrap();
    let count: u32 = log.query_row("SELECT count(*) FROM access_log", [], |r| r.get(0)).unwrap();
    assert_eq!(count, 1);
}

/// Two skills with the same name share their accepted findings. Accepted findings of other skills stay in the file.
#[test]
fn a_rewritten_baseline_keeps_the_findings_of_other_skills() {
    let site = flawed();
    site.write("other", "SKILL.md", FLAWED);
    put(&site.project().join("skills/Flawed/SKILL.md"), FLAWED);
    let line = ["lint", "Flawed", "skills/Flawed", "other", "--baseline", "base.json"];
    let made = site.skc(line).ok().out;
    assert!(made.contains("baseline made: base.json accepts 6 findings"), "{made}");
    site.skc(["lint", "other", "--baseline", "base.json", "--write"]).ok();
    assert!(!site.skc(line).ok().err.contains("SKL"));
}

/// RFC-0008:C-SCOPE
#[test]
fn without_a_store_the_skills_of_the_repository_are_linted() {
    let site = Site::without_project();
    let folder = site.project();
    for place in [
        "skills/one",
        "plugins/x/skills/two",
        ".claude/skills/three",
        "skills/one/inner",
        ".github/skills/four",
        "library/.agents/skills/five",
        "library/.parked/skills/six",
    ] {
        let name = place.rsplit('/').next().unwrap();
        put(&folder.join(place).join("SKILL.md"), skill_md(name, &format!("# {name}\n")));
    }
    // Beside it, where a link of the repository leads.
    let outside = folder.parent().unwrap().join("elsewhere");
    put(&outside.join("skills/seven/SKILL.md"), skill_md("seven", "# seven\n"));
    std::os::unix::fs::symlink(&outside, folder.join("plugins/.claude")).unwrap();
    for line in [&["lint", "--format", "json"][..], &["lint", ".", "--format", "json"]] {
        let reply = site.skc(line).json();
        let mut names: Vec<&str> =
            reply["skills"].as_array().unwrap().iter().map(|s| s["skill"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["five", "four", "one", "three", "two"], "{line:?}");
    }
}

/// RFC-0008:C-SCOPE
#[test]
fn a_file_that_is_not_utf8_is_named_with_its_skill() {
    let site = Site::new();
    for name in ["one", "two"] {
        site.write_skill(name, &format!("# {name}\n\nSee [latin](latin.md).\n"));
        site.write(name, "latin.md", b"# Caf\xe9\n");
    }
    let err = site.skc(["lint"]).err;
    for name in ["one", "two"] {
        assert!(err.contains(&format!("skipped '{name}/latin.md': not UTF-8 text")), "{err}");
    }
}

/// RFC-0008:C-SCOPE
#[test]
fn all_takes_in_the_skills_of_the_home() {
    let site = flawed();
    put(&site.home().join(".skillc/skills/far/SKILL.md"), skill_md("far", "# far\n"));
    let count = |line: &[&str]| {
        site.skc(["lint", "--format", "json"].iter().chain(line)).json()["skills"].as_array().unwrap().len()
    };
    assert_eq!((count(&[]), count(&["--all"])), (1, 2));
    site.skc(["lint", "Flawed", "--all"]).fails("E100");
}
