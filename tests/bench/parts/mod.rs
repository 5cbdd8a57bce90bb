//! The groups of rows, one per file.

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

/// Allowed growth of a cost: its exponent relative to size.
const GROWTH_MOST: f64 = 1.05;
/// One mebibyte.
const MIB: usize = 1 << 20;
/// How long to wait until files are old enough for a build to trust their stamps.
const SETTLE_MS: u64 = 50;

fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(SETTLE_MS));
}

/// The executor for async ports.
fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())
}
