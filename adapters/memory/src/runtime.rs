//! Runtimes: stub, manifest, lock and marker.

use crate::faults::PortCall;
use crate::machine::{MemoryMachine, World};
use crate::tree::{Content, NodeId};
use skillc_domain::places::META_DIR;
use skillc_ports::{ErrorKind, PortError, RuntimeFile, RuntimeGuard, RuntimeStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runtimes on a machine in memory.
#[derive(Clone, Debug)]
pub struct MemoryRuntimeStore {
    machine: MemoryMachine,
}

/// Holds the lock file's node locked.
struct Lock {
    machine: MemoryMachine,
    node: NodeId,
}

impl RuntimeGuard for Lock {}

impl Drop for Lock {
    fn drop(&mut self) {
        self.machine.unlock(self.node);
    }
}

impl MemoryRuntimeStore {
    /// The runtimes of this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }

    fn guard(&self, node: NodeId) -> Box<dyn RuntimeGuard> {
        Box::new(Lock { machine: self.machine.clone(), node })
    }
}

impl RuntimeStore for MemoryRuntimeStore {
    fn for_listing(&self) -> Arc<dyn RuntimeStore> {
        Arc::new(self.clone())
    }

    fn refuse_links(&self, folder: &Path) -> Result<(), PortError> {
        let refused = self.machine.world().tree.refuse_links(folder);
        refused.map_err(|kind| PortError::new(kind, format!("open '{}'", folder.display())).at(folder))
    }

    fn lock(&self, runtime: &Path) -> Result<Box<dyn RuntimeGuard>, PortError> {
        let doing = || format!("lock '{}'", runtime.display());
        let node = self.machine.call(PortCall::Lock, doing, |world| {
            world.tree.make_folders(&runtime.join(META_DIR))?;
            let file = lock_file(runtime);
            world.tree.find(&file).or_else(|_| world.tree.put(&file, Content::File(Vec::new())))
        })?;
        let mut world = self.machine.world();
        while !world.locked.insert(node) {
            world = self.machine.wait(world);
        }
        Ok(self.guard(node))
    }

    fn try_lock(&self, runtime: &Path) -> Option<Box<dyn RuntimeGuard>> {
        let mut world = self.machine.world();
        let node = world.tree.find(&lock_file(runtime)).ok()?;
        world.locked.insert(node).then(|| self.guard(node))
    }

    fn mark_pending(&self, runtime: &Path, index_name: &str) -> Result<(), PortError> {
        let doing = || format!("mark '{}'", runtime.display());
        self.machine.call(PortCall::MarkPending, doing, |world| {
            world.tree.put(&marker(runtime), Content::File(index_name.as_bytes().to_vec())).map(drop)
        })
    }

    fn pending(&self, runtime: &Path) -> Option<String> {
        let marker = self.machine.read(marker(runtime))?;
        Some(String::from_utf8_lossy(&marker).into_owned())
    }

    fn clear_pending(&self, runtime: &Path) -> Result<(), PortError> {
        let doing = || format!("unmark '{}'", runtime.display());
        self.machine.call(PortCall::ClearPending, doing, |world| world.tree.delete(&marker(runtime)))
    }

    fn read(&self, runtime: &Path, file: RuntimeFile) -> Result<Option<Vec<u8>>, PortError> {
        let path = runtime.join(file.path());
        let doing = || format!("read '{}'", path.display());
        self.machine.call(PortCall::ReadRuntimeFile, doing, |world| {
            Ok(match world.tree.find(&path).map(|id| world.tree.content(id)) {
                Ok(Content::File(bytes)) => Some(bytes.clone()),
                _ => None,
            })
        })
    }

    fn write(&self, runtime: &Path, file: RuntimeFile, bytes: &[u8]) -> Result<(), PortError> {
        let path = runtime.join(file.path());
        let doing = || format!("write '{}'", path.display());
        self.machine.call(PortCall::WriteRuntimeFile, doing, |world| write_whole(world, &path, bytes))
    }
}

/// Writes a file under a temporary name and renames it.
pub(crate) fn write_whole(world: &mut World, path: &Path, bytes: &[u8]) -> Result<(), ErrorKind> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    world.tree.make_folders(folder)?;
    let making = folder.join(format!(".skillc-tmp-{}", world.tree.steps_taken));
    world.tree.write(&making, bytes)?;
    world.tree.rename(&making, path)
}

fn lock_file(runtime: &Path) -> PathBuf {
    runtime.join(META_DIR).join("build.lock")
}

fn marker(runtime: &Path) -> PathBuf {
    runtime.join(META_DIR).join("publish.pending")
}
