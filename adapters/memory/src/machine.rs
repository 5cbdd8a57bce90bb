//! The machine that the adapters of this crate share: a tree, a clock, locks and a plan of faults.

use crate::faults::{FaultEffect, FaultPlan, PortCall};
use crate::tree::{Content, NodeId, TICK_NS, Tree};
use skillc_domain::time::UnixNs;
use skillc_ports::{ErrorKind, PortError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A machine in memory; clones share it.
///
/// Relative paths begin at `/` too. The methods of this type set up and inspect scenes in tests; fault plans and stops
/// do not affect them.
#[derive(Clone, Debug)]
pub struct MemoryMachine {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    world: Mutex<World>,
    unlocked: Condvar,
}

/// All mutable state.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) tree: Tree,
    pub(crate) locked: BTreeSet<NodeId>,
    pub(crate) chance: u64,
    faults: FaultPlan,
}

/// The content of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link and its target as written.
    Link(PathBuf),
    /// A FIFO, a socket or a device.
    Special,
}

impl Default for MemoryMachine {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryMachine {
    /// An empty machine, in the first second of 2026.
    pub fn new() -> Self {
        let world =
            World { tree: Tree::new(), locked: BTreeSet::new(), chance: 1, faults: FaultPlan::none() };
        Self { shared: Arc::new(Shared { world: Mutex::new(world), unlocked: Condvar::new() }) }
    }

    /// Writes a file, replacing the content of the path; creates its parent folders.
    ///
    /// # Panics
    /// If a parent folder is a file.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        self.put(path.as_ref(), Content::File(bytes.as_ref().to_vec()));
    }

    /// Creates a folder and its parents.
    ///
    /// # Panics
    /// If the path or a parent is something else.
    pub fn make_folder(&self, path: impl AsRef<Path>) {
        self.arrange(path.as_ref(), |tree| tree.make_folders(path.as_ref()));
    }

    /// Creates a link, which may dangle, and its parent folders.
    ///
    /// # Panics
    /// As `write`.
    pub fn make_link(&self, path: impl AsRef<Path>, to: impl AsRef<Path>) {
        self.put(path.as_ref(), Content::Link(to.as_ref().to_owned()));
    }

    /// Creates a FIFO and its parent folders.
    ///
    /// # Panics
    /// As `write`.
    pub fn make_fifo(&self, path: impl AsRef<Path>) {
        self.put(path.as_ref(), Content::Special);
    }

    /// Makes a file or folder, with everything below it, permanently read-only.
    ///
    /// # Panics
    /// If the path does not exist.
    pub fn make_read_only(&self, path: impl AsRef<Path>) {
        self.arrange(path.as_ref(), |tree| tree.make_read_only(path.as_ref()));
    }

    /// Deletes a path: a folder with its content, a link itself.
    pub fn delete(&self, path: impl AsRef<Path>) {
        self.arrange(path.as_ref(), |tree| tree.delete(path.as_ref()));
    }

    /// Renames a path.
    ///
    /// # Panics
    /// If `from` does not exist, or `to` is a nonempty folder.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        self.arrange(from.as_ref(), |tree| tree.rename(from.as_ref(), to.as_ref()));
    }

    /// Replaces the content of a file without replacing the file; follows links.
    ///
    /// # Panics
    /// If the file does not exist.
    pub fn edit(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        self.arrange(path.as_ref(), |tree| {
            tree.refill(path.as_ref(), Content::File(bytes.as_ref().to_vec()))
        });
    }

    /// Sets the modification time of a file, like `touch`.
    ///
    /// # Panics
    /// If the file does not exist.
    pub fn touch(&self, path: impl AsRef<Path>, mtime_ns: UnixNs) {
        self.arrange(path.as_ref(), |tree| tree.touch(path.as_ref(), mtime_ns));
    }

    /// The bytes of a file; follows links. `None` if there is none.
    pub fn read(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        let world = self.world();
        match world.tree.content(world.tree.find(path.as_ref()).ok()?) {
            Content::File(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// The content of a path; links are not followed. `None` if it does not exist. Indexes and logs are files.
    pub fn kind(&self, path: impl AsRef<Path>) -> Option<Kind> {
        let world = self.world();
        Some(match world.tree.content(world.tree.find_itself(path.as_ref()).ok()?) {
            Content::File(_) | Content::Index(_) | Content::Log(_) => Kind::File,
            Content::Folder(_) => Kind::Folder,
            Content::Link(to) => Kind::Link(to.clone()),
            Content::Special => Kind::Special,
        })
    }

    /// Names in a folder in byte order, including hidden ones; empty if there is no folder.
    pub fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        let world = self.world();
        let folder = world.tree.find(path.as_ref());
        folder
            .map_or_else(|_| Vec::new(), |id| world.tree.entries(id))
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    }

    /// Sets the plan of failing calls, replacing the previous one.
    pub fn plan(&self, faults: FaultPlan) {
        self.world().faults = faults;
    }

    /// Stops the machine after this many further changes: later ones fail with `Failed`, as if the process had been
    /// killed, until `restart`.
    pub fn stop_after(&self, steps: u64) {
        self.world().tree.steps_left = Some(steps);
    }

    /// Permits changes again, releases all locks and clears the fault plan.
    pub fn restart(&self) {
        let mut world = self.world();
        world.tree.steps_left = None;
        world.locked.clear();
        world.faults = FaultPlan::none();
        self.shared.unlocked.notify_all();
    }

    /// The number of changes so far, so that a test can stop after each.
    pub fn steps_taken(&self) -> u64 {
        self.world().tree.steps_taken
    }

    /// Advances the clock.
    pub fn pass(&self, ns: i64) {
        self.world().tree.now_ns += ns;
    }

    fn put(&self, path: &Path, content: Content) {
        self.arrange(path, |tree| {
            tree.make_folders(path.parent().unwrap_or(Path::new("/")))?;
            tree.put(path, content).map(drop)
        });
    }

    /// Changes the scene, ignoring fault plan and stop.
    fn arrange(&self, path: &Path, change: impl FnOnce(&mut Tree) -> Result<(), ErrorKind>) {
        let mut world = self.world();
        let steps_left = world.tree.steps_left.take();
        let changed = change(&mut world.tree);
        world.tree.steps_left = steps_left;
        drop(world);
        if let Err(kind) = changed {
            panic!("the scene cannot be set at '{}': {kind:?}", path.display());
        }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.shared.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a lock is released.
    pub(crate) fn wait<'a>(&self, world: MutexGuard<'a, World>) -> MutexGuard<'a, World> {
        self.shared.unlocked.wait(world).unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn unlock(&self, lock: NodeId) {
        self.world().locked.remove(&lock);
        self.shared.unlocked.notify_all();
    }

    /// Runs a call of a port under the fault plan.
    ///
    /// # Errors
    /// Planned failures, and those of the call.
    pub(crate) fn call<T>(
        &self,
        operation: PortCall,
        doing: impl FnOnce() -> String,
        work: impl FnOnce(&mut World) -> Result<T, ErrorKind>,
    ) -> Result<T, PortError> {
        let mut world = self.world();
        let done = match world.faults.count(operation) {
            None => work(&mut world),
            Some(FaultEffect::Refuse(kind)) => Err(kind),
            Some(FaultEffect::StopAfter(steps)) => world.stopping_after(steps, work),
        };
        drop(world);
        done.map_err(|kind| PortError::new(kind, doing()))
    }

    /// Counts a call that works in steps and calls other ports in between; returns its planned failure.
    pub(crate) fn count(&self, operation: PortCall) -> Option<FaultEffect> {
        self.world().faults.count(operation)
    }
}

impl World {
    fn stopping_after<T>(
        &mut self,
        steps: u64,
        work: impl FnOnce(&mut World) -> Result<T, ErrorKind>,
    ) -> Result<T, ErrorKind> {
        let before = self.tree.steps_left;
        let steps = before.map_or(steps, |left| left.min(steps));
        self.tree.steps_left = Some(steps);
        let done = work(self);
        let used = steps - self.tree.steps_left.unwrap_or_default();
        self.tree.steps_left = before.map(|left| left - used);
        // A call with fewer changes fails too: it stops before it can report success.
        done.and(Err(ErrorKind::Failed))
    }

    /// The current time; advances slightly where the order matters.
    pub(crate) fn tick(&mut self) -> UnixNs {
        self.tree.now_ns += TICK_NS;
        self.tree.now_ns
    }
}
