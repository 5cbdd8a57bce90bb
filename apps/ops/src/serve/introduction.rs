//! The text that introduces a skill to an agent: its description, its headings, and how to read on. Logged as a use.

use super::list::{names, refused_or};
use super::served_skill::ServedSkill;
use super::served_skills::ServedSkills;
use crate::app::App;
use crate::failure::Failure;
use crate::resolve::resolve;
use crate::run::Run;
use crate::source::skill_file;
use serde_json::Map;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::skill_uri::SkillPlace;
use skillc_domain::suggest::nearest;
use skillc_domain::text::shell::argument;
use std::fmt::Write;

/// The command under which an introduction is logged.
const COMMAND: &str = "use";
/// The deepest heading level that is listed.
const LEVEL_MAX: u8 = 2;
/// Maximum number of headings that are listed: as many as in a stub.
const HEADINGS_MAX: usize = 15;

/// Introduces the skill served under a name, for an optional task, and logs it. The task is not logged, since it may
/// be private.
///
/// # Errors
/// E001 if no skill has the name, E074 if the user has to consent first, E086.
pub async fn introduction(
    app: &App,
    skills: &ServedSkills,
    name: &str,
    task: Option<&str>,
) -> Result<String, Failure> {
    let unknown = || Fault::SkillNotFound {
        skill: name.to_owned(),
        single_file: String::new(),
        suggestions: String::new(),
    };
    let place = SkillPlace::parse(name).ok_or_else(unknown)?;
    let served = skills.open(app, &place).map_err(|failure| refused_or(failure, unknown()))?;
    let mut run = Run::new(app);
    run.uses(&served.skill);
    let done = text(app, &served, task);
    let args = Map::from_iter([("name".to_owned(), name.into())]);
    run.finish(COMMAND, args, done.as_ref().err()).await;
    done
}

fn text(app: &App, served: &ServedSkill, task: Option<&str>) -> Result<String, Failure> {
    let mut text = match task.map(str::trim).filter(|task| !task.is_empty()) {
        Some(task) => format!("Use the skill '{}' for this task: {task}\n", served.metadata.name),
        None => format!("Use the skill '{}'.\n", served.metadata.name),
    };
    // Writing to a string never fails.
    let _ = write!(text, "\nDescription: {}\n", served.metadata.description);
    let headings = headings(app, served)?;
    if !headings.is_empty() {
        let _ = write!(text, "\nHeadings of its SKILL.md:\n{headings}");
    }
    let argument = argument(&tool_name(app, served));
    let _ = write!(
        text,
        "\nBefore you act, read on with the tools of this server: skc_show (skill: {argument}, section: a heading) for one \
         section, skc_search (skill: {argument}, query: words) to find text, skc_open (skill: {argument}, path: SKILL.md) \
         for a whole file. If they report an unusable index, {} first. The same file as a resource: {}\nBase directory: {}\n",
        app.call.reader.run(&format!("build {argument}")),
        served.skill_uri(),
        served.skill.path.display()
    );
    Ok(text)
}

/// Served names that resemble an unknown name, most similar first.
pub fn similar_names(app: &App, skills: &ServedSkills, unknown: &str) -> Vec<String> {
    let known = names(app, skills).unwrap_or_default();
    nearest(unknown, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
}

fn headings(app: &App, served: &ServedSkill) -> Result<String, Failure> {
    let content = app.ports.files.open(&served.skill.path)?.read(&skill_file(), TEXT_BYTES_MAX)?;
    let document = app.ports.reader.document(&String::from_utf8_lossy(&content.bytes), Opening::FrontMatter);
    let listed: Vec<_> = document.headings.iter().filter(|heading| heading.level <= LEVEL_MAX).collect();
    let mut text = String::new();
    for heading in listed.iter().take(HEADINGS_MAX) {
        let _ = writeln!(text, "{}- {}", "  ".repeat(usize::from(heading.level) - 1), heading.text);
    }
    if listed.len() > HEADINGS_MAX {
        let _ = writeln!(text, "… ({} more)", listed.len() - HEADINGS_MAX);
    }
    Ok(text)
}

/// The argument by which tools find this skill: the name of its folder, or its path if the name resolves to another
/// skill.
fn tool_name(app: &App, served: &ServedSkill) -> String {
    let is_meant = resolve(app, &served.skill.name).is_ok_and(|found| found.path == served.skill.path);
    if is_meant { served.skill.name.clone() } else { served.skill.path_text() }
}
