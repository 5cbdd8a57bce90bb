//! Snapshots of the served files, compared to find changes. They only contain stamps: no file is read.

use super::served_skill::ServedSkill;
use super::served_skills::ServedSkills;
use crate::app::App;
use skillc_domain::listing::Scope;
use skillc_domain::path::RelPath;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::survey::Stamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The files of every served skill, with their stamps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedSnapshot(BTreeMap<SkillPlace, BTreeMap<RelPath, Stamp>>);

impl ServedSnapshot {
    /// The current snapshot, without skills that cannot be read.
    pub fn take(app: &App, skills: &ServedSkills) -> Self {
        let list = skills.read(app).unwrap_or_default();
        let files = |served: &ServedSkill| {
            let Ok((_, survey)) = skills.files(app, served) else { return BTreeMap::new() };
            survey.files.iter().map(|file| (file.path.clone(), file.stamp)).collect()
        };
        Self(list.skills.values().map(|served| (served.place.clone(), files(served))).collect())
    }

    /// Every file that was changed, added or removed between this snapshot and a later one.
    pub fn changes(&self, later: &Self) -> BTreeSet<SkillUri> {
        let places: BTreeSet<&SkillPlace> = self.0.keys().chain(later.0.keys()).collect();
        let none = BTreeMap::new();
        let changed = places.into_iter().flat_map(|place| {
            let (old, new) = (self.0.get(place).unwrap_or(&none), later.0.get(place).unwrap_or(&none));
            let paths: BTreeSet<&RelPath> = old.keys().chain(new.keys()).collect();
            paths
                .into_iter()
                .filter(|path| old.get(*path) != new.get(*path))
                .map(|path| SkillUri::new(place, path.clone()))
        });
        changed.collect()
    }
}

/// The folders to watch for changes: the stores, and skills outside of them to which a link leads.
pub fn watched_folders(app: &App, skills: &ServedSkills) -> BTreeSet<PathBuf> {
    let list = skills.read(app).unwrap_or_default();
    let stores: Vec<PathBuf> =
        [Scope::Project, Scope::Global].into_iter().flat_map(|scope| app.call.places.stores(scope)).collect();
    let is_below = |skill: &PathBuf| stores.iter().any(|store| skill.starts_with(store));
    let elsewhere =
        list.skills.values().map(|served| served.skill.path.clone()).filter(|skill| !is_below(skill));
    elsewhere.chain(stores.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(files: &[(&str, &str, u64)]) -> ServedSnapshot {
        let mut snapshot = ServedSnapshot::default();
        for (place, path, size) in files {
            let place = SkillPlace::of(place).unwrap();
            let stamp = Stamp { size: *size, ..Stamp::default() };
            snapshot.0.entry(place).or_default().insert(RelPath::parse(path).unwrap(), stamp);
        }
        snapshot
    }

    #[test]
    fn changed_new_and_gone_files_are_reported() {
        let before = snapshot(&[("a", "SKILL.md", 1), ("a", "x", 1), ("b", "SKILL.md", 1)]);
        let after = snapshot(&[("a", "SKILL.md", 2), ("a", "x", 1), ("c", "SKILL.md", 1)]);
        let changes: Vec<String> = before.changes(&after).iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["skill://a/SKILL.md", "skill://b/SKILL.md", "skill://c/SKILL.md"]);
        assert!(before.changes(&before).is_empty());
    }
}
