//! Replaces one file of a skill.

use crate::sandbox;
use cap_std::fs::Metadata;
use skillc_domain::path::RelPath;
use skillc_fs::{AtomicFile, Folder, read_bounded};
use skillc_ports::editor::SkillEditor;
use skillc_ports::error::{ErrorKind, PortError};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Edits skills on the local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSkillEditor;

impl SkillEditor for DiskSkillEditor {
    fn replace(&self, root: &Path, path: &RelPath, old: &[u8], new: &[u8]) -> Result<(), PortError> {
        let file = SkillFile::find(root, path)?;
        let metadata = file.check_content(old)?;
        let replacement = file.write_beside(new, &metadata)?;
        // Flushing takes long enough for the user to save the file in an editor.
        file.check_content(old)?;
        replacement.persist(path.name())
    }
}

/// A file of a skill, and the open folder that contains it.
struct SkillFile<'a> {
    folder: Folder,
    path: &'a RelPath,
}

impl<'a> SkillFile<'a> {
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

    /// Returns the metadata of the file if it holds these bytes and may be replaced.
    fn check_content(&self, old: &[u8]) -> Result<Metadata, PortError> {
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
        // A rename would ignore the write protection.
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

    /// Writes and flushes a temporary file with the permissions and, if allowed, the owner of the old file. It is
    /// private until it has them.
    fn write_beside(&self, bytes: &[u8], old: &Metadata) -> Result<AtomicFile<'_>, PortError> {
        let mut new = self.folder.begin_file(0o600)?;
        let written = new.file.write_all(bytes).and_then(|()| {
            copy_owner(&new.file, old);
            new.set_permissions(old.permissions())?;
            new.file.sync_all()
        });
        written.map(|()| new).map_err(|e| PortError::io(format!("write '{}'", self.path), e))
    }
}

fn holds(file: File, bytes: &[u8]) -> io::Result<bool> {
    Ok(read_bounded(file, bytes.len() as u64, bytes.len())?.is_some_and(|found| found == bytes))
}

/// Root's edits must not change the owner.
#[cfg(unix)]
fn copy_owner(file: &File, old: &Metadata) {
    use cap_std::fs::MetadataExt;
    use rustix::fs::{Gid, Uid, fchown};
    let _ = fchown(file, Some(Uid::from_raw(old.uid())), Some(Gid::from_raw(old.gid())));
}

#[cfg(not(unix))]
fn copy_owner(_: &File, _: &Metadata) {}

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
        let file = SkillFile::find(skill.path(), &path).unwrap();
        let made = file.write_beside(b"new", &file.check_content(b"old").unwrap()).unwrap();
        assert_eq!(fs::read_dir(skill.path()).unwrap().count(), 2);
        fs::write(skill.path().join("a.md"), "changed").unwrap();
        assert_eq!(file.check_content(b"old").unwrap_err().kind, ErrorKind::Changed);
        drop(made);
        let names: Vec<_> = fs::read_dir(skill.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["a.md"]);
    }
}
