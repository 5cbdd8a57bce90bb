//! Opens the section index if it is up to date with its source; otherwise E002 (RFC-0004:C-FRESHNESS).

use crate::app::App;
use crate::compile;
use crate::failure::Failure;
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::{candidates, collision, index_of, manifest};
use crate::skill::Skill;
use crate::source::{current_survey, digest_of, source_hash};
use skillc_domain::config::OnStale;
use skillc_domain::fault::Fault;
use skillc_domain::freshness::{
    Difference, IndexCompatibility, IndexHeader, SummarizedSurvey, compatibility, differences,
    is_fresh_by_stamps,
};
use skillc_domain::listing::Scope;
use skillc_domain::text::shell::argument;
use skillc_ports::{IndexReader, PortError, SkillTree};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An index, and the source that it is up to date with.
pub struct FreshIndex {
    /// A snapshot of the index.
    pub index: Box<dyn IndexReader>,
    /// The source, opened once; every read of it goes through this.
    pub tree: Box<dyn SkillTree>,
    /// The files of the source.
    pub survey: Arc<SummarizedSurvey>,
}

/// Opens the index of a skill for reading. The event of this use is logged in the runtime chosen here.
///
/// # Errors
/// E002 if it is missing, corrupt, of another kind or stale and must not be rebuilt; E003 if it is another skill's.
pub async fn open(run: &mut Run<'_>, skill: &Skill) -> Result<FreshIndex, Failure> {
    let indexed = indexed_form(run, skill).await?;
    // Before the choice, which depends on the manifests.
    run.roll_forward(&indexed.name).await;
    let runtimes = candidates(run.app, &indexed);
    if skill.scope.is_some() {
        run.logs_in(&runtimes[0]);
    }
    match try_open(run, &indexed, &runtimes).await {
        Err(failure) if may_rebuild(run.app, &indexed, &failure) => {
            run.app.call.detail(|| "the index is stale: building".to_owned());
            compile::refresh(run, &indexed, &runtimes[0]).await?;
            try_open(run, &indexed, &runtimes).await
        }
        other => other,
    }
}

fn may_rebuild(app: &App, skill: &Skill, failure: &Failure) -> bool {
    let is_unusable = matches!(failure.fault, Fault::IndexUnusable { .. });
    is_unusable && app.call.settings.on_stale == OnStale::Rebuild && skill.scope.is_some()
}

/// The first index that is up to date; if none is, the failure of the best runtime.
async fn try_open(run: &Run<'_>, skill: &Skill, runtimes: &[PathBuf]) -> Result<FreshIndex, Failure> {
    let mut failed = None;
    for runtime in runtimes {
        match open_in(run, skill, runtime).await {
            Err(failure) => failed = failed.or(Some(failure)),
            opened => return opened,
        }
    }
    Err(failed.unwrap_or_else(|| skill.unusable().into()))
}

async fn open_in(run: &Run<'_>, skill: &Skill, runtime: &Path) -> Result<FreshIndex, Failure> {
    let app = run.app;
    let path = index_of(app, runtime, skill);
    app.call.detail(|| format!("index is {}", path.display()));
    let index = app.ports.index.open(&path).await.present().ok_or_else(|| skill.unusable())?;
    match compatibility(index.header(), &skill.path_text(), app.call.settings.tokenizer) {
        IndexCompatibility::Foreign => return Err(collision(app, skill).into()),
        IndexCompatibility::Outdated => return Err(skill.unusable().into()),
        IndexCompatibility::Readable => {}
    }
    // Without it the stub and the catalog do not know the source.
    if manifest(app, runtime).is_none() {
        return Err(skill.unusable().into());
    }
    let tree = app.ports.files.open(&skill.path)?;
    let survey = run.timed("look at every file", || current_survey(tree.as_ref()))?;
    let is_fresh = is_fresh(index.as_ref(), tree.as_ref(), &survey).await.map_err(|e| unusable(skill, e))?;
    if is_fresh { Ok(FreshIndex { index, tree, survey }) } else { Err(skill.unusable().into()) }
}

/// E002, caused by a port error.
pub fn unusable(skill: &Skill, error: PortError) -> Failure {
    Failure::because(skill.unusable(), error)
}

/// Whether an index is up to date with its source. Compares stamps; reads a file only if its stamp proves nothing.
///
/// # Errors
/// When the index or a file cannot be read.
pub async fn is_fresh(
    index: &dyn IndexReader,
    tree: &dyn SkillTree,
    survey: &SummarizedSurvey,
) -> Result<bool, PortError> {
    let header: &IndexHeader = index.header();
    if is_fresh_by_stamps(header, survey.summary()) {
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

/// The skill whose index is read: a skill in a store itself; for a folder elsewhere its import, as long as the two are equal
/// (RFC-0001:C-IMPORT).
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
    // An import that differs is repaired by importing the path again.
    Err(Fault::IndexUnusable { skill: format!("--force {}", argument(&skill.given)) }.into())
}

/// The imports of a folder: skills in a store whose manifest names the folder as their origin.
fn imports<'a>(app: &'a App, skill: &'a Skill) -> impl Iterator<Item = Skill> + 'a {
    let name = compile::front_matter_name(app, &skill.path);
    let names = [name, Some(skill.name.clone())];
    names.into_iter().flatten().flat_map(move |name| {
        [Scope::Project, Scope::Global].into_iter().filter_map(move |scope| {
            let folder = app.call.places.store(scope)?.join(&name);
            let found = resolve(app, &folder.to_string_lossy()).ok()?;
            let manifest = manifest(app, &app.call.places.runtime(scope, &name)?)?;
            (manifest.origin? == skill.path_text()).then_some(found)
        })
    })
}
