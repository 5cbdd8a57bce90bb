//! Opens the section index if it is up to date with its source; otherwise E002 (RFC-0004:C-FRESHNESS).

use crate::app::App;
use crate::compile;
use crate::failure::Failure;
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::{candidates, collision, index_of, index_settings, manifest};
use crate::skill::Skill;
use crate::source::{current_survey, digest_of, source_hash};
use skillc_domain::config::OnStale;
use skillc_domain::fault::Fault;
use skillc_domain::freshness::{
    Difference, IndexCompatibility, IndexHeader, SummarizedSurvey, compatibility, differences,
    is_fresh_by_stamps,
};
use skillc_domain::listing::Scope;
use skillc_domain::plan::IndexState;
use skillc_ports::{IndexReader, PortError, SkillTree};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The reason given for a skill that was never built on this machine.
const NEVER_BUILT: &str = "it was never built here";
/// Number of changed files that an error names.
const NAMED_MAX: usize = 3;

/// An index with the source that it is up to date with.
pub struct FreshIndex {
    /// A snapshot of the index.
    pub index: Box<dyn IndexReader>,
    /// The source, opened once; all reads go through this.
    pub tree: Box<dyn SkillTree>,
    /// The files of the source.
    pub survey: Arc<SummarizedSurvey>,
}

/// Opens the index of a skill for reading. The event of this use is logged in the runtime chosen here.
///
/// # Errors
/// E002 if it is missing, corrupt, incompatible or stale, and must not be rebuilt; E003 if it is another skill's.
pub async fn open(run: &mut Run<'_>, skill: &Skill) -> Result<FreshIndex, Failure> {
    let indexed = indexed_form(run, skill).await?;
    // Must precede the choice, which depends on the manifests.
    run.roll_forward(&indexed.name).await;
    let runtimes = candidates(run.app, &indexed);
    if skill.scope.is_some() {
        run.logs_in(&runtimes[0]);
    }
    match try_open(run, &indexed, &runtimes).await {
        Err(failure) if may_rebuild(run.app, &indexed, &runtimes[0], &failure) => {
            run.app.call.detail(|| "the index is stale: building".to_owned());
            compile::refresh(run, &indexed, &runtimes[0]).await?;
            try_open(run, &indexed, &runtimes).await
        }
        other => other,
    }
}

fn may_rebuild(app: &App, skill: &Skill, runtime: &Path, failure: &Failure) -> bool {
    let is_unusable = matches!(failure.fault, Fault::IndexUnusable { .. });
    is_unusable && index_settings(app, runtime).on_stale == OnStale::Rebuild && skill.scope.is_some()
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
    Err(failed.unwrap_or_else(|| skill.unusable(NEVER_BUILT).into()))
}

async fn open_in(run: &Run<'_>, skill: &Skill, runtime: &Path) -> Result<FreshIndex, Failure> {
    let app = run.app;
    let path = index_of(app, runtime, skill);
    app.call.detail(|| format!("index is {}", path.display()));
    let index = match app.ports.index.open(&path).await {
        IndexState::Present(index) => index,
        IndexState::Missing => return Err(skill.unusable(NEVER_BUILT).into()),
        IndexState::Corrupt => return Err(skill.unusable("the index cannot be read").into()),
    };
    match compatibility(index.header(), &skill.path_text(), index_settings(app, runtime).tokenizer) {
        IndexCompatibility::Foreign => return Err(collision(app, skill).into()),
        IndexCompatibility::Outdated => {
            let reason = "the index was built by another version of skc, or with another tokenizer";
            return Err(skill.unusable(reason).into());
        }
        IndexCompatibility::Readable => {}
    }
    // Without a manifest, the stub and the catalog do not know the source.
    if manifest(app, runtime).is_none() {
        return Err(skill.unusable("its manifest is missing or cannot be read").into());
    }
    let tree = app.ports.files.open(&skill.path)?;
    let survey = run.timed("check every file", || current_survey(tree.as_ref()))?;
    let changed = changed_files(index.as_ref(), tree.as_ref(), &survey, NAMED_MAX + 1);
    let changed = changed.await.map_err(|e| unusable(skill, e))?;
    if changed.is_empty() {
        return Ok(FreshIndex { index, tree, survey });
    }
    let more = if changed.len() > NAMED_MAX { ", …" } else { "" };
    let named = changed[..changed.len().min(NAMED_MAX)].join(", ");
    Err(skill.unusable(format!("changed since the last build: {named}{more}")).into())
}

/// The index of a skill if it is up to date with a survey; for operations that work without one.
pub async fn for_survey(
    app: &App,
    skill: &Skill,
    tree: &dyn SkillTree,
    survey: &SummarizedSurvey,
) -> Option<Box<dyn IndexReader>> {
    skill.scope?;
    for runtime in candidates(app, skill) {
        let Some(index) = app.ports.index.open(&index_of(app, &runtime, skill)).await.present() else {
            continue;
        };
        let tokenizer = index_settings(app, &runtime).tokenizer;
        let judged = compatibility(index.header(), &skill.path_text(), tokenizer);
        let is_readable = judged == IndexCompatibility::Readable;
        if is_readable && is_fresh(index.as_ref(), tree, survey).await.unwrap_or(false) {
            return Some(index);
        }
    }
    None
}

/// E002, caused by a port error.
pub fn unusable(skill: &Skill, error: PortError) -> Failure {
    Failure::because(skill.unusable("the index cannot be read"), error)
}

/// Whether an index is up to date with its source. Compares stamps; reads a file only if its stamp is not sufficient.
///
/// # Errors
/// If the index or a file cannot be read.
pub async fn is_fresh(
    index: &dyn IndexReader,
    tree: &dyn SkillTree,
    survey: &SummarizedSurvey,
) -> Result<bool, PortError> {
    Ok(changed_files(index, tree, survey, 1).await?.is_empty())
}

/// The first files of the source that differ from the indexed ones, at most `max`.
async fn changed_files(
    index: &dyn IndexReader,
    tree: &dyn SkillTree,
    survey: &SummarizedSurvey,
    max: usize,
) -> Result<Vec<String>, PortError> {
    let header: &IndexHeader = index.header();
    let mut changed = Vec::new();
    if is_fresh_by_stamps(header, survey.summary()) {
        return Ok(changed);
    }
    for difference in differences(&index.files().await?, survey, header.trusted_ns) {
        match difference {
            Difference::Doubtful(file, recorded) if digest_of(tree, &file.path)? == Some(recorded) => {}
            Difference::Added(file) | Difference::Doubtful(file, _) => changed.push(file.path.to_string()),
            Difference::Removed(path) => changed.push(format!("{path} (removed)")),
        }
        if changed.len() == max {
            break;
        }
    }
    Ok(changed)
}

/// The skill whose index is read. A skill in a store is its own; a folder elsewhere is represented by its import, as
/// long as the two are equal (RFC-0001:C-IMPORT).
async fn indexed_form(run: &mut Run<'_>, skill: &Skill) -> Result<Skill, Failure> {
    if skill.scope.is_some() {
        return Ok(skill.clone());
    }
    let app = run.app;
    let import = imports(app, skill).next().ok_or_else(|| skill.unusable(NEVER_BUILT))?;
    let is_equal = run.timed("comparison with the import", || -> Result<bool, Failure> {
        Ok(source_hash(app, &skill.path)? == source_hash(app, &import.path)?)
    })?;
    if is_equal {
        return Ok(Skill { given: skill.given.clone(), ..import });
    }
    // Importing the path again makes the two equal.
    Err(skill.unusable(format!("it differs from its import, '{}'", import.path_text())).into())
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
