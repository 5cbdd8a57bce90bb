//! Scans for skills, and their cache.

use crate::machine::{MemoryMachine, World};
use crate::tree::{Content, NodeId};
use skillc_domain::discovery::place::single_file_stem;
use skillc_domain::discovery::scan::{
    ScanBounds, ScannedFolder, ScannedRoot, ScannedSkill, SkillForm, is_scanned_name,
};
use skillc_domain::freshness::is_suspect;
use skillc_domain::places::META_DIR;
use skillc_ports::{ErrorKind, PortError, Scan, ScanCache, SkillScanner};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Scans a machine in memory.
#[derive(Clone, Debug)]
pub struct MemorySkillScanner {
    machine: MemoryMachine,
}

impl MemorySkillScanner {
    /// Scans this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }
}

impl SkillScanner for MemorySkillScanner {
    fn scan(
        &self,
        root: &Path,
        bounds: &ScanBounds<'_>,
        known: Option<Arc<ScannedRoot>>,
    ) -> Result<Scan, PortError> {
        let failed = |kind| PortError::new(kind, format!("search '{}'", root.display()));
        let mut world = self.machine.world();
        let taken_ns = world.tick();
        let id = world.tree.find(root).map_err(failed)?;
        if !world.tree.content(id).is_folder() {
            return Err(failed(ErrorKind::NotFound));
        }
        let canonical = world.tree.canonical(root).map_err(failed)?;
        if bounds.border.is_some_and(|border| !canonical.starts_with(border)) {
            return Err(failed(ErrorKind::Escapes));
        }
        let mut search = Search {
            world: &world,
            bounds,
            found: ScannedRoot::new(canonical.clone(), bounds, taken_ns),
            pending: VecDeque::new(),
        };
        let stamp = world.tree.stamp(id);
        search.found.folders.push(ScannedFolder { stamp, ..ScannedFolder::default() });
        search.pending.push_back(Pending {
            at: 0,
            id,
            path: canonical.clone(),
            depth: 0,
            is_behind_link: false,
            is_in_skill: false,
        });
        while let Some(next) = search.pending.pop_front() {
            search.enter(&next);
        }
        Ok(compared(search.found, known.filter(|known| known.is_of(&canonical, bounds))))
    }
}

/// Takes the heads of unchanged skills from the known scan.
fn compared(mut found: ScannedRoot, known: Option<Arc<ScannedRoot>>) -> Scan {
    let Some(known) = known else {
        return Scan { scanned: Arc::new(found), is_news: true };
    };
    let mut heads: BTreeMap<PathBuf, &ScannedSkill> = BTreeMap::new();
    for (at, folder) in known.folders.iter().enumerate() {
        heads.extend(folder.skill.as_ref().map(|skill| (known.met(&known.root, at), skill)));
    }
    let mut has_suspects = false;
    for at in 0..found.folders.len() {
        let met = found.met(&found.root, at);
        let Some(skill) = &mut found.folders[at].skill else { continue };
        let Some(old) = heads.get(&met) else { continue };
        let suspect = is_suspect(&skill.stamp, known.taken_ns);
        has_suspects |= suspect;
        if (skill.form, skill.stamp) == (old.form, old.stamp) && !suspect {
            skill.head.clone_from(&old.head);
        }
    }
    if has_suspects || known.folders != found.folders {
        return Scan { scanned: Arc::new(found), is_news: true };
    }
    Scan { scanned: known, is_news: false }
}

struct Search<'a> {
    world: &'a World,
    bounds: &'a ScanBounds<'a>,
    found: ScannedRoot,
    pending: VecDeque<Pending>,
}

struct Pending {
    at: u32,
    id: NodeId,
    path: PathBuf,
    depth: u32,
    is_behind_link: bool,
    is_in_skill: bool,
}

impl Search<'_> {
    fn enter(&mut self, folder: &Pending) {
        let skill = self.skill(folder);
        let is_in_skill = folder.is_in_skill || skill.is_some();
        self.found.folders[folder.at as usize].skill = skill;
        if self.found.folders[folder.at as usize].is_leaf {
            return;
        }
        if folder.at == 0 && self.bounds.takes_files && !is_in_skill {
            self.meet_files(folder);
        }
        for (name, id) in self.world.tree.entries(folder.id) {
            if !is_scanned_name(&name) {
                continue;
            }
            let is_link = matches!(self.world.tree.content(id), Content::Link(_));
            let path = folder.path.join(&name);
            let Ok(id) = self.world.tree.find(&path) else { continue };
            if !self.world.tree.content(id).is_folder() {
                continue;
            }
            if folder.depth >= self.bounds.depth_max {
                self.found.truncated |= !is_in_skill && self.bounds.depth_max > 0;
                return;
            }
            if self.found.folders.len() >= self.bounds.folders_max {
                self.found.truncated = true;
                return;
            }
            self.meet(folder, name, id, is_link, is_in_skill);
        }
    }

    fn meet_files(&mut self, root: &Pending) {
        let tree = &self.world.tree;
        for (name, id) in tree.entries(root.id) {
            let path = root.path.join(&name);
            let is_link = matches!(tree.content(id), Content::Link(_));
            let found = tree.find(&path).ok();
            let is_folder = found.is_some_and(|id| tree.content(id).is_folder());
            if single_file_stem(&name).is_none() || is_folder {
                continue;
            }
            if self.found.folders.len() >= self.bounds.folders_max {
                self.found.truncated = true;
                return;
            }
            let target = if is_link { tree.canonical(&path).ok() } else { None };
            let leads_out = target.as_ref().is_some_and(|target| target.parent() != Some(&root.path));
            let mut added = ScannedFolder { parent: root.at, name, ..ScannedFolder::default() };
            match found.filter(|id| tree.content(*id).is_file()) {
                None => added.problem = Some("not a regular file".to_owned()),
                Some(_) if leads_out => {
                    added.problem = Some("a link that leads out of its folder".to_owned());
                }
                Some(id) => {
                    let stamp = tree.stamp(id);
                    (added.stamp, added.target, added.is_leaf) = (stamp, target, true);
                    added.skill = Some(ScannedSkill { form: SkillForm::SingleFile, stamp, head: None });
                }
            }
            self.found.folders.push(added);
        }
    }

    fn meet(&mut self, folder: &Pending, name: String, id: NodeId, is_link: bool, is_in_skill: bool) {
        let path = folder.path.join(&name);
        let target = if is_link { self.world.tree.canonical(&path).ok() } else { None };
        let is_leaf = target.as_ref().is_some_and(|target| {
            folder.is_behind_link
                || target.starts_with(&self.found.root)
                || folder.path.starts_with(target)
                || self.bounds.border.is_some_and(|border| !target.starts_with(border))
        });
        let at = u32::try_from(self.found.folders.len()).unwrap_or(u32::MAX);
        let stamp = self.world.tree.stamp(id);
        let is_behind_link = folder.is_behind_link || is_link;
        let path = target.clone().unwrap_or(path);
        let added =
            ScannedFolder { parent: folder.at, name, stamp, target, is_leaf, problem: None, skill: None };
        self.found.folders.push(added);
        self.pending.push_back(Pending {
            at,
            id,
            path,
            depth: folder.depth + 1,
            is_behind_link,
            is_in_skill,
        });
    }

    fn skill(&self, folder: &Pending) -> Option<ScannedSkill> {
        let tree = &self.world.tree;
        let file = folder.path.join(self.bounds.file);
        tree.find_itself(&file).ok()?;
        let found = |path: &Path| tree.find(path).ok().map(|id| (id, tree.content(id)));
        let manifest = folder.path.join(META_DIR).join("manifest.json");
        let skill = |form, id| ScannedSkill { form, stamp: tree.stamp(id), head: None };
        match (found(&manifest), found(&file)) {
            (Some((id, content)), _) if content.is_file() => Some(skill(SkillForm::Stub, id)),
            (_, Some((id, content))) if content.is_file() => Some(skill(SkillForm::File, id)),
            (_, Some((_, content))) if content.is_folder() => None,
            _ => Some(ScannedSkill { form: SkillForm::NotAFile, ..ScannedSkill::default() }),
        }
    }
}

/// Scans by root. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct MemoryScanCache {
    cached: Arc<Mutex<BTreeMap<PathBuf, Arc<ScannedRoot>>>>,
}

impl ScanCache for MemoryScanCache {
    fn get(&self, roots: &[PathBuf]) -> Vec<Option<Arc<ScannedRoot>>> {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        roots.iter().map(|root| cached.get(root).cloned()).collect()
    }

    fn insert(&self, root: &Path, scanned: &Arc<ScannedRoot>) {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).insert(root.to_owned(), scanned.clone());
    }
}
