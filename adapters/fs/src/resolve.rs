//! Resolves paths on which a user's own links are allowed.

use skillc_ports::{ErrorKind, PortError};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Number of links on a path from which it counts as a loop; the limit of Linux.
const LINKS_MAX: usize = 40;

/// The first link on an absolute path.
pub(crate) fn first_link(path: &Path) -> Option<PathBuf> {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    let is_link = |path: &&&Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    above.iter().find(is_link).map(|path| path.to_path_buf())
}

/// Resolves an absolute path if every link on it belongs to this user or root. Components that do not exist are kept.
///
/// # Errors
/// `Linked` with a link that belongs to another user or is part of a loop.
pub fn resolve_users(path: &Path) -> Result<PathBuf, PortError> {
    resolve(path, is_users)
}

/// The canonical form of a path, as [`fs::canonicalize`], which takes a system call for each component even if none is a link.
///
/// # Errors
/// Those of the system, for instance if the path does not exist.
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    match opens_without_links(path) {
        Some(Ok(())) => Ok(path.components().collect()),
        _ => fs::canonicalize(path),
    }
}

/// Resolves an absolute path that must end inside one of the canonical roots. Components that do not exist are kept.
///
/// # Errors
/// `Linked` with the first link on a path that leads out, or with one that is part of a loop.
pub fn resolve_within(path: &Path, roots: &[&Path]) -> Result<PathBuf, PortError> {
    let resolved = resolve(path, |_| true)?;
    match roots.iter().any(|root| resolved.starts_with(root)) {
        true => Ok(resolved),
        // Without `.`, as it is shown.
        false => Err(linked(
            &first_link(path).unwrap_or_else(|| path.to_owned()).components().collect::<PathBuf>(),
        )),
    }
}

/// Whether a file or link belongs to the current user or root.
#[cfg(unix)]
pub(crate) fn is_users(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    [rustix::process::geteuid().as_raw(), 0].contains(&metadata.uid())
}

/// Always true: owners are not compared on this system.
#[cfg(not(unix))]
pub(crate) fn is_users(_: &Metadata) -> bool {
    true
}

/// The error for a link that must not be followed.
pub(crate) fn linked(link: &Path) -> PortError {
    PortError::new(ErrorKind::Linked, format!("follow the link '{}'", link.display())).at(link)
}

/// Resolves every link; fails at one for which `may_follow` is false.
fn resolve(path: &Path, may_follow: fn(&Metadata) -> bool) -> Result<PathBuf, PortError> {
    if has_no_link(path) {
        return Ok(path.components().collect());
    }
    let mut left: Vec<OsString> = parts(path);
    let (mut resolved, mut links) = (PathBuf::from("/"), 0);
    if let Some(prefix @ Component::Prefix(_)) = path.components().next() {
        resolved = [prefix, Component::RootDir].iter().collect();
    }
    while let Some(part) = left.pop() {
        if part == ".." {
            resolved.pop();
            continue;
        }
        let at = resolved.join(&part);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => {
                links += 1;
                let to = fs::read_link(&at).map_err(|_| linked(&at))?;
                if links > LINKS_MAX || !may_follow(&metadata) {
                    return Err(linked(&at));
                }
                if to.is_absolute() {
                    resolved = PathBuf::from("/");
                }
                left.extend(parts(&to));
            }
            _ => resolved = at,
        }
    }
    Ok(resolved)
}

/// Whether an absolute path certainly contains neither links nor `..`.
fn has_no_link(path: &Path) -> bool {
    match opens_without_links(path) {
        // Components are looked up in order, so none before the missing one is a link.
        Some(opened) => opened.map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |()| true),
        None => false,
    }
}

/// Opens an absolute path without `..` if no component is a link; `None` for any other path. Takes one system call, while
/// resolving takes one per component.
#[cfg(target_os = "linux")]
fn opens_without_links(path: &Path) -> Option<io::Result<()>> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    let is_normal = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let opened = || openat2(CWD, path, flags, Mode::empty(), resolve).map(drop).map_err(io::Error::from);
    (path.is_absolute() && is_normal).then(opened)
}

/// Always `None`: other systems resolve each component.
#[cfg(not(target_os = "linux"))]
fn opens_without_links(_: &Path) -> Option<io::Result<()>> {
    None
}

/// The components of a path, last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    names.rev().collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn scene() -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(home.path()).unwrap();
        fs::create_dir_all(path.join("p/in/deep")).unwrap();
        fs::create_dir_all(path.join("outside/deep")).unwrap();
        symlink("in", path.join("p/inner")).unwrap();
        symlink("../outside", path.join("p/outer")).unwrap();
        symlink("loop", path.join("p/loop")).unwrap();
        (home, path)
    }

    #[test]
    fn a_link_may_lead_anywhere_inside_and_nowhere_else() {
        let (_home, at) = scene();
        let root = at.join("p");
        let within = |path: &str| resolve_within(&root.join(path), &[&root]);
        assert_eq!(within("inner/deep").unwrap(), root.join("in/deep"));
        assert_eq!(within("inner/new/x").unwrap(), root.join("in/new/x"));
        assert_eq!(within("outer/../p/in").unwrap(), root.join("in"), "it ends inside");
        for (path, link) in [("outer", "p/outer"), ("outer/deep", "p/outer"), ("loop/x", "p/loop")] {
            let error = within(path).unwrap_err();
            assert_eq!((error.kind, error.at), (ErrorKind::Linked, Some(at.join(link))), "{path}");
        }
        assert_eq!(within("..").unwrap_err().kind, ErrorKind::Linked);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_path_without_links_is_known_in_one_step() {
        let (_home, at) = scene();
        for plain in ["p/in/deep", "p/in/", "p/missing/x"] {
            assert!(has_no_link(&at.join(plain)), "{plain}");
        }
        for other in ["p/inner", "p/inner/deep", "p/outer", "p/loop", "p/loop/x", "p/in/../in"] {
            assert!(!has_no_link(&at.join(other)), "{other}");
        }
        assert!(!has_no_link(Path::new("p/in")));
    }

    #[test]
    fn a_path_is_made_canonical_as_by_the_system() {
        let (_home, at) = scene();
        for path in
            ["p/in/deep", "p/in/", "p//in/./deep", "p/inner/deep", "p/outer", "p/in/..", "p/loop", "none"]
        {
            let path = at.join(path);
            assert_eq!(canonicalize(&path).ok(), fs::canonicalize(&path).ok(), "{path:?}");
        }
    }

    #[test]
    fn links_of_the_user_are_followed() {
        let (_home, at) = scene();
        assert_eq!(resolve_users(&at.join("p/outer/deep")).unwrap(), at.join("outside/deep"));
        assert_eq!(resolve_users(&at.join("p/inner/new/x")).unwrap(), at.join("p/in/new/x"));
        assert_eq!(resolve_users(&at.join("p/loop")).unwrap_err().kind, ErrorKind::Linked);
        // Only root may change the owner of a link.
        if std::os::unix::fs::lchown(at.join("p/outer"), Some(1234), None).is_ok() {
            assert_eq!(resolve_users(&at.join("p/outer/deep")).unwrap_err().at, Some(at.join("p/outer")));
        }
    }
}
