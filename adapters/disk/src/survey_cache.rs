//! Surveys of skills whose folders are watched (adr/0023).
//!
//! Skills with symbolic or hard links are not cached: their files can change without an event in one of their folders.

use crate::events::EventFilter;
use crate::survey::{ObservedSurvey, survey_with_listener};
use crate::watch_cache::{Generation, WatchCache};
use cap_std::fs::Dir;
use rustix::fs::fstat;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::path::RelPath;
use skillc_domain::survey::Stamp;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of watched folders. Systems permit each user at least 8,192 watches, and editors need some.
const FOLDERS_MAX: usize = 4_096;
/// Maximum number of skills whose surveys are cached.
const SKILLS_MAX: usize = 512;

/// Device and inode of a skill's folder. Its path could lead to another folder later.
type FolderId = (u64, u64);

/// Surveys by folder.
pub(crate) struct SurveyCache {
    cache: Mutex<WatchCache<FolderId, Arc<SummarizedSurvey>>>,
    /// Held during a walk, so that callers that run concurrently after a change share one survey.
    walking: Mutex<()>,
}

impl Default for SurveyCache {
    fn default() -> Self {
        Self { cache: Mutex::new(WatchCache::new(SKILLS_MAX, FOLDERS_MAX)), walking: Mutex::default() }
    }
}

impl SurveyCache {
    /// The current survey of an open folder; `None` if it cannot be cached and the caller must take its own.
    pub(crate) fn survey(&self, root: &Dir) -> Option<Arc<SummarizedSurvey>> {
        let id = folder_id(root)?;
        if let Some(survey) = self.cache().get(&id) {
            return Some(survey);
        }
        self.cache().start(&id)?;
        let _turn = self.walking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(survey) = self.cache().get(&id) {
            return Some(survey);
        }
        let started = self.cache().start(&id)?;
        self.walk(id, root, started)
    }

    /// Takes a survey, and caches it if every folder is watched and nothing changed in the meantime.
    fn walk(&self, id: FolderId, root: &Dir, started: Generation) -> Option<Arc<SummarizedSurvey>> {
        let mut watches = BTreeSet::new();
        let mut is_watched = true;
        let mut watch = |folder: &Dir| {
            // Once one folder cannot be watched, watching the others is useless.
            match is_watched.then(|| self.cache().watch(&id, folder, EventFilter::Visible)).flatten() {
                Some(watch) => drop(watches.insert(watch)),
                None => is_watched = false,
            }
        };
        let seen = survey_with_listener(root, Some(&mut watch));
        let Ok(ObservedSurvey { survey, is_within_folders }) = seen else {
            self.cache().refuse(&id);
            return None;
        };
        let survey = Arc::new(SummarizedSurvey::new(survey));
        match is_watched && is_within_folders {
            true => self.cache().insert(&id, survey.clone(), started, watches),
            false => self.cache().refuse(&id),
        }
        Some(survey)
    }

    /// Drops the cached survey if a file's stamp in it differs from the one just read.
    pub(crate) fn check(&self, root: &Dir, path: &RelPath, stamp: &Stamp) {
        let Some(id) = folder_id(root) else { return };
        self.cache().remove_if(&id, |survey| survey.get(path).is_some_and(|file| file.stamp != *stamp));
    }

    fn cache(&self) -> MutexGuard<'_, WatchCache<FolderId, Arc<SummarizedSurvey>>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn folder_id(root: &Dir) -> Option<FolderId> {
    fstat(root).ok().map(|stat| (stat.st_dev, stat.st_ino))
}
