//! Findings as SARIF 2.1.0, the format of code scanning services and editors.

use super::reply::{LintDiagnostic, LintEdit, LintFix, LintReply, LintedReply};
use serde_json::{Value, json};
use skillc_lint::explain::{help, origin};
use skillc_lint::located::Lines;
use skillc_lint::rule::{Rule, Severity};
use std::collections::BTreeMap;
use std::path::Path;

/// The log: one run with the violated rules and a result for each finding.
pub fn sarif(reply: &LintReply) -> Vec<u8> {
    let mut rules: BTreeMap<&str, &'static Rule> = BTreeMap::new();
    for found in reply.skills.iter().flat_map(|skill| &skill.diagnostics) {
        rules.insert(found.rule, found.about);
    }
    let ids: Vec<&str> = rules.keys().copied().collect();
    let results: Vec<Value> = reply
        .skills
        .iter()
        .flat_map(|skill| skill.diagnostics.iter().map(|found| result(skill, found, &ids)))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skillc",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.values().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdicts": verdicts(reply) },
        }],
    });
    // Strings and numbers can always be serialized.
    let mut bytes = serde_json::to_vec_pretty(&log).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": { "text": rule.name },
        "fullDescription": { "text": rule.why },
        "help": { "text": help(rule) },
        "defaultConfiguration": configuration(rule),
        "properties": { "origin": origin(rule), "tags": [rule.tier.word()] },
    })
}

/// A rule that is off by default has the level that it gets when enabled.
fn configuration(rule: &Rule) -> Value {
    match rule.severity {
        Severity::Off => json!({ "enabled": false, "level": Severity::Warning.setting() }),
        severity => json!({ "level": severity.setting() }),
    }
}

fn result(skill: &LintedReply, found: &LintDiagnostic, ids: &[&str]) -> Value {
    let mut result = json!({
        "ruleId": found.rule,
        "ruleIndex": ids.binary_search(&found.rule).unwrap_or_default(),
        "level": found.severity,
        "message": { "text": message(found) },
        "properties": properties(found),
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&skill.path_of(&found.file)) },
            "region": region_of(found),
        }}],
        "partialFingerprints": {
            "skillcFinding/v1": format!("{} {}", found.skill, found.identity.replace('\0', " ")),
        },
    });
    if let (Some(fix), Value::Object(result)) = (&found.fix, &mut result) {
        result.insert("fixes".to_owned(), json!([fix_of(skill, found, fix)]));
    }
    result
}

/// Tier, confidence and risk of a finding.
fn properties(found: &LintDiagnostic) -> Value {
    let mut properties = json!({ "tier": found.tier, "confidence": found.confidence });
    if let (Some(risk), Value::Object(properties)) = (found.risk, &mut properties) {
        properties.insert("risk".to_owned(), json!(risk));
    }
    properties
}

fn message(found: &LintDiagnostic) -> String {
    match &found.hint {
        Some(hint) => format!("{}; {hint}", found.message),
        None => found.message.clone(),
    }
}

/// For a file that is not text, its first line, since services show findings next to source lines.
fn region_of(found: &LintDiagnostic) -> Value {
    let LintDiagnostic { line, column, end_line, end_column, .. } = *found;
    match found.excerpt {
        Some(_) => region(&Lines { line, column, end_line, end_column }),
        None => json!({ "startLine": line }),
    }
}

fn region(lines: &Lines) -> Value {
    json!({
        "startLine": lines.line,
        "startColumn": lines.column,
        "endLine": lines.end_line,
        "endColumn": lines.end_column,
    })
}

fn fix_of(skill: &LintedReply, found: &LintDiagnostic, fix: &LintFix) -> Value {
    let replacement = |edit: &LintEdit| json!({ "deletedRegion": region(&edit.lines), "insertedContent": { "text": edit.text } });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&skill.path_of(&found.file)) },
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

/// A path as a URI reference: relative paths unchanged, an absolute one as `file:///…`.
fn uri(path: &str) -> String {
    let is_absolute = Path::new(path).is_absolute();
    let encoded = path.bytes().map(|byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        // A colon is allowed after a Windows drive; in a relative path it would end a scheme.
        b':' if is_absolute => ":".to_owned(),
        _ => format!("%{byte:02X}"),
    });
    let encoded: String = encoded.collect();
    match is_absolute {
        true => format!("file:///{}", encoded.trim_start_matches('/')),
        false => encoded,
    }
}

fn verdicts(reply: &LintReply) -> Value {
    let of = |skill: &LintedReply| json!({ "skill": skill.skill, "verdicts": skill.verdicts });
    reply.skills.iter().map(of).collect()
}
