//! Links in skills folders that lead nowhere.

use crate::doctor::check::HealthCheck;
use crate::doctor::finding::{FindingSeverity, HealthFinding, SafeFix};
use crate::doctor::scene::{HealthScene, PlacedEntry};
use crate::skill::Skill;
use skillc_domain::deploy::{Occupant, Ownership, ownership};
use skillc_domain::listing::Scope;
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
    let name = place.file_name()?.to_string_lossy();
    let gone = format!("leads to '{}', which is gone", to.display());
    let found = match is_deployed(scene, entry).then(|| skill_of_runtime(scene, to)) {
        Some(Some((skill, scope))) => {
            let what = format!("leads to the build '{}', which does not exist here", to.display());
            HealthFinding::fixable(FindingSeverity::Error, place, what, SafeFix::Build { skill, scope })
        }
        Some(None) => {
            HealthFinding::fixable(FindingSeverity::Error, place, gone, SafeFix::Remove(place.clone()))
        }
        None => HealthFinding::new(FindingSeverity::Error, place, gone, removal(place)),
    };
    Some(found.of_skill(&name))
}

/// The skill whose runtime a link leads to, if a store still has it, as after a clone.
fn skill_of_runtime(scene: &HealthScene, runtime: &Path) -> Option<(Skill, Scope)> {
    let places = &scene.app.call.places;
    let name = runtime.file_name()?.to_str()?;
    let scope = [Scope::Project, Scope::Global]
        .into_iter()
        .find(|scope| places.runtime(*scope, name).is_some_and(|own| own == runtime))?;
    let path =
        places.stores(scope).into_iter().map(|store| store.join(name)).find(|path| scene.is_there(path))?;
    let skill =
        Skill { name: name.to_owned(), path, scope: Some(scope), given: name.to_owned(), origin: None };
    Some((skill, scope))
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
