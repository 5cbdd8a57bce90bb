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

/// Which folders of skills; each takes in those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// Those of the specification, skillc's stores, and the configured ones.
    Standard,
    /// Those of Claude Code and of every agent that is on this machine too.
    #[default]
    Default,
    /// Those of every agent.
    All,
}

/// `[discovery]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiscoverySettings {
    /// Additional roots as absolute paths, from all configuration files together.
    pub roots: Vec<PathBuf>,
    /// Roots of Python skills as absolute paths, from all configuration files together.
    pub python_roots: Vec<PathBuf>,
    /// Folders whose Markdown files are skills, as absolute paths, from all configuration files together; the stores where no
    /// file names any.
    pub markdown_roots: Option<Vec<PathBuf>>,
    /// Which folders are searched where a call does not say.
    pub default_roots: Which,
    /// Names by which the root of a repository shows; empty for the built-in ones.
    pub markers: Vec<String>,
    /// The configured root of the repository.
    pub agents_root: Option<PathBuf>,
    /// Whether skills are accepted that a strict client rejects.
    pub lenient: bool,
}

/// A rule of `[permissions]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PermissionRule {
    /// The tool to which the rule applies; `skill_load` if `None`.
    pub tool: Option<String>,
    /// A glob pattern of skill names; `None` matches every name.
    pub skill_name: Option<String>,
}

/// `[permissions]`: each list from all configuration files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Allowed. Read from the user's own file only.
    pub allow: Vec<PermissionRule>,
    /// Denied; takes precedence over the other lists.
    pub deny: Vec<PermissionRule>,
    /// Allowed with consent.
    pub confirm: Vec<PermissionRule>,
}
