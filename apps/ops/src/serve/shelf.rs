//! Which skills are served, where each stands, and what its files are.

use super::front::{Head, head};
use crate::app::App;
use crate::failure::Failure;
use crate::fresh_index::known_survey;
use crate::policy::{Purpose, admit, is_hidden, known};
use crate::resolve::{Skill, whoever_asks};
use skillc_domain::digest::Digest;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::freshness::{KnownSurvey, is_suspect};
use skillc_domain::limits::{SERVED_BYTES_MAX, SERVED_FILES_MAX};
use skillc_domain::listing::Scope;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::survey::{Stamp, SurveyedFile};
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How often a skill is read that is edited all the while.
const READINGS_MAX: u32 = 3;

/// Remembers what was read of the skills that are served.
#[derive(Debug, Default)]
pub struct Shelf {
    heads: Mutex<HashMap<PathBuf, KnownHead>>,
    known: Mutex<HashMap<PathBuf, HashMap<RelPath, KnownFile>>>,
}

/// A file as it was when it was read.
#[derive(Clone, Debug)]
struct KnownFile {
    stamp: Stamp,
    /// When the survey before the reading began, nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    size: u64,
}

/// A SKILL.md that was read.
#[derive(Clone, Debug)]
struct KnownHead {
    stamp: Stamp,
    /// When the reading began, nanoseconds since 1970 UTC.
    trusted_ns: i64,
    digest: Digest,
    head: Arc<Head>,
}

/// A skill that is served.
#[derive(Clone, Debug)]
pub struct Served {
    /// Where it stands.
    pub place: SkillPlace,
    /// The skill.
    pub skill: Skill,
    /// The digest of its SKILL.md.
    pub skill_md: Digest,
    /// What its SKILL.md says.
    pub head: Arc<Head>,
}

/// A skill that is served, with all its files.
#[derive(Debug)]
pub struct Entry {
    /// The skill.
    pub served: Served,
    /// Every file, by the bytes of its path.
    pub files: Vec<EntryFile>,
}

/// A file of a skill. What a link inside the skill leads to is a file by the link's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFile {
    /// Relative to the skill.
    pub path: RelPath,
    /// Of its bytes.
    pub digest: Digest,
    /// Bytes.
    pub size: u64,
}

/// Why a skill, or a file of one, is not served.
pub type LeftOut = Warning;

impl Served {
    /// The name of one of its files.
    pub fn uri(&self, path: &RelPath) -> String {
        SkillUri::new(&self.place, path.clone()).to_string()
    }

    /// The name of its SKILL.md.
    pub fn skill_uri(&self) -> String {
        self.uri(&skill_file())
    }

    /// W024 with a reason.
    pub fn left_out(&self, message: impl Into<String>) -> LeftOut {
        left_out(&self.skill.path, message)
    }
}

/// The path of SKILL.md.
pub fn skill_file() -> RelPath {
    RelPath::from_walk(SKILL_FILE.to_owned())
}

fn left_out(skill: &Path, message: impl Into<String>) -> LeftOut {
    Warning::SkillSkipped { path: skill.to_string_lossy().into_owned(), message: message.into() }
}

impl Shelf {
    /// The skills of the stores whose SKILL.md every client takes, by place. The project's come to their names first; a
    /// later one whose name is taken stands aside. A folder without SKILL.md is passed over in silence, and so is a skill that
    /// is denied or switched off.
    ///
    /// # Errors
    /// E086 while nobody knows what is denied, and where a store cannot be read.
    pub fn served(&self, app: &App, warnings: &mut Vec<LeftOut>) -> Result<Vec<Served>, Failure> {
        known(app)?;
        let mut found: BTreeMap<SkillPlace, Served> = BTreeMap::new();
        for scope in [Scope::Project, Scope::Global] {
            let Some(store) = app.places.store(scope) else { continue };
            for name in app.stores.names(&store)? {
                let Ok(skill) = whoever_asks(app, &store.join(&name).to_string_lossy()) else { continue };
                if is_hidden(app, &skill) {
                    continue;
                }
                let (skill_md, head) = match self.head(app, &skill) {
                    Ok(known) => known,
                    Err(failure) => {
                        warnings.push(left_out(&skill.path, failure.fault.to_string()));
                        continue;
                    }
                };
                let is_free = |place: &SkillPlace| !found.contains_key(place);
                match place(&head.name, scope, is_free) {
                    Some(place) => drop(found.insert(place.clone(), Served { place, skill, skill_md, head })),
                    None => {
                        let message = format!("the name '{}' is taken", head.name);
                        warnings.push(left_out(&skill.path, message));
                    }
                }
            }
        }
        self.forget_all_but(&found);
        Ok(found.into_values().collect())
    }

    /// The skill at a place, to be read.
    ///
    /// # Errors
    /// E001 when none is served there, E074 when somebody has to agree first, E086.
    pub fn open(&self, app: &App, place: &SkillPlace) -> Result<Served, Failure> {
        let served = self.find(app, place)?;
        admit(app, &served.skill, Purpose::Use)?;
        Ok(served)
    }

    /// The skill at a place, to be named.
    ///
    /// # Errors
    /// E001 when none is served there, E086.
    pub fn find(&self, app: &App, place: &SkillPlace) -> Result<Served, Failure> {
        let found = self.served(app, &mut Vec::new())?.into_iter().find(|served| served.place == *place);
        found.ok_or_else(|| Fault::SkillNotFound { skill: place.to_string() }.into())
    }

    /// The files of a skill as a walk sees them.
    ///
    /// # Errors
    /// Why the skill is not served: more files or bytes than every client takes, a file that cannot be named to all.
    pub fn files(
        &self,
        app: &App,
        served: &Served,
    ) -> Result<(Box<dyn SkillTree>, Arc<KnownSurvey>), LeftOut> {
        let failed = |failure: Failure| served.left_out(failure.fault.to_string());
        let tree = app.files.open(&served.skill.path).map_err(|error| failed(error.into()))?;
        let survey = known_survey(tree.as_ref()).map_err(failed)?;
        let (count, bytes) = (survey.files.len(), survey.files.iter().map(|file| file.stamp.size));
        if count > SERVED_FILES_MAX {
            return Err(served.left_out(format!("{count} files exceed the limit of {SERVED_FILES_MAX}")));
        }
        check_bytes(served, bytes.fold(0, u64::saturating_add))?;
        // Clients read a backslash as the end of a segment, and refuse the whole list.
        match survey.files.iter().find(|file| file.path.as_str().contains('\\')) {
            Some(file) => Err(served.left_out(format!("the name '{}' has a backslash", file.path))),
            None => Ok((tree, survey)),
        }
    }

    /// A skill with digests and sizes of the bytes that stand in its files now. Of the files only those are read that may
    /// have changed. One that nobody may read is no file that is served.
    ///
    /// # Errors
    /// As `files`, and when SKILL.md is gone or no longer that of this skill.
    pub fn entry(&self, app: &App, mut served: Served) -> Result<Entry, LeftOut> {
        for _ in 0..READINGS_MAX {
            let files = self.digests(app, &served)?;
            let skill_md = files.iter().find(|file| file.path == skill_file()).map(|file| file.digest);
            if skill_md == Some(served.skill_md) {
                return Ok(Entry { served, files });
            }
            // It was edited in between: what it says now has to go with what it is now.
            let (skill_md, head) =
                self.head(app, &served.skill).map_err(|f| served.left_out(f.fault.to_string()))?;
            if head.name != served.head.name {
                break;
            }
            (served.skill_md, served.head) = (skill_md, head);
        }
        Err(served.left_out("it changed while it was read"))
    }

    /// Every file with the digest and size of its bytes, sorted by path.
    fn digests(&self, app: &App, served: &Served) -> Result<Vec<EntryFile>, LeftOut> {
        let (tree, survey) = self.files(app, served)?;
        let mut known = locked(&self.known).get(&served.skill.path).cloned().unwrap_or_default();
        let mut now = HashMap::with_capacity(survey.files.len());
        for file in &survey.files {
            let kept = known.remove(&file.path).filter(|kept| kept.is_still(file));
            let read = || read_file(app, tree.as_ref(), file, survey.taken_ns);
            let file_now = kept.map_or_else(read, |kept| Ok(Some(kept)));
            let file_now = file_now.map_err(|e| served.left_out(Failure::from(e).fault.to_string()))?;
            now.extend(file_now.map(|file_now| (file.path.clone(), file_now)));
        }
        let entry_file = |(path, file): (&RelPath, &KnownFile)| EntryFile {
            path: path.clone(),
            digest: file.digest,
            size: file.size,
        };
        let mut files: Vec<EntryFile> = now.iter().map(entry_file).collect();
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        locked(&self.known).insert(served.skill.path.clone(), now);
        check_bytes(served, files.iter().map(|file| file.size).fold(0, u64::saturating_add))?;
        Ok(files)
    }

    /// What a SKILL.md says. It is read unless the skill is known to be unchanged, and parsed when it is another than
    /// before.
    fn head(&self, app: &App, skill: &Skill) -> Result<(Digest, Arc<Head>), Failure> {
        let tree = app.files.open(&skill.path)?;
        let known = locked(&self.heads).get(&skill.path).cloned();
        let is_unread = |known: &KnownHead| {
            let survey = tree.remembered();
            survey.and_then(|survey| survey.get(&skill_file()).map(|file| known.is_still(file))) == Some(true)
        };
        if let Some(known) = known.as_ref().filter(|known| is_unread(known)) {
            return Ok((known.digest, known.head.clone()));
        }
        let trusted_ns = app.clock.now();
        let content = tree.read(&skill_file(), SERVED_BYTES_MAX).map_err(refusal)?;
        let digest = app.files.digest(&content.bytes);
        let head = match known.filter(|known| known.digest == digest) {
            Some(known) => known.head,
            None => Arc::new(head(app.reader.as_ref(), &content.bytes)?),
        };
        let read = KnownHead { stamp: content.stamp, trusted_ns, digest, head: head.clone() };
        locked(&self.heads).insert(skill.path.clone(), read);
        Ok((digest, head))
    }

    fn forget_all_but(&self, found: &BTreeMap<SkillPlace, Served>) {
        let is_there = |path: &PathBuf| found.values().any(|served| served.skill.path == *path);
        let mut heads = locked(&self.heads);
        if heads.len() > found.len() {
            heads.retain(|path, _| is_there(path));
            locked(&self.known).retain(|path, _| is_there(path));
        }
    }
}

/// Its name; for one whose name is taken, and one that is called as the namespace is, the place aside. Of two skills of the
/// project with one name the second has none.
fn place(name: &str, scope: Scope, is_free: impl Fn(&SkillPlace) -> bool) -> Option<SkillPlace> {
    let own = SkillPlace::of(name);
    let may_stand_aside = scope == Scope::Global || own.is_none();
    own.filter(&is_free)
        .or_else(|| Some(SkillPlace::aside(name)).filter(|aside| may_stand_aside && is_free(aside)))
}

fn check_bytes(served: &Served, bytes: u64) -> Result<(), LeftOut> {
    if bytes <= SERVED_BYTES_MAX {
        return Ok(());
    }
    Err(served.left_out(format!("{bytes} bytes exceed the limit of {SERVED_BYTES_MAX}")))
}

impl KnownHead {
    fn is_still(&self, file: &SurveyedFile) -> bool {
        self.stamp == file.stamp && !is_suspect(&file.stamp, self.trusted_ns)
    }
}

impl KnownFile {
    fn is_still(&self, file: &SurveyedFile) -> bool {
        self.stamp == file.stamp && !is_suspect(&file.stamp, self.trusted_ns)
    }
}

/// Reads a file; `None` when there is nothing that could be served.
fn read_file(
    app: &App,
    tree: &dyn SkillTree,
    file: &SurveyedFile,
    trusted_ns: i64,
) -> Result<Option<KnownFile>, PortError> {
    let content = match tree.read(&file.path, SERVED_BYTES_MAX) {
        Ok(content) => content,
        Err(error) => {
            let is_nothing = matches!(
                error.kind,
                ErrorKind::NotFound | ErrorKind::NotAFile | ErrorKind::Escapes | ErrorKind::Denied
            );
            return if is_nothing { Ok(None) } else { Err(error) };
        }
    };
    let (digest, size) = (app.files.digest(&content.bytes), content.bytes.len() as u64);
    Ok(Some(KnownFile { stamp: content.stamp, trusted_ns, digest, size }))
}

/// What is wrong with a SKILL.md that cannot be read.
fn refusal(error: PortError) -> Failure {
    match error.kind {
        ErrorKind::Escapes => Failure::because(Fault::PathEscapes { path: SKILL_FILE.to_owned() }, error),
        _ => error.into(),
    }
}

/// A panic while it was held leaves at worst a file to be read again.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_skill_whose_name_is_taken_stands_aside() {
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
