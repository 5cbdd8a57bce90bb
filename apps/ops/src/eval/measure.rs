//! Runs every query in every mode, and measures the quality of the answers.

use super::corpus::Corpus;
use super::queries::{Expected, Question};
use crate::find::{FindQuery, QueryVector, find};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::config::shown_part;
use skillc_domain::discovery::find::SearchMode;
use skillc_domain::discovery::quality::{DEPTH, Estimate, Quality, estimate, quality};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::fault::Fault;
use skillc_domain::suggest::{did_you_mean, list, nearest};
use skillc_ports::{PortError, SkillIndex};
use std::collections::HashMap;

/// A mean with its confidence interval.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Lower end of the 95 % bootstrap interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Estimate> for Measured {
    fn from(estimate: Estimate) -> Self {
        Self { mean: estimate.mean, low: estimate.low, high: estimate.high }
    }
}

/// The quality of one mode for queries of one kind.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QualityRow {
    /// `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// The model; absent for lexical modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `all`, or a kind of queries.
    pub kind: String,
    /// Number of queries.
    pub queries: usize,
    /// Share of queries whose first result answers them.
    pub hit_at_1: Measured,
    /// Share of queries with an answer among the first ten results.
    pub hit_at_10: Measured,
    /// Mean reciprocal rank of the first answer among ten results.
    pub mrr_at_10: Measured,
    /// Normalized discounted cumulative gain of ten results.
    pub ndcg_at_10: Measured,
    /// Share of queries without any result.
    pub silent: f64,
}

/// A query whose first result does not answer it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Miss {
    /// `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// The model; absent for lexical modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The query.
    pub query: String,
    /// The skills that answer it, as written in the file of queries.
    pub relevant: Vec<String>,
    /// Rank of the best of them among ten results, from 1; `null` if none is among them.
    pub rank: Option<usize>,
    /// The first result; `null` if nothing was found.
    pub first: Option<String>,
}

/// The quality of a mode, and the queries that it misses.
pub struct Measurement {
    /// One row for all queries, and one per kind.
    pub rows: Vec<QualityRow>,
    /// In file order.
    pub misses: Vec<Miss>,
}

/// The vectors of all queries by one model.
#[derive(Clone, Copy)]
pub struct Meanings<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its id, as indexes store it.
    pub id: &'a str,
    /// One vector per query, in order.
    pub vectors: &'a [Vec<f32>],
}

/// The vector of one query; `None` if the mode needs none.
pub fn vector_of(meanings: Option<Meanings<'_>>, number: usize) -> Option<QueryVector<'_>> {
    let Meanings { id, vectors, .. } = meanings?;
    Some(QueryVector { model: id, vector: &vectors[number], all_have_vectors: true })
}

/// Runs every query in one mode. `meanings` contains the model and the vectors of the queries, if the mode needs
/// them.
///
/// # Errors
/// Errors of the index.
pub async fn measure(
    index: &dyn SkillIndex,
    corpus: &Corpus,
    questions: &[Question],
    mode: SearchMode,
    meanings: Option<Meanings<'_>>,
) -> Result<Measurement, PortError> {
    let at: HashMap<&str, usize> =
        corpus.skills.iter().enumerate().map(|(at, skill)| (skill.id.as_str(), at)).collect();
    let model = meanings.map(|meanings| meanings.name.to_owned());
    let (mut all, mut misses) = (Vec::new(), Vec::new());
    for (number, question) in questions.iter().enumerate() {
        let meaning = vector_of(meanings, number);
        let found = find(index, &corpus.skills, &FindQuery { text: &question.query, mode }, meaning).await?;
        let answers: Vec<bool> = found
            .iter()
            .take(DEPTH)
            .map(|ranked| at.get(ranked.skill.id.as_str()).is_some_and(|at| answers(corpus, *at, question)))
            .collect();
        let quality = quality(&answers, relevant(corpus, question));
        all.push(MeasuredQuestion { kind: question.kind.as_str(), quality, is_silent: found.is_empty() });
        let rank = answers.iter().position(|is_answer| *is_answer);
        if rank != Some(0) && !question.relevant.is_empty() {
            misses.push(Miss {
                mode: mode.word().to_owned(),
                model: model.clone(),
                query: question.query.clone(),
                relevant: question.relevant.iter().map(Expected::to_string).collect(),
                rank: rank.map(|place| place + 1),
                first: found.first().map(|ranked| ranked.skill.name.clone()),
            });
        }
    }
    Ok(Measurement { rows: rows(mode, model.as_deref(), &all), misses })
}

/// Checks that the corpus contains every skill named in a file of queries.
///
/// # Errors
/// E081, with the line of the first missing one.
pub fn check_answers(path: &str, corpus: &Corpus, questions: &[Question]) -> Result<(), Fault> {
    let is_there = |expected: &Expected| {
        corpus.skills.iter().zip(&corpus.places).any(|(skill, place)| is_meant(skill, place, expected))
    };
    for question in questions {
        if let Some(expected) = question.relevant.iter().find(|expected| !is_there(expected)) {
            return Err(not_in_corpus(path, corpus, question.line, expected));
        }
    }
    Ok(())
}

fn not_in_corpus(path: &str, corpus: &Corpus, line: usize, expected: &Expected) -> Fault {
    let near = nearest(&expected.to_string(), corpus.skills.iter().map(|skill| skill.name.as_str()));
    let advice = match near.is_empty() {
        true => {
            "name a skill of the corpus by its name, its path, or the number of its first folder".to_owned()
        }
        false => did_you_mean(&list(near)),
    };
    let message = format!(
        "line {line}: '{}' in 'relevant' is not a skill of the corpus",
        shown_part(&expected.to_string())
    );
    Fault::UnreadableQueries { path: path.to_owned(), message, advice }
}

/// The answer to a query.
struct MeasuredQuestion<'a> {
    kind: &'a str,
    quality: Quality,
    is_silent: bool,
}

/// One row for all queries, and one per kind, sorted by name.
fn rows(mode: SearchMode, model: Option<&str>, all: &[MeasuredQuestion<'_>]) -> Vec<QualityRow> {
    let mut kinds: Vec<&str> = all.iter().map(|one| one.kind).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of = |kind: Option<&str>| {
        let chosen: Vec<&MeasuredQuestion<'_>> =
            all.iter().filter(|one| kind.is_none_or(|kind| kind == one.kind)).collect();
        let mean = |value: fn(&Quality) -> f64| {
            Measured::from(estimate(&chosen.iter().map(|one| value(&one.quality)).collect::<Vec<_>>()))
        };
        QualityRow {
            mode: mode.word().to_owned(),
            model: model.map(str::to_owned),
            kind: kind.unwrap_or("all").to_owned(),
            queries: chosen.len(),
            hit_at_1: mean(|q| q.hit_at_1),
            hit_at_10: mean(|q| q.hit_at_10),
            mrr_at_10: mean(|q| q.mrr_at_10),
            ndcg_at_10: mean(|q| q.ndcg_at_10),
            silent: silent(&chosen),
        }
    };
    [None].into_iter().chain(kinds.into_iter().map(Some)).map(of).collect()
}

/// The share of queries without any result.
fn silent(chosen: &[&MeasuredQuestion<'_>]) -> f64 {
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    count(chosen.iter().filter(|one| one.is_silent).count()) / count(chosen.len().max(1))
}

/// Whether a skill of the corpus answers a query.
fn answers(corpus: &Corpus, at: usize, question: &Question) -> bool {
    question.relevant.iter().any(|expected| is_meant(&corpus.skills[at], &corpus.places[at], expected))
}

/// The number of skills that answer a query.
fn relevant(corpus: &Corpus, question: &Question) -> usize {
    (0..corpus.skills.len()).filter(|at| answers(corpus, *at, question)).count()
}

/// Whether an answer identifies a skill.
pub fn is_meant(skill: &CatalogSkill, place: &str, expected: &Expected) -> bool {
    match expected {
        Expected::Number(number) => {
            place.split('/').next().and_then(|first| first.parse::<u64>().ok()) == Some(*number)
        }
        Expected::Name(name) => {
            let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
            skill.name == *name || place == name || folder == name.trim_end_matches('/')
        }
    }
}
