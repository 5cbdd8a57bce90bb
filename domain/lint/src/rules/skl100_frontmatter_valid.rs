//! SKL100: front matter that cannot be read.

use skillc_domain::path::RelPath;
use skillc_domain::frontmatter::{FrontMatterFlaw, FrontMatterSpan, find_front_matter};
use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::view::{FrontMatterState, SkillContext};
use crate::yaml_mistake::find_mistake;
use crate::{FileView, Finding, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL100",
    name: "frontmatter-valid",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "Without readable front matter a skill has no name and no description: clients drop it silently, or load it \
          with empty fields. Next to a 'skill.json', which other programs read instead, the tier is 'style'.",
    fix: "Begin SKILL.md with a line '---', write the fields as YAML, and end them with a line '---'. Quote values \
          that contain ': ' or begin with a special character.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: \"Shows a rule: this one. Use when a rule needs an example.\"\n---\n\n# Demo\n",
    )])],
    bad: &[
        Example::new(&[("SKILL.md", "# Demo\n\nText.\n")]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Use when a rule needs an example.\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule: this one. Use when a rule needs an example.\n---\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Use when a rule needs an example.\nmetadata:\n\tversion: \"1\"\n---\n\n# Demo\n",
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    if !file.is_skill_md() {
        return;
    }
    let Some(text) = file.text.as_deref() else {
        report.file("invalid frontmatter YAML: the file cannot be read as UTF-8 text");
        return;
    };
    match &file.front {
        FrontMatterState::Fields(_) => {}
        FrontMatterState::Invalid(flaw) => unreadable(view, text, flaw, report),
        FrontMatterState::None => absent(view, text, report),
        FrontMatterState::Unclosed => {
            let finding = report.at(first_line(text), "missing frontmatter: no closing --- found");
            if let Some((line, written)) = almost_closing(text) {
                finding.hint(format!("line {line} is '{written}'; write exactly '---'"));
            }
        }
    }
}

fn unreadable(view: &FileView<'_>, text: &str, flaw: &FrontMatterFlaw, report: &mut Report<'_>) {
    let at = flaw.at.map_or(0, |place| place.offset(text));
    let end = at + text[at..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
    let finding = report.at(at..end, format!("invalid frontmatter YAML: {}", flaw.message));
    let Some(FrontMatterSpan::Block { yaml: (start, stop), .. }) =
        view.file.markup.as_ref().map(|m| &m.front_matter)
    else {
        return;
    };
    let Some(find_mistake) = find_mistake(text, *start..*stop, at) else { return };
    finding.hint(find_mistake.hint);
    if let Some(fix) = find_mistake.fix {
        finding.fix(fix);
    }
}

/// Manifests of other programs' skills, in whose folders SKILL.md is a manual.
const OTHER_MANIFESTS: [&str; 3] = ["skill.json", "skill.yaml", "skill.yml"];

/// The manifest for another program in a skill's folder.
pub fn other_manifest(context: &SkillContext) -> Option<&'static str> {
    OTHER_MANIFESTS.into_iter().find(|name| RelPath::parse(name).is_ok_and(|path| context.has_file(&path)))
}

/// What the message about front matter that is not there at all begins with.
const ABSENT: &str = "missing frontmatter: file does not start with ---";

/// Lowers the finding about a skill without front matter that is built into a program, which may need none.
pub fn weigh_built_in(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.rule.id == RULE.id && finding.issue.message == ABSENT) {
        finding.issue.tier(Tier::Style).hint("the program that the skill is built into may need none; clients of Agent Skills do");
    }
}

fn absent(view: &FileView<'_>, text: &str, report: &mut Report<'_>) {
    let finding = report.at(first_line(text), ABSENT);
    if let Some(manifest) = other_manifest(view.context) {
        finding.tier(Tier::Style).hint(format!("the program that reads '{manifest}' may need none; clients of Agent Skills do"));
    }
    let meant = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if let FrontMatterSpan::Block { yaml: (start, _), .. } = find_front_matter(meant) {
        finding.hint("nothing, not even an empty line, may precede the first '---'");
        // Text between two horizontal rules is not a field.
        if is_field(meant[start..].lines().next().unwrap_or_default()) {
            finding.fix(Fix::safe("remove the text before it", 0..text.len() - meant.len(), ""));
        }
    }
}

fn is_field(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, value)| {
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        is_key && (value.is_empty() || value.starts_with([' ', '\t']))
    })
}

fn first_line(text: &str) -> Range<usize> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    start..start + text[start..].lines().next().unwrap_or_default().len()
}

/// The first line that was probably meant to close the front matter: hyphens or dots, but too many or too few of them.
fn almost_closing(text: &str) -> Option<(usize, &str)> {
    let is_almost = |line: &str| line == "..." || (line.len() > 1 && line.bytes().all(|byte| byte == b'-'));
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(at, line)| (at + 1, line)).find(|(_, line)| is_almost(line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_almost_closes_is_named() {
        assert_eq!(almost_closing("---\na: 1\n----\n# x"), Some((3, "----")));
        assert_eq!(almost_closing("---\na: 1\n ---\n"), Some((3, " ---")));
        assert_eq!(almost_closing("---\na: 1\n- b\n-\n"), None);
        assert!(is_field("name: x") && is_field("name:") && !is_field("see http://x") && !is_field("# x: y"));
        assert_eq!(first_line("\u{feff}é\nb"), 3..5);
        assert_eq!(first_line(""), 0..0);
    }
}
