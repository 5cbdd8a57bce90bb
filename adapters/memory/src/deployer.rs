//! Deployment to a machine in memory.

use crate::faults::PortCall;
use crate::machine::{MemoryMachine, World};
use crate::tree::{Content, Tree};
use skillc_domain::deploy::{Method, Occupant};
use skillc_domain::linked_files::LinkedEntry;
use skillc_domain::places::{META_DIR, SKILL_FILE};
use skillc_ports::{Deployer, ErrorKind, PortError, RuntimeFile};
use std::path::{Component, Path, PathBuf};

/// Deploys to folders of a machine in memory.
#[derive(Clone, Debug)]
pub struct MemoryDeployer {
    machine: MemoryMachine,
}

impl MemoryDeployer {
    /// Deploys on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl Deployer for MemoryDeployer {
    fn look(&self, place: &Path) -> Result<Occupant, PortError> {
        let doing = || format!("look at '{}'", place.display());
        self.machine.call(PortCall::LookAtPlace, doing, |world| Ok(occupant(&world.tree, place)))
    }

    fn link(&self, runtime: &Path, place: &Path, aside: Option<&str>) -> Result<Method, PortError> {
        let doing = || format!("link '{}'", place.display());
        self.machine.call(PortCall::DeployLink, doing, |world| {
            let made = made_beside(world, place)?;
            world.tree.put(&made, Content::Link(runtime.to_owned()))?;
            put_in_place(&mut world.tree, &made, place, aside)?;
            Ok(Method::Symlink)
        })
    }

    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path, aside: Option<&str>) -> Result<(), PortError> {
        let doing = || format!("copy to '{}'", place.display());
        self.machine.call(PortCall::DeployCopy, doing, |world| {
            let made = made_beside(world, place)?;
            for (file, bytes) in [(RuntimeFile::Stub, stub), (RuntimeFile::Manifest, manifest)] {
                let file = made.join(file.path());
                world.tree.make_folders(file.parent().unwrap_or(&made))?;
                world.tree.write(&file, bytes)?;
            }
            put_in_place(&mut world.tree, &made, place, aside)
        })
    }

    fn link_entries(&self, runtime: &Path, entries: &[LinkedEntry]) -> Result<(), PortError> {
        let doing = || format!("link the files of '{}'", runtime.display());
        self.machine.call(PortCall::LinkEntries, doing, |world| {
            let tree = &mut world.tree;
            let there = tree.find_itself(runtime).map(|id| tree.entries(id)).unwrap_or_default();
            for (name, id) in there {
                let is_deployed = entries.iter().any(|entry| {
                    entry.name == name && matches!(tree.content(id), Content::Link(to) if *to == entry.target)
                });
                if matches!(tree.content(id), Content::Link(_)) && !is_deployed {
                    tree.delete(&runtime.join(&name))?;
                }
            }
            for entry in entries {
                let place = runtime.join(&entry.name);
                if tree.find_itself(&place).is_err() {
                    tree.put(&place, Content::Link(entry.target.clone()))?;
                }
            }
            Ok(())
        })
    }

    fn remove(&self, place: &Path) -> Result<(), PortError> {
        let doing = || format!("remove '{}'", place.display());
        self.machine.call(PortCall::Undeploy, doing, |world| match occupant(&world.tree, place) {
            Occupant::Nothing => Ok(()),
            Occupant::Link { .. } => world.tree.delete(place),
            Occupant::Compiled(_) | Occupant::CompiledAndMore(_) => remove_copy(&mut world.tree, place),
            Occupant::Folder | Occupant::File => Err(ErrorKind::NotAFile),
        })
    }
}

fn occupant(tree: &Tree, place: &Path) -> Occupant {
    let Ok(id) = tree.find_itself(place) else { return Occupant::Nothing };
    match tree.content(id) {
        Content::Link(to) => {
            let is_dangling = tree.find(place).is_err();
            Occupant::Link { to: normalized(&place.parent().unwrap_or(Path::new("/")).join(to)), is_dangling }
        }
        Content::Folder(_) => match manifest(tree, place) {
            None => Occupant::Folder,
            Some(manifest) if is_copy_alone(tree, place) => Occupant::Compiled(manifest),
            Some(manifest) => Occupant::CompiledAndMore(manifest),
        },
        Content::File(_) | Content::Special | Content::Index(_) | Content::Log(_) => Occupant::File,
    }
}

/// Whether a folder has exactly the files of a deployed copy.
fn is_copy_alone(tree: &Tree, place: &Path) -> bool {
    let holds_only = |folder: &Path, names: &[&str]| {
        let entries = tree.find_itself(folder).map(|id| tree.entries(id)).unwrap_or_default();
        entries.iter().all(|(name, _)| names.contains(&name.as_str()))
    };
    holds_only(place, &[SKILL_FILE, META_DIR]) && holds_only(&place.join(META_DIR), &["manifest.json"])
}

/// The manifest in a folder; links are not followed.
fn manifest(tree: &Tree, place: &Path) -> Option<Vec<u8>> {
    let meta = tree.find_itself(&place.join(META_DIR)).ok()?;
    let manifest = tree.find_itself(&place.join(RuntimeFile::Manifest.path())).ok()?;
    match (tree.content(meta), tree.content(manifest)) {
        (Content::Folder(_), Content::File(bytes)) => Some(bytes.clone()),
        _ => None,
    }
}

/// A path without `.` and `..`, resolved without the file system.
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

/// An unused hidden name next to a place, in an existing folder.
fn made_beside(world: &mut World, place: &Path) -> Result<PathBuf, ErrorKind> {
    world.tree.make_folders(place.parent().unwrap_or(Path::new("/")))?;
    Ok(place.with_file_name(format!(".skillc-deploy-{}", world.tree.steps_taken)))
}

/// Renames to a place. Existing content is renamed to `aside`, or swapped and deleted.
fn put_in_place(tree: &mut Tree, made: &Path, place: &Path, aside: Option<&str>) -> Result<(), ErrorKind> {
    if tree.find_itself(place).is_err() {
        return tree.rename(made, place);
    }
    if let Some(aside) = aside {
        tree.exchange(made, place)?;
        return tree.rename(made, &place.with_file_name(aside));
    }
    tree.exchange(made, place)?;
    tree.delete(made)
}

fn remove_copy(tree: &mut Tree, place: &Path) -> Result<(), ErrorKind> {
    for file in [RuntimeFile::Stub, RuntimeFile::Manifest] {
        tree.delete(&place.join(file.path()))?;
    }
    let meta = place.join(META_DIR);
    for folder in [meta.as_path(), place] {
        if tree.find(folder).is_ok_and(|id| tree.entries(id).is_empty()) {
            tree.delete(folder)?;
        }
    }
    Ok(())
}
