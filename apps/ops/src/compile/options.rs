//! The options of a build.

/// The caller's choices for a build and its deployment.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Builds into the user's runtime and deploys for the user, wherever the source is.
    pub is_global: bool,
    /// Names of deployment targets; empty for the default.
    pub targets: Vec<String>,
    /// Deploys copies instead of links.
    pub is_copy: bool,
    /// Replaces existing content.
    pub is_forced: bool,
}
