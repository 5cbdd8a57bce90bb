//! The tree that `skc sources` shows (RFC-0002:C-SOURCES).

use skillc_domain::fault::Fault;
use skillc_domain::path::RelPath;
use std::collections::BTreeMap;
use std::ops::Range;

/// A folder or a file in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeEntry {
    /// A file.
    File {
        /// Path relative to the skill's root.
        path: String,
    },
    /// A folder. Its entries follow it, if it is expanded.
    Folder {
        /// Path relative to the skill's root.
        path: String,
        /// Number of files below it, at any depth.
        files: usize,
        /// Whether its entries are listed.
        is_expanded: bool,
    },
}

impl TreeEntry {
    /// Path relative to the skill's root.
    pub fn path(&self) -> &str {
        match self {
            Self::File { path } | Self::Folder { path, .. } => path,
        }
    }
}

#[derive(Default)]
struct Folder<'a> {
    folders: BTreeMap<&'a str, Folder<'a>>,
    files: Vec<&'a str>,
    total: usize,
}

/// Lists the files below `folder`, folders before files at each level, sorted by the bytes of their names; a folder's
/// entries follow it.
///
/// `depth` levels are expanded; all if `None`. Paths must be sorted and already filtered.
pub fn tree(paths: &[&RelPath], folder: &RelPath, depth: Option<u32>) -> Vec<TreeEntry> {
    let mut root = Folder::default();
    for path in paths {
        if let Some(rest) = path.below(folder) {
            insert(&mut root, rest);
        }
    }
    let mut entries = Vec::new();
    let prefix = if folder.is_root() { String::new() } else { format!("{folder}/") };
    flatten(&root, &prefix, depth, &mut entries);
    entries
}

/// Validates the requested depth.
///
/// # Errors
/// E100 for 0.
pub fn depth(asked: Option<u32>) -> Result<Option<u32>, Fault> {
    if asked == Some(0) {
        return Err(Fault::invalid_argument("depth", "must be at least 1, got 0"));
    }
    Ok(asked)
}

fn insert<'a>(root: &mut Folder<'a>, rest: &'a str) {
    let mut at = root;
    let mut rest = rest;
    loop {
        at.total += 1;
        match rest.split_once('/') {
            None => return at.files.push(rest),
            Some((name, below)) => {
                at = at.folders.entry(name).or_default();
                rest = below;
            }
        }
    }
}

/// Flattens the tree depth first, with an explicit stack, since a skill may be nested deeper than a thread's stack
/// allows.
fn flatten(root: &Folder<'_>, prefix: &str, depth: Option<u32>, entries: &mut Vec<TreeEntry>) {
    enum Step<'a, 'b> {
        Enter(&'b Folder<'a>, String, u32),
        Show(TreeEntry),
    }
    let mut steps = vec![Step::Enter(root, prefix.to_owned(), 1)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Show(entry) => entries.push(entry),
            Step::Enter(folder, prefix, level) => {
                let files =
                    folder.files.iter().rev().map(|name| TreeEntry::File { path: format!("{prefix}{name}") });
                steps.extend(files.map(Step::Show));
                for (name, inner) in folder.folders.iter().rev() {
                    let is_expanded = depth.is_none_or(|depth| level < depth);
                    let path = format!("{prefix}{name}");
                    if is_expanded {
                        steps.push(Step::Enter(inner, format!("{path}/"), level + 1));
                    }
                    steps.push(Step::Show(TreeEntry::Folder { path, files: inner.total, is_expanded }));
                }
            }
        }
    }
}

/// Draws part of a list: one line per entry, with branches; a last line counts the entries after it. A part that begins
/// inside folders is drawn below them.
pub fn draw(entries: &[TreeEntry], part: Range<usize>, folder: &RelPath) -> Vec<String> {
    let more = entries.len().saturating_sub(part.end);
    let mut shown = entries.get(part.start).map(|first| folders_above(first, folder)).unwrap_or_default();
    shown.extend(entries.get(part).unwrap_or_default().iter().cloned());
    let depths: Vec<usize> = shown.iter().map(|entry| depth_of(entry, folder)).collect();
    let lasts = lasts(&depths);
    let mut open: Vec<bool> = Vec::new();
    let mut lines = Vec::with_capacity(shown.len() + 1);
    for ((entry, depth), is_last) in shown.iter().zip(&depths).zip(lasts) {
        open.truncate(*depth);
        let is_last = is_last && (more == 0 || *depth > 0);
        let bars: String = open.iter().map(|open| if *open { "│   " } else { "    " }).collect();
        lines.push(format!("{bars}{} {}", if is_last { "└──" } else { "├──" }, label(entry)));
        open.push(!is_last);
    }
    if more > 0 {
        lines.push(format!("└── ... ({more} more)"));
    }
    lines
}

/// Maximum number of bytes of an entry in the drawing, including its line break.
pub fn drawn_bytes_max(entry: &TreeEntry, folder: &RelPath) -> usize {
    let (bars, branch) = ("│   ".len() * depth_of(entry, folder), "├── ".len());
    bars + branch + label(entry).len() + 1
}

/// The number of folders below `folder` that contain the entry.
fn depth_of(entry: &TreeEntry, folder: &RelPath) -> usize {
    below(entry, folder).matches('/').count()
}

fn below<'a>(entry: &'a TreeEntry, folder: &RelPath) -> &'a str {
    entry.path().strip_prefix(folder.as_str()).unwrap_or(entry.path()).trim_start_matches('/')
}

/// The folders between `folder` and the entry, from the outermost.
fn folders_above(entry: &TreeEntry, folder: &RelPath) -> Vec<TreeEntry> {
    let (path, below) = (entry.path(), below(entry, folder));
    let ends = below.match_indices('/').map(|(at, _)| path.len() - below.len() + at);
    ends.map(|end| TreeEntry::Folder { path: path[..end].to_owned(), files: 0, is_expanded: true }).collect()
}

fn label(entry: &TreeEntry) -> String {
    let name = entry.path().rsplit('/').next().unwrap_or_default();
    match entry {
        TreeEntry::File { .. } => name.to_owned(),
        TreeEntry::Folder { is_expanded: true, .. } => format!("{name}/"),
        TreeEntry::Folder { files: 1, .. } => format!("{name}/ (1 file)"),
        TreeEntry::Folder { files, .. } => format!("{name}/ ({files} files)"),
    }
}

/// Whether each entry is the last of its siblings; computed from the end, with one flag per depth.
fn lasts(depths: &[usize]) -> Vec<bool> {
    let mut followed: Vec<bool> = Vec::new();
    let mut lasts = vec![false; depths.len()];
    for (at, depth) in depths.iter().enumerate().rev() {
        followed.resize(depth + 1, false);
        lasts[at] = !std::mem::replace(&mut followed[*depth], true);
    }
    lasts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(raw: &[&str]) -> Vec<RelPath> {
        let mut paths: Vec<_> = raw.iter().map(|p| RelPath::parse(p).unwrap()).collect();
        paths.sort();
        paths
    }

    fn drawn(raw: &[&str], folder: &str, depth: Option<u32>, limit: usize) -> Vec<String> {
        let (paths, folder) = (paths(raw), RelPath::parse(folder).unwrap());
        let entries = tree(&paths.iter().collect::<Vec<_>>(), &folder, depth);
        draw(&entries, 0..limit.min(entries.len()), &folder)
    }

    /// RFC-0002:C-SOURCES
    #[test]
    fn folders_come_before_files_and_branches_are_drawn() {
        assert_eq!(
            drawn(&["SKILL.md", "z/b.md", "a/c/d.md", "a/b.md"], "", None, 100),
            [
                "├── a/",
                "│   ├── c/",
                "│   │   └── d.md",
                "│   └── b.md",
                "├── z/",
                "│   └── b.md",
                "└── SKILL.md"
            ]
        );
    }

    /// RFC-0002:C-SOURCES
    #[test]
    fn a_folder_that_is_not_expanded_shows_its_count() {
        assert_eq!(
            drawn(&["SKILL.md", "z/b.md", "a/c/d.md", "a/b.md"], "", Some(1), 100),
            ["├── a/ (2 files)", "├── z/ (1 file)", "└── SKILL.md"]
        );
        assert_eq!(drawn(&["a/c/d.md", "a/b.md", "x"], "a", Some(1), 100), ["├── c/ (1 file)", "└── b.md"]);
    }

    /// RFC-0002:C-SOURCES
    #[test]
    fn a_limit_counts_entries_and_says_how_many_more() {
        assert_eq!(drawn(&["a/b", "c", "d"], "", None, 2), ["├── a/", "│   └── b", "└── ... (2 more)"]);
        assert_eq!(drawn(&[], "", None, 2), Vec::<String>::new());
    }

    /// RFC-0002:C-CURSOR
    #[test]
    fn a_part_that_begins_inside_folders_is_drawn_below_them() {
        let (paths, folder) =
            (paths(&["a/b/c/d.md", "a/b/c/e.md", "a/f.md", "g.md"]), RelPath::parse("a").unwrap());
        let entries = tree(&paths.iter().collect::<Vec<_>>(), &folder, None);
        assert_eq!(entries.len(), 5);
        assert_eq!(
            draw(&entries, 0..3, &folder),
            ["├── b/", "│   └── c/", "│       └── d.md", "└── ... (2 more)"]
        );
        assert_eq!(draw(&entries, 3..5, &folder), ["├── b/", "│   └── c/", "│       └── e.md", "└── f.md"]);
        assert_eq!(draw(&entries, 5..5, &folder), Vec::<String>::new());
        assert!(drawn_bytes_max(&entries[3], &folder) >= "│       └── e.md\n".len());
    }
}
