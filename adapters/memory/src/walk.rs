//! Walks over the files of a skill, for surveys and imports.

use crate::tree::{Border, Content, LastLink, NodeId, Tree, end};
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::survey::NameFilter;
use skillc_ports::ErrorKind;
use std::path::Path;

/// The result of a walk. Paths are relative to the folder, with `/` as separator.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Parents before children, without the root.
    pub(crate) folders: Vec<String>,
    /// Each with its node; for a link, the node of its target.
    pub(crate) files: Vec<(String, NodeId)>,
    /// Names that begin with a dot, unless the walk includes those.
    pub(crate) hidden: Vec<String>,
    /// Links that lead out.
    pub(crate) escaping: Vec<String>,
}

/// Walks everything below a folder; each list of the result is sorted by path.
///
/// # Errors
/// `TooLarge` above `SKILL_FILES_MAX` files or folders.
pub(crate) fn walk(tree: &Tree, root: NodeId, names: NameFilter) -> Result<Walked, ErrorKind> {
    let mut walk = Walk { tree, root, names, found: Walked::default() };
    walk.enter("", &[root], false)?;
    walk.found.folders.sort_unstable();
    walk.found.files.sort_unstable();
    walk.found.hidden.sort_unstable();
    walk.found.escaping.sort_unstable();
    Ok(walk.found)
}

struct Walk<'a> {
    tree: &'a Tree,
    root: NodeId,
    names: NameFilter,
    found: Walked,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &str, trail: &[NodeId], is_behind_link: bool) -> Result<(), ErrorKind> {
        for (name, id) in self.tree.entries(end(trail)) {
            let is_included = self.names.includes(name.as_bytes());
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if !is_included {
                self.found.hidden.push(path);
                continue;
            }
            match self.tree.content(id) {
                Content::Link(_) => self.follow(path, trail, is_behind_link)?,
                Content::Folder(_) => {
                    self.found.folders.push(path.clone());
                    self.enter(&path, &[trail, &[id]].concat(), is_behind_link)?;
                }
                Content::Special => {}
                Content::File(_) | Content::Index(_) | Content::Log(_) => self.found.files.push((path, id)),
            }
            if self.found.files.len().max(self.found.folders.len()) > SKILL_FILES_MAX {
                return Err(ErrorKind::TooLarge);
            }
        }
        Ok(())
    }

    /// Adds the target of a link. Behind another link only files are followed; a link to one of its parent folders is
    /// skipped, since their files are listed already.
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
