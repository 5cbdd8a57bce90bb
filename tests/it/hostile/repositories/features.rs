//! Features that make a repository hostile: a few on an otherwise valid project, since one in which everything is
//! broken tests nothing.

use super::honest::SKILLS;
use super::random::Random;
use super::sandbox::Sandbox;
use super::tree::remove;
use super::{forged, in_the_way, links, names, settings, special};
use std::fs;
use std::path::{Path, PathBuf};

/// Something hostile in the project.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its kind, for the counts.
    pub family: &'static str,
    /// A description of what is where.
    pub what: String,
    /// The path, relative to the project. Command lines that name it are run in any case.
    pub place: String,
}

/// The project while features are added.
pub struct Ground<'a> {
    /// The machine.
    pub sandbox: &'a Sandbox,
    /// The source of choices.
    pub random: &'a mut Random,
    /// Names of the project's skills, as changed by features.
    pub skills: Vec<String>,
}

/// A kind of feature: its frequency in percent, and a function that creates one; `None` if it does not fit.
type Family = (&'static str, usize, fn(&mut Ground<'_>) -> Option<(String, String)>);

/// All kinds; the frequencies add up to a hundred.
const FAMILIES: [Family; 6] = [
    ("link", 46, links::plant),
    ("setting", 18, settings::plant),
    ("name", 9, names::plant),
    ("special", 10, special::plant),
    ("forged", 11, forged::plant),
    ("in the way", 6, in_the_way::plant),
];

/// Number of attempts to draw a feature that fits.
const TRIES_MAX: usize = 20;

/// Adds one to four features to the project, and returns them.
pub fn plant(ground: &mut Ground<'_>) -> Vec<Feature> {
    let count = [1, 1, 2, 2, 3, 4][ground.random.below(6)];
    let mut planted = Vec::new();
    for _ in 0..TRIES_MAX {
        if planted.len() == count {
            break;
        }
        planted.extend(one(ground));
    }
    planted
}

fn one(ground: &mut Ground<'_>) -> Option<Feature> {
    let mut share = ground.random.below(100);
    for (family, own, plant) in FAMILIES {
        if share < own {
            return plant(ground).map(|(place, what)| Feature { family, what, place });
        }
        share -= own;
    }
    unreachable!("the shares add up to a hundred")
}

impl Ground<'_> {
    /// A skill of the project.
    pub fn skill(&mut self) -> String {
        self.random.pick(&SKILLS).to_string()
    }

    /// Makes room at a path of the project: deletes what is there, and creates its parent folders. `None` if there is
    /// a link or file of another feature on the path, since nothing may be written through it.
    pub fn room(&self, place: &str) -> Option<PathBuf> {
        let mut at = self.sandbox.project();
        let mut parts: Vec<_> = Path::new(place).components().collect();
        let last = parts.pop()?;
        for part in parts {
            at.push(part);
            match fs::symlink_metadata(&at) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return None,
                Err(_) => fs::create_dir(&at).unwrap(),
            }
        }
        at.push(last);
        remove(&at);
        Some(at)
    }

    /// Writes a file of the project, replacing whatever is there.
    pub fn put(&self, place: &str, bytes: impl AsRef<[u8]>) -> Option<()> {
        fs::write(self.room(place)?, bytes).ok()
    }

    /// The name of the original index of a built skill of a project.
    pub fn index_name(&self, project: &str, skill: &str) -> String {
        let meta = format!("{project}/.skillc/runtime/{skill}/.skillc-meta/");
        let names = self.sandbox.honest.keys().filter_map(|path| path.strip_prefix(&meta));
        let mut found = names.filter(|name| name.starts_with("search-") && name.ends_with(".db"));
        found.next().unwrap_or("search-0123456789abcdef.db").to_owned()
    }

    /// The bytes of an original file, by its path below the machine's root.
    pub fn honest(&self, path: &str) -> Vec<u8> {
        self.sandbox.honest.get(path).and_then(|entry| entry.bytes()).unwrap_or_default().to_vec()
    }

    /// The path of the runtime of a skill that was built, relative to the project.
    pub fn built(&mut self) -> (String, String) {
        let skill = self.random.pick(&["demo", "helper"]).to_string();
        let meta = format!(".skillc/runtime/{skill}/.skillc-meta");
        (skill, meta)
    }
}
