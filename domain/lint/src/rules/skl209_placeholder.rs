//! SKL209: template text that was never replaced.

use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::sample_file::is_sample_file;
use crate::{FileView, Report};
use skillc_domain::markup::RegionKind;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL209",
    name: "placeholder",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field(
        "agnix AS-027; the scaffolds of skc init, of Anthropic's skill-creator and of vercel-labs/skills; RFC-0006:C-INIT",
    ),
    why: "An agent takes a placeholder for an instruction: it describes the skill with it, or copies it into the \
          user's files.",
    fix: "Write the real text, or remove the placeholder.",
    params: &[],
    patterns: &[
        // A template's placeholder in brackets: `[TODO: what this enables]`.
        Pattern {
            needles: || &["[todo", "[fixme", "[tbd", "[placeholder"],
            regex: r"\[(?:TODO|FIXME|TBD|PLACEHOLDER):[^\]\n]*\]?",
        },
        // A line that consists of a placeholder: `TODO: describe`, `- [TODO]`.
        Pattern {
            needles: || &["todo", "fixme", "tbd:"],
            regex: r"(?m)^[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+|#{1,6}[ \t]+)?\**((?:TODO|FIXME|TBD):\**[ \t][^\n]*|\[TODO\][ \t]*$)",
        },
        Pattern { needles: || &["lorem ipsum"], regex: r"(?i)lorem ipsum dolor" },
        Pattern {
            needles: || &["here>", "here]"],
            regex: r"(?i)[<\[](?:insert|add|write|describe|put)\b[^<>\[\]\n]{0,60}\bhere[>\]]",
        },
        // Sentences from templates that no author writes on purpose.
        Pattern {
            needles: || &[
                "replace with description of",
                "insert instructions below",
                "for the agent to follow when",
                "describe when this skill",
                "a brief description of what",
                "placeholder for detailed reference",
                "placeholder script that can be",
                "placeholder represents where asset",
            ],
            regex: r"(?i)replace with description of the skill and when|insert instructions below|instructions for the agent to follow when this skill is activated|describe when this skill should be used|a brief description of what this skill does|this is a placeholder for detailed reference documentation|this is a placeholder script that can be executed|this placeholder represents where asset files",
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Finds \"[TODO: later]\", TODO and FIXME comments. Write `TODO: reason` above each.\n\n\
             - [ ] No TODO/FIXME left, no lorem ipsum\n- [ ] [Add it here](#demo)\n\n```text\nTODO: shown\n```\n"
        ),
    )])],
    bad: &[
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: \"TODO: Add skill description, use when it is needed\"\n---\n\n# Demo\n\nText.\n",
        )]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!(
                "## Overview\n\n[TODO: 1-2 sentences explaining what this skill enables]\n\nTODO: describe\n"
            ),
        )]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("Instructions for the agent to follow when this skill is activated.\n"),
        )]),
    ],
    check: Check::File(check),
};

/// Position of these sentences among the patterns; they count in scripts too.
const SENTENCES: usize = 4;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if is_template(view) {
        return;
    }
    let description = description(view);
    let (mut is_described, mut found) = (false, Vec::new());
    for hit in view.file.hits_of(RULE.id) {
        let is_in_description = description.as_ref().is_some_and(|span| span.contains(&hit.span.start));
        if is_in_description || counts(view, hit.pattern, &hit.span) && !is_in_prompt(view, hit.span.start) {
            is_described |= is_in_description;
            found.push(hit.span.clone());
        }
    }
    found.extend(description.filter(|span| !is_described && is_unwritten(view.file.slice(span))));
    found.sort_by_key(|span| span.start);
    report_placeholders(view, found, report);
}

/// Number of bytes of a code block above a placeholder that are searched for the start of a prompt.
const PROMPT_BYTES_MAX: usize = 4_000;

/// Whether a place is in the text of a prompt that a code block passes on: the agent fills in its brackets.
fn is_in_prompt(view: &FileView<'_>, at: usize) -> bool {
    let (Some(text), Some(markup)) = (view.file.text.as_deref(), view.file.markup.as_ref()) else { return false };
    let next = markup.code_blocks.partition_point(|block| block.span.end <= at);
    let near = text.ceil_char_boundary(at.saturating_sub(PROMPT_BYTES_MAX));
    let start = match markup.code_blocks.get(next).filter(|block| block.span.contains(&at)) {
        Some(block) => block.span.start.max(near),
        // A code block within a template has escaped fences.
        None => match text[near..at].rfind("\n\\`\\`\\`") {
            Some(fence) => near + fence,
            None => return false,
        },
    };
    let above = text[text.ceil_char_boundary(start)..at].to_lowercase();
    ["prompt=", "prompt:", "prompt ="].iter().any(|word| above.contains(word))
}

/// Number of placeholders of a file that are reported individually; a file with more was never filled in.
const PLACEHOLDERS_EACH_MAX: usize = 3;

fn report_placeholders(view: &FileView<'_>, mut found: Vec<Range<usize>>, report: &mut Report<'_>) {
    let count = found.len();
    if count > PLACEHOLDERS_EACH_MAX {
        found.truncate(1);
    }
    for span in found {
        let written = view.file.slice(&span).trim_matches(['"', '\'']).to_owned();
        let written = one_line(&written);
        let message = match count > PLACEHOLDERS_EACH_MAX {
            true => format!("{count} placeholders were not replaced, '{written}' first"),
            false => format!("placeholder was not replaced: '{written}'"),
        };
        report.at(span, message);
    }
}

/// Whether the skill is a template for skills, judged by its folder's name. Then its placeholders are its content.
pub fn is_template(view: &FileView<'_>) -> bool {
    let folder = view.context.folder.to_ascii_lowercase().replace('_', "-");
    let folder = folder.trim_matches('-');
    folder == "template" || folder == "skill-name" || folder.ends_with("skill-template") || folder.ends_with("template-skill")
}

/// Whether the skill's name and description are still to be filled in, since it is a template.
pub fn is_unfilled(view: &FileView<'_>) -> bool {
    let has_slot = |field: &str| {
        let text = view.skill_fields().and_then(|fields| fields.get(field)?.text());
        text.is_some_and(|text| text.contains("{{") || is_slot(text))
    };
    is_template(view) || has_slot("name") || has_slot("description")
}

/// Whether a value is one that a generator replaces: `__NAME__`.
fn is_slot(text: &str) -> bool {
    let name = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

fn description(view: &FileView<'_>) -> Option<Range<usize>> {
    Some(view.skill_fields()?.get("description")?.span.clone())
}

/// Whether a match is a placeholder; a quoted one is only mentioned.
fn counts(view: &FileView<'_>, pattern: usize, span: &Range<usize>) -> bool {
    if is_sample_file(&view.file.path) {
        return false;
    }
    let Some((text, _)) = view.markdown() else { return pattern == SENTENCES && is_at_head(view, span) };
    let is_quoted = text[..span.start].ends_with(['"', '“', '\'', '‘', '«', '「']);
    let is_link = text[span.end..].starts_with(['(', '[', ':']) && text[..span.end].ends_with(']');
    let is_prose = match view.file.region_at(span.start) {
        None => !view.file.is_front_matter(span.start),
        Some(RegionKind::Html) => true,
        Some(RegionKind::CodeBlock | RegionKind::InlineCode | RegionKind::Comment) => false,
    };
    is_prose && !is_quoted && !is_link
}

/// Number of lines at the head of a script in which a scaffold says what to put there.
const HEAD_LINES: usize = 10;

/// Whether a sentence is at the head of a script; further down it is part of what a program that makes skills writes.
fn is_at_head(view: &FileView<'_>, span: &Range<usize>) -> bool {
    view.file.slice(&(0..span.start)).matches('\n').take(HEAD_LINES).count() < HEAD_LINES
}

/// Whether a description begins like a template's, after any quotes and block markers.
fn is_unwritten(written: &str) -> bool {
    let text = written.trim_start_matches(|c: char| c.is_whitespace() || "\"'|>-+[".contains(c));
    ["TODO", "FIXME", "TBD"].iter().any(|word| text.strip_prefix(word).is_some_and(ends_a_word))
}

fn ends_a_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([':', ']', '"', '\'', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_of_a_scaffold_is_known_by_its_first_word() {
        for written in ["\"TODO: Add skill description\"", "[TODO: x]", "TODO", ">-\n  [TODO: x]", "TBD."] {
            assert!(is_unwritten(written), "{written}");
        }
        for written in ["TODO comments are found", "Finds TODO: x", "TODOS", ""] {
            assert!(!is_unwritten(written), "{written}");
        }
    }
}
