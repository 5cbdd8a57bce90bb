//! The order of the sections that a query finds.

use crate::fts5::{in_heading, in_text};
use crate::snippet::check;
use rusqlite::{Connection, Result};
use skillc_domain::query::{MatchTier, Query, join_cjk, join_name};
use skillc_ports::Patience;
use std::collections::HashMap;

/// A section of the result.
pub struct RankedSection {
    /// Number of its row.
    pub row: i64,
    /// Path of its file.
    pub file: String,
    /// Its heading, with separators between CJK characters.
    pub heading: String,
    /// Length of its text.
    pub bytes: u64,
    /// More is better.
    pub score: f64,
}

/// The best sections: those whose heading is the query, then by tier and BM25; ties are ordered by file and position. All
/// rows that tie with the last one are considered, so that the result does not depend on the order in which rows were
/// written.
pub fn best(
    db: &Connection,
    query: &Query,
    fts5: &str,
    limit: u32,
    patience: &Patience,
) -> Result<Vec<RankedSection>> {
    check(patience)?;
    let tiers = tiers(db, query)?;
    let mut ranked = ranks(db, fts5)?;
    // In FTS5 the best row has the lowest rank.
    let best_bm25 = ranked.first().map_or(0.0, |(_, rank)| -rank);
    let tier = |row: i64| tiers.get(&row).copied().unwrap_or(MatchTier::Anywhere);
    ranked.sort_by(|a, b| tier(a.0).cmp(&tier(b.0)).then_with(|| a.1.total_cmp(&b.1)));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if let Some(last) = limit.checked_sub(1).and_then(|last| ranked.get(last)).copied() {
        let ties = |(row, rank): &(i64, f64)| tier(*row) == tier(last.0) && *rank <= last.1;
        let end = limit + ranked[limit..].iter().take_while(|next| ties(next)).count();
        ranked.truncate(end);
    }
    let mut found = Vec::with_capacity(ranked.len());
    for (row, rank) in ranked {
        found.push((tier(row), section(db, row, tier(row).score(-rank, best_bm25))?));
    }
    found.sort_by(|(a_tier, a), (b_tier, b)| {
        a_tier
            .cmp(b_tier)
            .then_with(|| b.score.total_cmp(&a.score))
            .then_with(|| a.file.cmp(&b.file))
            .then(a.row.cmp(&b.row))
    });
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, section)| section).collect())
}

/// Every row that a query finds, with its rank, best first.
fn ranks(db: &Connection, fts5: &str) -> Result<Vec<(i64, f64)>> {
    let mut ranked =
        db.prepare_cached("SELECT rowid, rank FROM sections WHERE sections MATCH ?1 ORDER BY rank")?;
    ranked.query_map([fts5], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The tiers of rows, as far as they are not [`MatchTier::Anywhere`].
fn tiers(db: &Connection, query: &Query) -> Result<HashMap<i64, MatchTier>> {
    let mut tiers = HashMap::new();
    if let Some(phrase) = in_text(query) {
        let mut rows = db.prepare_cached("SELECT rowid FROM sections WHERE sections MATCH ?1")?;
        for row in rows.query_map([phrase], |row| row.get(0))? {
            tiers.insert(row?, MatchTier::Phrase);
        }
    }
    let mut rows = db.prepare_cached("SELECT rowid, section FROM sections WHERE sections MATCH ?1")?;
    let mut rows = rows.query([in_heading(query)])?;
    while let Some(row) = rows.next()? {
        let is_same = query.is_heading(&join_cjk(row.get_ref(1)?.as_str()?));
        tiers.insert(row.get(0)?, if is_same { MatchTier::SameHeading } else { MatchTier::InHeading });
    }
    Ok(tiers)
}

fn section(db: &Connection, row: i64, score: f64) -> Result<RankedSection> {
    let mut columns =
        db.prepare_cached("SELECT file, section, octet_length(content) FROM sections WHERE rowid = ?1")?;
    columns.query_row([row], |columns| {
        Ok(RankedSection {
            row,
            file: join_name(columns.get(0)?),
            heading: columns.get(1)?,
            bytes: columns.get::<_, i64>(2)?.cast_unsigned(),
            score,
        })
    })
}
