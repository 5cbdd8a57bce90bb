//! Figures from agents' own histories about the skills of a request, as far as the caller may know of them.

use crate::app::App;
use crate::failure::Failure;
use crate::local_logs::{HISTORY, unreadable};
use crate::policy::is_admitted;
use crate::render::View;
use crate::stats::Subject;
use crate::stats::agents::{
    AgentCount, UnusedSkill, agent_counts, render_agents, render_unused, unused_skills,
};
use crate::stats::ask::UsageSource;
use crate::stats::cost::{CostSum, cost_sums, render_costs};
use crate::stats::funnel::{FunnelCount, funnel_counts, render_funnels};
use crate::stats::order::{StepCount, render_steps, step_counts};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::history::{HistoryTally, ReadingStep, SectionReads, SkillCost, SkillFunnel};
use skillc_domain::usage::{SkillFilter, UsageFilter};
use skillc_ports::{LocalLog, PortError};

/// The imported events for a request.
pub struct ImportedEvents<'a> {
    app: &'a App,
    log: Box<dyn LocalLog>,
    filter: UsageFilter,
}

impl<'a> ImportedEvents<'a> {
    /// The events of a source that match a filter.
    pub fn of(app: &'a App, source: &UsageSource<'_>, filter: &UsageFilter) -> Self {
        let skill = match (&source.subject, &source.skills[..]) {
            (Subject::Skill { .. }, [skill]) => SkillFilter::Path(skill.path_text()),
            _ => SkillFilter::Any,
        };
        let log = app.ports.logs.at(&app.call.places.history_log());
        Self { app, log, filter: UsageFilter { skill, ..filter.clone() } }
    }

    /// Counts by agent, skill and kind.
    ///
    /// # Errors
    /// E032 for a damaged log.
    pub async fn tallies(&self) -> Result<Vec<HistoryTally>, Failure> {
        self.admitted(self.log.history(&self.filter).await, |tally| &tally.skill)
    }

    /// How far sessions got with each skill.
    ///
    /// # Errors
    /// As `tallies`.
    pub async fn funnels(&self) -> Result<Vec<SkillFunnel>, Failure> {
        self.admitted(self.log.funnels(&self.filter).await, |funnel| &funnel.skill)
    }

    /// Tokens of each skill.
    ///
    /// # Errors
    /// As `tallies`.
    pub async fn costs(&self) -> Result<Vec<SkillCost>, Failure> {
        self.admitted(self.log.costs(&self.filter).await, |cost| &cost.skill)
    }

    /// Which files are read after which.
    ///
    /// # Errors
    /// As `tallies`.
    pub async fn reading_steps(&self) -> Result<Vec<ReadingStep>, Failure> {
        self.admitted(self.log.reading_steps(&self.filter).await, |step| &step.skill)
    }

    /// Which sections are read by which agent.
    ///
    /// # Errors
    /// As `tallies`.
    pub async fn section_reads(&self) -> Result<Vec<SectionReads>, Failure> {
        self.admitted(self.log.section_reads(&self.filter).await, |reads| &reads.skill)
    }

    fn admitted<T>(
        &self,
        found: Result<Vec<T>, PortError>,
        skill: impl Fn(&T) -> &str,
    ) -> Result<Vec<T>, Failure> {
        let path = self.app.call.places.history_log();
        let mut found = found.map_err(|error| unreadable(HISTORY, &path, error))?;
        found.retain(|one| is_admitted(self.app, skill(one)));
        Ok(found)
    }
}

/// The figures that a request asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryOptions {
    /// What each agent did.
    pub agents: bool,
    /// What was offered but never used.
    pub dead: bool,
    /// How far sessions got.
    pub funnel: bool,
    /// Tokens and money.
    pub cost: bool,
    /// Which files are read after which.
    pub paths: bool,
}

impl HistoryOptions {
    /// Whether it names any.
    pub fn is_any(self) -> bool {
        self != Self::default()
    }
}

/// Figures from agents' own histories, each present if the option with its name was given.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct HistoryFigures {
    /// What each agent did with skills; with `agents`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<AgentCount>>,
    /// Skills that an agent was offered and never used; with `dead`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<Vec<UnusedSkill>>,
    /// How far sessions came with each skill; with `funnel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub funnel: Option<Vec<FunnelCount>>,
    /// Tokens and money of each skill; with `cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Vec<CostSum>>,
    /// Which files are read after which; with `paths`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<StepCount>>,
    /// Whether any events were imported, for `dead`, which may be empty for another reason.
    #[serde(skip)]
    pub has_events: bool,
}

impl HistoryFigures {
    /// Computes the requested figures.
    ///
    /// # Errors
    /// E032 for a damaged log.
    pub async fn of(events: &ImportedEvents<'_>, asked: HistoryOptions) -> Result<Self, Failure> {
        let mut figures = Self::default();
        if asked.agents || asked.dead {
            let tallies = events.tallies().await?;
            figures.has_events = !tallies.is_empty();
            figures.agents = asked.agents.then(|| agent_counts(&tallies));
            figures.dead = asked.dead.then(|| unused_skills(&tallies));
        }
        if asked.funnel {
            figures.funnel = Some(funnel_counts(events.funnels().await?));
        }
        if asked.cost {
            let prices = &events.app.call.settings.history.prices;
            figures.cost = Some(cost_sums(&events.costs().await?, prices));
        }
        if asked.paths {
            figures.paths = Some(step_counts(events.reading_steps().await?));
        }
        Ok(figures)
    }

    /// Shows the figures; returns whether there are any.
    pub fn render(&self, view: &View, out: &mut Vec<u8>) -> bool {
        if let Some(agents) = &self.agents {
            render_agents(agents, view, out);
        } else if let Some(dead) = &self.dead {
            render_unused(dead, self.has_events, view, out);
        } else if let Some(funnel) = &self.funnel {
            render_funnels(funnel, view, out);
        } else if let Some(cost) = &self.cost {
            render_costs(cost, view, out);
        } else if let Some(paths) = &self.paths {
            render_steps(paths, view, out);
        } else {
            return false;
        }
        true
    }
}
