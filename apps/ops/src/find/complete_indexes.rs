//! Versions of the skill index known to be complete, so that a server need not check them again.

use crate::cache::RecentCache;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_ports::SkillIndexVersion;
use std::sync::Arc;

/// The last version of the skill index that was complete for a catalog.
pub type CompleteIndexes = RecentCache<CompleteIndex, (), 1>;

/// A version of the skill index that contains the words of all skills of a catalog, and their vectors by a model.
pub struct CompleteIndex {
    /// Compared by address, since an unchanged catalog is the same `Arc`.
    pub(super) catalog: Arc<SkillCatalog>,
    pub(super) version: SkillIndexVersion,
    /// `None` if vectors may be missing.
    pub(super) model: Option<String>,
}

impl CompleteIndex {
    /// Whether this version of the index contains everything that a search of a catalog needs.
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
