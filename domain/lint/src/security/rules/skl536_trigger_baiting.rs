//! SKL536: descriptions that attract every request.

use crate::security::phrases::tables::{BAITING, BAITING_ANCHORS};
use crate::security::phrases::{Meaning, by_table, is_in_description, report_hits};
use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use std::collections::HashMap;

pub static RULE: Rule = Rule {
    id: "SKL536",
    name: "trigger-baiting",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector TR1-3, Cisco skill-scanner TRIGGER_OVERLY_GENERIC"),
    why: "A skill that claims every request is loaded where it does not help, and displaces skills that would.",
    fix: "Name the tasks that the skill is for, and leave the choice between skills to the agent.",
    params: &[Param {
        name: "repeats",
        default: 9,
        meaning: "minimum consecutive triggers with the same word",
    }],
    patterns: &[BAITING_ANCHORS],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows a rule. Use when any task involves rules, or for anything about examples.\n---\n\n# Demo\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows a rule. Use when a rule is shown. Use this skill for every request.\n---\n\n# Demo\n",
    )])],
    check: Check::File(check),
};

/// Words that occur in nearly every request.
const EVERYWHERE: &[&str] = &[
    "a", "the", "is", "it", "i", "you", "what", "how", "why", "when", "please", "help", "hi", "hello", "and",
    "or", "do", "can", "run", "fix", "code", "file", "files", "make", "get", "to", "of", "in", "thanks",
    "ok", "yes",
];
/// Function words that every description repeats.
const FILLING: &[&str] = &["the", "and", "for", "use", "with", "when"];
/// Number of keywords, without any sentence, from which a text no longer counts as a description.
const KEYWORDS_MAX: usize = 12;
/// Number of words from [`EVERYWHERE`] in a list of triggers that cannot be an accident; honest lists have at most two.
const EVERYWHERE_MAX: usize = 3;
/// Percentage of a description from which a single word dominates it; honest ones stay below 25.
const SHARE_PERCENT: usize = 30;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if !view.file.is_skill_md() {
        return;
    }
    report_hits((view, report), &RULE, meaning, is_in_description);
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    if let Some(message) =
        node.text().and_then(|text| stuffing(text, RULE.param(&view.context.settings, "repeats") as usize))
    {
        report.at(node.span.clone(), message);
    }
}

/// Whether a description is a heap of keywords: one word again and again, or words that every request contains.
fn stuffing(description: &str, repeats_max: usize) -> Option<String> {
    let lower = description.to_lowercase();
    let common = items(&lower).filter(|item| EVERYWHERE.contains(item)).count();
    if common > EVERYWHERE_MAX {
        return Some(format!("{common} triggers occur in nearly every request"));
    }
    let words =
        |text: &str| text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let keywords = items(&lower).filter(|item| !item.is_empty()).count();
    if keywords >= KEYWORDS_MAX && items(&lower).all(|item| words(item) <= 3) {
        return Some(format!("{keywords} keywords are not part of a sentence"));
    }
    // Quoted phrases of users repeat the subject each time.
    let said = without_commands(&unquoted(&lower));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in names(&said).filter(|word| word.len() > 2 && !FILLING.contains(word)) {
        *counts.entry(word).or_default() += 1;
    }
    let mut often: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count > 5).collect();
    often.sort_unstable();
    often.into_iter().find_map(|(word, count)| {
        let has = |item: &str| {
            words(item) < 5 && names(item).any(|other| other == word)
        };
        let (mut run, mut longest) = (0, 0);
        for item in items(&said) {
            run = if has(item) { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        let is_heap = longest >= repeats_max || count * 100 >= words(&said) * SHARE_PERCENT;
        is_heap.then(|| format!("'{word}' occurs {count} times in the description"))
    })
}

/// Removes slash commands, which repeat the skill's name: `/acme:plan`.
fn without_commands(text: &str) -> String {
    let is_said = |word: &&str| !word.trim_start_matches(['(', '`']).starts_with('/');
    text.split(' ').filter(is_said).collect::<Vec<_>>().join(" ")
}

/// The words of a text, of which names such as `acme.tools` are one.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '.').map(|name| name.trim_matches('.'))
}

/// The items of a list, or the sentences of a text.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '.', '\n']).map(str::trim)
}

/// Removes quoted text, in double quotes that open and close on one line.
fn unquoted(text: &str) -> String {
    let text = text.replace(['“', '”', '「', '」'], "\"");
    let line = |line: &str| match line.matches('"').count() % 2 {
        0 => line.split('"').step_by(2).collect::<Vec<_>>().join(" "),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn meaning(file: &LintFile, hit: &PatternHit) -> Meaning {
    by_table(file, hit, &BAITING).filter(|(span, _)| is_in_description(file, span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_of_keywords_is_told_from_a_list_of_triggers() {
        let many = "Use for pdf file, pdf reader, pdf editor, pdf merge, pdf split, pdf tool, pdf maker, pdf view, pdf export.";
        for heap in ["file, file, file, file, file, file", "Use for a, the, is, what, how, please", many] {
            assert!(stuffing(heap, 9).is_some(), "{heap}");
        }
        let honest = "Works with risk data. Use for risk matrix, risk assessment, risk score, hazard lists, and risk reports of a project.";
        assert_eq!(stuffing(honest, 9), None);
        let modules = "Guide for the modules acme, acme.utils, acme.base, acme.dag, acme.net, acme.server, acme.parser, acme.tools and acme.chain.";
        assert_eq!(stuffing(modules, 9), None);
        let said = "Merges PDF files. Trigger on \"read pdf\", \"pdf to text\", \"pdf tables\", \"pdf info\", \"merge pdf\", \"split pdf\", \"rotate pdf\", \"pdf images\", \"读 pdf\", “pdf 表格”.";
        assert_eq!(stuffing(said, 9), None);
        let commands = "Improves acme in a loop. Use for /acme, /acme:plan, /acme:run, /acme:fix, /acme:learn, /acme:ship, /acme:probe.";
        assert_eq!(stuffing(commands, 9), None);
    }
}
