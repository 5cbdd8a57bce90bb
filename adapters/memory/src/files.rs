//! Reads skills.

use crate::faults::PortCall;
use crate::machine::{MemoryMachine, World};
use crate::tree::{Border, Content, LastLink, NodeId, end};
use crate::walk::walk;
use skillc_domain::digest::Digest;
use skillc_domain::path::RelPath;
use skillc_domain::survey::{NameFilter, Survey, SurveyedFile};
use skillc_ports::{ErrorKind, FileContent, PortError, SkillFiles, SkillTree};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Skills on a machine in memory.
#[derive(Clone, Debug)]
pub struct MemorySkillFiles {
    machine: MemoryMachine,
}

/// One skill's folder, by node: its path may lead elsewhere later.
#[derive(Clone, Debug)]
pub struct MemorySkillTree {
    machine: MemoryMachine,
    root: NodeId,
}

impl MemorySkillFiles {
    /// Reads skills on this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl SkillFiles for MemorySkillFiles {
    fn open(&self, root: &Path) -> Result<Box<dyn SkillTree>, PortError> {
        let doing = || format!("open '{}'", root.display());
        let root = self.machine.call(PortCall::OpenSkill, doing, |world| {
            world.tree.refuse_links(root)?;
            let id = world.tree.find(root)?;
            if world.tree.content(id).is_folder() { Ok(id) } else { Err(ErrorKind::NotFound) }
        })?;
        Ok(Box::new(MemorySkillTree { machine: self.machine.clone(), root }))
    }

    /// Substitutes for SHA-256, which would need a crate: four 64-bit hashes of `std` with different prefixes. Equal
    /// bytes have equal digests and others differ. It is not cryptographic, and may change with the Rust version.
    fn digest(&self, bytes: &[u8]) -> Digest {
        digest_of(bytes)
    }
}

impl SkillTree for MemorySkillTree {
    fn survey(&self) -> Result<Survey, PortError> {
        self.machine.call(
            PortCall::Survey,
            || "walk the skill".to_owned(),
            |world| {
                let taken_ns = world.tick();
                let walked = walk(&world.tree, self.root, NameFilter::Visible)?;
                let surveyed = |(path, id): (String, NodeId)| SurveyedFile {
                    path: RelPath::from_walk(path),
                    stamp: world.tree.stamp(id),
                };
                let files = walked.files.into_iter().map(surveyed).collect();
                let escaping = walked.escaping.into_iter().map(RelPath::from_walk).collect();
                Ok(Survey { files, escaping, warnings: Vec::new(), taken_ns })
            },
        )
    }

    fn hidden(&self) -> Result<Vec<RelPath>, PortError> {
        let doing = || "walk the skill".to_owned();
        let hidden = self.machine.call(PortCall::Survey, doing, |world| {
            Ok(walk(&world.tree, self.root, NameFilter::Visible)?.hidden)
        })?;
        Ok(hidden.into_iter().map(RelPath::from_walk).collect())
    }

    fn read(&self, path: &RelPath, bytes_max: u64) -> Result<FileContent, PortError> {
        self.machine.call(
            PortCall::ReadFile,
            || reading(path),
            |world| {
                let id = self.regular(world, path)?;
                let stamp = world.tree.stamp(id);
                if stamp.size > bytes_max {
                    return Err(ErrorKind::TooLarge);
                }
                Ok(FileContent { bytes: bytes(world, id), stamp })
            },
        )
    }

    fn digest(&self, path: &RelPath) -> Result<Digest, PortError> {
        self.machine.call(
            PortCall::DigestFile,
            || reading(path),
            |world| {
                let id = self.regular(world, path)?;
                Ok(digest_of(&bytes(world, id)))
            },
        )
    }

    fn is_folder(&self, path: &RelPath) -> Result<bool, PortError> {
        let world = self.machine.world();
        match self.reach(&world, path) {
            Ok(id) => Ok(world.tree.content(id).is_folder()),
            Err(ErrorKind::Escapes) => Err(PortError::new(ErrorKind::Escapes, reading(path))),
            Err(_) => Ok(false),
        }
    }
}

impl MemorySkillTree {
    fn reach(&self, world: &World, path: &RelPath) -> Result<NodeId, ErrorKind> {
        let path = Path::new(path.as_str());
        world.tree.reach(self.root, path, Border::Closed, LastLink::Followed).map(|trail| end(&trail))
    }

    fn regular(&self, world: &World, path: &RelPath) -> Result<NodeId, ErrorKind> {
        let id = self.reach(world, path)?;
        if world.tree.content(id).is_file() { Ok(id) } else { Err(ErrorKind::NotAFile) }
    }
}

fn bytes(world: &World, id: NodeId) -> Vec<u8> {
    if let Content::File(bytes) = world.tree.content(id) { bytes.clone() } else { Vec::new() }
}

fn reading(path: &RelPath) -> String {
    format!("read '{path}'")
}

fn digest_of(bytes: &[u8]) -> Digest {
    let mut digest = [0; 32];
    for (salt, part) in (0u8..).zip(digest.chunks_mut(8)) {
        let mut hasher = DefaultHasher::new();
        (salt, bytes).hash(&mut hasher);
        part.copy_from_slice(&hasher.finish().to_le_bytes());
    }
    Digest(digest)
}
