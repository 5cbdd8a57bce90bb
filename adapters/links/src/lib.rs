//! Deployment of runtimes to agents' folders: by symbolic link, by junction on Windows, or by copy.
//!
//! What may be replaced is the caller's decision; here it is done so that a failure leaves what stood there.

mod place;

use place::{Beside, is_absent, put};
use skillc_domain::deploy::{Method, Occupant};
use skillc_domain::places::{META_DIR, SKILL_FILE};
use skillc_ports::deployer::Deployer;
use skillc_ports::error::{ErrorKind, PortError};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The manifest's name in `META_DIR`.
const MANIFEST: &str = "manifest.json";

/// Deploys on this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkDeployer;

impl Deployer for LinkDeployer {
    fn look(&self, place: &Path) -> Result<Occupant, PortError> {
        look(place).map_err(|e| PortError::io(format!("look at '{}'", place.display()), e))
    }

    fn link(&self, runtime: &Path, place: &Path) -> Result<Method, PortError> {
        link(runtime, place).map_err(|e| PortError::io(format!("link '{}'", place.display()), e))?;
        Ok(if cfg!(windows) { Method::Junction } else { Method::Symlink })
    }

    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path) -> Result<(), PortError> {
        copy(stub, manifest, place).map_err(|e| PortError::io(format!("copy to '{}'", place.display()), e))
    }

    fn remove(&self, place: &Path) -> Result<(), PortError> {
        let doing = || format!("remove '{}'", place.display());
        let removed = match self.look(place)? {
            Occupant::Nothing => Ok(()),
            Occupant::Link { .. } => place::delete_link(place),
            Occupant::Compiled(_) | Occupant::CompiledAndMore(_) => remove_copy(place),
            Occupant::Folder | Occupant::File => return Err(PortError::new(ErrorKind::NotAFile, doing())),
        };
        removed.map_err(|e| PortError::io(doing(), e))
    }
}

fn look(place: &Path) -> io::Result<Occupant> {
    let metadata = match fs::symlink_metadata(place) {
        Err(e) if is_absent(&e) => return Ok(Occupant::Nothing),
        looked => looked?,
    };
    if metadata.is_symlink() {
        let to = normalized(&place.parent().unwrap_or(Path::new("/")).join(fs::read_link(place)?))?;
        return Ok(Occupant::Link { to, is_dangling: is_dangling(place) });
    }
    if !metadata.is_dir() {
        return Ok(Occupant::File);
    }
    let Some(manifest) = manifest_of(place) else { return Ok(Occupant::Folder) };
    let is_ours_alone =
        holds_only(place, &[SKILL_FILE, META_DIR]) && holds_only(&place.join(META_DIR), &[MANIFEST]);
    Ok(if is_ours_alone { Occupant::Compiled(manifest) } else { Occupant::CompiledAndMore(manifest) })
}

/// Whether a link leads to nothing, or round in a circle; not when nobody is allowed to see.
fn is_dangling(link: &Path) -> bool {
    fs::metadata(link).is_err_and(|e| e.kind() != io::ErrorKind::PermissionDenied)
}

/// The manifest of a folder, read through no link.
fn manifest_of(folder: &Path) -> Option<Vec<u8>> {
    let meta = folder.join(META_DIR);
    let manifest = meta.join(MANIFEST);
    let is_real = fs::symlink_metadata(&meta).is_ok_and(|m| m.is_dir())
        && fs::symlink_metadata(&manifest).is_ok_and(|m| m.is_file());
    is_real.then(|| fs::read(manifest).ok())?
}

/// An absolute path without `.` and `..`, by its text alone.
fn normalized(path: &Path) -> io::Result<PathBuf> {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => drop(clean.pop()),
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    Ok(clean)
}

fn link(runtime: &Path, place: &Path) -> io::Result<()> {
    let target = std::path::absolute(runtime)?;
    if fs::read_link(place).is_ok_and(|there| there == target) {
        return Ok(());
    }
    let beside = Beside::of(place)?;
    put(beside.make_link(&target)?, &beside)
}

fn copy(stub: &[u8], manifest: &[u8], place: &Path) -> io::Result<()> {
    if is_copy_of(place, stub, manifest) {
        return Ok(());
    }
    let beside = Beside::of(place)?;
    let made = beside.make_folder()?;
    fs::write(made.path().join(SKILL_FILE), stub)?;
    fs::create_dir(made.path().join(META_DIR))?;
    fs::write(made.path().join(META_DIR).join(MANIFEST), manifest)?;
    put(made, &beside)
}

/// Whether these two files and nothing else stand there already.
fn is_copy_of(place: &Path, stub: &[u8], manifest: &[u8]) -> bool {
    let stub_file = place.join(SKILL_FILE);
    !place.is_symlink()
        && holds_only(place, &[META_DIR, SKILL_FILE])
        && holds_only(&place.join(META_DIR), &[MANIFEST])
        && manifest_of(place).is_some_and(|there| there == manifest)
        && fs::symlink_metadata(&stub_file).is_ok_and(|m| m.is_file())
        && fs::read(&stub_file).is_ok_and(|there| there == stub)
}

fn holds_only(folder: &Path, names: &[&str]) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.all(|entry| entry.is_ok_and(|e| names.iter().any(|name| e.file_name() == *name)))
}

/// The stub goes first: after a kill the manifest still tells that the rest is a copy.
fn remove_copy(place: &Path) -> io::Result<()> {
    let meta = place.join(META_DIR);
    for file in [place.join(SKILL_FILE), meta.join(MANIFEST)] {
        let is_folder = fs::symlink_metadata(&file).is_ok_and(|m| m.is_dir());
        if !is_folder {
            fs::remove_file(&file).or_else(|e| if is_absent(&e) { Ok(()) } else { Err(e) })?;
        }
    }
    for folder in [meta.as_path(), place] {
        match fs::remove_dir(folder) {
            Err(e) if e.kind() != io::ErrorKind::DirectoryNotEmpty && !is_absent(&e) => return Err(e),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// A home with a runtime `r` in it, and a place `agent/skills/x` for it.
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
            LinkDeployer.copy(b"stub", manifest.as_bytes(), &self.place()).unwrap();
        }

        fn link(&self) -> Method {
            LinkDeployer.link(&self.at("r"), &self.place()).unwrap()
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
        scene.copy("{1}");
        assert_eq!(scene.names("agent/skills/x"), [".skillc-meta", "SKILL.md"]);
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
    fn whatever_stands_there_is_replaced_by_a_link_or_a_copy() {
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
            assert!(LinkDeployer.copy(b"", b"", Path::new("/")).is_err());
        }
    }

    #[test]
    fn a_place_that_cannot_be_made_is_an_error() {
        let scene = Scene::new();
        scene.write("agent", "a file in the way");
        assert!(LinkDeployer.link(&scene.at("r"), &scene.place()).is_err());
        assert!(LinkDeployer.copy(b"", b"", &scene.place()).is_err());
        assert_eq!(scene.look(), Occupant::Nothing);
        assert_eq!(fs::read(scene.at("agent")).unwrap(), b"a file in the way");
    }

    #[test]
    fn an_occupant_is_told_without_following_links() {
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

    /// A link that replaces a link never leaves a moment without one.
    #[test]
    fn a_reader_always_finds_the_old_link_or_the_new_one() {
        let scene = Scene::new();
        scene.write("r2/SKILL.md", "stub");
        scene.link();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| (0..2_000).all(|_| scene.place().join("SKILL.md").is_file()));
            while !reader.is_finished() {
                LinkDeployer.link(&scene.at("r2"), &scene.place()).unwrap();
                LinkDeployer.link(&scene.at("r"), &scene.place()).unwrap();
            }
            assert!(reader.join().unwrap());
        });
    }
}
