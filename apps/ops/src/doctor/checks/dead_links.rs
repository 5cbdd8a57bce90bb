//! Links in skills folders that lead nowhere.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::{HealthScene, PlacedEntry};
use skillc_domain::deploy::{Occupant, Ownership, ownership};
use skillc_domain::text::shell::quote;
use std::path::Path;

pub static CHECK: HealthCheck =
    HealthCheck { id: "dead-link", title: "links that lead nowhere", why: "agents see no skill there", find };

fn find(scene: &HealthScene) -> Vec<HealthFinding> {
    scene.entries.iter().filter_map(|entry| finding(scene, entry)).collect()
}

fn finding(scene: &HealthScene, entry: &PlacedEntry) -> Option<HealthFinding> {
    let Occupant::Link { to, is_dangling: true } = &entry.occupant else { return None };
    let place = &entry.place;
    if scene.app.ports.inspector.is_loop(place) {
        return None;
    }
    let what = format!("leads to '{}', which is gone", to.display());
    let found = match is_deployed(scene, entry) {
        true => HealthFinding::fixable(FindingSeverity::Error, place, what, SafeFix::Remove(place.clone())),
        false => HealthFinding::new(FindingSeverity::Error, place, what, removal(place)),
    };
    Some(found.of_skill(&place.file_name()?.to_string_lossy()))
}

/// Whether the link was created by a build of this project or user.
fn is_deployed(scene: &HealthScene, entry: &PlacedEntry) -> bool {
    let places = &scene.app.call.places;
    ownership(&entry.occupant, &entry.place, places, |_| false) == Ownership::Own
}

/// The command that removes an entry.
fn removal(place: &Path) -> String {
    format!("rm {}", quote(&place.to_string_lossy()))
}
