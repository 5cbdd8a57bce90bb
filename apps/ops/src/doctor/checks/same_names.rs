//! Skills with the same name, and which of them each client uses.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::{ClientScans, HealthScene};
use skillc_domain::discovery::merge::same_names;
use skillc_domain::discovery::skill::{CatalogSkill, SameName, SkillScope};
use skillc_domain::text::shell::quote;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "same-name",
    title: "skills with the same name",
    why: "clients may use different ones, and 'skc load' refuses the name",
    find,
};

/// Which of several skills with the same name a client uses.
#[derive(Clone, Copy)]
enum Precedence {
    /// The user's rather than the repository's.
    User,
    /// The repository's rather than the user's.
    Repository,
    /// It lists all of them.
    All,
}

/// The clients whose precedence is known.
const PRECEDENCE: [(&str, Precedence); 4] = [
    // code.claude.com/docs/en/skills
    ("claude-code", Precedence::User),
    // openai/codex#25324
    ("codex", Precedence::All),
    // anomalyco/opencode packages/web/src/content/docs/skills.mdx
    ("opencode", Precedence::Repository),
    // google-gemini/gemini-cli packages/core/src/skills
    ("gemini", Precedence::Repository),
];

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let by_path: HashMap<&Path, &CatalogSkill> =
        scene.catalog.skills.iter().map(|skill| (skill.path.as_path(), skill)).collect();
    let roots: Vec<(&ClientScans, HashSet<PathBuf>)> =
        scene.clients.iter().map(|client| (client, folders(client))).collect();
    let finding = |same: SameName| {
        let skills: Vec<&CatalogSkill> =
            same.paths.iter().filter_map(|path| by_path.get(path.as_path()).copied()).collect();
        finding(scene, &same, &skills, &roots)
    };
    same_names(&scene.catalog.skills).into_iter().map(finding).collect()
}

/// The skills folders that a client finds, with links resolved.
fn folders(client: &ClientScans) -> HashSet<PathBuf> {
    let of_root = client.scans.roots.iter().flat_map(|(_, scanned)| {
        let skills = (0..scanned.folders.len()).filter(|at| scanned.folders[*at].skill.is_some());
        skills.map(|at| scanned.canonical(at))
    });
    of_root.collect()
}

fn finding(
    scene: &HealthScene,
    same: &SameName,
    skills: &[&CatalogSkill],
    clients: &[(&ClientScans, HashSet<PathBuf>)],
) -> HealthFinding {
    let severity = if same.are_copies { FindingSeverity::Note } else { FindingSeverity::Warning };
    let mut what = format!("is one of {} skills called '{}'", skills.len(), same.name);
    what.push_str(if same.are_copies { ", which are copies" } else { "" });
    for (client, folders) in clients {
        if let Some(choice) = choice(scene, client, folders, skills) {
            what.push_str(&format!("; {choice}"));
        }
    }
    let place = skills.first().map_or_else(PathBuf::new, |skill| skill.dir.clone());
    let fix = fix(scene, same, skills);
    HealthFinding::new(severity, &place, what, fix).of_skill(&same.name)
}

/// The suggested action: remove a copy; of two that differ, the user has to choose.
fn fix(scene: &HealthScene, same: &SameName, skills: &[&CatalogSkill]) -> String {
    let dir = |skill: Option<&&CatalogSkill>| {
        skill.map_or_else(String::new, |skill| quote(&skill.dir.to_string_lossy()))
    };
    // A skill in a store has builds and deployments that `rm` would leave behind.
    let is_stored = |skill: &&&CatalogSkill| scene.app.call.places.scope_of(&skill.dir).is_some();
    match (same.are_copies, skills.iter().rfind(is_stored)) {
        (true, Some(stored)) => format!("skc remove {}", dir(Some(stored))),
        (true, None) => format!("rm -r {}", dir(skills.last())),
        (false, _) => format!("diff -r {} {}", dir(skills.first()), dir(skills.last())),
    }
}

/// What a client does with skills of the same name; `None` if it finds only one of them, or its behavior is unknown.
fn choice(
    scene: &HealthScene,
    client: &ClientScans,
    folders: &HashSet<PathBuf>,
    skills: &[&CatalogSkill],
) -> Option<String> {
    let found: Vec<&&CatalogSkill> = skills.iter().filter(|skill| is_found(skill, folders, scene)).collect();
    let (_, precedence) = PRECEDENCE.iter().find(|(id, _)| *id == client.profile.id)?;
    let label = client.profile.label;
    let scope = match precedence {
        _ if found.len() < 2 => return None,
        Precedence::All => return Some(format!("{label} lists all")),
        Precedence::User => SkillScope::User,
        Precedence::Repository => SkillScope::Repo,
    };
    let first: Vec<_> = found.iter().filter(|skill| skill.scope == scope).collect();
    match first.as_slice() {
        [one] => Some(format!("{label} uses '{}'", one.dir.display())),
        _ => Some(format!("{label} uses one of them")),
    }
}

/// Whether a client finds a skill, by its source or one of its stubs.
fn is_found(skill: &CatalogSkill, folders: &HashSet<PathBuf>, scene: &HealthScene) -> bool {
    let of_stub = |path: &Path| {
        let folder = path.parent().unwrap_or(path);
        folders.contains(&scene.app.ports.stores.real_path(folder))
    };
    folders.contains(&skill.dir)
        || skill.locations.iter().filter(|location| location.is_stub).any(|location| of_stub(&location.path))
}
