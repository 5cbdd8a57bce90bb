//! `skc eval`: measures how well skills are found (RFC-0011:C-EVAL), and aggregates graded runs (RFC-0016:C-REPORT).

use crate::app::App;
use crate::benchmark::{ReportFiles, ReportReply, report};
use crate::eval::{
    Corpus, DiscoveryReply, EvalModel, Meanings, Measurement, Queries, check_answers, corpus, measure,
    models, queries, triggers,
};
use crate::failure::Failure;
use crate::find::{FindMode, MeaningModel, embed_missing, refresh};
use crate::operation::{Operation, Surface};
use crate::policy::admit_name;
use crate::render::{Render, View};
use crate::resolve::typed;
use crate::run::Run;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::find::SearchMode;
use skillc_domain::fault::Fault;
use skillc_domain::limits::QUERIES_BYTES_MAX;
use skillc_ports::SkillIndex;
use std::collections::HashSet;
use std::path::PathBuf;

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EvalSubject {
    /// How well queries find the skills that answer them.
    Discovery,
    /// The results of a skill's graded runs, with and without the skill.
    Report,
}

/// Measure how well skills are found, by queries with known answers, or aggregate the graded runs of a skill.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRequest {
    /// What to measure.
    #[arg(value_enum)]
    pub subject: EvalSubject,
    /// With report: the folder of the runs, each with its grading.json.
    #[arg(value_name = "DIR")]
    pub folder: Option<String>,
    /// Lines of {"query", "relevant": [number, name or path], "kind"}, or a list of {"query", "should_trigger"} for --skill.
    #[arg(long, value_name = "FILE", required_if_eq("subject", "discovery"))]
    pub queries: Option<String>,
    /// Folder of skills to search; every SKILL.md below it counts.
    #[arg(long, value_name = "DIR", required_if_eq("subject", "discovery"))]
    pub corpus: Option<String>,
    /// Only this mode [default: every mode that is available].
    #[arg(long, value_enum)]
    pub mode: Option<FindMode>,
    /// Compare these models; repeat for several, or `all` for the installed ones [default: the one in use].
    #[arg(long, value_enum, value_name = "NAME")]
    #[serde(default)]
    pub model: Vec<EvalModel>,
    /// The skill that the queries should trigger or not, by name or path below the corpus.
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Store the index of the corpus in this file for the next run [default: in memory].
    #[arg(long, value_name = "FILE")]
    pub index: Option<String>,
    /// With report: write the figures to this file, in the format of benchmark.json.
    #[arg(long, value_name = "FILE")]
    pub benchmark: Option<String>,
    /// With report: write a page with the figures and each expectation.
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long)]
    #[serde(default)]
    pub follow: bool,
    /// Replace a file that is not such an index, benchmark or page.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

/// What was measured.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("type" = "object"))]
pub enum EvalReply {
    /// How well skills are found.
    Discovery(DiscoveryReply),
    /// The benchmark of graded runs.
    Report(Box<ReportReply>),
}

/// Implements `skc eval`.
pub struct Eval;

impl Operation for Eval {
    const NAME: &'static str = "eval";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const FORMATS: &'static [&'static str] = &["text", "json", "markdown"];
    const EXAMPLES: &'static str = "skc eval discovery --queries queries.jsonl --corpus ~/.agents/skills\nskc eval discovery --queries eval_queries.json --corpus skills --skill my-skill\nskc eval report my-skill-workspace --benchmark benchmark.json --html benchmark.html\nskc eval report my-skill-workspace --format markdown";
    type Request = EvalRequest;
    type Reply = EvalReply;

    async fn run(run: &mut Run<'_>, request: EvalRequest) -> Result<EvalReply, Failure> {
        check_options(&request)?;
        match request.subject {
            EvalSubject::Discovery => discovery(run.app, &request).await.map(EvalReply::Discovery),
            EvalSubject::Report => {
                let allowed = Allowed { follows: request.follow, is_forced: request.force };
                let (json, html) = (request.benchmark.as_deref(), request.html.as_deref());
                let folder = request.folder.as_deref().unwrap_or_default();
                let reply = report(run.app, folder, &ReportFiles { json, html, allowed })?;
                Ok(EvalReply::Report(Box::new(reply)))
            }
        }
    }
}

/// Refuses options that belong to the other subject.
fn check_options(request: &EvalRequest) -> Result<(), Fault> {
    let EvalRequest { folder, queries, corpus, mode, model, skill, index, benchmark, html, .. } = request;
    let of_discovery = [queries, corpus, skill, index].iter().any(|option| option.is_some())
        || mode.is_some()
        || !model.is_empty();
    let of_report = [folder, benchmark, html].iter().any(|option| option.is_some());
    let writes = [index, benchmark, html].iter().any(|option| option.is_some());
    let refused = match request.subject {
        EvalSubject::Discovery if of_report => {
            "only 'skc eval report' takes a folder, --benchmark and --html"
        }
        EvalSubject::Report if folder.is_none() => "name the folder of the runs: 'skc eval report <folder>'",
        EvalSubject::Report if of_discovery => {
            "only 'skc eval discovery' takes --queries, --corpus, --mode, --model, --skill and --index"
        }
        _ if (request.follow || request.force) && !writes => {
            "--follow and --force need --index, --benchmark or --html"
        }
        _ => return Ok(()),
    };
    Err(Fault::invalid_option(refused))
}

async fn discovery(app: &App, request: &EvalRequest) -> Result<DiscoveryReply, Failure> {
    let asked = read(app, request)?;
    request.skill.as_deref().map_or(Ok(()), |name| admit_name(app, name))?;
    let corpus = corpus(app, &typed(app, request.corpus.as_deref().unwrap_or_default()))?;
    if let Queries::Questions(questions) = &asked {
        check_answers(request.queries.as_deref().unwrap_or_default(), &corpus, questions)?;
    }
    let index = request.index.as_deref().map(|file| index(app, file, request)).transpose()?;
    let index = app.ports.skill_indexes.open(index.as_deref());
    refresh(app, index.as_ref(), &corpus.skills).await?;
    let modes: Vec<SearchMode> = match request.mode.and_then(FindMode::chosen) {
        Some(mode) => vec![mode],
        None => SearchMode::ALL.to_vec(),
    };
    let models = match modes.iter().any(|mode| mode.has_meaning()) {
        true => models(app, &request.model)?,
        false => Vec::new(),
    };
    let mut reply = DiscoveryReply {
        skills: corpus.skills.len(),
        queries: texts(&asked).len(),
        modes: Vec::new(),
        misses: Vec::new(),
        triggers: Vec::new(),
        note: (models.is_empty() && modes.iter().any(|mode| mode.has_meaning()))
            .then(|| "semantic and hybrid need a model: 'skc model install'".to_owned()),
    };
    let skill = request.skill.as_deref().unwrap_or_default();
    let subject = Subject { index: index.as_ref(), corpus: &corpus, asked: &asked, skill };
    for mode in modes.iter().filter(|mode| !mode.has_meaning()) {
        subject.measure(*mode, None, &mut reply).await?;
    }
    for (name, model) in &models {
        let vectors = subject.vectors(app, model).await?;
        let meanings = Meanings { name, id: &model.id, vectors: &vectors };
        for mode in modes.iter().filter(|mode| mode.has_meaning()) {
            subject.measure(*mode, Some(meanings), &mut reply).await?;
        }
    }
    Ok(reply)
}

/// The input that is measured in each mode.
struct Subject<'a> {
    index: &'a dyn SkillIndex,
    corpus: &'a Corpus,
    asked: &'a Queries,
    skill: &'a str,
}

impl Subject<'_> {
    /// Adds the figures of one mode.
    async fn measure(
        &self,
        mode: SearchMode,
        meanings: Option<Meanings<'_>>,
        reply: &mut DiscoveryReply,
    ) -> Result<(), Failure> {
        match self.asked {
            Queries::Questions(questions) => {
                let found = measure(self.index, self.corpus, questions, mode, meanings).await?;
                let Measurement { rows, misses } = found;
                reply.modes.extend(rows);
                reply.misses.extend(misses);
            }
            Queries::Trials(trials) => {
                let rows = triggers(self.index, self.corpus, trials, self.skill, mode, meanings).await?;
                reply.triggers.extend(rows);
            }
        }
        Ok(())
    }

    /// Embeds all skills and queries with a model, replacing the vectors of another one.
    async fn vectors(&self, app: &App, model: &MeaningModel) -> Result<Vec<Vec<f32>>, Failure> {
        let among: HashSet<&str> = self.corpus.skills.iter().map(|skill| skill.id.as_str()).collect();
        embed_missing(self.index, model, &among, None, app.call.progress.as_ref())
            .await
            .map_err(|error| error.failure(app))?;
        Ok(model.embedder.embed_all(&texts(self.asked))?)
    }
}

/// The path of the index: an index, an empty file, or a new file. Another file is deleted with force.
fn index(app: &App, file: &str, request: &EvalRequest) -> Result<PathBuf, Failure> {
    let path = written::resolved(app, &typed(app, file), request.follow)?;
    if app.ports.skill_indexes.holds_other(&path)? {
        let allowed = Allowed { follows: false, is_forced: request.force };
        written::write(app, &path, b"", allowed, &|_| false)?;
    }
    Ok(path)
}

/// Reads the queries in the request's file, if they fit its other options.
fn read(app: &App, request: &EvalRequest) -> Result<Queries, Failure> {
    let name = request.queries.as_deref().unwrap_or_default();
    let path = typed(app, name);
    let bytes = app.ports.named.read(&path, QUERIES_BYTES_MAX).map_err(|error| {
        let message = error.reason().to_owned();
        let advice = "check the path; it is relative to the working directory".to_owned();
        Failure::because(Fault::UnreadableQueries { path: name.to_owned(), message, advice }, error)
    })?;
    let asked = queries(name, &String::from_utf8_lossy(&bytes))?;
    match (&asked, &request.skill) {
        (Queries::Trials(_), None) => Err(Fault::invalid_option(
            "queries with 'should_trigger' need '--skill' with the skill under test",
        )
        .into()),
        (Queries::Questions(_), Some(_)) => {
            Err(Fault::invalid_option("'--skill' is for queries with 'should_trigger'").into())
        }
        _ => Ok(asked),
    }
}

fn texts(asked: &Queries) -> Vec<&str> {
    match asked {
        Queries::Questions(questions) => questions.iter().map(|question| question.query.as_str()).collect(),
        Queries::Trials(trials) => trials.iter().map(|trial| trial.query.as_str()).collect(),
    }
}

impl Render for EvalReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        match self {
            Self::Discovery(reply) => reply.render(view, out),
            Self::Report(reply) => reply.render(view, out),
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        match self {
            Self::Discovery(reply) => reply.diagnostics(view, out),
            Self::Report(reply) => reply.diagnostics(view, out),
        }
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        match self {
            Self::Discovery(reply) => reply.formatted(format),
            Self::Report(reply) => reply.formatted(format),
        }
    }
}
