//! The manifest: the file that a build writes next to the stub and by which it recognizes its own results.

use crate::digest::Digest;

/// The fields of `.skillc-meta/manifest.json` (RFC-0001:C-MANIFEST). Its JSON is written and read in `ops`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The skill's name: the name of its source folder.
    pub skill: String,
    /// Version of these fields.
    pub version: u32,
    /// When the build that last changed anything ran, RFC 3339 UTC.
    pub built_at: String,
    /// Hash over all files of the source.
    pub source_hash: Digest,
    /// Canonical path of the source; relative to the project in a copy that belongs to the project.
    pub source: String,
    /// A hash of everything except the source that determines the stub: its version and the settings. Empty in older
    /// manifests.
    pub stub: String,
    /// Canonical path from which the source was imported; `None` if it was not.
    pub origin: Option<String>,
    /// Hash over the files at `origin` when the source was imported.
    pub origin_hash: Option<Digest>,
}
