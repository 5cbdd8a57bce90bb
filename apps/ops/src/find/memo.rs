//! What the last search left behind, for a process that lives on: a index that lacks nothing of a catalog needs no
//! second look until one of them changes.

use skillc_domain::discovery::skill::SkillCatalog;
use skillc_ports::SkillIndexVersion;
use std::sync::{Arc, Mutex, PoisonError};

/// Which index was complete for which catalog.
#[derive(Default)]
pub struct DirectoryMemo {
    complete: Mutex<Option<Complete>>,
}

struct Complete {
    catalog: Arc<SkillCatalog>,
    version: SkillIndexVersion,
    /// The model of whose vectors none is missing.
    model: Option<String>,
}

impl DirectoryMemo {
    /// Whether a index of this version has the words of a catalog, and the vectors of a model if one is given.
    pub fn is_complete(
        &self,
        catalog: &Arc<SkillCatalog>,
        version: SkillIndexVersion,
        model: Option<&str>,
    ) -> bool {
        let complete = self.complete.lock().unwrap_or_else(PoisonError::into_inner);
        complete.as_ref().is_some_and(|known| {
            Arc::ptr_eq(&known.catalog, catalog)
                && known.version == version
                && (model.is_none() || known.model.as_deref() == model)
        })
    }

    /// Remembers that it has.
    pub fn keep(&self, catalog: &Arc<SkillCatalog>, version: SkillIndexVersion, model: Option<&str>) {
        let complete = Complete { catalog: catalog.clone(), version, model: model.map(str::to_owned) };
        *self.complete.lock().unwrap_or_else(PoisonError::into_inner) = Some(complete);
    }
}
