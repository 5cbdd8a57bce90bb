//! Roots with their scans, for checks of each folder.

use super::search::{Searches, searches};
use super::{CatalogFilter, present_roots, with_scene};
use crate::app::App;
use skillc_domain::discovery::roots::{SkillRoot, Which};
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::discovery::skill::LoadError;
use std::sync::Arc;

/// Roots that exist, with their scans.
#[derive(Default)]
pub struct RootScans {
    /// In order of precedence.
    pub roots: Vec<(SkillRoot, Arc<ScannedRoot>)>,
    /// Roots that cannot be scanned.
    pub errors: Vec<LoadError>,
}

impl RootScans {
    /// Scans the roots of a choice.
    pub fn of_choice(app: &App, which: Which) -> Self {
        let (repository, roots) = present_roots(app, which);
        Self::of(searches(app, &roots, &repository, &CatalogFilter::default()))
    }

    /// Scans the roots that an agent reads.
    pub fn of_agent(app: &App, id: &str) -> Self {
        let (repository, roots) = with_scene(app, |scene| {
            let repository = scene.repository();
            let roots = scene.roots_of(id, &repository);
            (repository, roots)
        });
        Self::of(searches(app, &roots, &repository, &CatalogFilter::default()))
    }

    fn of(searches: Searches<'_>) -> Self {
        let roots = searches.roots.into_iter().map(|(root, scanned)| (root.clone(), scanned));
        Self { roots: roots.collect(), errors: searches.errors }
    }
}
