//! The inputs of a catalog. Equal inputs yield equal catalogs.

use super::filter::CatalogFilter;
use crate::cache::RecentCache;
use skillc_domain::discovery::roots::SkillRoot;
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::discovery::settings::{Permissions, SkillsSettings};
use skillc_domain::discovery::skill::{LoadError, SkillCatalog};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The catalogs cached by the process; a server's tools request a few variants.
pub type CatalogCache = RecentCache<CatalogInputs, Arc<SkillCatalog>, 4>;

/// Everything that a catalog is computed from.
pub struct CatalogInputs {
    pub(super) filter: CatalogFilter,
    pub(super) roots: Vec<(SkillRoot, Arc<ScannedRoot>)>,
    pub(super) sources: HashMap<PathBuf, Arc<ScannedRoot>>,
    pub(super) errors: Vec<LoadError>,
    pub(super) is_lenient: bool,
    pub(super) skills: SkillsSettings,
    pub(super) permissions: Permissions,
}
