//! What occupies the target of a deployment: written by hand, of another project, or pretending to be a build.

use super::features::Ground;
use super::honest::NEIGHBOR;
use crate::site::{put, skill_md};
use skillc_domain::agents::AGENTS;
use std::fs;
use std::os::unix::fs::symlink;

/// Plants it in an agent's folder of the project.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let skill = ground.skill();
    let agent = if ground.random.percent(60) { ".claude/skills" } else { ground.random.pick(AGENTS).project };
    let place = format!("{agent}/{skill}");
    let path = ground.room(&place)?;
    let what = match ground.random.below(6) {
        0 | 1 => {
            put(&path.join("SKILL.md"), skill_md(&skill, "# By hand\n"));
            put(&path.join("notes.md"), "notes of years\n");
            "folder written by hand"
        }
        2 => fs::write(&path, "a file of the author\n").map(|()| "file").ok()?,
        3 => {
            put(&path.join("SKILL.md"), skill_md(&skill, "# By hand\n"));
            put(&path.join("notes.md"), "notes of years\n");
            let manifest =
                ground.honest(&format!("{NEIGHBOR}/.skillc/runtime/{skill}/.skillc-meta/manifest.json"));
            put(&path.join(".skillc-meta/manifest.json"), manifest);
            "folder with another's manifest"
        }
        4 => {
            let runtime = ground.sandbox.root().join(NEIGHBOR).join(".skillc/runtime").join(&skill);
            symlink(runtime, &path).map(|()| "link into the neighbor's runtime").ok()?
        }
        _ => {
            let unmounted = ground.sandbox.root().join("mnt/not/there");
            symlink(unmounted, &path).map(|()| "link to a disk that is not there").ok()?
        }
    };
    Some((place.clone(), format!("{what} at {place}")))
}
