//! Files of a skill that are not packed.

use std::fmt;

/// Why a file is not packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Omission {
    /// Its name, or that of a folder above it, begins with a dot.
    Hidden,
    /// Made by a program, and made again on the reader's machine.
    Cache,
    /// Packages that a package manager installed.
    Packages,
    /// Written by a file browser.
    Browser,
    /// Tests of the skill, which Anthropic's packager leaves out too.
    Evals,
    /// The caller excluded it.
    Excluded,
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hidden => "hidden",
            Self::Cache => "a cache",
            Self::Packages => "installed packages",
            Self::Browser => "written by a file browser",
            Self::Evals => "tests of the skill",
            Self::Excluded => "excluded",
        })
    }
}

/// Why the file at a path in a skill is not packed; `None` if it is.
pub fn left_out(path: &str) -> Option<Omission> {
    let segments = || path.split('/');
    let has = |names: &[&str]| segments().any(|segment| names.contains(&segment));
    if has(&["__pycache__"]) || path.ends_with(".pyc") {
        return Some(Omission::Cache);
    }
    if has(&["node_modules"]) {
        return Some(Omission::Packages);
    }
    if has(&["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"]) {
        return Some(Omission::Browser);
    }
    if segments().any(|segment| segment.starts_with('.')) {
        return Some(Omission::Hidden);
    }
    path.starts_with("evals/").then_some(Omission::Evals)
}
