//! What stands below a folder, as a survey and an import see it.

use crate::tree::{Border, Content, LastLink, NodeId, Tree, end};
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::places::META_DIR;
use skillc_ports::ErrorKind;
use std::path::Path;

/// Which names a walk takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Those that do not begin with a dot.
    Visible,
    /// All but those of version control and of builds: what an import copies.
    Imported,
}

/// What a walk found. Paths are relative to the folder, with `/` between segments.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Each before those in it, without the first.
    pub(crate) folders: Vec<String>,
    /// Each with its node, or that of what a link leads to.
    pub(crate) files: Vec<(String, NodeId)>,
    /// Links that lead out.
    pub(crate) escaping: Vec<String>,
}

/// Walks all below a folder; everything that is found is sorted by path.
///
/// # Errors
/// `TooLarge` above `SKILL_FILES_MAX` files.
pub(crate) fn walk(tree: &Tree, root: NodeId, names: Names) -> Result<Walked, ErrorKind> {
    let mut walk = Walk { tree, root, names, found: Walked::default() };
    walk.enter("", &[root], false)?;
    walk.found.folders.sort_unstable();
    walk.found.files.sort_unstable();
    walk.found.escaping.sort_unstable();
    Ok(walk.found)
}

struct Walk<'a> {
    tree: &'a Tree,
    root: NodeId,
    names: Names,
    found: Walked,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &str, trail: &[NodeId], is_behind_link: bool) -> Result<(), ErrorKind> {
        for (name, id) in self.tree.entries(end(trail)) {
            if !self.names.take(&name) {
                continue;
            }
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            match self.tree.content(id) {
                Content::Link(_) => self.follow(path, trail, is_behind_link)?,
                Content::Folder(_) => {
                    self.found.folders.push(path.clone());
                    self.enter(&path, &[trail, &[id]].concat(), is_behind_link)?;
                }
                Content::Special => {}
                Content::File(_) | Content::Index(_) | Content::Log(_) => self.found.files.push((path, id)),
            }
            if self.found.files.len() > SKILL_FILES_MAX {
                return Err(ErrorKind::TooLarge);
            }
        }
        Ok(())
    }

    /// A link behind a link leads to files only, and one that leads to a folder above itself nowhere: what is there is
    /// listed already.
    fn follow(&mut self, path: String, trail: &[NodeId], is_behind_link: bool) -> Result<(), ErrorKind> {
        match self.tree.reach(self.root, Path::new(&path), Border::Closed, LastLink::Followed) {
            Err(ErrorKind::Escapes) => self.found.escaping.push(path),
            Err(_) => {}
            Ok(target) if self.tree.content(end(&target)).is_file() => {
                self.found.files.push((path, end(&target)));
            }
            Ok(target) => {
                let is_folder = self.tree.content(end(&target)).is_folder();
                if is_folder && !is_behind_link && !trail.contains(&end(&target)) {
                    self.found.folders.push(path.clone());
                    self.enter(&path, &target, true)?;
                }
            }
        }
        Ok(())
    }
}

impl Names {
    fn take(self, name: &str) -> bool {
        match self {
            Self::Visible => !name.starts_with('.'),
            Self::Imported => ![".git", ".jj", META_DIR].contains(&name),
        }
    }
}
