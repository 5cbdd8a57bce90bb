//! Parses the evaluation files of a skill.

use serde::Deserialize;
use serde_json::value::RawValue;
use skillc_lint::eval_file::{EvalCase, EvalFile, EvalFlaw, TriggerQuery, is_case_file, is_eval_file};
use std::collections::BTreeMap;
use std::ops::Range;

/// Maximum size of such a file in bytes: a thousand times what people write.
const EVAL_FILE_BYTES_MAX: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct CasesJson<'a> {
    #[serde(borrow)]
    evals: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct CaseJson<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    assertions: Option<&'a RawValue>,
    #[serde(borrow)]
    expectations: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct QueryJson<'a> {
    #[serde(borrow)]
    query: Option<&'a RawValue>,
    should_trigger: Option<bool>,
}

/// Parses the file at a path.
pub fn eval_file(path: &str, text: &str) -> EvalFile {
    if !is_eval_file(path) || text.len() > EVAL_FILE_BYTES_MAX {
        return EvalFile::None;
    }
    let read = if is_case_file(path) { cases(text) } else { queries(text) };
    read.unwrap_or_else(EvalFile::Invalid)
}

fn cases(text: &str) -> Result<EvalFile, EvalFlaw> {
    let file: CasesJson<'_> =
        serde_json::from_str(text).map_err(|error| flaw(text, &error, "an object with the list 'evals'"))?;
    let case = |raw: &&RawValue| {
        let span = span(text, raw);
        let refuse = |message: &str| EvalFlaw {
            message: message.to_owned(),
            span: start_of(&span),
            is_other_form: false,
        };
        let case: CaseJson<'_> =
            serde_json::from_str(raw.get()).map_err(|_| refuse("a case is not an object"))?;
        if case.prompt.is_none_or(|prompt| !prompt.get().starts_with('"')) {
            let is_other_form = file.evals.iter().all(|case| has_prompt_of_other_name(case));
            return Err(EvalFlaw { is_other_form, ..refuse("a case has no 'prompt'") });
        }
        Ok(EvalCase {
            id: case.id.map(|id| id.get().trim_matches('"').to_owned()),
            has_assertions: case.assertions.is_some(),
            has_expectations: case.expectations.is_some(),
            span: case.id.map_or_else(|| start_of(&span), |id| within(text, id)),
        })
    };
    file.evals.iter().map(case).collect::<Result<_, _>>().map(EvalFile::Cases)
}

/// Keys by which other programs name what they ask.
const OTHER_PROMPTS: &[&str] = &[
    "input",
    "instruction",
    "message",
    "messages",
    "query",
    "question",
    "scenario",
    "task",
    "turns",
    "user",
];

/// Whether a case says in another key what is asked, as in a file of another program.
fn has_prompt_of_other_name(case: &RawValue) -> bool {
    let keys: Result<BTreeMap<&str, &RawValue>, _> = serde_json::from_str(case.get());
    keys.is_ok_and(|keys| {
        !keys.contains_key("prompt") && OTHER_PROMPTS.iter().any(|prompt| keys.contains_key(prompt))
    })
}

fn queries(text: &str) -> Result<EvalFile, EvalFlaw> {
    let list: Vec<&RawValue> = serde_json::from_str(text)
        .map_err(|error| flaw(text, &error, "a list of {\"query\", \"should_trigger\"}"))?;
    let query = |raw: &&RawValue| {
        let span = span(text, raw);
        let refuse = |message: &str| EvalFlaw {
            message: message.to_owned(),
            span: start_of(&span),
            is_other_form: false,
        };
        let query: QueryJson<'_> = serde_json::from_str(raw.get())
            .map_err(|_| refuse("a query is not {\"query\", \"should_trigger\"}"))?;
        let words = query.query.ok_or_else(|| refuse("a query has no 'query'"))?;
        Ok(TriggerQuery {
            query: serde_json::from_str(words.get()).map_err(|_| refuse("'query' is not a string"))?,
            should_trigger: query.should_trigger.ok_or_else(|| refuse("a query has no 'should_trigger'"))?,
            span: within(text, words),
        })
    };
    list.iter().map(query).collect::<Result<_, _>>().map(EvalFile::Queries)
}

/// What is wrong with a whole file: it is not JSON, reported where parsing fails, or its JSON has another form.
fn flaw(text: &str, error: &serde_json::Error, form: &str) -> EvalFlaw {
    let start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = (start + error.column().saturating_sub(1)).min(text.len());
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let message = match error.is_data() {
        true => format!("is not {form}"),
        false => "is not JSON from here on".to_owned(),
    };
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let is_other_form = error.is_data();
    EvalFlaw { message, span: if is_other_form { 0..text.len().min(1) } else { at..end }, is_other_form }
}

fn span(text: &str, raw: &RawValue) -> Range<usize> {
    within(text, raw)
}

/// The range of a value in the text that it borrows from.
fn within(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + raw.get().len()
}

fn start_of(span: &Range<usize>) -> Range<usize> {
    span.start..span.start + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0016:C-EVALS
    #[test]
    fn a_value_is_found_where_it_is_written() {
        let text = "{\"evals\": [ {\"prompt\": \"ä\", \"id\": \"a\"},\n {\"id\": 7, \"prompt\": \"b\", \"expectations\": []}]}";
        let EvalFile::Cases(cases) = eval_file("evals/evals.json", text) else { panic!("{text}") };
        assert_eq!(cases.iter().map(|case| &text[case.span.clone()]).collect::<Vec<_>>(), ["\"a\"", "7"]);
        assert_eq!((cases[1].has_assertions, cases[1].has_expectations), (false, true));
        let text = "[{\"should_trigger\": true, \"query\": \"x \\\"y\\\"\"}]";
        let EvalFile::Queries(queries) = eval_file("eval_queries.json", text) else { panic!("{text}") };
        assert_eq!(
            (queries[0].query.as_str(), &text[queries[0].span.clone()]),
            ("x \"y\"", "\"x \\\"y\\\"\"")
        );
    }

    #[test]
    fn a_file_whose_cases_all_have_another_key_is_of_another_program() {
        for (cases, expected) in [
            (r#"{"input": "a"}, {"input": "b"}"#, true),
            (r#"{"input": "a"}, {"prompt": "b"}"#, false),
            (r#"{"id": 1}"#, false),
        ] {
            let text = format!("{{\"evals\": [{cases}]}}");
            let EvalFile::Invalid(flaw) = eval_file("evals/evals.json", &text) else { panic!("{text}") };
            assert_eq!(flaw.is_other_form, expected, "{cases}");
        }
    }

    /// RFC-0016:C-EVALS
    #[test]
    fn unreadable_parts_are_named_with_their_position() {
        for (path, text, message, marked) in [
            ("evals/evals.json", "{\"evals\": [\n}", "is not JSON from here on", "}"),
            ("evals/evals.json", "[]", "is not an object with the list 'evals'", "["),
            ("evals/evals.json", "{\"evals\": [{\"id\": 1}]}", "a case has no 'prompt'", "{"),
            ("evals/evals.json", "", "is not JSON from here on", ""),
            ("eval_queries.json", "{}", "is not a list of {\"query\", \"should_trigger\"}", "{"),
            ("eval_queries.json", "[{\"query\": \"a\"}]", "a query has no 'should_trigger'", "{"),
            ("eval_queries.json", "[3]", "a query is not {\"query\", \"should_trigger\"}", "3"),
        ] {
            let EvalFile::Invalid(flaw) = eval_file(path, text) else { panic!("{text}") };
            assert_eq!((flaw.message.as_str(), &text[flaw.span.clone()]), (message, marked), "{text}");
        }
    }
}
