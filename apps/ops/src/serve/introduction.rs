//! The text by which a skill is handed to an agent, and the log of it: what it is for, what is in it, how to read on.

use super::list::{names, place_of, refused_or};
use super::shelf::{Served, Shelf, skill_file};
use crate::app::App;
use crate::failure::Failure;
use crate::resolve::resolve;
use crate::run::Run;
use serde_json::Map;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::{PATH_SEGMENT_BYTES_MAX, TEXT_BYTES_MAX};
use skillc_domain::text::edit_distance::nearest;
use skillc_domain::text::shell::argument;
use std::fmt::Write;

/// How this use of a skill stands in the log.
const COMMAND: &str = "use";
/// Deepest headings that are told.
const LEVEL_MAX: u8 = 2;
/// Headings that are told: as many as a stub lists.
const HEADINGS_MAX: usize = 15;

/// Introduces a skill by the name under which it is served, for a task if there is one, and logs it. The task is not logged:
/// it may be all that a user has in mind.
///
/// # Errors
/// E001 when no skill has that name, E074 when somebody has to agree first, E086.
pub async fn introduction(
    app: &App,
    shelf: &Shelf,
    name: &str,
    task: Option<&str>,
) -> Result<String, Failure> {
    let unknown = || Fault::SkillNotFound { skill: name.to_owned() };
    let place = place_of(name).ok_or_else(unknown)?;
    let served = shelf.open(app, &place).map_err(|failure| refused_or(failure, unknown()))?;
    let mut run = Run::new(app);
    run.uses(&served.skill);
    let done = text(app, &served, task);
    let args = Map::from_iter([("name".to_owned(), name.into())]);
    run.finish(COMMAND, args, done.as_ref().err()).await;
    done
}

fn text(app: &App, served: &Served, task: Option<&str>) -> Result<String, Failure> {
    let mut text = match task.map(str::trim).filter(|task| !task.is_empty()) {
        Some(task) => format!("Use the skill '{}' for this task: {task}\n", served.head.name),
        None => format!("Use the skill '{}'.\n", served.head.name),
    };
    // Writing to a string never fails.
    let _ = write!(text, "\nDescription: {}\n", served.head.description);
    let headings = headings(app, served)?;
    if !headings.is_empty() {
        let _ = write!(text, "\nHeadings of its SKILL.md:\n{headings}");
    }
    let argument = argument(&tool_name(app, served));
    let _ = write!(
        text,
        "\nBefore you act, read on with the tools of this server: skc_show (skill: {argument}, section: a heading) for one \
         section, skc_search (skill: {argument}, query: words) to find text, skc_open (skill: {argument}, path: SKILL.md) \
         for a whole file. If they report an unusable index, call skc_build (skill: {argument}) first. The same file as a \
         resource: {}\n",
        served.skill_uri()
    );
    Ok(text)
}

/// The names of skills that an unknown one could have been meant for, the most like it first.
pub fn names_like(app: &App, shelf: &Shelf, unknown: &str) -> Vec<String> {
    let known = names(app, shelf).unwrap_or_default();
    // Of a name longer than any other nothing is near, and comparing takes the product of both lengths.
    let is_name = unknown.len() <= PATH_SEGMENT_BYTES_MAX;
    let near = if is_name { nearest(unknown, known.iter().map(String::as_str)) } else { Vec::new() };
    near.into_iter().map(str::to_owned).collect()
}

fn headings(app: &App, served: &Served) -> Result<String, Failure> {
    let content = app.files.open(&served.skill.path)?.read(&skill_file(), TEXT_BYTES_MAX)?;
    let document = app.reader.document(&String::from_utf8_lossy(&content.bytes), Opening::FrontMatter);
    let told: Vec<_> = document.headings.iter().filter(|heading| heading.level <= LEVEL_MAX).collect();
    let mut text = String::new();
    for heading in told.iter().take(HEADINGS_MAX) {
        let _ = writeln!(text, "{}- {}", "  ".repeat(usize::from(heading.level) - 1), heading.text);
    }
    if told.len() > HEADINGS_MAX {
        let _ = writeln!(text, "… ({} more)", told.len() - HEADINGS_MAX);
    }
    Ok(text)
}

/// What tools take for this skill: its folder's name, or the path where that means another skill.
fn tool_name(app: &App, served: &Served) -> String {
    let is_meant = resolve(app, &served.skill.name).is_ok_and(|found| found.path == served.skill.path);
    if is_meant { served.skill.name.clone() } else { served.skill.path_text() }
}
