//! Settings of catalog, discovery and policy (RFC-0009:C-SKILLS).

use std::path::PathBuf;

/// `[skills]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillsSettings {
    /// Whether skills are available at all.
    pub enabled: bool,
    /// Names of disabled skills, from all configuration files together.
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

/// A choice of roots; each one includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The roots of the specification, skillc's stores, and configured ones.
    Standard,
    /// Also those of Claude Code and of every other agent on this machine.
    #[default]
    Default,
    /// Also those of every other agent.
    All,
}

/// `[discovery]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiscoverySettings {
    /// Additional roots as absolute paths, from all configuration files together.
    pub roots: Vec<PathBuf>,
    /// Roots of Python skills as absolute paths, from all configuration files together.
    pub python_roots: Vec<PathBuf>,
    /// Folders whose Markdown files are skills, as absolute paths, from all configuration files together; `None`
    /// means the stores.
    pub markdown_roots: Option<Vec<PathBuf>>,
    /// The roots that are searched if a call does not choose.
    pub default_roots: Which,
    /// Names that mark the root of a repository; empty for the built-in ones.
    pub markers: Vec<String>,
    /// The configured root of the repository.
    pub agents_root: Option<PathBuf>,
    /// Whether skills that a strict client rejects are accepted.
    pub lenient: bool,
}

/// A rule of `[permissions]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionRule {
    /// The tool to which the rule applies; `skill_load` if `None`.
    pub tool: Option<String>,
    /// A glob pattern for skill names; `None` matches every name.
    pub skill_name: Option<String>,
}

/// `[permissions]`: each list from all configuration files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Skills that may be loaded. Read from the user's own file only.
    pub allow: Vec<PermissionRule>,
    /// Skills that may not be loaded; takes precedence over the other lists.
    pub deny: Vec<PermissionRule>,
    /// Skills that may be loaded after a person consents.
    pub confirm: Vec<PermissionRule>,
}
