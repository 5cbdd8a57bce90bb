//! Skills that a client does not load.

use crate::catalog::refused::{text, verdict};
use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::discovery::scan::{ScannedRoot, SkillForm};
use skillc_domain::places::SKILL_FILE;
use skillc_domain::text::shell::quote;
use skillc_lint::verdict::{Compatibility, Profile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub static CHECK: HealthCheck = HealthCheck {
    id: "dropped-skill",
    title: "skills that a client drops",
    why: "the client does not offer the skill, and does not say so",
    find,
};

/// The client that looks for skills only directly in a folder.
const FLAT_CLIENT: &str = "claude-code";

/// A client, and the path at which it finds a skill.
struct Reader {
    profile: &'static Profile,
    met: PathBuf,
    is_too_deep: bool,
}

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let mut readers: BTreeMap<PathBuf, Vec<Reader>> = BTreeMap::new();
    for client in &scene.clients {
        for (root, scanned) in &client.scans.roots {
            for at in skills(scanned) {
                let dir = scanned.canonical(at);
                let of_skill = readers.entry(dir).or_default();
                if of_skill.iter().all(|reader| reader.profile.id != client.profile.id) {
                    of_skill.push(Reader {
                        profile: client.profile,
                        met: scanned.met(&root.path, at),
                        is_too_deep: client.profile.id == FLAT_CLIENT && is_deep(scanned, at),
                    });
                }
            }
        }
    }
    readers.iter().filter_map(|(dir, readers)| finding(scene, dir, readers)).collect()
}

/// The folders of a scan that contain a skill. Excludes single-file skills, which no client reads.
fn skills(scanned: &ScannedRoot) -> impl Iterator<Item = usize> {
    let is_skill = |at: &usize| {
        let skill = scanned.folders[*at].skill.as_ref();
        skill.is_some_and(|skill| matches!(skill.form, SkillForm::File | SkillForm::Stub))
    };
    (0..scanned.folders.len()).filter(is_skill)
}

fn is_deep(scanned: &ScannedRoot, at: usize) -> bool {
    at == 0 || scanned.folders[at].parent != 0
}

fn finding(scene: &HealthScene, dir: &Path, readers: &[Reader]) -> Option<HealthFinding> {
    let text = text(&scene.app, &dir.join(SKILL_FILE))?;
    let dropping: Vec<(&str, String)> = readers
        .iter()
        .filter_map(|reader| Some((reader.profile.label, reason(scene, reader, &text)?)))
        .collect();
    let reason = &dropping.first()?.1;
    let labels = |reason: &str| {
        let of_reason = dropping.iter().filter(|(_, other)| other == reason).map(|(label, _)| *label);
        of_reason.collect::<Vec<_>>().join(", ")
    };
    let others = dropping.iter().filter(|(_, other)| other != reason).map(|(label, _)| *label);
    let others: Vec<&str> = others.collect();
    let mut what = format!("dropped by {}: {reason}", labels(reason));
    if !others.is_empty() {
        what.push_str(&format!("; by {} for other reasons", others.join(", ")));
    }
    let severity = match dropping.len() == readers.len() {
        true => FindingSeverity::Error,
        false => FindingSeverity::Warning,
    };
    let place = &readers.first()?.met;
    let fix = format!("skc lint {} --explain-load", quote(&dir.to_string_lossy()));
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    Some(HealthFinding::new(severity, place, what, fix).of_skill(&name))
}

/// Why a client drops a skill; `None` if it does not.
fn reason(scene: &HealthScene, reader: &Reader, text: &str) -> Option<String> {
    if reader.is_too_deep {
        return Some("it is nested in a subfolder of a folder of skills".to_owned());
    }
    let folder = reader.met.file_name().unwrap_or_default().to_string_lossy();
    let reasons = verdict(&scene.app, reader.profile, &folder, text).reasons;
    let worst = reasons.into_iter().find(|reason| reason.compatibility == Compatibility::Dropped);
    worst.map(|reason| reason.message)
}
