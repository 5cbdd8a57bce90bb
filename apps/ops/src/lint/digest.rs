//! Decides which findings the text output shows in full, which it folds, and which it only counts. Formats for
//! programs contain all of them.

use super::reply::{LintDiagnostic, LintReply, LintedReply};
use skillc_lint::rule::{Rule, Tier};
use std::collections::{BTreeMap, BTreeSet};

/// Number of findings of a rule in a skill that are shown in full; more rarely tell an author anything new.
const SHOWN_OF_A_RULE: usize = 3;

/// The output for one skill.
pub struct ShownSkill<'a> {
    /// The skill.
    pub skill: &'a LintedReply,
    /// Highest cost first; findings of a rule are adjacent.
    pub shown: Vec<Shown<'a>>,
}

/// An item of the output.
pub enum Shown<'a> {
    /// A finding in full.
    Finding(&'a LintDiagnostic),
    /// The number of further findings of the same rule, and where they are.
    More(Counted, &'static str),
}

/// Findings of a rule that are only counted.
pub struct Counted {
    /// The rule.
    pub rule: &'static Rule,
    /// Number of findings.
    pub count: usize,
    /// How many of them are errors.
    pub errors: usize,
    /// Number of files with findings.
    pub files: usize,
    /// The file or folder that contains all of them; empty for the whole skill.
    pub place: String,
}

/// The text output for a reply.
pub struct FindingsDigest<'a> {
    /// The output for each skill.
    pub skills: Vec<ShownSkill<'a>>,
    /// Findings of style in all skills, by rule.
    pub style: Vec<Counted>,
    /// Number of findings beyond `--max`.
    pub left_out: usize,
}

impl<'a> FindingsDigest<'a> {
    /// Selects the text output for a reply.
    pub fn of(reply: &'a LintReply) -> Self {
        let is_whole = reply.selection.is_narrow();
        let mut room = reply.selection.max.map_or(usize::MAX, |max| max as usize);
        let mut digest = Self { skills: Vec::new(), style: Vec::new(), left_out: 0 };
        for skill in &reply.skills {
            let shown = shown(skill, is_whole);
            let is_finding = |shown: &Shown<'_>| matches!(shown, Shown::Finding(_));
            let count = shown.iter().filter(|one| is_finding(one)).count();
            let mut left = room;
            let within = shown.into_iter().take_while(|one| {
                let has_room = left > 0;
                left -= usize::from(is_finding(one) && has_room);
                has_room
            });
            digest.skills.push(ShownSkill { skill, shown: within.collect() });
            digest.left_out += count.saturating_sub(room);
            room = room.saturating_sub(count);
        }
        if !is_whole {
            digest.style = over_all(reply, |found| found.grade == Tier::Style);
        }
        digest
    }
}

/// How often each rule is violated in all skills, by rule.
pub fn statistics(reply: &LintReply) -> Vec<Counted> {
    over_all(reply, |_| true)
}

/// The findings of a skill that are not only counted, highest cost first.
fn shown(skill: &LintedReply, is_whole: bool) -> Vec<Shown<'_>> {
    let mut by_rule: BTreeMap<(Tier, bool, &str), Vec<&LintDiagnostic>> = BTreeMap::new();
    for found in skill.diagnostics.iter().filter(|found| is_whole || found.grade != Tier::Style) {
        let key = (found.grade, !is_error(found), found.rule);
        by_rule.entry(key).or_default().push(found);
    }
    by_rule.into_values().flat_map(|found| fold(found, is_whole)).collect()
}

/// The first findings of a rule, and the number of others. If there is only one other, it is shown too, since saying
/// so would also take a line.
fn fold(found: Vec<&LintDiagnostic>, is_whole: bool) -> Vec<Shown<'_>> {
    let split = if is_whole || found.len() <= SHOWN_OF_A_RULE + 1 { found.len() } else { SHOWN_OF_A_RULE };
    let (first, rest) = found.split_at(split);
    let first = first.iter().map(|found| Shown::Finding(found));
    let rest = (!rest.is_empty()).then(|| Shown::More(counted(rest), rest[0].severity));
    first.chain(rest).collect()
}

fn is_error(found: &LintDiagnostic) -> bool {
    found.code == "E300"
}

fn counted(found: &[&LintDiagnostic]) -> Counted {
    let files: BTreeSet<&str> = found.iter().map(|found| found.file.as_str()).collect();
    let errors = found.iter().filter(|found| is_error(found)).count();
    Counted { rule: found[0].about, count: found.len(), errors, files: files.len(), place: common(&files) }
}

/// The file, or the deepest folder, that contains all of these files.
fn common(files: &BTreeSet<&str>) -> String {
    let (Some(first), Some(last)) = (files.first(), files.last()) else { return String::new() };
    if first == last {
        return (*first).to_owned();
    }
    let mut folders = first.match_indices('/').map(|(at, _)| &first[..=at]);
    folders.rfind(|folder| last.starts_with(folder)).unwrap_or_default().to_owned()
}

fn over_all(reply: &LintReply, is_counted: impl Fn(&LintDiagnostic) -> bool) -> Vec<Counted> {
    let mut by_rule: BTreeMap<&str, Vec<(&LintedReply, &LintDiagnostic)>> = BTreeMap::new();
    for skill in &reply.skills {
        for found in skill.diagnostics.iter().filter(|found| is_counted(found)) {
            by_rule.entry(found.rule).or_default().push((skill, found));
        }
    }
    let counted = |found: Vec<(&LintedReply, &LintDiagnostic)>| {
        let files: BTreeSet<_> = found.iter().map(|(skill, found)| (&skill.path, &found.file)).collect();
        let errors = found.iter().filter(|(_, found)| is_error(found)).count();
        Counted {
            rule: found[0].1.about,
            count: found.len(),
            errors,
            files: files.len(),
            place: String::new(),
        }
    };
    by_rule.into_values().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_folder_that_holds_all_files_is_named() {
        for (files, expected) in [
            (["a.md", "a.md"], "a.md"),
            (["rules/a.md", "rules/b.md"], "rules/"),
            (["rules/x/a.md", "rules/y/b.md"], "rules/"),
            (["rules/a.md", "z.md"], ""),
            (["rules-a/a.md", "rules-b/a.md"], ""),
        ] {
            assert_eq!(common(&files.into_iter().collect()), expected);
        }
    }
}
