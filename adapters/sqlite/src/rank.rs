//! Ranks the sections that a query finds.

use crate::fts5::{in_heading, in_text};
use crate::snippet::check;
use rusqlite::{Connection, Result};
use skillc_domain::query::{MatchTier, Query, join_cjk, join_name};
use skillc_ports::Patience;
use std::cmp::Ordering;
use std::collections::HashMap;

/// A section among the results.
pub struct RankedSection {
    /// Its row id.
    pub row: i64,
    /// Path of its file.
    pub file: String,
    /// Its heading, with separators between CJK characters.
    pub heading: String,
    /// Length of its text in bytes.
    pub bytes: u64,
    /// Higher is better.
    pub score: f64,
}

/// A row that matches a query.
struct RankedRow {
    tier: MatchTier,
    bm25: f64,
    row: i64,
}

impl RankedRow {
    /// Orders better rows first.
    fn compare(&self, other: &Self) -> Ordering {
        self.tier.cmp(&other.tier).then_with(|| other.bm25.total_cmp(&self.bm25))
    }
}

/// The best sections: those whose heading equals the query, then by tier and BM25, with ties ordered by file and
/// position. All rows tied with the last one are considered, so that the result does not depend on the order in which
/// rows were written.
pub fn best(
    db: &Connection,
    query: &Query,
    fts5: &str,
    limit: u32,
    patience: &Patience,
) -> Result<Vec<RankedSection>> {
    check(patience)?;
    let mut rows = ranked_rows(db, query, fts5)?;
    let best_bm25 = rows.iter().map(|row| row.bm25).fold(0.0, f64::max);
    rows.sort_by(RankedRow::compare);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if let Some(last) = limit.checked_sub(1).and_then(|last| rows.get(last)) {
        let ties = rows[limit..].iter().take_while(|next| next.compare(last).is_eq()).count();
        rows.truncate(limit + ties);
    }
    let mut found = Vec::with_capacity(rows.len());
    for ranked in rows {
        let section = section(db, ranked.row, ranked.tier.score(ranked.bm25, best_bm25))?;
        found.push((ranked, section));
    }
    found.sort_by(|(a, in_a), (b, in_b)| {
        a.compare(b).then_with(|| in_a.file.cmp(&in_b.file)).then(a.row.cmp(&b.row))
    });
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, section)| section).collect())
}

/// Every row that a query finds, unordered.
fn ranked_rows(db: &Connection, query: &Query, fts5: &str) -> Result<Vec<RankedRow>> {
    let tiers = tiers(db, query)?;
    let mut rows = db.prepare_cached("SELECT rowid, rank FROM sections WHERE sections MATCH ?1")?;
    let ranked = rows.query_map([fts5], |columns| {
        let row = columns.get(0)?;
        let tier = tiers.get(&row).copied().unwrap_or(MatchTier::Anywhere);
        // In FTS5, the best row has the lowest rank.
        Ok(RankedRow { tier, bm25: -columns.get::<_, f64>(1)?, row })
    })?;
    ranked.collect()
}

/// The tiers of rows, except those in [`MatchTier::Anywhere`].
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
