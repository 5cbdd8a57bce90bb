//! What a build has to do, decided from what was recorded and what is there (RFC-0004:C-INDEX).

use crate::freshness::{Difference, IndexHeader, RecordedFile, Standing};
use crate::limits::IN_PLACE_BYTES_MAX;
use crate::path::RelPath;
use crate::survey::SurveyedFile;

/// What was found where the index should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// No file.
    Missing,
    /// A file that cannot be read as an index.
    Corrupt,
    /// An index.
    Present(IndexHeader),
}

/// Why a whole new index is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullReason {
    /// There is none.
    Missing,
    /// The one that is there cannot be read.
    Corrupt,
    /// Other tables or another tokenizer.
    Outdated,
    /// So much changed that a new one is cheaper than edits.
    ManyChanges,
}

/// What a build does to the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildPlan {
    /// It belongs to another skill: E003.
    Refuse,
    /// Make a new one and put it in place of the old.
    Full(FullReason),
    /// Edit the one that is there: these files are new or may have changed, these are gone.
    InPlace {
        /// To be read, and indexed again if their digest differs.
        read: Vec<SurveyedFile>,
        /// To be forgotten.
        removed: Vec<RelPath>,
    },
}

/// The plan for an index that cannot be kept, if the state decides already; `None` where its files must be compared.
pub fn plan_by_state(state: &IndexState, standing: impl Fn(&IndexHeader) -> Standing) -> Option<BuildPlan> {
    match state {
        IndexState::Missing => Some(BuildPlan::Full(FullReason::Missing)),
        IndexState::Corrupt => Some(BuildPlan::Full(FullReason::Corrupt)),
        IndexState::Present(header) => match standing(header) {
            Standing::Foreign => Some(BuildPlan::Refuse),
            Standing::Outdated => Some(BuildPlan::Full(FullReason::Outdated)),
            Standing::Readable => None,
        },
    }
}

/// The plan for an index whose files were compared with the survey.
pub fn plan_by_differences(differences: Vec<Difference>, recorded: &[RecordedFile]) -> BuildPlan {
    let (mut read, mut removed) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    for difference in differences {
        match difference {
            Difference::Added(file) | Difference::Doubtful(file, _) => {
                bytes += file.stamp.size;
                read.push(file);
            }
            Difference::Removed(path) => {
                let old = recorded.binary_search_by(|r| r.path.cmp(&path)).map(|at| recorded[at].stamp.size);
                bytes += old.unwrap_or(0);
                removed.push(path);
            }
        }
    }
    if bytes > IN_PLACE_BYTES_MAX {
        return BuildPlan::Full(FullReason::ManyChanges);
    }
    BuildPlan::InPlace { read, removed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::survey::Stamp;

    fn file(size: u64) -> SurveyedFile {
        SurveyedFile { path: RelPath::parse("a").unwrap(), stamp: Stamp { size, ..Stamp::default() } }
    }

    #[test]
    fn few_changes_are_made_in_place_and_many_afresh() {
        let little = plan_by_differences(vec![Difference::Doubtful(file(9), Digest([0; 32]))], &[]);
        assert_eq!(little, BuildPlan::InPlace { read: vec![file(9)], removed: vec![] });
        let much = plan_by_differences(vec![Difference::Added(file(IN_PLACE_BYTES_MAX + 1))], &[]);
        assert_eq!(much, BuildPlan::Full(FullReason::ManyChanges));
        let gone =
            RecordedFile { path: file(0).path, stamp: file(u64::MAX / 2).stamp, digest: Digest([0; 32]) };
        let removed = plan_by_differences(vec![Difference::Removed(file(0).path)], &[gone]);
        assert_eq!(removed, BuildPlan::Full(FullReason::ManyChanges));
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn a_missing_or_corrupt_index_is_made_anew() {
        let never = |_: &IndexHeader| unreachable!("no header to judge");
        assert_eq!(plan_by_state(&IndexState::Missing, never), Some(BuildPlan::Full(FullReason::Missing)));
        assert_eq!(plan_by_state(&IndexState::Corrupt, never), Some(BuildPlan::Full(FullReason::Corrupt)));
    }
}
