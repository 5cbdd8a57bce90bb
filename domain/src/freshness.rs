//! Whether an index still says what the sources say (RFC-0004:C-FRESHNESS).
//!
//! A walk gives a stamp for each file. One fingerprint over all of them answers the common case; only when it differs,
//! or where a file's times are too near the indexing to mean anything, are the recorded files looked at one by one.

use crate::config::Tokenizer;
use crate::digest::Digest;
use crate::limits::{INDEX_SCHEMA_VERSION, STAMP_GRAIN_COARSE_NS, STAMP_GRAIN_NS};
use crate::path::RelPath;
use crate::survey::{Stamp, Survey, SurveyedFile};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What an index says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexHeader {
    /// Canonical path of the source that it was made from.
    pub skill_path: String,
    /// Hash over all files of the source.
    pub source_hash: Digest,
    /// Version of its tables.
    pub schema_version: u32,
    /// How its text was cut into words.
    pub tokenizer: Tokenizer,
    /// `fingerprint` of the survey that it was made from.
    pub fingerprint: u64,
    /// When that survey began, nanoseconds since 1970 UTC.
    pub trusted_ns: i64,
    /// When it was written, RFC 3339 UTC.
    pub indexed_at: String,
}

/// A file as the index recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFile {
    /// Relative to the skill's root.
    pub path: RelPath,
    /// As surveyed before it was read.
    pub stamp: Stamp,
    /// Of its bytes.
    pub digest: Digest,
}

/// Whether an index may be read at all, before its sources are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It may.
    Readable,
    /// It belongs to another skill: E003.
    Foreign,
    /// Its tables or its words are of another kind: E002, and a build makes a new one.
    Outdated,
}

/// Judges what an index says about itself. Ownership comes first: a foreign index is never rebuilt.
pub fn standing(header: &IndexHeader, skill_path: &str, tokenizer: Tokenizer) -> Standing {
    if header.skill_path != skill_path {
        Standing::Foreign
    } else if header.schema_version != INDEX_SCHEMA_VERSION || header.tokenizer != tokenizer {
        Standing::Outdated
    } else {
        Standing::Readable
    }
}

/// One number for all paths and stamps of a survey.
///
/// Equal surveys give equal numbers within one program; another build of the program may hash differently, which costs
/// a look at each file and no more.
pub fn fingerprint(files: &[SurveyedFile]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for SurveyedFile { path, stamp } in files {
        hasher.write(path.as_str().as_bytes());
        hasher.write_u8(0);
        hasher.write_u64(stamp.size);
        hasher.write_i64(stamp.mtime_ns);
        hasher.write_i64(stamp.ctime_ns);
        hasher.write_u64(stamp.inode);
    }
    files.len().hash(&mut hasher);
    hasher.finish()
}

/// Whether a file could have been changed after the survey of `trusted_ns` without its times showing it.
pub fn is_suspect(stamp: &Stamp, trusted_ns: i64) -> bool {
    let near = |time_ns: i64| {
        let grain = if time_ns % 1_000_000_000 == 0 { STAMP_GRAIN_COARSE_NS } else { STAMP_GRAIN_NS };
        time_ns.saturating_add(grain) >= trusted_ns
    };
    near(stamp.mtime_ns) || near(stamp.ctime_ns)
}

/// Whether a survey shows that nothing changed, so that no recorded file need be looked at.
pub fn is_plainly_fresh(header: &IndexHeader, survey: &Survey) -> bool {
    fingerprint(&survey.files) == header.fingerprint
        && !survey.files.iter().any(|file| is_suspect(&file.stamp, header.trusted_ns))
}

/// A file that has to be read before more can be said, or that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not recorded yet.
    Added(SurveyedFile),
    /// Recorded, and its stamp differs or means nothing: read it and compare with this digest.
    Doubtful(SurveyedFile, Digest),
    /// Recorded, and no longer there.
    Removed(RelPath),
}

/// Compares what was recorded with what is there. Both are sorted by path; one pass.
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
        RecordedFile { path, stamp, digest: Digest([1; 32]) }
    }

    /// RFC-0004:C-FRESHNESS
    #[test]
    fn added_changed_and_removed_files_are_told_apart() {
        let survey = Survey { files: vec![file("a", 1), file("b", 9), file("d", 1)], ..Survey::default() };
        let found = differences(&[recorded("a", 1), recorded("b", 1), recorded("c", 1)], &survey, i64::MAX);
        assert_eq!(
            found,
            [
                Difference::Doubtful(file("b", 9), Digest([1; 32])),
                Difference::Removed(RelPath::parse("c").unwrap()),
                Difference::Added(file("d", 1)),
            ]
        );
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
        stamp_of_a.digest = Digest([2; 32]);
        assert_eq!(differences(&[stamp_of_a], &survey, 6).len(), 1);
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

    /// RFC-0004:C-INDEX
    #[test]
    fn a_foreign_index_is_foreign_whatever_its_version() {
        let header = IndexHeader {
            skill_path: "/a".into(),
            source_hash: Digest([0; 32]),
            schema_version: 1,
            tokenizer: Tokenizer::Ascii,
            fingerprint: 0,
            trusted_ns: 0,
            indexed_at: String::new(),
        };
        assert_eq!(standing(&header, "/b", Tokenizer::Ascii), Standing::Foreign);
        assert_eq!(standing(&header, "/a", Tokenizer::Ascii), Standing::Outdated);
        let current = IndexHeader { schema_version: INDEX_SCHEMA_VERSION, ..header };
        assert_eq!(standing(&current, "/a", Tokenizer::Ascii), Standing::Readable);
        assert_eq!(standing(&current, "/a", Tokenizer::Cjk), Standing::Outdated);
    }
}
