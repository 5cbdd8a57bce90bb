//! SKL205: headings that skip a level.

use crate::fix::{Edit, Fix, Safety};
use crate::heading_line::{heading_line, number_signs};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::section::Heading;

pub static RULE: Rule = Rule {
    id: "SKL205",
    name: "heading-hierarchy",
    severity: Severity::Warning,
    tier: Tier::Style,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "Outlines, sections and screen readers rely on heading levels; a skipped level makes it unclear which \
          heading is the parent.",
    fix: "Go one level deeper at a time: '##' below '#', '###' below '##'.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("## Part\n\nText.\n\n### Detail\n\nText.\n\n## Part two\n\nText.\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("### Detail\n\nText.\n"))]),
        Example::new(&[("SKILL.md", crate::skill_md!("## Part\n\nText.\n\n#### Detail\n\nText.\n"))]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    // Fixes in one run of headings would touch each other, and the run would be searched again for each heading, so
    // the second fix waits.
    let mut fixed_to = 0;
    for (at, pair) in markup.headings.windows(2).enumerate() {
        let (before, heading) = (pair[0].level, &pair[1]);
        if heading.level <= before + 1 {
            continue;
        }
        let message = format!("heading goes from H{before} to H{}", heading.level);
        let finding = report.at(heading_line(text, heading), message);
        if at + 1 >= fixed_to {
            let run = run_of(&markup.headings[at + 1..]);
            fixed_to = at + 1 + run.len();
            if let Some(fix) = raised(text, run, heading.level - before - 1) {
                finding.fix(fix);
            }
        }
    }
}

/// The first heading with its siblings and descendants.
fn run_of(headings: &[Heading]) -> &[Heading] {
    let level = headings.first().map_or(0, |first| first.level);
    &headings[..headings.iter().take_while(|heading| heading.level >= level).count()]
}

/// Raises headings by some levels, preserving their relations; `None` if one of them is underlined.
fn raised(text: &str, headings: &[Heading], by: u8) -> Option<Fix> {
    let raise = |heading: &Heading| {
        let signs = number_signs(text, heading)?;
        let level = usize::from(heading.level.saturating_sub(by).max(1));
        Some(Edit { span: signs, text: "#".repeat(level) })
    };
    let edits = headings.iter().map(raise).collect::<Option<Vec<_>>>()?;
    let title =
        if edits.len() == 1 { "raise the heading" } else { "raise the heading and those that belong to it" };
    Some(Fix { safety: Safety::Unsafe, title: title.to_owned(), edits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::apply;

    fn headings(text: &str) -> Vec<Heading> {
        let mut offset = 0;
        let mut found = Vec::new();
        for line in text.split_inclusive('\n') {
            let level = u8::try_from(line.bytes().take_while(|byte| *byte == b'#').count()).unwrap();
            if level > 0 {
                found.push(Heading { level, text: String::new(), line: 1, offset });
            }
            offset += line.len();
        }
        found
    }

    #[test]
    fn a_heading_is_raised_with_those_that_belong_to_it() {
        let text = "# a\n#### b\n##### c\n#### d\n## e\n#### f\n";
        let all = headings(text);
        let run = run_of(&all[1..]);
        assert_eq!(run.len(), 3);
        let fix = raised(text, run, 2).unwrap();
        assert_eq!(apply(text, &[&fix]).0, "# a\n## b\n### c\n## d\n## e\n#### f\n");
    }
}
