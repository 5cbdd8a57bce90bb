//! Assigns ids to all rows of a log in one pass.

use super::legacy_ids::EqualEvents;
use super::read::{LogLayout, LogSnapshot};
use super::row::text;
use skillc_domain::event::EventId;
use skillc_ports::LoggedEvent;
use std::collections::{HashMap, HashSet};

/// Assigns ids to all rows of a log in one pass from the first row on, with the same results as `legacy_ids::assign`.
#[derive(Default)]
pub struct StreamedIds {
    /// The ids that rows of the log already have.
    existing: HashSet<EventId>,
    counts: HashMap<u128, EqualEvents>,
}

impl StreamedIds {
    /// For the rows of this log.
    pub fn of(log: &LogSnapshot) -> rusqlite::Result<Self> {
        let mut existing = HashSet::new();
        if matches!(log.layout, LogLayout::Current | LogLayout::Other { has_ids: true, .. }) {
            let mut ids = log.db.prepare("SELECT event_id FROM access_log WHERE event_id IS NOT NULL")?;
            let mut rows = ids.query([])?;
            while let Some(row) = rows.next()? {
                existing.insert(EventId::from(text(row, 0)?.unwrap_or_default().as_str()));
            }
        }
        Ok(Self { existing, counts: HashMap::new() })
    }

    /// Assigns ids to the next rows of the log.
    pub fn assign(&mut self, mut page: Vec<LoggedEvent>) -> Vec<LoggedEvent> {
        for row in &mut page {
            let first = EventId::derived(&row.event, 0);
            let count = self.counts.entry(first.to_uuid()).or_default();
            let mut number = count.seen.max(count.free);
            count.seen += 1;
            if row.event.event_id != EventId::Missing {
                continue;
            }
            let mut id = if number == 0 { first } else { EventId::derived(&row.event, number) };
            while self.existing.contains(&id) {
                number += 1;
                id = EventId::derived(&row.event, number);
            }
            count.free = number + 1;
            row.event.event_id = id;
        }
        page
    }
}
