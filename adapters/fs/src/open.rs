//! Opens a folder by a path without links, in one system call if possible.

use cap_std::fs::Dir;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a folder by its absolute path; fails if a component is a link.
#[cfg(target_os = "linux")]
pub(crate) fn open_without_links(path: &Path) -> io::Result<Dir> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(CWD, path, flags, Mode::empty(), resolve) {
        Ok(folder) => Ok(Dir::from_std_file(File::from(folder))),
        // Kernels before 5.6, and sandboxes that forbid the call.
        Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => open_step_by_step(path),
        Err(error) => Err(error.into()),
    }
}

/// Opens a folder by its absolute path; fails if a component is a link.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn open_without_links(path: &Path) -> io::Result<Dir> {
    open_step_by_step(path)
}

/// Opens each component below the descriptor of the one before it.
#[cfg(unix)]
fn open_step_by_step(path: &Path) -> io::Result<Dir> {
    use rustix::fs::{Mode, OFlags, open, openat};
    use std::path::Component;
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    // A parent folder may be searchable but not readable.
    #[cfg(target_os = "linux")]
    let passing = flags | OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let passing = flags;
    let names: Vec<_> = path.components().filter(|part| !matches!(part, Component::RootDir)).collect();
    let mut at = open("/", if names.is_empty() { flags } else { passing }, Mode::empty())?;
    for (index, name) in names.iter().enumerate() {
        let is_last = index + 1 == names.len();
        at = openat(&at, name.as_os_str(), if is_last { flags } else { passing }, Mode::empty())?;
    }
    Ok(Dir::from_std_file(File::from(at)))
}

/// Opens a folder by its absolute path; fails if a component is a link or junction. Not atomic: another process may
/// put one there between the check and the opening.
#[cfg(not(unix))]
pub(crate) fn open_without_links(path: &Path) -> io::Result<Dir> {
    if crate::resolve::first_link(path).is_some() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the path contains a link"));
    }
    Dir::open_ambient_dir(path, cap_std::ambient_authority())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// The implementations with and without `openat2`.
    const VARIANTS: [fn(&Path) -> io::Result<Dir>; 2] = [open_without_links, open_step_by_step];

    #[test]
    fn a_link_at_any_component_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(home.path()).unwrap();
        fs::create_dir_all(home.join("a/b/c")).unwrap();
        symlink("b", home.join("a/link")).unwrap();
        symlink("a/b", home.join("far")).unwrap();
        for open in VARIANTS {
            assert!(open(&home.join("a/b/c")).is_ok());
            for path in ["a/link", "a/link/c", "far", "far/c", "missing"] {
                assert!(open(&home.join(path)).is_err(), "{path}");
            }
        }
    }
}
