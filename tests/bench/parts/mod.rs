//! The groups of rows, one file each.

pub mod catalog;
pub mod file;
pub mod find;
pub mod history;
pub mod lint;
pub mod log;
pub mod mcp;
pub mod meaning;
pub mod memory;
pub mod peer;
pub mod skill;
pub mod start;
pub mod stats;
pub mod sync;
pub mod team;
pub mod team_find;

/// How fast a cost may grow: its exponent over size.
const GROWTH_MOST: f64 = 1.05;
/// One mebibyte.
const MIB: usize = 1 << 20;
/// Lets the files' times grow old enough to be trusted by a build that judges by stat.
const SETTLE_MS: u64 = 50;

fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(SETTLE_MS));
}

/// What drives async ports.
fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())
}
