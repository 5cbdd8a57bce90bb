//! SKL121: descriptions in the first or second person.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::scalar::part_of;
use crate::{FileView, Report};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL121",
    name: "description-person",
    severity: Severity::Off,
    tier: Tier::Style,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices",
    ),
    why: "The description is placed in the agent's prompt next to others; 'I' or 'you' makes it unclear who is meant \
          and the skill harder to choose.",
    fix: "Write in the third person: 'Extracts text from PDF files', not 'I can help you with PDF files'.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\n\
         description: Shows how one rule works. Use when you need an example, or when the user says 'I want one'.\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: I can help you with rules. Use when a rule needs an example.\n---\n\n\
         # Demo\n\nText.\n",
    )])],
    check: Check::File(check),
};

/// Words in the first person.
const FIRST: [&str; 9] = ["i", "i'm", "i'll", "i've", "we", "we'll", "we're", "my", "our"];
/// Words before `you` that address the reader as the one who is helped. `when you` is not among them, since it
/// describes the agent's situation.
const HELP: [&str; 6] = ["helps", "help", "lets", "allows", "enables", "gives"];
/// Words after `you` with the same effect.
const ABLE: [&str; 3] = ["can", "will", "could"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((file, _)) = view.skill_md() else { return };
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("description")) else { return };
    let Some(text) = node.text() else { return };
    if let Some(span) = person(text) {
        let word = &text[span.clone()];
        report.at(
            part_of(file, node, span.clone()),
            format!("description is not in the third person: '{word}'"),
        );
    }
}

/// The first word in the first or second person, outside of quotes.
fn person(text: &str) -> Option<Range<usize>> {
    let words = words(text);
    let is = |at: Option<&Range<usize>>, list: &[&str]| {
        at.is_some_and(|at| {
            list.iter().any(|word| text[at.clone()].replace('’', "'").eq_ignore_ascii_case(word))
        })
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_you = is(Some(word), &["you"]) && (is(before, &HELP) || is(words.get(at + 1), &ABLE));
        (is(Some(word), &FIRST) || is_you).then(|| word.clone())
    })
}

/// Words including apostrophes, except those in quotes, which quote a user.
fn words(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut start, mut quote) = (Vec::new(), None, None);
    let mut before = ' ';
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_inside = matches!(c, '\'' | '’') && before.is_alphanumeric() && quote.is_none();
        if c.is_alphanumeric() || is_inside {
            start = start.or(Some(at));
        } else {
            found.extend(start.take().filter(|_| quote.is_none()).map(|start| start..at));
            quote = match (quote, c) {
                (None, '"' | '\'' | '`') => Some(c),
                (None, '“') => Some('”'),
                (None, '‘') => Some('’'),
                (Some(end), c) if end == c => None,
                (quote, _) => quote,
            };
        }
        before = c;
    }
    found.retain(|word: &Range<usize>| !word.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_authors_own_i_and_the_helped_you_count() {
        for (text, word) in [
            ("I can help", Some("I")),
            ("Helps you write", Some("you")),
            ("You can use this", Some("You")),
            ("It’s what we’ll do", Some("we’ll")),
            ("Use when you write", None),
            ("Use when the user says \"help me, I am lost\" or 'my file'", None),
            ("Part I of it", Some("I")),
            ("Überall ‘my’ x", None),
        ] {
            assert_eq!(person(text).map(|span| &text[span]), word, "{text}");
        }
    }
}
