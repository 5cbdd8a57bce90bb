//! Deploys runtimes to agents' folders by symbolic link, by junction on Windows, or by copy.
//!
//! Callers decide what may be replaced; a failed replacement leaves the old entry in place.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod destination;

use destination::{Destination, hidden_prefix};
use skillc_domain::deploy::{Method, Occupant};
use skillc_domain::limits::RUNTIME_FILE_BYTES_MAX;
use skillc_domain::linked_files::LinkedEntry;
use skillc_domain::places::{META_DIR, SKILL_FILE};
use skillc_fs::{EntryKind, Folder};
use skillc_ports::deployer::Deployer;
use skillc_ports::error::{ErrorKind, PortError};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The manifest's name in `META_DIR`.
const MANIFEST: &str = "manifest.json";

/// Deploys on the local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkDeployer;

impl Deployer for LinkDeployer {
    fn look(&self, place: &Path) -> Result<Occupant, PortError> {
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Ok(Occupant::Folder);
        };
        match Folder::open_existing(parent)? {
            Some(folder) => occupant(&folder, name),
            None => Ok(Occupant::Nothing),
        }
    }

    fn link(&self, runtime: &Path, place: &Path, aside: Option<&str>) -> Result<Method, PortError> {
        // A junction contains an absolute path.
        let target = match place.parent().filter(|_| cfg!(windows) && runtime.is_relative()) {
            Some(folder) => normalized(&folder.join(runtime)),
            None => runtime.to_owned(),
        };
        let destination = Destination::create(place)?;
        if !destination.folder.read_link(&destination.name).is_ok_and(|current| current == target) {
            destination.put(destination.make_link(&target)?, aside)?;
        }
        Ok(if cfg!(windows) { Method::Junction } else { Method::Symlink })
    }

    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path, aside: Option<&str>) -> Result<(), PortError> {
        let destination = Destination::create(place)?;
        if is_copy_of(&destination, stub, manifest) {
            return Ok(());
        }
        let made = destination.make_folder()?;
        let copy = destination.folder.subfolder(made.name())?;
        copy.write_atomic(SKILL_FILE, stub)?;
        copy.create_subfolder(META_DIR)?.write_atomic(MANIFEST, manifest)?;
        destination.put(made, aside)
    }

    fn link_entries(&self, runtime: &Path, entries: &[LinkedEntry]) -> Result<(), PortError> {
        let folder = Folder::open(runtime)?;
        for (name, kind) in folder.entries()? {
            if kind == EntryKind::Link && entries.iter().all(|entry| name != *entry.name) {
                folder.remove_file(&name)?;
            }
        }
        for entry in entries {
            let is_free = match folder.kind(&entry.name) {
                Some(EntryKind::Link) => folder.read_link(&entry.name)? != entry.target,
                other => other.is_none(),
            };
            // A junction can only lead to a folder, and needs an absolute path.
            if is_free && (cfg!(unix) || (entry.is_folder && entry.target.is_absolute())) {
                let destination = Destination::create(&runtime.join(&entry.name))?;
                destination.put(destination.make_link(&entry.target)?, None)?;
            }
        }
        Ok(())
    }

    fn remove(&self, place: &Path) -> Result<(), PortError> {
        let (folder, name) = match Folder::of_file(place) {
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        match occupant(&folder, &name)? {
            Occupant::Nothing => Ok(()),
            Occupant::Link { .. } => folder.remove_file(&name).map(drop),
            Occupant::Compiled(_) => remove_whole_copy(&folder, &name),
            Occupant::CompiledAndMore(_) => remove_copy(&folder, &name),
            Occupant::Folder | Occupant::File => {
                Err(PortError::new(ErrorKind::NotAFile, format!("remove '{}'", place.display())))
            }
        }
    }
}

fn occupant(folder: &Folder, name: &OsStr) -> Result<Occupant, PortError> {
    let Some(entry) = folder.entry(name)? else { return Ok(Occupant::Nothing) };
    match entry.kind {
        EntryKind::Link => {
            let to = normalized(&folder.path().join(folder.read_link(name)?));
            Ok(Occupant::Link { to, is_dangling: folder.is_dangling(name) })
        }
        EntryKind::Folder => folder_occupant(&folder.subfolder(name)?),
        EntryKind::File | EntryKind::Other => Ok(Occupant::File),
    }
}

/// Distinguishes compiled copies from other folders.
fn folder_occupant(folder: &Folder) -> Result<Occupant, PortError> {
    let Some((meta, manifest)) = manifest_of(folder) else { return Ok(Occupant::Folder) };
    let is_ours_alone = holds_only(folder, &[SKILL_FILE, META_DIR])
        && holds_only(&meta, &[MANIFEST])
        && folder.kind(SKILL_FILE) != Some(EntryKind::Folder);
    Ok(if is_ours_alone { Occupant::Compiled(manifest) } else { Occupant::CompiledAndMore(manifest) })
}

/// Reads the manifest of a copy without following links; also returns its folder.
fn manifest_of(folder: &Folder) -> Option<(Folder, Vec<u8>)> {
    let meta = folder.subfolder(META_DIR).ok()?;
    let manifest = meta.read(MANIFEST, RUNTIME_FILE_BYTES_MAX).ok()?;
    Some((meta, manifest))
}

/// Removes `.` and `..` from an absolute path without consulting the file system.
fn normalized(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(clean.pop()),
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// Whether the destination consists of exactly these two files.
fn is_copy_of(destination: &Destination, stub: &[u8], manifest: &[u8]) -> bool {
    let Ok(folder) = destination.folder.subfolder(&destination.name) else { return false };
    let Some((meta, current)) = manifest_of(&folder) else { return false };
    current == manifest
        && holds_only(&folder, &[META_DIR, SKILL_FILE])
        && holds_only(&meta, &[MANIFEST])
        && folder.read(SKILL_FILE, RUNTIME_FILE_BYTES_MAX).is_ok_and(|current| current == stub)
}

fn holds_only(folder: &Folder, names: &[&str]) -> bool {
    folder.entries().is_ok_and(|all| all.iter().all(|(name, _)| names.iter().any(|known| name == *known)))
}

/// Renames a copy before deleting it, so that a kill leaves all of it or nothing at the place.
fn remove_whole_copy(parent: &Folder, name: &OsStr) -> Result<(), PortError> {
    // Deletes the entry on drop.
    let hidden = parent.temporary_entry(&hidden_prefix(name))?;
    parent.rename(name, parent, hidden.name())?;
    let occupant = occupant(parent, OsStr::new(hidden.name()))?;
    if !matches!(occupant, Occupant::Compiled(_)) {
        // Someone has added a file in the meantime.
        hidden.persist_new(name)?;
        return remove_copy(parent, name);
    }
    Ok(())
}

/// Deletes the two files of a copy and keeps all others. The stub goes first: after a kill, the manifest still
/// identifies the rest as a copy.
fn remove_copy(parent: &Folder, name: &OsStr) -> Result<(), PortError> {
    let folder = parent.subfolder(name)?;
    let meta = folder.subfolder(META_DIR)?;
    for (folder, file) in [(&folder, SKILL_FILE), (&meta, MANIFEST)] {
        if folder.kind(file) != Some(EntryKind::Folder) {
            folder.remove_file(file)?;
        }
    }
    for (above, empty) in [(&folder, OsStr::new(META_DIR)), (parent, name)] {
        match above.remove_empty_folder(empty) {
            Err(error) if error.kind != ErrorKind::Busy => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// A home folder with a runtime `r`, and a place `agent/skills/x` for deploying it.
    struct Scene(TempDir);

    impl Scene {
        fn new() -> Self {
            let scene = Self(TempDir::new().unwrap());
            scene.write("r/SKILL.md", "stub");
            scene
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn place(&self) -> PathBuf {
            self.at("agent/skills/x")
        }

        fn write(&self, path: &str, text: &str) {
            fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            fs::write(self.at(path), text).unwrap();
        }

        fn look(&self) -> Occupant {
            LinkDeployer.look(&self.place()).unwrap()
        }

        fn copy(&self, manifest: &str) {
            LinkDeployer.copy(b"stub", manifest.as_bytes(), &self.place(), None).unwrap();
        }

        fn link(&self) -> Method {
            LinkDeployer.link(&self.at("r"), &self.place(), None).unwrap()
        }

        fn names(&self, folder: &str) -> Vec<String> {
            let entries = fs::read_dir(self.at(folder)).unwrap();
            let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn a_deploy_is_a_link_to_the_runtime() {
        let scene = Scene::new();
        assert_eq!(scene.look(), Occupant::Nothing);
        assert_eq!(scene.link(), Method::Symlink);
        assert_eq!(scene.link(), Method::Symlink);
        assert_eq!(fs::read_link(scene.place()).unwrap(), scene.at("r"));
        assert_eq!(scene.look(), Occupant::Link { to: scene.at("r"), is_dangling: false });
        assert_eq!(scene.names("agent/skills"), ["x"]);
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn a_copy_holds_the_stub_and_the_manifest_only() {
        let scene = Scene::new();
        scene.copy("{}");
        scene.copy("{}");
        scene.copy("{1}");
        assert_eq!(scene.look(), Occupant::Compiled(b"{1}".to_vec()));
        assert_eq!(scene.names("agent/skills"), ["x"]);
        assert_eq!(scene.names("agent/skills/x"), [".skillc-meta", "SKILL.md"]);
        assert_eq!(scene.names("agent/skills/x/.skillc-meta"), ["manifest.json"]);
        scene.write("agent/skills/x/stray", "");
        LinkDeployer.copy(b"stub", b"{1}", &scene.place(), Some(".aside")).unwrap();
        assert_eq!(scene.names("agent/skills/x"), [".skillc-meta", "SKILL.md"]);
        assert!(scene.at("agent/skills/.aside/stray").exists(), "what is not ours is kept");
    }

    /// RFC-0001:C-FILES
    #[test]
    fn links_beside_the_stub_follow_the_source_and_spare_what_is_no_link() {
        let scene = Scene::new();
        scene.write("s/scripts/x.py", "");
        scene.write("r/assets/mine", "");
        symlink("gone", scene.at("r/old")).unwrap();
        let entry = |name: &str| LinkedEntry {
            name: name.to_owned(),
            is_folder: true,
            target: Path::new("../s").join(name),
        };
        for _ in 0..2 {
            LinkDeployer.link_entries(&scene.at("r"), &[entry("assets"), entry("scripts")]).unwrap();
            assert_eq!(scene.names("r"), ["SKILL.md", "assets", "scripts"]);
        }
        assert!(scene.at("r/scripts/x.py").is_file() && scene.at("r/assets/mine").is_file());
        LinkDeployer.link_entries(&scene.at("r"), &[]).unwrap();
        assert_eq!(scene.names("r"), ["SKILL.md", "assets"]);
    }

    #[test]
    fn others_may_read_a_copy_as_far_as_the_umask_allows() {
        use std::os::unix::fs::PermissionsExt;
        let scene = Scene::new();
        scene.copy("{}");
        let mode = |path: &str| fs::metadata(scene.at(path)).unwrap().permissions().mode();
        assert_eq!(mode("agent/skills/x"), mode("agent/skills"));
    }

    /// RFC-0001:C-DEPLOYMENT
    #[test]
    fn any_entry_is_replaced_by_a_link_or_a_copy() {
        let occupy: [fn(&Scene); 4] = [
            |scene| scene.write("agent/skills/x/SKILL.md", "mine"),
            |scene| scene.write("agent/skills/x", "mine"),
            |scene| {
                scene.write("elsewhere/file", "kept");
                fs::create_dir_all(scene.at("agent/skills")).unwrap();
                symlink(scene.at("elsewhere"), scene.place()).unwrap();
            },
            |scene| scene.copy("{}"),
        ];
        for occupy in occupy {
            let scene = Scene::new();
            occupy(&scene);
            scene.link();
            assert_eq!(scene.look(), Occupant::Link { to: scene.at("r"), is_dangling: false });
            LinkDeployer.remove(&scene.place()).unwrap();
            occupy(&scene);
            scene.copy("new");
            assert_eq!(scene.look(), Occupant::Compiled(b"new".to_vec()));
            assert_eq!(scene.names("agent/skills"), ["x"]);
            assert!(scene.names("r") == ["SKILL.md"], "the runtime is left alone");
            assert!(!scene.at("elsewhere").exists() || scene.names("elsewhere") == ["file"]);
            assert!(LinkDeployer.copy(b"", b"", Path::new("/"), None).is_err());
        }
    }

    #[test]
    fn a_place_that_cannot_be_made_is_an_error() {
        let scene = Scene::new();
        scene.write("agent", "a file in the way");
        assert!(LinkDeployer.link(&scene.at("r"), &scene.place(), None).is_err());
        assert!(LinkDeployer.copy(b"", b"", &scene.place(), None).is_err());
        assert_eq!(scene.look(), Occupant::Nothing);
        assert_eq!(fs::read(scene.at("agent")).unwrap(), b"a file in the way");
    }

    #[test]
    fn an_occupant_is_classified_without_following_links() {
        let scene = Scene::new();
        scene.write("agent/skills/file", "");
        scene.write("agent/skills/folder/SKILL.md", "");
        scene.write("real/manifest.json", "{}");
        fs::create_dir(scene.at("agent/skills/disguised")).unwrap();
        symlink(scene.at("real"), scene.at("agent/skills/disguised/.skillc-meta")).unwrap();
        symlink("../../r/./", scene.at("agent/skills/relative")).unwrap();
        symlink("nothing", scene.at("agent/skills/dangling")).unwrap();
        symlink("loop", scene.at("agent/skills/loop")).unwrap();
        let look = |name: &str| LinkDeployer.look(&scene.at("agent/skills").join(name)).unwrap();
        let link = |to: &str, is_dangling| Occupant::Link { to: scene.at(to), is_dangling };
        assert_eq!(look("file"), Occupant::File);
        assert_eq!(look("folder"), Occupant::Folder);
        assert_eq!(look("disguised"), Occupant::Folder);
        assert_eq!(look("relative"), link("r", false));
        assert_eq!(look("dangling"), link("agent/skills/nothing", true));
        assert_eq!(look("loop"), link("agent/skills/loop", true));
    }

    /// RFC-0001:C-UNDEPLOY
    #[test]
    fn undeploy_removes_what_a_build_deployed_and_nothing_else() {
        let scene = Scene::new();
        let remove = || LinkDeployer.remove(&scene.place());
        remove().unwrap();
        scene.link();
        remove().unwrap();
        assert_eq!(scene.names("r"), ["SKILL.md"]);
        scene.copy("{}");
        remove().unwrap();
        assert!(scene.names("agent/skills").is_empty());
        scene.write("agent/skills/x/.skillc-meta/manifest.json", "{}");
        scene.write("agent/skills/x/SKILL.md/notes.md", "mine");
        assert_eq!(scene.look(), Occupant::CompiledAndMore(b"{}".to_vec()));
        remove().unwrap();
        assert!(scene.at("agent/skills/x/SKILL.md/notes.md").is_file());
        fs::remove_dir_all(scene.place()).unwrap();
        scene.copy("{}");
        scene.write("agent/skills/x/.skillc-meta/logs.db", "mine");
        scene.write("agent/skills/x/notes.md", "mine");
        remove().unwrap();
        assert_eq!(scene.names("agent/skills/x"), [".skillc-meta", "notes.md"]);
        assert_eq!(scene.names("agent/skills/x/.skillc-meta"), ["logs.db"]);
        assert_eq!(remove().unwrap_err().kind, ErrorKind::NotAFile);
        scene.write("agent/skills/file", "mine");
        let file = LinkDeployer.remove(&scene.at("agent/skills/file"));
        assert_eq!(file.unwrap_err().kind, ErrorKind::NotAFile);
        assert!(scene.at("agent/skills/file").is_file());
    }

    /// When a link replaces a link, there is no moment without one.
    #[test]
    fn a_reader_always_finds_the_old_link_or_the_new_one() {
        let scene = Scene::new();
        scene.write("r2/SKILL.md", "stub");
        scene.link();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| (0..2_000).all(|_| scene.place().join("SKILL.md").is_file()));
            while !reader.is_finished() {
                LinkDeployer.link(&scene.at("r2"), &scene.place(), None).unwrap();
                LinkDeployer.link(&scene.at("r"), &scene.place(), None).unwrap();
            }
            assert!(reader.join().unwrap());
        });
    }
}
