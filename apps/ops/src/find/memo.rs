//! What the last search left behind, for a process that lives on: a directory that lacks nothing of a catalogue needs no
//! second look until one of them changes.

use skillc_domain::discovery::skill::Catalogue;
use skillc_ports::DirectoryVersion;
use std::sync::{Arc, Mutex, PoisonError};

/// Which directory was complete for which catalogue.
#[derive(Default)]
pub struct DirectoryMemo {
    complete: Mutex<Option<Complete>>,
}

struct Complete {
    catalogue: Arc<Catalogue>,
    version: DirectoryVersion,
    /// The model of whose vectors none is missing.
    model: Option<String>,
}

impl DirectoryMemo {
    /// Whether a directory of this version has the words of a catalogue, and the vectors of a model if one is given.
    pub fn is_complete(
        &self,
        catalogue: &Arc<Catalogue>,
        version: DirectoryVersion,
        model: Option<&str>,
    ) -> bool {
        let complete = self.complete.lock().unwrap_or_else(PoisonError::into_inner);
        complete.as_ref().is_some_and(|known| {
            Arc::ptr_eq(&known.catalogue, catalogue)
                && known.version == version
                && (model.is_none() || known.model.as_deref() == model)
        })
    }

    /// Remembers that it has.
    pub fn keep(&self, catalogue: &Arc<Catalogue>, version: DirectoryVersion, model: Option<&str>) {
        let complete = Complete { catalogue: catalogue.clone(), version, model: model.map(str::to_owned) };
        *self.complete.lock().unwrap_or_else(PoisonError::into_inner) = Some(complete);
    }
}
