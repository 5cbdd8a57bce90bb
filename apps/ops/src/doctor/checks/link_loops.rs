//! Links that lead back to themselves.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding};
use crate::doctor::scene::HealthScene;
use skillc_domain::deploy::Occupant;
use skillc_domain::text::shell::quote;

pub static CHECK: HealthCheck = HealthCheck {
    id: "link-loop",
    title: "links that lead back to themselves",
    why: "agents see no skill there, and some stop reading the folder",
    find,
};

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    let links = scene.entries.iter().filter_map(|entry| match &entry.occupant {
        Occupant::Link { to, is_dangling: true } if scene.app.ports.inspector.is_loop(&entry.place) => {
            Some((&entry.place, to))
        }
        _ => None,
    });
    let finding = |(place, to): (&std::path::PathBuf, &std::path::PathBuf)| {
        let what = format!("leads to '{}', which leads back", to.display());
        let fix = format!("rm {}", quote(&place.to_string_lossy()));
        HealthFinding::new(FindingSeverity::Error, place, what, fix)
            .of_skill(&place.file_name().unwrap_or_default().to_string_lossy())
    };
    links.map(finding).collect()
}
