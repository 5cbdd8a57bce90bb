//! Several missing files of one folder that does not exist: one finding for the folder says it all.

use crate::one_line::one_line;
use crate::report::Issue;
use crate::tier::Tier;
use crate::view::SkillContext;
use skillc_domain::path::RelPath;
use std::collections::{BTreeMap, BTreeSet};

/// The missing folders of a skill, with the number of missing files in each.
pub struct MissingFolders {
    counts: BTreeMap<RelPath, usize>,
    seen: BTreeSet<RelPath>,
}

impl MissingFolders {
    /// Counts missing files by folder. Those in folders `said` are reported elsewhere.
    pub fn of<'p>(
        context: &SkillContext,
        files: impl Iterator<Item = &'p RelPath>,
        said: BTreeSet<RelPath>,
    ) -> Self {
        let mut counts = BTreeMap::new();
        let files: BTreeSet<&RelPath> = files.collect();
        for folder in files.into_iter().filter_map(|file| missing_folder(context, file)) {
            *counts.entry(folder).or_default() += 1;
        }
        Self { counts, seen: said }
    }

    /// Makes the first finding about a folder speak for all, and the others a matter of style.
    pub fn weigh(&mut self, context: &SkillContext, file: &RelPath, finding: &mut Issue) {
        let Some(folder) = missing_folder(context, file) else { return };
        let more = self.counts.get(&folder).map_or(0, |count| count - 1);
        let shown = one_line(folder.as_str()).into_owned();
        if !self.seen.insert(folder) {
            finding.tier(Tier::Style).hint(format!("the skill has no folder '{shown}'"));
        } else if more > 0 {
            let files = if more == 1 { "file" } else { "files" };
            finding.message +=
                &format!(", nor {more} more {files} of the folder '{shown}', which does not exist");
        }
    }
}

/// The topmost folder of a file that does not exist.
pub fn missing_folder(context: &SkillContext, file: &RelPath) -> Option<RelPath> {
    let folders = file.as_str().match_indices('/').map(|(at, _)| &file.as_str()[..at]);
    folders.filter_map(|folder| RelPath::parse(folder).ok()).find(|folder| !context.has_folder(folder))
}
