//! Statistics over a long log: each grouping, compared with the same counts in raw SQL.

use super::MIB;
use crate::args::Args;
use crate::corpus;
use crate::events::{Events, Times};
use crate::limits::Limits;
use crate::process::{peak_bytes, seconds};
use crate::raw_log;
use crate::series::Pairs;
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use serde_json::Value;
use std::process::Command;

/// Allowed factor for a grouping, relative to raw SQL plus a program start.
const RAW_TIMES: f64 = 1.1;
/// Number of rounds for a cheap row per round of an expensive one.
const CHEAP: usize = 5;
/// Allowed peak memory of a grouping in bytes.
const PEAK_MOST: usize = 16 * MIB;

/// A plain scan of every row.
const SCAN: &str =
    "SELECT count(*), min(timestamp), max(timestamp), count(error) FROM access_log NOT INDEXED";
/// The rows of the skill that have a time.
const OWN: &str = "skill_path = '{path}' AND skill = 'bench' AND flaws & 2 = 0";
/// What each grouping counts, in the form and with the index that was the fastest of those tried.
const COUNTS: [(&str, &str); 7] = [
    (
        "summary",
        "SELECT min(timestamp), max(timestamp), count(*) FROM access_log INDEXED BY access_log_by_time WHERE {own};
         SELECT substr(timestamp, 1, 10), count(*) FROM access_log INDEXED BY access_log_by_time WHERE {own} GROUP BY 1;
         SELECT count(*) FROM access_log INDEXED BY access_log_errors WHERE {own} AND error IS NOT NULL;
         SELECT DISTINCT file, section FROM access_log INDEXED BY access_log_by_read WHERE {own} AND file >= ''",
    ),
    (
        "sections",
        "SELECT file, section, count(*) FROM access_log INDEXED BY access_log_by_read
         WHERE {own} AND file >= '' AND section IS NOT NULL GROUP BY file, section",
    ),
    (
        "files",
        "SELECT file, count(*) FROM access_log INDEXED BY access_log_by_read WHERE {own} AND file >= '' GROUP BY file",
    ),
    (
        "commands",
        "SELECT command, count(*) FROM access_log INDEXED BY access_log_by_read WHERE {own} GROUP BY command",
    ),
    ("projects", "SELECT cwd, count(*) FROM access_log INDEXED BY access_log_by_time WHERE {own} GROUP BY cwd"),
    (
        "errors",
        "SELECT target, command, error, count(*) FROM access_log INDEXED BY access_log_errors
         WHERE {own} AND error IS NOT NULL GROUP BY target, command, error",
    ),
    (
        "search",
        "SELECT target, count(*) FROM access_log INDEXED BY access_log_searches
         WHERE {own} AND command = 'search' AND target IS NOT NULL GROUP BY target",
    ),
];

/// Each grouping, its cost without any rows, sections compared with a scan, and memory.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    let prepared = Scene::prepare(args, work, limits).and_then(|scene| {
        let unused = Pairs::take(args.reps * CHEAP, || scene.without_rows()).map(Figures::from);
        let row = row(args, work, "stats by errors, empty log", Unit::Seconds, unused, 1.0, "empty");
        table.push(Row { size: "0".into(), allowed: Allowed::Anything, ..row });
        scene.fill(args).map(|()| scene)
    });
    let scene = match prepared {
        Ok(scene) => scene,
        Err(why) => return table.push(row(args, work, "stats", Unit::Seconds, Err(why), 1.0, "")),
    };
    for (grouping, counts) in COUNTS {
        let figures = Pairs::take(args.reps, || scene.beside(grouping, counts)).map(Figures::from);
        let (name, limit_is) = (format!("stats by {grouping}"), "raw SQL in a new process + empty");
        table.push(row(args, work, &name, Unit::Seconds, figures, RAW_TIMES, limit_is));
    }
    let figures = Pairs::take(args.reps, || scene.beside("sections", SCAN)).map(Figures::from);
    let limit_is = "raw count, min, max of the table + empty";
    table.push(row(args, work, "stats by sections", Unit::Seconds, figures, 1.0, limit_is));
    let peak = scene.peak().map(|peak| Figures::of(peak, PEAK_MOST as f64));
    table.push(row(args, work, "peak memory, stats", Unit::Bytes, peak, 1.0, "16 MiB"));
}

fn row(
    args: &Args,
    work: &Work,
    name: &str,
    unit: Unit,
    figures: Result<Figures, String>,
    most: f64,
    limit_is: &str,
) -> Row {
    let (name, size, on) = (name.into(), thousands(args.rows), work.kind().into());
    Row { name, size, on, unit, figures, allowed: Allowed::AtMost(most), limit_is: limit_is.into() }
}

/// A skill with a long log.
struct Scene<'a> {
    site: Site,
    own: String,
    limits: &'a Limits,
}

impl<'a> Scene<'a> {
    fn prepare(args: &Args, work: &Work, limits: &'a Limits) -> Result<Self, String> {
        let site = Site::new(&args.skc, work.root().join("stats")).map_err(|e| e.to_string())?;
        corpus::write_skill(&site.skill(), 10).map_err(|e| e.to_string())?;
        seconds(&mut site.build())?;
        let skill_path = site.skill().display().to_string();
        let own = OWN.replace("{path}", &skill_path.replace('\'', "''"));
        Ok(Scene { site, own, limits })
    }

    fn fill(&self, args: &Args) -> Result<(), String> {
        raw_log::empty(&self.site.log())?;
        let events = Events { skill_path: self.site.skill().display().to_string(), times: Times::Mixed };
        raw_log::fill(&self.site.log(), (0..args.rows as u64).map(|number| events.event(number)))?;
        match self.total()? {
            total if total == args.rows as u64 => Ok(()),
            total => Err(format!("stats counts {total} of {} rows", args.rows)),
        }
    }

    /// The cost without rows: resolving the skill, opening the log, and logging the command itself.
    fn without_rows(&self) -> Result<(f64, f64), String> {
        Ok((seconds(&mut self.stats("errors"))?, self.limits.empty()?))
    }

    fn stats(&self, grouping: &str) -> Command {
        self.site.skc(&["stats", SKILL, "--group-by", grouping, "--format", "json"])
    }

    fn total(&self) -> Result<u64, String> {
        let done = self.stats("summary").output().map_err(|e| e.to_string())?;
        let reply: Value = serde_json::from_slice(&done.stdout).map_err(|e| e.to_string())?;
        reply["data"]["total_accesses"].as_u64().ok_or(format!("no total in {reply}"))
    }

    fn beside(&self, grouping: &str, counts: &str) -> Result<(f64, f64), String> {
        let measured = seconds(&mut self.stats(grouping))?;
        let raw = raw_log::ask_in_new_process(&self.site.log(), &counts.replace("{own}", &self.own))?;
        Ok((measured, raw + self.limits.empty()?))
    }

    /// The highest peak memory of any grouping.
    fn peak(&self) -> Result<f64, String> {
        let scratch = self.site.log().with_file_name("peak");
        let each = COUNTS.map(|(grouping, _)| peak_bytes(&self.stats(grouping), &scratch));
        each.into_iter().try_fold(0.0, |most: f64, peak| peak.map(|peak| most.max(peak)))
    }
}
