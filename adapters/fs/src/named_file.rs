//! Resolves the path of a file named by the user, following the links that the policy allows.

use crate::entry::EntryKind;
use crate::folder::Folder;
use crate::resolve::{is_users, linked, resolve_users, resolve_within};
use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Which links may be followed when writing a named file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplacePolicy {
    /// Only links to a file in the same folder.
    #[default]
    SameFolder,
    /// Links to any file, if both link and file belong to this user.
    FollowOwn,
}

/// The open folder of a file named by the user, and its name there, with links resolved.
#[derive(Debug)]
pub struct NamedFile {
    /// The folder, held open.
    pub folder: Folder,
    /// A direct entry of `folder`, which may not exist.
    pub name: OsString,
}

impl NamedFile {
    /// Resolves an absolute path. Below the canonical `root`, links to folders must stay inside it; elsewhere they must
    /// belong to the user.
    ///
    /// # Errors
    /// `Linked` for a link that the policy does not allow, `NotFound` if the folder is missing.
    pub fn find(path: &Path, root: Option<&Path>, policy: ReplacePolicy) -> Result<Self, PortError> {
        let is_followed = policy == ReplacePolicy::FollowOwn;
        let file = Self::of(&resolved_folder(path, root.filter(|_| !is_followed))?, path)?;
        if file.folder.kind(&file.name) != Some(EntryKind::Link) {
            return Ok(file);
        }
        let link = file.folder.path().join(&file.name);
        let to = resolve_users(&link)?;
        let stays = to.parent() == Some(file.folder.path());
        if !stays && !is_followed {
            return Err(linked(&link));
        }
        // Writing through a dangling link would create a file elsewhere.
        let nothing = || PortError::new(ErrorKind::NotFound, format!("write '{}'", path.display()));
        let target = fs::metadata(&to).map_err(|_| nothing())?;
        if !is_users(&target) {
            return Err(linked(&link));
        }
        Self::of(to.parent().unwrap_or(Path::new("/")), &to)
    }

    fn of(folder: &Path, path: &Path) -> Result<Self, PortError> {
        let name = path
            .file_name()
            .ok_or_else(|| PortError::new(ErrorKind::NotAFile, format!("write '{}'", path.display())))?;
        Ok(Self { folder: Folder::open(folder)?, name: name.to_owned() })
    }
}

fn resolved_folder(path: &Path, root: Option<&Path>) -> Result<PathBuf, PortError> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    match root.filter(|root| folder.starts_with(root)) {
        Some(root) => resolve_within(folder, &[root]),
        None => resolve_users(folder),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// D9
    #[test]
    fn a_named_file_is_not_written_through_a_link_that_leads_out_of_its_folder() {
        let home = tempfile::tempdir().unwrap();
        let at = fs::canonicalize(home.path()).unwrap();
        for folder in ["p/docs", "out"] {
            fs::create_dir_all(at.join(folder)).unwrap();
        }
        fs::write(at.join("out/bashrc"), "").unwrap();
        fs::write(at.join("p/CLAUDE.md"), "").unwrap();
        symlink("../out/bashrc", at.join("p/AGENTS.md")).unwrap();
        symlink("CLAUDE.md", at.join("p/SAME.md")).unwrap();
        symlink("../out", at.join("p/away")).unwrap();
        symlink("docs", at.join("p/inside")).unwrap();
        symlink("../out/none", at.join("p/dangling")).unwrap();
        let root = at.join("p");
        let find = |path: &str, policy| {
            let file = NamedFile::find(&root.join(path), Some(&root), policy).map_err(|e| e.kind)?;
            Ok::<_, ErrorKind>(file.folder.path().join(file.name))
        };
        use ReplacePolicy::{FollowOwn, SameFolder};
        assert_eq!(find("AGENTS.md", SameFolder), Err(ErrorKind::Linked));
        assert_eq!(find("AGENTS.md", FollowOwn), Ok(at.join("out/bashrc")));
        assert_eq!(find("SAME.md", SameFolder), Ok(at.join("p/CLAUDE.md")));
        assert_eq!(find("away/x", SameFolder), Err(ErrorKind::Linked));
        assert_eq!(find("away/x", FollowOwn), Ok(at.join("out/x")));
        assert_eq!(find("inside/x", SameFolder), Ok(at.join("p/docs/x")));
        assert_eq!(find("dangling", SameFolder), Err(ErrorKind::Linked));
        assert_eq!(find("dangling", FollowOwn), Err(ErrorKind::NotFound), "nothing of the user's is there");
        assert_eq!(find("new", SameFolder), Ok(at.join("p/new")));
    }
}
