//! Assigns ids to rows that were logged without one.

use super::row::{event, from_base, text};
use rusqlite::Connection;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_ports::{LogPosition, LoggedEvent};
use std::collections::{HashMap, HashSet};

/// Reads rows without an id after a position, and assigns ids to them.
pub fn rows_without_id(
    db: &Connection,
    after: LogPosition,
    limit: u32,
) -> rusqlite::Result<Vec<LoggedEvent>> {
    let sql = format!("{} WHERE id > ?1 AND event_id IS NULL ORDER BY id LIMIT ?2", from_base("NULL"));
    let mut page: Vec<LoggedEvent> =
        db.prepare(&sql)?.query_map((after, limit), event)?.collect::<Result<_, _>>()?;
    assign(db, true, &mut page)?;
    Ok(page)
}

/// Assigns ids to the events of a page that lack one. The page must contain every such row between its first and last
/// position. `has_ids` says whether the table has the column.
pub fn assign(db: &Connection, has_ids: bool, page: &mut [LoggedEvent]) -> rusqlite::Result<()> {
    let without: Vec<&AccessEvent> =
        page.iter().map(|row| &row.event).filter(|e| e.event_id == EventId::Missing).collect();
    let (Some(first), false) = (page.first().map(|row| row.position), without.is_empty()) else {
        return Ok(());
    };
    let mut ids = IdAssigner::of(db, has_ids, &without)?;
    ids.count_before(first, &without)?;
    for row in page {
        if let Some(id) = ids.next(&row.event)? {
            row.event.event_id = id;
        }
    }
    Ok(())
}

/// The state for a group of equal events.
#[derive(Default)]
pub struct EqualEvents {
    /// Number of equal events seen so far.
    pub seen: u64,
    /// The lowest number not assigned yet.
    pub free: u64,
}

/// Numbers equal events in table order. Events are equal if they would get the same id.
struct IdAssigner<'a> {
    db: &'a Connection,
    has_ids: bool,
    counts: HashMap<EventId, EqualEvents>,
    assigned: HashSet<EventId>,
}

impl<'a> IdAssigner<'a> {
    fn of(db: &'a Connection, has_ids: bool, events: &[&AccessEvent]) -> rusqlite::Result<Self> {
        let counts =
            events.iter().map(|event| (EventId::derived(event, 0), EqualEvents::default())).collect();
        Ok(Self { db, has_ids, counts, assigned: HashSet::new() })
    }

    /// Counts the equal events before the page. Equal events have the same timestamp, so only rows with it are read.
    fn count_before(&mut self, first: LogPosition, events: &[&AccessEvent]) -> rusqlite::Result<()> {
        let times: Vec<String> = events.iter().map(|event| event.timestamp.to_string()).collect();
        let id = if self.has_ids { "event_id" } else { "NULL" };
        let sql = format!(
            "{} WHERE id < ?1 AND ifnull(CAST(timestamp AS TEXT), '') BETWEEN ?2 AND ?3 ORDER BY id",
            from_base(id)
        );
        let mut earlier = self.db.prepare(&sql)?;
        let mut rows = earlier.query((first, times.iter().min(), times.iter().max()))?;
        while let Some(row) = rows.next()? {
            self.next(&event(row)?.event)?;
        }
        Ok(())
    }

    /// Counts an event; returns a new id if it has none.
    fn next(&mut self, event: &AccessEvent) -> rusqlite::Result<Option<EventId>> {
        let Some(count) = self.counts.get_mut(&EventId::derived(event, 0)) else { return Ok(None) };
        let mut number = count.seen.max(count.free);
        count.seen += 1;
        if event.event_id != EventId::Missing {
            return Ok(None);
        }
        let mut id = EventId::derived(event, number);
        while self.assigned.contains(&id) || is_taken(self.db, self.has_ids, &id)? {
            number += 1;
            id = EventId::derived(event, number);
        }
        count.free = number + 1;
        self.assigned.insert(id.clone());
        Ok(Some(id))
    }
}

fn is_taken(db: &Connection, has_ids: bool, id: &EventId) -> rusqlite::Result<bool> {
    if !has_ids {
        return Ok(false);
    }
    let mut ask = db.prepare_cached("SELECT event_id FROM access_log WHERE event_id = ?1")?;
    let mut found = ask.query([id.to_string()])?;
    Ok(found.next()?.map(|row| text(row, 0)).transpose()?.is_some())
}
