//! SKL413: trigger queries that repeat the description.

use crate::eval_file::EvalFile;
use crate::one_line::one_line;
use crate::report::IssueLocation;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{Report, SkillView};
use skillc_domain::discovery::words::words;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    id: "SKL413",
    name: "trigger-query-copied",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agentskills.io, Optimizing descriptions"),
    why: "A query in the words of the description is always found and measures nothing: users do not know these words.",
    fix: "Write the query as a user would who has never seen the skill: casually, with details of a task, and without its words.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/eval_queries.json", "[\n  {\"query\": \"how do I check one thing\", \"should_trigger\": true},\n  {\"query\": \"which check covers this case\", \"should_trigger\": true},\n  {\"query\": \"write a poem about the sea\", \"should_trigger\": false},\n  {\"query\": \"book a table for two\", \"should_trigger\": false}\n]\n"),
        ])],
    bad: &[Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("evals/eval_queries.json", "[\n  {\"query\": \"shows how one rule works\", \"should_trigger\": true},\n  {\"query\": \"which check covers this case\", \"should_trigger\": true},\n  {\"query\": \"write a poem about the sea\", \"should_trigger\": false},\n  {\"query\": \"book a table for two\", \"should_trigger\": false}\n]\n"),
        ])],
    check: Check::Skill(check),
};

/// Minimum number of words of a query that is compared; shorter ones cannot be phrased differently.
const WORDS_MIN: usize = 4;
/// Percentage of shared words above which one text repeats the other.
const ALIKE_PERCENT: usize = 80;

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let fields = view.files.iter().find(|file| file.is_skill_md()).and_then(|file| file.fields());
    let Some(description) = fields.and_then(|fields| fields.get("description")?.text()) else { return };
    let sentences: Vec<BTreeSet<String>> =
        description.split(['.', ';', '!', '?', '\n', '。']).chain([description]).map(word_set).collect();
    for file in view.files {
        let EvalFile::Queries(queries) = &file.evals else { continue };
        for query in queries.iter().filter(|query| query.should_trigger) {
            let asked = word_set(&query.query);
            if asked.len() >= WORDS_MIN && sentences.iter().any(|sentence| are_alike(&asked, sentence)) {
                let message = format!("query repeats the description: '{}'", one_line(&query.query));
                report.elsewhere(&file.path, IssueLocation::Span(query.span.clone()), message);
            }
        }
    }
}

/// The words of a text, without the `s` of a plural or verb: a query asks to `merge` what a description `merges`.
fn word_set(text: &str) -> BTreeSet<String> {
    words(text).iter().map(|word| word.trim_end_matches('s').to_owned()).collect()
}

/// Whether nearly all words of either set are in the other.
fn are_alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    shared * 100 >= one.union(other).count() * ALIKE_PERCENT
}
