//! The logs that can answer a question about usage: of a skill, of all skills, or of a team store.

use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, unreadable};
use crate::policy::{admit_name, is_admitted, is_refusal};
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::{index_of, reading};
use crate::skill::Skill;
use crate::stats::Subject;
use crate::stores::skills_of;
use crate::team::TeamConnection;
use skillc_domain::config::LogStore;
use skillc_domain::fault::Fault;
use skillc_domain::limits::TAKE_OVER_MS_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::log_file;
use skillc_domain::reader::Wording;
use skillc_domain::section_names::SectionNames;
use skillc_domain::usage::whole_files::count_sections;
use skillc_domain::usage::{Grouping, SkillFilter, Usage, UsageFilter, UsageQuery, merge};
use skillc_ports::{AccessLog, Patience, PortError};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// The skills, or the team, whose usage is requested.
#[derive(Debug)]
pub struct UsageScope {
    /// Name or path of one skill.
    pub skill: Option<String>,
    /// Whether to count every skill of this machine.
    pub all: bool,
    /// Whether to query the team's store.
    pub team: bool,
    /// The organization, instead of the configured one.
    pub org: Option<String>,
    /// A single machine of the team.
    pub machine: Option<String>,
}

/// The subject of a request, and the logs that can answer it.
pub struct UsageSource<'a> {
    /// The subject, for the reply.
    pub subject: Subject,
    /// The skills of this machine: one, all, or none for a team.
    pub skills: Vec<Skill>,
    team: Option<TeamConnection<'a>>,
    sections: IndexedSections,
    /// The last query for sections and its answer: a summary asks for it too.
    read_sections: RefCell<Option<(UsageQuery, Usage)>>,
}

/// The sections of skills, by path. Each index is read only once.
#[derive(Default)]
struct IndexedSections(RefCell<HashMap<PathBuf, Rc<SectionNames>>>);

impl IndexedSections {
    /// The sections of a skill; empty if it has no index, or the index belongs to another skill.
    async fn of(&self, app: &App, skill: &Skill) -> Rc<SectionNames> {
        if let Some(known) = self.0.borrow().get(&skill.path) {
            return known.clone();
        }
        let sections = Rc::new(sections_of(app, skill).await);
        self.0.borrow_mut().insert(skill.path.clone(), sections.clone());
        sections
    }
}

impl<'a> UsageSource<'a> {
    /// The subject of a request. Records the use of the skill that the request names.
    ///
    /// # Errors
    /// E001, E010 for an unknown skill, E043 without a team store, E100 if neither a skill nor all are requested.
    pub fn of(run: &mut Run<'a>, scope: &UsageScope) -> Result<Self, Failure> {
        // If events go directly to the team, its store is also the log of this machine.
        let goes_there =
            run.app.call.settings.log_store == LogStore::Postgres && run.app.ports.team.is_some();
        if scope.team || goes_there {
            return Self::of_team(run, scope);
        }
        if let Some(given) = &scope.skill {
            let skill = resolve(run.app, given)?;
            run.uses(&skill);
            let subject = Subject::Skill { name: skill.name.clone(), path: skill.path_text() };
            return Ok(Self {
                subject,
                skills: vec![skill],
                team: None,
                sections: Default::default(),
                read_sections: RefCell::default(),
            });
        }
        if !scope.all {
            return Err(Fault::invalid_option(Wording::new(|to| {
                format!("name a skill, or give {} for every one", to.argument("all"))
            }))
            .into());
        }
        let mut skills = skills_of(run, Scope::Project)?;
        skills.extend(skills_of(run, Scope::Global)?);
        Ok(Self {
            subject: Subject::Every,
            skills,
            team: None,
            sections: Default::default(),
            read_sections: RefCell::default(),
        })
    }

    fn of_team(run: &mut Run<'a>, scope: &UsageScope) -> Result<Self, Failure> {
        let mut team = TeamConnection::of(run.app)?;
        if let Some(org) = &scope.org {
            team.origin.org.clone_from(org);
        }
        let mut skills = Vec::new();
        let mut name = None;
        if let Some(given) = &scope.skill {
            match resolve(run.app, given) {
                Ok(skill) => {
                    run.uses(&skill);
                    name = Some(skill.name.clone());
                    skills.push(skill);
                }
                Err(fault) if is_refusal(&fault) => return Err(fault.into()),
                // A skill used on another machine need not exist on this one.
                Err(fault) => {
                    let given = SkillName::parse(given).map_err(|_| fault)?;
                    admit_name(run.app, given.as_str())?;
                    name = Some(given.as_str().to_owned());
                }
            }
        }
        let machine = match (&scope.machine, scope.team) {
            (Some(machine), _) => Some(machine.clone()),
            (None, true) => None,
            (None, false) => Some(team.origin.machine.clone()),
        };
        let subject = Subject::Team { org: team.origin.org.clone(), skill: name, machine };
        Ok(Self {
            subject,
            skills,
            team: Some(team),
            sections: Default::default(),
            read_sections: RefCell::default(),
        })
    }

    /// Migrates large logs of other programs, so that counting is fast. If that fails, their rows are scanned.
    pub async fn take_over(&self, app: &App) {
        let patience = Patience::new(Duration::from_millis(TAKE_OVER_MS_MAX), app.call.is_cancelled.clone());
        for skill in &self.skills {
            let path = log_file(&reading(app, skill));
            match app.ports.logs.at(&path).take_over(&patience).await {
                Ok(0) => {}
                Ok(rows) => app.call.detail(|| format!("took over {rows} rows of {}", path.display())),
                Err(error) => app.call.detail(|| format!("log: {error}")),
            }
        }
    }

    /// Sections in the skill's index that are not among those read: file and heading, in index order. Empty if there is
    /// no index, or it belongs to another skill.
    pub async fn unread(&self, app: &App, read: &Usage) -> SectionNames {
        let (true, [skill]) = (self.subject != Subject::Every, &self.skills[..]) else {
            return SectionNames::default();
        };
        let mut known: HashMap<&str, HashSet<&str>> = HashMap::new();
        for tally in &read.tallies {
            if let [file, section] = &tally.key[..] {
                known.entry(file).or_default().insert(section);
            }
        }
        // The sections of a file are consecutive, so `seen` holds only the sections of the current file.
        let (mut seen, mut seen_of) = (HashSet::new(), "");
        let mut read_here = None;
        let sections = self.sections.of(app, skill).await;
        let unread = sections.iter().filter(|(file, text)| {
            if *file != seen_of {
                (seen_of, read_here) = (file, known.get(file));
                seen.clear();
            }
            !read_here.is_some_and(|read| read.contains(text)) && seen.insert(*text)
        });
        unread.collect()
    }
}

/// The sections in a skill's index: file and heading, in index order. Empty if there is no index, or it belongs to
/// another skill.
async fn sections_of(app: &App, skill: &Skill) -> SectionNames {
    let path = index_of(app, &reading(app, skill), skill);
    let Some(index) = app.ports.index.open(&path).await.present() else {
        return SectionNames::default();
    };
    if index.header().skill_path != skill.path_text() {
        return SectionNames::default();
    }
    index.section_names().await.unwrap_or_default()
}

/// Queries the log of a skill.
async fn local_usage(
    app: &App,
    source: &UsageSource<'_>,
    skill: &Skill,
    query: &UsageQuery,
) -> Result<Usage, PortError> {
    let log = app.ports.logs.at(&log_file(&reading(app, skill)));
    usage_with_sections(app, source, log.as_ref(), (Some(skill), &of_skill(skill, query))).await
}

/// The query about one skill.
fn of_skill(skill: &Skill, query: &UsageQuery) -> UsageQuery {
    let filter = UsageFilter { skill: SkillFilter::Path(skill.path_text()), ..query.filter.clone() };
    UsageQuery { grouping: query.grouping, filter }
}

/// Figures from agents' histories, as far as they were imported.
async fn imported_usage(app: &App, query: &UsageQuery) -> Result<Usage, Failure> {
    let path = app.call.places.history_log();
    let usage = app.ports.logs.at(&path).usage(query).await;
    usage.map_err(|error| unreadable(HISTORY, &path, error))
}

/// The log of a skill combined with the histories. If the history log is damaged, the skill's own log is still used.
async fn with_history(
    run: &mut Run<'_>,
    source: &UsageSource<'_>,
    query: &UsageQuery,
    own: Usage,
) -> Result<Usage, Failure> {
    let app = run.app;
    let skill = &source.skills[0];
    let imported = match imported_usage(app, &of_skill(skill, query)).await {
        Ok(imported) => imported,
        Err(failure) => {
            run.part_failed(failure);
            return Ok(own);
        }
    };
    if imported == Usage::default() {
        return Ok(own);
    }
    let (own_summary, imported_summary) = (own.summary, imported.summary);
    let mut whole = merge(query.grouping, [(None, own), (None, imported)]);
    if query.grouping == Grouping::Summary
        && own_summary.unique_files > 0
        && imported_summary.unique_files > 0
    {
        // Both may have read the same sections.
        let of = |grouping| UsageQuery { grouping, filter: query.filter.clone() };
        whole.summary.unique_sections = different(app, source, skill, &of(Grouping::Sections)).await?;
        whole.summary.unique_files = different(app, source, skill, &of(Grouping::Files)).await?;
    }
    Ok(whole)
}

/// The number of different sections or files that were read, by `skc` or by an agent's own means.
async fn different(
    app: &App,
    source: &UsageSource<'_>,
    skill: &Skill,
    query: &UsageQuery,
) -> Result<u64, Failure> {
    let own = local_usage(app, source, skill, query).await.map_err(|error| log_failure(app, skill, error))?;
    let imported = imported_usage(app, &of_skill(skill, query)).await?;
    Ok(merge(query.grouping, [(None, own), (None, imported)]).tallies.len() as u64)
}

/// Queries a log. A file that was read completely counts for each section in it, if the skill's index is known.
async fn usage_with_sections(
    app: &App,
    source: &UsageSource<'_>,
    log: &dyn AccessLog,
    (skill, query): (Option<&Skill>, &UsageQuery),
) -> Result<Usage, PortError> {
    let mut usage = usage_of(source, log, query).await?;
    if let Some(skill) = skill.filter(|_| !usage.whole_files.is_empty()) {
        let sections = source.sections.of(app, skill).await;
        if query.grouping == Grouping::Sections {
            count_sections(&mut usage, &sections);
        } else {
            let query = UsageQuery { grouping: Grouping::Sections, filter: query.filter.clone() };
            let mut read = usage_of(source, log, &query).await?;
            count_sections(&mut read, &sections);
            usage.summary.unique_sections = read.tallies.len() as u64;
        }
    }
    usage.whole_files.clear();
    Ok(usage)
}

/// Queries a log. The last query for sections is not repeated.
async fn usage_of(
    source: &UsageSource<'_>,
    log: &dyn AccessLog,
    query: &UsageQuery,
) -> Result<Usage, PortError> {
    if query.grouping != Grouping::Sections {
        return log.usage(query).await;
    }
    if let Some((_, usage)) = source.read_sections.borrow().as_ref().filter(|(asked, _)| asked == query) {
        return Ok(usage.clone());
    }
    let usage = log.usage(query).await?;
    *source.read_sections.borrow_mut() = Some((query.clone(), usage.clone()));
    Ok(usage)
}

fn log_failure(app: &App, skill: &Skill, error: PortError) -> Failure {
    unreadable(&skill.name, &log_file(&reading(app, skill)), error)
}

/// Answers a query. For a single skill, an unreadable log is an error.
///
/// # Errors
/// E044 to E049 for a team's store; otherwise a failure that names the log.
pub async fn ask(run: &mut Run<'_>, source: &UsageSource<'_>, query: &UsageQuery) -> Result<Usage, Failure> {
    let app = run.app;
    if let (Some(team), Subject::Team { skill, machine, .. }) = (&source.team, &source.subject) {
        let mut query = query.clone();
        query.filter.skill = skill.clone().map_or(SkillFilter::Any, SkillFilter::Name);
        query.filter.machine.clone_from(machine);
        let (log, skill) = (team.log(), source.skills.first());
        let usage = usage_with_sections(app, source, log.as_ref(), (skill, &query)).await;
        let mut usage = usage.map_err(|error| team.failure(error))?;
        usage.tallies.retain(|tally| tally.skill.as_ref().is_none_or(|name| is_admitted(app, name)));
        return Ok(usage);
    }
    if let (Subject::Skill { .. }, [skill]) = (&source.subject, &source.skills[..]) {
        let own = local_usage(app, source, skill, query).await;
        let own = own.map_err(|error| log_failure(app, skill, error))?;
        return with_history(run, source, query, own).await;
    }
    let (mut whole, is_shared) = of_all(run, source, query).await;
    if query.grouping == Grouping::Summary && is_shared {
        // A section read both by `skc` and by an agent's own means counts once.
        let of = |grouping| UsageQuery { grouping, filter: query.filter.clone() };
        whole.summary.unique_sections =
            of_all(run, source, &of(Grouping::Sections)).await.0.tallies.len() as u64;
        whole.summary.unique_files = of_all(run, source, &of(Grouping::Files)).await.0.tallies.len() as u64;
    }
    Ok(whole)
}

/// The logs of all skills combined with the histories, and whether files were read both by `skc` and by an agent's
/// own means. A damaged log does not hide the others.
async fn of_all(run: &mut Run<'_>, source: &UsageSource<'_>, query: &UsageQuery) -> (Usage, bool) {
    let app = run.app;
    let mut parts = Vec::new();
    for skill in &source.skills {
        match local_usage(app, source, skill, query).await {
            Ok(usage) => parts.push((Some(skill.name.clone()), usage)),
            Err(error) => run.part_failed(log_failure(app, skill, error)),
        }
    }
    let has_files = |usage: &Usage| usage.summary.unique_files > 0;
    let mut is_shared = parts.iter().any(|(_, usage)| has_files(usage));
    match imported_usage(app, query).await {
        Ok(mut imported) => {
            is_shared &= has_files(&imported);
            imported.tallies.retain(|tally| tally.skill.as_ref().is_none_or(|name| is_admitted(app, name)));
            parts.push((None, imported));
        }
        Err(failure) => {
            is_shared = false;
            run.part_failed(failure);
        }
    }
    (merge(query.grouping, parts), is_shared)
}
