//! How each client treats a skill, depending on its fields and flaws.

use super::*;
use crate::view::FrontMatterState;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Node, Position, Value, find_front_matter};

fn node(value: Value) -> Node {
    Node { value, at: Position { line: 2, column: 1 }, span: 4..8, tag: None }
}

fn plain(text: &str) -> Value {
    Value::Scalar { text: text.to_owned(), is_plain: true }
}

fn list(texts: &[&str]) -> Value {
    Value::List(texts.iter().map(|text| node(plain(text))).collect())
}

fn map(fields: &[(&str, Value)]) -> Value {
    Value::Map(fields.iter().map(|(key, value)| (node(plain(key)), node(value.clone()))).collect())
}

/// The fields of a valid skill in the folder `demo`.
fn demo() -> Vec<(&'static str, Value)> {
    vec![("name", plain("demo")), ("description", plain("Shows how. Use when asked."))]
}

/// The fields of a valid skill with one field added or replaced.
fn with(key: &'static str, value: Value) -> Vec<(&'static str, Value)> {
    let mut fields = demo();
    match fields.iter_mut().find(|(known, _)| *known == key) {
        Some(field) => field.1 = value,
        None => fields.push((key, value)),
    }
    fields
}

fn without(key: &str) -> Vec<(&'static str, Value)> {
    demo().into_iter().filter(|(known, _)| *known != key).collect()
}

fn judge_front(text: &str, front: &FrontMatterState, body: &str) -> Vec<(&'static str, Verdict)> {
    let facts = SkillMdFacts { folder: "demo", text, span: find_front_matter(text), front, body };
    PROFILES.iter().map(|profile| (profile.id, (profile.judge)(&facts))).collect()
}

fn judge(fields: &[(&str, Value)]) -> Vec<(&'static str, Verdict)> {
    let text = format!("---\n{}---\nbody", yaml(fields));
    let Value::Map(fields) = map(fields) else { unreachable!() };
    judge_front(&text, &FrontMatterState::Fields(FrontMatter { fields }), "body")
}

/// The fields as lines, for loaders that search lines.
fn yaml(fields: &[(&str, Value)]) -> String {
    let lines = fields.iter().map(|(key, value)| match value {
        Value::Scalar { text, .. } => format!("{key}: {text}\n"),
        Value::Null => format!("{key}:\n"),
        Value::List(_) => format!("{key}:\n  - a\n"),
        Value::Map(_) => format!("{key}:\n  a: b\n"),
    });
    lines.collect()
}

fn flawed(text: &str, line: u32) -> Vec<(&'static str, Verdict)> {
    let at = Some(Position { line, column: 1 });
    judge_front(
        text,
        &FrontMatterState::Invalid(FrontMatterFlaw { message: "it is broken".into(), at }),
        "body",
    )
}

/// The verdicts that are not the best, in short: `codex dropped, gemini degraded`.
fn bad(verdicts: &[(&str, Verdict)]) -> String {
    let bad = verdicts.iter().filter(|(_, verdict)| !verdict.compatibility.is_good());
    bad.map(|(id, verdict)| format!("{id} {}", verdict.compatibility.word())).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_flawless_skill_loads_everywhere() {
    let verdicts = judge(&demo());
    assert_eq!(bad(&verdicts), "");
    assert!(verdicts.iter().all(|(_, verdict)| verdict.reasons.is_empty()));
}

/// What is tested, the fields of the skill, and the verdicts that are not good.
type VerdictCase = (&'static str, Vec<(&'static str, Value)>, &'static str);

/// Asserts what the specification and each client make of a skill with these fields; clients without a complaint are
/// left out.
fn assert_verdicts<const N: usize>(cases: [VerdictCase; N]) {
    for (case, fields, expected) in cases {
        assert_eq!(bad(&judge(&fields)), expected, "{case}");
    }
}

#[test]
fn a_name_decides_which_clients_load_a_skill() {
    assert_verdicts([
        (
            "only Claude Code and Codex do without a name",
            without("name"),
            "spec invalid, vscode dropped, opencode dropped, gemini dropped, cursor dropped",
        ),
        (
            "a name must be the folder's",
            with("name", plain("other")),
            "spec invalid, vscode dropped, opencode dropped, cursor degraded",
        ),
        (
            "a name has no capitals",
            with("name", plain("Demo")),
            "spec invalid, vscode dropped, opencode dropped, cursor degraded",
        ),
        (
            "Claude Code keeps a prefix for itself, Gemini CLI takes no colon",
            with("name", plain("anthropic-skills:demo")),
            "spec invalid, claude-code dropped, vscode dropped, opencode dropped, gemini degraded, cursor degraded",
        ),
        (
            "letters are those of every script to the specification",
            with("name", plain("größe")),
            "spec invalid, vscode dropped, opencode dropped, cursor degraded",
        ),
    ]);
}

#[test]
fn a_description_decides_which_clients_load_a_skill() {
    let long = |chars: usize| plain(&"x".repeat(chars));
    assert_verdicts([
        (
            "only Claude Code does without a description",
            without("description"),
            "spec invalid, codex dropped, vscode dropped, opencode dropped, gemini dropped, cursor dropped",
        ),
        (
            "a list is no description",
            with("description", list(&["a", "b"])),
            "spec invalid, claude-code degraded, codex dropped, vscode dropped, opencode dropped, gemini degraded, cursor dropped",
        ),
        (
            "a description has 1,024 characters",
            with("description", long(1025)),
            "spec invalid, codex dropped, vscode degraded, opencode dropped",
        ),
        (
            "Claude Code lists 1,536 characters",
            with("when_to_use", long(1536)),
            "spec invalid, claude-code degraded",
        ),
        ("OpenCode takes no number for text", with("description", plain("1.5")), "opencode dropped"),
        ("OpenCode takes no date for text", with("description", plain("2026-01-31")), "opencode dropped"),
        ("OpenCode takes yes for text", with("description", plain("yes")), ""),
        ("VS Code takes tags out", with("description", plain("Shows <b>how</b>")), "vscode degraded"),
    ]);
}

#[test]
fn other_fields_decide_how_clients_load_a_skill() {
    assert_verdicts([
        ("unknown fields do no harm to clients", with("version", plain("1.0")), "spec invalid"),
        ("tools may be a list to clients", with("allowed-tools", list(&["Read"])), "spec invalid"),
        (
            "a hint is text",
            with("argument-hint", list(&["file"])),
            "spec invalid, claude-code degraded, vscode dropped",
        ),
        ("Codex reads metadata into a struct", with("metadata", plain("x")), "spec invalid, codex dropped"),
        (
            "Codex reads the short description",
            with("metadata", map(&[("short-description", list(&["x"]))])),
            "spec invalid, codex dropped",
        ),
        (
            "yes is true to Claude Code only",
            with("disable-model-invocation", plain("yes")),
            "spec invalid, codex degraded, vscode degraded, opencode degraded, gemini degraded, cursor degraded",
        ),
        (
            "a restriction is lost where it is not read",
            with("disable-model-invocation", plain("true")),
            "spec invalid, codex degraded, opencode degraded, gemini degraded",
        ),
        (
            "paths are read by Claude Code and Cursor",
            with("paths", plain("*.rs")),
            "spec invalid, codex degraded, vscode degraded, opencode degraded, gemini degraded",
        ),
        ("an effort is one of five", with("effort", plain("huge")), "spec invalid, claude-code degraded"),
        ("an agent needs a fork", with("agent", plain("x")), "spec invalid, claude-code degraded"),
        ("a compatibility is not empty", with("compatibility", plain(" ")), "spec invalid"),
    ]);
}

#[test]
fn a_skill_that_nobody_can_invoke_is_dropped_where_both_switches_are_read() {
    let mut fields = with("disable-model-invocation", plain("true"));
    fields.push(("user-invocable", plain("false")));
    let expected = "spec invalid, claude-code dropped, codex degraded, vscode dropped, opencode degraded, \
                    gemini degraded, cursor degraded";
    assert_eq!(bad(&judge(&fields)), expected);
}

#[test]
fn a_key_that_stands_twice_is_an_error_to_strict_readers_and_a_loss_to_others() {
    let mut fields = demo();
    fields.push(("name", plain("demo")));
    let expected = "spec invalid, claude-code degraded, codex dropped, vscode degraded, opencode dropped, \
                    gemini degraded, cursor degraded";
    assert_eq!(bad(&judge(&fields)), expected);
}

/// vercel-labs/skills#1525, openai/codex#8609
#[test]
fn an_unquoted_colon_is_forgiven_by_gemini_and_opencode_and_empties_claude_codes_metadata() {
    let verdicts = flawed("---\nname: demo\ndescription: use when: asked\n---\n# x\n", 3);
    let expected = "spec invalid, claude-code degraded, codex dropped, vscode dropped, cursor dropped";
    assert_eq!(bad(&verdicts), expected);
}

/// vercel-labs/skills#1525
#[test]
fn two_lists_as_a_hint_are_forgiven_by_gemini_only() {
    let verdicts = flawed("---\nname: demo\ndescription: d\nargument-hint: [a] [b]\n---\n# x\n", 4);
    let expected =
        "spec invalid, claude-code degraded, codex dropped, vscode dropped, opencode dropped, cursor dropped";
    assert_eq!(bad(&verdicts), expected);
    let both = flawed("---\nname: demo\ndescription: use when: asked\nargument-hint: [a] [b]\n---\n# x\n", 3);
    assert_eq!(bad(&both), expected, "one of two flaws is repaired by OpenCode");
}

#[test]
fn values_that_gemini_reads_by_lines_keep_their_yaml_signs() {
    let verdicts =
        flawed("---\nname: demo\ndescription: >-\n  a\n  b\nargument-hint: [a] [b]\n---\n# x\n", 6);
    assert!(bad(&verdicts).contains("gemini degraded"), "{}", bad(&verdicts));
    let verdicts = flawed("---\ndescription: d\nhint: [a] [b]\n---\n# x\n", 3);
    assert!(bad(&verdicts).contains("gemini dropped"), "{}", bad(&verdicts));
}

#[test]
fn a_tab_is_indentation_to_js_yaml_only() {
    let verdicts = flawed("---\nname: demo\ndescription: d\nmetadata:\n\ta: b\n---\n# x\n", 5);
    let expected = "spec invalid, claude-code degraded, codex dropped, vscode dropped, cursor dropped";
    assert_eq!(bad(&verdicts), expected);
}

#[test]
fn a_byte_order_mark_hides_the_front_matter_from_some() {
    let Value::Map(fields) = map(&demo()) else { unreachable!() };
    let front = FrontMatterState::Fields(FrontMatter { fields });
    let verdicts = judge_front("\u{feff}---\nname: demo\n---\n", &front, "x");
    assert_eq!(bad(&verdicts), "spec invalid, codex dropped, vscode dropped, gemini dropped");
    let Value::Map(fields) = map(&demo()) else { unreachable!() };
    let verdicts =
        judge_front("---\r\nname: demo\r\n---\r\n", &FrontMatterState::Fields(FrontMatter { fields }), "x");
    assert_eq!(bad(&verdicts), "", "CRLF is read by all");
}

#[test]
fn without_front_matter_only_claude_code_offers_a_skill() {
    let dropped = "codex dropped, vscode dropped, opencode dropped, gemini dropped, cursor dropped";
    assert_eq!(
        bad(&judge_front("# x\n", &FrontMatterState::None, "# x\n")),
        format!("spec invalid, {dropped}")
    );
    let unclosed = judge_front("---\nname: demo\n", &FrontMatterState::Unclosed, "---\nname: demo\n");
    assert_eq!(bad(&unclosed), format!("spec invalid, claude-code degraded, {dropped}"));
    assert!(
        bad(&judge_front("", &FrontMatterState::None, "")).contains("claude-code degraded"),
        "nothing to tell"
    );
}

#[test]
fn a_flaw_is_shown_from_its_place_to_the_end_of_its_line() {
    let text = "---\nname: é: x\n---\n";
    let at = Some(Position { line: 2, column: 7 });
    let front = FrontMatterState::Invalid(FrontMatterFlaw { message: "broken".into(), at });
    let facts = SkillMdFacts { folder: "demo", text, span: find_front_matter(text), front: &front, body: "" };
    let verdict = (spec::PROFILE.judge)(&facts);
    let shown = verdict.reasons[0].at.clone().unwrap();
    assert_eq!(&text[shown], "é: x");
    for (line, column) in [(0, 0), (1, 99), (99, 1), (u32::MAX, u32::MAX)] {
        let front = FrontMatterState::Invalid(FrontMatterFlaw {
            message: "x".into(),
            at: Some(Position { line, column }),
        });
        for (_, verdict) in judge_front(text, &front, "") {
            for reason in verdict.reasons {
                assert!(reason.at.is_none_or(|at| text.get(at).is_some()), "{line}:{column}");
            }
        }
    }
}

#[test]
fn profiles_are_found_by_their_ids() {
    assert_eq!(find("claude-code").map(|profile| profile.label), Some("Claude Code"));
    assert!(find("all").is_none() && find("Codex").is_none());
    for profile in PROFILES {
        assert!(!profile.source.is_empty() && !profile.label.is_empty());
        assert!(profile.fields.iter().all(|field| !spec::FIELDS.contains(field)), "{}", profile.id);
    }
}
