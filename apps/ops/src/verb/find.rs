//! `skc find` and the tool `skill_search` (RFC-0011:C-FIND).

use crate::app::App;
use crate::catalog::{CatalogFilter, Roots, ScopeWord, catalog};
use crate::failure::Failure;
use crate::find::{
    CatalogSearch, FindMode, FindReply, FindResult, PendingSearch, Strategy, TeamOutcome, TeamQuery,
    find_in_team, invalid, search,
};
use crate::first_steps::FirstSteps;
use crate::model::model_in_use;
use crate::operation::{Operation, Surface, ToolGroup};
use crate::policy::known;
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::discovery::spelling::corrected;
use skillc_domain::fault::Fault;
use skillc_domain::query::Query;
use skillc_ports::ErrorKind;

/// Find the skills on this machine for a task.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindRequest {
    /// The task, or a skill's name or path.
    #[arg(required = true)]
    #[serde(with = "crate::query_words")]
    #[schemars(with = "String")]
    pub query: Vec<String>,
    /// How to rank skills.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub mode: FindMode,
    /// Only the repository's or the user's skills.
    #[arg(long, value_enum)]
    pub scope: Option<ScopeWord>,
    /// Maximum number of results.
    #[arg(short, long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// The folders of skills to search.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub roots: Roots,
    /// Show the scores of each part of the search.
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
    /// First complete the index, however long that takes.
    #[arg(long)]
    #[serde(default)]
    pub index: bool,
    /// Search the team's catalog instead of this machine.
    #[arg(long, conflicts_with_all = ["scope", "roots", "index"])]
    #[serde(default)]
    pub team: bool,
}

/// Implements `skc find`.
pub struct Find;

impl Operation for Find {
    const NAME: &'static str = "find";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc find \"send a message on Discord\"\nskc find release --scope repo --explain\nskc find \"draw a diagram\" --roots all --mode lexical --format json";
    const COMMAND_LINE_ONLY: &'static [&'static str] = &["index", "team"];
    type Request = FindRequest;
    type Reply = FindReply;

    async fn run(run: &mut Run<'_>, request: FindRequest) -> Result<FindReply, Failure> {
        let query = Query::for_skills(&request.query.join(" "))?;
        let limit = limit(run.app, request.limit)?;
        known(run.app)?;
        if request.team {
            return of_team(run.app, &query, &request, limit).await;
        }
        let mode = request.mode.chosen();
        let pending = PendingSearch::start(run.app, &query, mode)?;
        let catalog = catalog(run, &asked_catalog(&request))?;
        let search_request =
            CatalogSearch { query: &query, mode, catalog: &catalog, waits_for_vectors: request.index };
        let mut outcome = search(run, pending, &search_request).await?;
        let mut searched_instead = None;
        if outcome.found.is_empty()
            && let Some(corrected) = corrected_query(&query, &catalog)
        {
            let pending = PendingSearch::start(run.app, &corrected, mode)?;
            let search_request = CatalogSearch { query: &corrected, ..search_request };
            outcome = search(run, pending, &search_request).await?;
            searched_instead = Some(corrected.text().to_owned()).filter(|_| !outcome.found.is_empty());
        }
        let note = note(run.app, &outcome.strategy, outcome.without_vector);
        let best = outcome.found.iter().take(limit);
        let results: Vec<FindResult> = best.map(|ranked| FindResult::of(ranked, request.explain)).collect();
        Ok(FindReply {
            mode: outcome.strategy.mode.word().to_owned(),
            count: results.len(),
            truncated: outcome.found.len() > results.len(),
            elsewhere: catalog.elsewhere,
            invalid: invalid(run.app, &query, &catalog),
            note: with_correction(searched_instead, note),
            first_steps: first_steps(run.app, &results),
            results,
        })
    }
}

/// The query with its misspelled words replaced by words of the skills' names and descriptions.
fn corrected_query(query: &Query, catalog: &SkillCatalog) -> Option<Query> {
    let texts = catalog.skills.iter().flat_map(|skill| [skill.name.as_str(), skill.description.as_str()]);
    Query::for_skills(&corrected(query.text(), texts)?).ok()
}

/// Adds to a note that another query was searched for.
fn with_correction(searched_instead: Option<String>, note: Option<String>) -> Option<String> {
    let Some(corrected) = searched_instead else { return note };
    let rest = note.map_or_else(String::new, |note| format!("; {note}"));
    Some(format!("no skill fits the query as written; these fit '{corrected}'{rest}"))
}

async fn of_team(
    app: &App,
    query: &Query,
    request: &FindRequest,
    limit: usize,
) -> Result<FindReply, Failure> {
    let strategy = Strategy::choose(app, request.mode.chosen())?;
    let ask = TeamQuery { request: query.text(), mode: strategy.mode, model: strategy.model.as_ref(), limit };
    let answer = find_in_team(app, &ask).await?;
    let results: Vec<FindResult> =
        answer.hits.iter().map(|hit| FindResult::of_team(hit, &answer.org, request.explain)).collect();
    Ok(FindReply {
        mode: strategy.mode.word().to_owned(),
        count: results.len(),
        truncated: answer.truncated,
        elsewhere: 0,
        invalid: Vec::new(),
        note: team_note(app, &strategy, &answer),
        first_steps: None,
        results,
    })
}

/// An overview if nothing was found. An agent should continue without a skill, while a person may not know yet where
/// skills are.
fn first_steps(app: &App, results: &[FindResult]) -> Option<FirstSteps> {
    match results.is_empty() && !app.call.is_agent() {
        true => FirstSteps::of(app).map(FirstSteps::after_search),
        false => None,
    }
}

fn team_note(app: &App, strategy: &Strategy, answer: &TeamOutcome) -> Option<String> {
    let missing = answer.without_vector;
    if missing == 0 {
        return note(app, strategy, 0);
    }
    Some(format!(
        "{missing} of the skills found by words have no vector in the catalog; 'skc team publish' adds vectors of skills on this machine"
    ))
}

fn asked_catalog(request: &FindRequest) -> CatalogFilter {
    CatalogFilter {
        roots: request.roots.which(),
        scope: request.scope.map(ScopeWord::scope),
        with_builtin: true,
        counts_elsewhere: true,
        ..CatalogFilter::default()
    }
}

/// The number of results: the requested one, otherwise that of the settings.
fn limit(app: &App, asked: Option<u32>) -> Result<usize, Fault> {
    let settings = &app.call.settings.skills;
    let limit = settings.max_limit;
    match asked {
        Some(asked) if asked == 0 || asked > limit => Err(Fault::ResultsBeyondLimit { asked, limit }),
        asked => {
            Ok(usize::try_from(asked.unwrap_or(settings.default_limit).min(limit)).unwrap_or(usize::MAX))
        }
    }
}

fn note(app: &App, strategy: &Strategy, missing: usize) -> Option<String> {
    let to = app.call.reader;
    if !app.call.settings.skills.enabled {
        return Some("skills are switched off: '[skills] enabled' is false".to_owned());
    }
    if let Some(error) = &strategy.model_error {
        return match error.kind {
            // The feature was left out on purpose, so there is nothing to report.
            ErrorKind::Unsupported => None,
            ErrorKind::NotFound => {
                let install = to.run_yourself(&model_in_use(app).install_command());
                Some(format!("found by words only; {install} to add meaning"))
            }
            ErrorKind::Invalid => Some(
                "found by words only: the model does not know most of the words of this query".to_owned(),
            ),
            _ => Some(format!(
                "found by words only: the model cannot be used ({}); {}",
                error.reason(),
                to.run_yourself("model status")
            )),
        };
    }
    (missing > 0).then(|| {
        let index = to.run_yourself("find --index <query>");
        let by_words = if strategy.mode.has_meaning() { "" } else { "found by words only: " };
        format!("{by_words}the meaning of {missing} skills is not indexed yet; further calls continue, or {index} to index all at once")
    })
}
