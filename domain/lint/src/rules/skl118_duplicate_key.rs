//! SKL118: duplicate keys.

use skillc_domain::frontmatter::Node;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::maps;
use crate::one_line::one_line;
use crate::{FileView, Report};
use std::collections::{HashMap, HashSet};

pub static RULE: Rule = Rule {
    id: "SKL118",
    name: "duplicate-key",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Client("Codex", "openai/codex codex-rs/core-skills/src/loader.rs"),
    why: "YAML forbids duplicate keys. Codex and skills-ref drop the skill; other readers use either the first or \
          the last value.",
    fix: "Keep one of the values.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         metadata:\n  name: a name of its own\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         license: MIT\nlicense: Apache-2.0\n---\n\n# Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(fields) = view.skill_fields() else { return };
    // An aliased value is in the file only once.
    let mut reported = HashSet::new();
    for map in maps(fields) {
        let mut first: HashMap<&str, &Node> = HashMap::new();
        for key in map.iter().map(|(key, _)| key) {
            let Some(text) = key.text() else { continue };
            let Some(before) = first.get(text) else {
                first.insert(text, key);
                continue;
            };
            if reported.insert(key.span.start) {
                let line = before.at.line;
                report.at(key.span.clone(), format!("key '{}' is already defined on line {line}", one_line(text)));
            }
        }
    }
}
