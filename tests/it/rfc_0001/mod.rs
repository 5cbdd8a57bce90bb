//! RFC-0001: building, deploying and undeploying.

mod clone;
mod deployment;
mod files;
mod import;
mod input;
mod output;
mod sections;
mod stub;
mod targets;
mod undeploy;
mod whole;

use crate::site::{Site, put};
use serde_json::Value;
use skillc_ports::{Deployer, ErrorKind, PortError, RuntimeFile};
use std::fs;
use std::path::Path;

/// A site on which every stub is an outline, however small the skill is.
fn site_of_outlines() -> Site {
    let site = Site::new();
    put(&site.project().join(".skillc/config.toml"), "[build]\nwhole_bytes_max = 0\n");
    site
}

/// The stub of a skill in the project.
fn stub(site: &Site, skill: &str) -> String {
    fs::read_to_string(site.runtime(skill).join(RuntimeFile::Stub.path())).unwrap()
}

/// The manifest of a skill in the project.
fn manifest(site: &Site, skill: &str) -> Value {
    let bytes = fs::read(site.runtime(skill).join(RuntimeFile::Manifest.path())).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The lines of a stub's section list.
fn listing(stub: &str) -> Vec<&str> {
    stub.lines().skip_while(|line| *line != "## Top Sections").skip(2).collect()
}

/// The deploys that a reply of `build` names: target, path, method.
fn deploys(reply: &Value) -> Vec<[&str; 3]> {
    let places = reply["built"][0]["deployed"].as_array().unwrap();
    places.iter().map(|place| ["target", "path", "method"].map(|key| place[key].as_str().unwrap())).collect()
}

/// A snapshot of a folder without logs and locks, which every run rewrites.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = crate::site::snapshot(folder);
    found.retain(|(path, _)| !path.contains("logs.db") && !path.ends_with(".lock"));
    found
}

/// A deployer that behaves as on a file system without links.
struct Linkless(skillc_links::LinkDeployer);

impl Deployer for Linkless {
    fn look(&self, place: &Path) -> Result<skillc_domain::deploy::Occupant, PortError> {
        self.0.look(place)
    }

    fn link(
        &self,
        _: &Path,
        place: &Path,
        _: Option<&str>,
    ) -> Result<skillc_domain::deploy::Method, PortError> {
        Err(PortError::new(ErrorKind::Denied, format!("link '{}'", place.display())))
    }

    fn copy(&self, stub: &[u8], manifest: &[u8], place: &Path, aside: Option<&str>) -> Result<(), PortError> {
        self.0.copy(stub, manifest, place, aside)
    }

    fn link_entries(
        &self,
        runtime: &Path,
        entries: &[skillc_domain::linked_files::LinkedEntry],
    ) -> Result<(), PortError> {
        let denied = || PortError::new(ErrorKind::Denied, format!("link into '{}'", runtime.display()));
        if entries.is_empty() { Ok(()) } else { Err(denied()) }
    }

    fn remove(&self, place: &Path) -> Result<(), PortError> {
        self.0.remove(place)
    }
}
