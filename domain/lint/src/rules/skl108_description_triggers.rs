//! SKL108: a description that does not say when to use the skill.

use crate::language::{has_unknown_script, is_foreign, is_mostly_latin};
use crate::owner_named::names_its_owner;
use crate::rules::skl209_placeholder::is_unfilled;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::when_in_body::line_that_says_when;
use crate::when_to_use::says_when;
use crate::{FileView, Finding, Report, SkillView};
use skillc_domain::frontmatter::Value;

pub static RULE: Rule = Rule {
    id: "SKL108",
    name: "description-triggers",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent chooses a skill by its description. If it says what the skill does but not when to use it, the \
          skill is overlooked or used at the wrong time. Descriptions that are mostly in a non-Latin script, or to a fifth in one other than Cyrillic, are not \
          checked, and neither are skills that only the user invokes ('disable-model-invocation'). A skill that says it in \
          'when_to_use', a field of Claude Code, is of the tier 'style', and so is one that names the workflow or \
          orchestrator that loads it, or that a schedule starts, or that a tool made of a slash command. In a run of \
          several skills, so is one in no folder of skills or built into a program that loads skills itself, unless its \
          text or the descriptions of the skills beside it say when to use them. So is a skill that Codex offers only when it is \
          named ('allow_implicit_invocation: false' in agents/openai.yaml), and one with at most 60 characters among twenty or more of a run if half of their \
          descriptions are as short, most of these with 45 or more, as for a client that shows no more.",
    fix: "Say when to use the skill, in a sentence that begins with 'Use when'. Turn the rule off for a skill in a \
          language other than English.",
    params: &[],
    patterns: &[],
    good: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows a rule. This skill should be used whenever a rule needs an example.\n---\n\n# Demo\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: 规则示例。需要示例时使用。\n---\n\n# Demo\n",
        )]),
    ],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works, with an example.\n---\n\n# Demo\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    let Some(text) = node.text().filter(|text| !text.trim().is_empty()) else { return };
    if is_only_invoked_by_user(view) || is_deprecated(text) || is_unfilled(view) || is_cut_by_comment(view, node.span.end) {
        return;
    }
    if says_when(text) || !is_mostly_latin(text) || has_unknown_script(text) || is_foreign(text) {
        return;
    }
    let finding =
        report.at(node.span.clone(), "description does not say when to use the skill: no 'use … when', 'use for' or the like");
    match line_that_says_when(view) {
        Some(line) => finding.hint(format!("line {line} says it, which is read only once the skill is chosen; say it in the description")),
        None => finding.hint("add a sentence such as 'Use this skill when …'"),
    };
    if has_field_for_it(view) {
        finding.tier(Tier::Style).hint("Claude Code adds 'when_to_use' to it; say it in the description for other clients");
    } else if SCHEDULES.iter().any(|field| view.skill_fields().is_some_and(|fields| fields.get(field).is_some())) {
        finding.tier(Tier::Style).hint("a schedule starts it; say also when else it is used");
    } else if names_its_owner(text) {
        finding.tier(Tier::Style).hint("it says what the skill is a part of; say also at which step it is used");
    } else if is_made_of_command(view) {
        finding.tier(Tier::Style).hint("the skill is made of a command, which the user types");
    }
}

/// Whether `metadata.source` says that a tool made the skill of a slash command: `templates/commands/plan.md`.
fn is_made_of_command(view: &FileView<'_>) -> bool {
    let metadata = view.skill_fields().and_then(|fields| fields.get("metadata"));
    let Some(Value::Map(entries)) = metadata.map(|node| &node.value) else { return false };
    let source = entries.iter().find(|(key, _)| key.text() == Some("source")).and_then(|(_, value)| value.text());
    source.is_some_and(|source| source.contains("commands/"))
}

/// Lowers the finding about a skill that probably no agent chooses by its description, if its text does not say when to
/// use it either.
pub fn weigh_unchosen(view: &SkillView<'_>, findings: &mut [Finding]) {
    let skill_md = view.files.iter().find(|file| file.is_skill_md());
    let says_it = skill_md
        .is_some_and(|file| line_that_says_when(&FileView { context: view.context, file }).is_some());
    for finding in findings.iter_mut().filter(|finding| !says_it && is_about_description(finding)) {
        finding.issue.tier(Tier::Style).hint("the skill is in no folder of skills, or built into a program, so perhaps no agent chooses it by its description");
    }
}

/// Lowers the finding about a skill that Codex offers only when it is named: `allow_implicit_invocation: false`.
pub fn weigh_explicit(view: &SkillView<'_>, findings: &mut [Finding]) {
    let settings = view.files.iter().find(|file| file.path.as_str() == CODEX_SETTINGS).and_then(|file| file.text.as_deref());
    let is_explicit = settings.is_some_and(|text| text.contains("allow_implicit_invocation: false"));
    for finding in findings.iter_mut().filter(|finding| is_explicit && is_about_description(finding)) {
        finding.issue.tier(Tier::Style).hint("Codex offers the skill only when it is named; say it for other clients");
    }
}

/// The file with a skill's settings for Codex.
const CODEX_SETTINGS: &str = "agents/openai.yaml";

/// Lowers the finding about a skill among others whose descriptions keep to a limit that leaves no room for it.
pub fn weigh_brief(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| is_about_description(finding)) {
        finding.issue.tier(Tier::Style).hint("most descriptions here are as short; a client that reads longer ones needs to know when to use the skill");
    }
}

/// Whether a finding is one of this rule.
pub fn is_about_description(finding: &Finding) -> bool {
    finding.rule.id == RULE.id
}

/// Fields of clients that start a skill at set times.
const SCHEDULES: [&str; 2] = ["cron", "schedule"];

/// Whether the skill says when to use it in `when_to_use`, a field of Claude Code.
fn has_field_for_it(view: &FileView<'_>) -> bool {
    let field = view.skill_fields().and_then(|fields| fields.get("when_to_use"));
    field.and_then(|node| node.text()).is_some_and(|text| !text.trim().is_empty())
}

/// Whether models never read the description: `disable-model-invocation: true`.
pub fn is_only_invoked_by_user(view: &FileView<'_>) -> bool {
    let field = view.skill_fields().and_then(|fields| fields.get("disable-model-invocation"));
    field.and_then(|node| node.text()).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// Words after "deprecated" for a skill that only keeps an old name working.
const REMAINS: [&str; 6] = ["alias", "redirect", "shim", "skill", "stub", "wrapper"];

/// Whether a description says that the skill is deprecated: in its first word, or as in "a deprecated alias".
pub fn is_deprecated(description: &str) -> bool {
    let words = description.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(DEPRECATED_WITHIN).map(str::to_ascii_lowercase).collect();
    let remains = |pair: &[String]| pair[0] == DEPRECATED && REMAINS.contains(&pair[1].as_str());
    words.first().is_some_and(|word| word == DEPRECATED) || words.windows(2).any(remains)
}

const DEPRECATED: &str = "deprecated";
/// Number of words at the start of a description among which it says so.
const DEPRECATED_WITHIN: usize = 12;

/// Whether a `#` cuts the description off. The rest is unknown here, and SKL117 reports the cut.
fn is_cut_by_comment(view: &FileView<'_>, end: usize) -> bool {
    let line = view.file.line_at(end);
    view.file.slice(&(end..line.end.max(end))).trim_start().starts_with('#')
}
