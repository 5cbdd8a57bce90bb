//! Applies the policy of this run: whether its patterns are valid, and which skills an agent may use
//! (RFC-0010:C-POLICY). A skill is judged by all of its names, so that no path, link or stub circumvents a rule.

use crate::app::App;
use crate::refusal;
use crate::runtime::source_built;
use crate::skill::Skill;
use crate::source::skill_file;
use glob::Pattern;
use skillc_domain::discovery::head::requoted;
use skillc_domain::discovery::policy::{Policy, PolicyDecision};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::CATALOGED_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::Found;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How an operation uses a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Mentions it; a skill that needs consent may be mentioned.
    See,
    /// Reads it or works on it.
    Use,
}

/// Permits an agent to use a skill, or returns the reason why not. A person may use every skill.
///
/// # Errors
/// E072, E073; E074 for use; E086 while the denied skills are unknown.
pub fn admit(app: &App, skill: &Skill, purpose: Purpose) -> Result<(), Fault> {
    if !app.call.is_agent() {
        return Ok(());
    }
    known(app)?;
    match refusal_of(app, skill) {
        Some(Fault::ConsentNeeded { .. }) if purpose == Purpose::See => Ok(()),
        refusal => refusal.map_or(Ok(()), Err),
    }
}

/// Like [`admit`], for a skill known only by its name.
///
/// # Errors
/// As for [`admit`].
pub fn admit_name(app: &App, name: &str) -> Result<(), Fault> {
    if !app.call.is_agent() {
        return Ok(());
    }
    known(app)?;
    refusal_of_name(app, name).map_or(Ok(()), Err)
}

/// Like [`admit_name`], for a load, which applies to people too.
///
/// # Errors
/// E072, E073, E086.
pub fn admit_loading(app: &App, name: &str) -> Result<(), Fault> {
    known(app)?;
    match refusal_of_name(app, name) {
        Some(refusal) if app.call.is_agent() || is_final(&refusal) => Err(refusal),
        _ => Ok(()),
    }
}

/// Whether a skill is disabled under any of its names.
pub fn is_disabled(app: &App, skill: &Skill) -> bool {
    let disabled = &app.call.settings.skills.disabled;
    let is_listed = |name: &String| disabled.contains(name);
    !disabled.is_empty() && (is_listed(&skill.name) || names_of(app, &skill.path).iter().any(is_listed))
}

/// Like [`admit`], for a file or folder of a skill, which may belong to another skill nested in it.
///
/// # Errors
/// As for [`admit`].
pub fn admit_file(app: &App, skill: &Skill, file: &RelPath) -> Result<(), Fault> {
    if !app.call.is_agent() || !has_rules(app) {
        return Ok(());
    }
    let real = app.ports.stores.real_path(&skill.path.join(file.as_str()));
    worst(app, names_around(app, &real)).map_or(Ok(()), Err)
}

/// Decides which files of a skill the caller may see. Each folder is checked once.
pub fn file_filter<'a>(app: &'a App, skill: &'a Skill) -> impl FnMut(&RelPath) -> bool + 'a {
    let is_open = !app.call.is_agent() || !has_rules(app);
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    move |file| {
        let folder = file.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_admitted = || admit_file(app, skill, file).is_ok();
        is_open || *known.entry(folder.to_owned()).or_insert_with(is_admitted)
    }
}

/// Fails while the policy cannot be read.
///
/// # Errors
/// E086 with the file to fix.
pub fn known(app: &App) -> Result<(), Fault> {
    match &app.call.settings.unreadable_policy {
        Some(path) => Err(Fault::PolicyUnreadable { path: path.to_path_buf() }),
        None => Ok(()),
    }
}

/// Whether a fault means that the skill exists but is hidden from the caller.
pub fn is_refusal(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::SkillDenied { .. }
            | Fault::SkillDisabled { .. }
            | Fault::ConsentNeeded { .. }
            | Fault::PolicyUnreadable { .. }
            | Fault::LinkInTheWay { .. }
    )
}

/// Whether a skill is hidden from every agent, under any of its names.
pub fn is_hidden(app: &App, skill: &Skill) -> bool {
    refusal_of(app, skill).is_some_and(|refusal| is_final(&refusal))
}

/// A warning for a user who works on a skill that is hidden from agents.
pub fn hidden_warning(app: &App, skill: &Skill) -> Option<Warning> {
    match refusal_of(app, skill)? {
        Fault::SkillDenied { skill, rule } => Some(Warning::HiddenFromAgents { skill, rule }),
        Fault::SkillDisabled { skill, setting: rule } => Some(Warning::HiddenFromAgents { skill, rule }),
        _ => None,
    }
}

fn refusal_of(app: &App, skill: &Skill) -> Option<Fault> {
    if !has_rules(app) {
        return None;
    }
    let mut names = names_around(app, &skill.path);
    names.insert(skill.name.clone());
    worst(app, names)
}

/// The most severe refusal. Those that no consent can lift take precedence.
fn worst(app: &App, names: BTreeSet<String>) -> Option<Fault> {
    let refusals: Vec<Fault> = names.iter().filter_map(|name| refusal_of_name(app, name)).collect();
    let at = refusals.iter().position(is_final).unwrap_or(0);
    refusals.into_iter().nth(at)
}

/// Whether no consent can lift a refusal.
pub fn is_final(refusal: &Fault) -> bool {
    !matches!(refusal, Fault::ConsentNeeded { .. })
}

/// The reason why a skill with this name may not be used, if there is one.
pub fn refusal_of_name(app: &App, name: &str) -> Option<Fault> {
    with_policy(app, |policy| match policy.verdict(name) {
        PolicyDecision::Allowed => None,
        PolicyDecision::Confirm(rule) => Some(refusal::consent(name, rule)),
        PolicyDecision::Denied(rule) => Some(refusal::denied(name, rule)),
        PolicyDecision::Disabled => Some(refusal::disabled(name)),
        PolicyDecision::Off => Some(refusal::off(name)),
    })
}

/// Whether any skill is restricted; without rules, no files need to be checked.
pub fn has_rules(app: &App) -> bool {
    let (skills, permissions) = (&app.call.settings.skills, &app.call.settings.permissions);
    let is_none = skills.disabled.is_empty() && permissions.deny.is_empty() && permissions.confirm.is_empty();
    !(skills.enabled && is_none)
}

/// The names of the skill in a folder, of the skills around it, and of the sources of stubs among them.
fn names_around(app: &App, folder: &Path) -> BTreeSet<String> {
    let skills =
        folder.ancestors().filter(|above| matches!(app.ports.stores.look(above, &[]), Found::Skill(_)));
    skills.flat_map(|skill| names_of(app, skill)).collect()
}

fn names_of(app: &App, skill: &Path) -> Vec<String> {
    let source = source_built(app, skill);
    let folders = [Some(skill.to_owned()), source];
    let names = folders.into_iter().flatten().flat_map(|folder| {
        let own = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        [own, front_matter_name(app, &folder)]
    });
    names.flatten().collect()
}

/// The name of a skill in the catalog, whether read strictly or leniently.
fn front_matter_name(app: &App, folder: &Path) -> Option<String> {
    let tree = app.ports.files.open(folder).ok()?;
    let content = tree.read(&skill_file(), CATALOGED_BYTES_MAX).ok()?;
    let text = String::from_utf8_lossy(&content.bytes);
    let front = app.ports.reader.front_matter(&text).or_else(|flaw| match requoted(&text) {
        Some(text) => app.ports.reader.front_matter(&text),
        None => Err(flaw),
    });
    Some(front.ok()??.get("name")?.text()?.trim().to_owned())
}

/// Calls a function with the policy of this run. Patterns are parsed only once.
pub fn with_policy<T>(app: &App, ask: impl FnOnce(&Policy<'_>) -> T) -> T {
    let read: RefCell<BTreeMap<String, Option<Pattern>>> = RefCell::default();
    let takes = |pattern: &str, name: &str| {
        let mut read = read.borrow_mut();
        if !read.contains_key(pattern) {
            read.insert(pattern.to_owned(), Pattern::new(pattern).ok());
        }
        read.get(pattern).and_then(Option::as_ref).is_some_and(|pattern| pattern.matches(name))
    };
    ask(&Policy {
        skills: &app.call.settings.skills,
        permissions: &app.call.settings.permissions,
        takes: &takes,
    })
}

/// A warning for each name or pattern that matches none of these skills.
pub fn rules_without_skill<'a>(app: &App, names: impl Iterator<Item = &'a str> + Clone) -> Vec<Warning> {
    let (skills, permissions) = (&app.call.settings.skills, &app.call.settings.permissions);
    let unused = |rule: &str, setting: &str| Warning::RuleWithoutSkill {
        rule: rule.to_owned(),
        setting: setting.to_owned(),
    };
    let disabled = skills.disabled.iter().filter(|name| names.clone().all(|known| known != name.as_str()));
    let mut warnings: Vec<Warning> = disabled.map(|name| unused(name, "[skills] disabled")).collect();
    for (rules, setting) in
        [(&permissions.deny, "[permissions] deny"), (&permissions.confirm, "[permissions] confirm")]
    {
        let patterns = rules.iter().filter_map(|rule| rule.skill_name.as_deref());
        let is_idle = |pattern: &&str| {
            let parsed = Pattern::new(pattern).ok();
            let fits = |name: &str| *pattern == name || parsed.as_ref().is_some_and(|p| p.matches(name));
            !names.clone().any(fits)
        };
        warnings.extend(patterns.filter(is_idle).map(|pattern| unused(pattern, setting)));
    }
    warnings
}

/// A warning for each invalid pattern, which matches only its own text as a name.
pub fn unreadable_patterns(app: &App) -> Vec<Warning> {
    let permissions = &app.call.settings.permissions;
    let rules = [&permissions.deny, &permissions.allow, &permissions.confirm].into_iter().flatten();
    let patterns = rules.filter_map(|rule| rule.skill_name.as_ref());
    let unreadable = patterns.filter_map(|pattern| {
        let error = Pattern::new(pattern).err()?;
        Some(Warning::UnreadablePattern { pattern: pattern.clone(), message: error.msg.to_owned() })
    });
    unreadable.collect()
}

/// Whether the caller may know about the skill with this name.
pub fn is_admitted(app: &App, name: &str) -> bool {
    !matches!(admit_name(app, name), Err(fault) if is_refusal(&fault))
}
