//! SKL534: a skill that claims to come from a vendor.

use crate::security::phrases::tables::{POSING, POSING_ANCHORS, POSING_IN_DESCRIPTION, POSING_IN_DESCRIPTION_ANCHORS};
use crate::security::phrases::{Meaning, by_table, is_in_description, report_hits};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::security::terms::words;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL534",
    name: "impersonation",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Cisco skill-scanner SOCIAL_ENG_ANTHROPIC_IMPERSONATION, agnix CC-SK-030"),
    why: "A text cannot prove its origin, yet users and agents trust a claim to come from a vendor.",
    fix: "Name the author in `metadata`, and let the source it is downloaded from prove the origin.",
    params: &[],
    patterns: &[POSING_ANCHORS, POSING_IN_DESCRIPTION_ANCHORS],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Read the official Microsoft documentation, and use the official google-genai SDK.\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Official Anthropic skill that shows a rule. Use when a rule is shown.\n---\n\n# Demo\n",
    )])],
    check: Check::File(check),
};

/// Words in a name that, together with a vendor's name, claim an origin.
const CLAIMS: &[&str] = &["official", "verified", "certified", "endorsed", "genuine", "authentic"];
/// Vendors of agents.
const VENDORS: &[&str] =
    &["anthropic", "claude", "openai", "chatgpt", "google", "gemini", "microsoft", "copilot", "github"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if !view.file.is_skill_md() {
        return;
    }
    if let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) {
        let words = words(node.text().unwrap_or_default());
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        if has(CLAIMS) && has(VENDORS) {
            report.at(node.span.clone(), "the name claims to come from a vendor");
        }
    }
    report_hits((view, report), &RULE, meaning, is_place);
}

fn meaning(file: &LintFile, hit: &PatternHit) -> Meaning {
    match hit.pattern {
        0 => by_table(file, hit, &POSING),
        _ => by_table(file, hit, &POSING_IN_DESCRIPTION).filter(|(span, _)| is_in_description(file, span)),
    }
}

fn is_place(file: &LintFile, span: &Range<usize>) -> bool {
    file.region_at(span.start).is_none_or(|kind| kind != skillc_domain::markup::RegionKind::CodeBlock)
}
