//! Edits to one file of a skill.

use crate::faults::PortCall;
use crate::machine::{MemoryMachine, World};
use crate::tree::{Border, Content, LastLink, end};
use skillc_domain::path::RelPath;
use skillc_ports::{ErrorKind, PortError, SkillEditor};
use std::path::Path;

/// The name of the file until it is complete.
const MAKING: &str = ".skillc-fix-";

/// Edits skills on a machine in memory.
#[derive(Clone, Debug)]
pub struct MemorySkillEditor {
    machine: MemoryMachine,
}

impl MemorySkillEditor {
    /// Edits skills on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl SkillEditor for MemorySkillEditor {
    fn replace(&self, root: &Path, path: &RelPath, old: &[u8], new: &[u8]) -> Result<(), PortError> {
        let doing = || format!("write '{path}'");
        self.machine.call(PortCall::EditFile, doing, |world| {
            world.tree.refuse_links(root)?;
            check(world, root, path, old)?;
            let place = root.join(path.as_str());
            let made = place.with_file_name(format!("{MAKING}{}", path.name()));
            let replaced = world.tree.write(&made, new).and_then(|()| world.tree.rename(&made, &place));
            if replaced.is_err() {
                // A killed process does not clean up, so a stopped machine does not either.
                let _ = world.tree.delete(&made);
            }
            replaced
        })
    }
}

/// Whether a file of a skill has these bytes.
fn check(world: &World, root: &Path, path: &RelPath, old: &[u8]) -> Result<(), ErrorKind> {
    let root = world.tree.find(root)?;
    if !world.tree.content(root).is_folder() {
        return Err(ErrorKind::NotFound);
    }
    let trail = world.tree.reach(root, Path::new(path.as_str()), Border::Closed, LastLink::NotFollowed)?;
    match world.tree.content(end(&trail)) {
        Content::File(bytes) if bytes == old => Ok(()),
        Content::File(_) => Err(ErrorKind::Changed),
        Content::Folder(_) | Content::Link(_) | Content::Special => Err(ErrorKind::NotAFile),
        Content::Index(_) | Content::Log(_) => Err(ErrorKind::Changed),
    }
}
