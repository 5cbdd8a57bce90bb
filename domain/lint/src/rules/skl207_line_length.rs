//! SKL207: long lines of prose.

use skillc_domain::text::lines;
use crate::rule::{Check, Example, Origin, Param, Rule, Severity, Tier};
use crate::{FileView, Report};
use skillc_domain::markup::RegionKind;

pub static RULE: Rule = Rule {
    id: "SKL207",
    name: "line-length",
    severity: Severity::Off,
    tier: Tier::Style,
    origin: Origin::Field("markdownlint MD013 (https://github.com/DavidAnson/markdownlint)"),
    why: "Tools that show excerpts by line show too much or nothing, and every small edit changes the whole \
          paragraph in a diff.",
    fix: "Break the line between sentences; Markdown joins them again.",
    params: &[Param { name: "max-chars", default: 500, meaning: "maximum characters of a line of prose" }],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "A line that goes on. A line that goes on. A line that goes on. A line that goes on. A line that goes on. \
             A line that goes on. A line that goes on. A line that goes on. A line that goes on. A line that goes on. \
             A line that goes on. A line that goes on. A line that goes on. A line that goes on. A line that goes on. \
             A line that goes on. A line that goes on. A line that goes on. A line that goes on. A line that goes on. \
             A line that goes on. A line that goes on. A line that goes on. A line that goes on. A line that goes on.\n"
        ),
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    let max = RULE.param(&view.context.settings, "max-chars") as usize;
    let mut start = markup.body_start();
    for whole in lines::split_text(&text[start..]) {
        let line = whole.trim_end_matches(['\n', '\r']);
        let is_prose = || match markup.region_at(start) {
            None | Some(RegionKind::InlineCode) => !line.trim_start().starts_with('|'),
            Some(RegionKind::CodeBlock | RegionKind::Comment | RegionKind::Html) => false,
        };
        if line.len() > max && is_prose() {
            let chars = line.chars().count();
            if chars > max {
                let rest = line.char_indices().nth(max).map_or(0, |(at, _)| at);
                report.at(
                    start + rest..start + line.len(),
                    format!("line has {chars} characters (max: {max})"),
                );
            }
        }
        start += whole.len();
    }
}
