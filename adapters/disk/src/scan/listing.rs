//! A listed folder, and the stamp of a file in it.

use skillc_domain::discovery::scan::SkillForm;
use skillc_domain::survey::Stamp;
use std::fs::Metadata;

/// What makes a SKILL.md a stub, relative to its folder.
pub(super) const STUB_MANIFEST: &str = ".skillc-meta/manifest.json";

/// The file that tells of a skill's changes, relative to its folder.
pub(super) fn file_of(form: SkillForm, file: &str) -> &str {
    if form == SkillForm::Stub { STUB_MANIFEST } else { file }
}

/// The entries of a folder that a scan needs.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) has_file: bool,
    pub(super) has_meta: bool,
    /// Folders and links, and whether it is a link.
    pub(super) folders: Vec<(String, bool)>,
    pub(super) unwritable: Vec<String>,
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
