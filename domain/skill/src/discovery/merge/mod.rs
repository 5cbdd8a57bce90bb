//! Merges the scans of several roots into one catalog, in which each skill occurs once, with every path at which it
//! was found.

use crate::digest::Digest;
use crate::discovery::head::SkillHead;
use crate::discovery::roots::SkillRoot;
use crate::discovery::scan::{ScannedRoot, ScannedSkill, SkillForm};
use crate::discovery::skill::{
    CatalogSkill, LoadError, Location, SameName, SkillCatalog, SkillKind, SkillScope,
};
use crate::places::SKILL_FILE;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The inputs of a catalog.
pub struct Merging<'a> {
    /// The roots in order, each with its scan.
    pub roots: Vec<(&'a SkillRoot, &'a ScannedRoot)>,
    /// Scans of the sources of stubs that lie outside all roots.
    pub sources: &'a HashMap<PathBuf, Arc<ScannedRoot>>,
    /// Whether skills with issues are included.
    pub is_lenient: bool,
    /// Computes a SHA-256.
    pub digest: &'a dyn Fn(&[u8]) -> Digest,
}

/// Builds the catalog.
pub fn merge(merging: &Merging<'_>) -> SkillCatalog {
    let mut gathered = Gathered {
        merging,
        known: HashMap::new(),
        refused: HashSet::new(),
        found: Vec::new(),
        errors: Vec::new(),
    };
    let mut stubs = Vec::new();
    for (root, scanned) in &merging.roots {
        gathered.take_root(root, scanned, &mut stubs);
    }
    for stub in stubs {
        gathered.take_stub(stub);
    }
    let truncated = merging.roots.iter().any(|(_, scanned)| scanned.truncated);
    gathered.finish(truncated)
}

/// A stub found by a scan.
struct FoundStub {
    source: PathBuf,
    /// The scope of its source, which may be outside the stub's repository.
    scope: SkillScope,
    location: Location,
}

struct Gathered<'a, 'm> {
    merging: &'a Merging<'m>,
    /// Index of a skill by its canonical folder, or by its file if it is a single-file skill.
    known: HashMap<PathBuf, usize>,
    /// Canonical paths of skills already listed as errors.
    refused: HashSet<PathBuf>,
    found: Vec<CatalogSkill>,
    errors: Vec<LoadError>,
}

impl Gathered<'_, '_> {
    fn take_root(&mut self, root: &SkillRoot, scanned: &ScannedRoot, stubs: &mut Vec<FoundStub>) {
        for (at, folder) in scanned.folders.iter().enumerate() {
            if let Some(problem) = &folder.problem {
                self.refuse(scanned.met(&root.path, at), problem);
            }
            let Some(skill) = &folder.skill else { continue };
            let met = scanned.met(&root.path, at);
            let location = Location {
                path: if folder.is_single_file() { met } else { met.join(file_of(root.kind)) },
                scope: root.scope,
                root: root.label.clone(),
                is_stub: skill.form == SkillForm::Stub,
            };
            match &skill.head {
                Some(SkillHead::Stub(source)) => {
                    let is_elsewhere =
                        scanned.border.as_ref().is_some_and(|border| !source.starts_with(border));
                    let scope = if is_elsewhere { SkillScope::User } else { root.scope };
                    stubs.push(FoundStub { source: source.clone(), scope, location });
                }
                _ => self.take(skill, scanned.canonical(at), root.kind, root.scope, location),
            }
        }
    }

    fn take(
        &mut self,
        skill: &ScannedSkill,
        place: PathBuf,
        kind: SkillKind,
        scope: SkillScope,
        location: Location,
    ) {
        let (name, description, digest, flaws) = match &skill.head {
            Some(SkillHead::Skill { name, description, digest, flaws }) => (name, description, digest, flaws),
            Some(SkillHead::Invalid(message)) => {
                self.refused.insert(place);
                return self.refuse(location.path, message);
            }
            _ if skill.form == SkillForm::NotAFile => {
                return self.refuse(location.path, "not a regular file");
            }
            // The file vanished between the scan and reading it.
            _ => return,
        };
        if let Some(at) = self.known.get(&place) {
            let locations = &mut self.found[*at].locations;
            if locations.iter().all(|known| known.path != location.path) {
                locations.push(location);
            }
            return;
        }
        if !flaws.is_empty() && !self.merging.is_lenient {
            self.refused.insert(place);
            let (name, description) = (name.clone(), description.clone());
            let error = LoadError { name, description, ..LoadError::new(location.path, &flaws.join("; ")) };
            return self.errors.push(error);
        }
        self.known.insert(place.clone(), self.found.len());
        let (path, dir) = match skill.form {
            SkillForm::SingleFile => (place.clone(), place.parent().unwrap_or(&place).to_owned()),
            _ => (place.join(file_of(kind)), place),
        };
        self.found.push(CatalogSkill {
            id: (self.merging.digest)(path.as_os_str().as_encoded_bytes()).hash16(),
            name: name.clone(),
            description: description.clone(),
            path,
            dir,
            scope,
            kind,
            mtime_ms: skill.stamp.mtime_ns.div_euclid(1_000_000),
            digest: *digest,
            locations: vec![location],
            flaws: flaws.clone(),
        });
    }

    /// Adds a stub as another location of its source. Problems of the source are reported once, at the source.
    fn take_stub(&mut self, FoundStub { source, scope, location }: FoundStub) {
        if let Some(at) = self.known.get(&source) {
            return self.found[*at].locations.push(location);
        }
        if self.refused.contains(&source) {
            return;
        }
        let merging = self.merging;
        let scanned = merging.sources.get(&source);
        match scanned.and_then(|scanned| scanned.folders.first()?.skill.as_ref()) {
            Some(skill) if skill.form == SkillForm::File => {
                self.take(skill, source, SkillKind::Markdown, scope, location);
            }
            _ => {
                let message = format!("its source '{}' does not exist or is not a skill", source.display());
                self.refuse(location.path, &message);
            }
        }
    }

    fn refuse(&mut self, path: PathBuf, message: &str) {
        self.errors.push(LoadError::new(path, message));
    }

    fn finish(mut self, truncated: bool) -> SkillCatalog {
        self.found.sort_by(|a, b| (a.scope, &a.path).cmp(&(b.scope, &b.path)));
        self.errors.sort_unstable();
        self.errors.dedup();
        SkillCatalog { skills: self.found, errors: self.errors, truncated, ..SkillCatalog::default() }
    }
}

/// Finds names that several skills share.
pub fn same_names(skills: &[CatalogSkill]) -> Vec<SameName> {
    let mut by_name: BTreeMap<&str, Vec<&CatalogSkill>> = BTreeMap::new();
    skills.iter().for_each(|skill| by_name.entry(&skill.name).or_default().push(skill));
    let several = by_name.into_iter().filter(|(_, skills)| skills.len() > 1);
    let same_name = |(name, skills): (&str, Vec<&CatalogSkill>)| SameName {
        name: name.to_owned(),
        paths: skills.iter().map(|skill| skill.path.clone()).collect(),
        are_copies: skills.windows(2).all(|pair| pair[0].digest == pair[1].digest),
    };
    several.map(same_name).collect()
}

/// The file that identifies a skill of this kind.
pub fn file_of(kind: SkillKind) -> &'static str {
    match kind {
        SkillKind::Python => crate::discovery::scan::PYTHON_SKILL_FILE,
        SkillKind::Markdown | SkillKind::Builtin => SKILL_FILE,
    }
}

#[cfg(test)]
mod tests;
