//! States of the skill index that lacked nothing, so that a server does not look again.

use crate::cache::RecentCache;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_ports::SkillIndexVersion;
use std::sync::Arc;

/// The last state of the skill index that lacked nothing of a catalog.
pub type CompleteIndexes = RecentCache<CompleteIndex, (), 1>;

/// A state of the skill index that has the words of all skills of a catalog, and their vectors of a model.
pub struct CompleteIndex {
    /// Compared by address: an unchanged catalog is the same `Arc`.
    pub(super) catalog: Arc<SkillCatalog>,
    pub(super) version: SkillIndexVersion,
    /// `None` if vectors may be missing.
    pub(super) model: Option<String>,
}

impl CompleteIndex {
    /// Whether the index, in this version, lacks nothing that a search of a catalog needs.
    pub(super) fn is(
        &self,
        catalog: &Arc<SkillCatalog>,
        version: SkillIndexVersion,
        model: Option<&str>,
    ) -> bool {
        Arc::ptr_eq(&self.catalog, catalog)
            && self.version == version
            && (model.is_none() || self.model.as_deref() == model)
    }
}
