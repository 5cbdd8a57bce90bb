//! What agents' own limits would leave of a catalog.

use crate::discovery::block::one_line;
use crate::discovery::skill::CatalogSkill;

/// An agent whose limits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Claude Code: 1 % of the context, 1,536 characters per description; beyond that, whole descriptions are dropped.
    ClaudeCode,
    /// Codex: 2 % of the context, or 8,000 characters; descriptions are shortened, then skills dropped.
    Codex,
}

/// Characters of one description in Claude Code's list (`skillListingMaxDescChars`).
const CLAUDE_DESCRIPTION_CHARS_MAX: usize = 1_536;
/// Characters per token, by which both agents convert a part of the context into characters.
const CHARS_PER_TOKEN: u64 = 4;
/// Characters of Codex' list if the context size is unknown.
const CODEX_CHARS: u64 = 8_000;
/// Tokens of context that Claude Code has unless another number is given.
const CLAUDE_CONTEXT_TOKENS: u64 = 200_000;

/// What becomes of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutStatus {
    /// It is listed as it is.
    Whole,
    /// With so many characters of its description.
    Shortened(usize),
    /// With its name alone.
    NameOnly,
    /// It is not listed.
    Dropped,
}

/// What becomes of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutCatalog {
    /// Characters that the list may have.
    pub chars_max: usize,
    /// Characters that it would have.
    pub chars_full: usize,
    /// For each skill, in order.
    pub statuses: Vec<CutStatus>,
}

/// Cuts a catalog as an agent with this context size would. Agents drop the least used skills first; here, since usage is
/// unknown, the last ones.
pub fn cut(budget: Budget, skills: &[CatalogSkill], context_tokens: Option<u64>) -> CutCatalog {
    let sizes: Vec<Size> = skills.iter().map(|skill| Size::of(budget, skill)).collect();
    let chars_max = match (budget, context_tokens) {
        (Budget::ClaudeCode, tokens) => tokens.unwrap_or(CLAUDE_CONTEXT_TOKENS) * CHARS_PER_TOKEN / 100,
        (Budget::Codex, Some(tokens)) => tokens * CHARS_PER_TOKEN / 50,
        (Budget::Codex, None) => CODEX_CHARS,
    };
    let chars_max = usize::try_from(chars_max).unwrap_or(usize::MAX);
    let statuses = match budget {
        Budget::ClaudeCode => claude_code(&sizes, chars_max),
        Budget::Codex => codex(&sizes, chars_max),
    };
    CutCatalog {
        chars_max,
        chars_full: sizes.iter().map(|size| size.frame + size.description).sum(),
        statuses,
    }
}

/// Characters of one entry.
struct Size {
    /// Everything but the description: `- name`, and for Codex the file.
    frame: usize,
    /// `: ` and the description.
    description: usize,
}

impl Size {
    fn of(budget: Budget, skill: &CatalogSkill) -> Self {
        let chars = |text: &str| text.chars().count();
        let file = match budget {
            Budget::ClaudeCode => 0,
            Budget::Codex => chars(&skill.path.to_string_lossy()) + " (file: )".len(),
        };
        Self {
            frame: "- \n".len() + chars(&skill.name) + file,
            description: ": ".len() + chars(&one_line(&skill.description)),
        }
    }
}

fn claude_code(sizes: &[Size], chars_max: usize) -> Vec<CutStatus> {
    let listed = |size: &Size| size.description.min(CLAUDE_DESCRIPTION_CHARS_MAX + ": ".len());
    let mut total: usize = sizes.iter().map(|size| size.frame + listed(size)).sum();
    let mut statuses: Vec<CutStatus> = Vec::with_capacity(sizes.len());
    for size in sizes.iter().rev() {
        let is_cut = size.description > CLAUDE_DESCRIPTION_CHARS_MAX + ": ".len();
        statuses.push(match (total > chars_max, is_cut) {
            (true, _) => CutStatus::NameOnly,
            (false, true) => CutStatus::Shortened(CLAUDE_DESCRIPTION_CHARS_MAX),
            (false, false) => CutStatus::Whole,
        });
        total -= if total > chars_max { listed(size) } else { 0 };
    }
    statuses.reverse();
    statuses
}

fn codex(sizes: &[Size], chars_max: usize) -> Vec<CutStatus> {
    let total = |cap: usize| sizes.iter().map(|size| size.frame + size.description.min(cap)).sum::<usize>();
    let longest = sizes.iter().map(|size| size.description).max().unwrap_or_default();
    if total(longest) <= chars_max {
        return vec![CutStatus::Whole; sizes.len()];
    }
    // The longest description length for which all entries fit.
    let (mut fits, mut exceeds) = (0, longest);
    while fits + 1 < exceeds {
        let middle = fits.midpoint(exceeds);
        if total(middle) <= chars_max { fits = middle } else { exceeds = middle }
    }
    let mut left = chars_max;
    let status = |size: &Size| {
        let listed = left.checked_sub(size.frame + size.description.min(fits));
        left = listed.unwrap_or(0);
        match listed {
            None => CutStatus::Dropped,
            Some(_) if size.description <= fits => CutStatus::Whole,
            Some(_) if fits <= ": ".len() => CutStatus::NameOnly,
            Some(_) => CutStatus::Shortened(fits - ": ".len()),
        }
    };
    sizes.iter().map(status).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(descriptions: &[usize]) -> Vec<Size> {
        descriptions.iter().map(|d| Size { frame: 10, description: d + 2 }).collect()
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn claude_code_drops_whole_descriptions_and_keeps_every_name() {
        assert_eq!(claude_code(&sizes(&[50, 50]), 124), [CutStatus::Whole, CutStatus::Whole]);
        assert_eq!(claude_code(&sizes(&[50, 50]), 123), [CutStatus::Whole, CutStatus::NameOnly]);
        assert_eq!(claude_code(&sizes(&[50, 50]), 1), [CutStatus::NameOnly, CutStatus::NameOnly]);
        assert_eq!(claude_code(&sizes(&[2_000]), 8_000), [CutStatus::Shortened(1_536)]);
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn codex_shortens_descriptions_before_it_drops_skills() {
        assert_eq!(codex(&sizes(&[50, 10]), 84), [CutStatus::Whole, CutStatus::Whole]);
        assert_eq!(codex(&sizes(&[50, 10]), 64), [CutStatus::Shortened(30), CutStatus::Whole]);
        assert_eq!(codex(&sizes(&[50, 10]), 20), [CutStatus::NameOnly, CutStatus::NameOnly]);
        assert_eq!(codex(&sizes(&[50, 10]), 19), [CutStatus::NameOnly, CutStatus::Dropped]);
        assert_eq!(codex(&sizes(&[]), 0), []);
    }
}
