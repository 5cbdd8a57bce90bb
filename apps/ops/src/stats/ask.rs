//! Whom a question about use goes to: the log of a skill, those of all skills, or a team's store.

use crate::app::App;
use crate::failure::Failure;
use crate::policy::{admit_name, is_refusal};
use crate::resolve::resolve;
use crate::run::Run;
use crate::runtime::{index_of, reading};
use crate::skill::Skill;
use crate::stats::Subject;
use crate::stores::skills_of;
use crate::team::TeamConnection;
use skillc_domain::config::LogStore;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::log_file;
use skillc_domain::usage::{SkillFilter, Usage, UsageFilter, UsageQuery, merge};
use std::collections::BTreeSet;

/// The skills, or the team, whose usage a request names.
#[derive(Debug)]
pub struct UsageScope {
    /// Name or path of one skill.
    pub skill: Option<String>,
    /// Whether every skill of this machine counts.
    pub all: bool,
    /// Whether the team's store is queried.
    pub team: bool,
    /// The organization, in place of the configured one.
    pub org: Option<String>,
    /// One machine of the team.
    pub machine: Option<String>,
}

/// What was asked about.
pub struct Asked<'a> {
    /// For the reply.
    pub subject: Subject,
    /// The skills that resolve here: one, every one, or none for a team's.
    skills: Vec<Skill>,
    team: Option<TeamConnection<'a>>,
}

impl<'a> Asked<'a> {
    /// What a request is about. The one skill that it names is in use from here on.
    ///
    /// # Errors
    /// E001, E010 for a skill that is not here, E043 without a team's store, E100 where neither a skill nor all is asked for.
    pub fn of(run: &mut Run<'a>, scope: &UsageScope) -> Result<Self, Failure> {
        // Where events go straight to the team, its store is the log of this machine.
        let goes_there =
            run.app.call.settings.log_store == LogStore::Postgres && run.app.ports.team.is_some();
        if scope.team || goes_there {
            return Self::of_team(run, scope);
        }
        if let Some(given) = &scope.skill {
            let skill = resolve(run.app, given)?;
            run.uses(&skill);
            let subject = Subject::Skill { name: skill.name.clone(), path: skill.path_text() };
            return Ok(Self { subject, skills: vec![skill], team: None });
        }
        if !scope.all {
            return Err(Fault::invalid_option("name a skill, or give '--all' for every one").into());
        }
        let mut skills = skills_of(run, Scope::Project)?;
        skills.extend(skills_of(run, Scope::Global)?);
        Ok(Self { subject: Subject::Every, skills, team: None })
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
                // Another machine's skill need not be on this one.
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
        Ok(Self { subject, skills, team: Some(team) })
    }

    /// Sections of the one skill's index that are not among those that were read: file and heading, in the order of the
    /// index. None where there is no index, or one of another skill.
    pub async fn unread(&self, app: &App, read: &Usage) -> Vec<(String, String)> {
        let (true, [skill]) = (self.subject != Subject::Every, &self.skills[..]) else { return Vec::new() };
        let path = index_of(app, &reading(app, skill), skill);
        let Some(index) = app.ports.index.open(&path).await.present() else { return Vec::new() };
        if index.header().skill_path != skill.path_text() {
            return Vec::new();
        }
        let known: BTreeSet<(&str, &str)> = read
            .tallies
            .iter()
            .filter_map(|tally| match &tally.key[..] {
                [file, section] => Some((file.as_str(), section.as_str())),
                _ => None,
            })
            .collect();
        let mut seen = BTreeSet::new();
        let headings = index.all_headings().await.unwrap_or_default().into_iter();
        headings
            .map(|heading| (heading.file, heading.text))
            .filter(|(file, text)| !known.contains(&(file.as_str(), text.as_str())))
            .filter(|heading| seen.insert(heading.clone()))
            .collect()
    }
}

/// The answer to a question. A log that cannot be read is an error for one skill.
///
/// # Errors
/// E044 to E049 of a team's store; else a failure that names the log.
pub async fn ask(run: &mut Run<'_>, asked: &Asked<'_>, query: &UsageQuery) -> Result<Usage, Failure> {
    let app = run.app;
    let of_skill = |skill| UsageQuery {
        grouping: query.grouping,
        filter: UsageFilter { skill, ..query.filter.clone() },
    };
    if let (Some(team), Subject::Team { skill, machine, .. }) = (&asked.team, &asked.subject) {
        let mut query = of_skill(skill.clone().map_or(SkillFilter::Any, SkillFilter::Name));
        query.filter.machine.clone_from(machine);
        let mut usage = team.log().usage(&query).await.map_err(|error| team.failure(error))?;
        let is_named = |name: &String| !matches!(admit_name(app, name), Err(fault) if is_refusal(&fault));
        usage.tallies.retain(|tally| tally.skill.as_ref().is_none_or(is_named));
        return Ok(usage);
    }
    let local = async |skill: &Skill| {
        let log = app.ports.logs.at(&log_file(&reading(app, skill)));
        log.usage(&of_skill(SkillFilter::Path(skill.path_text()))).await
    };
    if let (Subject::Skill { .. }, [skill]) = (&asked.subject, &asked.skills[..]) {
        return Ok(local(skill).await?);
    }
    let mut parts = Vec::new();
    for skill in &asked.skills {
        match local(skill).await {
            Ok(usage) => parts.push((skill.name.clone(), usage)),
            // One damaged log does not hide the others.
            Err(error) => run.part_failed(error.into()),
        }
    }
    Ok(merge(query.grouping, parts))
}
