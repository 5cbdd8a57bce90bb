//! Why each receiver refuses an archived skill, and what to do about it (RFC-0015).
//!
//! A receiver is one value in `target.rs`: its limits, each with its source, and the wording of its errors if it is
//! known.

mod discovery;
mod layout;
mod left_out;
mod metadata;
mod refusal;
mod safety;
mod size;
mod target;

pub use discovery::{
    ARCHIVE_TYPE, DiscoveryFlaw, INDEX_SCHEMA, ListedArtifact, SKILL_MD_TYPE, differences, digest_flaw,
    listing_flaws, schema_flaw,
};
pub use left_out::{Omission, left_out};
pub use metadata::PackedMetadata;
pub use refusal::PackRefusal;
pub use target::{PACK_TARGETS, PackLayout, PackTarget, WELL_KNOWN, find};

use skillc_domain::archive::ArchiveListing;

/// All reasons why a receiver refuses an archive or may refuse it. Those that hold for every receiver come first.
pub fn refusals(
    target: &PackTarget,
    archive: &ArchiveListing,
    metadata: Option<&PackedMetadata>,
) -> Vec<PackRefusal> {
    let mut found = safety::refusals(archive);
    found.extend(layout::refusals(target, archive));
    found.extend(size::refusals(target, archive));
    found.extend(metadata.map(|metadata| metadata::refusals(target, archive, metadata)).unwrap_or_default());
    found
}

#[cfg(test)]
mod tests;
