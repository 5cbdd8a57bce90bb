//! Ids of rows that were logged without one.

use super::select::{event, from_base, text};
use rusqlite::Connection;
use skillc_domain::event::{AccessEvent, inherited_id};
use skillc_domain::time::{is_log_time, parse_rfc3339};
use skillc_ports::{LoggedEvent, Position};
use std::collections::{HashMap, HashSet};

/// Rows after a place that have no id, at most `limit`, with the ids that they get.
pub fn missing(db: &Connection, after: Position, limit: u32) -> rusqlite::Result<Vec<LoggedEvent>> {
    let sql = format!("{} WHERE id > ?1 AND event_id IS NULL ORDER BY id LIMIT ?2", from_base("NULL"));
    let mut page: Vec<LoggedEvent> =
        db.prepare(&sql)?.query_map((after, limit), event)?.collect::<Result<_, _>>()?;
    give(db, true, &mut page)?;
    Ok(page)
}

/// Gives ids to those of a page, in its order, that have none (the empty text). The page holds every row without id
/// between its first and its last. `has_ids` says whether the table has the column at all.
pub fn give(db: &Connection, has_ids: bool, page: &mut [LoggedEvent]) -> rusqlite::Result<()> {
    let without: Vec<&AccessEvent> =
        page.iter().map(|row| &row.event).filter(|e| e.event_id.is_empty()).collect();
    let (Some(first), false) = (page.first().map(|row| row.position), without.is_empty()) else {
        return Ok(());
    };
    let mut heirs = Heirs::of(db, has_ids, &without)?;
    heirs.pass_those_before(first, &without)?;
    for row in page {
        if let Some(id) = heirs.pass(&row.event)? {
            row.event.event_id = id;
        }
    }
    Ok(())
}

/// The id of an event that was the first of its equals.
fn numbered(event: &AccessEvent, number: u64) -> String {
    let at = parse_rfc3339(&event.timestamp).filter(|_| is_log_time(&event.timestamp));
    inherited_id(event, at.unwrap_or_default(), number)
}

/// How far the equals of an event are counted.
#[derive(Default)]
struct Count {
    /// Those that were passed.
    before: u64,
    /// The least number that none of them got here.
    free: u64,
}

/// Counts equal events in the order of the table. Equal are those that would get the same id.
struct Heirs<'a> {
    db: &'a Connection,
    has_ids: bool,
    counts: HashMap<String, Count>,
    given: HashSet<String>,
}

impl<'a> Heirs<'a> {
    fn of(db: &'a Connection, has_ids: bool, events: &[&AccessEvent]) -> rusqlite::Result<Self> {
        let counts = events.iter().map(|event| (numbered(event, 0), Count::default())).collect();
        Ok(Self { db, has_ids, counts, given: HashSet::new() })
    }

    /// Equal events have one time, so that others are not even read.
    fn pass_those_before(&mut self, first: Position, events: &[&AccessEvent]) -> rusqlite::Result<()> {
        let times = || events.iter().map(|event| event.timestamp.as_str());
        let id = if self.has_ids { "event_id" } else { "NULL" };
        let sql = format!(
            "{} WHERE id < ?1 AND ifnull(CAST(timestamp AS TEXT), '') BETWEEN ?2 AND ?3 ORDER BY id",
            from_base(id)
        );
        let mut earlier = self.db.prepare(&sql)?;
        let mut rows = earlier.query((first, times().min(), times().max()))?;
        while let Some(row) = rows.next()? {
            self.pass(&event(row)?.event)?;
        }
        Ok(())
    }

    /// Counts an event, and says which id it gets if it has none.
    fn pass(&mut self, event: &AccessEvent) -> rusqlite::Result<Option<String>> {
        let Some(count) = self.counts.get_mut(&numbered(event, 0)) else { return Ok(None) };
        let mut number = count.before.max(count.free);
        count.before += 1;
        if !event.event_id.is_empty() {
            return Ok(None);
        }
        let mut id = numbered(event, number);
        while self.given.contains(&id) || is_taken(self.db, self.has_ids, &id)? {
            number += 1;
            id = numbered(event, number);
        }
        count.free = number + 1;
        self.given.insert(id.clone());
        Ok(Some(id))
    }
}

fn is_taken(db: &Connection, has_ids: bool, id: &str) -> rusqlite::Result<bool> {
    if !has_ids {
        return Ok(false);
    }
    let mut ask = db.prepare_cached("SELECT event_id FROM access_log WHERE event_id = ?1")?;
    let mut found = ask.query([id])?;
    Ok(found.next()?.map(|row| text(row, 0)).transpose()?.is_some())
}
