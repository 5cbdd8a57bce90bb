//! The expected statistics of a year, computed only from its plan.

use super::plan::{Agent, Event, SECTION_LINES, SKILLS, Session, Step, hashed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds in the order of the statistics.
pub const KINDS: [&str; 7] = ["offered", "chosen", "requested", "read", "ran", "searched", "failed"];

/// Skill and kind of a use; `none` for a skill that does not exist.
type Key = (Agent, &'static str, &'static str);

/// Everything that can be counted.
#[derive(Default)]
pub struct Truth {
    home: String,
    /// Events and sessions.
    pub uses: BTreeMap<Key, (u64, BTreeSet<String>)>,
    /// Reads of each skill's file, and of its sections.
    pub files: BTreeMap<(&'static str, &'static str), u64>,
    pub sections: BTreeMap<(&'static str, u32), u64>,
    pub projects: BTreeMap<&'static str, u64>,
    /// Failed calls by skill, target, kind and words.
    pub errors: BTreeMap<(&'static str, &'static str, &'static str, &'static str), u64>,
    /// Messages of each agent and skill, and their tokens.
    pub tokens: BTreeMap<(Agent, &'static str), (u64, [u64; 4])>,
    /// How far each session came with each skill.
    stages: BTreeMap<(Agent, &'static str), BTreeMap<String, Stages>>,
    /// Reads of each session in order.
    reads: BTreeMap<(Agent, String, &'static str), Vec<&'static str>>,
}

/// What happened to a skill in one session.
#[derive(Clone, Copy, Default)]
struct Stages {
    is_offered: bool,
    is_chosen: bool,
    is_read: bool,
    has_failure: bool,
}

impl Truth {
    /// Counts the plan. `home` is part of the paths in some lists.
    pub fn of(year: &[Session], home: &str) -> Self {
        let mut truth = Self { home: home.to_owned(), ..Self::default() };
        for session in year {
            for step in &session.steps {
                truth.add(session, &session.id, step);
            }
            if let Some((id, steps)) = &session.continuation {
                // In Codex, a fork belongs to the original session.
                let id = if session.agent == Agent::Codex { &session.id } else { id };
                steps.iter().for_each(|step| truth.add(session, id, step));
            }
        }
        truth
    }

    fn add(&mut self, session: &Session, id: &str, step: &Step) {
        self.add_stages(session.agent, id, step);
        self.add_tokens(session.agent, step);
        let mut used = |skill: &'static str, kind: &'static str| {
            let sum = self.uses.entry((session.agent, skill, kind)).or_default();
            sum.0 += 1;
            sum.1.insert(id.to_owned());
            if kind != "offered" {
                *self.projects.entry(session.cwd).or_default() += 1;
            }
        };
        match step.event {
            Event::Offered => SKILLS.into_iter().for_each(|skill| used(skill, "offered")),
            Event::Chosen(skill) => used(SKILLS[skill], "chosen"),
            Event::Requested(skill) => used(SKILLS[skill], "requested"),
            Event::ReadWhole(skill) => {
                used(SKILLS[skill], "read");
                *self.files.entry((SKILLS[skill], "SKILL.md")).or_default() += 1;
            }
            Event::ReadLines(skill, first, last) | Event::ReadByShell(skill, first, last) => {
                used(SKILLS[skill], "read");
                *self.files.entry((SKILLS[skill], "references/long.md")).or_default() += 1;
                for section in (first - 1) / SECTION_LINES..=(last - 1) / SECTION_LINES {
                    *self.sections.entry((SKILLS[skill], section)).or_default() += 1;
                }
            }
            Event::FailedRead(skill) => {
                used(SKILLS[skill], "read");
                let words = if session.agent == Agent::Codex { "exit 1" } else { "failed" };
                *self.errors.entry((SKILLS[skill], "missing.md", "read", words)).or_default() += 1;
            }
            Event::Ran(skill, status) => {
                used(SKILLS[skill], "ran");
                if status != 0 {
                    let words = match session.agent {
                        Agent::Claude | Agent::Codex | Agent::OpenCode => "exit 3",
                        Agent::Copilot | Agent::Gemini => "failed",
                    };
                    *self.errors.entry((SKILLS[skill], "scripts/run.sh", "ran", words)).or_default() += 1;
                }
            }
            Event::Searched(skill) => used(SKILLS[skill], "searched"),
            Event::FailedLoad => {
                used("none", "failed");
                *self.errors.entry(("none", "none", "failed", "failed")).or_default() += 1;
            }
            Event::Talk | Event::Compaction => {}
        }
    }

    fn add_stages(&mut self, agent: Agent, id: &str, step: &Step) {
        match step.event {
            Event::Offered => {
                (0..SKILLS.len()).for_each(|skill| self.stages_of(agent, id, skill).is_offered = true)
            }
            Event::Chosen(skill) | Event::Requested(skill) | Event::ReadWhole(skill) => {
                self.stages_of(agent, id, skill).is_chosen = true;
                self.reads.entry((agent, id.to_owned(), SKILLS[skill])).or_default().push("SKILL.md");
            }
            Event::ReadLines(skill, ..) | Event::ReadByShell(skill, ..) => {
                self.stages_of(agent, id, skill).is_read = true;
                self.reads
                    .entry((agent, id.to_owned(), SKILLS[skill]))
                    .or_default()
                    .push("references/long.md");
            }
            Event::Ran(skill, 0) | Event::Searched(skill) => self.stages_of(agent, id, skill).is_read = true,
            Event::FailedRead(skill) | Event::Ran(skill, _) => {
                self.stages_of(agent, id, skill).has_failure = true
            }
            Event::FailedLoad | Event::Talk | Event::Compaction => {}
        }
    }

    fn stages_of(&mut self, agent: Agent, id: &str, skill: usize) -> &mut Stages {
        self.stages.entry((agent, SKILLS[skill])).or_default().entry(id.to_owned()).or_default()
    }

    /// Adds the tokens of a step. They are recorded with tool calls, and therefore not with the user's requests.
    fn add_tokens(&mut self, agent: Agent, step: &Step) {
        let skill = match step.event {
            Event::Chosen(skill)
            | Event::ReadWhole(skill)
            | Event::ReadLines(skill, ..)
            | Event::ReadByShell(skill, ..)
            | Event::FailedRead(skill)
            | Event::Ran(skill, _)
            | Event::Searched(skill) => SKILLS[skill],
            Event::FailedLoad => "none",
            Event::Offered | Event::Requested(_) | Event::Talk | Event::Compaction => return,
        };
        let sum = self.tokens.entry((agent, skill)).or_default();
        sum.0 += 1;
        sum.1.iter_mut().zip(recorded_tokens(agent, step)).for_each(|(sum, tokens)| *sum += tokens);
    }

    /// `stats --funnel`: agent, skill, and sessions that were offered, chosen, read and done.
    pub fn funnels(&self) -> BTreeSet<(String, String, [u64; 4])> {
        let count = |sessions: &BTreeMap<String, Stages>, is: fn(&Stages) -> bool| {
            sessions.values().filter(|stages| is(stages)).count() as u64
        };
        let funnel = |((agent, skill), sessions): (&(Agent, &str), &BTreeMap<String, Stages>)| {
            let stages = [
                count(sessions, |stages| stages.is_offered),
                count(sessions, |stages| stages.is_chosen),
                count(sessions, |stages| stages.is_read),
                count(sessions, |stages| (stages.is_chosen || stages.is_read) && !stages.has_failure),
            ];
            (agent.id().to_owned(), (*skill).to_owned(), stages)
        };
        self.stages.iter().map(funnel).filter(|(_, _, stages)| stages[..3].iter().sum::<u64>() > 0).collect()
    }

    /// `stats --cost`: agent, skill, messages, tokens of messages, tokens of lists.
    pub fn costs(&self) -> BTreeSet<(String, String, u64, [u64; 4], u64)> {
        let keys: BTreeSet<(Agent, &str)> = self
            .uses
            .keys()
            .filter(|(_, _, kind)| *kind == "offered")
            .map(|(agent, skill, _)| (*agent, *skill))
            .chain(self.tokens.keys().copied())
            .collect();
        let cost = |(agent, skill): (Agent, &'static str)| {
            let (messages, tokens) = self.tokens.get(&(agent, skill)).copied().unwrap_or_default();
            let offers = self.uses.get(&(agent, skill, "offered")).map_or(0, |sum| sum.0);
            let listed = offers * listing_tokens(agent, skill, &self.home);
            (agent.id().to_owned(), skill.to_owned(), messages, tokens, listed)
        };
        keys.into_iter().map(cost).collect()
    }

    /// `stats --paths`: skill, file before, file, count.
    pub fn paths(&self) -> BTreeMap<(String, Option<String>, String), u64> {
        let mut counts = BTreeMap::new();
        for ((_, _, skill), files) in &self.reads {
            let mut before = None;
            for file in files.iter().map(|file| (*file).to_owned()) {
                if before.as_ref() != Some(&file) {
                    *counts.entry(((*skill).to_owned(), before, file.clone())).or_default() += 1;
                }
                before = Some(file);
            }
        }
        counts
    }

    /// Events of an agent and kind.
    fn events(&self, agent: Agent, kind: &str) -> u64 {
        self.uses.iter().filter(|((of, _, is), _)| *of == agent && *is == kind).map(|(_, sum)| sum.0).sum()
    }

    fn agents(&self) -> BTreeSet<Agent> {
        self.uses.keys().map(|(agent, _, _)| *agent).collect()
    }

    /// `stats --agents`.
    pub fn agents_reply(&self) -> Value {
        let one = |agent: Agent| {
            let skills: BTreeSet<&str> =
                self.uses.keys().filter(|key| key.0 == agent && key.2 != "failed").map(|key| key.1).collect();
            let events: BTreeMap<&str, u64> = KINDS.map(|kind| (kind, self.events(agent, kind))).into();
            json!({ "agent": agent.id(), "skills": skills.len(), "events": events })
        };
        self.agents().into_iter().map(one).collect()
    }

    /// `stats --dead`, without paths: agent, skill, sessions, tokens in each.
    pub fn dead(&self) -> BTreeSet<(String, String, u64, u64)> {
        let is_used = |agent, skill| {
            let uses = ["chosen", "requested", "read", "ran", "searched"];
            uses.iter().any(|kind| self.uses.contains_key(&(agent, skill, *kind)))
        };
        let offers = self.uses.iter().filter(|((_, _, kind), _)| *kind == "offered");
        let unused = offers.filter(|((agent, skill, _), _)| !is_used(*agent, *skill));
        unused
            .map(|((agent, skill, _), (_, sessions))| {
                (
                    agent.id().to_owned(),
                    skill.to_string(),
                    sessions.len() as u64,
                    listing_tokens(*agent, skill, &self.home),
                )
            })
            .collect()
    }

    /// The figures of `stats --all`.
    pub fn summary(&self) -> Value {
        let of = |kinds: &[&str]| {
            kinds
                .iter()
                .map(|kind| Agent::ALL.map(|agent| self.events(agent, kind)).iter().sum::<u64>())
                .sum::<u64>()
        };
        json!({
            "total_accesses": of(&KINDS[1..]),
            "reads": of(&["chosen", "requested", "read", "searched"]),
            "unique_sections": self.sections.len(),
            "unique_files": self.files.len(),
            "error_count": self.errors.values().sum::<u64>(),
        })
    }
}

/// The description of a skill in an agent's list.
pub fn description(skill: &str) -> String {
    format!("Does what {skill} says. Use it when somebody asks for {skill}.")
}

/// A line of an agent's list of skills.
pub fn listing_line(agent: Agent, skill: &str, home: &str) -> String {
    let description = description(skill);
    match agent {
        Agent::Codex => format!("- {skill}: {description} (file: {home}/.agents/skills/{skill}/SKILL.md)"),
        _ => format!("- {skill}: {description}"),
    }
}

/// The tokens of a line of a list: one per four characters, rounded up, including the line break.
fn listing_tokens(agent: Agent, skill: &str, home: &str) -> u64 {
    (listing_line(agent, skill, home).chars().count() as u64 + 1).div_ceil(4)
}

/// The tokens of a step that the agent's history records. Gemini does not record cache writes, and Copilot only
/// records output tokens.
fn recorded_tokens(agent: Agent, step: &Step) -> [u64; 4] {
    let [input, output, read, written] = tokens(step);
    match agent {
        Agent::Claude | Agent::Codex | Agent::OpenCode => [input, output, read, written],
        Agent::Gemini => [input, output, read, 0],
        Agent::Copilot => [0, output, 0, 0],
    }
}

/// The tokens of a step's message: input, output, read from the cache, written to the cache.
pub fn tokens(step: &Step) -> [u64; 4] {
    [1, 2, 3, 4].map(|salt| hashed(step.number, salt) % 10_000)
}
