//! The content of an access log in memory.

use skillc_domain::event::AccessEvent;
use skillc_ports::{LogPosition, LoggedEvent};
use std::collections::BTreeMap;

/// The rows of a log, and the position up to which each team store has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogContent {
    pub(crate) rows: Vec<LoggedEvent>,
    last: LogPosition,
    pub(crate) acknowledged: BTreeMap<String, LogPosition>,
}

impl LogContent {
    /// Appends the events whose id is new; returns how many.
    pub(crate) fn add(&mut self, events: &[AccessEvent]) -> u64 {
        let before = self.rows.len();
        for event in events {
            if !self.rows.iter().any(|row| row.event.event_id == event.event_id) {
                self.last += 1;
                self.rows.push(LoggedEvent { position: self.last, event: event.clone() });
            }
        }
        (self.rows.len() - before) as u64
    }

    /// All events in append order.
    pub(crate) fn events(&self) -> impl Iterator<Item = &AccessEvent> {
        self.rows.iter().map(|row| &row.event)
    }

    pub(crate) fn after(&self, after: LogPosition) -> impl Iterator<Item = &LoggedEvent> {
        self.rows.iter().filter(move |row| row.position > after)
    }
}
