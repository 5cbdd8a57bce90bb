//! Lists of skills that exceed a client's limit.

use crate::catalog::client_list::client_list;
use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::{ClientScans, HealthScene};
use skillc_domain::discovery::budget::{Budget, CutStatus, cut};
use skillc_domain::discovery::scan::ScannedRoot;
use std::path::Path;

pub static CHECK: HealthCheck = HealthCheck {
    id: "listing-budget",
    title: "lists of skills above a client's limit",
    why: "the client cuts its list of skills for the model, so some are never chosen",
    find,
};

/// The clients whose limits are known.
const BUDGETS: [(&str, Budget); 2] = [("claude-code", Budget::ClaudeCode), ("codex", Budget::Codex)];
/// Number of skills that a finding names.
const NAMED_MAX: usize = 3;

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let of_client = |client: &ClientScans| {
        let (_, budget) = BUDGETS.iter().find(|(id, _)| *id == client.profile.id)?;
        finding(scene, client, *budget)
    };
    scene.clients.iter().filter_map(of_client).collect()
}

fn finding(scene: &HealthScene, client: &ClientScans, budget: Budget) -> Option<HealthFinding> {
    let skills = client_list(&scene.app, budget);
    let statuses = cut(budget, &skills, None).statuses;
    let lost = |status: &CutStatus| matches!(status, CutStatus::NameOnly | CutStatus::Dropped);
    let names: Vec<&str> = skills
        .iter()
        .zip(&statuses)
        .filter(|(_, status)| lost(status))
        .map(|(skill, _)| skill.name.as_str())
        .collect();
    let shortened = statuses.iter().filter(|status| matches!(status, CutStatus::Shortened(_))).count();
    if names.is_empty() && shortened == 0 {
        return None;
    }
    let what = match names.len() {
        0 => format!("{} shortens the descriptions of {shortened} skills", client.profile.label),
        count => {
            let more = if count > NAMED_MAX { ", …" } else { "" };
            let named = names[..count.min(NAMED_MAX)].join(", ");
            let label = client.profile.label;
            format!(
                "{label} leaves out the descriptions of {count} of {} skills: {named}{more}",
                skills.len()
            )
        }
    };
    let root = fullest_root(client)?;
    let fix = format!("skc catalog --budget {}", client.profile.id);
    Some(HealthFinding::new(FindingSeverity::Warning, root, what, fix))
}

/// Of the folders that a client reads, the one with the most skills.
fn fullest_root(client: &ClientScans) -> Option<&Path> {
    let skills =
        |scanned: &ScannedRoot| scanned.folders.iter().filter(|folder| folder.skill.is_some()).count();
    client.scans.roots.iter().max_by_key(|(_, scanned)| skills(scanned)).map(|(root, _)| root.path.as_path())
}
