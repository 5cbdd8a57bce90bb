//! Gemini CLI: js-yaml and, if that does not yield two texts, lines that begin with `name:` and `description:`.
//!
//! So an unquoted colon does no harm, but in the fallback, quotes and block scalars lose their meaning.

use crate::verdict::lines::{FieldLine, is_js_text, lines};
use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, quoted, repeated_anywhere};
use crate::verdict::restrictions;
use skillc_domain::frontmatter::{FrontMatter, Node};
use std::ops::Range;

/// Gemini CLI.
pub static PROFILE: Profile = Profile {
    id: "gemini",
    label: "Gemini CLI",
    source: "google-gemini/gemini-cli packages/core/src/skills/skillLoader.ts 5cfc0a19",
    fields: &[],
    judge,
};

/// Characters in a name that are replaced by `-`.
const UNSAFE: [char; 9] = [':', '\\', '/', '<', '>', '*', '?', '"', '|'];

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    match block(facts.text) {
        None if facts.has_bom() => {
            case.add(Compatibility::Dropped, facts.bom(), "the byte order mark hides the front matter");
        }
        None => match facts.unread() {
            Some((message, at)) => case.add(Compatibility::Dropped, at, message),
            None => case.add(Compatibility::Dropped, None, "no name and description are found"),
        },
        Some(block) => match facts.fields().and_then(both_texts) {
            Some((name, _)) => judge_name(name.text().unwrap_or_default(), &name.span, &mut case),
            None => judge_lines(facts, block, &mut case),
        },
    }
    case.one_of_two(&PROFILE, facts);
    restrictions::judge(&PROFILE, facts, &mut case);
    case.close(Compatibility::Loads)
}

/// `name` and `description`, if js-yaml reads both as text.
fn both_texts(front: &FrontMatter) -> Option<(&Node, &Node)> {
    if repeated_anywhere(&front.fields).is_some() {
        return None;
    }
    let (name, description) = (front.get("name")?, front.get("description")?);
    (is_js_text(name) && is_js_text(description)).then_some((name, description))
}

fn judge_name(name: &str, at: &Range<usize>, case: &mut Case) {
    if name.trim().is_empty() {
        case.add(Compatibility::Degraded, at.clone(), "name is empty");
    } else if name.contains(UNSAFE) {
        let shown = quoted(&name.replace(UNSAFE, "-"));
        case.add(Compatibility::Degraded, at.clone(), format!("name {} becomes {shown}", quoted(name)));
    }
}

fn judge_lines(facts: &SkillMdFacts<'_>, block: Range<usize>, case: &mut Case) {
    let all: Vec<FieldLine<'_>> = lines(facts.text, block).collect();
    let name = all.iter().filter_map(|line| line.value_of("name")).next_back();
    let found = |line: &FieldLine<'_>| line.value_of("description").is_some();
    let description = all.iter().rposition(found).and_then(|at| described(&all[at..]));
    match name {
        Some((name, at)) => judge_name(name, &at, case),
        None => case.add(Compatibility::Dropped, None, "name is missing"),
    }
    match description {
        None => case.add(Compatibility::Dropped, None, "description is missing"),
        Some((text, at)) if text.trim().is_empty() => {
            case.add(Compatibility::Degraded, at, "description is empty")
        }
        Some((text, at)) if text.starts_with(['"', '\'', '|', '>', '[', '-']) => {
            let message = "the front matter is read line by line, and description keeps its YAML syntax";
            case.add(Compatibility::Degraded, at, message);
        }
        Some(_) => {}
    }
}

/// The description that begins on the first of these lines, including its continuation lines.
fn described(lines: &[FieldLine<'_>]) -> Option<(String, Range<usize>)> {
    let (first, rest) = lines.split_first()?;
    let (value, at) = first.value_of("description")?;
    let more = rest.iter().take_while(|line| line.is_continuation()).map(|line| line.text.trim());
    let parts: Vec<&str> = std::iter::once(value).chain(more).filter(|part| !part.is_empty()).collect();
    Some((parts.join(" "), at))
}

/// The bytes between a first line of exactly `---` and the next line that begins with `---`.
fn block(text: &str) -> Option<Range<usize>> {
    let opening = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let start = text.len() - opening.len();
    Some(start..start + opening.find("\n---")?)
}
