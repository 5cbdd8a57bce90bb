//! The entries of a folder, and the stamp of a file in it.

use skillc_domain::discovery::scan::SkillForm;
use skillc_domain::survey::Stamp;
use std::fs::Metadata;
use std::path::PathBuf;

/// The manifest of a build, which makes the SKILL.md in the same folder a stub.
pub(super) const STUB_MANIFEST: &str = ".skillc-meta/manifest.json";

/// The file whose stamp reveals changes to a skill. `place` is the skill's folder, or the file of a single-file
/// skill.
pub(super) fn file_of(form: SkillForm, mut place: PathBuf, file: &str) -> PathBuf {
    match form {
        SkillForm::SingleFile => {}
        SkillForm::Stub => place.push(STUB_MANIFEST),
        SkillForm::File | SkillForm::NotAFile => place.push(file),
    }
    place
}

/// The entries of a folder that a scan needs.
#[derive(Default)]
pub(super) struct Listing {
    /// Whether the folder contains the file that makes it a skill.
    pub(super) has_file: bool,
    pub(super) has_meta: bool,
    /// Names of folders and links, each with whether it is a link.
    pub(super) folders: Vec<(String, bool)>,
    /// Names of links and of files that can be single-file skills, each with whether it is a link.
    pub(super) files: Vec<(String, bool)>,
    /// Names that are not UTF-8, converted for display.
    pub(super) not_utf8: Vec<String>,
}

#[cfg(unix)]
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    let ns = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
    Stamp {
        size: metadata.size(),
        mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    let mtime_ns = metadata.modified().map_or(0, crate::clock::unix_ns);
    Stamp { size: metadata.len(), mtime_ns, ctime_ns: 0, inode: 0 }
}
