//! Making something beside a place, and putting it there whole.

use skillc_fs::{EntryKind, Folder};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

/// How things beside a place are called until they are whole, or until they are deleted; the place's name follows.
const HIDDEN: &str = ".skillc-tmp-";
/// Age of what no living deploy can still be making: an hour is many times the longest.
const STALE_AGE: Duration = Duration::from_secs(3_600);

/// A place, by its folder and its name there.
pub(crate) struct Place {
    /// The folder above it.
    pub(crate) folder: Folder,
    /// Its name.
    pub(crate) name: OsString,
    prefix: String,
}

/// Something that stands beside its place; dropping it deletes it.
pub(crate) struct Made<'a> {
    folder: &'a Folder,
    name: String,
    is_in_place: bool,
}

impl Made<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        if !self.is_in_place {
            let _ = self.folder.remove_all(&self.name);
        }
    }
}

impl Place {
    /// Makes the folders above a place, and deletes what killed deploys left beside it.
    pub(crate) fn create(place: &Path) -> Result<Self, PortError> {
        let (folder, name) = Folder::create_of_file(place)?;
        let place = Self { folder, prefix: format!("{HIDDEN}{}-", name.to_string_lossy()), name };
        place.delete_abandoned();
        Ok(place)
    }

    /// A new empty folder beside the place.
    pub(crate) fn make_folder(&self) -> Result<Made<'_>, PortError> {
        let made = self.unnamed()?;
        self.folder.create_subfolder(&made.name)?;
        Ok(made)
    }

    /// A link beside the place.
    pub(crate) fn make_link(&self, target: &Path) -> Result<Made<'_>, PortError> {
        let made = self.unnamed()?;
        make_link(&self.folder, &made.name, target)?;
        Ok(made)
    }

    /// Puts what was made at the place. A link that replaces a link does so in one step, unless the old one is to be kept under
    /// the name `aside`. Otherwise the old one is renamed first and deleted last: a kill in between leaves nothing at the place,
    /// and both whole beside it.
    ///
    /// # Errors
    /// Those of the system; what stood at the place then stands there again.
    pub(crate) fn put(&self, mut made: Made<'_>, aside: Option<&str>) -> Result<(), PortError> {
        let is_link = |name: &OsStr| self.folder.kind(name) == Some(EntryKind::Link);
        match self.folder.kind(&self.name) {
            None => self.folder.rename_new(&made.name, &self.name)?,
            Some(EntryKind::Link) if aside.is_none() && cfg!(unix) && is_link(OsStr::new(&made.name)) => {
                self.folder.rename(&made.name, &self.folder, &self.name)?;
            }
            Some(_) => self.replace(&made, aside)?,
        }
        made.is_in_place = true;
        Ok(())
    }

    fn replace(&self, made: &Made<'_>, aside: Option<&str>) -> Result<(), PortError> {
        // Deleted when it goes out of scope. What cannot be deleted stays hidden, and a later deploy tries again.
        let hidden = self.unnamed()?;
        self.folder.swap_in(&made.name, &self.name, aside.unwrap_or(&hidden.name))
    }

    /// A hidden name that nothing has.
    fn unnamed(&self) -> Result<Made<'_>, PortError> {
        let chance = getrandom::u64().map_err(|error| {
            PortError::new(ErrorKind::Failed, "draw a random number").caused_by(error.to_string())
        })?;
        Ok(Made { folder: &self.folder, name: format!("{}{chance:016x}", self.prefix), is_in_place: false })
    }

    fn delete_abandoned(&self) {
        for (name, _) in self.folder.entries().unwrap_or_default() {
            // What follows the name has no hyphen, so that it is not the name of another skill.
            let chance = name.to_str().and_then(|name| name.strip_prefix(&self.prefix));
            if chance.is_some_and(|chance| !chance.contains('-')) && self.is_stale(&name) {
                let _ = self.folder.remove_all(&name);
            }
        }
    }

    fn is_stale(&self, name: &OsStr) -> bool {
        let entry = self.folder.entry(name).ok().flatten();
        let modified = entry.and_then(|entry| entry.metadata.modified().ok());
        modified.is_some_and(|at| at.into_std().elapsed().is_ok_and(|age| age > STALE_AGE))
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

    #[test]
    fn what_stood_there_stands_again_when_the_new_one_cannot_be_put() {
        let home = tempfile::TempDir::new().unwrap();
        let at = home.path().join("x");
        fs::create_dir(&at).unwrap();
        fs::write(at.join("mine"), "").unwrap();
        let place = Place::create(&at).unwrap();
        let made = place.make_folder().unwrap();
        fs::remove_dir(home.path().join(&made.name)).unwrap();
        assert!(place.put(made, None).is_err());
        assert!(at.join("mine").is_file());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn left_overs_of_killed_deploys_go_when_they_are_old() {
        let home = tempfile::TempDir::new().unwrap();
        let aged = |name: &str, age: Duration| {
            let folder = home.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::File::open(folder).unwrap().set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        aged(".skillc-tmp-x-a1b2c3", STALE_AGE * 2);
        aged(".skillc-tmp-x-new000", Duration::ZERO);
        aged(".skillc-tmp-x-y-a1b2c3", STALE_AGE * 2);
        Place::create(&home.path().join("x")).unwrap();
        let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".skillc-tmp-x-new000", ".skillc-tmp-x-y-a1b2c3"]);
    }
}
