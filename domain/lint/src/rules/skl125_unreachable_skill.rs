//! SKL125: skills that neither an agent nor a user can invoke.

use skillc_domain::frontmatter::Node;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL125",
    name: "unreachable-skill",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client("Claude Code", "https://code.claude.com/docs/en/skills"),
    why: "'disable-model-invocation: true' hides a skill from the agent and 'user-invocable: false' hides it from \
          the user; with both, nothing can invoke it.",
    fix: "Remove one of the two fields.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         disable-model-invocation: true\nuser-invocable: true\n---\n\n# Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Shows how one rule works. Use when a rule needs an example.\n\
         disable-model-invocation: true\nuser-invocable: false\n---\n\n# Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(fields) = view.skill_fields() else { return };
    let (Some(agent), Some(user)) = (fields.get("disable-model-invocation"), fields.get("user-invocable"))
    else {
        return;
    };
    if is(agent, &["true", "yes", "on", "1"]) && is(user, &["false", "no", "off", "0"]) {
        let last = if agent.span.start > user.span.start { agent } else { user };
        report.at(last.span.clone(), "neither agent nor user can call the skill");
    }
}

/// Whether a value is one of these words, as Claude Code reads booleans.
fn is(node: &Node, words: &[&str]) -> bool {
    node.text().is_some_and(|text| words.iter().any(|word| text.eq_ignore_ascii_case(word)))
}
