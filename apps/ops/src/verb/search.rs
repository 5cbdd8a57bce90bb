//! `skc search` (RFC-0004:C-SEARCH).

use crate::failure::Failure;
use crate::fresh_index::{self, unusable};
use crate::matching_words::matching_words;
use crate::operation::{Operation, Surface, ToolGroup};
use crate::policy::file_filter;
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::{SEARCH_LIMIT, SEARCH_LIMIT_MAX, SEARCH_MS_MAX};
use skillc_domain::path::RelPath;
use skillc_domain::query::{Hit, Query, search_limit};
use skillc_domain::text::case_fold::fold;
use skillc_domain::text::shell::argument;
use skillc_ports::{ErrorKind, IndexReader, Patience, PortError};
use std::ops::Range;
use std::time::Duration;

/// Find sections of a skill by their text: every word of the query must occur.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// The words to find.
    #[arg(required = true)]
    #[serde(with = "crate::query_words")]
    #[schemars(with = "String")]
    pub query: Vec<String>,
    /// Maximum number of results, 1 to 1000.
    #[arg(short, long, value_name = "N", default_value_t = SEARCH_LIMIT)]
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = SEARCH_LIMIT_MAX))]
    pub limit: u32,
}

fn default_limit() -> u32 {
    SEARCH_LIMIT
}

/// A section that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchResult {
    /// Path of its file, relative to the skill.
    pub file: String,
    /// Its heading; empty before the first heading and in plain text.
    pub section: String,
    /// Text around the words, which are marked with `[MATCH]` and `[/MATCH]`.
    pub snippet: String,
    /// BM25; higher is better.
    pub score: f64,
    /// Whether another result is a subsection of this one, so that the text for agents omits this one.
    #[serde(skip)]
    pub is_folded: bool,
    /// Whether its heading equals the query.
    #[serde(skip)]
    pub is_query: bool,
    /// The line of its heading.
    #[serde(skip)]
    pub line: Option<u32>,
    /// Whether its file has the heading more than once.
    #[serde(skip)]
    pub is_repeated: bool,
}

/// The sections that were found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchReply {
    /// The skill as given, to look for its headings where nothing is found.
    #[serde(skip)]
    pub skill: String,
    /// The query as given.
    pub query: String,
    /// Best first.
    pub results: Vec<SearchResult>,
    /// Words of the query that some section has together, if no section has all of them.
    #[serde(skip)]
    pub matching_words: Option<String>,
    /// Whether the limit was reached, so that there may be more.
    #[serde(skip)]
    pub is_full: bool,
    /// Whether the limit is above the default; an agent then gets the name of each result.
    #[serde(skip)]
    pub is_long: bool,
}

/// Implements `skc search`.
pub struct Search;

impl Operation for Search {
    const NAME: &'static str = "search";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc search my-skill authentication\nskc search my-skill \"error handling\" --limit 3\nskc search my-skill deploy --format json";
    type Request = SearchRequest;
    type Reply = SearchReply;

    async fn run(run: &mut Run<'_>, request: SearchRequest) -> Result<SearchReply, Failure> {
        let limit = search_limit(request.limit)?;
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        let text = request.query.join(" ");
        run.asks_for(&text);
        run.note("result_count", 0);
        let query = Query::parse(&text)?;
        let fresh = fresh_index::open(run, &skill).await?;
        let patience = Patience::new(Duration::from_millis(SEARCH_MS_MAX), run.app.call.is_cancelled.clone());
        let hits =
            fresh.index.search(&query, limit, &patience).await.map_err(|error| failed(&skill, error))?;
        let is_full = hits.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
        let mut is_admitted = file_filter(run.app, &skill);
        let hits =
            hits.into_iter().filter(|hit| RelPath::parse(&hit.file).is_ok_and(|file| is_admitted(&file)));
        let mut results: Vec<SearchResult> = hits.map(|hit| result(&query, hit)).collect();
        if run.app.call.is_agent() {
            describe(fresh.index.as_ref(), &query, &mut results)
                .await
                .map_err(|error| unusable(&skill, error))?;
        }
        run.note("result_count", results.len());
        let mut words = None;
        if results.is_empty() {
            run.finds_nothing();
            let found = matching_words(fresh.index.as_ref(), &query, &patience).await;
            words = found.map_err(|error| failed(&skill, error))?;
        }
        let is_long = limit > SEARCH_LIMIT;
        let skill = request.skill;
        Ok(SearchReply { skill, query: text, results, matching_words: words, is_full, is_long })
    }
}

fn failed(skill: &Skill, error: PortError) -> Failure {
    match error.kind {
        ErrorKind::OutOfTime => {
            Failure::because(Fault::SearchTooLong { seconds: SEARCH_MS_MAX / 1000 }, error)
        }
        _ => unusable(skill, error),
    }
}

fn result(query: &Query, hit: Hit) -> SearchResult {
    SearchResult {
        is_query: query.is_heading(&hit.section),
        line: hit.line,
        is_repeated: false,
        file: hit.file,
        section: hit.section,
        snippet: hit.snippet,
        score: hit.score,
        is_folded: false,
    }
}

/// Marks results whose heading occurs more than once in their file, and results that contain another one and match
/// only because of it.
async fn describe(
    index: &dyn IndexReader,
    query: &Query,
    results: &mut [SearchResult],
) -> Result<(), PortError> {
    let mut lines = Vec::with_capacity(results.len());
    for result in results.iter_mut() {
        let file = RelPath::parse(&result.file).unwrap_or_default();
        let found = match result.section.is_empty() {
            true => Vec::new(),
            false => index.headings(&fold(&result.section), Some(&file)).await?,
        };
        result.is_repeated = found.len() > 1;
        let own = found.iter().find(|heading| Some(heading.start_line) == result.line);
        lines.push(own.map(|own| own.start_line..own.end_line));
    }
    for parent in 0..results.len() {
        let Some(own) = lines[parent].clone() else { continue };
        let is_within = |child: &Range<u32>| own.start < child.start && child.end <= own.end;
        let has_child = (0..results.len()).any(|child| {
            results[child].file == results[parent].file && lines[child].as_ref().is_some_and(is_within)
        });
        let heading = fold(&results[parent].section);
        results[parent].is_folded = has_child && !query.words().all(|word| heading.contains(&fold(word)));
    }
    Ok(())
}

impl Render for SearchReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.results.is_empty() {
            let words = self.matching_words.as_deref().map_or_else(String::new, |words| {
                format!("search for '{}', which some section has, or ", plain(words))
            });
            let outline = view.reader.run(&format!("outline {}", argument(&self.skill)));
            let query = plain(&self.query);
            line(
                out,
                format!("No section has every word of '{query}'; {words}{outline} to see the headings"),
            );
        }
        for result in &self.results {
            let place = view.strong(plain(&place(result)));
            line(out, format!("{place} {}", view.faint(format!("(score: {})", shown(result.score)))));
            let snippet = result.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
            line(out, format!("  {}", marked(view, &plain(&snippet))));
        }
    }

    fn tool_text(&self, view: &View, out: &mut Vec<u8>) {
        let matching = self.results.iter().filter(|result| result.is_query).count();
        // The agent raised the limit to see the other sections with this heading.
        let names_others = matching == 0 || self.is_long && matching <= SEARCH_LIMIT as usize;
        let quoted_max = if matching == 0 { QUOTED_MAX } else { 0 };
        let unfolded: Vec<&SearchResult> = self.results.iter().filter(|result| !result.is_folded).collect();
        let named = unfolded.iter().filter(|result| names_others || result.is_query);
        for (at, result) in named.clone().enumerate() {
            line(out, plain(&name(result)));
            if at < quoted_max {
                line(out, format!("  {}", plain(&excerpt(result))));
            }
        }
        let left_out = unfolded.len() - named.count();
        let raise = "raise 'limit'";
        match left_out {
            _ if self.is_full => line(out, format!("more: {raise}")),
            0 => {}
            _ if self.is_long => line(out, format!("{left_out} more have the words")),
            _ => line(out, format!("{left_out} more: {raise}")),
        }
        if self.results.is_empty() {
            self.render(view, out);
        }
    }
}

/// Number of results for which an agent gets a snippet if no heading equals the query.
const QUOTED_MAX: usize = 3;

/// The name of a section that `show` finds unambiguously.
fn name(result: &SearchResult) -> String {
    match result.line.filter(|_| result.is_repeated) {
        Some(line) => format!("{} (line {line})", place(result)),
        None => place(result),
    }
}

/// The section of a result, as `file#heading`.
fn place(result: &SearchResult) -> String {
    let heading = if result.section.is_empty() { String::new() } else { format!("#{}", result.section) };
    format!("{}{heading}", result.file)
}

/// A snippet for an agent: without marks, and without the heading at its beginning.
fn excerpt(result: &SearchResult) -> String {
    let snippet = result.snippet.replace("[MATCH]", "").replace("[/MATCH]", "");
    let text = snippet.trim_start_matches(['#', ' ']);
    let text = text.strip_prefix(&result.section).unwrap_or(&snippet);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A score with two decimals. In a small skill every score is close to zero.
fn shown(score: f64) -> String {
    if score.abs() < 0.01 { "<0.01".to_owned() } else { format!("{score:.2}") }
}

/// With color, marks become highlighting; otherwise they stay.
fn marked(view: &View, snippet: &str) -> String {
    if !view.has_color {
        return snippet.to_owned();
    }
    let mut parts = snippet.split("[MATCH]");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once("[/MATCH]") {
        Some((found, rest)) => text + &view.good(found) + rest,
        None => text + part,
    })
}
