//! The skills that a client lists, from the folders that it reads and by its own rules (RFC-0010:C-BUDGET).

use super::refused::{text, verdict};
use super::search::searches;
use super::{CatalogFilter, with_scene};
use crate::app::App;
use skillc_domain::discovery::block::one_line;
use skillc_domain::discovery::budget::{Budget, BudgetedSkill};
use skillc_domain::discovery::extract::extract_markdown_skill_text;
use skillc_domain::discovery::roots::SkillRoot;
use skillc_domain::discovery::scan::ScannedRoot;
use skillc_domain::discovery::skill::SkillScope;
use skillc_domain::frontmatter::{FrontMatter, Value, body};
use skillc_domain::places::SKILL_FILE;
use skillc_lint::verdict::{Compatibility, Profile, find};
use std::collections::HashSet;
use std::path::Path;

/// The file that tells Codex whether the model may choose a skill.
const CODEX_POLICY_FILE: &str = "openai.yaml";

/// The skills that a client lists, in its order.
pub fn client_list(app: &App, budget: Budget) -> Vec<BudgetedSkill> {
    let id = match budget {
        Budget::ClaudeCode => "claude-code",
        Budget::Codex => "codex",
    };
    let Some(profile) = find(id) else { return Vec::new() };
    let (repository, roots) = with_scene(app, |scene| {
        let repository = scene.repository();
        let roots = scene.roots_of(id, &repository);
        (repository, roots)
    });
    let searches = searches(app, &roots, &repository, &CatalogFilter::default());
    let mut seen = HashSet::new();
    let mut listed = Vec::new();
    for (root, scanned) in &searches.roots {
        for at in met(budget, scanned) {
            if seen.insert(scanned.canonical(at)) {
                listed.extend(skill(app, budget, profile, root, scanned, at));
            }
        }
    }
    in_order(budget, listed)
}

/// The folders with skills that a client finds below a root. Claude Code looks only at its direct subfolders.
fn met(budget: Budget, scanned: &ScannedRoot) -> impl Iterator<Item = usize> {
    let is_near = move |at: &usize| budget == Budget::Codex || *at != 0 && scanned.folders[*at].parent == 0;
    let is_skill = |at: &usize| {
        let folder = &scanned.folders[*at];
        folder.skill.is_some() && !folder.is_single_file()
    };
    (0..scanned.folders.len()).filter(is_skill).filter(is_near)
}

/// A skill as a client lists it; `None` if the client drops it or hides it from the model.
fn skill(
    app: &App,
    budget: Budget,
    profile: &Profile,
    root: &SkillRoot,
    scanned: &ScannedRoot,
    at: usize,
) -> Option<BudgetedSkill> {
    let (dir, met) = (scanned.canonical(at), scanned.met(&root.path, at));
    let text = text(app, &dir.join(SKILL_FILE))?;
    let folder = met.file_name().unwrap_or_default().to_string_lossy();
    if verdict(app, profile, &folder, &text).compatibility == Compatibility::Dropped {
        return None;
    }
    let front = app.ports.reader.front_matter(&text).ok().flatten().unwrap_or_default();
    let is_hidden = match budget {
        Budget::ClaudeCode => is_on(&front, "disable-model-invocation"),
        Budget::Codex => is_hidden_from_codex(app, &dir),
    };
    if is_hidden {
        return None;
    }
    let (name, description) = extract_markdown_skill_text(&front, body(&text), &folder);
    let added = front.get("when_to_use").and_then(|node| node.text()).map(str::trim);
    let description = match added.filter(|text| budget == Budget::ClaudeCode && !text.is_empty()) {
        Some(when) => format!("{description} - {when}"),
        None => description,
    };
    Some(BudgetedSkill {
        name: one_line(&name),
        description: one_line(&description),
        path: met.join(SKILL_FILE).to_string_lossy().into_owned(),
        root: root.path.to_string_lossy().into_owned(),
        scope: root.scope,
    })
}

/// Parses a boolean in any spelling that Claude Code accepts.
fn is_on(front: &FrontMatter, key: &str) -> bool {
    let text = front.get(key).and_then(|node| node.text()).unwrap_or_default();
    ["true", "yes", "on", "1"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

/// Whether `agents/openai.yaml` hides the skill from the model.
fn is_hidden_from_codex(app: &App, dir: &Path) -> bool {
    let Some(yaml) = text(app, &dir.join("agents").join(CODEX_POLICY_FILE)) else { return false };
    let policy = app.ports.reader.front_matter(&format!("---\n{yaml}\n---\n")).ok().flatten();
    let Some(Value::Map(fields)) = policy.as_ref().and_then(|front| Some(&front.get("policy")?.value)) else {
        return false;
    };
    let is_allowed = fields.iter().find(|(key, _)| key.text() == Some("allow_implicit_invocation"));
    is_allowed.is_some_and(|(_, value)| value.text() == Some("false"))
}

/// Sorts skills like the client does. If several have the same name, Claude Code uses the user's.
fn in_order(budget: Budget, mut listed: Vec<BudgetedSkill>) -> Vec<BudgetedSkill> {
    match budget {
        Budget::ClaudeCode => {
            let mut seen = HashSet::new();
            let (own, others): (Vec<_>, Vec<_>) =
                listed.into_iter().partition(|skill| skill.scope == SkillScope::User);
            listed = own.into_iter().chain(others).filter(|skill| seen.insert(skill.name.clone())).collect();
            listed.sort_by(|a, b| (a.scope, &a.path).cmp(&(b.scope, &b.path)));
        }
        Budget::Codex => {
            let rank = |skill: &BudgetedSkill| {
                if skill.root.starts_with("/etc/") { 0 } else { 1 + skill.scope as u8 }
            };
            listed.sort_by(|a, b| (rank(a), &a.name, &a.path).cmp(&(rank(b), &b.name, &b.path)));
        }
    }
    listed
}
