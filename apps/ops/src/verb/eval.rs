//! `skc eval` (RFC-0011:C-EVAL): how well skills are found.

use crate::app::App;
use crate::eval::{
    Corpus, Measured, Measurement, Miss, QualityRow, Queries, Triggered, check_answers, corpus, measure,
    queries, triggers,
};
use crate::failure::Failure;
use crate::find::FindMode;
use crate::find::{embed_missing, refresh};
use crate::operation::{Operation, Surface};
use crate::policy::admit_name;
use crate::render::{Render, View, line, plain, table};
use crate::resolve::typed;
use crate::run::Run;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::find::SearchMode;
use skillc_domain::fault::Fault;
use skillc_domain::limits::QUERIES_BYTES_MAX;
use skillc_ports::{ErrorKind, SkillIndex};
use std::collections::HashSet;
use std::path::PathBuf;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EvalSubject {
    /// How well queries find the skills that answer them.
    Discovery,
}

/// Measure how well skills are found: run queries with known answers over a folder of skills.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRequest {
    /// What to measure.
    #[arg(value_enum)]
    pub subject: EvalSubject,
    /// Lines of {"query", "relevant": [number, name or path], "kind"}, or a list of {"query", "should_trigger"} for --skill.
    #[arg(long, value_name = "FILE")]
    pub queries: String,
    /// Folder of skills to search; every SKILL.md below it counts.
    #[arg(long, value_name = "DIR")]
    pub corpus: String,
    /// Only this mode [default: every mode that is available].
    #[arg(long, value_enum)]
    pub mode: Option<FindMode>,
    /// The skill that the queries should trigger or not, by name or path below the corpus.
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// Store the index of the corpus in this file for the next run [default: in memory].
    #[arg(long, value_name = "FILE")]
    pub index: Option<String>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long, requires = "index")]
    #[serde(default)]
    pub follow: bool,
    /// Replace a file that is not such an index.
    #[arg(long, requires = "index")]
    #[serde(default)]
    pub force: bool,
}

/// What was measured.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalReply {
    /// Skills of the corpus.
    pub skills: usize,
    /// Number of queries.
    pub queries: usize,
    /// Quality of each mode, for all queries and for each kind.
    pub modes: Vec<QualityRow>,
    /// The queries whose first result does not answer them, by mode.
    pub misses: Vec<Miss>,
    /// The outcome of each trial of a skill. The first result stands in for the choice of a model.
    pub triggers: Vec<Triggered>,
    /// Notes on the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The operation.
pub struct Eval;

impl Operation for Eval {
    const NAME: &'static str = "eval";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc eval discovery --queries queries.jsonl --corpus ~/.agents/skills\nskc eval discovery --queries eval_queries.json --corpus skills --skill my-skill";
    type Request = EvalRequest;
    type Reply = EvalReply;

    async fn run(run: &mut Run<'_>, request: EvalRequest) -> Result<EvalReply, Failure> {
        let app = run.app;
        let asked = read(app, &request)?;
        request.skill.as_deref().map_or(Ok(()), |name| admit_name(app, name))?;
        let corpus = corpus(app, &typed(app, &request.corpus))?;
        if let Queries::Questions(questions) = &asked {
            check_answers(&request.queries, &corpus, questions)?;
        }
        let index = request.index.as_deref().map(|file| index(app, file, &request)).transpose()?;
        let index = app.ports.skill_indexes.open(index.as_deref());
        refresh(app, index.as_ref(), &corpus.skills).await?;
        let modes: Vec<SearchMode> = match request.mode.and_then(FindMode::chosen) {
            Some(mode) => vec![mode],
            None => SearchMode::ALL.to_vec(),
        };
        let texts = texts(&asked);
        let (meanings, note) = match modes.iter().any(|mode| mode.has_meaning()) {
            true => meanings(app, index.as_ref(), &corpus, &texts).await?,
            false => (None, None),
        };
        let mut reply = EvalReply {
            skills: corpus.skills.len(),
            queries: texts.len(),
            modes: Vec::new(),
            misses: Vec::new(),
            triggers: Vec::new(),
            note,
        };
        for mode in modes.into_iter().filter(|mode| meanings.is_some() || !mode.has_meaning()) {
            let meanings = meanings.as_ref().map(|(model, vectors)| (model.as_str(), vectors.as_slice()));
            match &asked {
                Queries::Questions(questions) => {
                    let Measurement { rows, misses } =
                        measure(index.as_ref(), &corpus, questions, mode, meanings).await?;
                    reply.modes.extend(rows);
                    reply.misses.extend(misses);
                }
                Queries::Trials(trials) => {
                    let skill = request.skill.as_deref().unwrap_or_default();
                    let rows = triggers(index.as_ref(), &corpus, trials, skill, mode, meanings).await?;
                    reply.triggers.extend(rows);
                }
            }
        }
        Ok(reply)
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

/// The queries of the request's file, if they fit the rest of it.
fn read(app: &App, request: &EvalRequest) -> Result<Queries, Failure> {
    let path = typed(app, &request.queries);
    let bytes = app.ports.named.read(&path, QUERIES_BYTES_MAX).map_err(|error| {
        let message = error.reason().to_owned();
        let advice = "check the path; it is relative to the working directory".to_owned();
        Failure::because(Fault::UnreadableQueries { path: request.queries.clone(), message, advice }, error)
    })?;
    let asked = queries(&request.queries, &String::from_utf8_lossy(&bytes))?;
    match (&asked, &request.skill) {
        (Queries::Trials(_), None) => Err(Fault::invalid_option(
            "queries with 'should_trigger' need '--skill' with the skill that they try",
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

/// Name of the model, and the vectors of the queries.
type Meanings = (String, Vec<Vec<f32>>);

/// Embeds all skills and queries; without a model adds a note instead.
async fn meanings(
    app: &App,
    index: &dyn SkillIndex,
    corpus: &Corpus,
    texts: &[&str],
) -> Result<(Option<Meanings>, Option<String>), Failure> {
    let model = match app.ports.embedder.model() {
        Ok(model) => model.to_string(),
        Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Corrupt) => {
            return Ok((None, Some("semantic and hybrid need a model: 'skc model install'".to_owned())));
        }
        Err(error) => return Err(error.into()),
    };
    let among: HashSet<&str> = corpus.skills.iter().map(|skill| skill.id.as_str()).collect();
    embed_missing(index, app.ports.embedder.as_ref(), &among, None, app.call.progress.as_ref())
        .await
        .map_err(|error| error.failure(app))?;
    Ok((Some((model, app.ports.embedder.embed_all(texts)?)), None))
}

impl Render for EvalReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        line(out, format!("{} skills, {} queries", self.skills, self.queries));
        if !self.modes.is_empty() {
            let heads = ["MODE", "KIND", "QUERIES", "HIT@1", "HIT@10", "MRR@10", "NDCG@10", "95 %", "SILENT"];
            let rows: Vec<Vec<String>> = self.modes.iter().map(cells).collect();
            line(out, table(view, &heads, &rows));
        }
        render_misses(view, &self.misses, out);
        if !self.triggers.is_empty() {
            render_triggers(view, &self.triggers, out);
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        if let Some(note) = &self.note {
            line(out, format!("note: {note}"));
        }
    }
}

fn cells(row: &QualityRow) -> Vec<String> {
    let shown = |value: &Measured| format!("{:.3}", value.mean);
    let ndcg = &row.ndcg_at_10;
    vec![
        row.mode.clone(),
        plain(&row.kind),
        row.queries.to_string(),
        shown(&row.hit_at_1),
        shown(&row.hit_at_10),
        shown(&row.mrr_at_10),
        shown(ndcg),
        format!("{:.3}-{:.3}", ndcg.low, ndcg.high),
        format!("{:.3}", row.silent),
    ]
}

fn render_misses(view: &View, misses: &[Miss], out: &mut Vec<u8>) {
    for of_mode in misses.chunk_by(|a, b| a.mode == b.mode) {
        line(out, view.strong(format!("{}: {} missed", of_mode[0].mode, of_mode.len())));
        for miss in of_mode {
            let first = plain(miss.first.as_deref().unwrap_or("nothing"));
            let relevant = plain(&miss.relevant.join(", "));
            let rank = miss.rank.map_or("not found".to_owned(), |rank| format!("in place {rank}"));
            line(out, format!("  '{}': won by {first}; {relevant} {rank}", plain(&miss.query)));
        }
    }
}

fn render_triggers(view: &View, triggers: &[Triggered], out: &mut Vec<u8>) {
    line(out, "The first result stands for the choice of a model, which may choose otherwise.");
    let mut modes: Vec<&str> = triggers.iter().map(|trial| trial.mode.as_str()).collect();
    modes.dedup();
    for mode in modes {
        let own = || triggers.iter().filter(move |trial| trial.mode == mode);
        let right = own().filter(|trial| trial.is_right()).count();
        line(out, view.strong(format!("{mode}: {right} of {} as they should be", own().count())));
        for miss in own().filter(|trial| !trial.is_right()) {
            let first = plain(miss.first.as_deref().unwrap_or("nothing"));
            let what = match miss.should_trigger {
                true => format!(
                    "won by {first}{}",
                    miss.rank.map(|rank| format!(", itself {rank}.")).unwrap_or_default()
                ),
                false => "should not come first".to_owned(),
            };
            line(out, format!("  '{}': {what}", plain(&miss.query)));
        }
    }
}
