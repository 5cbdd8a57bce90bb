//! Finds the skill of the catalog that a name, path or reference selects.

use crate::app::App;
use crate::catalog::{self, CatalogFilter, refused};
use crate::policy;
use crate::refusal::off;
use crate::resolve::typed;
use crate::runtime::source_built;
use skillc_domain::discovery::load::SkillRef;
use skillc_domain::discovery::place::means_skill_at;
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::{CatalogSkill, LoadError, SkillCatalog};
use skillc_domain::fault::Fault;
use skillc_domain::suggest::{list, nearest};
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;

/// How a caller selects a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillSelector {
    /// By name, which must be unique.
    Name(String),
    /// By the path of its SKILL.md or folder, or of a deployment.
    Path(String),
    /// By the reference from an earlier load.
    Reference(SkillRef),
}

impl SkillSelector {
    /// A path takes precedence over a name; a name with a separator is a path.
    ///
    /// # Errors
    /// E100 if nothing is given, a reference together with something else, or an invalid reference.
    pub fn of(name: Option<&str>, path: Option<&str>, reference: Option<&str>) -> Result<Self, Fault> {
        let given = |text: Option<&str>| text.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        match (given(name), given(path), given(reference)) {
            (None, None, Some(text)) => SkillRef::parse(&text).map(Self::Reference).ok_or_else(|| {
                Fault::invalid_argument("ref", format!("'{text}' is not a reference that a load returned"))
            }),
            (_, Some(path), None) => Ok(Self::Path(path)),
            (Some(name), None, None) if is_path(&name) => Ok(Self::Path(name)),
            (Some(name), None, None) => Ok(Self::Name(name)),
            (None, None, None) => Err(Fault::invalid_option("give a skill's name, its path or a reference")),
            _ => Err(Fault::invalid_option("a reference cannot be combined with a name or path")),
        }
    }

    /// The selector as the caller gave it.
    pub fn text(&self) -> String {
        match self {
            Self::Name(text) | Self::Path(text) => text.clone(),
            Self::Reference(reference) => reference.to_string(),
        }
    }
}

fn is_path(text: &str) -> bool {
    text.contains(['/', MAIN_SEPARATOR]) || matches!(text, "." | ".." | "~")
}

/// The catalog with every skill that could be loaded if it were permitted.
fn all(app: &App, roots: Which, bypass_cache: bool) -> Arc<SkillCatalog> {
    catalog::read_with_hidden(
        app,
        CatalogFilter { roots, with_builtin: true, bypass_cache, ..CatalogFilter::default() },
    )
}

/// The selected skill. Only a path can select a skill in another agent's folder; names do not.
///
/// # Errors
/// E086 while the denied skills are unknown, E070 for a name that several skills have, E071 if the catalog does not
/// contain the skill, E073 if all skills are disabled, E075 if the reference matches no skill.
pub fn choose(
    app: &App,
    selector: &SkillSelector,
    roots: Which,
    bypass_cache: bool,
) -> Result<CatalogSkill, Fault> {
    policy::known(app)?;
    if !app.call.settings.skills.enabled {
        return Err(off(&selector.text()));
    }
    let near = all(app, roots, bypass_cache);
    let far = || all(app, Which::All, bypass_cache);
    match selector {
        SkillSelector::Name(name) => named(app, &near, name).map_err(|fault| match fault {
            Fault::NotInCatalog { .. } => {
                left_out(app, &near, |e| e.name == *name || e.name_of_place() == *name).unwrap_or(fault)
            }
            fault => fault,
        }),
        SkillSelector::Path(path) => {
            let at = |catalog: &SkillCatalog| {
                at_path(app, &catalog.skills, path).map(|at| catalog.skills[at].clone())
            };
            let found = at(&near).ok_or_else(far);
            found.or_else(|far| {
                at(&far).ok_or_else(|| {
                    let typed = typed(app, path);
                    // A stub leads to the skill from which it was built.
                    let source = source_built(app, &app.ports.stores.real_path(&typed));
                    let is_there = |e: &LoadError| {
                        let asked = [Some(&typed), source.as_ref()];
                        asked.into_iter().flatten().any(|path| means_skill_at(path, &e.path))
                    };
                    left_out(app, &far, is_there).unwrap_or_else(|| not_in_catalog(app, path, &far))
                })
            })
        }
        SkillSelector::Reference(reference) => {
            let by_id = |catalog: &SkillCatalog| {
                catalog.skills.iter().find(|skill| skill.id == reference.id).cloned()
            };
            by_id(&near).or_else(|| by_id(&far())).ok_or_else(|| {
                let message = "its skill is no longer in the catalog".to_owned();
                Fault::ReferenceBroken { reference: reference.to_string(), message }
            })
        }
    }
}

/// E082 for the first matching skill that validation omitted from the catalog, unless it is hidden from the caller.
fn left_out(app: &App, catalog: &SkillCatalog, is_meant: impl Fn(&LoadError) -> bool) -> Option<Fault> {
    let error = catalog.errors.iter().find(|error| is_meant(error))?;
    let is_reported = |name: &str| policy::admit_name(app, name).is_ok();
    (is_reported(&error.name) && is_reported(&error.name_of_place())).then(|| refused::fault(app, error))
}

fn named(app: &App, catalog: &SkillCatalog, name: &str) -> Result<CatalogSkill, Fault> {
    let mut found: Vec<&CatalogSkill> = catalog.skills.iter().filter(|skill| skill.name == name).collect();
    if found.is_empty() {
        // A skill that is read leniently may have another name than its folder, by which stores know it.
        found = catalog.skills.iter().filter(|skill| skill.name_of_place() == name).collect();
    }
    match found.len() {
        0 => Err(not_in_catalog(app, name, catalog)),
        1 => Ok(found.remove(0).clone()),
        _ => {
            policy::admit_loading(app, name)?;
            let candidates = list(found.iter().map(|skill| skill.path.display()));
            Err(Fault::SkillAmbiguous { skill: name.to_owned(), candidates })
        }
    }
}

/// The index of the skill at a path: its file or folder, as found or canonical.
pub fn at_path(app: &App, skills: &[CatalogSkill], given: &str) -> Option<usize> {
    let typed = typed(app, given);
    let real = app.ports.stores.real_path(&typed);
    let is_or_holds = |file: &Path| means_skill_at(&real, file) || means_skill_at(&typed, file);
    let is_met = |skill: &CatalogSkill| {
        skill.locations.iter().any(|location| {
            let is_elsewhere = location.is_stub && is_or_holds(&app.ports.stores.real_path(&location.path));
            is_elsewhere || is_or_holds(&location.path)
        })
    };
    let leads =
        |skill: &CatalogSkill| is_or_holds(&skill.path) || skill.path == Path::new(given) || is_met(skill);
    skills.iter().position(leads)
}

/// The name of the selected skill, which several skills may share.
pub fn name_of(app: &App, catalog: &SkillCatalog, selector: &SkillSelector) -> Option<String> {
    let found = match selector {
        SkillSelector::Name(name) => catalog.skills.iter().find(|skill| skill.name == *name),
        SkillSelector::Path(path) => at_path(app, &catalog.skills, path).map(|at| &catalog.skills[at]),
        SkillSelector::Reference(reference) => catalog.skills.iter().find(|skill| skill.id == reference.id),
    };
    found.map(|skill| skill.name.clone())
}

/// E071 with the nearest names that the caller may see.
pub fn not_in_catalog(app: &App, given: &str, catalog: &SkillCatalog) -> Fault {
    let is_selectable =
        |name: &&str| !app.call.is_agent() || policy::with_policy(app, |policy| policy.is_visible(name));
    let names = catalog.skills.iter().map(|skill| skill.name.as_str());
    let mut names: Vec<&str> = names.filter(is_selectable).collect();
    names.sort_unstable();
    names.dedup();
    let near = if is_path(given) { Vec::new() } else { nearest(given, names) };
    Fault::NotInCatalog { skill: given.to_owned(), suggestions: list(near) }
}
