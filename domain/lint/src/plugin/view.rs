//! The input of plugin checks: the manifests, the skills, and what paths lead to.

use skillc_domain::json::{JsonFlaw, JsonNode};
use skillc_domain::plugin::PluginManifest;

/// A plugin to check.
pub struct PluginView<'a> {
    /// The name of its folder.
    pub folder: &'a str,
    /// The existing manifests, in the order of [`PluginManifest::ALL`].
    pub documents: &'a [ManifestDocument],
    /// Its skills, sorted by path.
    pub skills: &'a [PluginSkill],
    /// What a path in the plugin leads to, with links resolved.
    pub look: &'a dyn Fn(&str) -> PathState,
}

/// A manifest that was read.
#[derive(Clone, Debug)]
pub struct ManifestDocument {
    /// Which of the manifests it is.
    pub manifest: PluginManifest,
    /// Its text; empty if it cannot be read.
    pub text: String,
    /// Its parsed content, or why there is none.
    pub state: DocumentState,
}

/// The parsed content of a manifest, or why there is none.
#[derive(Clone, Debug)]
pub enum DocumentState {
    /// Valid JSON.
    Parsed(JsonNode),
    /// A text that is not JSON.
    Broken(JsonFlaw),
    /// A manifest that cannot be read; holds the reason.
    Unreadable(String),
    /// A path that leads out of the plugin, or to something that is not a file; holds which.
    Misplaced(&'static str),
}

/// A skill of the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginSkill {
    /// Its folder, relative to the plugin, with `/` as separator.
    pub path: String,
    /// `name` in its SKILL.md.
    pub name: String,
    /// How it violates the Agent Skills specification.
    pub flaws: Vec<String>,
}

/// What a path in a plugin leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathState {
    /// Nothing.
    Missing,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Something outside the plugin.
    Outside,
}

impl PluginView<'_> {
    /// The manifest, if it exists.
    pub fn document(&self, manifest: PluginManifest) -> Option<&ManifestDocument> {
        self.documents.iter().find(|document| document.manifest == manifest)
    }

    /// The manifest's value, if it exists and is JSON.
    pub fn value(&self, manifest: PluginManifest) -> Option<&JsonNode> {
        match &self.document(manifest)?.state {
            DocumentState::Parsed(value) => Some(value),
            _ => None,
        }
    }
}

impl PluginSkill {
    /// Whether clients that look only in the folder `skills` find it.
    pub fn is_in_skills(&self) -> bool {
        self.path.strip_prefix("skills/").is_some_and(|name| !name.contains('/'))
    }
}

/// The folder `skills`, in which most clients look.
pub const SKILLS_FOLDER: &str = "skills";

/// Normalizes a path from a manifest: removes `./`, `.` and a trailing slash. `None` if it leads out of the plugin,
/// is absolute or does not begin with `./`.
pub fn inside(path: &str) -> Option<String> {
    let rest = if path == "." || path == "./" { "" } else { path.strip_prefix("./")? };
    normalized(rest)
}

/// Resolves `.` and `..` in a relative path; `None` if it leads above its start.
pub fn normalized(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    if path.starts_with('/') || path.contains(['\\', '\0']) {
        return None;
    }
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0015:C-PLUGIN-CHECK
    #[test]
    fn a_path_stays_in_the_plugin() {
        for (path, expected) in [
            ("./a/b", Some("a/b")),
            ("./", Some("")),
            ("./a/../b/", Some("b")),
            ("./a//./b", Some("a/b")),
            ("../a", None),
            ("./../a", None),
            ("./a/../../b", None),
            ("a", None),
            ("/a", None),
            (".//a", None),
            ("./a\\b", None),
        ] {
            assert_eq!(inside(path).as_deref(), expected, "{path}");
        }
    }
}
