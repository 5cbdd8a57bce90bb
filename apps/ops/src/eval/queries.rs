//! The two formats of query files: lines of JSON with the skills that answer each query; and the `eval_queries.json`
//! of the specification's guide, which says for each query whether it should trigger a skill.

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::{Error, Value};
use skillc_domain::fault::Fault;
use std::fmt;

/// How a query identifies a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The number at the start of its top-level folder in the corpus.
    Number(u64),
    /// Its name, or its path in the corpus.
    Name(String),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// A query with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The text of the query.
    pub query: String,
    /// The skills that answer it.
    pub relevant: Vec<Expected>,
    /// `easy`, `hard` or any other category; empty if there is none.
    pub kind: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// A query that should or should not trigger a skill.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Trial {
    /// The text of the query.
    pub query: String,
    /// Whether the skill should be triggered.
    pub should_trigger: bool,
}

/// The content of a query file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Queries {
    /// Queries with their answers.
    Questions(Vec<Question>),
    /// Trials of one skill.
    Trials(Vec<Trial>),
}

#[derive(Deserialize)]
struct Line {
    query: String,
    relevant: Vec<Value>,
    #[serde(default)]
    kind: String,
}

/// Parses a file of queries.
///
/// # Errors
/// E081, with the line that is invalid or in the other format.
pub fn queries(path: &str, text: &str) -> Result<Queries, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let refuse =
        |message: String| Fault::UnreadableQueries { path: path.to_owned(), message, advice: String::new() };
    if text.trim_start().starts_with('[') {
        let trials: Vec<Trial> = serde_json::from_str(text).map_err(|error| refuse(describe(&error, 0)))?;
        return not_none(Queries::Trials(trials), refuse);
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let questions = lines.map(|(at, line)| {
        let said = |message: &str| refuse(format!("line {}: {message}", at + 1));
        let line: Line = serde_json::from_str(line).map_err(|error| refuse(describe(&error, at)))?;
        let relevant = line
            .relevant
            .iter()
            .map(|value| expected(value).ok_or_else(|| said("'relevant' holds numbers, names or paths")));
        let relevant = relevant.collect::<Result<_, Fault>>()?;
        Ok(Question { query: line.query, relevant, kind: line.kind, line: at + 1 })
    });
    not_none(Queries::Questions(questions.collect::<Result<_, Fault>>()?), refuse)
}

/// Describes a JSON error by position and kind. It quotes nothing, since the file may be a different one than
/// intended.
fn describe(error: &Error, lines_before: usize) -> String {
    let kind = match error.classify() {
        Category::Data => "not a query",
        Category::Eof => "JSON that ends too early",
        Category::Syntax | Category::Io => "not JSON",
    };
    format!("line {}: {kind} at column {}", lines_before + error.line().max(1), error.column())
}

fn not_none(queries: Queries, refuse: impl Fn(String) -> Fault) -> Result<Queries, Fault> {
    let count = match &queries {
        Queries::Questions(questions) => questions.len(),
        Queries::Trials(trials) => trials.len(),
    };
    if count == 0 { Err(refuse("it has no queries".to_owned())) } else { Ok(queries) }
}

fn expected(value: &Value) -> Option<Expected> {
    match value {
        Value::Number(number) => number.as_u64().map(Expected::Number),
        Value::String(name) => Some(Expected::Name(name.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_query_files_are_read() {
        let lines = "{\"query\":\"a\",\"relevant\":[3,\"x/y\"],\"kind\":\"hard\"}\n\n{\"query\":\"b\",\"relevant\":[]}\n";
        let Ok(Queries::Questions(read)) = queries("q", lines) else { panic!() };
        assert_eq!(read[0].relevant, [Expected::Number(3), Expected::Name("x/y".into())]);
        assert_eq!((read[0].kind.as_str(), read[1].kind.as_str()), ("hard", ""));
        let trials = " [{\"query\":\"a\",\"should_trigger\":true,\"note\":1}]";
        let expected = Queries::Trials(vec![Trial { query: "a".into(), should_trigger: true }]);
        assert_eq!(queries("q", trials), Ok(expected));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (text, said) in [
            ("{\"query\":\"a\",\"relevant\":[1]}\nnope", "line 2"),
            ("{\"query\":\"a\",\"relevant\":[true]}", "line 1"),
            ("{\"query\":\"a\"}", "line 1: not a query"),
            ("[1]", "line 1: not a query at column 2"),
            ("{\"query\":{\"hunter2\":1},\"relevant\":[]}", "line 1: not a query"),
            ("{\"query\":", "ends too early"),
            ("", "no queries"),
            ("[]", "no queries"),
        ] {
            let fault = queries("q", text).unwrap_err();
            assert!(fault.to_string().contains(said), "{fault}");
            assert!(!fault.to_string().contains("hunter2"), "{fault}");
        }
    }
}
