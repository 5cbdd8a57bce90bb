//! Imports a folder from elsewhere into a store (RFC-0001:C-IMPORT).

use super::skill_file::read_skill_file;
use crate::app::App;
use crate::failure::Failure;
use crate::replaced::Replaced;
use crate::resolve::not_a_skill;
use crate::run::Run;
use crate::skill::Skill;
use crate::source::skill_file;
use crate::source::source_hash;
use skillc_domain::fault::Fault;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_ports::{ErrorKind, Found};
use std::path::Path;

/// Copies a skill from outside into the store of `scope`, under the `name` of its front matter. An equal copy that exists
/// already is used as it is.
///
/// # Errors
/// E051 if the name is no plain folder name, E015 if the store holds another skill of that name and `is_forced` is false,
/// E012 if a link leads out, E011 and E013 as for a build. The store is then unchanged.
pub fn import(run: &mut Run<'_>, skill: &Skill, scope: Scope, is_forced: bool) -> Result<Skill, Failure> {
    let app = run.app;
    let tree = app.ports.files.open(&skill.path)?;
    let name = SkillName::parse(&read_skill_file(app, tree.as_ref(), &skill.path)?.name)?;
    let store =
        app.call.places.store(scope).ok_or_else(|| Fault::invalid_option("there is no project here"))?;
    if let Some(link) = app.ports.stores.escaping_links(&skill.path)?.first() {
        return Err(Fault::PathEscapes { path: link.to_string() }.into());
    }
    let folder = store.join(name.as_str());
    let is_there = app.look(&folder) != Found::Nothing;
    if !(is_there && is_equal(app, skill, &folder)?)
        && let Err(failure) = copy(run, skill, &name, &folder, is_forced)
    {
        // Another build may have imported the same in the meantime.
        if !matches!(failure.fault, Fault::ImportExists { .. }) || !is_equal(app, skill, &folder)? {
            return Err(failure);
        }
    }
    let path = match app.look(&folder) {
        Found::Skill(path) => path,
        Found::Linked(link) => {
            return Err(Fault::LinkInTheWay { path: link.to_path_buf() }.into());
        }
        Found::Folder | Found::Nothing => {
            return Err(not_a_skill(app, &folder).into());
        }
    };
    app.call.detail(|| format!("imported as {}", path.display()));
    let origin = Some(skill.path_text());
    Ok(Skill { name: name.as_str().to_owned(), path, scope: Some(scope), given: skill.given.clone(), origin })
}

fn is_equal(app: &App, skill: &Skill, folder: &Path) -> Result<bool, Failure> {
    match app.look(folder) {
        Found::Skill(there) => Ok(source_hash(app, &there)? == source_hash(app, &skill.path)?),
        Found::Folder | Found::Linked(_) | Found::Nothing => Ok(false),
    }
}

/// Copies a skill into the store. A skill that is replaced by force goes to the trash; an agent replaces none.
fn copy(
    run: &mut Run<'_>,
    skill: &Skill,
    name: &SkillName,
    folder: &Path,
    is_forced: bool,
) -> Result<(), Failure> {
    let replaced = Replaced::reserve(run.app, folder, is_forced)?;
    copy_files(run.app, skill, name, folder, replaced.aside())?;
    replaced.take(run)
}

fn copy_files(
    app: &App,
    skill: &Skill,
    name: &SkillName,
    folder: &Path,
    aside: Option<&str>,
) -> Result<(), Failure> {
    app.ports.stores.import(&skill.path, folder, aside).map_err(|error| match error.kind {
        ErrorKind::AlreadyExists => {
            let path = folder.to_path_buf();
            Failure::because(Fault::ImportExists { skill: name.to_string(), path }, error)
        }
        ErrorKind::Escapes if error.at.is_none() => error.at(&skill.path).into(),
        _ => error.into(),
    })
}

/// The `name` in a folder's SKILL.md; `None` without a valid one.
pub fn front_matter_name(app: &App, source: &Path) -> Option<String> {
    let tree = app.ports.files.open(source).ok()?;
    let content = tree.read(&skill_file(), TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8(content.bytes).ok()?;
    let front = app.ports.reader.front_matter(&text).ok()??;
    SkillName::parse(front.get("name")?.text()?).ok().map(|name| name.as_str().to_owned())
}
