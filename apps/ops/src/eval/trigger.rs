//! Checks whether queries find the skill that they should trigger, and do not find it otherwise.
//!
//! What an agent's model would choose is unknown; the first result stands in for it.

use super::corpus::Corpus;
use super::measure::{Meanings, is_meant, vector_of};
use super::queries::{Expected, Trial};
use crate::find::{FindQuery, find};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::discovery::find::SearchMode;
use skillc_ports::{PortError, SkillIndex};

/// The result of one trial.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Triggered {
    /// `rule`, `lexical`, `semantic` or `hybrid`.
    pub mode: String,
    /// The model; absent for lexical modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The query.
    pub query: String,
    /// Whether it should trigger the skill.
    pub should_trigger: bool,
    /// Whether the skill was the first result.
    pub has_triggered: bool,
    /// Rank of the skill, from 1; `null` if it was not found.
    pub rank: Option<usize>,
    /// The first result.
    pub first: Option<String>,
}

impl Triggered {
    /// Whether the result is as expected.
    pub fn is_right(&self) -> bool {
        self.should_trigger == self.has_triggered
    }
}

/// Runs every trial in one mode.
///
/// # Errors
/// Errors of the index.
pub async fn triggers(
    index: &dyn SkillIndex,
    corpus: &Corpus,
    trials: &[Trial],
    skill: &str,
    mode: SearchMode,
    meanings: Option<Meanings<'_>>,
) -> Result<Vec<Triggered>, PortError> {
    let expected = Expected::Name(skill.to_owned());
    let meant: Vec<&str> = corpus
        .skills
        .iter()
        .zip(&corpus.places)
        .filter(|(skill, place)| is_meant(skill, place, &expected))
        .map(|(skill, _)| skill.id.as_str())
        .collect();
    let mut all = Vec::new();
    for (number, trial) in trials.iter().enumerate() {
        let meaning = vector_of(meanings, number);
        let found = find(index, &corpus.skills, &FindQuery { text: &trial.query, mode }, meaning).await?;
        let rank = found.iter().position(|ranked| meant.contains(&ranked.skill.id.as_str()));
        all.push(Triggered {
            mode: mode.word().to_owned(),
            model: meanings.map(|meanings| meanings.name.to_owned()),
            query: trial.query.clone(),
            should_trigger: trial.should_trigger,
            has_triggered: rank == Some(0),
            rank: rank.map(|place| place + 1),
            first: found.first().map(|ranked| ranked.skill.name.clone()),
        });
    }
    Ok(all)
}
