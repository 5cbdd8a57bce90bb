//! The manifest: what a build leaves beside the stub, and by which it is recognised.

use crate::digest::Digest;

/// The fields of `.skillc-meta/manifest.json` (RFC-0001:C-MANIFEST). Its JSON is written and read in `ops`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The skill's name: the name of its source folder.
    pub skill: String,
    /// Version of these fields.
    pub version: u32,
    /// RFC 3339 UTC, of the build that last changed anything.
    pub built_at: String,
    /// Hash over all files of the source.
    pub source_hash: Digest,
    /// Canonical path of the source; in a copy that is part of a project, relative to the project.
    pub source: String,
    /// What besides the source decided the stub: its version and the settings; empty in older manifests.
    pub stub: String,
    /// Canonical path that the source was imported from, if it was.
    pub origin: Option<String>,
    /// Hash over the files there when it was imported.
    pub origin_hash: Option<Digest>,
}
