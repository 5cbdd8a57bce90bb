//! What an agent's own list of skills would leave of a catalog, by what is known of its limits.

use crate::discovery::block::one_line;
use crate::discovery::skill::CatalogSkill;

/// An agent whose limits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Claude Code: a hundredth of the context, a description of 1,536 characters, over that whole descriptions go.
    ClaudeCode,
    /// Codex: a fiftieth of the context, or 8,000 characters; descriptions are shortened, then skills go.
    Codex,
}

/// Characters of one description in Claude Code's list (`skillListingMaxDescChars`).
const CLAUDE_DESCRIPTION_CHARS_MAX: usize = 1_536;
/// Characters that both agents count for a token when they turn a part of the context into characters.
const CHARS_PER_TOKEN: u64 = 4;
/// Characters of Codex' list where the context's size is not known.
const CODEX_CHARS: u64 = 8_000;
/// Tokens of context that Claude Code has unless another number is given.
const CLAUDE_CONTEXT_TOKENS: u64 = 200_000;

/// What becomes of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
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
pub struct Cut {
    /// Characters that the list may have.
    pub chars_max: usize,
    /// Characters that it would have.
    pub chars_wanted: usize,
    /// For each skill, in order.
    pub fates: Vec<Fate>,
}

/// Cuts a catalog as an agent would whose context has so many tokens. Which skills were used is not known here, so those
/// that stand last go first.
pub fn cut(budget: Budget, skills: &[CatalogSkill], context_tokens: Option<u64>) -> Cut {
    let sizes: Vec<Size> = skills.iter().map(|skill| Size::of(budget, skill)).collect();
    let chars_max = match (budget, context_tokens) {
        (Budget::ClaudeCode, tokens) => tokens.unwrap_or(CLAUDE_CONTEXT_TOKENS) * CHARS_PER_TOKEN / 100,
        (Budget::Codex, Some(tokens)) => tokens * CHARS_PER_TOKEN / 50,
        (Budget::Codex, None) => CODEX_CHARS,
    };
    let chars_max = usize::try_from(chars_max).unwrap_or(usize::MAX);
    let fates = match budget {
        Budget::ClaudeCode => claude_code(&sizes, chars_max),
        Budget::Codex => codex(&sizes, chars_max),
    };
    Cut { chars_max, chars_wanted: sizes.iter().map(|size| size.frame + size.description).sum(), fates }
}

/// Characters of an entry.
struct Size {
    /// All but the description: `- name`, in Codex' list the file too.
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

fn claude_code(sizes: &[Size], chars_max: usize) -> Vec<Fate> {
    let kept = |size: &Size| size.description.min(CLAUDE_DESCRIPTION_CHARS_MAX + ": ".len());
    let mut total: usize = sizes.iter().map(|size| size.frame + kept(size)).sum();
    let mut fates: Vec<Fate> = Vec::with_capacity(sizes.len());
    for size in sizes.iter().rev() {
        let is_cut = size.description > CLAUDE_DESCRIPTION_CHARS_MAX + ": ".len();
        fates.push(match (total > chars_max, is_cut) {
            (true, _) => Fate::NameOnly,
            (false, true) => Fate::Shortened(CLAUDE_DESCRIPTION_CHARS_MAX),
            (false, false) => Fate::Whole,
        });
        total -= if total > chars_max { kept(size) } else { 0 };
    }
    fates.reverse();
    fates
}

fn codex(sizes: &[Size], chars_max: usize) -> Vec<Fate> {
    let total = |cap: usize| sizes.iter().map(|size| size.frame + size.description.min(cap)).sum::<usize>();
    let longest = sizes.iter().map(|size| size.description).max().unwrap_or_default();
    if total(longest) <= chars_max {
        return vec![Fate::Whole; sizes.len()];
    }
    // The longest that fits for all alike.
    let (mut fits, mut exceeds) = (0, longest);
    while fits + 1 < exceeds {
        let middle = fits.midpoint(exceeds);
        if total(middle) <= chars_max { fits = middle } else { exceeds = middle }
    }
    let mut left = chars_max;
    let fate = |size: &Size| {
        let listed = left.checked_sub(size.frame + size.description.min(fits));
        left = listed.unwrap_or(0);
        match listed {
            None => Fate::Dropped,
            Some(_) if size.description <= fits => Fate::Whole,
            Some(_) if fits <= ": ".len() => Fate::NameOnly,
            Some(_) => Fate::Shortened(fits - ": ".len()),
        }
    };
    sizes.iter().map(fate).collect()
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
        assert_eq!(claude_code(&sizes(&[50, 50]), 124), [Fate::Whole, Fate::Whole]);
        assert_eq!(claude_code(&sizes(&[50, 50]), 123), [Fate::Whole, Fate::NameOnly]);
        assert_eq!(claude_code(&sizes(&[50, 50]), 1), [Fate::NameOnly, Fate::NameOnly]);
        assert_eq!(claude_code(&sizes(&[2_000]), 8_000), [Fate::Shortened(1_536)]);
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn codex_shortens_descriptions_before_it_drops_skills() {
        assert_eq!(codex(&sizes(&[50, 10]), 84), [Fate::Whole, Fate::Whole]);
        assert_eq!(codex(&sizes(&[50, 10]), 64), [Fate::Shortened(30), Fate::Whole]);
        assert_eq!(codex(&sizes(&[50, 10]), 20), [Fate::NameOnly, Fate::NameOnly]);
        assert_eq!(codex(&sizes(&[50, 10]), 19), [Fate::NameOnly, Fate::Dropped]);
        assert_eq!(codex(&sizes(&[]), 0), []);
    }
}
