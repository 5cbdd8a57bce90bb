//! Decides whether an index is up to date with its source (RFC-0004:C-FRESHNESS).
//!
//! A survey has a stamp for each file. One fingerprint over all stamps decides the common case. Only if it differs, or
//! if a file's times are too close to the indexing to prove anything, are the recorded files compared one by one.

use crate::config::Tokenizer;
use crate::digest::{Digest, FileDigest};
use crate::limits::{
    INDEX_SCHEMA_VERSION, STAMP_GRAIN_COARSE_NS, STAMP_GRAIN_NS, UNSETTLED_BYTES_MIN, UNSETTLED_FILES_MIN,
};
use crate::path::RelPath;
use crate::survey::{Stamp, Survey, SurveyedFile};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

/// The metadata of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexHeader {
    /// Canonical path of the source.
    pub skill_path: String,
    /// Hash over all files of the source.
    pub source_hash: Digest,
    /// Version of the database schema.
    pub schema_version: u32,
    /// The tokenizer of the indexed text.
    pub tokenizer: Tokenizer,
    /// `fingerprint` of the survey that was indexed.
    pub fingerprint: u64,
    /// Stamps from before this time, in nanoseconds since 1970 UTC, prove that a file has not changed: when that survey
    /// began, or later if the files were read again.
    pub trusted_ns: i64,
    /// When the index was written, RFC 3339 UTC.
    pub indexed_at: String,
}

/// A file as the index recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFile {
    /// Relative to the skill's root.
    pub path: RelPath,
    /// The stamp from before the file was read.
    pub stamp: Stamp,
    /// The digest of the content.
    pub digest: FileDigest,
}

/// Whether an index can be read, regardless of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexCompatibility {
    /// It can be read.
    Readable,
    /// It belongs to another skill: E003.
    Foreign,
    /// Its schema or tokenizer differs: E002, and a build replaces it.
    Outdated,
}

/// Judges the metadata of an index. Ownership comes first: a foreign index is never rebuilt.
pub fn compatibility(header: &IndexHeader, skill_path: &str, tokenizer: Tokenizer) -> IndexCompatibility {
    if header.skill_path != skill_path {
        IndexCompatibility::Foreign
    } else if header.schema_version != INDEX_SCHEMA_VERSION || header.tokenizer != tokenizer {
        IndexCompatibility::Outdated
    } else {
        IndexCompatibility::Readable
    }
}

/// Hashes all paths and stamps of a survey.
///
/// Another build of the program may hash differently; that costs one comparison of every file.
pub fn fingerprint(files: &[SurveyedFile]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut bytes = Vec::new();
    for SurveyedFile { path, stamp } in files {
        // In one piece, as each write has a cost of its own.
        bytes.clear();
        bytes.extend_from_slice(path.as_str().as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&stamp.size.to_ne_bytes());
        bytes.extend_from_slice(&stamp.mtime_ns.to_ne_bytes());
        bytes.extend_from_slice(&stamp.ctime_ns.to_ne_bytes());
        bytes.extend_from_slice(&stamp.inode.to_ne_bytes());
        hasher.write(&bytes);
    }
    files.len().hash(&mut hasher);
    hasher.finish()
}

/// Whether a file could have changed after the survey of `trusted_ns` without its stamp showing it.
pub fn is_suspect(stamp: &Stamp, trusted_ns: i64) -> bool {
    settled_ns(stamp) >= trusted_ns
}

/// The last time, in nanoseconds since 1970 UTC, at which a file could have been changed without its stamp showing it.
fn settled_ns(stamp: &Stamp) -> i64 {
    let settled_ns = |time_ns: i64| {
        let grain = if time_ns % 1_000_000_000 == 0 { STAMP_GRAIN_COARSE_NS } else { STAMP_GRAIN_NS };
        time_ns.saturating_add(grain)
    };
    settled_ns(stamp.mtime_ns).max(settled_ns(stamp.ctime_ns))
}

/// A summary of a survey's stamps, sufficient to confirm that an index is fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveySummary {
    /// `fingerprint` of the files.
    pub fingerprint: u64,
    /// If a survey begins after this time, no file is suspect. In nanoseconds since 1970 UTC.
    pub settled_ns: i64,
}

impl SurveySummary {
    /// Summarizes the files of a survey.
    pub fn of(files: &[SurveyedFile]) -> Self {
        let settled_ns = files.iter().map(|file| settled_ns(&file.stamp)).max().unwrap_or(i64::MIN);
        Self { fingerprint: fingerprint(files), settled_ns }
    }
}

/// A survey with its summary, which is computed once for several comparisons.
#[derive(Debug)]
pub struct SummarizedSurvey {
    survey: Survey,
    summary: SurveySummary,
}

impl SummarizedSurvey {
    /// Computes the fingerprint of all files, in their order.
    pub fn new(survey: Survey) -> Self {
        Self { summary: SurveySummary::of(&survey.files), survey }
    }

    /// The summary of its files.
    pub fn summary(&self) -> &SurveySummary {
        &self.summary
    }
}

impl Deref for SummarizedSurvey {
    type Target = Survey;

    fn deref(&self) -> &Survey {
        &self.survey
    }
}

/// How long to wait until the stamps of files prove that nothing changed since they were read, in nanoseconds, if that is
/// worthwhile: for a few files, later reads compare them in less time than a build would wait.
pub fn worthwhile_wait_ns(unsettled: &[&RecordedFile], now_ns: i64) -> Option<u64> {
    let bytes: u64 = unsettled.iter().map(|file| file.stamp.size).sum();
    if unsettled.len() < UNSETTLED_FILES_MIN && bytes < UNSETTLED_BYTES_MIN {
        return None;
    }
    let last_ns = unsettled.iter().map(|file| settled_ns(&file.stamp)).max()?;
    let left_ns = last_ns.saturating_sub(now_ns).saturating_add(1).max(0);
    // Longer for whole seconds, and for times in the future.
    (left_ns <= STAMP_GRAIN_NS).then(|| left_ns.unsigned_abs())
}

/// Whether the stamps alone prove that nothing changed, so that no file has to be compared.
pub fn is_fresh_by_stamps(header: &IndexHeader, seen: &SurveySummary) -> bool {
    seen.fingerprint == header.fingerprint && seen.settled_ns < header.trusted_ns
}

/// A file that must be read to decide whether it changed, or that no longer exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The index has no record of the file.
    Added(SurveyedFile),
    /// The stamp differs or proves nothing; holds the recorded digest.
    Doubtful(SurveyedFile, FileDigest),
    /// The file is recorded but no longer exists.
    Removed(RelPath),
}

/// Compares recorded with surveyed files, both sorted by path, in one pass.
pub fn differences(recorded: &[RecordedFile], survey: &Survey, trusted_ns: i64) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut old = recorded.iter().peekable();
    for file in &survey.files {
        while let Some(gone) = old.next_if(|r| r.path < file.path) {
            found.push(Difference::Removed(gone.path.clone()));
        }
        match old.next_if(|r| r.path == file.path) {
            None => found.push(Difference::Added(file.clone())),
            Some(r) if r.stamp != file.stamp || is_suspect(&file.stamp, trusted_ns) => {
                found.push(Difference::Doubtful(file.clone(), r.digest));
            }
            Some(_) => {}
        }
    }
    found.extend(old.map(|gone| Difference::Removed(gone.path.clone())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, mtime_ns: i64) -> SurveyedFile {
        let stamp = Stamp { size: 1, mtime_ns, ctime_ns: mtime_ns, inode: 7 };
        SurveyedFile { path: RelPath::parse(path).unwrap(), stamp }
    }

    fn recorded(path: &str, mtime_ns: i64) -> RecordedFile {
        let SurveyedFile { path, stamp } = file(path, mtime_ns);
        RecordedFile { path, stamp, digest: FileDigest::Content(Digest([1; 32])) }
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn added_changed_and_removed_files_are_distinguished() {
        let survey = Survey { files: vec![file("a", 1), file("b", 9), file("d", 1)], ..Survey::default() };
        let found = differences(&[recorded("a", 1), recorded("b", 1), recorded("c", 1)], &survey, i64::MAX);
        assert_eq!(
            found,
            [
                Difference::Doubtful(file("b", 9), FileDigest::Content(Digest([1; 32]))),
                Difference::Removed(RelPath::parse("c").unwrap()),
                Difference::Added(file("d", 1)),
            ]
        );
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn a_build_waits_for_many_recent_files_and_no_longer_than_their_times_take() {
        const AT: i64 = 1_000_000_007;
        let recent = |count: usize, size: u64| -> Vec<RecordedFile> {
            let mut file = recorded("a", AT);
            file.stamp.size = size;
            vec![file; count]
        };
        let wait = |files: &[RecordedFile], now| worthwhile_wait_ns(&files.iter().collect::<Vec<_>>(), now);
        let many = recent(UNSETTLED_FILES_MIN, 1);
        assert_eq!(wait(&many, AT), None, "longer than the longest wait");
        assert_eq!(wait(&many, AT + 1), Some(STAMP_GRAIN_NS.unsigned_abs()));
        assert_eq!(wait(&many, AT + STAMP_GRAIN_NS + 1), Some(0));
        assert_eq!(wait(&recent(UNSETTLED_FILES_MIN - 1, 1), AT + 1), None);
        assert!(wait(&recent(1, UNSETTLED_BYTES_MIN), AT + 1).is_some());
        assert_eq!(wait(&[], AT), None);
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn a_file_written_too_near_the_indexing_is_not_trusted() {
        let at = |mtime_ns| file("a", mtime_ns).stamp;
        assert!(is_suspect(&at(1_000_000_001), 1_000_000_002));
        assert!(!is_suspect(&at(1_000_000_001), 1_100_000_000));
        assert!(is_suspect(&at(1_000_000_000), 1_100_000_000), "whole seconds are coarse");
        assert!(is_suspect(&at(5), 4), "from the future");
        let survey = Survey { files: vec![file("a", 5)], ..Survey::default() };
        let mut stamp_of_a = recorded("a", 5);
        stamp_of_a.digest = FileDigest::Content(Digest([2; 32]));
        assert_eq!(differences(&[stamp_of_a], &survey, 6).len(), 1);
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn a_summary_is_plainly_fresh_where_no_file_is_suspect() {
        let files = vec![file("a", 1_000_000_001), file("b", 3), file("c", 5_000_000_000)];
        let seen = SurveySummary::of(&files);
        for trusted_ns in [i64::MIN, 4, 1_020_000_001, 1_020_000_002, 7_000_000_000, 7_000_000_001, i64::MAX]
        {
            let header = IndexHeader { fingerprint: seen.fingerprint, trusted_ns, ..header() };
            let is_any_suspect = files.iter().any(|file| is_suspect(&file.stamp, trusted_ns));
            assert_eq!(is_fresh_by_stamps(&header, &seen), !is_any_suspect, "{trusted_ns}");
        }
        assert!(!is_fresh_by_stamps(&IndexHeader { trusted_ns: i64::MAX, ..header() }, &seen));
    }

    #[test]
    fn the_fingerprint_sees_every_field_and_every_name() {
        let base = fingerprint(&[file("a", 1), file("b", 1)]);
        let mut resized = file("b", 1);
        resized.stamp.size = 2;
        for other in [vec![file("a", 1)], vec![file("a", 1), file("c", 1)], vec![file("a", 1), resized]] {
            assert_ne!(base, fingerprint(&other));
        }
    }

    fn header() -> IndexHeader {
        IndexHeader {
            skill_path: "/a".into(),
            source_hash: Digest([0; 32]),
            schema_version: 1,
            tokenizer: Tokenizer::Ascii,
            fingerprint: 0,
            trusted_ns: 0,
            indexed_at: String::new(),
        }
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn a_foreign_index_is_foreign_whatever_its_version() {
        let header = header();
        assert_eq!(compatibility(&header, "/b", Tokenizer::Ascii), IndexCompatibility::Foreign);
        assert_eq!(compatibility(&header, "/a", Tokenizer::Ascii), IndexCompatibility::Outdated);
        let current = IndexHeader { schema_version: INDEX_SCHEMA_VERSION, ..header };
        assert_eq!(compatibility(&current, "/a", Tokenizer::Ascii), IndexCompatibility::Readable);
        assert_eq!(compatibility(&current, "/a", Tokenizer::Cjk), IndexCompatibility::Outdated);
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn times_of_whole_seconds_are_trusted_two_seconds_later_and_others_after_twenty_milliseconds() {
        for (mtime_ns, settled) in [(1_000_000_000, 3_000_000_000), (1_000_000_001, 1_020_000_001)] {
            let stamp = file("a", mtime_ns).stamp;
            assert!(is_suspect(&stamp, settled) && !is_suspect(&stamp, settled + 1), "{mtime_ns}");
        }
        let changed_later = Stamp { ctime_ns: 9, ..file("a", 1).stamp };
        assert!(is_suspect(&changed_later, 20_000_009) && !is_suspect(&changed_later, 20_000_010));
    }

    #[test]
    fn a_summarized_survey_is_the_survey_with_its_summary() {
        let survey = Survey { files: vec![file("a", 1)], taken_ns: 7, ..Survey::default() };
        let summarized = SummarizedSurvey::new(survey.clone());
        assert_eq!((summarized.taken_ns, &summarized.files), (7, &survey.files));
        assert_eq!(summarized.summary(), &SurveySummary::of(&survey.files));
    }

    #[test]
    fn the_fingerprint_sees_each_time_and_the_inode() {
        let base = file("a", 1);
        let print = |stamp: Stamp| fingerprint(&[SurveyedFile { stamp, ..base.clone() }]);
        for other in [
            Stamp { mtime_ns: 2, ..base.stamp },
            Stamp { ctime_ns: 2, ..base.stamp },
            Stamp { inode: 8, ..base.stamp },
        ] {
            assert_ne!(print(base.stamp), print(other), "{other:?}");
        }
    }
}
