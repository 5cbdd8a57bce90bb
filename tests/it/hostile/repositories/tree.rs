//! Folder trees as values, and their differences.

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

/// Files up to this size are compared by content, larger ones by hash.
const STORED_BYTES_MAX: u64 = 512 << 10;
/// Files up to this size are read; of larger ones (sparse ones from the generator) only the size counts.
const READ_BYTES_MAX: u64 = 4 << 20;

/// The content of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A small file.
    File(Arc<Vec<u8>>),
    /// A large file: its length and the hash of its first bytes.
    Large(u64, u64),
    /// A folder.
    Folder,
    /// A link, with its target.
    Link(String),
    /// A FIFO, a socket or a device.
    Special(&'static str),
}

/// A node with its permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub node: Node,
    /// Permissions as of `chmod`; 0 for a link.
    pub mode: u32,
}

impl Entry {
    /// The target, of a link.
    pub fn link(&self) -> Option<&str> {
        if let Node::Link(target) = &self.node { Some(target) } else { None }
    }

    /// The bytes, of a small file.
    pub fn bytes(&self) -> Option<&[u8]> {
        if let Node::File(bytes) = &self.node { Some(bytes) } else { None }
    }

    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.node == Node::Folder
    }
}

/// All entries below a folder by relative path; links are not followed.
pub type Tree = BTreeMap<String, Entry>;

/// Identifies unchanged files: inode, size, and both times in nanoseconds.
type Signature = (u64, u64, i128, i128);

/// Reads trees; unchanged files are not read again.
#[derive(Default)]
pub struct Reader {
    known: HashMap<String, (Signature, Node)>,
}

impl Reader {
    /// The current tree below a folder.
    pub fn read(&mut self, root: &Path) -> Tree {
        let mut tree = Tree::new();
        self.folder(root, "", &mut tree);
        tree
    }

    fn folder(&mut self, folder: &Path, prefix: &str, tree: &mut Tree) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let node = self.node(&path, &name, &metadata);
            let mode = if metadata.is_symlink() { 0 } else { metadata.permissions().mode() & 0o7777 };
            if metadata.is_dir() {
                self.folder(&path, &format!("{name}/"), tree);
            }
            tree.insert(name, Entry { node, mode });
        }
    }

    fn node(&mut self, path: &Path, name: &str, metadata: &Metadata) -> Node {
        let kind = metadata.file_type();
        match () {
            () if kind.is_dir() => Node::Folder,
            () if kind.is_symlink() => {
                Node::Link(fs::read_link(path).unwrap_or_default().to_string_lossy().into_owned())
            }
            () if kind.is_file() => self.file(path, name, metadata),
            () if kind.is_fifo() => Node::Special("FIFO"),
            () if kind.is_socket() => Node::Special("socket"),
            () => Node::Special("device"),
        }
    }

    fn file(&mut self, path: &Path, name: &str, metadata: &Metadata) -> Node {
        let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        let signature = (
            metadata.ino(),
            metadata.len(),
            nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        );
        if let Some((known, node)) = self.known.get(name)
            && *known == signature
        {
            return node.clone();
        }
        let node = read_file(path, metadata.len());
        self.known.insert(name.to_owned(), (signature, node.clone()));
        node
    }
}

fn read_file(path: &Path, bytes: u64) -> Node {
    if bytes > READ_BYTES_MAX {
        return Node::Large(bytes, 0);
    }
    let content = fs::read(path).unwrap_or_default();
    if bytes <= STORED_BYTES_MAX {
        return Node::File(Arc::new(content));
    }
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    Node::Large(bytes, hasher.finish())
}

/// Changes the tree `now` below a folder into another one with minimal writes. Large files cannot be restored.
pub fn put_back(tree: &Tree, now: &Tree, root: &Path) {
    for path in now.iter().filter(|(path, entry)| tree.get(*path) != Some(entry)).map(|(path, _)| path) {
        remove(&root.join(path));
    }
    for (path, entry) in tree.iter().filter(|(path, entry)| now.get(*path) != Some(entry)) {
        write(&root.join(path), entry);
    }
}

fn write(path: &Path, entry: &Entry) {
    match &entry.node {
        Node::Folder => fs::create_dir_all(path).unwrap(),
        Node::Link(target) => symlink(target, path).unwrap(),
        Node::File(bytes) => fs::write(path, bytes.as_slice()).unwrap(),
        // The FIFO of the honest machine; absent where FIFOs cannot be created.
        Node::Special(_) => make_endless(path),
        Node::Large(..) => panic!("{} was not kept", path.display()),
    }
    if entry.mode != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(entry.mode)).unwrap();
    }
}

/// An endless device, if permitted.
pub fn make_endless(path: &Path) {
    let rights = Mode::from_raw_mode(0o666);
    let _ = mknodat(CWD, path, FileType::CharacterDevice, rights, makedev(1, 5));
}

/// Removes an entry of any kind.
pub fn remove(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            open_up(path);
            fs::remove_dir_all(path).unwrap();
        }
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

/// Makes folders accessible, since only root can empty a folder without permissions.
fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// A difference between two trees.
#[derive(Clone, Debug)]
pub struct Change {
    /// Relative to the roots.
    pub path: String,
    /// The old entry.
    pub before: Option<Entry>,
    /// The new entry.
    pub after: Option<Entry>,
}

impl Change {
    /// Whether the path did not exist.
    pub fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// A word for messages.
    pub fn kind(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "created",
            (_, None) => "removed",
            _ => "changed",
        }
    }
}

/// All differences between two trees, by path.
pub fn changes(before: &Tree, after: &Tree) -> Vec<Change> {
    let mut found = Vec::new();
    for (path, old) in before {
        let new = after.get(path);
        if new != Some(old) {
            found.push(Change { path: path.clone(), before: Some(old.clone()), after: new.cloned() });
        }
    }
    for (path, new) in after.iter().filter(|(path, _)| !before.contains_key(*path)) {
        found.push(Change { path: path.clone(), before: None, after: Some(new.clone()) });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}
