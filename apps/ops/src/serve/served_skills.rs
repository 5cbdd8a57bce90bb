//! The skills that are served, the place of each among the resources, and the files of each.

use super::metadata::{ServedMetadata, metadata};
use crate::app::App;
use crate::failure::Failure;
use crate::policy::{Purpose, admit, is_hidden, known};
use crate::resolve::resolve_without_policy;
use crate::skill::Skill;
use crate::source::current_survey;
use crate::source::skill_file;
use crate::stores::{folders_of, skipped};
use skillc_domain::digest::Digest;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::freshness::{SummarizedSurvey, is_suspect};
use skillc_domain::limits::{SERVED_BYTES_MAX, SERVED_FILES_MAX};
use skillc_domain::listing::Scope;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::survey::{Stamp, SurveyedFile};
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Attempts to read a skill that is edited meanwhile.
const READINGS_MAX: u32 = 3;

/// The skills of the stores as a server offers them, with caches of their metadata and digests.
#[derive(Debug, Default)]
pub struct ServedSkills {
    metadata: Mutex<HashMap<PathBuf, CachedMetadata>>,
    files: Mutex<HashMap<PathBuf, HashMap<RelPath, CachedFile>>>,
}

/// The digest of a file, valid while its stamp is unchanged.
#[derive(Clone, Debug)]
struct CachedFile {
    stamp: Stamp,
    /// Start of the survey before the file was read, nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    size: u64,
}

/// The metadata of a SKILL.md, valid while its stamp is unchanged.
#[derive(Clone, Debug)]
struct CachedMetadata {
    stamp: Stamp,
    /// Start of the read, nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    metadata: Arc<ServedMetadata>,
}

/// A skill that is served.
#[derive(Clone, Debug)]
pub struct ServedSkill {
    /// Its place among the resources: `demo` or `global/demo`.
    pub place: SkillPlace,
    /// The resolved skill.
    pub skill: Skill,
    /// The digest of its SKILL.md.
    pub skill_md: Digest,
    /// The front matter of its SKILL.md.
    pub metadata: Arc<ServedMetadata>,
}

/// A served skill with all its files.
#[derive(Debug)]
pub struct SkillEntry {
    /// The skill.
    pub served: ServedSkill,
    /// Every file, ordered by the bytes of its path.
    pub files: Vec<ListedFile>,
}

/// A file of a served skill. The target of a link inside the skill is listed under the path of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Relative to the skill.
    pub path: RelPath,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// In bytes.
    pub size: u64,
}

impl ServedSkill {
    /// The URI of one of its files.
    pub fn uri(&self, path: &RelPath) -> String {
        SkillUri::new(&self.place, path.clone()).to_string()
    }

    /// The URI of its SKILL.md.
    pub fn skill_uri(&self) -> String {
        self.uri(&skill_file())
    }

    /// W024 with a reason.
    pub fn left_out(&self, message: impl Into<String>) -> Warning {
        skipped(&self.skill.path, message)
    }
}

impl ServedSkills {
    /// The skills of both stores whose SKILL.md every client accepts, ordered by place. A project's skill takes its name
    /// first; a global one of the same name moves to `global/`. Folders without SKILL.md and hidden skills are skipped
    /// without a warning.
    ///
    /// # Errors
    /// E086 if the permissions cannot be read, and if a store cannot be read.
    pub fn list(&self, app: &App, warnings: &mut Vec<Warning>) -> Result<Vec<ServedSkill>, Failure> {
        known(app)?;
        let mut found: BTreeMap<SkillPlace, ServedSkill> = BTreeMap::new();
        for scope in [Scope::Project, Scope::Global] {
            for folder in folders_of(app, scope)? {
                let Ok(skill) = resolve_without_policy(app, &folder.to_string_lossy()) else { continue };
                if is_hidden(app, &skill) {
                    continue;
                }
                let (skill_md, metadata) = match self.metadata(app, &skill) {
                    Ok(read) => read,
                    Err(failure) => {
                        warnings.push(skipped(&skill.path, failure.fault.to_string()));
                        continue;
                    }
                };
                let is_free = |place: &SkillPlace| !found.contains_key(place);
                match place(&metadata.name, scope, is_free) {
                    Some(place) => {
                        found.insert(place.clone(), ServedSkill { place, skill, skill_md, metadata });
                    }
                    None => {
                        let message = format!("the name '{}' is taken", metadata.name);
                        warnings.push(skipped(&skill.path, message));
                    }
                }
            }
        }
        self.evict_all_but(&found);
        Ok(found.into_values().collect())
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
        let found = self.list(app, &mut Vec::new())?.into_iter().find(|served| served.place == *place);
        let unknown = || Fault::SkillNotFound { skill: place.to_string(), suggestions: String::new() };
        found.ok_or_else(|| unknown().into())
    }

    /// Surveys the files of a skill.
    ///
    /// # Errors
    /// The reason the skill is not served: too many files or bytes for some clients, or a file name they refuse.
    pub fn files(
        &self,
        app: &App,
        served: &ServedSkill,
    ) -> Result<(Box<dyn SkillTree>, Arc<SummarizedSurvey>), Warning> {
        let failed = |failure: Failure| served.left_out(failure.fault.to_string());
        let tree = app.ports.files.open(&served.skill.path).map_err(|error| failed(error.into()))?;
        let survey = current_survey(tree.as_ref()).map_err(failed)?;
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
    /// As `files`, and if SKILL.md disappeared or was renamed meanwhile.
    pub fn entry(&self, app: &App, mut served: ServedSkill) -> Result<SkillEntry, Warning> {
        for _ in 0..READINGS_MAX {
            let files = self.digests(app, &served)?;
            let skill_md = files.iter().find(|file| file.path == skill_file()).map(|file| file.digest);
            if skill_md == Some(served.skill_md) {
                return Ok(SkillEntry { served, files });
            }
            // SKILL.md was edited meanwhile: metadata and digests have to be of the same version.
            let read = self.metadata(app, &served.skill);
            let (skill_md, metadata) = read.map_err(|f| served.left_out(f.fault.to_string()))?;
            if metadata.name != served.metadata.name {
                break;
            }
            (served.skill_md, served.metadata) = (skill_md, metadata);
        }
        Err(served.left_out("it changed while it was read"))
    }

    /// Every file with its digest and size, ordered by path.
    fn digests(&self, app: &App, served: &ServedSkill) -> Result<Vec<ListedFile>, Warning> {
        let (tree, survey) = self.files(app, served)?;
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

    /// The metadata of a skill and the digest of its SKILL.md. The file is read unless its stamp is unchanged, and parsed
    /// unless its digest is.
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
            None => Arc::new(metadata(app.ports.reader.as_ref(), &content.bytes)?),
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

/// The place of a skill: its name, or `global/` and its name for a global skill whose name is taken and for one called
/// `global`. `None` for the second project skill of a name.
fn place(name: &str, scope: Scope, is_free: impl Fn(&SkillPlace) -> bool) -> Option<SkillPlace> {
    let own = SkillPlace::of(name);
    let may_move_aside = scope == Scope::Global || own.is_none();
    own.filter(&is_free)
        .or_else(|| Some(SkillPlace::aside(name)).filter(|aside| may_move_aside && is_free(aside)))
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

/// Locks a cache, also after a panic: at worst a file is read again.
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
        let text = |place: Option<SkillPlace>| place.map(|place| place.to_string());
        assert_eq!(text(place("x", Scope::Project, all)).as_deref(), Some("x"));
        assert_eq!(text(place("x", Scope::Global, aside_only)).as_deref(), Some("global/x"));
        assert_eq!(text(place("x", Scope::Project, aside_only)), None);
        assert_eq!(text(place("x", Scope::Global, none)), None);
        assert_eq!(text(place("global", Scope::Project, all)).as_deref(), Some("global/global"));
    }
}
