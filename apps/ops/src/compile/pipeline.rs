//! From a source to its runtime: plan, write the index, put stub and manifest in place (RFC-0001:C-PUBLISH).

use super::outline::{Head, head, listed, stub};
use super::source_reader::{FileFeed, Gathered, Source};
use crate::app::App;
use crate::failure::Failure;
use crate::fresh_index::{collision, survey};
use crate::resolve::Skill;
use crate::run::Run;
use crate::runtime::{
    self, finish_pending, index_of, manifest, of_scope, put_projections, read_manifest, write_manifest,
};
use skillc_domain::digest::{Digest, source_hash_input};
use skillc_domain::fault::Fault;
use skillc_domain::freshness::{
    IndexHeader, RecordedFile, Summary, differences, fingerprint, is_plainly_fresh, standing,
};
use skillc_domain::limits::{INDEX_SCHEMA_VERSION, MANIFEST_VERSION};
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::path::RelPath;
use skillc_domain::plan::{BuildPlan, IndexState, plan_by_differences, plan_by_state};
use skillc_domain::survey::{Survey, SurveyedFile};
use skillc_domain::time::{UnixNs, rfc3339};
use skillc_ports::{
    Artifact, ErrorKind, IndexChange, IndexReader, PortError, Projection, Publication, RuntimeGuard,
    SkillTree,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A runtime that agrees with its source.
pub struct Built {
    /// What was built.
    pub skill: Skill,
    /// Where it belongs.
    pub scope: Scope,
    /// The folder of the build.
    pub runtime: PathBuf,
    /// Files of the source.
    pub files: usize,
    /// Whether anything had changed since the last build.
    pub has_changed: bool,
    /// The stub's and the manifest's bytes as published.
    pub projections: Vec<Projection>,
    /// Keeps other builds of this runtime waiting until the deployment is done too.
    pub guard: Box<dyn RuntimeGuard>,
}

/// Builds a stale index on the way to reading it, without deploying anything.
pub async fn refresh(run: &mut Run<'_>, skill: &Skill) -> Result<(), Failure> {
    let reading = runtime::reading(run.app, skill);
    let is_global = reading == of_scope(run.app, Scope::Global, &skill.name);
    let scope = if is_global { Scope::Global } else { skill.home_scope(&run.app.places) };
    compile(run, skill, scope).await.map(|_| ())
}

/// Brings the runtime of a skill to what its source says.
///
/// # Errors
/// Any of RFC-0001:C-ERRORS but E014; the runtime is then as it was.
pub async fn compile(run: &mut Run<'_>, skill: &Skill, scope: Scope) -> Result<Built, Failure> {
    let app = run.app;
    let tree: Arc<dyn SkillTree> = app.files.open(&skill.path)?.into();
    let mut source = look(run, skill, tree.as_ref())?;
    let runtime = of_scope(app, scope, &skill.name);
    let guard = app.runtimes.lock(&runtime)?;
    finish_pending(app, &runtime).await;
    let index = index_of(app, &runtime, skill);
    let reader = app.index.open(&index).await;
    if reader.as_ref().is_some_and(|reader| reader.header().trusted_ns > source.survey.taken_ns) {
        // Another build looked later and published while this one waited: what was seen before is out of date.
        source = look(run, skill, tree.as_ref())?;
    }
    let job = Job { app, skill, runtime: &runtime, tree: &tree, survey: &source.survey, head: &source.head };
    let done = job.run(run, &index, reader).await?;
    source.survey.warnings.iter().cloned().chain(done.warnings).for_each(|warning| run.warn(warning));
    Ok(Built {
        skill: skill.clone(),
        scope,
        files: source.survey.files.len(),
        has_changed: done.has_changed,
        projections: done.projections,
        runtime,
        guard,
    })
}

/// A source that can be built, as it was seen at one moment.
struct Seen {
    survey: Survey,
    head: Head,
}

/// Looks at a source before anything is written.
fn look(run: &Run<'_>, skill: &Skill, tree: &dyn SkillTree) -> Result<Seen, Failure> {
    let survey = run.timed("stat of every file", || survey(tree))?;
    if let Some(link) = survey.escaping.first() {
        return Err(Fault::PathEscapes { path: link.to_string() }.into());
    }
    Ok(Seen { head: head(run.app, tree, &skill.path)?, survey })
}

struct Done {
    has_changed: bool,
    projections: Vec<Projection>,
    warnings: Vec<skillc_domain::fault::Warning>,
}

struct Job<'a> {
    app: &'a App,
    skill: &'a Skill,
    runtime: &'a Path,
    tree: &'a Arc<dyn SkillTree>,
    survey: &'a Survey,
    head: &'a Head,
}

impl Job<'_> {
    async fn run(
        &self,
        run: &Run<'_>,
        index: &Path,
        reader: Option<Box<dyn IndexReader>>,
    ) -> Result<Done, Failure> {
        let state = match &reader {
            Some(reader) => IndexState::Present(reader.header().clone()),
            None => self.app.index.state(index).await,
        };
        let judge =
            |header: &IndexHeader| standing(header, &self.skill.path_text(), self.app.settings.tokenizer);
        match (plan_by_state(&state, judge), reader) {
            (Some(BuildPlan::Refuse), _) => Err(collision(self.app, self.skill).into()),
            (None, Some(reader)) => self.update(run, index, reader).await,
            (plan, _) => {
                self.app.detail(|| format!("plan: {plan:?}"));
                self.replace(run, index, Vec::new()).await
            }
        }
    }

    /// The index can be kept: nothing to do, an edit, or so much that a new one is cheaper.
    async fn update(
        &self,
        run: &Run<'_>,
        index: &Path,
        reader: Box<dyn IndexReader>,
    ) -> Result<Done, Failure> {
        let projections = match reader.projections().await {
            Ok(projections) => projections,
            Err(_) => return self.replace(run, index, Vec::new()).await,
        };
        if is_plainly_fresh(reader.header(), &Summary::of(&self.survey.files))
            && self.has_its_origin(&projections)
        {
            put_projections(self.app, self.runtime, &projections)?;
            self.app.detail(|| "plan: nothing changed".to_owned());
            return Ok(Done { has_changed: false, projections, warnings: Vec::new() });
        }
        let Ok(recorded) = reader.files().await else {
            return self.replace(run, index, projections).await;
        };
        let trusted_ns = reader.header().trusted_ns;
        drop(reader);
        match plan_by_differences(differences(&recorded, self.survey, trusted_ns), &recorded, self.survey) {
            BuildPlan::InPlace { read, removed } => {
                self.app.detail(|| {
                    format!("plan: edit in place, {} to read, {} gone", read.len(), removed.len())
                });
                self.edit(run, index, Edit { read, removed, recorded, projections }).await
            }
            BuildPlan::Full(_) | BuildPlan::Refuse => self.replace(run, index, projections).await,
        }
    }

    /// Whether the manifest names the folder that the skill was imported from just now, if it was.
    fn has_its_origin(&self, projections: &[Projection]) -> bool {
        let old = projections.iter().find(|p| p.name == Artifact::Manifest.path());
        self.skill.origin.is_none() || old.and_then(|p| read_manifest(&p.bytes)?.origin) == self.skill.origin
    }

    /// Makes a new index; what was published before tells whether anything has changed.
    async fn replace(
        &self,
        run: &Run<'_>,
        index: &Path,
        projections: Vec<Projection>,
    ) -> Result<Done, Failure> {
        self.app.progress.begin(&format!("building {}", self.skill.name), self.survey.files.len() as u64);
        let change = IndexChange::Replace(self.app.settings.tokenizer);
        let before = Before { projections, ..Before::default() };
        let done = self.write(run, index, change, self.survey.files.clone().into(), before).await;
        self.app.progress.end();
        done
    }

    async fn edit(&self, run: &Run<'_>, index: &Path, edit: Edit) -> Result<Done, Failure> {
        let before =
            Before { recorded: edit.recorded, removed: edit.removed.clone(), projections: edit.projections };
        let projections = before.projections.clone();
        let change = IndexChange::Edit { removed: edit.removed };
        match self.write(run, index, change, edit.read.into(), before).await {
            // A reader that stays open, such as a stopped process, keeps an edit out, but not a new index.
            Err(failure) if failure.is(ErrorKind::Busy) => self.replace(run, index, projections).await,
            done => done,
        }
    }

    /// Marker, commit, files, marker gone: a process that dies in between leaves what the next one can finish.
    async fn write(
        &self,
        run: &Run<'_>,
        index: &Path,
        change: IndexChange,
        files: Arc<[SurveyedFile]>,
        before: Before,
    ) -> Result<Done, Failure> {
        let app = self.app;
        let now = app.clock.now();
        let published = std::sync::Mutex::new((false, Vec::new()));
        let source = Source {
            tree: self.tree.clone(),
            files: app.files.clone(),
            reader: app.reader.clone(),
            listed: listed(self.survey).0.into(),
        };
        let mut feed = FileFeed::new(source, files, app.progress.clone(), |read: &Gathered| {
            let source_hash = self.source_hash(&before, &read.records);
            let (tree, name) = (self.tree.as_ref(), &self.skill.name);
            let stub = stub(app, tree, self.survey, self.head, name, &read.references);
            let (has_changed, projections) = self.projections(&before, source_hash, &stub, now);
            *published.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                (has_changed, projections.clone());
            Ok(Publication { header: self.header(source_hash, now), projections })
        });
        let index_name = index.file_name().unwrap_or_default().to_string_lossy();
        app.runtimes.mark_pending(self.runtime, &index_name)?;
        let start = std::time::Instant::now();
        let written = app.index.write(index, change, &mut feed).await;
        app.detail(|| format!("index written: {:.1} ms", start.elapsed().as_secs_f64() * 1e3));
        if let Err(error) = written {
            // Nothing was committed, so nothing is pending.
            let _ = app.runtimes.clear_pending(self.runtime);
            return Err(escape_or(error));
        }
        let warnings = feed.into_warnings();
        let (has_changed, projections) =
            published.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        run.timed("stub and manifest in place", || -> Result<(), PortError> {
            put_projections(app, self.runtime, &projections)?;
            app.runtimes.clear_pending(self.runtime)
        })?;
        Ok(Done { has_changed, projections, warnings })
    }

    fn header(&self, source_hash: Digest, now: UnixNs) -> IndexHeader {
        IndexHeader {
            skill_path: self.skill.path_text(),
            source_hash,
            schema_version: INDEX_SCHEMA_VERSION,
            tokenizer: self.app.settings.tokenizer,
            fingerprint: fingerprint(&self.survey.files),
            trusted_ns: self.survey.taken_ns,
            indexed_at: rfc3339(now),
        }
    }

    /// Over what was read now and, for an edit, what was recorded before and stays.
    fn source_hash(&self, before: &Before, read: &[RecordedFile]) -> Digest {
        let stays = |old: &&RecordedFile| {
            before.removed.binary_search(&old.path).is_err()
                && read.binary_search_by(|new| new.path.cmp(&old.path)).is_err()
        };
        let mut all: Vec<(&RelPath, Digest)> =
            before.recorded.iter().filter(stays).chain(read).map(|file| (&file.path, file.digest)).collect();
        all.sort_unstable();
        self.app.files.digest(&source_hash_input(all.into_iter()))
    }

    /// Stub and manifest, and whether they say anything new. An unchanged source keeps its old manifest with its time.
    fn projections(
        &self,
        before: &Before,
        source_hash: Digest,
        stub: &[u8],
        now: UnixNs,
    ) -> (bool, Vec<Projection>) {
        let of = |artifact: Artifact| before.projections.iter().find(|p| p.name == artifact.path());
        let old = of(Artifact::Manifest).and_then(|p| read_manifest(&p.bytes));
        let is_same = old.as_ref().is_some_and(|old| old.source_hash == source_hash)
            && of(Artifact::Stub).is_some_and(|old| old.bytes == stub)
            && self.has_its_origin(&before.projections);
        if is_same {
            return (false, before.projections.clone());
        }
        let known =
            old.or_else(|| manifest(self.app, self.runtime).filter(|m| m.source == self.skill.path_text()));
        let manifest = Manifest {
            skill: self.skill.name.clone(),
            version: MANIFEST_VERSION,
            built_at: rfc3339(now),
            source_hash,
            source: self.skill.path_text(),
            origin: self.skill.origin.clone().or_else(|| known.and_then(|old| old.origin)),
        };
        let projection = |artifact: Artifact, bytes| Projection { name: artifact.path().to_owned(), bytes };
        let both = [
            projection(Artifact::Stub, stub.to_vec()),
            projection(Artifact::Manifest, write_manifest(&manifest)),
        ];
        (true, both.into())
    }
}

struct Edit {
    read: Vec<SurveyedFile>,
    removed: Vec<RelPath>,
    recorded: Vec<RecordedFile>,
    projections: Vec<Projection>,
}

/// What was there before an edit; nothing before a whole new index.
#[derive(Default)]
struct Before {
    recorded: Vec<RecordedFile>,
    /// Sorted.
    removed: Vec<RelPath>,
    projections: Vec<Projection>,
}

fn escape_or(error: PortError) -> Failure {
    match error.kind {
        ErrorKind::Escapes => Failure::because(Fault::PathEscapes { path: error.doing.clone() }, error),
        _ => error.into(),
    }
}
