//! Evaluation files of a skill: `evals/evals.json`, and the queries that should or should not trigger the skill.

use skillc_domain::proof::is_query_file;
use std::ops::Range;

/// Whether a file contains evaluation cases.
pub fn is_case_file(path: &str) -> bool {
    path == "evals/evals.json"
}

/// Whether a file is an evaluation file.
pub fn is_eval_file(path: &str) -> bool {
    is_case_file(path) || is_query_file(path)
}

/// The content of an evaluation file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EvalFile {
    /// It is not an evaluation file.
    #[default]
    None,
    /// It is invalid.
    Invalid(EvalFlaw),
    /// Tasks with their expected results.
    Cases(Vec<EvalCase>),
    /// Queries that should or should not trigger the skill.
    Queries(Vec<TriggerQuery>),
}

/// Why a program that runs evaluations cannot read the file.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalFlaw {
    /// The reason, in lower case, without a full stop.
    pub message: String,
    /// Byte range in the file.
    pub span: Range<usize>,
    /// Whether the whole file is JSON of another form, as another program may have it.
    pub is_other_form: bool,
}

/// A task with its expected result.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalCase {
    /// The id as written in JSON; `None` if there is none.
    pub id: Option<String>,
    /// Whether it has `assertions`, the specification's key.
    pub has_assertions: bool,
    /// Whether it has `expectations`, skill-creator's key.
    pub has_expectations: bool,
    /// Byte range in the file.
    pub span: Range<usize>,
}

/// A query that should or should not trigger the skill.
#[derive(Clone, Debug, PartialEq)]
pub struct TriggerQuery {
    /// The query's text.
    pub query: String,
    /// Whether it should trigger the skill.
    pub should_trigger: bool,
    /// Byte range in the file.
    pub span: Range<usize>,
}
