//! The files by which a skill is evaluated: `evals/evals.json`, and the queries that should trigger it or not.

use skillc_domain::proof::is_query_file;
use std::ops::Range;

/// Whether a file holds the cases of an evaluation.
pub fn is_case_file(path: &str) -> bool {
    path == "evals/evals.json"
}

/// Whether a file is one by which a skill is evaluated.
pub fn is_eval_file(path: &str) -> bool {
    is_case_file(path) || is_query_file(path)
}

/// What such a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EvalFile {
    /// It is another file.
    #[default]
    None,
    /// It cannot be read; what is wrong, and where.
    Invalid(EvalFlaw),
    /// Tasks with what is expected of their results.
    Cases(Vec<EvalCase>),
    /// Queries that should trigger the skill or not.
    Queries(Vec<TriggerQuery>),
}

/// What makes a file unreadable for the programs that run it.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalFlaw {
    /// Lower case, without a full stop.
    pub message: String,
    /// Bytes of the file.
    pub span: Range<usize>,
}

/// A task with what is expected of its result.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalCase {
    /// Its id as JSON writes it; `None` without one.
    pub id: Option<String>,
    /// Whether it has `assertions`, the spelling of the specification.
    pub has_assertions: bool,
    /// Whether it has `expectations`, the spelling of skill-creator.
    pub has_expectations: bool,
    /// Bytes of the file.
    pub span: Range<usize>,
}

/// A query that should trigger the skill or not.
#[derive(Clone, Debug, PartialEq)]
pub struct TriggerQuery {
    /// What is asked.
    pub query: String,
    /// Whether the skill is meant.
    pub should_trigger: bool,
    /// Bytes of the file.
    pub span: Range<usize>,
}
