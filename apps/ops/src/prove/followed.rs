//! Which of the files that SKILL.md names were opened or run by sessions that used the skill, according to the
//! imported histories.

use super::reply::{FollowFigure, FollowedStep};
use crate::app::App;
use crate::failure::Failure;
use crate::lint::LintedSkill;
use crate::local_logs::{HISTORY, each_event, unreadable};
use crate::skill::Skill;
use skillc_domain::history::StepTally;
use skillc_lint::mentions::MentionIndex;

/// Counts the steps that a history can show.
///
/// # Errors
/// E032 for a damaged history log.
pub async fn followed(app: &App, skill: &Skill, linted: &LintedSkill) -> Result<FollowFigure, Failure> {
    let path = app.call.places.history_log();
    let log = app.ports.logs.at(&path);
    let mut tally = StepTally::of(steps(linted));
    let skill_path = skill.path_text();
    let visited = each_event(log.as_ref(), |event| {
        if event.skill_path == skill_path {
            tally.add(event);
        }
    });
    visited.await.map_err(|error| unreadable(HISTORY, &path, error))?;
    let step = |(file, sessions): (&str, usize)| FollowedStep { file: file.to_owned(), sessions };
    Ok(FollowFigure {
        score: tally.share(),
        sessions: tally.sessions(),
        steps: tally.steps().map(step).collect(),
    })
}

/// The files that SKILL.md refers to by path or name; a folder or pattern refers to none in particular.
fn steps(linted: &LintedSkill) -> Vec<String> {
    let Some(skill_md) = linted.skill_md() else { return Vec::new() };
    let text = skill_md.text.as_deref().unwrap_or_default();
    let mut mentions = MentionIndex::of(&linted.context.folder, linted.files.iter().map(|file| &file.path));
    let named = mentions.in_text(&skill_md.path, text);
    named.into_iter().filter(|path| text.contains(path.name())).map(ToString::to_string).collect()
}
