//! Runs every query in every mode and computes the quality of the answers.

use super::corpus::Corpus;
use super::queries::{Expected, Question};
use crate::find::{FindQuery, QueryVector, find};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::discovery::find::SearchMode;
use skillc_domain::discovery::quality::{DEPTH, Estimate, Quality, estimate, quality};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_ports::{PortError, SkillIndex};
use std::collections::HashMap;

/// A mean with the ends of its interval.
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

/// How well one mode does on queries of one kind.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QualityRow {
    /// `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// `all`, or a kind of queries.
    pub kind: String,
    /// How many queries.
    pub queries: usize,
    /// Part of queries whose first result answers them.
    pub hit_at_1: Measured,
    /// Part of queries with an answer among ten.
    pub hit_at_10: Measured,
    /// Mean reciprocal rank of the first answer among ten.
    pub mrr_at_10: Measured,
    /// Normalised discounted cumulative gain of ten.
    pub ndcg_at_10: Measured,
}

/// The vector of one question; `None` if the mode needs none.
pub fn vector_of<'a>(meanings: Option<(&'a str, &'a [Vec<f32>])>, number: usize) -> Option<QueryVector<'a>> {
    meanings.map(|(model, vectors)| QueryVector { model, vector: &vectors[number], all_have_vectors: true })
}

/// Runs every query in one mode. `meanings` are the model and the vectors of the queries, if the mode needs them.
///
/// # Errors
/// Errors of the index.
pub async fn measure(
    index: &dyn SkillIndex,
    corpus: &Corpus,
    questions: &[Question],
    mode: SearchMode,
    meanings: Option<(&str, &[Vec<f32>])>,
) -> Result<Vec<QualityRow>, PortError> {
    let at: HashMap<&str, usize> =
        corpus.skills.iter().enumerate().map(|(at, skill)| (skill.id.as_str(), at)).collect();
    let mut all = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let meaning = vector_of(meanings, number);
        let found = find(index, &corpus.skills, &FindQuery { text: &question.query, mode }, meaning).await?;
        let answers: Vec<bool> = found
            .iter()
            .take(DEPTH)
            .map(|ranked| at.get(ranked.skill.id.as_str()).is_some_and(|at| answers(corpus, *at, question)))
            .collect();
        all.push((question.kind.as_str(), quality(&answers, relevant(corpus, question))));
    }
    Ok(rows(mode, &all))
}

/// One row for all queries, and one for each kind, by name.
fn rows(mode: SearchMode, all: &[(&str, Quality)]) -> Vec<QualityRow> {
    let mut kinds: Vec<&str> = all.iter().map(|(kind, _)| *kind).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of = |kind: Option<&str>| {
        let chosen: Vec<Quality> =
            all.iter().filter(|(own, _)| kind.is_none_or(|kind| kind == *own)).map(|(_, q)| *q).collect();
        let mean = |value: fn(&Quality) -> f64| {
            Measured::from(estimate(&chosen.iter().map(value).collect::<Vec<_>>()))
        };
        QualityRow {
            mode: mode.word().to_owned(),
            kind: kind.unwrap_or("all").to_owned(),
            queries: chosen.len(),
            hit_at_1: mean(|q| q.hit_at_1),
            hit_at_10: mean(|q| q.hit_at_10),
            mrr_at_10: mean(|q| q.mrr_at_10),
            ndcg_at_10: mean(|q| q.ndcg_at_10),
        }
    };
    [None].into_iter().chain(kinds.into_iter().map(Some)).map(of).collect()
}

/// Whether a skill of the corpus answers a query.
fn answers(corpus: &Corpus, at: usize, question: &Question) -> bool {
    question.relevant.iter().any(|expected| is_meant(&corpus.skills[at], &corpus.places[at], expected))
}

/// The number of skills that answer it, whether the corpus has them or not.
fn relevant(corpus: &Corpus, question: &Question) -> usize {
    let there = (0..corpus.skills.len()).filter(|at| answers(corpus, *at, question)).count();
    let is_missing = |expected: &&Expected| {
        !corpus.skills.iter().zip(&corpus.places).any(|(skill, place)| is_meant(skill, place, expected))
    };
    there + question.relevant.iter().filter(is_missing).count()
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
