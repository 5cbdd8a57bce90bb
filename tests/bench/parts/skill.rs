//! Skills with many files: the cost of a build and of a query as the skill grows.

use super::{GROWTH_MOST, SETTLE_MS, settle};
use crate::args::Args;
use crate::corpus;
use crate::limits::Limits;
use crate::process::seconds;
use crate::raw::{self, Raw};
use crate::series::{Pairs, exponent};
use crate::site::{SKILL, Site};
use crate::table::{Allowed, Figures, Row, Table, Unit, thousands};
use crate::work::Work;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Cheap rows take this many times the rounds of expensive ones.
const CHEAP: usize = 3;
/// From this size on, a build is only compared with the raw insert, times a factor.
const LARGE_FILES: usize = 1_000;
/// From this size on, it may take no longer than the raw insert.
const HUGE_FILES: usize = 10_000;

/// Bytes of an index that do not depend on its source.
const INDEX_FIXED_BYTES: f64 = 65_536.0;
/// Bytes of an index per byte of its source, due to the schema, in which a section repeats its children.
const INDEX_TO_SOURCE: f64 = 4.2;

/// Seconds of one measurement.
type Taken = Result<f64, String>;
/// A measurement and its limit.
type Pair = Result<(f64, f64), String>;

/// A built skill of one size, with its baselines.
struct Scene<'a> {
    files: usize,
    source_bytes: u64,
    rounds: usize,
    site: Site,
    index: PathBuf,
    raw: Raw,
    limits: &'a Limits,
    on: &'a str,
}

/// First builds of one size: `(files, seconds, seconds of raw FTS5)`.
type Growth = (f64, f64, f64);

/// All rows of all sizes, and the exponent between the two largest.
pub fn measure(args: &Args, work: &Work, limits: &Limits, table: &mut Table) {
    let mut growth = Vec::new();
    for &files in &args.sizes {
        match Scene::prepare(args, work, limits, files) {
            Ok(scene) => growth.extend(scene.measure(table)),
            Err(why) => table.push(failed(work, files, why)),
        }
    }
    if let [.., small, large] = growth[..] {
        push_growth(work, small, large, table);
    }
}

fn failed(work: &Work, files: usize, why: String) -> Row {
    let (name, size, on) = ("first build".into(), thousands(files), work.kind().into());
    let allowed = Allowed::Anything;
    Row { name, size, on, unit: Unit::Seconds, figures: Err(why), allowed, limit_is: String::new() }
}

fn push_growth(work: &Work, small: Growth, large: Growth, table: &mut Table) {
    let ours = exponent((small.0, small.1), (large.0, large.1));
    let least = exponent((small.0, small.2), (large.0, large.2));
    table.push(Row {
        name: "growth of the first build".into(),
        size: format!("{}..{}", thousands(small.0 as usize), thousands(large.0 as usize)),
        on: work.kind().into(),
        unit: Unit::Exponent,
        figures: Ok(Figures { measured: ours, limit: least, ratio: ours }),
        allowed: Allowed::AtMost(GROWTH_MOST),
        limit_is: "the exponent of raw FTS5, for comparison".into(),
    });
}

impl<'a> Scene<'a> {
    fn prepare(args: &Args, work: &'a Work, limits: &'a Limits, files: usize) -> Result<Self, String> {
        let root = work.root().join(format!("skill-{files}"));
        let site = Site::new(&args.skc, root.clone()).map_err(|e| e.to_string())?;
        let source_bytes = corpus::write_skill(&site.skill(), files).map_err(|e| e.to_string())?;
        settle();
        seconds(&mut site.build())?;
        let index = site.index()?;
        let raw = Raw::of_index(&index, root.join("raw.db"))?;
        raw.insert()?;
        let rounds = if files >= HUGE_FILES { args.reps / 2 + 1 } else { args.reps };
        Ok(Scene { files, source_bytes, rounds, site, index, raw, limits, on: work.kind() })
    }

    /// Every row for this size. Returns the point of the growth curve, unless the first build failed.
    fn measure(&self, table: &mut Table) -> Option<Growth> {
        let growth = self.first_build(table);
        table.push(self.row("index size", Unit::Bytes, self.index_size(), 1.0, "4.2 x source + 64 KiB"));
        let cheap = self.rounds * CHEAP;
        table.push(self.timed("build, nothing changed", "1.2 stat + 2 empty", cheap, || self.unchanged()));
        let mut edits = Edits::default();
        let edited = || self.edited(&mut edits);
        table.push(self.timed("build after one edit", "1.4 stat + 3 empty + 4 fdatasync", cheap, edited));
        self.questions(cheap, table);
        growth
    }

    fn first_build(&self, table: &mut Table) -> Option<Growth> {
        let mut raws = Vec::new();
        let pairs = Pairs::take(self.rounds, || {
            let build = self.rebuild()?;
            let raw = self.raw.insert()?;
            raws.push(raw);
            Ok((build, if self.files < LARGE_FILES { self.small_build_limit(raw)? } else { raw }))
        });
        let (most, limit_is) = match self.files {
            HUGE_FILES.. => (1.0, "raw FTS5"),
            LARGE_FILES.. => (1.15, "raw FTS5"),
            _ => (1.0, "1.2 raw FTS5 + 3 empty + 4 fdatasync"),
        };
        let built = pairs.as_ref().ok().map(Pairs::measured);
        if self.files < HUGE_FILES {
            table.push(self.raw_in_new_process());
        }
        table.push(self.row("first build", Unit::Seconds, pairs.map(Figures::from), most, limit_is));
        built.map(|seconds| (self.files as f64, seconds, crate::series::median(&raws)))
    }

    /// What the limit for a small build ignores: raw FTS5 above has run in its process before, a build never has.
    fn raw_in_new_process(&self) -> Row {
        let pairs = Pairs::take(self.rounds, || {
            Ok((self.raw.insert_in_new_process(&self.index)?, self.raw.insert()?))
        });
        let row = self.row("raw FTS5, new process", Unit::Seconds, pairs.map(Figures::from), 1.0, "raw FTS5");
        Row { allowed: Allowed::Anything, ..row }
    }

    fn rebuild(&self) -> Taken {
        self.site.forget_build()?;
        seconds(&mut self.site.build())
    }

    fn small_build_limit(&self, raw: f64) -> Taken {
        Ok(1.2 * raw + 3.0 * self.limits.empty()? + 4.0 * self.limits.fdatasync()?)
    }

    fn index_size(&self) -> Result<Figures, String> {
        let bytes = self.index.metadata().map_err(|e| e.to_string())?.len() as f64;
        Ok(Figures::of(bytes, INDEX_TO_SOURCE * self.source_bytes as f64 + INDEX_FIXED_BYTES))
    }

    fn unchanged(&self) -> Pair {
        let build = seconds(&mut self.site.build())?;
        Ok((build, 1.2 * self.limits.stat(&self.site.skill())? + 2.0 * self.limits.empty()?))
    }

    fn edited(&self, edits: &mut Edits) -> Pair {
        edits.make(self)?;
        let stat = self.limits.stat(&self.site.skill())?;
        let limit = 1.4 * stat + 3.0 * self.limits.empty()? + 4.0 * self.limits.fdatasync()?;
        let build = seconds(&mut self.site.build())?;
        edits.last_build = Some(Instant::now());
        Ok((build, limit))
    }

    fn questions(&self, rounds: usize, table: &mut Table) {
        // The edits may have left files whose times a reader cannot trust yet.
        settle();
        let heading = corpus::heading(self.files / 2);
        let show =
            || self.question(&["show", SKILL, "--section", &heading], || raw::look_up(&self.index, &heading));
        let search = |word| self.question(&["search", SKILL, word], || self.raw.search(word));
        let base = if self.on_disk() { "stat + 2 empty + 2 fdatasync" } else { "stat + 2 empty" };
        let rebuilt = seconds(&mut self.site.build()).map(drop);
        let guard = |pair: &dyn Fn() -> Pair| rebuilt.clone().and_then(|()| pair());
        table.push(self.timed("show", &format!("{base} + raw look-up"), rounds, || guard(&show)));
        let searches = format!("{base} + raw query");
        table
            .push(self.timed("search, common word", &searches, rounds, || guard(&|| search(corpus::COMMON))));
        table.push(self.timed("search, rare word", &searches, rounds, || guard(&|| search(corpus::RARE))));
    }

    fn question(&self, args: &[&str], raw: impl Fn() -> Taken) -> Pair {
        let answer = seconds(&mut self.site.skc(args))?;
        let stat = self.limits.stat(&self.site.skill())?;
        Ok((answer, stat + 2.0 * self.limits.empty()? + 2.0 * self.limits.log_fdatasync()? + raw()?))
    }

    fn on_disk(&self) -> bool {
        self.limits.is_durable()
    }

    fn timed(&self, name: &str, limit_is: &str, rounds: usize, round: impl FnMut() -> Pair) -> Row {
        self.row(name, Unit::Seconds, Pairs::take(rounds, round).map(Figures::from), 1.0, limit_is)
    }

    fn row(
        &self,
        name: &str,
        unit: Unit,
        figures: Result<Figures, String>,
        most: f64,
        limit_is: &str,
    ) -> Row {
        let (name, size, on) = (name.into(), thousands(self.files), self.on.into());
        Row { name, size, on, unit, figures, allowed: Allowed::AtMost(most), limit_is: limit_is.into() }
    }
}

/// Edits that append a line to one file after another.
#[derive(Default)]
struct Edits {
    made: usize,
    last_build: Option<Instant>,
}

impl Edits {
    /// Waits until the last build is old enough, so that no round pays for the previous one, then edits.
    fn make(&mut self, scene: &Scene) -> Result<(), String> {
        let due = self.last_build.map(|at| at + Duration::from_millis(SETTLE_MS));
        std::thread::sleep(due.map_or(Duration::ZERO, |due| due.saturating_duration_since(Instant::now())));
        self.made += 1;
        let file = scene.site.skill().join(corpus::path(self.made * 7 % scene.files));
        let append =
            |file: &PathBuf| writeln!(OpenOptions::new().append(true).open(file)?, "\nEdit {}.", self.made);
        append(&file).map_err(|e| format!("{}: {e}", file.display()))
    }
}
