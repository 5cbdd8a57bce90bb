//! Stores of skills.

use crate::faults::PortCall;
use crate::machine::{MemoryMachine, World};
use crate::tree::{Content, NodeId, Tree};
use crate::walk::{Walked, walk};
use skillc_domain::path::RelPath;
use skillc_domain::places::{SKILL_FILE, below};
use skillc_domain::survey::NameFilter;
use skillc_ports::{ErrorKind, Found, PortError, SkillStores};
use std::path::{Path, PathBuf};

/// The name of an incomplete copy; after a swap, of the old skill until it is deleted.
const MAKING: &str = ".skillc-import-";

/// Stores on a machine in memory.
#[derive(Clone, Debug)]
pub struct MemorySkillStores {
    machine: MemoryMachine,
}

impl MemorySkillStores {
    /// The stores of this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl SkillStores for MemorySkillStores {
    fn look(&self, path: &Path, within: &[&Path]) -> Found {
        let tree = &self.machine.world().tree;
        let is_within =
            |real: &PathBuf| within.is_empty() || within.iter().any(|root| real.starts_with(root));
        if tree.canonical(path).is_ok_and(|real| !is_within(&real)) {
            return Found::Linked(path.to_owned());
        }
        if !is_folder(tree, path) {
            Found::Nothing
        } else if !tree.find(&path.join(SKILL_FILE)).is_ok_and(|id| tree.content(id).is_file()) {
            Found::Folder
        } else {
            tree.canonical(path).map_or(Found::Nothing, Found::Skill)
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        is_folder(&self.machine.world().tree, path)
    }

    fn is_file(&self, path: &Path) -> bool {
        let tree = &self.machine.world().tree;
        tree.find(path).is_ok_and(|id| tree.content(id).is_file())
    }

    fn real_path(&self, path: &Path) -> PathBuf {
        let tree = &self.machine.world().tree;
        let resolved =
            |above: &Path| Some(below(tree.canonical(above).ok()?, path.strip_prefix(above).ok()?));
        path.ancestors().find_map(resolved).unwrap_or_else(|| path.to_owned())
    }

    fn users_path(&self, path: &Path) -> Result<PathBuf, PortError> {
        Ok(self.real_path(path))
    }

    fn mentions(&self, file: &Path, word: &str) -> bool {
        let text = self.machine.read(file).and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| holds_word(&text, word))
    }

    fn names(&self, store: &Path) -> Result<Vec<String>, PortError> {
        let doing = || format!("list '{}'", store.display());
        self.machine.call(PortCall::ListStore, doing, |world| {
            world.tree.refuse_links(store)?;
            let Ok(folder) = world.tree.find(store) else { return Ok(Vec::new()) };
            let is_taken =
                |name: &String| !name.starts_with('.') && is_folder(&world.tree, &store.join(name));
            Ok(world.tree.entries(folder).into_iter().map(|(name, _)| name).filter(is_taken).collect())
        })
    }

    fn create_folder(&self, folder: &Path) -> Result<(), PortError> {
        let doing = || format!("make '{}'", folder.display());
        self.machine.call(PortCall::CreateFolder, doing, |world| {
            world.tree.refuse_links(folder)?;
            world.tree.make_folders(folder)
        })
    }

    fn create_skill(&self, folder: &Path, skill_md: &str) -> Result<(), PortError> {
        let file = folder.join(SKILL_FILE);
        let doing = || format!("make '{}'", file.display());
        self.machine.call(PortCall::CreateSkill, doing, |world| {
            world.tree.refuse_links(folder)?;
            world.tree.make_folders(folder)?;
            if world.tree.find_itself(&file).is_ok() {
                return Err(ErrorKind::AlreadyExists);
            }
            let making = folder.join(format!("{MAKING}{SKILL_FILE}"));
            world.tree.write(&making, skill_md.as_bytes())?;
            world.tree.rename(&making, &file)
        })
    }

    fn write_skill(&self, folder: &Path, files: &[(&str, &[u8])]) -> Result<(), PortError> {
        let doing = || format!("write '{}'", folder.display());
        self.machine.call(PortCall::CreateSkill, doing, |world| {
            world.tree.refuse_links(folder)?;
            let made = beside(folder, world.tree.steps_taken);
            for (path, bytes) in files {
                let file = made.join(path);
                world.tree.make_folders(file.parent().unwrap_or(&made))?;
                world.tree.write(&file, bytes)?;
            }
            if world.tree.find_itself(folder).is_err() {
                return world.tree.rename(&made, folder);
            }
            world.tree.exchange(&made, folder)?;
            world.tree.delete(&made)
        })
    }

    fn rename(&self, folder: &Path, name: &str) -> Result<(), PortError> {
        let doing = || format!("rename '{}'", folder.display());
        self.machine.call(PortCall::RenameFolder, doing, |world| {
            world.tree.refuse_links(folder.parent().unwrap_or(folder))?;
            let id = world.tree.find_itself(folder)?;
            if !world.tree.content(id).is_folder() {
                return Err(ErrorKind::NotAFile);
            }
            let new = folder.with_file_name(name);
            if world.tree.find_itself(&new).is_ok() {
                return Err(ErrorKind::AlreadyExists);
            }
            world.tree.rename(folder, &new)
        })
    }

    fn import(&self, from: &Path, to: &Path, aside: Option<&str>) -> Result<(), PortError> {
        let doing = || format!("import '{}' to '{}'", from.display(), to.display());
        self.machine.call(PortCall::Import, doing, |world| import(world, from, to, aside))
    }

    fn escaping_links(&self, from: &Path) -> Result<Vec<RelPath>, PortError> {
        let doing = || format!("walk '{}'", from.display());
        self.machine.call(PortCall::EscapingLinks, doing, |world| {
            let walked = walk(&world.tree, folder_at(&world.tree, from)?, NameFilter::Imported)?;
            Ok(walked.escaping.into_iter().map(RelPath::from_walk).collect())
        })
    }
}

fn is_folder(tree: &Tree, path: &Path) -> bool {
    tree.find(path).is_ok_and(|id| tree.content(id).is_folder())
}

fn folder_at(tree: &Tree, path: &Path) -> Result<NodeId, ErrorKind> {
    tree.find(path).ok().filter(|id| tree.content(*id).is_folder()).ok_or(ErrorKind::NotFound)
}

fn import(world: &mut World, from: &Path, to: &Path, aside: Option<&str>) -> Result<(), ErrorKind> {
    let is_taken = world.tree.find_itself(to).is_ok();
    if is_taken && aside.is_none() {
        return Err(ErrorKind::AlreadyExists);
    }
    let walked = walk(&world.tree, folder_at(&world.tree, from)?, NameFilter::Imported)?;
    if !walked.escaping.is_empty() {
        return Err(ErrorKind::Escapes);
    }
    let copy = beside(to, world.tree.steps_taken);
    copy_all(&mut world.tree, &walked, &copy)?;
    if let Some(aside) = aside.filter(|_| is_taken) {
        world.tree.exchange(&copy, to)?;
        return world.tree.rename(&copy, &to.with_file_name(aside));
    }
    world.tree.rename(&copy, to)
}

/// An unused hidden name next to a path.
fn beside(to: &Path, number: u64) -> PathBuf {
    to.with_file_name(format!("{MAKING}{number}"))
}

fn copy_all(tree: &mut Tree, walked: &Walked, copy: &Path) -> Result<(), ErrorKind> {
    tree.make_folders(copy)?;
    for folder in &walked.folders {
        tree.make_folders(&copy.join(folder))?;
    }
    for (path, id) in &walked.files {
        let bytes = if let Content::File(bytes) = tree.content(*id) { bytes.clone() } else { Vec::new() };
        tree.write(&copy.join(path), &bytes)?;
    }
    Ok(())
}

/// Whether a word occurs as a whole word.
fn holds_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
}
