//! Turns a source into its runtime: plans, writes the index, and publishes stub and manifest (RFC-0001:C-PUBLISH).

use super::settling;
use super::skill_file::{SkillFile, read_skill_file};
use super::source_reader::{ReadFiles, Source, SourceReader};
use super::stub::{form, listed, stub};
use crate::app::App;
use crate::failure::Failure;
use crate::git_ignore;
use crate::run::Run;
use crate::runtime::{
    collision, content_of, finish_pending, index_of, index_settings, manifest, of_scope, read_manifest,
    write_manifest, write_published,
};
use crate::skill::{ImportOrigin, Skill};
use crate::source::survey;
use skillc_domain::config::Tokenizer;
use skillc_domain::digest::{Digest, FileDigest, source_hash_input};
use skillc_domain::discovery::head::{PlaceNames, flaws};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::freshness::{
    IndexHeader, RecordedFile, SurveySummary, compatibility, differences, fingerprint, is_fresh_by_stamps,
};
use skillc_domain::limits::{CATALOGED_BYTES_MAX, INDEX_SCHEMA_VERSION, MANIFEST_VERSION};
use skillc_domain::linked_files::linked_entries;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::path::RelPath;
use skillc_domain::plan::{BuildPlan, IndexState, plan_by_differences, plan_by_state};
use skillc_domain::survey::{Survey, SurveyedFile};
use skillc_domain::time::{UnixNs, rfc3339};
use skillc_ports::{
    ErrorKind, IndexChange, IndexReader, PortError, Publication, PublishedFile, RuntimeFile, RuntimeGuard,
    SkillTree,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A runtime that is up to date with its source.
pub struct Built {
    /// The skill that was built.
    pub skill: Skill,
    /// The scope of the runtime.
    pub scope: Scope,
    /// The folder of the runtime.
    pub runtime: PathBuf,
    /// Number of files in the source.
    pub files: usize,
    /// Whether anything has changed since the last build.
    pub has_changed: bool,
    /// Reasons why strict readers, such as the catalog, reject the skill.
    pub flaws: Vec<String>,
    /// Size of SKILL.md in bytes.
    pub skill_bytes: u64,
    /// The stub and the manifest, as published.
    pub published: Vec<PublishedFile>,
    /// Locks out other builds of this runtime until it has been deployed.
    pub guard: Box<dyn RuntimeGuard>,
}

/// Rebuilds a stale index before `runtime` is read, without deploying anything.
///
/// # Errors
/// As `compile`.
pub async fn refresh(run: &mut Run<'_>, skill: &Skill, runtime: &Path) -> Result<(), Failure> {
    let is_global = runtime == run.app.call.places.global_runtime(&skill.name);
    let scope = if is_global { Scope::Global } else { skill.home_scope(&run.app.call.places) };
    compile(run, skill, scope).await.map(|_| ())
}

/// Brings the runtime of a skill up to date with its source.
///
/// # Errors
/// Any of RFC-0001:C-ERRORS except E014; the runtime is then unchanged.
pub async fn compile(run: &mut Run<'_>, skill: &Skill, scope: Scope) -> Result<Built, Failure> {
    let app = run.app;
    let tree: Arc<dyn SkillTree> = app.ports.files.open(&skill.path)?.into();
    let mut source = inspect(run, skill, tree.as_ref())?;
    let runtime = of_scope(app, scope, &skill.name)?;
    let guard = app.ports.runtimes.lock(&runtime)?;
    if let Some(skillc_dir) = app.call.places.skillc_dir(scope) {
        git_ignore::ensure(app, &skillc_dir);
    }
    finish_pending(app, &runtime).await;
    let index = index_of(app, &runtime, skill);
    let opened = app.ports.index.open(&index).await;
    if matches!(&opened, IndexState::Present(reader) if reader.header().trusted_ns > source.survey.taken_ns) {
        // While this build waited for the lock, another one published a later survey.
        source = inspect(run, skill, tree.as_ref())?;
    }
    let compilation =
        Compilation { app, skill, runtime: &runtime, index: &index, tree: &tree, source: &source };
    let compiled = compilation.run(run, opened).await?;
    link_files(run, &source.survey, skill, &runtime);
    source.survey.warnings.iter().cloned().chain(compiled.warnings).for_each(|warning| run.warn(warning));
    Ok(Built {
        skill: skill.clone(),
        scope,
        files: source.survey.files.len(),
        has_changed: compiled.has_changed,
        flaws: flaws_of(skill, &source.skill_file),
        skill_bytes: source.skill_file.text.len() as u64,
        published: compiled.published,
        runtime,
        guard,
    })
}

fn flaws_of(skill: &Skill, skill_file: &SkillFile) -> Vec<String> {
    let folder = skill.path.file_name().unwrap_or_default().to_string_lossy();
    let place = PlaceNames { names: &[&skill.name, &folder], is_single_file: false };
    let mut flaws = flaws(skill_file.name.trim(), skill_file.description.trim(), place);
    let bytes = skill_file.text.len() as u64;
    if bytes > CATALOGED_BYTES_MAX {
        flaws.push(format!("SKILL.md has {bytes} bytes, at most {CATALOGED_BYTES_MAX} are allowed"));
    }
    flaws
}

/// Links files that are not text next to the stub. If that fails, readers still find the files through the base
/// directory, which every reading command prints.
fn link_files(run: &mut Run<'_>, survey: &Survey, skill: &Skill, runtime: &Path) {
    let entries = linked_entries(survey, &skill.path, runtime);
    if let Err(error) = run.app.ports.deployer.link_entries(runtime, &entries) {
        run.warn(Warning::FilesNotLinked {
            path: runtime.to_path_buf(),
            skill: skill.name.clone(),
            message: error.reason().to_string(),
        });
    }
}

/// A source that can be built, inspected before anything is written.
struct InspectedSource {
    survey: Survey,
    skill_file: Arc<SkillFile>,
}

fn inspect(run: &Run<'_>, skill: &Skill, tree: &dyn SkillTree) -> Result<InspectedSource, Failure> {
    let survey = run.timed("stat of every file", || survey(tree))?;
    if let Some(link) = survey.escaping.first() {
        return Err(Fault::PathEscapes { path: link.to_string() }.into());
    }
    Ok(InspectedSource { skill_file: read_skill_file(run.app, tree, &skill.path)?.into(), survey })
}

struct Compiled {
    has_changed: bool,
    published: Vec<PublishedFile>,
    warnings: Vec<Warning>,
}

struct Compilation<'a> {
    app: &'a App,
    skill: &'a Skill,
    runtime: &'a Path,
    index: &'a Path,
    tree: &'a Arc<dyn SkillTree>,
    source: &'a InspectedSource,
}

impl Compilation<'_> {
    async fn run(
        &self,
        run: &Run<'_>,
        opened: IndexState<Box<dyn IndexReader>>,
    ) -> Result<Compiled, Failure> {
        let tokenizer = self.tokenizer();
        let plan = plan_by_state(&opened, |reader| {
            compatibility(reader.header(), &self.skill.path_text(), tokenizer)
        });
        match (plan, opened) {
            (Some(BuildPlan::Refuse), _) => Err(collision(self.app, self.skill).into()),
            (None, IndexState::Present(reader)) => self.update(run, reader).await,
            (plan, _) => {
                self.app.call.detail(|| format!("plan: {plan:?}"));
                self.replace(run, Vec::new()).await
            }
        }
    }

    /// Updates a compatible index: does nothing, edits it, or writes a new one if too much changed.
    async fn update(&self, run: &Run<'_>, reader: Box<dyn IndexReader>) -> Result<Compiled, Failure> {
        let survey = &self.source.survey;
        let Ok(published) = reader.published_files().await else {
            return self.replace(run, Vec::new()).await;
        };
        if is_fresh_by_stamps(reader.header(), &SurveySummary::of(&survey.files))
            && self.is_as_built_now(&published)
        {
            write_published(self.app, self.runtime, &published)?;
            self.app.call.detail(|| "plan: nothing changed".to_owned());
            return Ok(Compiled { has_changed: false, published, warnings: Vec::new() });
        }
        let Ok(recorded) = reader.files().await else {
            return self.replace(run, published).await;
        };
        let trusted_ns = reader.header().trusted_ns;
        drop(reader);
        match plan_by_differences(differences(&recorded, survey, trusted_ns), &recorded, survey) {
            BuildPlan::InPlace { read, removed } => {
                self.app.call.detail(|| {
                    format!("plan: edit in place, {} to read, {} gone", read.len(), removed.len())
                });
                self.edit(run, read, Before { recorded, removed, published }).await
            }
            BuildPlan::Full(_) | BuildPlan::Refuse => self.replace(run, published).await,
        }
    }

    /// Whether the manifest names the folder from which the skill was just imported, if it was, and a stub of the
    /// current form.
    fn is_as_built_now(&self, published: &[PublishedFile]) -> bool {
        let manifest = content_of(published, RuntimeFile::Manifest).and_then(read_manifest);
        manifest.is_some_and(|manifest| {
            let has_origin = |origin: &ImportOrigin| {
                manifest.origin.as_ref() == Some(&origin.path) && manifest.origin_hash == Some(origin.hash)
            };
            manifest.stub == form(self.app) && self.skill.origin.as_ref().is_none_or(has_origin)
        })
    }

    /// Writes a new index. Compares with the files published before to find out whether anything changed.
    async fn replace(&self, run: &Run<'_>, published: Vec<PublishedFile>) -> Result<Compiled, Failure> {
        let files = &self.source.survey.files;
        self.app.call.progress.begin(&format!("building {}", self.skill.name), files.len() as u64);
        let change = IndexChange::Replace(self.tokenizer());
        let before = Before { published, ..Before::default() };
        let compiled = self.write(run, change, files.clone(), &before).await;
        self.app.call.progress.end();
        compiled
    }

    async fn edit(
        &self,
        run: &Run<'_>,
        read: Vec<SurveyedFile>,
        before: Before,
    ) -> Result<Compiled, Failure> {
        let change = IndexChange::Edit { removed: before.removed.clone() };
        match self.write(run, change, read, &before).await {
            // A reader that stays open, such as a stopped process, blocks an edit but not a new index.
            Err(failure) if failure.is(ErrorKind::Busy) => self.replace(run, before.published).await,
            compiled => compiled,
        }
    }

    /// Sets the marker, commits, writes the files, and clears the marker. If the process dies in between, the next
    /// one can complete the publish.
    async fn write(
        &self,
        run: &Run<'_>,
        change: IndexChange,
        files: Vec<SurveyedFile>,
        before: &Before,
    ) -> Result<Compiled, Failure> {
        let app = self.app;
        let now = app.ports.clock.now();
        let reader = SourceReader::new(self.source(), files.into(), app.call.progress.clone());
        let index_name = self.index.file_name().unwrap_or_default().to_string_lossy();
        app.ports.runtimes.mark_pending(self.runtime, &index_name)?;
        let start = Instant::now();
        let committed = self.commit(change, reader, before, now).await;
        app.call.detail(|| format!("index written: {:.1} ms", start.elapsed().as_secs_f64() * 1e3));
        let compiled = committed.inspect_err(|_| {
            // Nothing was committed, so nothing is pending.
            let _ = app.ports.runtimes.clear_pending(self.runtime);
        })?;
        run.timed("stub and manifest written", || -> Result<(), PortError> {
            write_published(app, self.runtime, &compiled.published)?;
            app.ports.runtimes.clear_pending(self.runtime)
        })?;
        Ok(compiled)
    }

    fn source(&self) -> Source {
        let InspectedSource { survey, skill_file } = self.source;
        let mut listed = listed(survey, skill_file).paths;
        listed.sort_unstable();
        Source {
            tree: self.tree.clone(),
            files: self.app.ports.files.clone(),
            reader: self.app.ports.reader.clone(),
            skill_file: skill_file.clone(),
            listed: listed.into(),
        }
    }

    /// Writes the files to the index and commits it.
    async fn commit(
        &self,
        change: IndexChange,
        mut files: SourceReader,
        before: &Before,
        now: UnixNs,
    ) -> Result<Compiled, PortError> {
        let mut writer = self.app.ports.index.writer(self.index, change).await?;
        for file in files.by_ref() {
            writer.put(file?).await?;
        }
        let ReadFiles { records, references, warnings } = files.finish();
        let source_hash = self.source_hash(before, &records);
        let InspectedSource { survey, skill_file } = self.source;
        let stub = stub(self.app, self.tree.as_ref(), survey, skill_file, &self.skill.name, &references);
        let (has_changed, files) = self.to_publish(before, source_hash, stub, now);
        let trusted_ns = settling::trusted_ns(self.app, self.tree.as_ref(), survey.taken_ns, &records);
        let publication = Publication { header: self.header(source_hash, trusted_ns, now), files };
        writer.commit(&publication).await?;
        Ok(Compiled { has_changed, published: publication.files, warnings })
    }

    fn tokenizer(&self) -> Tokenizer {
        index_settings(self.app, self.runtime).tokenizer
    }

    fn header(&self, source_hash: Digest, trusted_ns: UnixNs, now: UnixNs) -> IndexHeader {
        IndexHeader {
            skill_path: self.skill.path_text(),
            source_hash,
            schema_version: INDEX_SCHEMA_VERSION,
            tokenizer: self.tokenizer(),
            fingerprint: fingerprint(&self.source.survey.files),
            trusted_ns,
            indexed_at: rfc3339(now),
        }
    }

    /// The hash over the files that were just read and, for an edit, the recorded ones that remain.
    fn source_hash(&self, before: &Before, read: &[RecordedFile]) -> Digest {
        let remains = |old: &&RecordedFile| {
            before.removed.binary_search(&old.path).is_err()
                && read.binary_search_by(|new| new.path.cmp(&old.path)).is_err()
        };
        let mut all: Vec<(&RelPath, FileDigest)> = before
            .recorded
            .iter()
            .filter(remains)
            .chain(read)
            .map(|file| (&file.path, file.digest))
            .collect();
        all.sort_unstable_by_key(|(path, _)| *path);
        self.app.ports.files.digest(&source_hash_input(all.into_iter()))
    }

    /// The stub and the manifest, and whether they changed. For an unchanged source, the old manifest with its time
    /// is kept.
    fn to_publish(
        &self,
        before: &Before,
        source_hash: Digest,
        stub: Vec<u8>,
        now: UnixNs,
    ) -> (bool, Vec<PublishedFile>) {
        let old = content_of(&before.published, RuntimeFile::Manifest).and_then(read_manifest);
        let is_same = old.as_ref().is_some_and(|old| old.source_hash == source_hash)
            && content_of(&before.published, RuntimeFile::Stub) == Some(&stub)
            && self.is_as_built_now(&before.published);
        if is_same {
            return (false, before.published.clone());
        }
        let known =
            old.or_else(|| manifest(self.app, self.runtime).filter(|m| m.source == self.skill.path_text()));
        let (origin, origin_hash) = match &self.skill.origin {
            Some(origin) => (Some(origin.path.clone()), Some(origin.hash)),
            None => known.map_or((None, None), |old| (old.origin, old.origin_hash)),
        };
        let manifest = Manifest {
            skill: self.skill.name.clone(),
            version: MANIFEST_VERSION,
            built_at: rfc3339(now),
            source_hash,
            source: self.skill.path_text(),
            stub: form(self.app),
            origin,
            origin_hash,
        };
        let file = |file: RuntimeFile, bytes| PublishedFile { name: file.path().to_owned(), bytes };
        let both = [file(RuntimeFile::Stub, stub), file(RuntimeFile::Manifest, write_manifest(&manifest))];
        (true, both.into())
    }
}

/// The state before an edit; empty for a new index.
#[derive(Default)]
struct Before {
    recorded: Vec<RecordedFile>,
    /// The removed files, sorted.
    removed: Vec<RelPath>,
    published: Vec<PublishedFile>,
}
