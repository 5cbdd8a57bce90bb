//! Builds a link or folder next to its destination and moves it there.

use skillc_fs::{EntryKind, Folder, TemporaryEntry};
use skillc_ports::error::PortError;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Prefix of the names of incomplete and of replaced entries, followed by the destination's name and a hyphen.
const HIDDEN: &str = ".skillc-tmp-";

/// The prefix of hidden names for entries that become, or have been, the one with this name.
pub(crate) fn hidden_prefix(name: &OsStr) -> String {
    format!("{HIDDEN}{}-", name.to_string_lossy())
}

/// The destination of a deployment.
pub(crate) struct Destination {
    pub(crate) folder: Folder,
    pub(crate) name: OsString,
    prefix: String,
}

impl Destination {
    /// Creates the parent folders, and deletes what killed deployments left next to the destination.
    pub(crate) fn create(path: &Path) -> Result<Self, PortError> {
        let (folder, name) = Folder::create_of_file(path)?;
        let prefix = hidden_prefix(&name);
        folder.remove_stale(&prefix, |_| true);
        Ok(Self { folder, prefix, name })
    }

    /// Creates an empty folder next to the destination.
    pub(crate) fn make_folder(&self) -> Result<TemporaryEntry<'_>, PortError> {
        let made = self.folder.temporary_entry(&self.prefix)?;
        self.folder.create_subfolder(made.name())?;
        Ok(made)
    }

    /// Creates a link next to the destination.
    pub(crate) fn make_link(&self, target: &Path) -> Result<TemporaryEntry<'_>, PortError> {
        let made = self.folder.temporary_entry(&self.prefix)?;
        make_link(&self.folder, made.name(), target)?;
        Ok(made)
    }

    /// Moves an entry to the destination. A link replaces a link in one step, unless the old one is kept as `aside`.
    /// Otherwise the old entry is renamed first and deleted last: a kill in between leaves the destination empty and
    /// both entries complete next to it.
    ///
    /// # Errors
    /// Those of the system; the old entry is then at the destination again.
    pub(crate) fn put(&self, made: TemporaryEntry<'_>, aside: Option<&str>) -> Result<(), PortError> {
        let is_link = |name: &OsStr| self.folder.kind(name) == Some(EntryKind::Link);
        match self.folder.kind(&self.name) {
            None => made.persist_new(&self.name),
            Some(EntryKind::Link) if aside.is_none() && cfg!(unix) && is_link(OsStr::new(made.name())) => {
                made.persist(&self.name)
            }
            Some(_) => {
                // Deletes the old entry on drop. If that fails, it stays hidden, and a later deployment tries again.
                let hidden = self.folder.temporary_entry(&self.prefix)?;
                made.swap_in(&self.name, aside.unwrap_or(hidden.name()))
            }
        }
    }
}

#[cfg(unix)]
fn make_link(folder: &Folder, name: &str, target: &Path) -> Result<(), PortError> {
    folder.make_link(name, target)
}

#[cfg(windows)]
fn make_link(folder: &Folder, name: &str, target: &Path) -> Result<(), PortError> {
    let at = folder.path().join(name);
    junction::create(target, &at).map_err(|e| PortError::io(format!("link '{}'", at.display()), e))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_old_content_is_restored_if_the_new_one_cannot_be_put() {
        let home = tempfile::TempDir::new().unwrap();
        let at = home.path().join("x");
        fs::create_dir(&at).unwrap();
        fs::write(at.join("mine"), "").unwrap();
        let destination = Destination::create(&at).unwrap();
        let made = destination.make_folder().unwrap();
        fs::remove_dir(home.path().join(made.name())).unwrap();
        assert!(destination.put(made, None).is_err());
        assert!(at.join("mine").is_file());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn left_overs_of_killed_deploys_go_when_they_are_old() {
        let home = tempfile::TempDir::new().unwrap();
        let aged = |name: &str, age: u64| {
            let folder = home.path().join(name);
            fs::create_dir(&folder).unwrap();
            let modified = SystemTime::now() - Duration::from_secs(age);
            fs::File::open(folder).unwrap().set_modified(modified).unwrap();
        };
        aged(".skillc-tmp-x-a1b2c3", 7_200);
        aged(".skillc-tmp-x-new000", 0);
        aged(".skillc-tmp-x-y-a1b2c3", 7_200);
        Destination::create(&home.path().join("x")).unwrap();
        let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".skillc-tmp-x-new000", ".skillc-tmp-x-y-a1b2c3"]);
    }
}
