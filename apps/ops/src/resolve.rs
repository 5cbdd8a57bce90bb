//! Resolves user input to a skill (RFC-0007:C-RESOLUTION).

use crate::app::App;
use crate::policy::{Purpose, admit, admit_name};
use crate::runtime::{manifest, source_of};
use crate::shipped;
use crate::skill::Skill;
use skillc_domain::discovery::place::{is_single_file, name_of_place};
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::name::SkillName;
use skillc_domain::places::{SKILL_FILE, log_file};
use skillc_domain::suggest::{list, nearest};
use skillc_ports::{ErrorKind, Found, PortError};
use std::path::{Path, PathBuf};

/// `SKILL.md` in other common spellings.
const OTHER_CASES: [&str; 5] = ["skill.md", "Skill.md", "SKILL.MD", "Skill.MD", "skill.MD"];

/// Finds a skill to use: a path with SKILL.md, otherwise a name in the project's store, then in the global one, then a
/// skill that ships with the program. This is the only place where agents are refused hidden skills.
///
/// # Errors
/// E010 if only folders without SKILL.md were found, E001 if nothing was, E018 for a link that leads out of the
/// project; for an agent also E072, E073, E074, E086.
pub fn resolve(app: &App, given: &str) -> Result<Skill, Fault> {
    source_or_itself(app, resolve_as_typed(app, given)?)
}

/// The skill that a deployed stub was built from; any other skill itself.
///
/// # Errors
/// E018; for an agent also E072, E073, E074, E086.
pub fn source_or_itself(app: &App, skill: Skill) -> Result<Skill, Fault> {
    let Some(source) = source_of_stub(app, &skill) else { return Ok(skill) };
    let (source, store) = at_path(app, &skill.given, &source, source.clone());
    let source = unlinked(app, source, store)?;
    admit(app, &source, Purpose::Use).map(|()| source)
}

/// Like [`resolve`], but the path of a deployed stub refers to the stub itself, for commands that check, rename or remove
/// a skill.
///
/// # Errors
/// As for [`resolve`].
pub fn resolve_as_typed(app: &App, given: &str) -> Result<Skill, Fault> {
    let skill = resolve_without_policy(app, given)?;
    admit(app, &skill, Purpose::Use).map(|()| skill)
}

/// Like [`resolve`], for a skill that is only mentioned.
///
/// # Errors
/// As for [`resolve`], without E074.
pub fn resolve_to_name(app: &App, given: &str) -> Result<Skill, Fault> {
    let skill = resolve_without_policy(app, given)?;
    admit(app, &skill, Purpose::See).map(|()| skill)
}

/// The skill in a folder that is known to hold one, by its canonical path.
///
/// # Errors
/// E018; for an agent also E072, E073, E086.
pub fn skill_in(app: &App, folder: &Path) -> Result<Skill, Fault> {
    let (skill, store) = at_path(app, &folder.to_string_lossy(), folder, folder.to_owned());
    let skill = unlinked(app, skill, store)?;
    admit(app, &skill, Purpose::See).map(|()| skill)
}

/// Like `resolve`, without applying the policy; the caller decides whether the skill may be used.
///
/// # Errors
/// E010, E001, E018.
pub fn resolve_without_policy(app: &App, given: &str) -> Result<Skill, Fault> {
    let mut met = None;
    let typed = typed_skill(app, given);
    match look(app, given, &typed) {
        Found::Skill(path) => {
            let (skill, store) = at_path(app, given, &typed, path);
            return unlinked(app, skill, store);
        }
        Found::Folder => met = Some(given.to_owned()),
        Found::Linked(link) => return Err(linked(&link)),
        Found::Nothing => {}
    }
    let name = SkillName::parse(given).ok();
    for scope in [Scope::Project, Scope::Global] {
        let Some(name) = &name else { continue };
        for store in app.call.places.stores(scope) {
            let folder = store.join(name.as_str());
            match app.look(&folder) {
                Found::Skill(path) => {
                    let skill = in_store(app, given, name.as_str(), scope, path);
                    return unlinked(app, skill, Some(store));
                }
                Found::Linked(link) => return Err(linked(&link)),
                Found::Folder => met = met.or(Some(folder.to_string_lossy().into_owned())),
                Found::Nothing => {}
            }
        }
    }
    if met.is_none()
        && let Some(skill) = shipped::named(app, given)
    {
        return unlinked(app, skill, None);
    }
    Err(match met {
        Some(path) => not_a_skill(app, Path::new(&path)),
        None => Fault::SkillNotFound {
            skill: given.to_owned(),
            single_file: single_file_meant(app, given, &typed).unwrap_or_default(),
            suggestions: list(similar_skills(app, given)),
        },
    })
}

/// The single-file skill at a canonical path. Only catalogs know such skills; no name resolves to one.
///
/// # Errors
/// E018.
pub fn single_file(app: &App, path: &Path) -> Result<Skill, Fault> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_here = |store: &PathBuf| path.parent().is_some_and(|dir| app.ports.stores.real_path(store) == dir);
    let mut stores = [Scope::Project, Scope::Global]
        .into_iter()
        .flat_map(|scope| app.call.places.stores(scope).into_iter().map(move |store| (scope, store)));
    let (scope, store) = stores.find(|(_, store)| is_here(store)).unzip();
    let given = path.to_string_lossy().into_owned();
    unlinked(app, Skill { name, path: path.to_owned(), scope, given, origin: None }, store)
}

/// What `load` accepts for the single-file skill that a name or path refers to, unless it is hidden from the caller.
fn single_file_meant(app: &App, given: &str, typed: &Path) -> Option<String> {
    let named = &app.call.settings.discovery.markdown_roots;
    let stores = || [Scope::Project, Scope::Global].map(|scope| app.call.places.stores(scope)).concat();
    let roots = named.clone().unwrap_or_else(stores);
    let is_skill = |path: &Path| is_single_file(path) && app.ports.stores.is_file(path);
    let is_typed =
        is_skill(typed) && typed.parent().is_some_and(|folder| roots.iter().any(|root| root == folder));
    let is_named = || {
        let name = SkillName::parse(given).ok()?;
        roots.iter().map(|root| root.join(format!("{name}.md"))).find(|path| is_skill(path))
    };
    let file = if is_typed { typed.to_owned() } else { is_named()? };
    admit_name(app, &name_of_place(&file)).ok()?;
    Some(given.to_owned())
}

/// E010 for a folder, with the file that was probably meant as its SKILL.md.
pub fn not_a_skill(app: &App, folder: &Path) -> Fault {
    let is_there = |name: &&&str| app.ports.stores.is_file(&folder.join(name));
    let found = OTHER_CASES.iter().find(is_there).map_or(String::new(), |name| (*name).to_owned());
    Fault::NotASkill { path: folder.to_path_buf(), found }
}

/// Names of skills in both stores that resemble an unknown name. An agent sees only those that it may use.
fn similar_skills(app: &App, unknown: &str) -> Vec<String> {
    let stores = [Scope::Project, Scope::Global].into_iter().flat_map(|scope| app.call.places.stores(scope));
    let names: Vec<String> =
        stores.flat_map(|store| app.ports.stores.names(&store).unwrap_or_default()).collect();
    let visible = names.iter().filter(|name| admit_name(app, name).is_ok()).map(String::as_str);
    nearest(unknown, visible).into_iter().map(str::to_owned).collect()
}

/// The source of a deployed stub or its copy, if it is still a skill. The manifest may come from a clone, so what is in
/// the project, or in the working directory outside one, cannot lead out of it.
fn source_of_stub(app: &App, skill: &Skill) -> Option<PathBuf> {
    if skill.scope.is_some() {
        return None;
    }
    let places = &app.call.places;
    let manifest = manifest(app, &skill.path)?;
    // A relative path refers to the project of the stub, which is this one only if the stub is in it.
    if Path::new(&manifest.source).is_relative() && !places.is_in_project(&skill.path) {
        return None;
    }
    let source = source_of(app, &manifest)?;
    let is_within = |holds: &dyn Fn(&Path) -> bool| !holds(&skill.path) || holds(&source);
    let is_trusted =
        is_within(&|path| places.is_in_project(path)) && is_within(&|path| places.is_in_foreign_cwd(path));
    (is_trusted && matches!(app.look(&source), Found::Skill(path) if path == source)).then_some(source)
}

/// Checks that there are no links on the paths to a skill's store, runtime and fallback log; otherwise nothing is
/// read or written.
fn unlinked(app: &App, skill: Skill, store: Option<PathBuf>) -> Result<Skill, Fault> {
    let scope = skill.home_scope(&app.call.places);
    let runtime = app.call.places.runtime(scope, &skill.name).map(|runtime| log_file(&runtime));
    let logs = [runtime, Some(app.call.places.fallback_log(&skill.name))];
    // The path of a skill is canonical, and so is that of its parent folder.
    let store = store.filter(|store| skill.path.parent() != Some(store));
    let folders = logs.iter().flatten().filter_map(|log| log.parent().map(Path::to_owned)).chain(store);
    for folder in folders {
        if let Err(PortError { kind: ErrorKind::Linked, at: Some(link), .. }) =
            app.ports.runtimes.refuse_links(&folder)
        {
            return Err(linked(&link));
        }
    }
    Ok(skill)
}

/// The paths with a skill's name in the stores of its scope that contain a skill, each with that skill's folder.
fn stored(app: &App, skill: &Skill) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let stores = skill.scope.map(|scope| app.call.places.stores(scope)).unwrap_or_default();
    stores.into_iter().map(|store| store.join(&skill.name)).filter_map(|place| match app.look(&place) {
        Found::Skill(path) => Some((place, path)),
        _ => None,
    })
}

/// The entry of a skill in its store: a folder, or a link to one. `None` if it is not in a store.
pub fn place_in_store(app: &App, skill: &Skill) -> Option<PathBuf> {
    stored(app, skill).find(|(_, path)| *path == skill.path).map(|(place, _)| place)
}

/// The skill that takes a skill's name in its scope, because its store comes first.
pub fn shadowing(app: &App, skill: &Skill) -> Option<PathBuf> {
    stored(app, skill).next().map(|(_, first)| first).filter(|first| *first != skill.path)
}

fn linked(link: &Path) -> Fault {
    Fault::LinkInTheWay { path: link.to_path_buf() }
}

/// The path that a user typed, relative to the working directory.
pub fn typed(app: &App, given: &str) -> PathBuf {
    app.call.places.cwd.join(expand_home(given, &app.call.places.home))
}

/// The path of a skill that a user typed; the path of a SKILL.md refers to its folder.
fn typed_skill(app: &App, given: &str) -> PathBuf {
    let path = typed(app, given);
    let is_skill_file = path.file_name().is_some_and(|name| name == SKILL_FILE);
    match path.parent().filter(|_| is_skill_file && app.ports.stores.is_file(&path)) {
        Some(folder) => folder.to_owned(),
        None => path,
    }
}

fn look(app: &App, given: &str, typed: &Path) -> Found {
    if given.is_empty() { Found::Nothing } else { app.look(typed) }
}

/// Expands `~/x`, which shells do not expand in quotes.
fn expand_home(given: &str, home: &Path) -> PathBuf {
    given.strip_prefix("~/").map_or_else(|| PathBuf::from(given), |below| home.join(below))
}

fn in_store(app: &App, given: &str, name: &str, scope: Scope, path: PathBuf) -> Skill {
    app.call.detail(|| format!("skill '{name}' is {} ({})", path.display(), scope.word()));
    Skill { name: name.to_owned(), path, scope: Some(scope), given: given.to_owned(), origin: None }
}

/// The skill at a path. It belongs to a store if it is directly in it, or the target of a link in it with the skill's
/// name.
fn at_path(app: &App, given: &str, typed: &Path, path: PathBuf) -> (Skill, Option<PathBuf>) {
    let typed_name = typed.components().next_back().map(|c| c.as_os_str().to_string_lossy().into_owned());
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let names = [Some(name.clone()), typed_name];
    let names = || names.iter().flatten().filter(|name| SkillName::parse(name).is_ok());
    for scope in [Scope::Project, Scope::Global] {
        for (store, name) in app
            .call
            .places
            .stores(scope)
            .into_iter()
            .flat_map(|store| names().map(move |n| (store.clone(), n)))
        {
            let place = store.join(name);
            // The caller has already looked at the path itself.
            if place == path || app.look(&place) == Found::Skill(path.clone()) {
                return (in_store(app, given, name, scope, path), Some(store));
            }
        }
    }
    app.call.detail(|| format!("skill '{name}' is {} (in no store)", path.display()));
    let scope = shipped::is_shipped(app, &path).then_some(Scope::Global);
    (Skill { name, path, scope, given: given.to_owned(), origin: None }, None)
}
