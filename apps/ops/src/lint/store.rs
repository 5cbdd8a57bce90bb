//! Runs the rules that compare the skills of a store.

use crate::app::App;
use crate::lint::outcome::LintOutcome;
use crate::lint::skill::{LintedSkill, Trust};
use crate::source::skill_file;
use skillc_lint::rule::{Check, Severity};
use skillc_lint::view::SkillCard;
use skillc_lint::{Finding, RULES, StoreView};
use std::ops::Range;

/// Runs the rules about stores, and adds the findings to the skills that they concern.
pub fn ask_store(app: &App, done: &mut [LintOutcome], trust: Trust) {
    let owners: Vec<usize> = (0..done.len()).filter(|at| done[*at].linted.is_some()).collect();
    let cards: Vec<SkillCard> = owners
        .iter()
        .filter_map(|at| Some(card(&done[*at].skill.name, done[*at].linted.as_ref()?)))
        .collect();
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

fn card(name: &str, linted: &LintedSkill) -> SkillCard {
    let field = |key: &str| -> Option<(String, Range<usize>)> {
        let node = linted.skill_md()?.fields()?.get(key)?;
        Some((node.text()?.to_owned(), node.span.clone()))
    };
    SkillCard {
        folder: linted.context.folder.clone(),
        shown: name.to_owned(),
        name: field("name"),
        description: field("description"),
    }
}
