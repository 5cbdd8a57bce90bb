//! The way to an index that says what the sources say now, or to E002 (RFC-0004:C-FRESHNESS).

use crate::app::App;
use crate::compile;
use crate::failure::Failure;
use crate::resolve::{Skill, resolve};
use crate::run::Run;
use crate::runtime::{self, index_of, roll_forward};
use skillc_domain::config::OnStale;
use skillc_domain::digest::{Digest, source_hash_input};
use skillc_domain::fault::Fault;
use skillc_domain::freshness::{
    Difference, IndexHeader, KnownSurvey, Standing, differences, is_plainly_fresh, standing,
};
use skillc_domain::limits::SKILL_FILES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::survey::Survey;
use skillc_domain::text::shell::argument;
use skillc_ports::{ErrorKind, IndexReader, PortError, SkillTree};
use std::path::Path;
use std::sync::Arc;

/// An index, with the sources that it was found to agree with.
pub struct FreshIndex {
    /// One moment of the index.
    pub index: Box<dyn IndexReader>,
    /// The source.
    pub tree: Box<dyn SkillTree>,
    /// What stands in the source.
    pub survey: Arc<KnownSurvey>,
}

/// Opens the index of a skill for reading.
///
/// # Errors
/// E002 when it is missing, corrupt, of another kind or stale and may not be rebuilt; E003 when it is another skill's.
pub async fn open(run: &mut Run<'_>, skill: &Skill) -> Result<FreshIndex, Failure> {
    let skill = &indexed_form(run, skill).await?;
    match try_open(run, skill).await {
        Err(failure) if may_rebuild(run.app, skill, &failure) => {
            run.app.detail(|| "the index is stale: building".to_owned());
            compile::refresh(run, skill).await?;
            try_open(run, skill).await
        }
        other => other,
    }
}

fn may_rebuild(app: &App, skill: &Skill, failure: &Failure) -> bool {
    let is_unusable = matches!(failure.fault, Fault::IndexUnusable { .. });
    is_unusable && app.settings.on_stale == OnStale::Rebuild && skill.scope.is_some()
}

/// The first index that agrees with the sources, in the order of the runtimes; the failure of the best one if none does.
async fn try_open(run: &mut Run<'_>, skill: &Skill) -> Result<FreshIndex, Failure> {
    let mut failed = None;
    for runtime in runtime::readable(run.app, skill) {
        match open_in(run, skill, &runtime).await {
            Err(failure) => failed = failed.or(Some(failure)),
            opened => return opened,
        }
    }
    Err(failed.unwrap_or_else(|| skill.unusable().into()))
}

async fn open_in(run: &mut Run<'_>, skill: &Skill, runtime: &Path) -> Result<FreshIndex, Failure> {
    let app = run.app;
    roll_forward(app, runtime).await;
    let path = index_of(app, runtime, skill);
    app.detail(|| format!("index is {}", path.display()));
    let index = app.index.open(&path).await.ok_or_else(|| skill.unusable())?;
    match standing(index.header(), &skill.path_text(), app.settings.tokenizer) {
        Standing::Foreign => return Err(collision(app, skill).into()),
        Standing::Outdated => return Err(skill.unusable().into()),
        Standing::Readable => {}
    }
    let tree = app.files.open(&skill.path)?;
    let survey = run.timed("look at every file", || known_survey(tree.as_ref()))?;
    let is_fresh = is_fresh(index.as_ref(), tree.as_ref(), &survey).await.map_err(|e| unusable(skill, e))?;
    if is_fresh { Ok(FreshIndex { index, tree, survey }) } else { Err(skill.unusable().into()) }
}

/// E003 for a skill.
pub fn collision(app: &App, skill: &Skill) -> Fault {
    Fault::IndexCollision { hash16: app.files.digest(skill.path_text().as_bytes()).hash16() }
}

/// E002, with what the store said behind it.
pub fn unusable(skill: &Skill, error: PortError) -> Failure {
    Failure::because(skill.unusable(), error)
}

/// Whether an index still says what the sources say: by stamps where they suffice, else by the files in doubt.
pub async fn is_fresh(
    index: &dyn IndexReader,
    tree: &dyn SkillTree,
    survey: &KnownSurvey,
) -> Result<bool, PortError> {
    let header: &IndexHeader = index.header();
    if is_plainly_fresh(header, survey.summary()) {
        return Ok(true);
    }
    for difference in differences(&index.files().await?, survey, header.trusted_ns) {
        match difference {
            Difference::Added(_) | Difference::Removed(_) => return Ok(false),
            Difference::Doubtful(file, recorded) => {
                if digest_of(tree, &file.path)? != Some(recorded) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// The digest that stands for a file which nobody may read: it is part of the skill, and its content is not.
pub const UNREADABLE: Digest = Digest([0; 32]);

/// A file's digest; `None` when it is gone.
pub fn digest_of(
    tree: &dyn SkillTree,
    path: &skillc_domain::path::RelPath,
) -> Result<Option<Digest>, PortError> {
    match tree.digest(path) {
        Ok(digest) => Ok(Some(digest)),
        Err(error) => match error.kind {
            ErrorKind::NotFound | ErrorKind::NotAFile | ErrorKind::Escapes => Ok(None),
            ErrorKind::Denied => Ok(Some(UNREADABLE)),
            _ => Err(error),
        },
    }
}

/// What a walk over a skill would see now, without one where that is known.
///
/// # Errors
/// As `survey`.
pub fn known_survey(tree: &dyn SkillTree) -> Result<Arc<KnownSurvey>, Failure> {
    match tree.remembered() {
        Some(known) => Ok(known),
        None => survey(tree).map(|survey| Arc::new(KnownSurvey::new(survey))),
    }
}

/// Walks a skill.
///
/// # Errors
/// E016 for one of too many files.
pub fn survey(tree: &dyn SkillTree) -> Result<Survey, Failure> {
    tree.survey().map_err(|error| match error.kind {
        ErrorKind::TooLarge => {
            Failure::because(Fault::TooManyFiles { limit: SKILL_FILES_MAX.to_string() }, error)
        }
        _ => error.into(),
    })
}

/// The hash over all files of a source, by reading each.
///
/// # Errors
/// E016 for a source of too many files.
pub fn source_hash(app: &App, source: &Path) -> Result<Digest, Failure> {
    let tree = app.files.open(source)?;
    let survey = survey(tree.as_ref())?;
    let mut digests = Vec::with_capacity(survey.files.len());
    for file in &survey.files {
        if let Some(digest) = digest_of(tree.as_ref(), &file.path)? {
            digests.push((&file.path, digest));
        }
    }
    Ok(app.files.digest(&source_hash_input(digests.into_iter())))
}

/// The skill whose index answers for this one: itself in a store; for a folder elsewhere its import, while the two are
/// equal (RFC-0001:C-IMPORT).
async fn indexed_form(run: &mut Run<'_>, skill: &Skill) -> Result<Skill, Failure> {
    if skill.scope.is_some() {
        return Ok(skill.clone());
    }
    let app = run.app;
    let import = imports(app, skill).next().ok_or_else(|| skill.unusable())?;
    let is_equal = run.timed("comparison with the import", || -> Result<bool, Failure> {
        Ok(source_hash(app, &skill.path)? == source_hash(app, &import.path)?)
    })?;
    if is_equal {
        return Ok(Skill { given: skill.given.clone(), ..import });
    }
    // What mends an import that no longer agrees is importing the path again, over it.
    Err(Fault::IndexUnusable { skill: format!("--force {}", argument(&skill.given)) }.into())
}

/// The imports of a folder: skills in a store whose manifest says that they came from it.
fn imports<'a>(app: &'a App, skill: &'a Skill) -> impl Iterator<Item = Skill> + 'a {
    let name = compile::front_matter_name(app, &skill.path);
    let names = [name, Some(skill.name.clone())];
    names.into_iter().flatten().flat_map(move |name| {
        [Scope::Project, Scope::Global].into_iter().filter_map(move |scope| {
            let folder = app.places.store(scope)?.join(&name);
            let found = resolve(app, &folder.to_string_lossy()).ok()?;
            let manifest = runtime::manifest(app, &app.places.runtime(scope, &name)?)?;
            (manifest.origin? == skill.path_text()).then_some(found)
        })
    })
}
