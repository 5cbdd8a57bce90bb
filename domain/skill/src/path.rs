//! Paths inside a skill.

use crate::fault::Fault;
use std::fmt;

/// A path relative to a skill's root, with `/` between segments: never absolute, without `.` and `..`.
///
/// Ordered by bytes, like every listing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

impl RelPath {
    /// Parses a path as a user wrote it; `a/../b` becomes `b`.
    ///
    /// # Errors
    /// E012 if it is absolute, leads above the root, or contains a NUL.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        let escapes = || Fault::PathEscapes { path: raw.to_owned() };
        let unified = if cfg!(windows) { raw.replace('\\', "/") } else { raw.to_owned() };
        if unified.starts_with('/') || has_drive(&unified) || unified.contains('\0') {
            return Err(escapes());
        }
        // Fast path: most paths need no change, and an index has thousands.
        if unified.split('/').all(|segment| !matches!(segment, "" | "." | "..")) {
            return Ok(Self(unified));
        }
        let mut segments: Vec<&str> = Vec::new();
        for segment in unified.split('/') {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop().ok_or_else(escapes)?;
                }
                name => segments.push(name),
            }
        }
        Ok(Self(segments.join("/")))
    }

    /// Wraps a path that a walk below the root built from folder entries, and which is therefore normalized.
    pub fn from_walk(clean: String) -> Self {
        debug_assert!(Self::parse(&clean).is_ok_and(|p| p.0 == clean), "{clean:?}");
        Self(clean)
    }

    /// The path as text; empty for the root itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last segment; empty for the root.
    pub fn name(&self) -> &str {
        let start = self.0.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1);
        &self.0[start..]
    }

    /// Path of the parent folder; empty at the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The part of the name after the last dot, as written; `None` without a dot, or if the only dot is the first
    /// character.
    pub fn extension(&self) -> Option<&str> {
        let name = self.name();
        let dot = name.bytes().rposition(|byte| byte == b'.').filter(|dot| *dot > 0)?;
        Some(&name[dot + 1..])
    }

    /// This path relative to `folder`; `None` if it is not below it, unchanged if `folder` is the root.
    pub fn below(&self, folder: &RelPath) -> Option<&str> {
        if folder.is_root() {
            return Some(&self.0);
        }
        self.0.strip_prefix(folder.as_str())?.strip_prefix('/')
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn has_drive(raw: &str) -> bool {
    cfg!(windows) && raw.as_bytes().get(1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// RFC-0002:C-OPEN
    #[test]
    fn a_path_that_climbs_or_is_absolute_is_refused() {
        for raw in ["..", "../x", "a/../../x", "/etc/passwd", "/", "a\0b", "a/b/../../../c"] {
            assert!(matches!(RelPath::parse(raw), Err(Fault::PathEscapes { .. })), "{raw:?}");
        }
    }

    #[test]
    fn a_path_is_normalised() {
        for (raw, clean) in
            [("./a", "a"), ("a//b/", "a/b"), ("references/../SKILL.md", "SKILL.md"), ("", ""), (".", "")]
        {
            assert_eq!(RelPath::parse(raw).unwrap().as_str(), clean);
        }
    }

    proptest! {
        /// A parsed path never leads above the root, whatever the input.
        #[test]
        fn a_relative_path_never_climbs(raw in "[a.\\\\/ \u{0}é]{0,12}|(\\.\\./|[ab]/|\\./){0,6}[a.]{0,3}") {
            if let Ok(path) = RelPath::parse(&raw) {
                prop_assert!(!path.as_str().starts_with('/'));
                prop_assert!(path.as_str().split('/').all(|s| s != ".." && s != "."));
                prop_assert_eq!(RelPath::parse(path.as_str()).unwrap(), path);
            }
        }
    }

    #[test]
    fn a_path_has_a_name_a_folder_and_perhaps_an_extension() {
        for (raw, name, folder, extension) in [
            ("a/b/c.tar.gz", "c.tar.gz", "a/b", Some("gz")),
            ("c.md", "c.md", "", Some("md")),
            ("a.b/c", "c", "a.b", None),
            ("a/.md", ".md", "a", None),
            ("a/x.", "x.", "a", Some("")),
            ("", "", "", None),
        ] {
            let path = RelPath::parse(raw).unwrap();
            assert_eq!((path.name(), path.folder(), path.extension()), (name, folder, extension), "{raw}");
            assert_eq!((path.is_root(), path.to_string()), (raw.is_empty(), raw.to_owned()));
        }
    }

    #[test]
    fn a_path_is_below_the_root_and_each_of_its_folders() {
        let below = |path: &str, folder: &str| {
            let [path, folder] = [path, folder].map(|raw| RelPath::parse(raw).unwrap());
            path.below(&folder).map(str::to_owned)
        };
        for (path, folder, rest) in [
            ("a/b/c", "a/b", Some("c")),
            ("a/b/c", "", Some("a/b/c")),
            ("a/bc", "a/b", None),
            ("a", "a", None),
            ("a", "a/b", None),
        ] {
            assert_eq!(below(path, folder).as_deref(), rest, "{path} {folder}");
        }
    }

    #[test]
    fn a_path_of_a_walk_is_kept_as_it_is() {
        assert_eq!(RelPath::from_walk("a/b".into()), RelPath::parse("a/b").unwrap());
    }
}
