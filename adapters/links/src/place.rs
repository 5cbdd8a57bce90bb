//! Making something beside a place, and putting it there whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, TempPath};

/// How things beside a place are called until they are whole, or until they are deleted; the place's name follows.
const HIDDEN: &str = ".skillc-tmp-";
/// Age of what no living deploy can still be making: an hour is many times the longest.
const STALE_AGE: Duration = Duration::from_secs(3_600);

/// A place, with the hidden names beside it that are its own.
pub(crate) struct Beside<'a> {
    place: &'a Path,
    folder: &'a Path,
    prefix: String,
}

/// Something that stands beside its place; dropping it deletes it.
pub(crate) enum Made {
    Link(TempPath),
    Folder(tempfile::TempDir),
}

impl Made {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Link(path) => path,
            Self::Folder(folder) => folder.path(),
        }
    }

    /// Forgets it, now that it stands at its place.
    fn keep(self) {
        match self {
            Self::Link(mut path) => path.disable_cleanup(true),
            Self::Folder(folder) => drop(folder.keep()),
        }
    }
}

impl<'a> Beside<'a> {
    /// Makes the folders above a place, and deletes what killed deploys left beside it.
    pub(crate) fn of(place: &'a Path) -> io::Result<Self> {
        let folder = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(folder)?;
        let beside = Self { place, folder, prefix: format!("{HIDDEN}{}-", name.to_string_lossy()) };
        beside.delete_left_overs();
        Ok(beside)
    }

    pub(crate) fn make_link(&self, target: &Path) -> io::Result<Made> {
        let made =
            Builder::new().prefix(&self.prefix).make_in(self.folder, |path| make_link(target, path))?;
        Ok(Made::Link(made.into_temp_path()))
    }

    /// Others may read it as far as the umask allows.
    pub(crate) fn make_folder(&self) -> io::Result<Made> {
        let mut builder = Builder::new();
        builder.prefix(&self.prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        Ok(Made::Folder(builder.tempdir_in(self.folder)?))
    }

    /// A name beside the place that is free.
    fn free_name(&self) -> io::Result<PathBuf> {
        let taken = Builder::new().prefix(&self.prefix).tempdir_in(self.folder)?;
        let path = taken.path().to_owned();
        taken.close()?;
        Ok(path)
    }

    fn delete_left_overs(&self) {
        for entry in fs::read_dir(self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            // The part after the last hyphen is chance; with one in it, it is the name of another skill.
            let chance = name.to_str().and_then(|name| name.strip_prefix(&self.prefix));
            if chance.is_some_and(|chance| !chance.contains('-')) && is_stale(&entry) {
                let _ = delete(&entry.path());
            }
        }
    }
}

/// Puts what was made at its place. A link that replaces a link or a file does so in one step. Otherwise the old one is
/// renamed first and deleted last: a kill in between leaves nothing at the place, and both whole beside it.
///
/// # Errors
/// Those of the system; what stood at the place then stands there again.
pub(crate) fn put(made: Made, beside: &Beside) -> io::Result<()> {
    let is_real_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|m| m.is_dir());
    let is_occupied = fs::symlink_metadata(beside.place).is_ok();
    let takes_a_step = cfg!(unix) && !is_real_folder(made.path()) && !is_real_folder(beside.place);
    if !is_occupied || takes_a_step {
        fs::rename(made.path(), beside.place)?;
        made.keep();
        return Ok(());
    }
    let aside = beside.free_name()?;
    fs::rename(beside.place, &aside)?;
    if let Err(error) = fs::rename(made.path(), beside.place) {
        fs::rename(&aside, beside.place)?;
        return Err(error);
    }
    made.keep();
    // What cannot be deleted stays hidden; a later deploy tries again.
    let _ = delete(&aside);
    Ok(())
}

/// Whether an error says that nothing stands there.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Deletes a link itself.
#[cfg(unix)]
pub(crate) fn delete_link(link: &Path) -> io::Result<()> {
    fs::remove_file(link)
}

/// Deletes a link itself; junctions and links to folders are folders to Windows.
#[cfg(not(unix))]
pub(crate) fn delete_link(link: &Path) -> io::Result<()> {
    fs::remove_dir(link).or_else(|_| fs::remove_file(link))
}

#[cfg(unix)]
fn make_link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(windows)]
fn make_link(target: &Path, at: &Path) -> io::Result<()> {
    junction::create(target, at)
}

fn delete(path: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        delete_link(path)
    } else if metadata.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

fn is_stale(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > STALE_AGE))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_stood_there_stands_again_when_the_new_one_cannot_be_put() {
        let home = tempfile::TempDir::new().unwrap();
        let place = home.path().join("x");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("mine"), "").unwrap();
        let beside = Beside::of(&place).unwrap();
        let made = beside.make_folder().unwrap();
        fs::remove_dir(made.path()).unwrap();
        assert!(put(made, &beside).is_err());
        assert!(place.join("mine").is_file());
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
        Beside::of(&home.path().join("x")).unwrap();
        let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".skillc-tmp-x-new000", ".skillc-tmp-x-y-a1b2c3"]);
    }
}
