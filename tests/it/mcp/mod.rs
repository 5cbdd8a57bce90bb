//! `skc mcp` as clients see it: the real program, driven line by line (RFC-0007:C-MCP-*).

mod arguments;
mod calls;
mod changes;
mod client;
mod config;
mod framing;
mod fresh;
#[cfg(unix)]
mod http;
mod lifecycle;
#[cfg(unix)]
mod live;
#[cfg(target_os = "linux")]
mod load;
mod resources;
mod scripted_agents;
mod search;
#[cfg(unix)]
mod shut_out;
mod skills;
#[cfg(unix)]
mod socket;
#[cfg(unix)]
mod story;
mod tools;
mod words;

pub use client::{Client, Lifecycle};

use crate::site::Site;
use rusqlite::Connection;
use serde_json::Value;

/// Both generations of the protocol.
pub const LIFECYCLES: [Lifecycle; 3] =
    [Lifecycle::Initialize("2025-06-18"), Lifecycle::Initialize("2025-11-25"), Lifecycle::Stateless];

/// A row of the log, with the columns that these tests check.
#[derive(Debug)]
pub struct Event {
    /// The verb.
    pub command: String,
    /// Its arguments.
    pub args: Value,
    /// The section, query or file that was asked for.
    pub target: Option<String>,
    /// The file that was read.
    pub file: Option<String>,
    /// How it failed.
    pub error: Option<String>,
}

/// The log of a project skill, oldest first.
pub fn logged(site: &Site, skill: &str) -> Vec<Event> {
    let db = Connection::open(site.runtime(skill).join(".skillc-meta/logs.db")).unwrap();
    let mut all =
        db.prepare("SELECT command, args, target, file, error FROM access_log ORDER BY id").unwrap();
    let event = |row: &rusqlite::Row<'_>| {
        let args: String = row.get(1)?;
        Ok(Event {
            command: row.get(0)?,
            args: serde_json::from_str(&args).unwrap(),
            target: row.get(2)?,
            file: row.get(3)?,
            error: row.get(4)?,
        })
    };
    all.query_map([], event).unwrap().map(Result::unwrap).collect()
}
