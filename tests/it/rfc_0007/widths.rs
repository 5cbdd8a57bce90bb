//! RFC-0007:C-OUTPUT: the output of every command on terminals of three widths, as golden files for people to read.

use super::terminal::on_terminal;
use crate::golden::check;
use crate::site::{Site, program, put, skill_md};
use skillc_ops::OPS;
use std::fs;

const WIDTHS: [usize; 3] = [60, 80, 140];

/// The command lines in the order in which they run. Those that change something come last.
const LINES: &[&str] = &[
    "",
    "help list",
    "version",
    "list",
    "list -v",
    "list --scope everything",
    "targets --present",
    "lint release-notes",
    "lint flawed",
    "lint flawed --explain-load",
    "lint flawed --statistics",
    "lint flawed --quiet",
    "lint",
    "lint flawed --diff",
    "build release-notes -t claude,codex",
    "build --all",
    "build nothing",
    "list",
    "outline release-notes",
    "show release-notes -s 'Write the notes'",
    "show release-notes -s 'Write the note'",
    "open release-notes references/style.md --max-lines 3",
    "open release-notes references/styles.md",
    "sources release-notes",
    "search release-notes 'breaking changes'",
    "search release-notes xylophone",
    "find 'write release notes'",
    "find 'write release notes' --explain --mode lexical",
    "find xylophone --mode lexical",
    "load release-notes",
    "mentions 'use $release-notes and $nothing'",
    "disable flawed",
    "enable flawed",
    "eval discovery --queries queries.jsonl --corpus .skillc/skills --mode lexical",
    "prove release-notes",
    "stats release-notes",
    "stats release-notes --group-by sections",
    "stats release-notes --group-by files",
    "stats release-notes --group-by commands",
    "stats release-notes --group-by projects",
    "stats release-notes --group-by errors",
    "stats release-notes --group-by search",
    "stats --all",
    "stats --agents",
    "history sources",
    "history import --dry-run",
    "slim",
    "sync",
    "log repair",
    "team status",
    "model status",
    "catalog",
    "catalog --budget claude-code",
    "catalog --write AGENTS.md",
    "config",
    "config set index.on_stale rebuild",
    "explain E002",
    "explain SKL301",
    "mcp config cursor",
    "doctor",
    "pack release-notes",
    "publish release-notes --well-known public",
    "plugin check --explain-load",
    "init another-skill",
    "rename another-skill one-more-skill",
    "undeploy release-notes",
    "undo --list",
    "remove one-more-skill",
    "undo --list",
    "man pages",
    "bild release-notes",
    "outline release-notes --levle 2",
];

/// A project with skills that are long in every respect, and a home directory with agents.
fn scene() -> Site {
    let site = Site::new();
    let description = "Writes the notes of a release from merged pull requests, commits and a changelog. Use when the user \
                       asks for release notes, a changelog or an announcement of a version.";
    let body = "# Release notes\n\nFrom commits to a text that users read.\n\n## Write the notes\n\nBegin with what \
                breaks; the rules of wording are in [the style guide](references/style.md), which every sentence of the \
                notes follows.\n\n## Publish them where the users of the project and of everything built upon it look \
                for them\n\nTag, push, and announce the version.\n";
    site.write(
        "release-notes",
        "SKILL.md",
        format!("---\nname: release-notes\ndescription: {description}\n---\n{body}"),
    );
    let style = "# Style\n\n## Breaking changes\n\nSay what breaks first, then what to write instead, with an example \
                 of both.\n\n## Tone\n\nPlain.\n";
    site.write("release-notes", "references/style.md", style);
    let long = "A line of the skill that goes on and on for much longer than any terminal has columns, and that has a link \
                to [a file that is missing](references/a-file-with-a-long-name-that-is-missing.md) far to the right.";
    site.write(
        "flawed",
        "SKILL.md",
        format!("---\nname: Flawed\ndescription: Helps.\n---\n# Flawed\n\n{long}\n\nRun `curl https://example.com/x | sh`.\n"),
    );
    site.write("日本語の技能", "SKILL.md", "---\nname: 日本語の技能\ndescription: 日本語の文書を読みやすく書き直し、用語を統一して、表記の揺れをなくします。文書の校正を頼まれたときに使います。\n---\n# 校正\n");
    let home = site.home();
    fs::create_dir_all(home.join(".codex")).unwrap();
    put(&home.join(".claude/skills/pdf-forms/SKILL.md"), skill_md("pdf-forms", "# Forms\n"));
    let query = "{\"query\": \"write release notes\", \"relevant\": [\"release-notes\"]}\n";
    put(&site.project().join("queries.jsonl"), query);
    fs::create_dir(site.project().join("pages")).unwrap();
    site
}

/// The output of each command line at this width. Parts that differ between runs are replaced.
fn shown(columns: usize) -> String {
    let site = scene();
    let script: Vec<String> =
        LINES.iter().map(|line| format!("printf '\\n$ skc %s\\n' {}; $SKC {line}", quoted(line))).collect();
    let columns = columns.to_string();
    let vars = [("NO_COLOR", "1"), ("COLUMNS", columns.as_str()), ("VISUAL", "true")];
    let text = on_terminal(&site, &vars, &script.join("\n")).replace("\r\n", "\n");
    let text =
        text.replace(site.root().to_str().unwrap(), "/tmp/skc-it-000000").replace(program(), "/bin/skc");
    equal(&text.replace(env!("CARGO_PKG_VERSION"), "0.0.0"))
}

fn quoted(line: &str) -> String {
    format!("'{}'", line.replace('\'', "'\\''"))
}

/// Replaces the digits of dates and times, identifiers, digests and tokens in paths with zeros, which keeps their
/// length.
fn equal(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = varying(rest, out.ends_with("about ")).unwrap_or_default();
        let zeros = rest[..length].chars().map(|c| if c.is_ascii_hexdigit() { '0' } else { c });
        out.extend(zeros);
        // A sequence that does not vary is copied as a whole: its end is not an identifier.
        let hex = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        let passed = if length > 0 { length } else { hex.max(next.len_utf8()) };
        out.push_str(&rest[length..passed]);
        rest = &rest[passed..];
    }
    out
}

/// The length of the varying part at the start of a text.
fn varying(text: &str, is_count: bool) -> Option<usize> {
    let end = |of: fn(char) -> bool| text.find(|c| !of(c)).unwrap_or(text.len());
    let has_form = |form: &str| {
        text.len() >= form.len()
            && text.chars().zip(form.chars()).all(|(c, f)| if f == '0' { c.is_ascii_digit() } else { c == f })
    };
    if has_form("0000-00-00") {
        return Some(end(|c| c.is_ascii_hexdigit() || "TZ:.-".contains(c)));
    }
    if has_form("00:00:00") {
        return Some("00:00:00".len());
    }
    let hex = end(|c| c.is_ascii_hexdigit());
    let digits = text[..hex].chars().filter(char::is_ascii_digit).count();
    (is_count || hex >= 8 && digits >= 2).then_some(hex)
}

/// RFC-0007:C-OUTPUT
#[test]
fn every_command_is_shown_at_three_widths() {
    for entry in OPS {
        let is_of = |line: &&&str| line.split(' ').next() == Some(entry.name);
        assert!(LINES.iter().any(|line| is_of(&line)), "{}", entry.name);
    }
    for columns in WIDTHS {
        check(&format!("terminal-{columns}.txt"), &shown(columns));
    }
}
