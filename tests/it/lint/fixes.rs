//! RFC-0008:C-FIXES: what `--fix` and `--diff` do to files.

use crate::site::{Run, Site, put, skill_md, snapshot};
use serde_json::json;
use skillc_domain::frontmatter::{Node, Value};
use skillc_lint::{RULES, Severity};
use skillc_markdown::MarkdownReader;
use skillc_ports::DocumentReader;
use std::fs;

/// A front matter with a safe fix (an unused directive) and an unsafe one (a name in capitals).
const FLAWED: &str = "---\nname: Demo\n\
                      description: Shows fixes. Use when they are needed.\n---\n\n# Demo\n\n\
                      <!-- skilllint-disable SKL203 -->\n\nText.\n";

fn skill(files: &[(&str, &str)]) -> Site {
    let site = Site::new();
    files.iter().for_each(|(path, text)| drop(site.write("demo", path, text)));
    site
}

fn text(site: &Site, path: &str) -> String {
    fs::read_to_string(site.skill("demo").join(path)).unwrap()
}

fn fix(site: &Site, more: &[&str]) -> Run {
    site.skc(["lint", "demo", "--fix"].iter().chain(more))
}

/// RFC-0008:C-FIXES
#[test]
fn safe_fixes_are_made_and_unsafe_ones_only_when_asked_for() {
    let site = skill(&[("SKILL.md", FLAWED)]);
    let safe = fix(&site, &[]);
    assert!(text(&site, "SKILL.md").contains("name: Demo\n") && !text(&site, "SKILL.md").contains("SKL203"));
    assert!(safe.out.contains("\n  fixed SKILL.md: remove the directive (SKL002)\n"), "{}", safe.out);
    assert!(
        safe.err.contains("error[SKL102]: name-format") && safe.err.contains("(--fix --unsafe)"),
        "{}",
        safe.err
    );
    fix(&site, &["--unsafe"]).ok();
    assert!(text(&site, "SKILL.md").contains("name: demo\n"), "{}", text(&site, "SKILL.md"));
    site.skc(["lint", "demo", "--unsafe"]).fails("E100");
}

/// RFC-0008:C-FIXES
#[test]
fn a_fix_leaves_the_values_of_the_front_matter_alone() {
    for front in [
        "\u{feff}---\nname: demo\ndescription: Shows fixes. Use when needed.\n---\n",
        "---\nname: demo\ndescription: 'It''s shown. Use when needed.'\nmetadata:\n  version: 1.10\n  on: yes # kept\n---\n",
        "---\r\nname: demo\r\ndescription: >-\r\n  Use when\r\n  needed.\r\nmetadata:\r\n  a:\t2001-01-01\r\n---\r\n",
        "---\nname: 0x10\ndescription: \"Use when: \\u00e9\"\nallowed-tools:\n  - Read\n  - Bash\n---\n",
        "---\nname: demo\ndescription: Use when needed. <!-- skilllint-disable SKL203 -->\nx: {a: 1e3, b: [~, no]}\n---\n",
    ] {
        let before = format!("{front}\n# demo\n");
        let site = skill(&[("SKILL.md", &before)]);
        fix(&site, &[]);
        let after = text(&site, "SKILL.md");
        assert_eq!(values(&before), values(&after), "{before}\nbecame\n{after}");
    }
    let colons =
        "---\nname: demo\ndescription: Two things: use when needed.\nlicense: MIT: yes\n---\n\n# demo\n";
    let site = skill(&[("SKILL.md", colons)]);
    fix(&site, &[]).ok();
    let quoted = "description: \"Two things: use when needed.\"\nlicense: \"MIT: yes\"\n";
    assert!(text(&site, "SKILL.md").contains(quoted), "{}", text(&site, "SKILL.md"));
}

/// The keys and values in order. A list of words becomes one string.
fn values(text: &str) -> Vec<String> {
    fn say(node: &Node, said: &mut Vec<String>) {
        match &node.value {
            Value::Null => said.push("null".into()),
            Value::Scalar { text, .. } => said.extend(text.split(' ').map(str::to_owned)),
            Value::List(items) => items.iter().for_each(|item| say(item, said)),
            Value::Map(fields) => fields.iter().for_each(|(key, value)| {
                say(key, said);
                say(value, said);
            }),
        }
    }
    let fields = MarkdownReader.front_matter(text).unwrap().unwrap().fields;
    let mut said = Vec::new();
    fields.iter().for_each(|(key, value)| {
        say(key, &mut said);
        say(value, &mut said);
    });
    said
}

/// RFC-0008:C-FIXES
#[test]
fn all_flaws_of_one_front_matter_are_fixed_one_after_the_other() {
    let flawed = skill_md("demo", "# demo\n")
        .replace("description: ", "description: First: ")
        .replace("\n---\n#", "\nargument-hint: [a] [b]\npaths:\n  - **/*.rs\n  - *.md\n---\n#");
    let site = skill(&[("SKILL.md", &flawed)]);
    fix(&site, &[]).ok();
    let text = text(&site, "SKILL.md");
    for line in ["description: \"First: ", "argument-hint: \"[a] [b]\"\n", "  - \"**/*.rs\"\n  - \"*.md\"\n"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// RFC-0008:C-FIXES
#[test]
fn fixing_twice_changes_nothing_more() {
    for more in [&[][..], &["--unsafe"]] {
        let site = Site::new();
        let skills = bad_examples(&site);
        let line = ["lint", "--fix", "--profile", "all", "--format", "json"].iter().chain(more);
        let line: Vec<&str> = line.copied().chain(skills.iter().map(String::as_str)).collect();
        let fixed = |reply: &serde_json::Value| -> Vec<String> {
            let skills = reply["skills"].as_array().unwrap().iter();
            skills.filter(|skill| skill["fixed"] != json!([])).map(ToString::to_string).collect()
        };
        assert!(fixed(&site.skc(&line).json()).len() > 3, "{more:?}");
        let once = snapshot(&site.project().join("bad"));
        let again = site.skc(&line).json();
        assert_eq!(fixed(&again), Vec::<String>::new(), "{more:?}");
        assert!(snapshot(&site.project().join("bad")) == once, "{more:?}");
        for left in again["diagnostics"].as_array().unwrap() {
            let is_made = left["fix"]["safety"] == "safe" || !more.is_empty();
            assert!(left["fix"].is_null() || !is_made, "{more:?}: a fix that does not help: {left}");
        }
    }
}

/// Writes a bad example for every rule, each in its own folder. Rules that are off by default are enabled there.
fn bad_examples(site: &Site) -> Vec<String> {
    let all = RULES.iter().flat_map(|rule| rule.bad.iter().enumerate().map(move |(at, bad)| (rule, at, bad)));
    let mut skills = Vec::new();
    for (rule, at, bad) in all.filter(|(.., bad)| !bad.folder.is_empty()) {
        let skill = format!("bad/{}-{at}/{}", rule.id, bad.folder);
        let folder = site.project().join(&skill);
        bad.files.iter().for_each(|(path, text)| put(&folder.join(path), text));
        if rule.severity == Severity::Off {
            put(&folder.join(".skilllint.toml"), format!("[rules]\n{} = \"warning\"\n", rule.id));
        }
        skills.push(skill);
    }
    skills
}

/// RFC-0008:C-FIXES
#[test]
fn a_diff_shows_the_fixes_and_changes_nothing() {
    let site = skill(&[("SKILL.md", FLAWED), ("notes/a b.md", "# A\n\n<!-- skilllint-disable SKL203 -->\n")]);
    let before = snapshot(&site.skill("demo"));
    let shown = site.skc(["lint", "demo", "--diff"]);
    assert_eq!(snapshot(&site.skill("demo")), before);
    assert!(
        shown.out.starts_with("--- a/.skillc/skills/demo/SKILL.md\n+++ b/.skillc/skills/demo/SKILL.md\n@@ "),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("\n-<!-- skilllint-disable SKL203 -->\n") && !shown.out.contains("-name"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("--- a/.skillc/skills/demo/notes/a b.md\n"), "{}", shown.out);
    assert_eq!(shown.err, "", "the diff alone");
    assert!(!shown.out.contains("verdict"), "{}", shown.out);
    let more = site.skc(["lint", "demo", "--diff", "--unsafe"]).out;
    assert!(more.contains("\n-name: Demo\n") && more.contains("\n+name: demo\n"), "{more}");
    site.skc(["lint", "demo", "--diff", "--fix"]).fails("E100");
}

/// RFC-0008:C-FIXES
#[test]
fn safe_fixes_end_with_the_number_of_unsafe_ones() {
    let site = skill(&[
        ("SKILL.md", &skill_md("demo", "\n# Demo\n\nSee [a](refrence.md).\n")),
        ("reference.md", "# A\n"),
    ]);
    let left = "1 fix needs --unsafe: it changes what agents read\n";
    assert!(site.skc(["lint", "demo", "--fix"]).out.contains(left));
    assert!(!site.skc(["lint", "demo"]).out.contains(left));
    assert!(!site.skc(["lint", "demo", "--fix", "--unsafe"]).out.contains("--unsafe"));
}

/// RFC-0008:C-FIXES
#[test]
fn an_empty_diff_says_how_many_fixes_are_unsafe() {
    let site = skill(&[
        ("SKILL.md", &skill_md("demo", "\n# Demo\n\nSee [a](refrence.md).\n")),
        ("reference.md", "# A\n"),
    ]);
    let shown = site.skc(["lint", "demo", "--diff"]);
    assert_eq!(
        (shown.out.as_str(), shown.err.as_str()),
        ("", "1 fix needs --unsafe: it changes what agents read\n")
    );
    let shown = site.skc(["lint", "demo", "--diff", "--unsafe"]);
    assert!(
        shown.out.contains("\n+See [a](reference.md).\n") && shown.err.is_empty(),
        "{}{}",
        shown.out,
        shown.err
    );
}

/// RFC-0008:C-FIXES
#[cfg(unix)]
#[test]
fn a_fix_never_leaves_the_skill() {
    use std::os::unix::fs::symlink;
    let site =
        skill(&[("SKILL.md", FLAWED), ("references/a.md", "# A\n\n<!-- skilllint-disable SKL203 -->\n")]);
    let outside = site.root().join("outside");
    put(&outside.join("b.md"), "# B\n\n<!-- skilllint-disable SKL203 -->\n");
    put(&outside.join("far/SKILL.md"), FLAWED.replace("Demo", "far"));
    symlink(outside.join("b.md"), site.skill("demo").join("b.md")).unwrap();
    symlink(&outside, site.skill("demo").join("there")).unwrap();
    symlink("references/a.md", site.skill("demo").join("c.md")).unwrap();
    symlink("references", site.skill("demo").join("docs")).unwrap();
    symlink(outside.join("far"), site.skill("far")).unwrap();
    let before = snapshot(&outside);
    let all = site.skc(["lint", "--fix"]);
    assert!(!all.err.contains("E999"), "{}", all.err);
    assert_eq!(snapshot(&outside), before, "{}", all.err);
    assert_eq!(
        (text(&site, "references/a.md").as_str(), all.out.matches("  fixed ").count()),
        ("# A\n\n", 2)
    );
    for link in ["b.md", "there", "c.md", "docs"] {
        assert!(site.skill("demo").join(link).is_symlink(), "{link}");
    }
    // A link out of the project is not followed. The skill that it leads to can still be linted by its own path.
    site.skc(["lint", "far", "--fix"]).fails("E018");
    assert_eq!(snapshot(&outside), before);
    site.skc(["lint".as_ref(), outside.join("far").as_os_str(), "--fix".as_ref()]).ok();
    assert!(!fs::read_to_string(outside.join("far/SKILL.md")).unwrap().contains("skilllint"));
    assert_eq!(
        fs::read_to_string(outside.join("b.md")).unwrap(),
        "# B\n\n<!-- skilllint-disable SKL203 -->\n"
    );
}

/// RFC-0008:C-FIXES
#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_line_ends() {
    use std::os::unix::fs::PermissionsExt;
    let body = skill_md("demo", "\nText.\n\n<!-- skilllint-disable SKL201 -->\n").replace('\n', "\r\n");
    let site = skill(&[("SKILL.md", &body)]);
    let file = site.skill("demo").join("SKILL.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
    fix(&site, &["--unsafe"]).ok();
    let after = text(&site, "SKILL.md");
    assert!(after.contains("# Demo\r\n") || after.contains("# demo\r\n"), "a title was put in: {after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o750);
}

/// RFC-0008:C-FIXES
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_reported_and_the_others_are_fixed() {
    use std::os::unix::fs::PermissionsExt;
    let directive = "# A\n\n<!-- skilllint-disable SKL203 -->\n";
    let site =
        skill(&[("SKILL.md", &skill_md("demo", "\n# demo\n")), ("a.md", directive), ("b.md", directive)]);
    let locked = site.skill("demo").join("a.md");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o440)).unwrap();
    let run = fix(&site, &[]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("error[E999]") && run.err.contains("'a.md'"), "{}", run.err);
    assert!(run.out.contains("fixed b.md") && !run.out.contains("fixed a.md"), "{}", run.out);
    assert_eq!((text(&site, "a.md").as_str(), text(&site, "b.md").as_str()), (directive, "# A\n\n"));
}

/// RFC-0008:C-FIXES
#[test]
fn contents_are_added_and_a_title_is_moved() {
    let part = |n: u32| format!("## Part {n}\n\n{}", "Text.\n\n".repeat(10));
    let long: String = (0..7).map(part).collect();
    let body = "# Demo\n\nSee [x](references/x.md) and [y](references/y.md).\n";
    let site = skill(&[
        ("SKILL.md", &crate::site::skill_md("demo", body)),
        ("references/x.md", &format!("# X\n\n{long}")),
        ("references/y.md", "## Before\n\nText.\n\n# Y\n\nText.\n"),
    ]);
    fix(&site, &["--unsafe"]).ok();
    let contents = text(&site, "references/x.md");
    assert!(
        contents.starts_with("# X\n\nContents:\n\n- [Part 0](#part-0)\n- [Part 1](#part-1)\n"),
        "{contents}"
    );
    assert!(
        text(&site, "references/y.md").starts_with("# Y\n\n## Before\n\nText.\n"),
        "{}",
        text(&site, "references/y.md")
    );
}

/// RFC-0008:C-FIXES
#[test]
fn a_link_is_never_bent_to_a_file_that_only_has_the_same_name() {
    let body = "# Demo\n\nSee [a](../../README.md), [b](docs/notes.md) and [c](refrence.md).\n";
    let site = skill(&[
        ("SKILL.md", &crate::site::skill_md("demo", body)),
        ("README.md", "# Readme\n"),
        ("references/notes.md", "# Notes\n"),
        ("reference.md", "# Reference\n"),
    ]);
    fix(&site, &["--unsafe"]);
    let after = text(&site, "SKILL.md");
    assert!(after.contains("[a](../../README.md), [b](docs/notes.md) and [c](reference.md)"), "{after}");
}
