//! Settings of the catalog, of discovery and of the right to load (RFC-0009:C-SKILLS).

use std::path::PathBuf;

/// `[skills]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillsSettings {
    /// Whether there is a catalog at all.
    pub enabled: bool,
    /// Names of skills that were switched off; of all files together.
    pub disabled: Vec<String>,
    /// `[skills.initial] max_entries`.
    pub max_entries: u32,
    /// `[skills.initial] max_bytes`.
    pub max_bytes: u32,
    /// `[skills.search] default_limit`.
    pub default_limit: u32,
    /// `[skills.search] max_limit`.
    pub max_limit: u32,
}

impl Default for SkillsSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            disabled: Vec::new(),
            max_entries: 200,
            max_bytes: 32 * 1024,
            default_limit: 8,
            max_limit: 50,
        }
    }
}

/// `[discovery]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiscoverySettings {
    /// Further folders of skills, absolute; of all files together.
    pub roots: Vec<PathBuf>,
    /// Folders of Python skills, absolute; of all files together.
    pub python_roots: Vec<PathBuf>,
    /// Names by which the root of a repository shows; empty for the built-in ones.
    pub markers: Vec<String>,
    /// The root of the repository, if it was named.
    pub agents_root: Option<PathBuf>,
    /// Whether skills are taken that a strict reader refuses.
    pub lenient: bool,
}

/// A rule of `[permissions]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionRule {
    /// The tool that it is about; `skill_load` where it names none.
    pub tool: Option<String>,
    /// A glob pattern of names of skills; every name where it has none.
    pub skill_name: Option<String>,
}

/// `[permissions]`: each list of all files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// What may be done. In the user's own file only.
    pub allow: Vec<PermissionRule>,
    /// What may not, before anything else.
    pub deny: Vec<PermissionRule>,
    /// Patterns of skills that need consent first.
    pub confirm: Vec<PermissionRule>,
}
