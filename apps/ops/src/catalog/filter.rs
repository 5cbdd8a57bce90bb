//! Filters of the catalog.

use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::SkillScope;

/// Which skills a catalog includes; by default those that an agent may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogFilter {
    /// Which folders of skills; `Which::Default` is what the settings say.
    pub roots: Which,
    /// Skills of one scope only.
    pub scope: Option<SkillScope>,
    /// Whether to include hidden skills.
    pub with_hidden: bool,
    /// Whether to include the built-in skills.
    pub with_builtin: bool,
    /// Whether to count the skills that only a wider choice of folders includes.
    pub counts_elsewhere: bool,
    /// Whether to scan all folders again, whatever is cached.
    pub bypass_cache: bool,
}
