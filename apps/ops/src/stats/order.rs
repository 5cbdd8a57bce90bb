//! Which files of a skill are read after which others.

use super::same_label::paths_of_same_labels;
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
    let of_skills: Vec<&[StepCount]> = steps.chunk_by(is_of_same_skill).collect();
    let paths = paths_of_same_labels(
        view,
        &of_skills,
        |steps| plain(&steps[0].skill),
        |steps| steps[0].skill_path.as_deref(),
    );
    for (steps, path) in of_skills.iter().zip(paths) {
        line(out, view.strong(plain(&steps[0].skill)));
        path.into_iter().for_each(|path| line(out, path));
        steps.iter().for_each(|step| render_step(step, out));
    }
    if steps.is_empty() {
        line(out, "No reads were imported; 'skc history import' imports them");
    }
}

fn is_of_same_skill(one: &StepCount, other: &StepCount) -> bool {
    (&one.skill, &one.skill_path) == (&other.skill, &other.skill_path)
}

fn render_step(step: &StepCount, out: &mut Vec<u8>) {
    let from = step.from.as_ref().map_or_else(|| "begins with".to_owned(), |from| plain(from));
    let width = (TEXT_COLUMNS - COUNT_COLUMNS - 4) / 2;
    let (from, to) = (cut_middle(&from, width), cut_middle(&plain(&step.to), width));
    let arrow = if step.from.is_some() { "→" } else { " " };
    line(out, format!("{:>COUNT_COLUMNS$} {} {arrow} {to}", step.count, left(&from, width)));
}
