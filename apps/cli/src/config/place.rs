//! Resolves the folders of a configuration file. `~` is the home; relative paths start at the folder that holds
//! `.skillc`. The folders of a project's file must be inside the project, so that a cloned repository cannot make skc
//! scan other folders.

use super::source::ConfigFile;
use skillc_domain::places::below;
use std::path::{Path, PathBuf};

/// Resolves a folder; `None` for a folder of a project's file that is outside of the project.
pub fn folder(source: &ConfigFile<'_>, text: &str) -> Option<PathBuf> {
    let base = source.path.ancestors().nth(2).unwrap_or(source.home);
    let folder = match text.strip_prefix('~') {
        Some("") => source.home.to_owned(),
        Some(rest) if rest.starts_with('/') => source.home.join(rest.trim_start_matches('/')),
        _ => base.join(text),
    };
    if source.is_users {
        return Some(folder);
    }
    let folder = below(PathBuf::new(), &folder);
    let is_inside = folder.starts_with(base) && real(&folder)?.starts_with(real(base)?);
    is_inside.then_some(folder)
}

/// A path with the links of its existing part resolved. `None` for a broken link: whoever creates its target decides
/// where it leads.
fn real(path: &Path) -> Option<PathBuf> {
    for above in path.ancestors() {
        match (std::fs::symlink_metadata(above), std::fs::canonicalize(above)) {
            (_, Ok(found)) => return Some(below(found, path.strip_prefix(above).ok()?)),
            (Ok(_), Err(_)) => return None,
            (Err(_), Err(_)) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(base: &Path, is_users: bool, text: &str) -> Option<PathBuf> {
        let (path, home) = (base.join("p/.skillc/config.toml"), base.join("h"));
        folder(&ConfigFile { path: &path, home: &home, is_users }, text)
    }

    /// D3, RFC-0009:C-PROJECT
    #[test]
    fn a_projects_folder_lies_inside_it_by_its_text_and_by_where_links_lead() {
        let root = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(root.path()).unwrap();
        for made in ["p/.skillc", "p/real", "h/x"] {
            std::fs::create_dir_all(base.join(made)).unwrap();
        }
        for (text, inside) in [("tools", "p/tools"), ("a/../b", "p/b"), ("./real/x", "p/real/x"), (".", "p")]
        {
            assert_eq!(named(&base, false, text), Some(base.join(inside)), "{text}");
        }
        for outside in ["~", "~/x", "..", "../p2", "a/../../x", "/etc", "~/../p/../h", "../p/../x"] {
            assert_eq!(named(&base, false, outside), None, "{outside}");
        }
        assert_eq!(named(&base, true, "~"), Some(base.join("h")));
        assert_eq!(named(&base, true, "~/x"), Some(base.join("h/x")));
        assert_eq!(named(&base, true, "/etc"), Some("/etc".into()));
        assert_eq!(named(&base, true, "~x"), Some(base.join("p/~x")), "a name is a name");
    }

    /// D3, RFC-0009:C-PROJECT
    #[cfg(unix)]
    #[test]
    fn a_link_out_of_a_project_is_outside_also_while_it_leads_nowhere() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(root.path()).unwrap();
        std::fs::create_dir_all(base.join("p/in")).unwrap();
        std::fs::create_dir_all(base.join("h")).unwrap();
        symlink(base.join("h"), base.join("p/out")).unwrap();
        symlink(base.join("none"), base.join("p/dangling")).unwrap();
        symlink(base.join("p/in"), base.join("p/own")).unwrap();
        for outside in ["out", "out/x/y", "dangling", "dangling/x"] {
            assert_eq!(named(&base, false, outside), None, "{outside}");
        }
        assert_eq!(named(&base, false, "own/x"), Some(base.join("p/own/x")));
    }
}
