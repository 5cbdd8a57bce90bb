//! SKL404: two skills of a store with the same name.

use crate::competing::compete;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{Report, StoreView};
use std::collections::HashMap;

pub static RULE: Rule = Rule {
    id: "SKL404",
    name: "same-name",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Field(
        "agnix AS-025; OpenCode: the last one that is loaded wins (https://opencode.ai/docs/skills/)",
    ),
    why: "A client offers one of the two and drops the other, or asks which one is meant; the result depends on the \
          order in which folders are read. Two copies of one SKILL.md, and skills in the folders of different clients or in \
          different plugins, are of the tier 'style'.",
    fix: "Give each skill the name of its folder.",
    params: &[],
    patterns: &[],
    good: &[Example {
        folder: "",
        files: &[
            (
                "one/SKILL.md",
                "---\nname: one\ndescription: Fills in PDF forms. Use when a form has fields.\n---\n\n# One\n\nText.\n",
            ),
            (
                "two/SKILL.md",
                "---\nname: two\ndescription: Joins PDF files. Use when there are several.\n---\n\n# Two\n\nText.\n",
            ),
        ],
    }],
    bad: &[Example {
        folder: "",
        files: &[
            (
                "one/SKILL.md",
                "---\nname: one\ndescription: Fills in PDF forms. Use when a form has fields.\n---\n\n# One\n\nText.\n",
            ),
            (
                "two/SKILL.md",
                "---\nname: one # skilllint-disable-line SKL104\n\
                 description: Joins PDF files. Use when there are several.\n---\n\n# One\n\nText.\n",
            ),
        ],
    }],
    check: Check::Store(check),
};

/// Maximum number of other skills of a name among which one that competes is searched for.
const OTHERS_MAX: usize = 64;

fn check(view: &StoreView<'_>, report: &mut Report<'_>) {
    let mut owners: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, name) in names(view) {
        owners.entry(name).or_default().push(at);
    }
    for (at, name) in names(view) {
        let others = || owners[name].iter().filter(|other| **other != at).take(OTHERS_MAX);
        let competes = |other: &&usize| compete(&view.skills[at], &view.skills[**other]);
        let rival = others().find(competes);
        let (Some(other), Some((_, span))) = (rival.or_else(|| others().next()), &view.skills[at].name) else {
            continue;
        };
        let other = &view.skills[*other];
        let message =
            format!("name '{}' is also used by the skill in '{}'", one_line(name), one_line(&other.shown));
        let finding = report.in_skill(at, span.clone(), message);
        if rival.is_none() {
            finding.tier(Tier::Style).hint(if other.first_copy == view.skills[at].first_copy {
                "it is a copy of it"
            } else {
                "no client offers both: they are in the folders of different clients or in different plugins"
            });
        }
    }
}

/// The skills that have a name, with that name.
fn names<'a>(view: &StoreView<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    let named = view.skills.iter().enumerate();
    named
        .filter_map(|(at, skill)| Some((at, skill.name.as_ref()?.0.trim())))
        .filter(|(_, name)| !name.is_empty())
}
