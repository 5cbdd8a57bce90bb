//! Imports a folder from elsewhere into a store, and imports later changes to it (RFC-0001:C-IMPORT).

use super::skill_file::read_skill_file;
use crate::app::App;
use crate::failure::Failure;
use crate::replaced::Replaced;
use crate::resolve::not_a_skill;
use crate::run::Run;
use crate::runtime::{manifest, of_scope};
use crate::skill::{ImportOrigin, Skill};
use crate::source::{digest_of, skill_file, source_hash, survey};
use skillc_domain::digest::{Digest, FileDigest};
use skillc_domain::fault::Fault;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::reader::Wording;
use skillc_ports::{ErrorKind, Found};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number of differing files that an error names.
const DIFFERING_MAX: usize = 5;

/// A skill in a store, and what the import changed there.
pub struct Import {
    /// The skill in the store.
    pub skill: Skill,
    /// The folder that it was imported from.
    pub from: PathBuf,
    /// What changed.
    pub change: ImportChange,
}

/// What an import changed in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportChange {
    /// The skill is new.
    Copied,
    /// Another version was replaced, and is now in the trash.
    Updated,
    /// The store already had the same content.
    Unchanged,
}

impl ImportChange {
    /// `copied`, `updated` or `unchanged`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Copies a skill from outside into the store of `scope`, under the `name` in its front matter. A copy that was
/// imported from there and not edited since is updated.
///
/// # Errors
/// E051 if the name is not a plain folder name, E015 if the store has another skill with that name, E056 if both the
/// folder and its copy were edited (neither with `is_forced`), E012 if a link leads out, E011 and E013 as for a
/// build. The store is then unchanged.
pub fn import(run: &mut Run<'_>, skill: &Skill, scope: Scope, is_forced: bool) -> Result<Import, Failure> {
    let app = run.app;
    let tree = app.ports.files.open(&skill.path)?;
    let name = SkillName::parse(&read_skill_file(app, tree.as_ref(), &skill.path)?.name)?;
    let no_project = || {
        let advice = Wording::new(|to| format!("{} to create one", to.run("init")));
        Fault::refused_option("there is no project here", advice)
    };
    let store = app.call.places.store(scope).ok_or_else(no_project)?;
    if let Some(link) = app.ports.stores.escaping_links(&skill.path)?.first() {
        return Err(Fault::PathEscapes { path: link.to_string() }.into());
    }
    let origin = ImportOrigin { path: skill.path_text(), hash: source_hash(app, &skill.path)? };
    let copy = StoredCopy { name: &name, folder: store.join(name.as_str()), scope };
    let change = bring_in(run, skill, &copy, &origin, is_forced)?;
    let path = match app.look(&copy.folder) {
        Found::Skill(path) => path,
        Found::Linked(link) => {
            return Err(Fault::LinkInTheWay { path: link.to_path_buf() }.into());
        }
        Found::Folder | Found::Nothing => {
            return Err(not_a_skill(app, &copy.folder).into());
        }
    };
    app.call.detail(|| format!("imported as {}", path.display()));
    let imported = Skill {
        name: name.as_str().to_owned(),
        path,
        scope: Some(scope),
        given: skill.given.clone(),
        origin: Some(origin),
    };
    Ok(Import { skill: imported, from: skill.path.clone(), change })
}

/// The copy in a store that an import creates or updates.
struct StoredCopy<'a> {
    name: &'a SkillName,
    folder: PathBuf,
    scope: Scope,
}

impl StoredCopy<'_> {
    fn exists_already(&self) -> Fault {
        Fault::ImportExists { skill: self.name.to_string(), path: self.folder.clone() }
    }

    /// The hash of its content; `None` if there is no skill.
    fn hash(&self, app: &App) -> Result<Option<Digest>, Failure> {
        match app.look(&self.folder) {
            Found::Skill(there) => source_hash(app, &there).map(Some),
            Found::Folder | Found::Linked(_) | Found::Nothing => Ok(None),
        }
    }

    /// The hash of the origin at the last import; `None` if the copy was not imported from there.
    fn imported_hash(&self, app: &App, origin: &ImportOrigin) -> Option<Digest> {
        let recorded = manifest(app, &of_scope(app, self.scope, self.name.as_str()).ok()?)?;
        let is_of_origin = recorded.origin.as_deref() == Some(&origin.path);
        recorded.origin_hash.filter(|_| is_of_origin)
    }
}

fn bring_in(
    run: &mut Run<'_>,
    skill: &Skill,
    copy: &StoredCopy<'_>,
    origin: &ImportOrigin,
    is_forced: bool,
) -> Result<ImportChange, Failure> {
    let app = run.app;
    match app.look(&copy.folder) {
        Found::Nothing => return copy_new(app, skill, copy, origin),
        Found::Linked(link) => {
            return Err(Fault::LinkInTheWay { path: link.clone() }.into());
        }
        Found::Skill(_) | Found::Folder => {}
    }
    let stored = copy.hash(app)?;
    if stored == Some(origin.hash) {
        return Ok(ImportChange::Unchanged);
    }
    if is_forced {
        let replaced = Replaced::reserve(app, &copy.folder, true)?;
        copy_files(app, skill, copy, replaced.aside())?;
        return replaced.take(run).map(|()| ImportChange::Updated);
    }
    match copy.imported_hash(app, origin) {
        Some(imported) if stored == Some(imported) => {
            let replaced = Replaced::keep(app, &copy.folder)?;
            copy_files(app, skill, copy, replaced.aside())?;
            replaced.take_quietly(app).map(|()| ImportChange::Updated)
        }
        Some(imported) if imported != origin.hash => Err(diverged(app, skill, copy)?.into()),
        _ => Err(copy.exists_already().into()),
    }
}

/// Copies into an unused name. Another build may import the same skill at the same time.
fn copy_new(
    app: &App,
    skill: &Skill,
    copy: &StoredCopy<'_>,
    origin: &ImportOrigin,
) -> Result<ImportChange, Failure> {
    match copy_files(app, skill, copy, None) {
        Err(failure) if matches!(failure.fault, Fault::ImportExists { .. }) => {
            if copy.hash(app)? == Some(origin.hash) { Ok(ImportChange::Unchanged) } else { Err(failure) }
        }
        copied => copied.map(|()| ImportChange::Copied),
    }
}

fn copy_files(app: &App, skill: &Skill, copy: &StoredCopy<'_>, aside: Option<&str>) -> Result<(), Failure> {
    app.ports.stores.import(&skill.path, &copy.folder, aside).map_err(|error| match error.kind {
        ErrorKind::AlreadyExists => Failure::because(copy.exists_already(), error),
        ErrorKind::Escapes if error.at.is_none() => error.at(&skill.path).into(),
        _ => error.into(),
    })
}

/// E056, with the differing files.
fn diverged(app: &App, skill: &Skill, copy: &StoredCopy<'_>) -> Result<Fault, Failure> {
    let (ours, theirs) = (digests(app, &copy.folder)?, digests(app, &skill.path)?);
    let names: Vec<&String> =
        ours.keys().chain(theirs.keys().filter(|name| !ours.contains_key(*name))).collect();
    let mut names: Vec<&str> =
        names.into_iter().filter(|name| ours.get(*name) != theirs.get(*name)).map(String::as_str).collect();
    names.sort_unstable();
    let more = names.len().saturating_sub(DIFFERING_MAX);
    names.truncate(DIFFERING_MAX);
    let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
    Ok(Fault::ImportDiverged {
        skill: copy.name.to_string(),
        origin: skill.path.clone(),
        path: copy.folder.clone(),
        files: format!("{}{more}", names.join(", ")),
    })
}

fn digests(app: &App, folder: &Path) -> Result<BTreeMap<String, Option<FileDigest>>, Failure> {
    let tree = app.ports.files.open(folder)?;
    let files = survey(tree.as_ref())?.files;
    let digest = |file: &skillc_domain::survey::SurveyedFile| {
        Ok((file.path.to_string(), digest_of(tree.as_ref(), &file.path)?))
    };
    files.iter().map(digest).collect()
}

/// The `name` in a folder's SKILL.md; `None` without a valid one.
pub fn front_matter_name(app: &App, source: &Path) -> Option<String> {
    let tree = app.ports.files.open(source).ok()?;
    let content = tree.read(&skill_file(), TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8(content.bytes).ok()?;
    let front = app.ports.reader.front_matter(&text).ok()??;
    SkillName::parse(front.get("name")?.text()?).ok().map(|name| name.as_str().to_owned())
}
