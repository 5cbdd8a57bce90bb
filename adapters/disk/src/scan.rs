//! Scans folders for skills on the local file system.

mod known;
mod listing;
#[cfg(target_os = "linux")]
mod watched;

#[cfg(not(target_os = "linux"))]
pub use DiskSkillScanner as WatchedSkillScanner;
#[cfg(target_os = "linux")]
pub use watched::WatchedSkillScanner;

use crate::clock::unix_ns;
use known::Known;
use listing::{Listing, STUB_MANIFEST, stamp};
use skillc_domain::discovery::place::single_file_stem;
use skillc_domain::discovery::scan::{
    ScanBounds, ScannedFolder, ScannedRoot, ScannedSkill, SkillForm, is_scanned_name,
};
use skillc_domain::places::META_DIR;
use skillc_domain::survey::Stamp;
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::scan::{Scan, SkillScanner};
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use walkdir::WalkDir;

/// Scans the local file system, with one stat for each known folder and skill.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSkillScanner;

impl SkillScanner for DiskSkillScanner {
    fn scan(
        &self,
        root: &Path,
        bounds: &ScanBounds<'_>,
        known: Option<Arc<ScannedRoot>>,
    ) -> Result<Scan, PortError> {
        let failed = |e| PortError::io(format!("search '{}'", root.display()), e);
        let canonical = fs::canonicalize(root).map_err(failed)?;
        let taken_ns = unix_ns(SystemTime::now());
        if bounds.border.is_some_and(|border| !canonical.starts_with(border)) {
            return Err(PortError::new(ErrorKind::Escapes, format!("search '{}'", root.display())));
        }
        let known = match known.filter(|known| known.is_of(&canonical, bounds)).map(Known::look) {
            Some(known) if known.is_unchanged() => {
                return Ok(Scan { scanned: known.scanned, is_news: false });
            }
            known => known,
        };
        let mut scan = FolderScan {
            bounds,
            found: ScannedRoot::new(canonical, bounds, taken_ns),
            known,
            pending: VecDeque::new(),
        };
        scan.root().map_err(failed)?;
        while let Some(next) = scan.pending.pop_front() {
            scan.enter(next);
        }
        Ok(Scan { scanned: Arc::new(scan.found), is_news: true })
    }
}

struct FolderScan<'a> {
    bounds: &'a ScanBounds<'a>,
    found: ScannedRoot,
    known: Option<Known>,
    pending: VecDeque<PendingFolder>,
}

/// A folder in `found` that remains to be listed.
struct PendingFolder {
    at: u32,
    path: PathBuf,
    depth: u32,
    /// Index of the same folder in the known scan.
    known: Option<usize>,
    /// Whether a link was already followed on the path to it; then no other one is.
    is_behind_link: bool,
    is_in_skill: bool,
}

impl FolderScan<'_> {
    fn root(&mut self) -> io::Result<()> {
        let path = self.found.root.clone();
        let metadata = fs::metadata(&path)?;
        if !metadata.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        // An unreadable root fails the scan; only folders below it are recorded as problems.
        fs::read_dir(&path)?;
        self.found.folders.push(ScannedFolder { stamp: stamp(&metadata), ..ScannedFolder::default() });
        let known = self.known.as_ref().map(|_| 0);
        let (is_behind_link, is_in_skill) = (false, false);
        self.pending.push_back(PendingFolder { at: 0, path, depth: 0, known, is_behind_link, is_in_skill });
        Ok(())
    }

    fn enter(&mut self, folder: PendingFolder) {
        let listing = match self.listing(&folder) {
            Ok(listing) => listing,
            Err(error) => {
                let problem = PortError::io("search", error);
                self.found.folders[folder.at as usize].problem = Some(problem.reason().to_owned());
                return;
            }
        };
        let skill = self.skill(&folder, &listing);
        let is_in_skill = folder.is_in_skill || skill.is_some();
        if listing.has_meta && skill.as_ref().is_some_and(|skill| skill.form != SkillForm::Stub) {
            // A manifest added later does not change this folder's stamp, so the folder is listed again next time.
            self.found.folders[folder.at as usize].stamp = Stamp::default();
        }
        self.found.folders[folder.at as usize].skill = skill;
        for name in listing.not_utf8 {
            self.push(folder.at, name, |added| added.problem = Some("its name is not UTF-8".to_owned()));
        }
        if self.found.folders[folder.at as usize].is_leaf {
            return;
        }
        let below =
            self.known.as_ref().zip(folder.known).map(|(known, at)| known.by_name(at)).unwrap_or_default();
        if folder.at == 0 && self.bounds.takes_files && !is_in_skill {
            self.meet_files(&folder, listing.files, &below);
        }
        for (name, is_link) in listing.folders {
            if folder.depth >= self.bounds.depth_max {
                self.found.truncated |= !is_in_skill && self.bounds.depth_max > 0;
                return;
            }
            if self.found.folders.len() >= self.bounds.folders_max {
                self.found.truncated = true;
                return;
            }
            let known = below.get(&name).copied();
            self.meet(&folder, name, is_link, known, is_in_skill);
        }
    }

    /// The entries of a folder: from the known scan if the folder is unchanged.
    fn listing(&self, folder: &PendingFolder) -> io::Result<Listing> {
        match self.known.as_ref().zip(folder.known).and_then(|(known, at)| known.listing(at)) {
            Some(listing) => Ok(listing),
            None => list(&folder.path, self.bounds.file, folder.at == 0 && self.bounds.takes_files),
        }
    }

    fn meet(
        &mut self,
        folder: &PendingFolder,
        name: String,
        is_link: bool,
        known: Option<usize>,
        is_in_skill: bool,
    ) {
        let path = folder.path.join(&name);
        let Ok(metadata) = fs::metadata(&path) else { return };
        if !metadata.is_dir() {
            return;
        }
        let target = if is_link { fs::canonicalize(&path).ok() } else { None };
        if is_link && target.is_none() {
            return;
        }
        let is_leaf = target.as_ref().is_some_and(|target| !self.is_entered(folder, target));
        let (path, is_behind_link) = match &target {
            Some(target) => (target.clone(), true),
            None => (path, folder.is_behind_link),
        };
        let stamp = stamp(&metadata);
        let at = self.push(folder.at, name, |added| {
            (added.stamp, added.target, added.is_leaf) = (stamp, target, is_leaf);
        });
        let depth = folder.depth + 1;
        self.pending.push_back(PendingFolder { at, path, depth, known, is_behind_link, is_in_skill });
    }

    /// Adds the single-file skills of the root. A link counts if it leads to another file there.
    fn meet_files(
        &mut self,
        root: &PendingFolder,
        files: Vec<(String, bool)>,
        known: &HashMap<String, usize>,
    ) {
        for (name, is_link) in files {
            if self.found.folders.len() >= self.bounds.folders_max {
                self.found.truncated = true;
                return;
            }
            let path = root.path.join(&name);
            let (problem, stamp) = match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => continue,
                Ok(metadata) if metadata.is_file() => (None, stamp(&metadata)),
                // The file has vanished; a dangling link has not.
                Err(error) if error.kind() == io::ErrorKind::NotFound && !is_link => continue,
                Ok(_) | Err(_) => (Some("not a regular file"), Stamp::default()),
            };
            let target = if is_link { fs::canonicalize(&path).ok() } else { None };
            let leads_out = target.as_ref().is_some_and(|target| target.parent() != Some(&root.path));
            if let Some(problem) = problem.or(leads_out.then_some("a link that leads out of its folder")) {
                self.push(root.at, name, |added| added.problem = Some(problem.to_owned()));
                continue;
            }
            let known = self.known.as_ref().zip(known.get(&name).copied());
            let head = known.and_then(|(known, at)| known.head(at, SkillForm::SingleFile, &stamp));
            self.push(root.at, name, |added| {
                (added.stamp, added.target, added.is_leaf) = (stamp, target, true);
                added.skill = Some(ScannedSkill { form: SkillForm::SingleFile, stamp, head });
            });
        }
    }

    /// Whether the scan continues below the target of a link.
    fn is_entered(&self, folder: &PendingFolder, target: &Path) -> bool {
        let is_below_root = target.starts_with(&self.found.root);
        let is_above = folder.path.starts_with(target);
        let is_outside_border = self.bounds.border.is_some_and(|border| !target.starts_with(border));
        !(folder.is_behind_link || is_below_root || is_above || is_outside_border)
    }

    fn push(&mut self, parent: u32, name: String, fill: impl FnOnce(&mut ScannedFolder)) -> u32 {
        let mut added = ScannedFolder { parent, name, ..ScannedFolder::default() };
        fill(&mut added);
        self.found.folders.push(added);
        // `folders_max` is far below 2³².
        u32::try_from(self.found.folders.len() - 1).unwrap_or(u32::MAX)
    }

    fn skill(&self, folder: &PendingFolder, listing: &Listing) -> Option<ScannedSkill> {
        if !listing.has_file {
            return None;
        }
        let mut skill = stat_skill(&folder.path, self.bounds.file, listing.has_meta)?;
        let known = self.known.as_ref().zip(folder.known);
        skill.head = known.and_then(|(known, at)| known.head(at, skill.form, &skill.stamp));
        Some(skill)
    }
}

fn stat_skill(folder: &Path, file: &str, has_meta: bool) -> Option<ScannedSkill> {
    let found = |form, stamp| Some(ScannedSkill { form, stamp, head: None });
    if has_meta
        && let Ok(metadata) = fs::metadata(folder.join(STUB_MANIFEST))
        && metadata.is_file()
    {
        return found(SkillForm::Stub, stamp(&metadata));
    }
    let path = folder.join(file);
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => found(SkillForm::File, stamp(&metadata)),
        Ok(metadata) if metadata.is_dir() => None,
        // The file has vanished; a dangling link has not.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_link(&path) => None,
        Ok(_) | Err(_) => found(SkillForm::NotAFile, Stamp::default()),
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// Names in a folder, sorted, so that a truncated scan always ends at the same place.
fn list(folder: &Path, file: &str, takes_files: bool) -> io::Result<Listing> {
    let mut listing = Listing::default();
    for entry in WalkDir::new(folder).min_depth(1).max_depth(1) {
        let entry = entry.map_err(io::Error::from)?;
        let kind = entry.file_type();
        let name = match entry.file_name().to_owned().into_string() {
            Ok(name) => name,
            Err(name) if kind.is_dir() || takes_files && name.as_encoded_bytes().ends_with(b".md") => {
                listing.not_utf8.push(name.to_string_lossy().into_owned());
                continue;
            }
            Err(_) => continue,
        };
        if name == file {
            listing.has_file = true;
        }
        if name == META_DIR {
            listing.has_meta = true;
        }
        if takes_files && !kind.is_dir() && single_file_stem(&name).is_some() {
            listing.files.push((name.clone(), kind.is_symlink()));
        }
        if (kind.is_dir() || kind.is_symlink()) && is_scanned_name(&name) && (name != file || kind.is_dir()) {
            listing.folders.push((name, kind.is_symlink()));
        }
    }
    listing.folders.sort_unstable();
    listing.files.sort_unstable();
    listing.not_utf8.sort_unstable();
    Ok(listing)
}
