//! Estimates how an agent would shorten its own list of skills, from its documented limits.

use crate::discovery::skill::SkillScope;

/// An agent whose limits for the list of skills are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Claude Code: 1 % of the context and 1,536 characters per description. Beyond that, whole descriptions are
    /// dropped.
    ClaudeCode,
    /// Codex: 2 % of the context in tokens, or 8,000 characters. Paths are shortened first, then descriptions, then
    /// skills are dropped.
    Codex,
}

/// A skill as an agent lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetedSkill {
    /// The name in the list.
    pub name: String,
    /// The description in the list, on one line.
    pub description: String,
    /// Path of its SKILL.md as the agent found it.
    pub path: String,
    /// The folder of skills in which the agent found it.
    pub root: String,
    /// The scope of that folder.
    pub scope: SkillScope,
}

/// The unit in which an agent measures its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountUnit {
    /// UTF-16 code units, like JavaScript's `length`.
    Utf16,
    /// Characters.
    Chars,
    /// Tokens: one per four bytes of a line, rounded up.
    Tokens,
}

/// How much of a skill remains in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutStatus {
    /// It is listed in full.
    Whole,
    /// Its description is cut to this many characters.
    Shortened(usize),
    /// Only its name is listed.
    NameOnly,
    /// It is not listed.
    Dropped,
}

/// A list of skills after an agent has shortened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutCatalog {
    /// The unit of `limit` and `requested`.
    pub unit: CountUnit,
    /// The agent's limit for the list.
    pub limit: usize,
    /// The size of the list before it was shortened.
    pub requested: usize,
    /// One status per skill, in the order given.
    pub statuses: Vec<CutStatus>,
}

/// Maximum length of a description in Claude Code's list, in characters (`skillListingMaxDescChars`).
const CLAUDE_DESCRIPTION_CHARS_MAX: usize = 1_536;
/// Characters per token that Claude Code assumes when it converts a share of the context to characters.
const CHARS_PER_TOKEN: u64 = 4;
/// Bytes per token that Codex assumes.
const BYTES_PER_TOKEN: usize = 4;
/// Codex' limit in characters if the size of the context is unknown.
const CODEX_CHARS: u64 = 8_000;
/// Claude Code's context in tokens, unless the caller gives another size.
const CLAUDE_CONTEXT_TOKENS: u64 = 200_000;
/// Characters that Codex adds to its instructions to explain folder aliases.
const ALIAS_TEXT_CHARS: usize = 173;

impl CountUnit {
    fn cost(self, text: &str) -> usize {
        match self {
            Self::Utf16 => text.encode_utf16().count(),
            Self::Chars => text.chars().count(),
            Self::Tokens => text.len().div_ceil(BYTES_PER_TOKEN),
        }
    }
}

/// Shortens a list as an agent with this context size would. How often skills are used is not known here, so the last
/// ones are dropped first.
pub fn cut(budget: Budget, skills: &[BudgetedSkill], context_tokens: Option<u64>) -> CutCatalog {
    let (unit, limit) = match (budget, context_tokens) {
        (Budget::ClaudeCode, tokens) => {
            (CountUnit::Utf16, tokens.unwrap_or(CLAUDE_CONTEXT_TOKENS) * CHARS_PER_TOKEN / 100)
        }
        (Budget::Codex, Some(tokens)) => (CountUnit::Tokens, (tokens / 50).max(1)),
        (Budget::Codex, None) => (CountUnit::Chars, CODEX_CHARS),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (requested, statuses) = match budget {
        Budget::ClaudeCode => claude_code(skills, limit),
        Budget::Codex => codex(skills, unit, limit),
    };
    CutCatalog { unit, limit, requested, statuses }
}

fn claude_code(skills: &[BudgetedSkill], limit: usize) -> (usize, Vec<CutStatus>) {
    let unit = CountUnit::Utf16;
    let names: Vec<usize> = skills.iter().map(|skill| unit.cost(&format!("- {}\n", skill.name))).collect();
    let descriptions: Vec<usize> = skills.iter().map(|skill| unit.cost(&skill.description)).collect();
    let listed = |chars: usize| match chars.min(CLAUDE_DESCRIPTION_CHARS_MAX) {
        0 => 0,
        chars => chars + ": ".len(),
    };
    let requested =
        names.iter().sum::<usize>() + descriptions.iter().map(|chars| listed(*chars)).sum::<usize>();
    let mut total = requested;
    let mut statuses: Vec<CutStatus> = Vec::with_capacity(skills.len());
    for chars in descriptions.iter().rev() {
        statuses.push(match (total > limit, *chars > CLAUDE_DESCRIPTION_CHARS_MAX) {
            (true, _) => CutStatus::NameOnly,
            (false, true) => CutStatus::Shortened(CLAUDE_DESCRIPTION_CHARS_MAX),
            (false, false) => CutStatus::Whole,
        });
        total -= if total > limit { listed(*chars) } else { 0 };
    }
    statuses.reverse();
    (requested, statuses)
}

/// Tries whole paths first, then an alias for each folder of skills if that keeps more.
fn codex(skills: &[BudgetedSkill], unit: CountUnit, limit: usize) -> (usize, Vec<CutStatus>) {
    let whole: Vec<CodexLine> = skills.iter().map(|skill| CodexLine::new(skill, &skill.path)).collect();
    let requested = whole.iter().map(|line| line.full(unit)).sum();
    let plain = fitted(&whole, unit, limit);
    if plain.iter().all(|status| *status == CutStatus::Whole) {
        return (requested, plain);
    }
    let mut roots: Vec<&str> = Vec::new();
    for skill in skills {
        if !roots.contains(&skill.root.as_str()) {
            roots.push(&skill.root);
        }
    }
    let aliased: Vec<CodexLine> =
        skills.iter().map(|skill| CodexLine::new(skill, &aliased_path(skill, &roots))).collect();
    let lines = roots.iter().enumerate().map(|(at, root)| format!("- `r{at}` = `{root}`\n"));
    let table = "x".repeat(ALIAS_TEXT_CHARS) + &lines.collect::<String>();
    let Some(left) = limit.checked_sub(unit.cost(&table)).filter(|left| *left > 0) else {
        return (requested, plain);
    };
    let short = fitted(&aliased, unit, left);
    let is_better = loss(&short, skills) < loss(&plain, skills);
    (requested, if is_better { short } else { plain })
}

fn aliased_path(skill: &BudgetedSkill, roots: &[&str]) -> String {
    let alias = roots.iter().position(|root| *root == skill.root);
    let below = skill.path.strip_prefix(skill.root.as_str());
    match (alias, below) {
        (Some(alias), Some(below)) => format!("r{alias}{below}"),
        _ => skill.path.clone(),
    }
}

/// What a shortened list lost: the number of skills, then characters of descriptions. Smaller is better.
fn loss(statuses: &[CutStatus], skills: &[BudgetedSkill]) -> (usize, usize) {
    let dropped = statuses.iter().filter(|status| **status == CutStatus::Dropped).count();
    let lost = statuses.iter().zip(skills).map(|(status, skill)| {
        let chars = skill.description.chars().count();
        match status {
            CutStatus::Whole => 0,
            CutStatus::Shortened(left) => chars - left.min(&chars),
            CutStatus::NameOnly | CutStatus::Dropped => chars,
        }
    });
    (dropped, lost.sum())
}

/// A line of Codex' list.
struct CodexLine<'a> {
    bare: String,
    description: &'a str,
}

impl<'a> CodexLine<'a> {
    fn new(skill: &'a BudgetedSkill, path: &str) -> Self {
        Self { bare: format!("- {}: (file: {path})\n", skill.name), description: &skill.description }
    }

    fn minimum(&self, unit: CountUnit) -> usize {
        unit.cost(&self.bare)
    }

    fn full(&self, unit: CountUnit) -> usize {
        match self.description {
            "" => self.minimum(unit),
            description => unit.cost(&format!("{}{description} ", self.bare)),
        }
    }
}

fn fitted(lines: &[CodexLine<'_>], unit: CountUnit, limit: usize) -> Vec<CutStatus> {
    if lines.iter().map(|line| line.full(unit)).sum::<usize>() <= limit {
        return vec![CutStatus::Whole; lines.len()];
    }
    match limit.checked_sub(lines.iter().map(|line| line.minimum(unit)).sum::<usize>()) {
        Some(left) => shortened(lines, unit, left),
        None => without_descriptions(lines, unit, limit),
    }
}

/// Distributes the remaining budget one character at a time, to all descriptions in turn.
fn shortened(lines: &[CodexLine<'_>], unit: CountUnit, mut left: usize) -> Vec<CutStatus> {
    let mut given: Vec<Given<'_>> = lines.iter().map(|line| Given::new(line, unit)).collect();
    loop {
        let mut has_given = false;
        for line in &mut given {
            has_given |= line.take_one(unit, &mut left);
        }
        if !has_given {
            break;
        }
    }
    let status = |given: Given<'_>| match (given.rest.is_empty(), given.chars) {
        (true, _) => CutStatus::Whole,
        (false, 0) => CutStatus::NameOnly,
        (false, chars) => CutStatus::Shortened(chars),
    };
    given.into_iter().map(status).collect()
}

/// The part of its description that a line has been given so far.
struct Given<'a> {
    rest: &'a str,
    chars: usize,
    /// Size of the line with that part, in bytes and characters.
    bytes: usize,
    line_chars: usize,
    cost: usize,
}

impl<'a> Given<'a> {
    fn new(line: &CodexLine<'a>, unit: CountUnit) -> Self {
        // A space follows the description.
        let (bytes, line_chars) = (line.bare.len() + 1, line.bare.chars().count() + 1);
        Self { rest: line.description, chars: 0, bytes, line_chars, cost: line.minimum(unit) }
    }

    fn take_one(&mut self, unit: CountUnit, left: &mut usize) -> bool {
        let Some(next) = self.rest.chars().next() else { return false };
        let (bytes, chars) = (self.bytes + next.len_utf8(), self.line_chars + 1);
        let cost = if unit == CountUnit::Tokens { bytes.div_ceil(BYTES_PER_TOKEN) } else { chars };
        let Some(after) = left.checked_sub(cost - self.cost) else { return false };
        *left = after;
        self.rest = &self.rest[next.len_utf8()..];
        self.chars += 1;
        (self.bytes, self.line_chars, self.cost) = (bytes, chars, cost);
        true
    }
}

fn without_descriptions(lines: &[CodexLine<'_>], unit: CountUnit, mut left: usize) -> Vec<CutStatus> {
    let status = |line: &CodexLine<'_>| match left.checked_sub(line.minimum(unit)) {
        None => CutStatus::Dropped,
        Some(after) => {
            left = after;
            if line.description.is_empty() { CutStatus::Whole } else { CutStatus::NameOnly }
        }
    };
    lines.iter().map(status).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(descriptions: &[usize]) -> Vec<BudgetedSkill> {
        let skill = |chars: &usize| BudgetedSkill {
            name: "abcdefg".into(),
            description: "x".repeat(*chars),
            path: "/r/a/SKILL.md".into(),
            root: "/r".into(),
            scope: SkillScope::User,
        };
        descriptions.iter().map(skill).collect()
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn claude_code_drops_whole_descriptions_and_keeps_every_name() {
        let statuses = |descriptions: &[usize], limit| claude_code(&listed(descriptions), limit).1;
        assert_eq!(statuses(&[50, 50], 124), [CutStatus::Whole, CutStatus::Whole]);
        assert_eq!(statuses(&[50, 50], 123), [CutStatus::Whole, CutStatus::NameOnly]);
        assert_eq!(statuses(&[50, 50], 1), [CutStatus::NameOnly, CutStatus::NameOnly]);
        assert_eq!(statuses(&[2_000], 8_000), [CutStatus::Shortened(1_536)]);
        assert_eq!(claude_code(&listed(&[2_000]), 8_000).0, 1_548, "nobody sees more than the cap");
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn codex_shortens_descriptions_before_it_drops_skills() {
        let statuses =
            |descriptions: &[usize], limit| codex(&listed(descriptions), CountUnit::Chars, limit).1;
        let bare = "- abcdefg: (file: /r/a/SKILL.md)\n".len();
        assert_eq!(statuses(&[50, 10], 2 * bare + 62), [CutStatus::Whole, CutStatus::Whole]);
        assert_eq!(statuses(&[50, 10], 2 * bare + 61), [CutStatus::Shortened(49), CutStatus::Whole]);
        assert_eq!(statuses(&[50, 10], 2 * bare), [CutStatus::NameOnly, CutStatus::NameOnly]);
        assert_eq!(statuses(&[50, 10], 2 * bare - 1), [CutStatus::NameOnly, CutStatus::Dropped]);
        assert_eq!(statuses(&[], 0), []);
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn codex_counts_a_token_for_four_bytes_of_a_line_and_shortens_paths_before_it_drops_skills() {
        let long = format!("/home/{}/.agents/skills", "deep/".repeat(20));
        let skill = |at: usize| BudgetedSkill {
            name: format!("s{at:03}"),
            description: "日本語の説明文です。".repeat(4),
            path: format!("{long}/s{at:03}/SKILL.md"),
            root: long.clone(),
            scope: SkillScope::User,
        };
        let skills: Vec<_> = (0..134).map(skill).collect();
        let cut = cut(Budget::Codex, &skills, Some(100_000));
        assert_eq!((cut.unit, cut.limit), (CountUnit::Tokens, 2_000));
        assert!(cut.requested > 134 * 60, "{}", cut.requested);
        let dropped = cut.statuses.iter().filter(|status| **status == CutStatus::Dropped).count();
        assert_eq!(dropped, 0, "with whole paths more than half would be");
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn each_agent_has_its_limit_in_its_unit() {
        for (budget, tokens, expected) in [
            (Budget::ClaudeCode, None, (CountUnit::Utf16, 8_000)),
            (Budget::ClaudeCode, Some(1_000_000), (CountUnit::Utf16, 40_000)),
            (Budget::Codex, None, (CountUnit::Chars, 8_000)),
            (Budget::Codex, Some(272_000), (CountUnit::Tokens, 5_440)),
            (Budget::Codex, Some(49), (CountUnit::Tokens, 1)),
        ] {
            let cut = cut(budget, &listed(&[5]), tokens);
            assert_eq!((cut.unit, cut.limit), expected, "{budget:?} {tokens:?}");
        }
    }

    #[test]
    fn a_text_costs_its_utf16_units_its_characters_or_a_token_for_four_bytes() {
        let costs =
            |text: &str| [CountUnit::Utf16, CountUnit::Chars, CountUnit::Tokens].map(|u| u.cost(text));
        assert_eq!(costs("é🙂"), [3, 2, 2]);
        assert_eq!(costs("abcde"), [5, 5, 2]);
        assert_eq!(costs(""), [0, 0, 0]);
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn a_skill_without_a_description_is_whole_as_long_as_it_is_listed() {
        let bare = "- abcdefg: (file: /r/a/SKILL.md)\n".len();
        let cut = |limit| codex(&listed(&[0, 10]), CountUnit::Chars, limit);
        assert_eq!(cut(2 * bare).1, [CutStatus::Whole, CutStatus::NameOnly]);
        assert_eq!(cut(bare).1, [CutStatus::Whole, CutStatus::Dropped]);
        assert_eq!(cut(9_999).0, 2 * bare + 11, "a space follows a description");
        let (requested, statuses) = claude_code(&listed(&[0, 10]), 20);
        assert_eq!((requested, statuses), (32, vec![CutStatus::Whole, CutStatus::NameOnly]));
    }

    /// RFC-0010:C-BUDGET
    #[test]
    fn an_alias_is_used_only_if_it_keeps_more() {
        let path = |at: usize| BudgetedSkill {
            path: format!("/very/long/{}folder/s{at}/SKILL.md", "path/".repeat(30)),
            root: format!("/very/long/{}folder", "path/".repeat(30)),
            ..listed(&[40]).remove(0)
        };
        let skills: Vec<_> = (0..6).map(path).collect();
        let roots: Vec<&str> = vec!["/other", &skills[0].root];
        assert_eq!(aliased_path(&skills[2], &roots), "r1/s2/SKILL.md");
        assert_eq!(aliased_path(&skills[2], &["/other"]), skills[2].path);
        let statuses = |limit| codex(&skills, CountUnit::Chars, limit).1;
        assert_eq!(statuses(900), [CutStatus::Whole; 6], "with whole paths four would be listed");
        assert_eq!(statuses(350)[..2], [CutStatus::NameOnly, CutStatus::Dropped], "the table leaves no room");
    }

    #[test]
    fn a_list_lost_the_skills_and_characters_that_are_not_in_it() {
        let lost = |statuses: &[CutStatus]| loss(statuses, &listed(&[10, 20]));
        assert_eq!(lost(&[CutStatus::Whole, CutStatus::Shortened(5)]), (0, 15));
        assert_eq!(lost(&[CutStatus::NameOnly, CutStatus::Dropped]), (1, 30));
    }
}
