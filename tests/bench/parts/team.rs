//! A team's store on a server on this machine: appending events, compared with the simplest insert that the server
//! can do.

use crate::args::Args;
use crate::corpus;
use crate::events::{Events, SECOND, Times};
use crate::parts::team_find;
use crate::process::seconds;
use crate::raw_log;
use crate::series::Pairs;
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use cluster::{Cluster, Database};
use skillc_domain::event::AccessEvent;
use skillc_domain::team::TeamOrigin;
use skillc_ports::{AccessLog, TeamStore};
use sqlx::{Connection, PgConnection, query};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

#[path = "../../it/postgres/cluster.rs"]
#[expect(dead_code, reason = "tests ask more of a server")]
pub mod cluster;

/// Numbers of events in a statement.
const BATCHES: [u64; 2] = [1_000, 5_000];
/// Number of events in a round, in such batches.
const ROUND: u64 = 20_000;
/// Number of events that a sync sends.
const SENT: u64 = 100_000;
/// Batch size of a sync.
const SENT_BATCH: u64 = 5_000;
/// Allowed factor relative to the bare insert: at least half its speed.
const BARE_TIMES: f64 = 2.0;

/// Keeps all inserted data in memory, without checkpoints. Nothing is made durable, which benefits the bare insert
/// more.
const SETTINGS: &str =
    "shared_buffers = 256MB\nmax_wal_size = 4GB\ncheckpoint_timeout = 1h\nautovacuum = off";

/// Only the columns and the key of the events.
const BARE: &str = "
    CREATE TABLE public.bare (LIKE skillc.access_event);
    ALTER TABLE public.bare ADD PRIMARY KEY (org_id, event_id, ts)";
const BARE_INSERT: &str = "
    INSERT INTO public.bare (org_id, machine, event_id, ts, flaws, run_id, command, skill, skill_path, cwd, args,
        error, target, file, section, stamp)
    SELECT $1, $2, e.event_id::uuid, to_timestamp(e.ms::float8 / 1000), 0, e.run_id, e.command, e.skill,
        e.skill_path, e.cwd, e.args, e.error, e.target, e.file, e.section, NULL
    FROM UNNEST($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        AS e(event_id, ms, run_id, command, skill, skill_path, cwd, args, error, target, file, section)
    ON CONFLICT DO NOTHING";

/// Batches, repeated batches, and a complete sync.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    if option_env!("SKC_POSTGRES_FOUND").is_none() {
        return table.legend("team: skipped, no PostgreSQL server binaries were found".to_string());
    }
    let cluster = Cluster::start(SETTINGS);
    let mut push = |name: &str, size: String, figures: Result<Figures, String>, allowed, limit_is: &str| {
        let (name, on, unit) = (name.into(), "PostgreSQL".into(), Unit::Seconds);
        table.push(Row { name, size, on, unit, figures, allowed, limit_is: limit_is.into() });
    };
    let most = Allowed::AtMost(BARE_TIMES);
    for batch in BATCHES {
        let size = format!("{} x {}", ROUND / batch, thousands(batch as usize));
        let (fresh, again) =
            match Scene::prepare(&cluster).and_then(|mut scene| scene.batches(args.reps, batch)) {
                Ok((fresh, again)) => (Ok(fresh.into()), Ok(again.into())),
                Err(why) => (Err(why.clone()), Err(why)),
            };
        push("team ingest", size.clone(), fresh, most, "bare INSERT … SELECT FROM UNNEST, no trigger");
        push("team ingest, replayed", size, again, Allowed::Anything, "the same, replayed");
    }
    let sent = Scene::prepare(&cluster).and_then(|mut scene| scene.syncs(args, work)).map(Figures::from);
    let found = team_find::search(&cluster, args);
    let (size, most) = (thousands(team_find::SKILLS), Allowed::AtMost(team_find::BARE_TIMES));
    push("find --team, words", size, found, most, "bare SELECT … ORDER BY ts_rank");
    let most = Allowed::AtMost(BARE_TIMES);
    push("sync --team", thousands(SENT as usize), sent, most, "bare INSERT, batches of 5,000");
}

/// A database with our tables and a bare one.
struct Scene {
    runtime: Runtime,
    database: Database,
    log: Box<dyn AccessLog>,
    bare: PgConnection,
    events: Events,
    next: u64,
}

fn block_on<F: Future>(future: F) -> F::Output {
    super::runtime().expect("a runtime").block_on(future)
}

impl Scene {
    fn prepare(cluster: &Cluster) -> Result<Self, String> {
        let runtime = super::runtime()?;
        let database = cluster.database("template1");
        let store = database.store();
        runtime.block_on(store.init()).map_err(|e| e.to_string())?;
        database.run(BARE);
        let log = store.log(&TeamOrigin { org: "acme".to_string(), machine: "m".to_string() });
        let bare = runtime.block_on(PgConnection::connect(&database.url)).map_err(|e| e.to_string())?;
        // Partitions are created for the current months.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|e| e.to_string())?;
        let from = i64::try_from(now.as_nanos()).map_err(|e| e.to_string())?;
        let skill_path = format!("/home/u/skills/{SKILL}");
        let events = Events { skill_path, times: Times::Steady { from, step: 10 * SECOND } };
        Ok(Scene { runtime, database, log, bare, events, next: 0 })
    }

    /// New events, then the same ones again, each compared with the bare insert.
    fn batches(&mut self, rounds: usize, batch: u64) -> Result<(Pairs, Pairs), String> {
        let mut again = Vec::new();
        let fresh = Pairs::take(rounds, || {
            let batches: Vec<_> = (0..ROUND / batch)
                .map(|n| self.events.some(self.next + n * batch..self.next + (n + 1) * batch))
                .collect();
            self.next += ROUND;
            let pair = (self.append(&batches, ROUND)?, self.insert(&batches)?);
            again.push((self.append(&batches, 0)?, self.insert(&batches)?));
            Ok(pair)
        })?;
        let mut again = again.into_iter();
        let replayed = Pairs::take(rounds, || again.next().ok_or("a round is missing".to_string()))?;
        Ok((fresh, replayed))
    }

    fn append(&mut self, batches: &[Vec<AccessEvent>], expected: u64) -> Result<f64, String> {
        let start = Instant::now();
        let mut new = 0;
        for batch in batches {
            new += self.runtime.block_on(self.log.append(batch)).map_err(|e| e.to_string())?;
        }
        let taken = start.elapsed().as_secs_f64();
        if new == expected { Ok(taken) } else { Err(format!("{new} events were new, not {expected}")) }
    }

    fn insert(&mut self, batches: &[Vec<AccessEvent>]) -> Result<f64, String> {
        let start = Instant::now();
        for batch in batches {
            self.runtime.block_on(insert(&mut self.bare, batch)).map_err(|e| e.to_string())?;
        }
        Ok(start.elapsed().as_secs_f64())
    }

    /// A complete `skc sync --team` of a log that was never sent, compared with the bare insert of its rows.
    fn syncs(&mut self, args: &Args, work: &Work) -> Result<Pairs, String> {
        let site = Site::new(&args.skc, work.root().join("team")).map_err(|e| e.to_string())?;
        corpus::write_skill(&site.skill(), 1).map_err(|e| e.to_string())?;
        seconds(&mut site.build())?;
        self.events.skill_path = site.skill().display().to_string();
        Pairs::take(args.reps.div_ceil(3), || {
            let numbers = self.next..self.next + SENT;
            self.next += SENT;
            raw_log::empty(&site.log())?;
            raw_log::fill(&site.log(), numbers.clone().map(|number| self.events.event(number)))?;
            let measured = seconds(site.skc(&["sync", "--team"]).env("SKILLC_TEAM_URL", &self.database.url))?;
            let there = self.database.number("SELECT count(*) FROM skillc.access_event");
            if there != self.next {
                return Err(format!("{there} events are there, not {}", self.next));
            }
            let batches: Vec<_> = (numbers.clone().step_by(SENT_BATCH as usize))
                .map(|first| self.events.some(first..first + SENT_BATCH))
                .collect();
            Ok((measured, self.insert(&batches)?))
        })
    }
}

async fn insert(db: &mut PgConnection, events: &[AccessEvent]) -> Result<(), sqlx::Error> {
    let texts = |of: fn(&AccessEvent) -> &String| events.iter().map(|e| of(e).as_str()).collect::<Vec<_>>();
    let options =
        |of: fn(&AccessEvent) -> &Option<String>| events.iter().map(|e| of(e).as_deref()).collect::<Vec<_>>();
    let ms = events.iter().map(|e| e.timestamp.known().map_or(0, |at| at.unix_s() * 1_000));
    let done = query(BARE_INSERT)
        .bind("acme")
        .bind("m")
        .bind(events.iter().map(|e| e.event_id.to_string()).collect::<Vec<_>>())
        .bind(ms.collect::<Vec<_>>());
    let done = done.bind(texts(|e| &e.run_id)).bind(texts(|e| &e.command)).bind(texts(|e| &e.skill));
    let done = done.bind(texts(|e| &e.skill_path)).bind(texts(|e| &e.cwd)).bind(texts(|e| &e.args));
    let done = done.bind(options(|e| &e.error)).bind(options(|e| &e.target)).bind(options(|e| &e.file));
    done.bind(options(|e| &e.section)).execute(db).await.map(drop)
}
