//! Sync: moving fallback logs into the log, whose cost may grow only with their rows.

use super::GROWTH_MOST;
use crate::args::Args;
use crate::corpus;
use crate::events::{Events, NEW_YEAR, SECOND, Times};
use crate::process::seconds;
use crate::raw_log;
use crate::series::{Pairs, exponent};
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::fs;
use std::path::PathBuf;

/// Numbers of rows in the fallback log.
const ROWS: [u64; 2] = [10_000, 100_000];
/// Minimum speed in rows per second.
const ROWS_A_SECOND: f64 = 50_000.0;

/// Each number of rows, compared with the minimum speed and with raw SQL, and the exponent between them.
pub fn measure(args: &Args, work: &Work, table: &mut Table) {
    let mut growth = Vec::new();
    for rows in ROWS {
        let mut push = |figures, allowed, limit_is: &str| {
            let (name, size, on) = ("sync".into(), thousands(rows as usize), work.kind().into());
            table.push(Row {
                name,
                size,
                on,
                unit: Unit::Seconds,
                figures,
                allowed,
                limit_is: limit_is.into(),
            });
        };
        let taken = Scene::prepare(args, work, rows).and_then(|scene| scene.measure(args.reps));
        let (pairs, raw) = match taken {
            Ok(taken) => taken,
            Err(why) => {
                push(Err(why), Allowed::AtMost(1.0), "");
                continue;
            }
        };
        growth.push(((rows as f64, pairs.measured()), (rows as f64, raw)));
        push(
            Ok(Figures::of(pairs.measured(), raw)),
            Allowed::Anything,
            "raw INSERT … SELECT of the same rows",
        );
        push(Ok(pairs.into()), Allowed::AtMost(1.0), "50,000 rows a second");
    }
    if let [small, large] = growth[..] {
        let (ours, least) = (exponent(small.0, large.0), exponent(small.1, large.1));
        table.push(Row {
            name: "growth of sync".into(),
            size: ROWS.map(|rows| thousands(rows as usize)).join(".."),
            on: work.kind().into(),
            unit: Unit::Exponent,
            figures: Ok(Figures { measured: ours, limit: least, ratio: ours }),
            allowed: Allowed::AtMost(GROWTH_MOST),
            limit_is: "the exponent of raw INSERT … SELECT, for comparison".into(),
        });
    }
}

/// A fallback log that can be restored.
struct Scene {
    site: Site,
    rows: u64,
    /// The fallback log before a sync.
    full: PathBuf,
    /// A log without rows.
    empty: PathBuf,
    /// The log that raw SQL copies to.
    raw: PathBuf,
}

impl Scene {
    fn prepare(args: &Args, work: &Work, rows: u64) -> Result<Self, String> {
        let root = work.root().join(format!("sync-{rows}"));
        let site = Site::new(&args.skc, root.clone()).map_err(|e| e.to_string())?;
        corpus::write_skill(&site.skill(), 1).map_err(|e| e.to_string())?;
        seconds(&mut site.build())?;
        let [full, empty, raw] = ["full.db", "empty.db", "raw.db"].map(|name| root.join(name));
        // The build has added a row.
        raw_log::empty(&site.log())?;
        fs::copy(site.log(), &empty).and_then(|_| fs::copy(&empty, &full)).map_err(|e| e.to_string())?;
        let skill_path = site.skill().display().to_string();
        let events = Events { skill_path, times: Times::Steady { from: NEW_YEAR, step: 60 * SECOND } };
        raw_log::fill(&full, (0..rows).map(|number| events.event(number)))?;
        Ok(Scene { site, rows, full, empty, raw })
    }

    /// Syncs compared with the allowed time for that many rows, and the median of raw SQL.
    fn measure(&self, rounds: usize) -> Result<(Pairs, f64), String> {
        let mut raws = Vec::new();
        let pairs = Pairs::take(rounds, || {
            raws.push(self.raw()?);
            Ok((self.sync()?, self.rows as f64 / ROWS_A_SECOND))
        })?;
        Ok((pairs, crate::series::median(&raws)))
    }

    fn sync(&self) -> Result<f64, String> {
        self.put_back().map_err(|e| e.to_string())?;
        let taken = seconds(&mut self.site.skc(&["sync", SKILL]))?;
        let (moved, left) = (raw_log::rows(&self.site.log())?, raw_log::rows(&self.site.fallback_log())?);
        match (moved, left) {
            (moved, 0) if moved == self.rows => Ok(taken),
            _ => Err(format!("{moved} rows were moved and {left} left")),
        }
    }

    fn put_back(&self) -> std::io::Result<()> {
        self.site.forget_logs()?;
        let fallback = self.site.fallback_log();
        fallback.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(&self.full, fallback).map(drop)
    }

    fn raw(&self) -> Result<f64, String> {
        fs::copy(&self.empty, &self.raw).map_err(|e| e.to_string())?;
        raw_log::copy(&self.full, &self.raw)
    }
}
