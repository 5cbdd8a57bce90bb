//! Which ids count in a search.

use skillc_ports::{Among, Nearby};

/// Whether an id counts.
pub fn counts(among: Among<'_>, id: &str) -> bool {
    among.is_none_or(|ids| ids.contains(id))
}

/// Best first, then by id; no more than `limit`.
pub fn best(mut found: Vec<Nearby>, limit: usize) -> Vec<Nearby> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    found.truncate(limit);
    found
}
