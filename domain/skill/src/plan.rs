//! Decides what a build does to the index (RFC-0004:C-INDEX).

use crate::format::format_of;
use crate::freshness::{Difference, IndexCompatibility, RecordedFile};
use crate::limits::{IN_PLACE_BYTES_ALWAYS, IN_PLACE_BYTES_MAX, IN_PLACE_PART_MAX};
use crate::path::RelPath;
use crate::survey::{Survey, SurveyedFile};

/// The state of the file at the path of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState<T> {
    /// There is no file.
    Missing,
    /// The file cannot be read as an index.
    Corrupt,
    /// A readable index: a reader, or its header alone.
    Present(T),
}

impl<T> IndexState<T> {
    /// The index if it can be read.
    pub fn present(self) -> Option<T> {
        match self {
            Self::Present(index) => Some(index),
            Self::Missing | Self::Corrupt => None,
        }
    }

    /// Converts a readable index.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> IndexState<U> {
        match self {
            Self::Missing => IndexState::Missing,
            Self::Corrupt => IndexState::Corrupt,
            Self::Present(index) => IndexState::Present(convert(index)),
        }
    }
}

/// Why a new index is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullReason {
    /// There is no index.
    Missing,
    /// The index cannot be read.
    Corrupt,
    /// The schema or the tokenizer differs.
    Outdated,
    /// So much changed that editing would take longer.
    ManyChanges,
}

/// What a build does with the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildPlan {
    /// Refuse to touch it, because it belongs to another skill: E003.
    Refuse,
    /// Replace it with a new one.
    Full(FullReason),
    /// Edit the existing one.
    InPlace {
        /// Files to read: new ones, and those that may have changed.
        read: Vec<SurveyedFile>,
        /// Files to delete from the index.
        removed: Vec<RelPath>,
    },
}

/// The plan if the state of the index alone determines it; `None` if the files must be compared.
pub fn plan_by_state<T>(
    state: &IndexState<T>,
    compatibility: impl Fn(&T) -> IndexCompatibility,
) -> Option<BuildPlan> {
    match state {
        IndexState::Missing => Some(BuildPlan::Full(FullReason::Missing)),
        IndexState::Corrupt => Some(BuildPlan::Full(FullReason::Corrupt)),
        IndexState::Present(index) => match compatibility(index) {
            IndexCompatibility::Foreign => Some(BuildPlan::Refuse),
            IndexCompatibility::Outdated => Some(BuildPlan::Full(FullReason::Outdated)),
            IndexCompatibility::Readable => None,
        },
    }
}

/// The plan for an index whose files were compared with a survey.
pub fn plan_by_differences(
    differences: Vec<Difference>,
    recorded: &[RecordedFile],
    survey: &Survey,
) -> BuildPlan {
    let (mut read, mut removed) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    for difference in differences {
        match difference {
            Difference::Added(file) | Difference::Doubtful(file, _) => {
                bytes += text_bytes(&file.path, file.stamp.size);
                read.push(file);
            }
            Difference::Removed(path) => {
                let old = recorded.binary_search_by(|r| r.path.cmp(&path)).map(|at| recorded[at].stamp.size);
                bytes += text_bytes(&path, old.unwrap_or(0));
                removed.push(path);
            }
        }
    }
    let all: u64 = survey.files.iter().map(|file| text_bytes(&file.path, file.stamp.size)).sum();
    if bytes > (all / IN_PLACE_PART_MAX).clamp(IN_PLACE_BYTES_ALWAYS, IN_PLACE_BYTES_MAX) {
        return BuildPlan::Full(FullReason::ManyChanges);
    }
    BuildPlan::InPlace { read, removed }
}

/// Size in bytes of the text that the index holds for a file; 0 for a format that is not indexed.
fn text_bytes(path: &RelPath, size: u64) -> u64 {
    if format_of(path).is_some() { size } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::FileDigest;
    use crate::survey::Stamp;

    fn file(path: &str, size: u64) -> SurveyedFile {
        SurveyedFile { path: RelPath::parse(path).unwrap(), stamp: Stamp { size, ..Stamp::default() } }
    }

    fn is_in_place(changed: SurveyedFile, all: u64) -> bool {
        let survey = Survey { files: vec![file("all.md", all)], ..Survey::default() };
        let plan =
            plan_by_differences(vec![Difference::Doubtful(changed, FileDigest::Unreadable)], &[], &survey);
        matches!(plan, BuildPlan::InPlace { .. })
    }

    #[test]
    fn few_changes_are_made_in_place_and_many_afresh() {
        assert!(is_in_place(file("a.md", IN_PLACE_BYTES_ALWAYS), 0));
        assert!(!is_in_place(file("a.md", IN_PLACE_BYTES_ALWAYS + 1), 0));
        assert!(is_in_place(file("a.md", 100_000), 800_000));
        assert!(!is_in_place(file("a.md", 100_001), 800_000));
        assert!(!is_in_place(file("a.md", IN_PLACE_BYTES_MAX + 1), u64::MAX / 2));
        assert!(is_in_place(file("a.bin", u64::MAX / 2), 0), "what is not indexed does not count");
    }

    #[test]
    fn removed_files_count_too() {
        let gone = file("a.md", IN_PLACE_BYTES_MAX + 1);
        let recorded =
            [RecordedFile { path: gone.path.clone(), stamp: gone.stamp, digest: FileDigest::Unreadable }];
        let plan = plan_by_differences(vec![Difference::Removed(gone.path)], &recorded, &Survey::default());
        assert_eq!(plan, BuildPlan::Full(FullReason::ManyChanges));
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn a_missing_or_corrupt_index_is_created_again() {
        let never = |(): &()| unreachable!("no header to judge");
        assert_eq!(plan_by_state(&IndexState::Missing, never), Some(BuildPlan::Full(FullReason::Missing)));
        assert_eq!(plan_by_state(&IndexState::Corrupt, never), Some(BuildPlan::Full(FullReason::Corrupt)));
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn a_readable_index_is_judged_by_its_header() {
        let plan = |compatibility| plan_by_state(&IndexState::Present(()), |()| compatibility);
        assert_eq!(plan(IndexCompatibility::Foreign), Some(BuildPlan::Refuse));
        assert_eq!(plan(IndexCompatibility::Outdated), Some(BuildPlan::Full(FullReason::Outdated)));
        assert_eq!(plan(IndexCompatibility::Readable), None);
    }

    #[test]
    fn only_a_present_index_holds_something() {
        assert_eq!(IndexState::Present(2).map(|n| n + 1), IndexState::Present(3));
        assert_eq!(IndexState::Present(2).present(), Some(2));
        for state in [IndexState::<i32>::Missing, IndexState::Corrupt] {
            assert_eq!(state.clone().map(|n| n + 1), state);
            assert_eq!(state.present(), None);
        }
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn an_edit_reads_what_is_new_or_doubtful_and_removes_what_is_gone() {
        let (added, doubtful, gone) = (file("a.md", 40_000), file("b.md", 20_000), file("c.md", 5_536));
        let recorded = |file: &SurveyedFile| RecordedFile {
            path: file.path.clone(),
            stamp: file.stamp,
            digest: FileDigest::Unreadable,
        };
        let plan = |gone: &SurveyedFile| {
            let differences = vec![
                Difference::Added(added.clone()),
                Difference::Doubtful(doubtful.clone(), FileDigest::Unreadable),
                Difference::Removed(gone.path.clone()),
            ];
            plan_by_differences(differences, &[recorded(&doubtful), recorded(gone)], &Survey::default())
        };
        let (read, removed) = (vec![added.clone(), doubtful.clone()], vec![gone.path.clone()]);
        assert_eq!(plan(&gone), BuildPlan::InPlace { read, removed }, "65,536 bytes");
        assert_eq!(plan(&file("c.md", 5_537)), BuildPlan::Full(FullReason::ManyChanges));
    }
}
