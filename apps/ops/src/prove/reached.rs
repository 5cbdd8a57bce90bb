//! How many calls and bytes an agent needs to get from the stub to each section.

use super::proving_agent::{ProvingAgent, tool_text};
use super::reply::{FarSection, ReachFigure, SpreadReply};
use super::time::ProofTime;
use crate::app::App;
use crate::failure::Failure;
use crate::headings::{OutlineFile, OutlineHeading};
use crate::operation::Operation;
use crate::paging::Paging;
use crate::render::plain;
use crate::run::Run;
use crate::skill::Skill;
use crate::verb::outline::{Outline, OutlineRequest};
use crate::verb::search::{Search, SearchRequest};
use crate::verb::show::{Show, ShowReply, ShowRequest};
use skillc_domain::fault::Fault;
use skillc_domain::limits::SEARCH_LIMIT;
use skillc_domain::proof::{PROVED_SECTIONS_MAX, REACHED_CALLS_MAX, Spread, evenly, share};
use skillc_domain::stub::is_outline;
use std::collections::HashMap;

/// The limit of a repeated search, as the reply suggests.
const HIGHER_LIMIT: u32 = 200;

/// A section without subsections, as the topic of a question.
struct Leaf<'a> {
    file: &'a str,
    heading: &'a OutlineHeading,
    /// Whether the stub lists it and no other section has the same heading.
    is_in_stub: bool,
}

/// The cost of reaching a section.
#[derive(Clone, Copy, Debug, Default)]
struct Route {
    calls: u32,
    bytes: u64,
    is_reached: bool,
}

/// Reaches the sections, or an even selection of `PROVED_SECTIONS_MAX` of them.
///
/// # Errors
/// Those of the operations; a skill that no build accepts is reached nowhere.
pub async fn reached(
    app: &App,
    skill: &Skill,
    outline: &[OutlineFile],
    time: ProofTime,
) -> Result<ReachFigure, Failure> {
    let agent = match ProvingAgent::start(app, skill).await {
        Ok(agent) => agent,
        Err(failure) if is_of_skill(&failure.fault) => return Ok(ReachFigure::unbuilt(&failure.fault)),
        Err(failure) => return Err(failure),
    };
    let leaves = leaves(outline, &agent.stub);
    let sections = leaves.len();
    let is_whole = !is_outline(&agent.stub);
    let drawn = evenly(leaves, PROVED_SECTIONS_MAX);
    let count = drawn.len();
    let mut routes = Vec::new();
    for leaf in drawn {
        if time.is_over_for_sections() {
            break;
        }
        let route = match is_whole {
            true => Ok(Route { is_reached: true, ..Route::default() }),
            false => route(&agent, &leaf).await,
        };
        match route {
            Ok(route) => routes.push((leaf, route)),
            Err(failure) => {
                agent.end();
                return Err(failure);
            }
        }
    }
    let unmeasured = count - routes.len();
    let figure = ReachFigure { unmeasured, ..figure(sections, agent.stub.len() as u64, &routes) };
    agent.end();
    Ok(figure)
}

/// Whether a build refuses the skill because of its content.
fn is_of_skill(fault: &Fault) -> bool {
    matches!(fault.code(), "E010" | "E011" | "E012" | "E013" | "E016")
}

fn leaves<'a>(outline: &'a [OutlineFile], stub: &str) -> Vec<Leaf<'a>> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let all = || outline.iter().flat_map(|file| &file.headings);
    all().for_each(|heading| *counts.entry(heading.text.to_lowercase()).or_default() += 1);
    let listed: Vec<&str> = stub.lines().filter_map(|line| line.trim_start().strip_prefix("- ")).collect();
    let is_listed = |text: &str| {
        let names = |line: &&&str| {
            **line == text || line.strip_prefix(text).is_some_and(|rest| rest.starts_with(" — "))
        };
        listed.iter().any(|line| names(&line))
    };
    let is_leaf = |file: &OutlineFile, at: usize| {
        let next = file.headings.get(at + 1);
        next.is_none_or(|next| next.level <= file.headings[at].level) && !file.headings[at].text.is_empty()
    };
    let of_file = |file: &'a OutlineFile| {
        let leaves = file.headings.iter().enumerate().filter(|(at, _)| is_leaf(file, *at));
        leaves
            .map(|(_, heading)| Leaf {
                file: &file.file,
                heading,
                is_in_stub: counts[&heading.text.to_lowercase()] == 1 && is_listed(&heading.text),
            })
            .collect::<Vec<_>>()
    };
    outline.iter().flat_map(of_file).collect()
}

/// Uses the heading listed in the stub; otherwise a search, and the outline if that does not find the section.
async fn route(agent: &ProvingAgent, leaf: &Leaf<'_>) -> Result<Route, Failure> {
    let mut route = Route::default();
    let (file, section) = match leaf.is_in_stub {
        true => (None, leaf.heading.text.clone()),
        false => {
            let named = match search(agent, leaf, &mut route).await? {
                Some(named) => named,
                None => outlined(agent, leaf, &mut route).await?,
            };
            (Some(leaf.file.to_owned()), named)
        }
    };
    show(agent, leaf, file, section, &mut route).await?;
    Ok(route)
}

/// The name under which a search returns the section. Repeats the search with a higher limit if the reply suggests
/// it.
async fn search(agent: &ProvingAgent, leaf: &Leaf<'_>, route: &mut Route) -> Result<Option<String>, Failure> {
    let names = [leaf.heading.text.clone(), qualified(leaf)];
    for limit in [SEARCH_LIMIT, HIGHER_LIMIT] {
        let request =
            SearchRequest { skill: agent.skill.clone(), query: vec![leaf.heading.text.clone()], limit };
        route.calls += 1;
        let text = match Search::run(&mut Run::new(&agent.app), request).await {
            Ok(reply) => tool_text(&reply),
            // A heading that consists of punctuation is not a valid query.
            Err(failure) if matches!(failure.fault.code(), "E004" | "E100") => return Ok(None),
            Err(failure) => return Err(failure),
        };
        route.bytes += text.len() as u64;
        let is_named = |name: &&String| {
            let line_of = plain(&format!("{}#{name}", leaf.file));
            text.lines().any(|line| line == line_of)
        };
        if let Some(name) = names.iter().find(is_named) {
            return Ok(Some(name.clone()));
        }
        if !text.contains("more: raise") {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The name of a section including its line, as `show` accepts it.
fn qualified(leaf: &Leaf<'_>) -> String {
    format!("{} (line {})", leaf.heading.text, leaf.heading.line)
}

async fn outlined(agent: &ProvingAgent, leaf: &Leaf<'_>, route: &mut Route) -> Result<String, Failure> {
    let request = OutlineRequest { skill: agent.skill.clone(), ..OutlineRequest::default() };
    let reply = Outline::run(&mut Run::new(&agent.app), request).await?;
    route.calls += 1;
    route.bytes += tool_text(&reply).len() as u64;
    Ok(qualified(leaf))
}

/// Shows the section to its end.
async fn show(
    agent: &ProvingAgent,
    leaf: &Leaf<'_>,
    file: Option<String>,
    section: String,
    route: &mut Route,
) -> Result<(), Failure> {
    let mut paging = Paging::default();
    loop {
        let request =
            ShowRequest { skill: agent.skill.clone(), section: section.clone(), file: file.clone(), paging };
        route.calls += 1;
        let reply = match Show::run(&mut Run::new(&agent.app), request).await {
            Ok(reply) => reply,
            Err(failure) if failure.fault.code() == "E020" => return Ok(()),
            Err(failure) => return Err(failure),
        };
        route.bytes += tool_text(&reply).len() as u64;
        let ShowReply { file: shown, start_line, next_cursor, .. } = reply;
        route.is_reached = shown == leaf.file && start_line == leaf.heading.line;
        match next_cursor.filter(|_| route.is_reached) {
            Some(cursor) => paging = Paging { cursor: Some(cursor), ..Paging::default() },
            None => return Ok(()),
        }
    }
}

fn figure(sections: usize, stub_bytes: u64, routes: &[(Leaf<'_>, Route)]) -> ReachFigure {
    let is_near = |route: &Route| route.is_reached && route.calls <= REACHED_CALLS_MAX;
    let reached = routes.iter().filter(|(_, route)| is_near(route)).count();
    let spread = |of: fn(&Route) -> u64| {
        let values = routes.iter().filter(|(_, route)| route.is_reached).map(|(_, route)| of(route));
        Spread::of(values.collect()).map(SpreadReply::from)
    };
    let far = routes.iter().filter(|(_, route)| !is_near(route)).map(|(leaf, route)| FarSection {
        file: leaf.file.to_owned(),
        section: leaf.heading.text.clone(),
        line: leaf.heading.line,
        calls: route.is_reached.then_some(route.calls),
    });
    ReachFigure {
        score: share(reached, routes.len()),
        sections,
        measured: routes.len(),
        reached,
        calls: spread(|route| u64::from(route.calls)),
        bytes: spread(|route| route.bytes),
        stub_bytes,
        far: far.collect(),
        ..ReachFigure::default()
    }
}
