//! `skc stats` (RFC-0003): what agents actually read.

use crate::app::App;
use crate::context::Caller;
use crate::failure::Failure;
use crate::history::import::{ImportScope, import};
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::resolve::typed;
use crate::run::Run;
use crate::stats::ask::{UsageScope, UsageSource, ask};
use crate::stats::data::{DailyAccesses, Data, SectionName, SkillCount, data};
use crate::stats::funnel::funnel_counts;
use crate::stats::histories::{HistoryFigures, HistoryOptions, ImportedEvents};
use crate::stats::{Subject, UsageReport, csv, html, text};
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::config::shown_part;
use skillc_domain::fault::Fault;
use skillc_domain::history::HISTORIES;
use skillc_domain::limits::{PATH_BYTES_MAX, PATH_SEGMENT_BYTES_MAX, UNREAD_SECTIONS_MAX};
use skillc_domain::reader::{Wording, about_argument};
use skillc_domain::section_names::SectionNames;
use skillc_domain::time::Timestamp;
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery, filter};
use std::path::{Path, PathBuf};

/// Count the uses of a skill: what agents read, searched for and did not find.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatsRequest {
    /// Name or path of the skill.
    pub skill: Option<String>,
    /// Every skill of project and home.
    #[arg(long, conflicts_with = "skill")]
    #[serde(default)]
    pub all: bool,
    /// What to count: summary, sections, files, commands, projects, errors or search.
    #[arg(long, value_name = "GROUPING", default_value_t = default_grouping())]
    #[serde(default = "default_grouping")]
    pub group_by: String,
    /// Not before this time: 2026-01-31T12:00:00Z, 2026-01-31 (its start, UTC), or a span back from now (7d, 12h).
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Not after this time, in the same forms.
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Only uses from these folders or below them.
    #[arg(long, value_name = "PATH")]
    #[serde(default)]
    pub project: Vec<String>,
    /// Show what each agent did with skills, from its own history: offered, chosen, requested, read, ran, searched, failed.
    #[arg(long, conflicts_with_all = ["group_by", "team", "dead", "html"])]
    #[serde(default)]
    pub agents: bool,
    /// Show the skills that an agent was offered and never used, with their tokens in each session.
    #[arg(long, conflicts_with_all = ["group_by", "team", "html"])]
    #[serde(default)]
    pub dead: bool,
    /// Show in how many sessions each skill was offered, chosen, read and done.
    #[arg(long, conflicts_with_all = ["group_by", "team", "agents", "dead", "html"])]
    #[serde(default)]
    pub funnel: bool,
    /// Show the tokens of each skill, and what they cost by the setting history.prices.
    #[arg(long, conflicts_with_all = ["group_by", "team", "agents", "dead", "funnel", "html"])]
    #[serde(default)]
    pub cost: bool,
    /// Show which files of a skill are read after which.
    #[arg(long, conflicts_with_all = ["group_by", "team", "agents", "dead", "funnel", "cost", "html"])]
    #[serde(default)]
    pub paths: bool,
    /// Query the team store instead of this machine's logs.
    #[arg(long)]
    #[serde(default)]
    pub team: bool,
    /// With --team: this organization instead of the configured one.
    #[arg(long, value_name = "ORG", requires = "team")]
    pub org: Option<String>,
    /// With --team: only this machine.
    #[arg(long, value_name = "MACHINE", requires = "team")]
    pub machine: Option<String>,
    /// Write all groupings to this file as one page for a browser.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long, requires = "html")]
    #[serde(default)]
    pub follow: bool,
    /// Replace a file that skc did not write.
    #[arg(long, requires = "html")]
    #[serde(default)]
    pub force: bool,
}

fn default_grouping() -> String {
    Grouping::default().word().to_owned()
}

/// The filters that were applied.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Filters {
    /// First second that counts, `YYYY-MM-DDTHH:MM:SSZ`.
    pub since: Option<String>,
    /// Last second that counts.
    pub until: Option<String>,
    /// Canonical folders; empty for any.
    pub projects: Vec<String>,
    /// Organization, if the team store was queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    /// Machine, if the team store was queried for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// First and last access that counted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplyPeriod {
    /// The first, `YYYY-MM-DDTHH:MM:SSZ`; null without any.
    pub start: Option<String>,
    /// The last.
    pub end: Option<String>,
}

/// Rows that could not be read in part.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unreadable {
    /// Rows without a readable time; they count nowhere else.
    pub timestamps: u64,
    /// Rows whose arguments are not a JSON object; they count as accesses.
    pub arguments: u64,
}

/// Uses of a skill (RFC-0003:C-SCHEMA).
#[derive(Serialize, JsonSchema)]
pub struct StatsReply {
    /// Name of the skill; null for several.
    pub skill: Option<String>,
    /// Canonical path of its source; null for several, and for a team's.
    pub skill_path: Option<String>,
    /// The grouping.
    pub query: String,
    /// The filters as they were applied.
    pub filters: Filters,
    /// First and last access that counted.
    pub period: ReplyPeriod,
    /// The figures; their form depends on the grouping.
    pub data: Data,
    /// Rows that could not be read in part.
    pub unreadable: Unreadable,
    /// Accesses per day, without empty days; for the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<Vec<DailyAccesses>>,
    /// Accesses of each skill; for the summary of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<SkillCount>>,
    /// Sections of the index that were never read, at most 200; for the sections of one skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused_sections: Option<Vec<SectionName>>,
    /// What agents' own histories say.
    #[serde(flatten)]
    pub history: HistoryFigures,
    /// The page that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<PathBuf>,
    #[serde(skip)]
    reports: Vec<UsageReport>,
}

/// Implements `skc stats`.
pub struct Stats;

impl Operation for Stats {
    const NAME: &'static str = "stats";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc stats my-skill\nskc stats my-skill --group-by sections --since 30d\nskc stats --all --format csv\nskc stats my-skill --html usage.html\nskc stats my-skill --team\nskc stats --agents\nskc stats --dead --since 30d\nskc stats --funnel\nskc stats --cost\nskc stats my-skill --paths";
    const FORMATS: &'static [&'static str] = &["text", "json", "csv"];
    const COMMAND_LINE_ONLY: &'static [&'static str] = &["html", "follow", "force"];
    type Request = StatsRequest;
    type Reply = StatsReply;

    async fn run(run: &mut Run<'_>, request: StatsRequest) -> Result<StatsReply, Failure> {
        let grouping = Grouping::parse(&request.group_by)?;
        let filter = filter_of(run.app, &request)?;
        let StatsRequest { agents, dead, funnel, cost, paths, .. } = request;
        let asked = HistoryOptions { agents, dead, funnel, cost, paths };
        if request.team && asked.is_any() {
            return Err(Fault::invalid_option(
                "--agents, --dead, --funnel, --cost and --paths cannot be used with --team",
            )
            .into());
        }
        if run.app.call.settings.history.auto && !run.app.call.is_agent() && !request.team {
            import_first(run).await;
        }
        let scope = UsageScope {
            all: request.all || (asked.is_any() && request.skill.is_none()),
            skill: request.skill,
            team: request.team,
            org: request.org,
            machine: request.machine,
        };
        let source = UsageSource::of(run, &scope)?;
        source.take_over(run.app).await;
        let mut reports = Vec::new();
        for counted in counted(run.app, grouping, request.html.is_some()) {
            reports.push(report(run, &source, counted, &filter).await?);
        }
        if let Some(file) = &request.html {
            let path = typed(run.app, &file.to_string_lossy());
            let allowed = Allowed { follows: request.follow, is_forced: request.force };
            let page = html::render(&reports, &history_sections(run, &source, &filter).await);
            written::write(run.app, &path, &page, allowed, &html::is_page)?;
            reports.retain(|report| report.query.grouping == grouping);
        }
        let mut reply = reply(reports, request.html);
        if asked.is_any() {
            reply.history = HistoryFigures::of(&ImportedEvents::of(run.app, &source, &filter), asked).await?;
        }
        Ok(reply)
    }
}

/// Imports new history. If that fails, `stats` uses what it has.
async fn import_first(run: &mut Run<'_>) {
    for location in HISTORIES {
        if let Err(failure) = import(run, location, &ImportScope::default()).await {
            run.part_failed(failure);
            return;
        }
    }
}

/// The sections about agents' histories; empty for a team, or if they cannot be read.
async fn history_sections(
    run: &mut Run<'_>,
    source: &UsageSource<'_>,
    filter: &UsageFilter,
) -> html::HistorySections {
    if matches!(source.subject, Subject::Team { .. }) {
        return html::HistorySections::default();
    }
    let events = ImportedEvents::of(run.app, source, filter);
    let found = async {
        let funnels = funnel_counts(events.funnels().await?);
        Ok::<_, Failure>(html::HistorySections { funnels, reads: events.section_reads().await? })
    };
    found.await.unwrap_or_else(|failure| {
        run.part_failed(failure);
        html::HistorySections::default()
    })
}

/// The groupings to count, the requested one first. A page contains all of them, and people see more figures than
/// they request.
fn counted(app: &App, asked: Grouping, is_page: bool) -> Vec<Grouping> {
    let others = || Grouping::ALL.into_iter().filter(|grouping| *grouping != asked);
    match asked {
        _ if is_page => std::iter::once(asked).chain(others()).collect(),
        Grouping::Summary if app.call.caller == Caller::Person => {
            vec![asked, Grouping::Sections, Grouping::Commands]
        }
        _ => vec![asked],
    }
}

fn filter_of(app: &App, request: &StatsRequest) -> Result<UsageFilter, Fault> {
    let now = app.ports.clock.now();
    let since = request.since.as_deref().map(|value| filter::since(value, now)).transpose()?;
    let until = request.until.as_deref().map(|value| filter::until(value, now)).transpose()?;
    if let (Some(first), Some(last)) = (&since, &until)
        && first > last
    {
        return Err(Fault::InvalidFilter {
            message: Wording::new(|to| {
                format!("{} {first} is after {} {last}", to.argument("since"), to.argument("until"))
            }),
        });
    }
    let project = |given: &String| match given.trim().is_empty() {
        true => Err(Fault::InvalidFilter { message: about_argument("project", "is empty") }),
        false => folder(app, given),
    };
    let projects = request.project.iter().map(project).collect::<Result<Vec<_>, _>>()?;
    if !request.team && (request.org.is_some() || request.machine.is_some()) {
        return Err(Fault::invalid_option(Wording::new(|to| {
            format!("{} and {} need {}", to.argument("org"), to.argument("machine"), to.argument("team"))
        })));
    }
    let machine = request.machine.clone();
    Ok(UsageFilter { skill: SkillFilter::Any, since, until, projects, machine })
}

/// A folder, which need not exist any more.
fn folder(app: &App, given: &str) -> Result<String, Fault> {
    let path = typed(app, given);
    let refuse = |what: &str| {
        Err(Fault::InvalidFilter {
            message: about_argument("project", &format!("{} {what}", plain(&shown_part(given)))),
        })
    };
    if given.contains('\0') || !is_path(&path) {
        return refuse("is not a path");
    }
    if app.ports.stores.is_file(&path) {
        return refuse("is a file, not a folder");
    }
    Ok(app.ports.stores.real_path(&path).to_string_lossy().into_owned())
}

/// Whether the system could have a file with this path.
fn is_path(path: &Path) -> bool {
    let is_short = path.as_os_str().len() <= PATH_BYTES_MAX;
    is_short && path.components().all(|part| part.as_os_str().len() <= PATH_SEGMENT_BYTES_MAX)
}

async fn report(
    run: &mut Run<'_>,
    source: &UsageSource<'_>,
    grouping: Grouping,
    filter: &UsageFilter,
) -> Result<UsageReport, Failure> {
    let query = UsageQuery { grouping, filter: filter.clone() };
    let usage = ask(run, source, &query).await?;
    let is_about_sections = grouping == Grouping::Sections;
    let unread = match is_about_sections {
        true => source.unread(run.app, &usage).await,
        false => SectionNames::default(),
    };
    let now = Timestamp::of(run.app.ports.clock.now());
    Ok(UsageReport { subject: source.subject.clone(), query, usage, unread, now })
}

fn reply(reports: Vec<UsageReport>, html: Option<PathBuf>) -> StatsReply {
    let first = &reports[0];
    let usage = &first.usage;
    let filter = &first.query.filter;
    let grouping = first.query.grouping;
    let (skill, skill_path) = first.subject.name_and_path();
    let is_summary = grouping == Grouping::Summary;
    let skills = usage
        .tallies
        .iter()
        .filter_map(|tally| Some(SkillCount { skill: tally.skill.clone()?, count: tally.count }));
    let unread = first.unread.iter().take(UNREAD_SECTIONS_MAX);
    StatsReply {
        query: grouping.word().to_owned(),
        filters: Filters {
            since: filter.since.as_ref().map(Timestamp::to_string),
            until: filter.until.as_ref().map(Timestamp::to_string),
            projects: filter.projects.clone(),
            org: first.subject.org(),
            machine: first.subject.machine(),
        },
        period: ReplyPeriod {
            start: usage.period.map(|period| period.start.to_string()),
            end: usage.period.map(|period| period.end.to_string()),
        },
        data: data(grouping, usage),
        unreadable: Unreadable { timestamps: usage.issues.timestamps, arguments: usage.issues.arguments },
        days: is_summary.then(|| usage.days.iter().map(DailyAccesses::from).collect()),
        skills: (is_summary && skill.is_none()).then(|| skills.collect()),
        unused_sections: (grouping == Grouping::Sections && skill_path.is_some()).then(|| {
            unread
                .map(|(file, section)| SectionName { section: section.to_owned(), file: file.to_owned() })
                .collect()
        }),
        skill,
        skill_path,
        history: HistoryFigures::default(),
        html,
        reports,
    }
}

impl Render for StatsReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if self.history.render(view, out) {
            return;
        }
        match &self.reports[..] {
            [summary, sections, commands] => text::render_overview(summary, sections, commands, view, out),
            [report, ..] => text::render(report, view, out),
            [] => {}
        }
        if let Some(file) = &self.html {
            line(out, format!("Wrote {}", view.strong(view.path(file))));
        }
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        (format == "csv").then(|| self.reports.first().map(csv::render)).flatten()
    }
}
