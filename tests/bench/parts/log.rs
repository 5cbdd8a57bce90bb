//! The log: what it adds to a command, and whether many concurrent commands lose events or wait.

use crate::args::Args;
use crate::corpus;
use crate::events::{Events, NEW_YEAR, SECOND, Times};
use crate::process::seconds;
use crate::raw_log::{self, Leaving};
use crate::series::{Pairs, median};
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use skillc_ports::{LocalLog, LocalLogs};
use skillc_sqlite::SqliteLocalLogs;
use std::path::PathBuf;
use std::slice;
use std::thread;
use std::time::Instant;

/// Number of rows in a log before one is added.
const ROWS: u64 = 1_000;
/// Number of appends per round, so that each round contains its share of checkpoints: about one append in six.
const APPENDS: u64 = 24;
/// Rounds of appends per round of an expensive row.
const APPEND_ROUNDS: usize = 3;
/// Number of files of the skill that is opened.
const FILES: usize = 10;
/// Allowed factor for logging, relative to raw SQL.
const LOGGING_TIMES: f64 = 1.3;

/// Number of concurrent processes, of commands in each, and of repetitions.
const PROCESSES: usize = 32;
const COMMANDS: usize = 50;
const CROWDS: usize = 3;
/// Allowed factor for the slowest command with a log, relative to the median without one.
const WORST_TIMES: f64 = 10.0;

/// Appends in this process, commands one by one, and concurrent commands.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let rounds = args.reps * APPEND_ROUNDS;
    let mut push = |name: &str, size: &str, figures, allowed, limit_is: &str| {
        let (name, size, limit_is) = (name.into(), size.into(), limit_is.into());
        let (on, unit) = (work.kind().into(), Unit::Seconds);
        table.push(Row { name, size, on, unit, figures, allowed, limit_is });
    };
    let alike = appends(work, rounds, Leaving::AtOnce).map(Figures::from);
    let most = Allowed::AtMost(LOGGING_TIMES);
    push("adding one event", "1", alike, most, "raw open + insert + close, set alike");
    let plain = appends(work, rounds, Leaving::Plain).map(Figures::from);
    push("adding one event", "1", plain, Allowed::Anything, "raw open + insert + close, SQLite's settings");
    let command = commands(args, work, rounds * 10).map(Figures::from);
    let sum = "open without a log + 1.3 raw open + insert + close";
    push("open with its log", &thousands(FILES), command, Allowed::AtMost(1.0), sum);
    crowds(args, work, table);
}

/// Two logs that grow alike, one through the adapter and one through raw SQL.
struct Logs {
    ours: Box<dyn LocalLog>,
    raw: PathBuf,
    events: Events,
    runtime: tokio::runtime::Runtime,
    next: u64,
}

impl Logs {
    fn prepare(work: &Work, name: &str) -> Result<Self, String> {
        let place = |whose: &str| work.root().join(name).join(whose).join("logs.db");
        let (ours, raw) = (SqliteLocalLogs::default().at(&place("ours")), place("raw"));
        let runtime = super::runtime()?;
        let skill_path = work.root().join("proj/.skillc/skills").join(SKILL).display().to_string();
        let events = Events { skill_path, times: Times::Steady { from: NEW_YEAR, step: 60 * SECOND } };
        for log in [&ours, &SqliteLocalLogs::default().at(&raw)] {
            let filled = runtime.block_on(log.append(&events.some(0..ROWS)));
            filled.map_err(|e| e.to_string())?;
        }
        Ok(Logs { ours, raw, events, runtime, next: ROWS })
    }

    /// Seconds of one append on each side.
    fn append(&mut self, leaving: Leaving) -> Result<(f64, f64), String> {
        let event = self.events.event(self.next);
        self.next += 1;
        let start = Instant::now();
        let new = self.runtime.block_on(self.ours.append(slice::from_ref(&event)));
        let taken = start.elapsed().as_secs_f64();
        match new.map_err(|e| e.to_string())? {
            1 => Ok((taken, raw_log::append(&self.raw, &event, leaving)?)),
            new => Err(format!("{new} events were new, not 1")),
        }
    }
}

fn appends(work: &Work, rounds: usize, leaving: Leaving) -> Result<Pairs, String> {
    let mut logs = Logs::prepare(work, &format!("append-{}", leaving as u8))?;
    Pairs::take(rounds, || {
        let (mut ours, mut raw) = (0.0, 0.0);
        for _ in 0..APPENDS {
            let (one, other) = logs.append(leaving)?;
            ours += one;
            raw += other;
        }
        Ok((ours / APPENDS as f64, raw / APPENDS as f64))
    })
}

/// A command with its log, compared with one without plus raw SQL.
fn commands(args: &Args, work: &Work, rounds: usize) -> Result<Pairs, String> {
    let (logged, silent) = (site(args, work, "log")?, silent(args, work, "silent")?);
    let mut logs = Logs::prepare(work, "append-command")?;
    Pairs::take(rounds, || {
        let measured = open(&logged)?;
        let (_, raw) = logs.append(Leaving::AtOnce)?;
        Ok((measured, open(&silent)? + LOGGING_TIMES * raw))
    })
}

fn open(site: &Site) -> Result<f64, String> {
    seconds(&mut site.skc(&["open", SKILL, &corpus::path(1)]))
}

fn site(args: &Args, work: &Work, name: &str) -> Result<Site, String> {
    let site = Site::new(&args.skc, work.root().join(name)).map_err(|e| e.to_string())?;
    corpus::write_skill(&site.skill(), FILES).map_err(|e| e.to_string())?;
    super::settle();
    seconds(&mut site.build())?;
    Ok(site)
}

fn silent(args: &Args, work: &Work, name: &str) -> Result<Site, String> {
    let site = site(args, work, name)?;
    site.block_logs().map_err(|e| e.to_string())?;
    Ok(site)
}

/// The results of many concurrent commands.
struct Crowd {
    /// Seconds of each command that logs, over all repetitions.
    logged: Vec<f64>,
    /// Seconds of each command that does not log.
    silent: Vec<f64>,
    in_log: u64,
    in_fallback: u64,
}

fn crowds(args: &Args, work: &Work, table: &mut Table) {
    let size = format!("{PROCESSES} x {COMMANDS}");
    let mut push = |name: &str, unit, figures, allowed, limit_is: String| {
        let (name, size, on) = (name.into(), size.clone(), work.kind().into());
        table.push(Row { name, size, on, unit, figures, allowed, limit_is });
    };
    let crowd = match Crowd::gather(args, work) {
        Ok(crowd) => crowd,
        Err(why) => {
            return push("commands at once", Unit::Rows, Err(why), Allowed::AtMost(0.0), String::new());
        }
    };
    let all = (PROCESSES * COMMANDS * CROWDS) as u64;
    let lost = Figures::of(all.abs_diff(crowd.in_log + crowd.in_fallback) as f64, all as f64);
    let where_they_are = format!(
        "the rows of {CROWDS} fresh logs: {} are in the log, {} in the fallback",
        thousands(crowd.in_log as usize),
        thousands(crowd.in_fallback as usize)
    );
    push("rows lost, commands at once", Unit::Rows, Ok(lost), Allowed::AtMost(0.0), where_they_are);
    let (usual, usual_silent) = (median(&crowd.logged), median(&crowd.silent));
    let worst = crowd.logged.iter().copied().fold(0.0, f64::max);
    let worst_silent = crowd.silent.iter().copied().fold(0.0, f64::max);
    let limit = Figures::of(worst, WORST_TIMES * usual_silent);
    let limit_is = format!(
        "10 x the median of the same with the places of log and fallback blocked (its worst: {:.0} ms)",
        worst_silent * 1e3
    );
    push("the slowest of them", Unit::Seconds, Ok(limit), Allowed::AtMost(1.0), limit_is);
    let middle = Figures::of(usual, usual_silent);
    let limit_is = "the median of the same without a log".to_string();
    push("the median of them", Unit::Seconds, Ok(middle), Allowed::Anything, limit_is);
}

impl Crowd {
    fn gather(args: &Args, work: &Work) -> Result<Self, String> {
        let (logged, silent) = (site(args, work, "crowd")?, silent(args, work, "crowd-silent")?);
        let mut crowd = Crowd { logged: Vec::new(), silent: Vec::new(), in_log: 0, in_fallback: 0 };
        for _ in 0..CROWDS {
            crowd.silent.extend(at_once(&silent)?);
            logged.forget_logs().map_err(|e| e.to_string())?;
            crowd.logged.extend(at_once(&logged)?);
            crowd.in_log += raw_log::rows(&logged.log())?;
            crowd.in_fallback += raw_log::rows(&logged.fallback_log())?;
        }
        Ok(crowd)
    }
}

/// The duration of each command in seconds.
fn at_once(site: &Site) -> Result<Vec<f64>, String> {
    let process = || (0..COMMANDS).map(|_| open(site)).collect::<Result<Vec<f64>, String>>();
    let each = thread::scope(|scope| {
        let running: Vec<_> = (0..PROCESSES).map(|_| scope.spawn(process)).collect();
        let ended = running
            .into_iter()
            .map(|one| one.join().map_err(|_| "a thread of the bench fell".to_string())?);
        ended.collect::<Result<Vec<Vec<f64>>, String>>()
    });
    Ok(each?.concat())
}
