//! Compares a known scan with the file system, with one `stat` call per folder and skill.

use super::listing::{Listing, file_of};
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::scan::{ScannedFolder, ScannedRoot, SkillForm};
use skillc_domain::freshness::is_suspect;
use skillc_domain::survey::Stamp;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Number of folders from which a second thread pays off.
const PARALLEL_FOLDERS_MIN: usize = 400;

/// A known scan, and which of its folders are unchanged.
pub(super) struct Known {
    pub(super) scanned: Arc<ScannedRoot>,
    /// One comparison per folder of the scan.
    comparisons: Vec<FolderComparison>,
}

/// The result of comparing one folder.
#[derive(Clone, Copy, Default)]
pub(super) struct FolderComparison {
    /// Whether the folder has the same names.
    is_same_folder: bool,
    /// Whether the folder has the same skill, or still none.
    is_same_skill: bool,
}

impl FolderComparison {
    /// Whether neither the names nor the skill have changed.
    pub(super) fn is_same(self) -> bool {
        self.is_same_folder && self.is_same_skill
    }
}

impl Known {
    /// Compares every folder of a scan.
    pub(super) fn look(scanned: Arc<ScannedRoot>) -> Self {
        let count = scanned.folders.len();
        let comparisons = if count < PARALLEL_FOLDERS_MIN {
            look_at(&scanned, 0..count)
        } else {
            thread::scope(|scope| {
                let second = scope.spawn(|| look_at(&scanned, count / 2..count));
                let mut first = look_at(&scanned, 0..count / 2);
                first.extend(second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                first
            })
        };
        Self { scanned, comparisons }
    }

    /// Whether every folder is unchanged.
    pub(super) fn is_unchanged(&self) -> bool {
        self.comparisons.iter().all(|compared| compared.is_same())
    }

    /// Indexes of the folders directly in one, by name.
    pub(super) fn by_name(&self, folder: usize) -> HashMap<String, usize> {
        self.below(folder).map(|at| (self.scanned.folders[at].name.clone(), at)).collect()
    }

    /// The entries of an unchanged folder; `None` if it must be listed again.
    pub(super) fn listing(&self, folder: usize) -> Option<Listing> {
        if !self.comparisons[folder].is_same_folder {
            return None;
        }
        let below = || self.below(folder).map(|at| &self.scanned.folders[at]);
        // Folders with problems are tried again, beginning with their parents.
        if self.scanned.folders[folder].problem.is_some() || below().any(|folder| folder.problem.is_some()) {
            return None;
        }
        let here = &self.scanned.folders[folder];
        let named = |folder: &ScannedFolder| (folder.name.clone(), folder.target.is_some());
        Some(Listing {
            has_file: here.skill.is_some(),
            has_meta: here.skill.as_ref().is_some_and(|skill| skill.form == SkillForm::Stub),
            folders: below().filter(|folder| !folder.is_single_file()).map(named).collect(),
            files: below().filter(|folder| folder.is_single_file()).map(named).collect(),
            not_utf8: Vec::new(),
        })
    }

    /// The head of a folder's skill, if the file's stamp is unchanged and old enough to be trusted.
    pub(super) fn head(&self, folder: usize, form: SkillForm, stamp: &Stamp) -> Option<SkillHead> {
        let skill = self.scanned.folders[folder].skill.as_ref()?;
        let is_same =
            (skill.form, &skill.stamp) == (form, stamp) && !is_suspect(stamp, self.scanned.taken_ns);
        skill.head.clone().filter(|_| is_same)
    }

    /// Folders with the same parent are adjacent, since scans go level by level.
    fn below(&self, folder: usize) -> Range<usize> {
        let parents = &self.scanned.folders[1..];
        let start = parents.partition_point(|f| (f.parent as usize) < folder) + 1;
        let end = parents.partition_point(|f| (f.parent as usize) <= folder) + 1;
        start..end
    }
}

fn look_at(scanned: &ScannedRoot, part: Range<usize>) -> Vec<FolderComparison> {
    let mut looks = Vec::with_capacity(part.len());
    let mut paths = Paths::of(scanned);
    for at in part {
        looks.push(look(scanned, at, paths.at(at)));
    }
    looks
}

/// Builds the paths of folders; siblings share their parent's path.
pub(super) struct Paths<'a> {
    scanned: &'a ScannedRoot,
    last: Option<(u32, PathBuf)>,
}

impl<'a> Paths<'a> {
    /// Paths for a scan.
    pub(super) fn of(scanned: &'a ScannedRoot) -> Self {
        Self { scanned, last: None }
    }

    /// Path of a folder as the scan reached it, links unresolved.
    pub(super) fn at(&mut self, at: usize) -> PathBuf {
        let folder = &self.scanned.folders[at];
        if at == 0 {
            return self.scanned.root.clone();
        }
        let above = match self.last.take() {
            Some((parent, path)) if parent == folder.parent => path,
            _ => self.scanned.met(&self.scanned.root, folder.parent as usize),
        };
        let path = above.join(&folder.name);
        self.last = Some((folder.parent, above));
        path
    }
}

/// Compares the folder at a path with the known scan.
pub(super) fn look(scanned: &ScannedRoot, at: usize, path: PathBuf) -> FolderComparison {
    let folder = &scanned.folders[at];
    let is_same = |now: Option<Stamp>, before: &Stamp| {
        now.as_ref() == Some(before) && !is_suspect(before, scanned.taken_ns)
    };
    let leads_as_before = || {
        folder.target.as_ref().is_none_or(|target| fs::canonicalize(&path).is_ok_and(|now| now == *target))
    };
    // A name that is not UTF-8 cannot be compared. Its problem is found again when the parent folder is listed.
    let is_nameless = folder.problem.is_some() && folder.stamp == Stamp::default();
    let is_same_folder = is_nameless
        || folder.problem.is_none()
            && (folder.is_single_file() || is_same(stamp_of(&path, Kind::Folder), &folder.stamp))
            && leads_as_before();
    let is_same_skill = match &folder.skill {
        None => true,
        Some(skill) => {
            let now = || stamp_of(&file_of(skill.form, path, &scanned.file), Kind::File);
            match skill.form {
                SkillForm::NotAFile => now().is_none(),
                _ => skill.head.is_some() && is_same(now(), &skill.stamp),
            }
        }
    };
    FolderComparison { is_same_folder, is_same_skill }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    File,
}

/// The stamp of a path's target, if it has the expected kind.
///
/// Requests basic times only, unlike `std`, which also requests the birth time.
#[cfg(unix)]
fn stamp_of(path: &Path, kind: Kind) -> Option<Stamp> {
    use rustix::fs::{FileType, stat};
    let ns = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
    let stat = stat(path).ok()?;
    let found = FileType::from_raw_mode(stat.st_mode);
    let is_kind = if kind == Kind::File { found.is_file() } else { found.is_dir() };
    is_kind.then(|| Stamp {
        size: stat.st_size as u64,
        mtime_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        ctime_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        inode: stat.st_ino,
    })
}

#[cfg(not(unix))]
fn stamp_of(path: &Path, kind: Kind) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    let is_kind = if kind == Kind::File { metadata.is_file() } else { metadata.is_dir() };
    is_kind.then(|| super::listing::stamp(&metadata))
}
