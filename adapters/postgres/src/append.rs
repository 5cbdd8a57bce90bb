//! Events as rows: many in a statement, each once.

use crate::failure::Trouble;
use crate::link::Work;
use skillc_domain::event::{AccessEvent, inherited_id};
use skillc_domain::team::TeamOrigin;
use skillc_domain::time::{is_log_time, parse_rfc3339};
use sqlx::{Connection, PgConnection, query};
use std::borrow::Cow;

/// Events in a statement: a batch is as a rule one, and one statement cannot wait in a circle with another.
const EVENTS_MAX: usize = 20_000;

/// Bytes in a statement, far below the GiB that a message may have.
const BYTES_MAX: usize = 32 * 1024 * 1024;

/// Bytes of what stands in keys: four of them fit into the 2,704 that an entry of an index may have. A file system gives
/// names of 255.
const NAME_BYTES_MAX: usize = 400;

const INSERT: &str = "
    INSERT INTO skillc.access_event (org_id, machine, event_id, ts, flaws, run_id, command, skill, skill_path, cwd, args,
        error, target, file, section, stamp)
    SELECT $1, $2, e.event_id::uuid, to_timestamp(e.ms::float8 / 1000), e.flaws, e.run_id, e.command, e.skill,
        e.skill_path, e.cwd, e.args, e.error, e.target, e.file, e.section, e.stamp
    FROM UNNEST($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        AS e(event_id, ms, flaws, run_id, command, skill, skill_path, cwd, args, error, target, file, section, stamp)
    ON CONFLICT DO NOTHING";

/// Adds events, all or none, in the order of their ids: who adds the same at the same time then waits at the first of
/// them, and holds nothing that the other wants.
pub struct Append<'a> {
    org: Cow<'a, str>,
    machine: Cow<'a, str>,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    id: Cow<'a, str>,
    ms: i64,
    flaws: i16,
    event: &'a AccessEvent,
}

impl<'a> Append<'a> {
    /// What an origin adds.
    pub fn new(origin: &'a TeamOrigin, events: &'a [AccessEvent]) -> Self {
        let mut rows: Vec<Row<'a>> = events.iter().map(Row::of).collect();
        rows.sort_by(|a, b| a.id.cmp(&b.id));
        Self { org: name(&origin.org), machine: name(&origin.machine), rows }
    }

    async fn insert(&self, db: &mut PgConnection, rows: &[Row<'a>]) -> Result<u64, Trouble> {
        let texts =
            |of: fn(&AccessEvent) -> &String| rows.iter().map(|row| clean(of(row.event))).collect::<Vec<_>>();
        let names =
            |of: fn(&AccessEvent) -> &String| rows.iter().map(|row| name(of(row.event))).collect::<Vec<_>>();
        let options = |of: fn(&AccessEvent) -> &Option<String>| {
            rows.iter().map(|row| of(row.event).as_deref().map(clean)).collect::<Vec<_>>()
        };
        let done = query(INSERT)
            .bind(&*self.org)
            .bind(&*self.machine)
            .bind(rows.iter().map(|row| &*row.id).collect::<Vec<_>>())
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
            .bind(rows.iter().map(Row::stamp).collect::<Vec<_>>())
            .execute(db)
            .await?;
        Ok(done.rows_affected())
    }
}

impl Work for Append<'_> {
    type Done = u64;

    async fn run(&self, db: &mut PgConnection) -> Result<u64, Trouble> {
        let first = portion(&self.rows);
        if first.len() == self.rows.len() {
            return self.insert(db, first).await;
        }
        let mut transaction = db.begin().await?;
        let (mut rest, mut new) = (&self.rows[..], 0);
        while !rest.is_empty() {
            let next = portion(rest);
            new += self.insert(&mut transaction, next).await?;
            rest = &rest[next.len()..];
        }
        transaction.commit().await?;
        Ok(new)
    }
}

/// The rows of the next statement, one at least.
fn portion<'r, 'a>(rows: &'r [Row<'a>]) -> &'r [Row<'a>] {
    let mut bytes = 0;
    let fits = rows.iter().take(EVENTS_MAX).take_while(|row| {
        let is_first = bytes == 0;
        bytes += row.bytes();
        is_first || bytes <= BYTES_MAX
    });
    &rows[..fits.count()]
}

impl<'a> Row<'a> {
    fn of(event: &'a AccessEvent) -> Self {
        let is_unreadable = event.flaws.timestamp || !is_log_time(&event.timestamp);
        let at_ms = parse_rfc3339(&event.timestamp).filter(|_| !is_unreadable).map(|at| at / 1_000_000);
        let id = match is_uuid(&event.event_id) {
            true => Cow::Borrowed(event.event_id.as_str()),
            false => Cow::Owned(id_of_text(&event.event_id)),
        };
        let ms = at_ms.unwrap_or_else(|| ms_of_id(&id));
        let flaws = i16::from(event.flaws.args) | i16::from(is_unreadable) << 1;
        Self { id, ms, flaws, event }
    }

    /// The time as it was written, where it cannot be read.
    fn stamp(&self) -> Option<Cow<'a, str>> {
        (self.flaws & 2 == 2).then(|| clean(&self.event.timestamp))
    }

    fn bytes(&self) -> usize {
        let event = self.event;
        let texts = [&event.run_id, &event.command, &event.skill, &event.skill_path, &event.cwd, &event.args];
        let options = [&event.error, &event.target, &event.file, &event.section];
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let fixed = 128 + event.timestamp.len();
        fixed + texts.iter().map(|t| t.len()).sum::<usize>() + options.map(length).iter().sum::<usize>()
    }
}

/// Whether a text is `8-4-4-4-12` hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let is_in_place = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_in_place)
}

/// The same id for the same text, in place of one that is none.
fn id_of_text(text: &str) -> String {
    inherited_id(&AccessEvent { args: text.to_owned(), ..AccessEvent::default() }, 0, 0)
}

/// The 48 bits of a UUIDv7 that are its time.
fn ms_of_id(id: &str) -> i64 {
    let digits = id.get(..8).zip(id.get(9..13));
    digits.and_then(|(high, low)| i64::from_str_radix(&format!("{high}{low}"), 16).ok()).unwrap_or_default()
}

/// A text that PostgreSQL can hold: U+FFFD stands for NUL.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// A text that an index can hold.
pub fn name(text: &str) -> Cow<'_, str> {
    let cut = &text[..text.floor_char_boundary(NAME_BYTES_MAX)];
    let cut = if cut.len() < text.len() { Cow::Owned(format!("{cut}…")) } else { Cow::Borrowed(cut) };
    if cut.contains('\0') { Cow::Owned(cut.replace('\0', "\u{fffd}")) } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_id_gets_one_of_its_own() {
        assert!(is_uuid("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"));
        for text in ["", "e1", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5", "0190a1b2_c3d4-7e5f-8a9b-0c1d2e3f4a5b"]
        {
            assert!(!is_uuid(text) && is_uuid(&id_of_text(text)), "{text}");
        }
        assert_eq!(id_of_text("e1"), id_of_text("e1"));
        assert_ne!(id_of_text("e1"), id_of_text("e2"));
    }

    #[test]
    fn an_unreadable_time_is_that_within_the_id() {
        let event = AccessEvent {
            event_id: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".to_owned(),
            timestamp: "yesterday".to_owned(),
            ..AccessEvent::default()
        };
        let row = Row::of(&event);
        assert_eq!((row.ms, row.flaws, row.stamp().as_deref()), (1_645_557_742_000, 2, Some("yesterday")));
        let event = AccessEvent { timestamp: "1970-01-01T00:00:02Z".to_owned(), ..event };
        let row = Row::of(&event);
        assert_eq!((row.ms, row.flaws, row.stamp()), (2_000, 0, None));
    }

    #[test]
    fn names_are_cut_between_characters_and_hold_no_nul() {
        assert_eq!(name("a\0b"), "a\u{fffd}b");
        let long = "ü".repeat(300);
        assert_eq!(name(&long), format!("{}…", "ü".repeat(200)));
        assert_eq!(name(&"x".repeat(400)).len(), 400);
        assert_eq!(clean("\0"), "\u{fffd}");
    }

    #[test]
    fn a_large_batch_is_parted_by_number_and_by_size() {
        let small = AccessEvent::default();
        let large = AccessEvent { args: "x".repeat(BYTES_MAX), ..AccessEvent::default() };
        let rows: Vec<_> = (0..=EVENTS_MAX).map(|_| Row::of(&small)).collect();
        assert_eq!(portion(&rows).len(), EVENTS_MAX);
        let rows = [Row::of(&large), Row::of(&small)];
        assert_eq!(portion(&rows).len(), 1);
        assert_eq!(portion(&rows[1..]).len(), 1);
    }
}
