//! Skills that probably no agent chooses by their descriptions: those in no folder of skills, and those built into a
//! program that loads them itself.

use crate::lint::collection::slashed;
use crate::lint::outcome::LintOutcome;
use crate::lint::{Engine, LintedSkill};
use crate::run::Run;
use skillc_lint::rule::Tier;
use skillc_lint::rules::skl100_frontmatter_valid::weigh_built_in;
use skillc_lint::rules::skl101_name_required::weigh_built_in as weigh_built_in_name;
use skillc_lint::rules::skl108_description_triggers::{
    is_about_description, weigh_brief, weigh_unchosen as weigh_description,
};
use skillc_lint::set_aside::is_unplaced;
use skillc_lint::view::FrontMatterState;
use skillc_lint::{Finding, SkillView};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Percentage of the skills of a folder from which it is usual that descriptions say when to use them.
const SAYING_PERCENT: usize = 30;

/// Number of skills in a folder from which it is usual that none has front matter.
const BARE_MIN: usize = 3;

/// Lowers the findings about descriptions and missing front matter of those skills of a run.
pub fn weigh_unchosen(run: &Run<'_>, engine: &Engine, done: &mut [LintOutcome]) {
    if done.len() < 2 {
        // The author asked for this one.
        return;
    }
    if are_brief(done) {
        let linted = done.iter_mut().filter_map(|outcome| outcome.linted.as_mut());
        let is_brief = |linted: &&mut LintedSkill| {
            description(linted).is_some_and(|text| text.chars().count() <= BRIEF_CHARS_MAX)
        };
        linted.filter(is_brief).for_each(|linted| weigh_brief(&mut linted.findings));
    }
    let siblings = siblings(done);
    for outcome in done {
        let path = outcome.skill.path.clone();
        let Some(linted) = outcome.linted.as_mut().filter(|linted| linted.findings.iter().any(is_shown))
        else {
            continue;
        };
        let within = path.strip_prefix(&run.app.call.places.cwd).map(slashed);
        let is_unplaced = within.is_ok_and(|within| is_unplaced(&within));
        let is_built_in = engine.code.is_built_in(run, &path);
        let of_parent = path.parent().and_then(|parent| siblings.get(parent));
        let is_unusual = of_parent.is_some_and(|beside| beside.saying * 100 < beside.all * SAYING_PERCENT);
        let are_bare = of_parent.is_some_and(|beside| beside.all >= BARE_MIN && beside.bare == beside.all);
        if is_built_in || is_unusual && is_unplaced {
            let view = SkillView { context: &linted.context, files: &linted.files };
            weigh_description(&view, &mut linted.findings);
        }
        if is_built_in || is_unplaced && are_bare {
            weigh_built_in(&mut linted.findings);
        }
        if is_built_in {
            weigh_built_in_name(&mut linted.findings);
        }
    }
}

/// Number of skills from which the length of their descriptions shows a limit of their client.
const BRIEF_SKILLS_MIN: usize = 20;
/// Number of characters from which a description comes close to it.
const BRIEF_CHARS_MIN: usize = 45;
/// Number of characters that such a client shows.
const BRIEF_CHARS_MAX: usize = 60;

/// Whether half of many descriptions keep to a limit that leaves no room for when to use a skill.
fn are_brief(done: &[LintOutcome]) -> bool {
    let linted = done.iter().filter_map(|outcome| outcome.linted.as_ref());
    let descriptions: BTreeSet<&str> = linted.filter_map(description).collect();
    let lengths: Vec<usize> = descriptions.iter().map(|text| text.chars().count()).collect();
    let brief = lengths.iter().filter(|length| **length <= BRIEF_CHARS_MAX).count();
    // Where there is a limit, many come close to it.
    let close = lengths.iter().filter(|length| (BRIEF_CHARS_MIN..=BRIEF_CHARS_MAX).contains(*length)).count();
    lengths.len() >= BRIEF_SKILLS_MIN && brief * 2 >= lengths.len() && close * 5 >= lengths.len() * 2
}

fn description(linted: &LintedSkill) -> Option<&str> {
    linted.skill_md()?.fields()?.get("description")?.text()
}

/// Whether a finding is one that this may lower.
fn is_shown(finding: &Finding) -> bool {
    finding.tier() != Tier::Style
        && (is_about_description(finding) || ["SKL100", "SKL101"].contains(&finding.rule.id))
}

/// The skills of a folder.
#[derive(Default)]
struct Siblings {
    all: usize,
    /// Those that say when to use them in their descriptions.
    saying: usize,
    /// Those without front matter.
    bare: usize,
}

fn siblings(done: &[LintOutcome]) -> BTreeMap<PathBuf, Siblings> {
    let mut siblings: BTreeMap<PathBuf, Siblings> = BTreeMap::new();
    for outcome in done {
        let Some(parent) = outcome.skill.path.parent().map(Path::to_owned) else { continue };
        let beside = siblings.entry(parent).or_default();
        beside.all += 1;
        beside.saying += usize::from(outcome.linted.as_ref().is_some_and(says_when));
        beside.bare += usize::from(outcome.linted.as_ref().is_some_and(is_bare));
    }
    siblings
}

fn is_bare(linted: &LintedSkill) -> bool {
    linted.skill_md().is_some_and(|file| matches!(file.front, FrontMatterState::None))
}

/// Whether a skill has a description without such a finding.
fn says_when(linted: &LintedSkill) -> bool {
    description(linted).is_some() && !linted.findings.iter().any(is_about_description)
}
