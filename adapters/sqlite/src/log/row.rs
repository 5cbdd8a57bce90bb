//! Converts rows to events, whatever other programs wrote into them.

use super::columns::BASE;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use skillc_domain::event::{AccessEvent, EventId, EventTime};
use skillc_ports::LoggedEvent;

/// Selects the columns of `event` from a table that may have only the base columns; `event_id` is an SQL expression.
pub fn from_base(event_id: &str) -> String {
    format!("SELECT id, {event_id}, {}, NULL, NULL, NULL, 0 FROM access_log", BASE.join(", "))
}

/// Selects the columns of `event` from rows that contain all of them.
pub fn from_rows(rows: &str) -> String {
    format!("SELECT id, event_id, {}, target, file, section, flaws FROM {rows}", BASE.join(", "))
}

/// Converts a row to an event.
pub fn event(row: &Row<'_>) -> rusqlite::Result<LoggedEvent> {
    let always = |at| Ok::<_, rusqlite::Error>(text(row, at)?.unwrap_or_default());
    let flaws: i64 = row.get(13)?;
    let timestamp = match always(2)? {
        text if flaws & 2 != 0 => EventTime::Unreadable(text),
        text => EventTime::from(text.as_str()),
    };
    let event = AccessEvent {
        event_id: EventId::from(always(1)?.as_str()),
        timestamp,
        run_id: always(3)?,
        command: always(4)?,
        skill: always(5)?,
        skill_path: always(6)?,
        cwd: always(7)?,
        args: always(8)?,
        error: text(row, 9)?,
        target: text(row, 10)?,
        file: text(row, 11)?,
        section: text(row, 12)?,
        has_invalid_args: flaws & 1 != 0,
        is_partial: flaws & 4 != 0,
        is_without_hit: flaws & 8 != 0,
        is_supplement: flaws & 16 != 0,
    };
    Ok(LoggedEvent { position: row.get(0)?, event })
}

/// Any value as text, `None` for null: SQLite stores any type in any column, and text need not be UTF-8.
pub fn text(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    })
}

/// A value if it is valid text, so that SQL can compare it.
pub fn valid_text(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(at)? {
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
        _ => None,
    })
}

/// The value of the column `flaws`.
pub fn flaws(event: &AccessEvent) -> i64 {
    i64::from(event.has_invalid_args)
        | i64::from(event.timestamp.known().is_none()) << 1
        | i64::from(event.is_partial) << 2
        | i64::from(event.is_without_hit) << 3
        | i64::from(event.is_supplement) << 4
}

/// A count; negative numbers count as 0.
pub fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(|number| u64::try_from(number).unwrap_or_default())
}
