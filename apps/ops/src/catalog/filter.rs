//! Filters of the catalog.

use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillScope;

/// Selects the skills in a catalog; by default those that an agent may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogFilter {
    /// The roots to search; `Which::Default` means those in the settings.
    pub roots: Which,
    /// Includes only skills of this scope.
    pub scope: Option<SkillScope>,
    /// Whether to include hidden skills.
    pub with_hidden: bool,
    /// Whether to include the built-in skills.
    pub with_builtin: bool,
    /// Whether to count the skills that only a wider choice of roots would include.
    pub counts_elsewhere: bool,
    /// Whether to scan all folders again, ignoring caches.
    pub bypass_cache: bool,
}
