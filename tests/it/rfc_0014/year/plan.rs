//! The plan of a year: sessions of five agents, generated from a seed. It does not read any file.

use crate::random::Random;

/// The skills. All of them are offered if an agent records its offers.
pub const SKILLS: [&str; 8] = ["ask", "bake", "count", "draw", "edit", "fold", "greet", "hide"];

/// The number of sections in each reference file, and the number of lines of each section with its heading.
pub const SECTIONS: u32 = 6;
pub const SECTION_LINES: u32 = 10;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// 2025-11-01T00:00:00Z.
const YEAR_START_MS: i64 = 1_761_955_200_000;

/// The agents that have sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    Claude,
    Codex,
    Gemini,
    Copilot,
    OpenCode,
}

impl Agent {
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Copilot, Self::Gemini, Self::OpenCode];

    pub fn id(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Copilot => "github-copilot",
            Self::Gemini => "gemini-cli",
            Self::OpenCode => "opencode",
        }
    }

    pub fn records_offers(self) -> bool {
        matches!(self, Self::Claude | Self::Codex)
    }

    /// Whether the agent has a tool that loads a skill. Codex loads a skill by reading its file.
    pub fn chooses(self) -> bool {
        self != Self::Codex
    }

    pub fn records_requests(self) -> bool {
        matches!(self, Self::Claude | Self::Codex | Self::Copilot)
    }

    /// Skills that this agent never uses.
    fn is_shunned(self, skill: usize) -> bool {
        skill % 4 == self as usize % 4
    }
}

/// Something that happened. Skills are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Offered,
    Chosen(usize),
    Requested(usize),
    ReadWhole(usize),
    ReadLines(usize, u32, u32),
    ReadByShell(usize, u32, u32),
    FailedRead(usize),
    Ran(usize, i32),
    Searched(usize),
    FailedLoad,
    /// Nothing about a skill.
    Talk,
    /// The agent compacted its context. What is repeated afterward is not a new use.
    Compaction,
}

/// A step of a session, and its number among all steps of the year.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub number: u64,
    pub at_ms: i64,
    pub event: Event,
}

/// A session, and how its file was written.
#[derive(Clone, Debug)]
pub struct Session {
    pub agent: Agent,
    pub id: String,
    pub cwd: &'static str,
    pub steps: Vec<Step>,
    /// Whether a second file repeats all records and goes on with these.
    pub continuation: Option<(String, Vec<Step>)>,
    /// Whether a second file is an equal copy.
    pub is_copied: bool,
}

/// A number for an id or a token count, which depends only on the step.
pub fn hashed(number: u64, salt: u64) -> u64 {
    Random::new(number.wrapping_mul(31).wrapping_add(salt)).next()
}

/// The sessions of a year.
pub fn year(seed: u64, sessions: usize) -> Vec<Session> {
    let mut random = Random::new(seed);
    let mut number = 0;
    (0..sessions).map(|at| session(&mut random, &mut number, at)).collect()
}

fn session(random: &mut Random, number: &mut u64, at: usize) -> Session {
    let agent = *random.pick(&Agent::ALL);
    let start = YEAR_START_MS + random.below(364) as i64 * DAY_MS + random.below(43_200) as i64 * 1_000;
    let cwd = random.word(&["/work/app", "/work/site", "/work/tools"]);
    let mut make = |count: usize, start: i64, is_first: bool| -> Vec<Step> {
        let events = events(random, agent, count, is_first);
        let step = |(at, event)| {
            *number += 1;
            Step { number: *number, at_ms: start + at as i64 * 1_000, event }
        };
        events.into_iter().enumerate().map(step).collect()
    };
    let steps = make(3 + at % 9, start, true);
    let goes_on = matches!(agent, Agent::Claude | Agent::Codex) && at.is_multiple_of(7);
    let continuation =
        goes_on.then(|| (format!("{:08x}-fork-{at}", hashed(at as u64, 2)), make(4, start + DAY_MS, false)));
    let is_copied = !goes_on && agent != Agent::OpenCode && at % 5 == 1;
    let id = format!("{:08x}-session-{at}", hashed(at as u64, 1) as u32);
    Session { agent, id, cwd, steps, continuation, is_copied }
}

fn events(random: &mut Random, agent: Agent, count: usize, is_first: bool) -> Vec<Event> {
    let offer = (is_first && agent.records_offers()).then_some(Event::Offered);
    let mut some = || {
        let usable: Vec<usize> = (0..SKILLS.len()).filter(|skill| !agent.is_shunned(*skill)).collect();
        let skill = *random.pick(&usable);
        // The last section is never read.
        let lines = (SECTIONS - 1) * SECTION_LINES;
        let first = 1 + random.below(lines as usize) as u32;
        let last = (first + random.below(25) as u32).min(lines);
        match random.below(14) {
            0 | 1 if agent.chooses() => Event::Chosen(skill),
            2 if agent.records_requests() => Event::Requested(skill),
            3 => Event::ReadWhole(skill),
            4 | 5 => Event::ReadLines(skill, first, last),
            6 => Event::ReadByShell(skill, first, last),
            7 => Event::FailedRead(skill),
            8 => Event::Ran(skill, 0),
            9 => Event::Ran(skill, 3),
            10 => Event::Searched(skill),
            11 if agent.chooses() => Event::FailedLoad,
            12 => Event::Compaction,
            _ => Event::Talk,
        }
    };
    let mut events: Vec<Event> = offer.into_iter().collect();
    events.extend((0..count).map(|_| some()));
    events
}
