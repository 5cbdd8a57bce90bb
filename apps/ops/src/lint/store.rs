//! Runs the rules that compare the skills of a store.

use crate::app::App;
use crate::lint::collection::slashed;
use crate::lint::outcome::LintOutcome;
use crate::lint::skill::{LintedSkill, Trust};
use crate::skill::Skill;
use crate::source::skill_file;
use skillc_domain::places::Places;
use skillc_lint::rule::{Check, Severity};
use skillc_lint::view::{LintFile, SkillCard};
use skillc_lint::{Finding, RULES, StoreView};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// Runs the rules about stores, and adds the findings to the skills that they concern.
pub fn ask_store(app: &App, done: &mut [LintOutcome], trust: Trust) {
    let owners: Vec<usize> = (0..done.len()).filter(|at| done[*at].linted.is_some()).collect();
    let cards = cards(&app.call.places, &owners.iter().map(|at| &done[*at]).collect::<Vec<_>>());
    let (mut found, skill_md) = (Vec::new(), skill_file());
    for rule in RULES {
        let Check::Store(check) = rule.check else { continue };
        // The skill's own settings are applied to its findings below.
        let severity = rule.severity_in(&app.call.settings.lint);
        let severity = if severity == Severity::Off { rule.severity } else { severity };
        let store = StoreView { skills: &cards };
        found.extend(Finding::collect(rule, severity, &skill_md, |report| check(&store, report)));
    }
    for mut finding in found {
        let Some(linted) = owners.get(finding.skill).and_then(|at| done[*at].linted.as_mut()) else {
            continue;
        };
        finding.severity = match trust {
            Trust::Author => finding.rule.severity_in(&linted.context.settings),
            Trust::Untrusted => finding.rule.severity_in(&app.call.settings.lint),
        };
        finding.issue.skill = 0;
        if finding.severity != Severity::Off {
            linted.findings.push(finding);
        }
    }
}

fn cards(places: &Places, skills: &[&LintOutcome]) -> Vec<SkillCard> {
    let mut first_copies: HashMap<&str, usize> = HashMap::new();
    let mut cards = Vec::with_capacity(skills.len());
    for (at, outcome) in skills.iter().copied().enumerate() {
        let skill_md = outcome.linted.as_ref().and_then(LintedSkill::skill_md);
        let text = skill_md.and_then(|file| file.text.as_deref());
        let first_copy = text.map_or(at, |text| *first_copies.entry(text).or_insert(at));
        cards.push(SkillCard { first_copy, ..card(places, &outcome.skill, skill_md) });
    }
    cards
}

fn card(places: &Places, skill: &Skill, skill_md: Option<&LintFile>) -> SkillCard {
    let field = |key: &str| -> Option<(String, Range<usize>)> {
        let node = skill_md?.fields()?.get(key)?;
        Some((node.text()?.to_owned(), node.span.clone()))
    };
    let below = |folder: &Path| skill.path.strip_prefix(folder).ok();
    let place = slashed(below(&places.cwd).or_else(|| below(&places.home)).unwrap_or(&skill.path));
    SkillCard {
        shown: if skill.scope.is_some() { skill.name.clone() } else { place.clone() },
        place,
        first_copy: 0,
        name: field("name"),
        description: field("description"),
    }
}
