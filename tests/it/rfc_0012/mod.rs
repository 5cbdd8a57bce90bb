//! RFC-0012: the protocol of `skc host`, and the picker.

mod framing;
mod methods;
#[cfg(unix)]
mod pick;
#[cfg(unix)]
mod screen;

use crate::mcp::{Client, Lifecycle};
use crate::site::{Site, put, skill_md};
use std::path::PathBuf;

/// A connection to `skc host` in the project of a site.
fn host(site: &Site) -> Client {
    Client::start_command(site.command(["host"]), Lifecycle::Raw)
}

/// Writes a skill into `.agents/skills`, in the project or in the home directory.
fn shared(site: &Site, is_users: bool, name: &str, description: &str) -> PathBuf {
    let base = if is_users { site.home() } else { site.project() };
    let file = base.join(".agents/skills").join(name).join("SKILL.md");
    let text = skill_md(name, &format!("# {name}\n\nWhat {name} does.\n\n## Steps\n\nFirst one.\n"));
    put(&file, text.replace(&format!("Does {name}. Use when testing."), description));
    file
}

/// A repository with two skills and a home directory with one.
fn scene() -> Site {
    let site = Site::new();
    shared(&site, false, "release-notes", "Drafts release notes from commits.");
    shared(&site, false, "pdf-forms", "Fills in forms of PDF files.");
    shared(&site, true, "discord", "Sends a message to a channel.");
    site
}
