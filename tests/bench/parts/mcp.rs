//! The server for agents, compared with a bare server that uses the same library and has two tools that do nothing.

use super::MIB;
use crate::args::Args;
use crate::corpus;
use crate::events::{Events, NEW_YEAR, SECOND, Times};
use crate::mcp_client::{Call, Server};
use crate::process::seconds;
use crate::raw::Raw;
use crate::raw_log::{self, Leaving};
use crate::series::{Pairs, median};
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use serde_json::json;
use skillc_ports::LocalLogs;
use skillc_sqlite::SqliteLocalLogs;
use std::path::PathBuf;
use std::process::Command;

/// The bare server.
const BARE: &str = env!("CARGO_BIN_EXE_bare-mcp");
/// Number of files of the skill whose calls are timed.
const FILES: usize = 1_000;
/// Number of calls of each kind in a round, of which the median is taken.
const CALLS: usize = 100;
/// Number of raw queries and inserts in a round: more expensive and less variable.
const RAWS: usize = 25;
/// Number of starts per round of an expensive row.
const STARTS_A_ROUND: usize = 10;
/// Number of concurrent calls, and of calls in such a round.
const AT_ONCE: usize = 64;
const CALLS_AT_ONCE: usize = 640;
/// Number of calls after which memory is measured first, and last.
const FIRST_CALLS: usize = 1_000;
const LAST_CALLS: usize = 10_000;
/// Allowed resident memory of a server.
const RESIDENT: usize = 30 * MIB;
/// Growth of memory in between that counts as flat: caches that fill up.
const FLAT: f64 = 1.05;

/// Single calls, starts, concurrent calls, memory.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let on = work.kind();
    let row = |name: &str, size, unit, figures, most, limit_is: &str| {
        let (name, limit_is, on) = (name.into(), limit_is.into(), on.into());
        Row { name, size, on, unit, figures, allowed: Allowed::AtMost(most), limit_is }
    };
    let time = |name: &str, size, pairs: Result<Pairs, String>, limit_is: &str| {
        row(name, size, Unit::Seconds, pairs.map(Figures::from), 1.0, limit_is)
    };
    match Scene::prepare(args, work, FILES) {
        Err(why) => table.push(row("mcp", thousands(FILES), Unit::Seconds, Err(why), 1.0, "")),
        Ok(mut scene) => {
            let size = || thousands(FILES);
            for (name, word) in [("common", corpus::COMMON), ("rare", corpus::RARE)] {
                let name = format!("mcp search, {name} word");
                table.push(time(&name, size(), scene.searches(word), "8 bare + raw query"));
            }
            let limit_is = "4 bare + raw open + insert + close";
            table.push(time("mcp show", size(), scene.shows(), limit_is));
            let at_once = scene.at_once();
            table.push(time(&format!("mcp, {AT_ONCE} calls at once, each"), size(), at_once, "one by one"));
            table.push(time("mcp start to first answer", size(), scene.starts(), "3 bare"));
            let first = time("mcp start to first show", size(), scene.first_shows(), "3 bare to first tool");
            // The first call walks the skill.
            table.push(Row { allowed: Allowed::Anything, ..first });
        }
    }
    let files = args.sizes.last().copied().unwrap_or(1);
    let (first, last) = match resident(args, work, files) {
        Ok((first, last)) => (Ok(first), Ok(last)),
        Err(why) => (Err(why.clone()), Err(why)),
    };
    let size = || thousands(files);
    let after = format!("mcp resident, {} calls", thousands(LAST_CALLS));
    let figures = last.clone().map(|last| Figures::of(last, RESIDENT as f64));
    table.push(row(&after, size(), Unit::Bytes, figures, 1.0, "30 MiB"));
    let figures = first.and_then(|first| Ok(Figures::of(last?, first)));
    let limit_is = format!("after {} calls", thousands(FIRST_CALLS));
    table.push(row(&after, size(), Unit::Bytes, figures, FLAT, &limit_is));
}

/// Both servers, and the baselines for them.
struct Scene {
    site: Site,
    ours: Server,
    bare: Server,
    raw: Raw,
    log: RawLog,
    rounds: usize,
}

impl Scene {
    fn prepare(args: &Args, work: &Work, files: usize) -> Result<Self, String> {
        let site = built(args, work, files)?;
        let raw = Raw::of_index(&site.index()?, work.root().join("mcp-raw.db"))?;
        raw.insert()?;
        let log = RawLog::prepare(work)?;
        let (ours, _) = Server::start(&mut site.skc(&["mcp"]))?;
        let (bare, _) = Server::start(&mut Command::new(BARE))?;
        Ok(Scene { site, ours, bare, raw, log, rounds: args.reps * 3 })
    }

    fn bare(&mut self) -> Result<f64, String> {
        p50(CALLS, |_| self.bare.call(&Call { tool: "one", arguments: json!({}) }))
    }

    fn searches(&mut self, word: &str) -> Result<Pairs, String> {
        Pairs::take(self.rounds, || {
            let ours = p50(CALLS, |_| self.ours.call(&search(word)))?;
            let bare = self.bare()?;
            Ok((ours, 8.0 * bare + p50(RAWS, |_| self.raw.search(word))?))
        })
    }

    fn shows(&mut self) -> Result<Pairs, String> {
        Pairs::take(self.rounds, || {
            let ours = p50(CALLS, |i| self.ours.call(&show(i * 7 % FILES)))?;
            let bare = self.bare()?;
            Ok((ours, 4.0 * bare + p50(RAWS, |_| self.log.append())?))
        })
    }

    /// Seconds of each call among many concurrent ones, compared with the same calls one after the other.
    fn at_once(&mut self) -> Result<Pairs, String> {
        let mix: Vec<Call> = (0..20).flat_map(|i| [show(i * 7), search(corpus::RARE)]).collect();
        let each = |seconds: f64| seconds / CALLS_AT_ONCE as f64;
        Pairs::take(self.rounds, || {
            let many = self.ours.calls(&mix, CALLS_AT_ONCE, AT_ONCE)?;
            Ok((each(many), each(self.ours.calls(&mix, CALLS_AT_ONCE, 1)?)))
        })
    }

    fn starts(&self) -> Result<Pairs, String> {
        Pairs::take(self.rounds * STARTS_A_ROUND, || {
            let (_, ours) = Server::start(&mut self.site.skc(&["mcp"]))?;
            let (_, bare) = Server::start(&mut Command::new(BARE))?;
            Ok((ours, 3.0 * bare))
        })
    }

    fn first_shows(&self) -> Result<Pairs, String> {
        let first = |mut command: Command, call: &Call| {
            let (mut server, begun) = Server::start(&mut command)?;
            Ok::<f64, String>(begun + server.call(call)?)
        };
        Pairs::take(self.rounds * STARTS_A_ROUND, || {
            let ours = first(self.site.skc(&["mcp"]), &show(1))?;
            let bare = first(Command::new(BARE), &Call { tool: "one", arguments: json!({}) })?;
            Ok((ours, 3.0 * bare))
        })
    }
}

fn search(word: &str) -> Call {
    Call { tool: "skc_search", arguments: json!({ "skill": SKILL, "query": word }) }
}

fn show(file: usize) -> Call {
    Call { tool: "skc_show", arguments: json!({ "skill": SKILL, "section": corpus::heading(file) }) }
}

fn p50(times: usize, mut take: impl FnMut(usize) -> Result<f64, String>) -> Result<f64, String> {
    (0..times).map(&mut take).collect::<Result<Vec<_>, _>>().map(|all| median(&all))
}

fn built(args: &Args, work: &Work, files: usize) -> Result<Site, String> {
    let site = Site::new(&args.skc, work.root().join("mcp")).map_err(|e| e.to_string())?;
    corpus::write_skill(&site.skill(), files).map_err(|e| e.to_string())?;
    super::settle();
    seconds(&mut site.build())?;
    Ok(site)
}

/// A log to which raw SQL appends.
struct RawLog {
    path: PathBuf,
    events: Events,
    next: u64,
}

impl RawLog {
    fn prepare(work: &Work) -> Result<Self, String> {
        let path = work.root().join("mcp-raw-log/logs.db");
        let skill_path = work.root().join("mcp").display().to_string();
        let events = Events { skill_path, times: Times::Steady { from: NEW_YEAR, step: 60 * SECOND } };
        let made =
            super::runtime()?.block_on(SqliteLocalLogs::default().at(&path).append(&events.some(0..1)));
        made.map_err(|e| e.to_string())?;
        Ok(RawLog { path, events, next: 1 })
    }

    fn append(&mut self) -> Result<f64, String> {
        self.next += 1;
        raw_log::append(&self.path, &self.events.event(self.next), Leaving::AtOnce)
    }
}

/// Resident bytes after a few and after many calls on a large skill.
fn resident(args: &Args, work: &Work, files: usize) -> Result<(f64, f64), String> {
    let site = built(args, work, files)?;
    let (mut server, _) = Server::start(&mut site.skc(&["mcp"]))?;
    let calls: Vec<Call> = (0..200)
        .flat_map(|i| [show(i * 37 % files), search(if i % 2 == 0 { corpus::RARE } else { corpus::COMMON })])
        .collect();
    server.calls(&calls, FIRST_CALLS, 1)?;
    let first = server.resident_bytes()?;
    server.calls(&calls, LAST_CALLS - FIRST_CALLS, 1)?;
    Ok((first, server.resident_bytes()?))
}
