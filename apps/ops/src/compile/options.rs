//! The options of a build.

/// What a caller may choose about a build and its deployment.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Builds into the user's runtime and deploys for the user, wherever the source is.
    pub is_global: bool,
    /// Names of deployment targets; empty for the default.
    pub targets: Vec<String>,
    /// Deploys copies instead of links.
    pub is_copy: bool,
    /// Replaces what is in the way.
    pub is_forced: bool,
}
