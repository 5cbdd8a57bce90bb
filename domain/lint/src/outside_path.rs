//! Places outside of a skill that its links lead to, and which of them exist.

use crate::link::{LinkTarget, OWN_FOLDER, target};
use skillc_domain::path::RelPath;
use std::collections::{BTreeMap, BTreeSet};

/// A place outside of a skill, as a link leads to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutsidePath {
    /// Number of levels above the skill's folder at which its path begins; at least one.
    pub climbs: usize,
    /// Its path below that folder; the root for the folder itself.
    pub path: RelPath,
}

/// Places outside of a skill that were looked up.
#[derive(Clone, Debug, Default)]
pub struct LookedUp {
    /// Places that exist.
    pub there: BTreeSet<OutsidePath>,
    /// Places that do not exist.
    pub missing: BTreeSet<OutsidePath>,
    /// Missing places whose path exists below a higher folder, with the number of levels to that folder.
    pub higher: BTreeMap<OutsidePath, usize>,
}

impl OutsidePath {
    /// The place that a link in the file at `from` leads to; `None` if it stays in the skill or is a URL.
    pub fn of(written: &str, from: &RelPath) -> Option<Self> {
        let LinkTarget::Escapes(path) = target(written, from) else { return None };
        let is_from_root = OWN_FOLDER.iter().any(|name| written.trim().starts_with(name));
        let folder = if is_from_root { "" } else { from.folder() };
        let (mut climbs, mut below) = (0, Vec::new());
        for part in folder.split('/').chain(path.split('/')) {
            match part {
                "" | "." => {}
                ".." => climbs += usize::from(below.pop().is_none()),
                name => below.push(name),
            }
        }
        let path = RelPath::parse(&below.join("/")).ok()?;
        (climbs > 0).then_some(Self { climbs, path })
    }

    /// Its path as a link in the file at `from` would have it, if it began this many levels above the skill.
    pub fn written_at(&self, climbs: usize, from: &RelPath) -> String {
        let folders = from.as_str().matches('/').count();
        format!("{}{}", "../".repeat(climbs + folders), self.path)
    }

    /// The name of the sibling folder that the place is or is in.
    pub fn neighbor(&self) -> Option<&str> {
        let (first, rest) = self.path.as_str().split_once('/').unwrap_or((self.path.as_str(), ""));
        let is_folder = !rest.is_empty() || !first.contains('.');
        (self.climbs == 1 && is_folder && !first.is_empty()).then_some(first)
    }

    /// Whether the place is a sibling skill: its folder, or its `SKILL.md`.
    pub fn is_skill(&self) -> bool {
        let rest = self.neighbor().and_then(|name| self.path.as_str().strip_prefix(name));
        matches!(rest, Some("" | "/SKILL.md"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_counted_from_the_folder_above_the_skill_that_it_climbs_to() {
        for (written, from, expected) in [
            ("../core/SKILL.md", "SKILL.md", Some((1, "core/SKILL.md"))),
            ("../core/", "SKILL.md", Some((1, "core"))),
            ("../core/SKILL.md#part", "SKILL.md", Some((1, "core/SKILL.md"))),
            ("../../core/a.md", "references/a.md", Some((1, "core/a.md"))),
            ("../../core/SKILL.md", "SKILL.md", Some((2, "core/SKILL.md"))),
            ("../core/../shared/x.md", "SKILL.md", Some((1, "shared/x.md"))),
            ("{baseDir}/../core/a.md", "references/a.md", Some((1, "core/a.md"))),
            ("..", "SKILL.md", Some((1, ""))),
            ("../SKILL.md", "references/a.md", None),
            ("core/SKILL.md", "SKILL.md", None),
            ("https://x.org/../a", "SKILL.md", None),
        ] {
            let found = OutsidePath::of(written, &RelPath::parse(from).unwrap());
            let found = found.as_ref().map(|found| (found.climbs, found.path.as_str()));
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn a_neighbor_is_a_folder_beside_the_skill() {
        for (written, neighbor, is_skill) in [
            ("../core/SKILL.md", Some("core"), true),
            ("../core", Some("core"), true),
            ("../core/references/a.md", Some("core"), false),
            ("../../core/SKILL.md", None, false),
            ("../README.md", None, false),
            ("..", None, false),
        ] {
            let found = OutsidePath::of(written, &RelPath::parse("SKILL.md").unwrap()).unwrap();
            assert_eq!((found.neighbor(), found.is_skill()), (neighbor, is_skill), "{written}");
        }
    }
}
