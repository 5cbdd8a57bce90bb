//! Copies a skill into a store.

use crate::sandbox;
use crate::survey::rel_path;
use crate::walk::{FoundFiles, SkipReason, walk};
use cap_std::fs::{Dir, DirBuilder, Metadata, OpenOptions};
use skillc_domain::path::RelPath;
use skillc_domain::survey::NameFilter;
use skillc_fs::{EntryKind, Folder, TemporaryEntry};
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// Prefix of names of incomplete copies.
const INCOMPLETE: &str = ".skillc-import-";

/// Implements `SkillStores::import`. If the process is killed at any step, both the old and the new skill are
/// complete: at most one of them at the destination, the other under a hidden name next to it.
///
/// Nothing is flushed to the disk: after a power failure the imported skill still exists at its origin.
pub(crate) fn import(from: &Path, to: &Path, aside: Option<&str>) -> Result<(), PortError> {
    let doing = || format!("import '{}' to '{}'", from.display(), to.display());
    let (Some(store), Some(name)) = (to.parent(), to.file_name()) else {
        return Err(PortError::new(ErrorKind::NotAFile, doing()));
    };
    let is_taken = |store: &Folder| store.kind(name).is_some();
    if aside.is_none() && Folder::open_existing(store)?.as_ref().is_some_and(is_taken) {
        return Err(PortError::new(ErrorKind::AlreadyExists, doing()));
    }
    let source = sandbox::open_folder(from)?;
    // The walk ends before the copy exists, since the copy may be inside `from`.
    let walked = walk_all(&source)?;
    let store = Folder::create(store)?;
    store.remove_stale(INCOMPLETE, |kind| kind == EntryKind::Folder);
    put(copy(&source, &walked, &store)?, &store, name, aside)
}

/// Implements `SkillStores::escaping_links`.
pub(crate) fn escaping_links(from: &Path) -> Result<Vec<RelPath>, PortError> {
    let walked = walk(&sandbox::open_folder(from)?, NameFilter::Imported)?;
    let mut links: Vec<RelPath> = walked.escaping.into_iter().map(rel_path).collect();
    links.sort_unstable();
    Ok(links)
}

/// Walks a skill; fails if links lead out of it, or entries cannot be copied.
fn walk_all(source: &Dir) -> Result<FoundFiles, PortError> {
    let mut walked = walk(source, NameFilter::Imported)?;
    if let Some(link) = walked.escaping.first() {
        return Err(
            PortError::new(ErrorKind::Escapes, format!("import '{}'", link.display())).at(Path::new(link))
        );
    }
    match walked.skipped.pop() {
        Some(skipped) => Err(match skipped.reason {
            SkipReason::Refused(error) => {
                PortError::io(format!("import '{}'", skipped.path.display()), error)
            }
            SkipReason::Name => {
                PortError::new(ErrorKind::Failed, format!("import '{}'", skipped.path.display()))
            }
        }),
        None => Ok(walked),
    }
}

/// Copies a skill to a hidden folder in the store.
fn copy<'a>(source: &Dir, walked: &FoundFiles, store: &'a Folder) -> Result<TemporaryEntry<'a>, PortError> {
    let failed = |e| PortError::io(format!("write into '{}'", store.path().display()), e);
    let entry = store.temporary_entry(INCOMPLETE)?;
    store.dir().create_dir_with(entry.name(), &folder_creation(source, Path::new(""))).map_err(failed)?;
    let copy = store.subfolder(entry.name())?.into_dir();
    for folder in walked.folders.iter().map(Path::new).filter(|path| !path.as_os_str().is_empty()) {
        copy.create_dir_with(folder, &folder_creation(source, folder)).map_err(failed)?;
    }
    for file in &walked.files {
        let (mut content, metadata) = sandbox::open_regular(source, Path::new(&file.path))?;
        let mut written = copy.open_with(&file.path, &creation(&metadata)).map_err(failed)?.into_std();
        io::copy(&mut content, &mut written).map_err(failed)?;
    }
    Ok(entry)
}

/// Renames a copy to its final name; an existing skill is renamed to `aside` if given.
fn put(copy: TemporaryEntry<'_>, store: &Folder, name: &OsStr, aside: Option<&str>) -> Result<(), PortError> {
    match aside.filter(|_| store.kind(name).is_some()) {
        Some(aside) => copy.swap_in(name, aside),
        None => copy.persist_new(name),
    }
}

/// Creates a folder with the permissions of the original.
fn folder_creation(source: &Dir, folder: &Path) -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, folder_mode(source, folder));
    #[cfg(not(unix))]
    let _ = (source, folder);
    builder
}

/// The permissions of a folder before the umask, including those that its owner needs to fill it.
#[cfg(unix)]
fn folder_mode(source: &Dir, folder: &Path) -> u32 {
    use cap_std::fs::PermissionsExt;
    sandbox::metadata(source, folder).map_or(0o700, |metadata| metadata.permissions().mode() & 0o777 | 0o700)
}

/// Creates a file with the permissions of the original, writable by its owner.
fn creation(copied: &Metadata) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use cap_std::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(copied.permissions().mode() & 0o777 | 0o600);
    }
    #[cfg(not(unix))]
    let _ = copied;
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;
    use std::time::Duration;
    use tempfile::TempDir;

    /// The name that a replaced skill gets.
    const ASIDE: &str = ".aside";

    /// A store, and a folder `from` to import.
    struct Scene(TempDir);

    impl Scene {
        fn new(files: &[&str]) -> Self {
            let scene = Self(TempDir::new().unwrap());
            fs::create_dir(scene.at("from")).unwrap();
            files.iter().for_each(|file| scene.write(&format!("from/{file}"), file));
            scene
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            fs::write(self.at(path), text).unwrap();
        }

        fn import(&self, replaces: bool) -> Result<(), ErrorKind> {
            import(&self.at("from"), &self.at("store/x"), replaces.then_some(ASIDE)).map_err(|e| e.kind)
        }

        /// Paths of files and links below a folder, with their contents.
        fn tree(&self, folder: &str) -> Vec<(String, String)> {
            let root = self.at(folder);
            let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
            let below = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let text = |path: &Path| fs::read_to_string(path).unwrap();
            let files = files.filter(|e| !e.file_type().is_dir());
            files.map(|e| (below(e.path()), text(e.path()))).collect()
        }

        fn names(&self, folder: &str) -> Vec<String> {
            self.tree(folder).into_iter().map(|(path, _)| path).collect()
        }
    }

    /// RFC-0001:C-IMPORT
    #[test]
    fn a_path_outside_the_stores_is_imported_whole() {
        let left_out = [".git/config", "a/.jj/x", ".skillc-meta/manifest.json"];
        let scene = Scene::new(&["SKILL.md", ".hidden", "a/.b/c", left_out[0], left_out[1], left_out[2]]);
        fs::create_dir(scene.at("from/empty")).unwrap();
        symlink("a/.b", scene.at("from/link")).unwrap();
        symlink("SKILL.md", scene.at("from/same.md")).unwrap();
        symlink("nothing", scene.at("from/dangling")).unwrap();
        scene.import(false).unwrap();
        assert_eq!(scene.names("store"), ["x/.hidden", "x/SKILL.md", "x/a/.b/c", "x/link/c", "x/same.md"]);
        assert_eq!(fs::read(scene.at("store/x/same.md")).unwrap(), b"SKILL.md");
        assert!(scene.at("store/x/empty").is_dir() && !scene.at("store/x/same.md").is_symlink());
    }

    #[test]
    fn a_copy_is_as_executable_and_as_private_as_what_it_copies() {
        let scene = Scene::new(&["SKILL.md", "run.sh", "private", "folder/a"]);
        for (name, mode) in [("run.sh", 0o755), ("private", 0o400), ("SKILL.md", 0o644), ("folder", 0o500)] {
            fs::set_permissions(scene.at("from").join(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        scene.import(false).unwrap();
        let mode = |name: &str| fs::metadata(scene.at("store/x").join(name)).unwrap().permissions().mode();
        assert_eq!(mode("run.sh") & 0o700, 0o700);
        assert_eq!(mode("private") & 0o777, 0o600);
        assert_eq!(mode("SKILL.md") & 0o111, 0);
        assert_eq!(mode("folder") & 0o777, 0o700);
        fs::create_dir(scene.at("plain")).unwrap();
        assert_eq!(mode(""), fs::metadata(scene.at("plain")).unwrap().permissions().mode());
    }

    /// RFC-0001:C-IMPORT
    #[test]
    fn an_import_over_an_existing_skill_is_refused() {
        let scene = Scene::new(&["SKILL.md"]);
        scene.write("store/x/SKILL.md", "old");
        assert_eq!(scene.import(false), Err(ErrorKind::AlreadyExists));
        assert_eq!(scene.tree("store"), [("x/SKILL.md".to_owned(), "old".to_owned())]);
        scene.write("store/x/notes.md", "old");
        scene.import(true).unwrap();
        assert_eq!(scene.tree("store/x"), [("SKILL.md".to_owned(), "SKILL.md".to_owned())]);
        assert_eq!(scene.names("store/.aside"), ["SKILL.md", "notes.md"], "the old one is kept");
    }

    #[test]
    fn a_link_in_the_store_is_replaced_and_not_what_it_leads_to() {
        let scene = Scene::new(&["SKILL.md"]);
        scene.write("dev/SKILL.md", "dev");
        fs::create_dir(scene.at("store")).unwrap();
        symlink(scene.at("dev"), scene.at("store/x")).unwrap();
        assert_eq!(scene.import(false), Err(ErrorKind::AlreadyExists));
        scene.import(true).unwrap();
        assert_eq!(scene.names("store/x"), ["SKILL.md"]);
        assert_eq!(fs::read_link(scene.at("store/.aside")).unwrap(), scene.at("dev"));
        assert_eq!(fs::read(scene.at("dev/SKILL.md")).unwrap(), b"dev");
    }

    #[test]
    fn an_import_that_fails_leaves_nothing_behind() {
        let scene = Scene::new(&["SKILL.md"]);
        scene.write("secret", "s");
        symlink("../secret", scene.at("from/.out")).unwrap();
        assert_eq!(scene.import(false), Err(ErrorKind::Escapes));
        assert!(!scene.at("store").exists());
        let links = escaping_links(&scene.at("from")).unwrap();
        assert_eq!(links.iter().map(RelPath::as_str).collect::<Vec<_>>(), [".out"]);
        assert_eq!(escaping_links(&scene.at("nothing")).unwrap_err().kind, ErrorKind::NotFound);
    }

    /// A copy that fails halfway: its files are listed, and one of them disappears.
    #[test]
    fn a_copy_that_stops_half_way_is_deleted() {
        let scene = Scene::new(&["SKILL.md", "a.md"]);
        let source = sandbox::open_folder(&scene.at("from")).unwrap();
        let walked = walk_all(&source).unwrap();
        fs::remove_file(scene.at("from/a.md")).unwrap();
        let store = Folder::create(&scene.at("store")).unwrap();
        assert!(copy(&source, &walked, &store).is_err());
        assert_eq!(fs::read_dir(scene.at("store")).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_holds_the_store_is_imported_once() {
        let scene = Scene::new(&["SKILL.md", ".skillc/skills/y/SKILL.md"]);
        let to = scene.at("from/.skillc/skills/x");
        import(&scene.at("from"), &to, None).unwrap();
        assert_eq!(scene.names("from/.skillc/skills/x"), [".skillc/skills/y/SKILL.md", "SKILL.md"]);
    }

    /// RFC-0001:C-IMPORT
    #[test]
    fn a_forced_import_that_stops_half_way_leaves_one_whole_skill() {
        let scene = Scene::new(&["SKILL.md"]);
        scene.write("store/x/SKILL.md", "old");
        let source = sandbox::open_folder(&scene.at("from")).unwrap();
        let store = Folder::open(&scene.at("store")).unwrap();
        let copy = copy(&source, &walk_all(&source).unwrap(), &store).unwrap();
        assert_eq!(fs::read_to_string(scene.at("store/x/SKILL.md")).unwrap(), "old", "killed after the copy");
        store.remove_all(copy.name()).unwrap();
        assert!(put(copy, &store, OsStr::new("x"), Some(ASIDE)).is_err());
        assert_eq!(scene.names("store"), ["x/SKILL.md"], "the old one is put back");
    }

    /// D1
    #[test]
    fn nothing_is_imported_into_a_store_behind_a_link() {
        let scene = Scene::new(&["SKILL.md"]);
        fs::create_dir(scene.at("elsewhere")).unwrap();
        symlink("elsewhere", scene.at("store")).unwrap();
        for replaces in [false, true] {
            assert_eq!(scene.import(replaces), Err(ErrorKind::Linked));
        }
        assert!(scene.names("elsewhere").is_empty());
    }

    #[test]
    fn left_overs_of_killed_imports_go_when_they_are_old() {
        let scene = Scene::new(&["SKILL.md"]);
        let aged = |name: &str, age: u64| {
            let age = Duration::from_secs(age);
            let folder = scene.at("store").join(name);
            scene.write(&format!("store/{name}/SKILL.md"), "x");
            fs::File::open(folder).unwrap().set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        aged(".skillc-import-old", 7_200);
        aged(".skillc-import-new", 0);
        aged(".skillc-replaced-x", 7_200);
        aged(".mine", 7_200);
        scene.import(false).unwrap();
        let left = [".mine", ".skillc-import-new", ".skillc-replaced-x", "x"];
        assert_eq!(scene.names("store"), left.map(|name| format!("{name}/SKILL.md")));
    }
}
