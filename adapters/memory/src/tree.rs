//! Folders, files and links, by node number as on a disk: an open folder stays the same when its path leads elsewhere.
//! Nodes without a path are retained for open handles.

use crate::log_content::LogContent;
use crate::snapshot::Snapshot;
use skillc_domain::survey::Stamp;
use skillc_domain::time::UnixNs;
use skillc_ports::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// How far the clock advances at each change, in nanoseconds: more than the grain of a stamp, so that a file is not
/// suspect in the next survey, and never a whole second, which would count as a coarse time.
pub(crate) const TICK_NS: i64 = 50_000_001;
/// The initial time of a machine: shortly after 2026-01-01T00:00:00Z, in nanoseconds.
const START_NS: UnixNs = 1_767_225_600_000_000_007;
/// Maximum number of links on a path, as on Linux (`path_resolution(7)`).
const LINKS_MAX: usize = 40;

/// The number of a node, and the inode in its stamp.
pub(crate) type NodeId = u64;

/// The folder `/`.
pub(crate) const ROOT: NodeId = 1;

/// The content of a node.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    File(Vec<u8>),
    Folder(BTreeMap<String, NodeId>),
    Link(PathBuf),
    /// A FIFO, a socket or a device.
    Special,
    Index(Arc<Snapshot>),
    Log(Arc<LogContent>),
}

impl Content {
    /// Whether it counts as a regular file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::File(_) | Self::Index(_) | Self::Log(_))
    }

    pub(crate) fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(_))
    }

    fn bytes(&self) -> usize {
        if let Self::File(bytes) = self { bytes.len() } else { 0 }
    }
}

#[derive(Clone, Debug)]
struct Node {
    content: Content,
    mtime_ns: UnixNs,
    ctime_ns: UnixNs,
}

/// Whether a path may leave its starting folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Border {
    /// The path may lead anywhere.
    Open,
    /// The path must stay below its starting folder.
    Closed,
}

/// Whether a link at the end of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastLink {
    Followed,
    NotFollowed,
}

/// The nodes from the starting folder of a path to its end.
pub(crate) type Trail = Vec<NodeId>;

/// The tree of a machine, and its clock.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: BTreeMap<NodeId, Node>,
    read_only: BTreeSet<NodeId>,
    /// The clock.
    pub(crate) now_ns: UnixNs,
    /// Changes until everything stops; `None` if no stop is planned.
    pub(crate) steps_left: Option<u64>,
    /// Changes so far.
    pub(crate) steps_taken: u64,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let root = Node { content: Content::Folder(BTreeMap::new()), mtime_ns: START_NS, ctime_ns: START_NS };
        Self {
            nodes: BTreeMap::from([(ROOT, root)]),
            read_only: BTreeSet::new(),
            now_ns: START_NS,
            steps_left: None,
            steps_taken: 0,
        }
    }

    /// Resolves a path from a folder. An absolute path begins at `/`; within a border it leads out.
    ///
    /// # Errors
    /// `NotFound`, also for link loops; `Escapes`.
    pub(crate) fn reach(
        &self,
        start: NodeId,
        path: &Path,
        border: Border,
        last: LastLink,
    ) -> Result<Trail, ErrorKind> {
        let mut trail = vec![start];
        let mut ahead: Vec<String> = Vec::new();
        push(&mut ahead, path);
        let mut links = 0;
        while let Some(name) = ahead.pop() {
            if name == ".." && self.content(end(&trail)).is_folder() {
                climb(&mut trail, border)?;
                continue;
            }
            let next = self.entry(&trail, &name).ok_or(ErrorKind::NotFound)?;
            match self.content(next) {
                Content::Link(to) if !ahead.is_empty() || last == LastLink::Followed => {
                    links += 1;
                    if links > LINKS_MAX {
                        return Err(ErrorKind::NotFound);
                    }
                    if to.has_root() {
                        leave(&mut trail, border)?;
                    }
                    push(&mut ahead, to);
                }
                _ => trail.push(next),
            }
        }
        Ok(trail)
    }

    /// The node at a path; follows links.
    pub(crate) fn find(&self, path: &Path) -> Result<NodeId, ErrorKind> {
        self.reach(ROOT, path, Border::Open, LastLink::Followed).map(|trail| end(&trail))
    }

    /// The node at a path; does not follow a final link.
    pub(crate) fn find_itself(&self, path: &Path) -> Result<NodeId, ErrorKind> {
        self.reach(ROOT, path, Border::Open, LastLink::NotFollowed).map(|trail| end(&trail))
    }

    /// Fails if a path contains a link.
    pub(crate) fn refuse_links(&self, path: &Path) -> Result<(), ErrorKind> {
        let is_link =
            |path: &Path| self.find_itself(path).is_ok_and(|id| matches!(self.content(id), Content::Link(_)));
        if path.ancestors().any(is_link) { Err(ErrorKind::Linked) } else { Ok(()) }
    }

    /// The canonical path of a node.
    pub(crate) fn canonical(&self, path: &Path) -> Result<PathBuf, ErrorKind> {
        let trail = self.reach(ROOT, path, Border::Open, LastLink::Followed)?;
        let name = |pair: &[NodeId]| {
            self.entries(pair[0]).into_iter().find_map(|(name, id)| (id == pair[1]).then_some(name))
        };
        Ok(trail.windows(2).filter_map(name).fold(PathBuf::from("/"), |path, name| path.join(name)))
    }

    pub(crate) fn content(&self, id: NodeId) -> &Content {
        &self.nodes[&id].content
    }

    /// Names and nodes in a folder in byte order; empty for anything else.
    pub(crate) fn entries(&self, id: NodeId) -> Vec<(String, NodeId)> {
        match self.content(id) {
            Content::Folder(entries) => entries.iter().map(|(name, id)| (name.clone(), *id)).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn stamp(&self, id: NodeId) -> Stamp {
        let Node { content, mtime_ns, ctime_ns } = &self.nodes[&id];
        Stamp { size: content.bytes() as u64, mtime_ns: *mtime_ns, ctime_ns: *ctime_ns, inode: id }
    }

    /// Creates a folder and its parents, in one step each.
    ///
    /// # Errors
    /// `AlreadyExists` if something else is in the way, `Denied`, `Failed`.
    pub(crate) fn make_folders(&mut self, path: &Path) -> Result<(), ErrorKind> {
        let mut above = PathBuf::from("/");
        for component in path.components() {
            above.push(component);
            match self.find(&above) {
                Ok(id) if self.content(id).is_folder() => {}
                Ok(_) => return Err(ErrorKind::AlreadyExists),
                Err(_) if self.find_itself(&above).is_ok() => return Err(ErrorKind::AlreadyExists),
                Err(_) => self.put(&above, Content::Folder(BTreeMap::new())).map(drop)?,
            }
        }
        Ok(())
    }

    /// Puts a new node at a path, replacing its content; the parent folder must exist.
    ///
    /// # Errors
    /// `NotFound`, `Denied`, `Failed`.
    pub(crate) fn put(&mut self, path: &Path, content: Content) -> Result<NodeId, ErrorKind> {
        let (folder, name) = self.parent(path)?;
        let id = self.nodes.keys().next_back().map_or(ROOT, |last| last + 1);
        self.change_folder(&folder, |entries| {
            entries.insert(name, id);
        })?;
        self.nodes.insert(id, Node { content, mtime_ns: self.now_ns, ctime_ns: self.now_ns });
        Ok(id)
    }

    /// Replaces the content of a file or log; follows links.
    ///
    /// # Errors
    /// `NotFound`, `Denied`, `Failed`.
    pub(crate) fn refill(&mut self, path: &Path, content: Content) -> Result<(), ErrorKind> {
        let trail = self.reach(ROOT, path, Border::Open, LastLink::Followed)?;
        self.step(&trail)?;
        let now = self.now_ns;
        let node = self.node(end(&trail))?;
        *node = Node { content, mtime_ns: now, ctime_ns: now };
        Ok(())
    }

    /// Writes a file in two steps: the first half, then all of it.
    ///
    /// # Errors
    /// As for `put`.
    pub(crate) fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.put(path, Content::File(bytes[..bytes.len() / 2].to_vec()))?;
        self.refill(path, Content::File(bytes.to_vec()))
    }

    /// Renames in one step; replaces a file, a link or an empty folder.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists` if the new path is a nonempty folder, `Denied`, `Failed`.
    pub(crate) fn rename(&mut self, from: &Path, to: &Path) -> Result<(), ErrorKind> {
        let id = self.find_itself(from)?;
        if self.find_itself(to).is_ok_and(|old| !self.entries(old).is_empty()) {
            return Err(ErrorKind::AlreadyExists);
        }
        let ((old_folder, old_name), (new_folder, new_name)) = (self.parent(from)?, self.parent(to)?);
        self.change_folder(&old_folder, |entries| {
            entries.remove(&old_name);
        })?;
        self.entries_mut(end(&new_folder))?.insert(new_name, id);
        let now = self.now_ns;
        self.node(id)?.ctime_ns = now;
        Ok(())
    }

    /// Swaps the content of two paths in one step.
    ///
    /// # Errors
    /// `NotFound`, `Denied`, `Failed`.
    pub(crate) fn exchange(&mut self, one: &Path, other: &Path) -> Result<(), ErrorKind> {
        let ids = (self.find_itself(one)?, self.find_itself(other)?);
        let ((folder, name), (other_folder, other_name)) = (self.parent(one)?, self.parent(other)?);
        self.change_folder(&folder, |entries| {
            entries.insert(name, ids.1);
        })?;
        self.entries_mut(end(&other_folder))?.insert(other_name, ids.0);
        Ok(())
    }

    /// Deletes a path: a link itself, a folder from its leaves, one step each. A missing path is success.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub(crate) fn delete(&mut self, path: &Path) -> Result<(), ErrorKind> {
        let Ok(id) = self.find_itself(path) else { return Ok(()) };
        for (name, _) in self.entries(id) {
            self.delete(&path.join(name))?;
        }
        let (folder, name) = self.parent(path)?;
        self.change_folder(&folder, |entries| {
            entries.remove(&name);
        })
    }

    /// Makes a file or folder, with everything below it, read-only.
    pub(crate) fn make_read_only(&mut self, path: &Path) -> Result<(), ErrorKind> {
        let id = self.find(path)?;
        self.read_only.insert(id);
        Ok(())
    }

    /// Sets the modification time of a file, like `touch`.
    pub(crate) fn touch(&mut self, path: &Path, mtime_ns: UnixNs) -> Result<(), ErrorKind> {
        let id = self.find(path)?;
        self.now_ns += TICK_NS;
        let now = self.now_ns;
        let node = self.node(id)?;
        (node.mtime_ns, node.ctime_ns) = (mtime_ns, now);
        Ok(())
    }

    /// Counts one change; fails below a read-only node, and after a stop.
    ///
    /// # Errors
    /// `Denied`, `Failed`.
    pub(crate) fn step(&mut self, trail: &[NodeId]) -> Result<(), ErrorKind> {
        if trail.iter().any(|id| self.read_only.contains(id)) {
            return Err(ErrorKind::Denied);
        }
        if let Some(left) = &mut self.steps_left {
            *left = left.checked_sub(1).ok_or(ErrorKind::Failed)?;
        }
        self.steps_taken += 1;
        self.now_ns += TICK_NS;
        Ok(())
    }

    /// The parent folder of a path, links followed, and the last name.
    fn parent(&self, path: &Path) -> Result<(Trail, String), ErrorKind> {
        let name = path.file_name().ok_or(ErrorKind::NotAFile)?.to_string_lossy().into_owned();
        let above = path.parent().unwrap_or(Path::new("/"));
        let folder = self.reach(ROOT, above, Border::Open, LastLink::Followed)?;
        Ok((folder, name))
    }

    fn entry(&self, trail: &[NodeId], name: &str) -> Option<NodeId> {
        match self.content(end(trail)) {
            Content::Folder(entries) => entries.get(name).copied(),
            _ => None,
        }
    }

    fn change_folder(
        &mut self,
        folder: &[NodeId],
        change: impl FnOnce(&mut BTreeMap<String, NodeId>),
    ) -> Result<(), ErrorKind> {
        self.entries_mut(end(folder))?;
        self.step(folder)?;
        change(self.entries_mut(end(folder))?);
        let now = self.now_ns;
        let node = self.node(end(folder))?;
        (node.mtime_ns, node.ctime_ns) = (now, now);
        Ok(())
    }

    fn entries_mut(&mut self, id: NodeId) -> Result<&mut BTreeMap<String, NodeId>, ErrorKind> {
        match &mut self.node(id)?.content {
            Content::Folder(entries) => Ok(entries),
            _ => Err(ErrorKind::NotFound),
        }
    }

    fn node(&mut self, id: NodeId) -> Result<&mut Node, ErrorKind> {
        self.nodes.get_mut(&id).ok_or(ErrorKind::NotFound)
    }
}

/// The node at the end of a trail.
pub(crate) fn end(trail: &[NodeId]) -> NodeId {
    trail.last().copied().unwrap_or(ROOT)
}

/// Pushes the names of a path onto a stack; the next one is last.
fn push(ahead: &mut Vec<String>, path: &Path) {
    let names = path.components().rev().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    ahead.extend(names);
}

/// The parent folder; `/` is its own parent.
fn climb(trail: &mut Trail, border: Border) -> Result<(), ErrorKind> {
    if trail.len() > 1 {
        trail.pop();
        return Ok(());
    }
    if border == Border::Closed { Err(ErrorKind::Escapes) } else { Ok(()) }
}

/// Returns to `/`.
fn leave(trail: &mut Trail, border: Border) -> Result<(), ErrorKind> {
    if border == Border::Closed {
        return Err(ErrorKind::Escapes);
    }
    *trail = vec![ROOT];
    Ok(())
}
