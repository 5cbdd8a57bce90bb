//! OpenCode: js-yaml through gray-matter, with a second attempt that turns values with a colon into block scalars;
//! and the requirements of its documentation for name and description.
//!
//! Builds differ in whether they enforce the documentation; the verdict is the one that holds for all builds.

use crate::verdict::lines::{FieldLine, is_js_text, js_kind, lines};
use crate::verdict::name::{Letters, flaws, hyphen_flaw, mismatch};
use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict};
use crate::verdict::reading::{Case, repeated_anywhere, too_long};
use crate::verdict::restrictions;
use crate::view::FrontMatterState;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, FrontMatterSpan, Node};
use std::ops::Range;

/// OpenCode.
pub static PROFILE: Profile = Profile {
    id: "opencode",
    label: "OpenCode",
    source: "anomalyco/opencode packages/web/src/content/docs/skills.mdx 02bae89d",
    fields: &[],
    judge,
};

const LOADER: &str = "anomalyco/opencode packages/opencode/src/skill/index.ts 048f74f4";
/// Maximum length of a description in characters (documentation).
const DESCRIPTION_CHARS_MAX: usize = 1024;

fn judge(facts: &SkillMdFacts<'_>) -> Verdict {
    let mut case = Case::new(PROFILE.source);
    match facts.front {
        FrontMatterState::Fields(front) => judge_fields(facts, front, &mut case),
        FrontMatterState::Invalid(flaw) if is_repaired(facts, flaw) => judge_lines(facts, &mut case),
        FrontMatterState::None | FrontMatterState::Unclosed | FrontMatterState::Invalid(_) => {
            let (message, at) = facts.unread().unwrap_or_default();
            case.add_from(LOADER, Compatibility::Dropped, at, message);
        }
    }
    restrictions::judge(&PROFILE, facts, &mut case);
    case.close(Compatibility::Loads)
}

fn judge_fields(facts: &SkillMdFacts<'_>, front: &FrontMatter, case: &mut Case) {
    if let Some((key, at)) = repeated_anywhere(&front.fields) {
        case.add_from(LOADER, Compatibility::Dropped, at, format!("field '{key}' is defined twice"));
    }
    if let Some((name, at)) = text("name", front, case) {
        judge_name(name, at, facts, case);
    }
    if let Some((description, at)) = text("description", front, case) {
        judge_description(description, at, case);
    }
}

/// The text of a field that js-yaml must read as text.
fn text<'a>(key: &str, front: &'a FrontMatter, case: &mut Case) -> Option<(&'a str, Range<usize>)> {
    match front.get(key) {
        None => case.add_from(LOADER, Compatibility::Dropped, None, format!("{key} is missing")),
        Some(node) if is_js_text(node) => return node.text().map(|text| (text, node.span.clone())),
        Some(node) => {
            let message = match js_kind(node) {
                None => format!("{key} is empty"),
                Some(kind) => format!("{key} is {kind}, not text"),
            };
            case.add_from(LOADER, Compatibility::Dropped, shown(node), message);
        }
    }
    None
}

fn shown(node: &Node) -> Option<Range<usize>> {
    (!node.span.is_empty()).then(|| node.span.clone())
}

fn judge_name(name: &str, at: Range<usize>, facts: &SkillMdFacts<'_>, case: &mut Case) {
    let flaws = flaws(name, Letters::Ascii).into_iter();
    for flaw in flaws.chain(hyphen_flaw(name)).chain(mismatch(name, facts.folder)) {
        case.add(Compatibility::Dropped, at.clone(), flaw);
    }
}

fn judge_description(description: &str, at: Range<usize>, case: &mut Case) {
    if description.trim().is_empty() {
        case.add(Compatibility::Dropped, at, "description is empty");
    } else if let Some(flaw) = too_long("description", description, DESCRIPTION_CHARS_MAX) {
        case.add(Compatibility::Dropped, at, flaw);
    }
}

fn judge_lines(facts: &SkillMdFacts<'_>, case: &mut Case) {
    let all: Vec<FieldLine<'_>> = yaml_lines(facts);
    let value =
        |key: &str| all.iter().filter(|line| !line.is_continuation()).find_map(|line| line.value_of(key));
    match value("name") {
        Some((name, at)) => judge_name(name.trim_matches(['"', '\'']), at, facts, case),
        None => case.add_from(LOADER, Compatibility::Dropped, None, "name is missing"),
    }
    match value("description") {
        Some((description, at)) => judge_description(description, at, case),
        None => case.add_from(LOADER, Compatibility::Dropped, None, "description is missing"),
    }
}

fn yaml_lines<'a>(facts: &SkillMdFacts<'a>) -> Vec<FieldLine<'a>> {
    match facts.span {
        FrontMatterSpan::Block { yaml: (start, end), .. } => lines(facts.text, start..end).collect(),
        FrontMatterSpan::None | FrontMatterSpan::Unclosed => Vec::new(),
    }
}

/// Whether js-yaml can read invalid YAML: it accepts tabs as indentation, and on the second attempt the flawed entry
/// is a block scalar. No other entry may contain an unquoted colon or bracket that stays as it is.
fn is_repaired(facts: &SkillMdFacts<'_>, flaw: &FrontMatterFlaw) -> bool {
    let all = yaml_lines(facts);
    // The first line of the YAML is the second line of the file.
    let line = flaw.at.map_or(0, |at| usize::try_from(at.line).unwrap_or(usize::MAX).saturating_sub(2));
    let above = &all[..all.len().min(line.saturating_add(1))];
    let is_entry = |line: &&FieldLine<'_>| !line.is_continuation() && !line.text.trim().is_empty();
    let entry = above.iter().rfind(is_entry);
    let is_tabbed = all.get(line).is_some_and(|line| line.indentation().contains('\t'));
    (is_tabbed || entry.is_some_and(becomes_block))
        && all.iter().filter(is_entry).all(|line| becomes_block(line) || !is_broken(line))
}

/// Whether a line has a key of letters, digits and underscores, and an unquoted value with a colon.
fn becomes_block(line: &FieldLine<'_>) -> bool {
    let Some((key, value)) = line.text.split_once(':') else { return false };
    let (key, value) = (key.trim_end(), value.trim());
    let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && value.contains(':') && !value.starts_with(['"', '\''])
}

/// Whether YAML reads a value as another key, or the value continues after its closing bracket.
fn is_broken(line: &FieldLine<'_>) -> bool {
    let Some((_, value)) = line.text.split_once(':') else { return false };
    let value = value.trim();
    match value.chars().next() {
        Some('"' | '\'' | '#' | '|' | '>') | None => false,
        Some('[' | '{') => {
            behind_brackets(value).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('#'))
        }
        Some(_) => value.contains(": "),
    }
}

/// The text after the bracket that closes the first one; `None` if it is not closed.
fn behind_brackets(value: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in value.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(value[at + c.len_utf8()..].trim());
        }
    }
    None
}
