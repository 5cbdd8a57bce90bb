//! Which files of a skill are read after which others.

use super::text::{cut_middle, left};
use crate::render::{View, line, plain};
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::history::ReadingStep;
use skillc_domain::limits::TEXT_COLUMNS;

/// How often a file was read after another.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StepCount {
    /// Name of the skill.
    pub skill: String,
    /// Its canonical path; null if the history names none.
    pub skill_path: Option<String>,
    /// The file before, relative to the skill; null at the beginning of a session.
    pub from: Option<String>,
    /// The file.
    pub to: String,
    /// How often.
    pub count: u64,
}

/// The steps in display order.
pub fn step_counts(steps: Vec<ReadingStep>) -> Vec<StepCount> {
    let count = |step: ReadingStep| StepCount {
        skill: step.skill,
        skill_path: Some(step.skill_path).filter(|path| !path.is_empty()),
        from: step.from,
        to: step.to,
        count: step.count,
    };
    steps.into_iter().map(count).collect()
}

/// Width of the number before a step.
const COUNT_COLUMNS: usize = 8;

/// A list of steps per skill, most frequent first.
pub fn render_steps(steps: &[StepCount], view: &View, out: &mut Vec<u8>) {
    let mut last = None;
    for step in steps {
        if last != Some((&step.skill, &step.skill_path)) {
            line(out, view.strong(plain(&step.skill)));
            last = Some((&step.skill, &step.skill_path));
        }
        let from = step.from.as_ref().map_or_else(|| "begins with".to_owned(), |from| plain(from));
        let width = (TEXT_COLUMNS - COUNT_COLUMNS - 4) / 2;
        let (from, to) = (cut_middle(&from, width), cut_middle(&plain(&step.to), width));
        let arrow = if step.from.is_some() { "→" } else { " " };
        line(out, format!("{:>COUNT_COLUMNS$} {} {arrow} {to}", step.count, left(&from, width)));
    }
    if steps.is_empty() {
        line(out, "No reads were imported; 'skc history import' imports them");
    }
}
