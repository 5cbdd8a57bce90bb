//! SKL404: two skills of a store with the same name.

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
          order in which folders are read.",
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

fn check(view: &StoreView<'_>, report: &mut Report<'_>) {
    let mut owners: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, name) in names(view) {
        owners
            .entry(name)
            .and_modify(|(first, second)| {
                if first == second {
                    *second = at
                }
            })
            .or_insert((at, at));
    }
    for (at, name) in names(view) {
        let Some((first, second)) = owners.get(name).filter(|(first, second)| first != second) else {
            continue;
        };
        let other = if at == *first { *second } else { *first };
        let Some((_, span)) = &view.skills[at].name else { continue };
        let other = one_line(&view.skills[other].shown);
        report.in_skill(
            at,
            span.clone(),
            format!("name '{}' is also used by the skill in '{other}'", one_line(name)),
        );
    }
}

/// The skills that have a name, with that name.
fn names<'a>(view: &StoreView<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    let named = view.skills.iter().enumerate();
    named
        .filter_map(|(at, skill)| Some((at, skill.name.as_ref()?.0.trim())))
        .filter(|(_, name)| !name.is_empty())
}
