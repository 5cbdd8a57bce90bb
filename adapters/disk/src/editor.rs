//! Changing one file of a skill.

use crate::sandbox;
use cap_std::fs::Metadata;
use skillc_domain::path::RelPath;
use skillc_fs::{Draft, Folder};
use skillc_ports::editor::SkillEditor;
use skillc_ports::error::{ErrorKind, PortError};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Skills in folders of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSkillEditor;

impl SkillEditor for DiskSkillEditor {
    fn replace(&self, root: &Path, path: &RelPath, old: &[u8], new: &[u8]) -> Result<(), PortError> {
        let place = Place::find(root, path)?;
        let metadata = place.metadata_of(old)?;
        let draft = place.draft(new, &metadata)?;
        // Writing to a disk takes long enough for somebody to save the file in their editor.
        place.metadata_of(old)?;
        draft.put_in_place(path.name())
    }
}

/// A file's folder, held open below the skill's root, and its name there.
struct Place<'a> {
    folder: Folder,
    path: &'a RelPath,
}

impl<'a> Place<'a> {
    fn find(root: &Path, path: &'a RelPath) -> Result<Self, PortError> {
        let root = Folder::open(root)?;
        let folder = match path.as_str().rsplit_once('/') {
            Some((folder, _)) => root
                .inner_folder(Path::new(folder))
                .map_err(|e| sandbox::port_error(Path::new(path.as_str()), e))?,
            None if path.is_root() => {
                return Err(PortError::new(ErrorKind::NotAFile, format!("write '{path}'")));
            }
            None => root,
        };
        Ok(Self { folder, path })
    }

    /// What the file is, if it holds these bytes.
    fn metadata_of(&self, old: &[u8]) -> Result<Metadata, PortError> {
        let error = |kind| PortError::new(kind, format!("write '{}'", self.path));
        let shown = Path::new(self.path.as_str());
        let itself = self
            .folder
            .dir()
            .symlink_metadata(self.path.name())
            .map_err(|e| sandbox::port_error(shown, e))?;
        if !itself.is_file() {
            return Err(error(ErrorKind::NotAFile));
        }
        // The rename would replace what its owner has locked.
        if itself.permissions().readonly() {
            return Err(error(ErrorKind::Denied));
        }
        let (file, metadata) = sandbox::open_regular(self.folder.dir(), Path::new(self.path.name()))?;
        match holds(file, old) {
            Ok(true) => Ok(metadata),
            Ok(false) => Err(error(ErrorKind::Changed)),
            Err(e) => Err(PortError::io(format!("read '{}'", self.path), e)),
        }
    }

    /// The new file beside the old one, on the disk as a whole, with the permissions and, where the system lets it, the
    /// owner of the old one. Nobody else may read it before it has them.
    fn draft(&self, bytes: &[u8], like: &Metadata) -> Result<Draft<'_>, PortError> {
        let mut draft = self.folder.draft(0o600)?;
        let written = draft.file.write_all(bytes).and_then(|()| {
            keep_owner(&draft.file, like);
            draft.keep_rights(like.permissions())?;
            draft.file.sync_all()
        });
        written.map(|()| draft).map_err(|e| PortError::io(format!("write '{}'", self.path), e))
    }
}

fn holds(file: File, bytes: &[u8]) -> io::Result<bool> {
    let mut found = Vec::with_capacity(bytes.len());
    // One byte more shows that the file has grown.
    file.take(bytes.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found == bytes)
}

/// Otherwise a file that root mends would be root's.
#[cfg(unix)]
fn keep_owner(file: &File, like: &Metadata) {
    use cap_std::fs::MetadataExt;
    use rustix::fs::{Gid, Uid, fchown};
    let _ = fchown(file, Some(Uid::from_raw(like.uid())), Some(Gid::from_raw(like.gid())));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use tempfile::TempDir;

    fn replace(skill: &TempDir, path: &str, old: &str, new: &str) -> Result<(), ErrorKind> {
        let path = RelPath::parse(path).unwrap();
        let replaced = DiskSkillEditor.replace(skill.path(), &path, old.as_bytes(), new.as_bytes());
        replaced.map_err(|error| error.kind)
    }

    #[test]
    fn permissions_and_owner_are_kept() {
        let skill = TempDir::new().unwrap();
        let file = skill.path().join("run.sh");
        fs::write(&file, "old").unwrap();
        // Only root may give a file away; others keep their own.
        let _ = std::os::unix::fs::chown(&file, Some(1234), Some(1234));
        for mode in [0o755, 0o600, 0o4750, 0o664] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let before = fs::metadata(&file).unwrap();
            replace(&skill, "run.sh", "old", "new").unwrap();
            let after = fs::metadata(&file).unwrap();
            assert_eq!(after.mode(), before.mode(), "{mode:o}");
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
            fs::write(&file, "old").unwrap();
        }
    }

    #[test]
    fn a_file_that_its_owner_has_locked_is_left_alone() {
        let skill = TempDir::new().unwrap();
        let file = skill.path().join("SKILL.md");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(replace(&skill, "SKILL.md", "old", "new"), Err(ErrorKind::Denied));
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }

    #[test]
    fn a_new_file_that_does_not_come_into_its_place_is_deleted() {
        let skill = TempDir::new().unwrap();
        fs::write(skill.path().join("a.md"), "old").unwrap();
        let path = RelPath::parse("a.md").unwrap();
        let place = Place::find(skill.path(), &path).unwrap();
        let made = place.draft(b"new", &place.metadata_of(b"old").unwrap()).unwrap();
        assert_eq!(fs::read_dir(skill.path()).unwrap().count(), 2);
        fs::write(skill.path().join("a.md"), "changed").unwrap();
        assert_eq!(place.metadata_of(b"old").unwrap_err().kind, ErrorKind::Changed);
        drop(made);
        let names: Vec<_> = fs::read_dir(skill.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["a.md"]);
    }
}
