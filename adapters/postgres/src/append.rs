//! Appends events: many rows per statement, each event once.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::{index_key, storable};
use skillc_domain::event::{AccessEvent, EventId, EventTime};
use skillc_domain::team::TeamOrigin;
use sqlx::{Connection, PgConnection, query};
use std::borrow::Cow;

/// Number of events in one statement: enough for a usual batch. A single statement cannot deadlock with another.
const EVENTS_MAX: usize = 20_000;

/// Maximum size in bytes of one statement, far below the protocol's limit of 1 GiB.
const BYTES_MAX: usize = 32 * 1024 * 1024;

const INSERT: &str = "
    INSERT INTO skillc.access_event (org_id, machine, event_id, ts, flaws, run_id, command, skill, skill_path, cwd, args,
        error, target, file, section, stamp)
    SELECT $1, $2, e.event_id::uuid, to_timestamp(e.ms::float8 / 1000), e.flaws, e.run_id, e.command, e.skill,
        e.skill_path, e.cwd, e.args, e.error, e.target, e.file, e.section, e.stamp
    FROM UNNEST($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        AS e(event_id, ms, flaws, run_id, command, skill, skill_path, cwd, args, error, target, file, section, stamp)
    ON CONFLICT DO NOTHING";

/// Appends events, all or none. Rows are sorted by id, so that concurrent writers of the same events cannot deadlock.
/// Returns how many were new.
pub struct AppendEvents<'a> {
    org: Cow<'a, str>,
    machine: Cow<'a, str>,
    rows: Vec<EventRow<'a>>,
}

struct EventRow<'a> {
    id: u128,
    ms: i64,
    flaws: i16,
    event: &'a AccessEvent,
}

impl<'a> AppendEvents<'a> {
    pub fn new(origin: &'a TeamOrigin, events: &'a [AccessEvent]) -> Self {
        let mut rows: Vec<EventRow<'a>> = events.iter().map(EventRow::of).collect();
        rows.sort_by_key(|row| row.id);
        Self { org: index_key(&origin.org), machine: index_key(&origin.machine), rows }
    }

    async fn insert(&self, db: &mut PgConnection, rows: &[EventRow<'a>]) -> Result<u64, QueryError> {
        let texts = |of: fn(&AccessEvent) -> &String| {
            rows.iter().map(|row| storable(of(row.event))).collect::<Vec<_>>()
        };
        let names = |of: fn(&AccessEvent) -> &String| {
            rows.iter().map(|row| index_key(of(row.event))).collect::<Vec<_>>()
        };
        let options = |of: fn(&AccessEvent) -> &Option<String>| {
            rows.iter().map(|row| of(row.event).as_deref().map(storable)).collect::<Vec<_>>()
        };
        let inserted = query(INSERT)
            .bind(&*self.org)
            .bind(&*self.machine)
            .bind(rows.iter().map(|row| EventId::Uuid(row.id).to_string()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.ms).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.flaws).collect::<Vec<_>>())
            .bind(texts(|event| &event.run_id))
            .bind(names(|event| &event.command))
            .bind(names(|event| &event.skill))
            .bind(texts(|event| &event.skill_path))
            .bind(texts(|event| &event.cwd))
            .bind(texts(|event| &event.args))
            .bind(options(|event| &event.error))
            .bind(options(|event| &event.target))
            .bind(options(|event| &event.file))
            .bind(options(|event| &event.section))
            .bind(rows.iter().map(EventRow::stamp).collect::<Vec<_>>())
            .execute(db)
            .await?;
        Ok(inserted.rows_affected())
    }
}

impl ServerQuery for AppendEvents<'_> {
    type Output = u64;

    async fn run(&self, db: &mut PgConnection) -> Result<u64, QueryError> {
        let first = next_batch(&self.rows);
        if first.len() == self.rows.len() {
            return self.insert(db, first).await;
        }
        let mut transaction = db.begin().await?;
        let (mut rest, mut new) = (&self.rows[..], 0);
        while !rest.is_empty() {
            let next = next_batch(rest);
            new += self.insert(&mut transaction, next).await?;
            rest = &rest[next.len()..];
        }
        transaction.commit().await?;
        Ok(new)
    }
}

/// The rows of the next statement; at least one.
fn next_batch<'r, 'a>(rows: &'r [EventRow<'a>]) -> &'r [EventRow<'a>] {
    let mut bytes = 0;
    let fits = rows.iter().take(EVENTS_MAX).take_while(|row| {
        let is_first = bytes == 0;
        bytes += row.bytes();
        is_first || bytes <= BYTES_MAX
    });
    &rows[..fits.count()]
}

impl<'a> EventRow<'a> {
    fn of(event: &'a AccessEvent) -> Self {
        let id = event.event_id.to_uuid();
        let known = event.timestamp.known();
        // The first 48 bits of a UUIDv7 are its time.
        let ms = known.map_or((id >> 80) as i64, |at| at.unix_s() * 1_000);
        let flaws = i16::from(event.has_invalid_args)
            | i16::from(known.is_none()) << 1
            | i16::from(event.is_partial) << 2
            | i16::from(event.is_without_hit) << 3;
        Self { id, ms, flaws, event }
    }

    /// The original timestamp, if it is invalid.
    fn stamp(&self) -> Option<Cow<'a, str>> {
        match &self.event.timestamp {
            EventTime::At(_) => None,
            EventTime::Unreadable(text) => Some(storable(text)),
        }
    }

    fn bytes(&self) -> usize {
        let event = self.event;
        let texts = [&event.run_id, &event.command, &event.skill, &event.skill_path, &event.cwd, &event.args];
        let options = [&event.error, &event.target, &event.file, &event.section];
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let fixed = 128 + self.stamp().map_or(0, |text| text.len());
        fixed + texts.iter().map(|t| t.len()).sum::<usize>() + options.map(length).iter().sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_timestamp_is_replaced_by_that_of_the_id() {
        let event = AccessEvent {
            event_id: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".into(),
            timestamp: "yesterday".into(),
            ..AccessEvent::default()
        };
        let row = EventRow::of(&event);
        assert_eq!((row.ms, row.flaws, row.stamp().as_deref()), (1_645_557_742_000, 2, Some("yesterday")));
        let event = AccessEvent { timestamp: "1970-01-01T00:00:02Z".into(), ..event };
        let row = EventRow::of(&event);
        assert_eq!((row.ms, row.flaws, row.stamp()), (2_000, 0, None));
    }

    #[test]
    fn a_large_batch_is_split_by_number_and_by_size() {
        let small = AccessEvent::default();
        let large = AccessEvent { args: "x".repeat(BYTES_MAX), ..AccessEvent::default() };
        let rows: Vec<_> = (0..=EVENTS_MAX).map(|_| EventRow::of(&small)).collect();
        assert_eq!(next_batch(&rows).len(), EVENTS_MAX);
        let rows = [EventRow::of(&large), EventRow::of(&small)];
        assert_eq!(next_batch(&rows).len(), 1);
        assert_eq!(next_batch(&rows[1..]).len(), 1);
    }
}
