//! Measures how many events per second a server accepts, compared with a plain insert of the same rows; also how
//! large they are there, and how long queries take.
//!
//! `cargo run --release -p skillc-postgres --example ingest -- URL EVENTS`, on an empty database, which it fills.

use skillc_domain::event::{AccessEvent, EventId};
use skillc_domain::team::TeamOrigin;
use skillc_domain::time::{Timestamp, rfc3339};
use skillc_domain::usage::{Grouping, SkillFilter, UsageFilter, UsageQuery};
use skillc_ports::{AccessLog, TeamStore};
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use sqlx::{Connection, Executor, PgConnection, Row, raw_sql};
use std::error::Error;
use std::time::{Duration, Instant};

/// Number of events of a developer per day, and of developers who share the store.
const EVENTS_A_DAY: u64 = 300;
const MACHINES: u64 = 50;

/// The last day with events, 2026-11-20.
const LAST_DAY_S: i64 = 1_795_132_800;

const BARE: &str = "
    CREATE SCHEMA IF NOT EXISTS bare;
    DROP TABLE IF EXISTS bare.event;
    CREATE TABLE bare.event (ts timestamptz NOT NULL, event_id uuid NOT NULL, flaws smallint NOT NULL, org_id text,
        machine text, run_id text, command text, skill text, skill_path text, cwd text, args text, error text,
        target text, file text, section text, stamp text, PRIMARY KEY (org_id, event_id, ts))";

const BARE_INSERT: &str = "
    INSERT INTO bare.event (org_id, machine, event_id, ts, flaws, run_id, command, skill, skill_path, cwd, args, error,
        target, file, section)
    SELECT $1, $2, e.id::uuid, e.ts::timestamptz, 0, e.run_id, e.command, e.skill, e.skill_path, e.cwd, e.args, e.error,
        e.target, e.file, e.section
    FROM UNNEST($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        AS e(id, ts, run_id, command, skill, skill_path, cwd, args, error, target, file, section)
    ON CONFLICT DO NOTHING";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut given = std::env::args().skip(1);
    let url = given.next().ok_or("a URL is needed")?;
    let events: u64 = given.next().ok_or("a number of events is needed")?.parse()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(&url, events))
}

async fn measure(url: &str, events: u64) -> Outcome<()> {
    let store = PostgresTeamStore::new(PostgresSettings::new(url));
    store.init().await?;
    let mut db = PgConnection::connect(url).await?;
    println!("{:>8} {:>14} {:>14} {:>7} {:>14}", "batch", "events/s", "bare rows/s", "ratio", "replayed/s");
    for (turn, batch) in (0..).zip([1_000, 5_000]) {
        let base = turn * events;
        let batches =
            || (base..base + events).step_by(batch).map(|first| of_one_machine(first, batch as u64));
        let (mut ours, mut bare, mut again) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        db.execute(raw_sql(BARE)).await?;
        // Alternates, so that other load on the machine affects both.
        for (machine, rows) in batches() {
            bare += timed(insert_bare(&mut db, &machine, &rows)).await?;
            ours += timed(append(&store, &machine, &rows, batch as u64)).await?;
        }
        for (machine, rows) in batches() {
            again += timed(append(&store, &machine, &rows, 0)).await?;
        }
        let rate = |took: Duration| events as f64 / took.as_secs_f64();
        let ratio = rate(ours) / rate(bare);
        println!("{batch:>8} {:>14.0} {:>14.0} {ratio:>7.2} {:>14.0}", rate(ours), rate(bare), rate(again));
    }
    one_by_one(url, 2 * events).await?;
    sizes(&mut db).await?;
    questions(&store).await?;
    Ok(())
}

/// Connects once per event, like commands that log directly to the server.
async fn one_by_one(url: &str, base: u64) -> Outcome<()> {
    let mut took = Vec::new();
    for n in 0..200 {
        let (machine, rows) = of_one_machine(base + n, 1);
        let store = PostgresTeamStore::new(PostgresSettings::new(url));
        took.push(timed(append(&store, &machine, &rows, 1)).await?);
    }
    took.sort();
    println!("one event with its connection: median {:.1} ms", took[100].as_secs_f64() * 1_000.0);
    Ok(())
}

async fn timed(work: impl Future<Output = Outcome<()>>) -> Outcome<Duration> {
    let begun = Instant::now();
    work.await?;
    Ok(begun.elapsed())
}

async fn append(store: &PostgresTeamStore, machine: &str, rows: &[AccessEvent], new: u64) -> Outcome<()> {
    let log = store.log(&TeamOrigin { org: "acme".to_owned(), machine: machine.to_owned() });
    let done = log.append(rows).await?;
    if done == new { Ok(()) } else { Err(format!("{done} were new, not {new}").into()) }
}

async fn insert_bare(db: &mut PgConnection, machine: &str, rows: &[AccessEvent]) -> Outcome<()> {
    let texts = |of: fn(&AccessEvent) -> &String| rows.iter().map(|e| of(e).as_str()).collect::<Vec<_>>();
    let options =
        |of: fn(&AccessEvent) -> &Option<String>| rows.iter().map(|e| of(e).as_deref()).collect::<Vec<_>>();
    let done = sqlx::query(BARE_INSERT)
        .bind("acme")
        .bind(machine)
        .bind(rows.iter().map(|e| e.event_id.to_string()).collect::<Vec<_>>())
        .bind(rows.iter().map(|e| e.timestamp.to_string()).collect::<Vec<_>>())
        .bind(texts(|e| &e.run_id))
        .bind(texts(|e| &e.command))
        .bind(texts(|e| &e.skill))
        .bind(texts(|e| &e.skill_path))
        .bind(texts(|e| &e.cwd))
        .bind(texts(|e| &e.args))
        .bind(options(|e| &e.error))
        .bind(options(|e| &e.target))
        .bind(options(|e| &e.file))
        .bind(options(|e| &e.section))
        .execute(db)
        .await?;
    if done.rows_affected() == rows.len() as u64 { Ok(()) } else { Err("rows are missing".into()) }
}

/// A batch of one machine: the events of a developer on several days. Machines alternate, and days advance.
fn of_one_machine(first: u64, length: u64) -> (String, Vec<AccessEvent>) {
    let machine = first / length % MACHINES;
    let round = first / length / MACHINES;
    let event = |n: u64| {
        let order = round * length + n;
        let (day, of_day) = (order / EVENTS_A_DAY, order % EVENTS_A_DAY);
        let at_s = LAST_DAY_S - 86_400 * (59 - day % 60) as i64 + 30_000 + 90 * of_day as i64;
        event(first + n, at_s, (order * 2_654_435_761) >> 7)
    };
    (format!("machine-{machine:02}.example.org"), (0..length).map(event).collect())
}

/// Half of all events are `show`; of each skill, about ten sections are read.
fn event(number: u64, at_s: i64, chance: u64) -> AccessEvent {
    let at = at_s * 1_000_000_000;
    let skill = format!("skill-{:02}", chance % 8);
    let command = ["show", "show", "search", "outline", "open", "show"][(chance / 8 % 6) as usize];
    let heading = format!("How to do number {}", chance / 64 % 10);
    let is_read = command == "show";
    AccessEvent {
        event_id: EventId::new(
            at,
            u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835),
        ),
        timestamp: rfc3339(at).as_str().into(),
        run_id: format!("20261120T083000Z-{:04x}", number / 40 % 65_536),
        command: command.to_owned(),
        skill_path: format!("/home/developer/project/.skillc/skills/{skill}"),
        skill,
        cwd: format!("/home/developer/project-{}", chance / 640 % 5),
        args: format!("{{\"section\":\"{heading}\",\"max_lines\":null}}"),
        error: (chance.is_multiple_of(29)).then(|| format!("error[E020]: section not found: '{heading}'")),
        target: (command != "outline").then(|| heading.clone()),
        file: (is_read || command == "open").then(|| "SKILL.md".to_owned()),
        section: is_read.then_some(heading),
        ..AccessEvent::default()
    }
}

async fn sizes(db: &mut PgConnection) -> Outcome<()> {
    let sql = "
        WITH part AS (SELECT inhrelid AS id FROM pg_inherits WHERE inhparent = 'skillc.access_event'::regclass)
        SELECT 'events' AS what, (SELECT count(*) FROM skillc.access_event) AS rows,
            sum(pg_table_size(id))::bigint AS heap, sum(pg_indexes_size(id))::bigint AS index FROM part
        UNION ALL SELECT 'usage_daily', (SELECT count(*) FROM skillc.usage_daily),
            pg_table_size('skillc.usage_daily'), pg_indexes_size('skillc.usage_daily')
        UNION ALL SELECT 'section_daily', (SELECT count(*) FROM skillc.section_daily),
            pg_table_size('skillc.section_daily'), pg_indexes_size('skillc.section_daily')";
    println!("{:>14} {:>10} {:>12} {:>12}", "table", "rows", "heap B/row", "index B/row");
    for row in db.fetch_all(raw_sql(sql)).await? {
        let (what, rows): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        let a_row = |column: usize| row.try_get::<i64, _>(column).map(|bytes| bytes as f64 / rows as f64);
        println!("{what:>14} {rows:>10} {:>12.0} {:>12.0}", a_row(2)?, a_row(3)?);
    }
    Ok(())
}

async fn questions(store: &PostgresTeamStore) -> Outcome<()> {
    let log = store.log(&TeamOrigin { org: "acme".to_owned(), machine: "z".to_owned() });
    let month = UsageFilter {
        since: Timestamp::parse("2026-10-21T09:00:00Z"),
        until: Timestamp::parse("2026-11-20T09:00:00Z"),
        ..UsageFilter::default()
    };
    let skill = UsageFilter { skill: SkillFilter::Name("skill-03".to_owned()), ..UsageFilter::default() };
    for (name, filter) in [("all", UsageFilter::default()), ("30 days", month), ("a skill", skill)] {
        for grouping in Grouping::ALL {
            let query = UsageQuery { grouping, filter: filter.clone() };
            let mut best = Duration::MAX;
            for _ in 0..3 {
                best = best.min(timed(ask(&*log, &query)).await?);
            }
            println!("{name:>8} {:>9} {:>9.1} ms", grouping.word(), best.as_secs_f64() * 1_000.0);
        }
    }
    Ok(())
}

async fn ask(log: &dyn AccessLog, query: &UsageQuery) -> Outcome<()> {
    log.usage(query).await?;
    Ok(())
}
