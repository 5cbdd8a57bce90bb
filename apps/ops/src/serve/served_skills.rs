//! The skills that are served, the place of each among the resources, and the files of each.

use super::metadata::{ServedMetadata, metadata};
use super::served_skill::{ListedFile, ServedSkill, SkillEntry};
use crate::app::App;
use crate::catalog::{StoreScan, store_scans};
use crate::failure::Failure;
use crate::policy::{Purpose, admit, is_hidden, known};
use crate::resolve::resolve_without_policy;
use crate::skill::Skill;
use crate::source::current_survey;
use crate::source::skill_file;
use crate::stores::{folders_of, skipped};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::settings::{Permissions, SkillsSettings};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::freshness::{SummarizedSurvey, is_suspect};
use skillc_domain::limits::{SERVED_BYTES_MAX, SERVED_FILES_MAX};
use skillc_domain::listing::Scope;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::skill_uri::{SkillPlace, can_be_name};
use skillc_domain::survey::{Stamp, SurveyedFile};
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of attempts to read a skill that is being edited.
const READINGS_MAX: u32 = 3;

/// The skills of the stores as a server offers them, with caches of their metadata and digests.
#[derive(Debug, Default)]
pub struct ServedSkills {
    list: Mutex<Option<(ServedInputs, Arc<ServedList>)>>,
    metadata: Mutex<HashMap<PathBuf, CachedMetadata>>,
    files: Mutex<HashMap<PathBuf, HashMap<RelPath, CachedFile>>>,
}

/// The skills that are served, and those that are not.
#[derive(Debug, Default)]
pub struct ServedList {
    /// The served skills by their places.
    pub skills: BTreeMap<SkillPlace, ServedSkill>,
    /// Skills that are not served, with reasons.
    pub unreadable: Vec<Warning>,
}

/// The inputs of a list.
#[derive(Debug)]
struct ServedInputs {
    /// Scans of the stores, compared by address, since an unchanged one is the same `Arc`.
    stores: Vec<StoreScan>,
    skills: SkillsSettings,
    permissions: Permissions,
}

impl ServedInputs {
    /// The current inputs; `None` if changes could be missed.
    fn of(app: &App) -> Option<Self> {
        let stores = store_scans(app)?;
        let (skills, permissions) = (&app.call.settings.skills, &app.call.settings.permissions);
        Some(Self { stores, skills: skills.clone(), permissions: permissions.clone() })
    }

    fn is_same(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&StoreScan, &StoreScan)| {
            let is_scan = match (&a.1, &b.1) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (a, b) => a.is_none() && b.is_none(),
            };
            a.0 == b.0 && is_scan
        };
        self.stores.len() == other.stores.len()
            && self.stores.iter().zip(&other.stores).all(is_same)
            && self.skills == other.skills
            && self.permissions == other.permissions
    }
}

/// The digest of a file, valid while its stamp is unchanged.
#[derive(Clone, Debug)]
struct CachedFile {
    stamp: Stamp,
    /// Start of the survey before the file was read, in nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    size: u64,
}

/// The metadata of a SKILL.md, valid while its stamp is unchanged.
#[derive(Clone, Debug)]
struct CachedMetadata {
    stamp: Stamp,
    /// Start of the read, in nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    metadata: Arc<ServedMetadata>,
}

impl ServedSkills {
    /// The skills of both stores, ordered by place. Folders without SKILL.md and hidden skills are skipped without a
    /// warning, those whose SKILL.md cannot be read with one. Read from the disk only if a store has changed since the
    /// last call.
    ///
    /// # Errors
    /// E086 if the permissions cannot be read, and if a store cannot be read.
    pub fn list(&self, app: &App) -> Result<Arc<ServedList>, Failure> {
        known(app)?;
        let inputs = ServedInputs::of(app);
        if let (Some(inputs), Some(last)) = (&inputs, locked(&self.list).as_ref())
            && last.0.is_same(inputs)
        {
            return Ok(last.1.clone());
        }
        let list = Arc::new(self.read_stores(app)?);
        *locked(&self.list) = inputs.map(|inputs| (inputs, list.clone()));
        Ok(list)
    }

    /// Like [`Self::list`], but always from disk; no scan is cached.
    ///
    /// # Errors
    /// As `list`.
    pub fn read(&self, app: &App) -> Result<ServedList, Failure> {
        known(app)?;
        self.read_stores(app)
    }

    fn read_stores(&self, app: &App) -> Result<ServedList, Failure> {
        let mut list = ServedList::default();
        for scope in [Scope::Project, Scope::Global] {
            for folder in folders_of(app, scope)? {
                let Ok(skill) = resolve_without_policy(app, &folder.to_string_lossy()) else { continue };
                if is_hidden(app, &skill) {
                    continue;
                }
                let (skill_md, metadata) = match self.metadata(app, &skill) {
                    Ok(read) => read,
                    Err(failure) => {
                        list.unreadable.push(skipped(&skill.path, failure.fault.to_string()));
                        continue;
                    }
                };
                let is_free = |place: &SkillPlace| !list.skills.contains_key(place);
                match place(&metadata.name, &skill.name, scope, is_free) {
                    Some(place) => {
                        list.skills.insert(place.clone(), ServedSkill { place, skill, skill_md, metadata });
                    }
                    None => {
                        let message = format!("the name '{}' is taken", metadata.name);
                        list.unreadable.push(skipped(&skill.path, message));
                    }
                }
            }
        }
        self.evict_all_but(&list.skills);
        Ok(list)
    }

    /// Finds the skill at a place for reading.
    ///
    /// # Errors
    /// E001 if none is served there, E074 if the user has to consent first, E086.
    pub fn open(&self, app: &App, place: &SkillPlace) -> Result<ServedSkill, Failure> {
        let served = self.find(app, place)?;
        admit(app, &served.skill, Purpose::Use)?;
        Ok(served)
    }

    /// Finds the skill at a place for listing.
    ///
    /// # Errors
    /// E001 if none is served there, E086.
    pub fn find(&self, app: &App, place: &SkillPlace) -> Result<ServedSkill, Failure> {
        let found = self.list(app)?.skills.get(place).cloned();
        let unknown = || Fault::SkillNotFound {
            skill: place.to_string(),
            single_file: String::new(),
            suggestions: String::new(),
        };
        found.ok_or_else(|| unknown().into())
    }

    /// Surveys the files of a skill.
    ///
    /// # Errors
    /// If its folder cannot be read.
    pub fn files(
        &self,
        app: &App,
        served: &ServedSkill,
    ) -> Result<(Box<dyn SkillTree>, Arc<SummarizedSurvey>), Failure> {
        let tree = app.ports.files.open(&served.skill.path)?;
        let survey = current_survey(tree.as_ref())?;
        Ok((tree, survey))
    }

    /// Surveys the files of a skill for the index of the extension.
    ///
    /// # Errors
    /// The reason the skill is not in it: too many files or bytes for some clients, or a file name they refuse.
    fn indexed_files(
        &self,
        app: &App,
        served: &ServedSkill,
    ) -> Result<(Box<dyn SkillTree>, Arc<SummarizedSurvey>), Warning> {
        let (tree, survey) =
            self.files(app, served).map_err(|failure| served.left_out(failure.fault.to_string()))?;
        let (count, bytes) = (survey.files.len(), survey.files.iter().map(|file| file.stamp.size));
        if count > SERVED_FILES_MAX {
            return Err(served.left_out(format!("{count} files exceed the limit of {SERVED_FILES_MAX}")));
        }
        check_bytes(served, bytes.fold(0, u64::saturating_add))?;
        // Clients read a backslash as a path separator, and then refuse the whole list.
        match survey.files.iter().find(|file| file.path.as_str().contains('\\')) {
            Some(file) => Err(served.left_out(format!("the file name '{}' has a backslash", file.path))),
            None => Ok((tree, survey)),
        }
    }

    /// A skill with the current digests and sizes of its files. Only files whose stamp changed are read. Files that
    /// disappeared or must not be read are left out.
    ///
    /// # Errors
    /// The reason the skill is not in the index of the extension, also if SKILL.md disappeared or was renamed
    /// meanwhile.
    pub fn entry(&self, app: &App, mut served: ServedSkill) -> Result<SkillEntry, Warning> {
        if let Some(refusal) = served.refusal() {
            return Err(served.left_out(refusal));
        }
        for _ in 0..READINGS_MAX {
            let files = self.digests(app, &served)?;
            let skill_md = files.iter().find(|file| file.path == skill_file()).map(|file| file.digest);
            if skill_md == Some(served.skill_md) {
                return Ok(SkillEntry { served, files });
            }
            // SKILL.md was edited in the meantime. Metadata and digests must be of the same version.
            let read = self.metadata(app, &served.skill);
            let (skill_md, metadata) = read.map_err(|f| served.left_out(f.fault.to_string()))?;
            if metadata.name != served.metadata.name || metadata.refusal.is_some() {
                break;
            }
            (served.skill_md, served.metadata) = (skill_md, metadata);
        }
        Err(served.left_out("it changed while it was read"))
    }

    /// Every file with its digest and size, ordered by path.
    fn digests(&self, app: &App, served: &ServedSkill) -> Result<Vec<ListedFile>, Warning> {
        let (tree, survey) = self.indexed_files(app, served)?;
        let mut cached = locked(&self.files).get(&served.skill.path).cloned().unwrap_or_default();
        let mut now = HashMap::with_capacity(survey.files.len());
        for file in &survey.files {
            let unchanged = cached.remove(&file.path).filter(|cached| cached.is_valid(file));
            let read = || read_file(app, tree.as_ref(), file, survey.taken_ns);
            let current = unchanged.map_or_else(read, |cached| Ok(Some(cached)));
            let current = current.map_err(|e| served.left_out(Failure::from(e).fault.to_string()))?;
            now.extend(current.map(|current| (file.path.clone(), current)));
        }
        let listed = |(path, file): (&RelPath, &CachedFile)| ListedFile {
            path: path.clone(),
            digest: file.digest,
            size: file.size,
        };
        let mut files: Vec<ListedFile> = now.iter().map(listed).collect();
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        locked(&self.files).insert(served.skill.path.clone(), now);
        check_bytes(served, files.iter().map(|file| file.size).fold(0, u64::saturating_add))?;
        Ok(files)
    }

    /// The metadata of a skill and the digest of its SKILL.md. The file is read only if its stamp has changed, and
    /// parsed only if its digest has.
    fn metadata(&self, app: &App, skill: &Skill) -> Result<(Digest, Arc<ServedMetadata>), Failure> {
        let tree = app.ports.files.open(&skill.path)?;
        let cached = locked(&self.metadata).get(&skill.path).cloned();
        let is_unchanged = |cached: &CachedMetadata| {
            let survey = tree.cached_survey();
            survey.and_then(|survey| survey.get(&skill_file()).map(|file| cached.is_valid(file)))
                == Some(true)
        };
        if let Some(cached) = cached.as_ref().filter(|cached| is_unchanged(cached)) {
            return Ok((cached.digest, cached.metadata.clone()));
        }
        let trusted_ns = app.ports.clock.now();
        let content = tree.read(&skill_file(), SERVED_BYTES_MAX).map_err(refusal)?;
        let digest = app.ports.files.digest(&content.bytes);
        let metadata = match cached.filter(|cached| cached.digest == digest) {
            Some(cached) => cached.metadata,
            None => Arc::new(metadata(app.ports.reader.as_ref(), &content.bytes, &skill.name)),
        };
        let read = CachedMetadata { stamp: content.stamp, trusted_ns, digest, metadata: metadata.clone() };
        locked(&self.metadata).insert(skill.path.clone(), read);
        Ok((digest, metadata))
    }

    fn evict_all_but(&self, found: &BTreeMap<SkillPlace, ServedSkill>) {
        let is_served = |path: &PathBuf| found.values().any(|served| served.skill.path == *path);
        let mut metadata = locked(&self.metadata);
        if metadata.len() > found.len() {
            metadata.retain(|path, _| is_served(path));
            locked(&self.files).retain(|path, _| is_served(path));
        }
    }
}

/// The place of a skill: its name, otherwise that of its folder. A global skill whose name is taken, and one called
/// `global`, is placed below `global/`.
fn place(
    name: &str,
    folder: &str,
    scope: Scope,
    is_free: impl Fn(&SkillPlace) -> bool,
) -> Option<SkillPlace> {
    let places = |name: &str| {
        let own = SkillPlace::of(name);
        let may_move_aside = scope == Scope::Global || own.is_none();
        let aside = may_move_aside.then(|| SkillPlace::aside(name));
        [own, aside].into_iter().flatten().find(&is_free)
    };
    [name, folder].into_iter().filter(|name| can_be_name(name)).find_map(places)
}

fn check_bytes(served: &ServedSkill, bytes: u64) -> Result<(), Warning> {
    if bytes <= SERVED_BYTES_MAX {
        return Ok(());
    }
    Err(served.left_out(format!("{bytes} bytes exceed the limit of {SERVED_BYTES_MAX}")))
}

impl CachedMetadata {
    fn is_valid(&self, file: &SurveyedFile) -> bool {
        self.stamp == file.stamp && !is_suspect(&file.stamp, self.trusted_ns)
    }
}

impl CachedFile {
    fn is_valid(&self, file: &SurveyedFile) -> bool {
        self.stamp == file.stamp && !is_suspect(&file.stamp, self.trusted_ns)
    }
}

/// Reads a file; `None` if it disappeared or must not be read.
fn read_file(
    app: &App,
    tree: &dyn SkillTree,
    file: &SurveyedFile,
    trusted_ns: i64,
) -> Result<Option<CachedFile>, PortError> {
    let content = match tree.read(&file.path, SERVED_BYTES_MAX) {
        Ok(content) => content,
        Err(error) => {
            let is_absent = matches!(
                error.kind,
                ErrorKind::NotFound | ErrorKind::NotAFile | ErrorKind::Escapes | ErrorKind::Denied
            );
            return if is_absent { Ok(None) } else { Err(error) };
        }
    };
    let (digest, size) = (app.ports.files.digest(&content.bytes), content.bytes.len() as u64);
    Ok(Some(CachedFile { stamp: content.stamp, trusted_ns, digest, size }))
}

/// The failure for a SKILL.md that cannot be read.
fn refusal(error: PortError) -> Failure {
    match error.kind {
        ErrorKind::Escapes => Failure::because(Fault::PathEscapes { path: SKILL_FILE.to_owned() }, error),
        _ => error.into(),
    }
}

/// Locks a cache, even after a panic: at worst, a file is read again.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_skill_whose_name_is_taken_moves_aside() {
        let all = |_: &SkillPlace| true;
        let none = |_: &SkillPlace| false;
        let aside_only = |place: &SkillPlace| place.as_str().starts_with("global/");
        let folder_only = |place: &SkillPlace| place.as_str().ends_with("folder");
        let place = |name: &str, scope, is_free: &dyn Fn(&SkillPlace) -> bool| {
            place(name, "folder", scope, is_free).map(|place| place.to_string())
        };
        assert_eq!(place("x", Scope::Project, &all).as_deref(), Some("x"));
        assert_eq!(place("x", Scope::Global, &aside_only).as_deref(), Some("global/x"));
        assert_eq!(place("x", Scope::Project, &aside_only), None);
        assert_eq!(place("x", Scope::Global, &none), None);
        assert_eq!(place("global", Scope::Project, &all).as_deref(), Some("global/global"));
        assert_eq!(place("x", Scope::Project, &folder_only).as_deref(), Some("folder"));
        assert_eq!(place("a/b", Scope::Project, &all).as_deref(), Some("folder"));
    }
}
