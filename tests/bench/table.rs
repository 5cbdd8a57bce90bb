//! The rows, and how they are shown.

use crate::series::Pairs;
use serde_json::json;
use std::fmt;

/// The unit of a row's figures.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Seconds of wall-clock time.
    Seconds,
    /// Bytes of memory or of a file.
    Bytes,
    /// Exponent of growth.
    Exponent,
    /// Number of log rows.
    Rows,
}

/// The allowed ratio of a row.
#[derive(Clone, Copy)]
pub enum Allowed {
    /// At most this ratio.
    AtMost(f64),
    /// Shown for comparison only.
    Anything,
}

/// A measurement compared with its limit.
pub struct Row {
    /// What was measured.
    pub name: String,
    /// The size of the input.
    pub size: String,
    /// The file system.
    pub on: String,
    /// The unit of both figures.
    pub unit: Unit,
    /// Medians and ratio, or why there are none.
    pub figures: Result<Figures, String>,
    /// The highest ratio that is `ok`.
    pub allowed: Allowed,
    /// What the limit is, in words.
    pub limit_is: String,
}

/// The numbers of a row.
pub struct Figures {
    /// Median of the measurement.
    pub measured: f64,
    /// Median of the limit.
    pub limit: f64,
    /// The ratio; for paired rounds, the median of the rounds' ratios.
    pub ratio: f64,
}

impl Figures {
    /// For two single values.
    pub fn of(measured: f64, limit: f64) -> Self {
        Figures { measured, limit, ratio: measured / limit }
    }
}

impl From<Pairs> for Figures {
    fn from(pairs: Pairs) -> Self {
        Figures { measured: pairs.measured(), limit: pairs.limit(), ratio: pairs.ratio() }
    }
}

impl Row {
    fn verdict(&self) -> &'static str {
        match (&self.figures, self.allowed) {
            (Err(_), _) => "FAILED",
            (Ok(_), Allowed::Anything) => "-",
            (Ok(figures), Allowed::AtMost(most)) if figures.ratio <= most => "ok",
            (Ok(_), Allowed::AtMost(_)) => "MISS",
        }
    }

    fn cells(&self) -> [String; 9] {
        let (measured, limit, ratio) = match &self.figures {
            Ok(f) => (self.unit.show(f.measured), self.unit.show(f.limit), format!("{:.2}", f.ratio)),
            Err(_) => ("-".into(), "-".into(), "-".into()),
        };
        let allowed = match self.allowed {
            Allowed::AtMost(most) => format!("{most:.2}"),
            Allowed::Anything => "-".into(),
        };
        let words = self.figures.as_ref().err().unwrap_or(&self.limit_is).clone();
        let [name, size, on] = [&self.name, &self.size, &self.on].map(String::clone);
        [name, size, on, measured, limit, ratio, allowed, self.verdict().into(), words]
    }

    fn json(&self) -> serde_json::Value {
        let figures = self.figures.as_ref().ok();
        json!({
            "row": self.name, "size": self.size, "on": self.on, "unit": self.unit.name(),
            "measured": figures.map(|f| f.measured), "limit": figures.map(|f| f.limit),
            "ratio": figures.map(|f| f.ratio), "limit_is": self.limit_is,
            "allowed": match self.allowed { Allowed::AtMost(most) => Some(most), Allowed::Anything => None },
            "verdict": self.verdict(), "failure": self.figures.as_ref().err(),
        })
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::Bytes => "bytes",
            Unit::Exponent => "exponent",
            Unit::Rows => "rows",
        }
    }

    fn show(self, value: f64) -> String {
        match self {
            Unit::Seconds if value < 0.1 => format!("{:.2} ms", value * 1e3),
            Unit::Seconds if value < 1.0 => format!("{:.0} ms", value * 1e3),
            Unit::Seconds => format!("{value:.2} s"),
            Unit::Bytes => format!("{:.2} MiB", value / f64::from(1 << 20)),
            Unit::Exponent => format!("{value:.2}"),
            Unit::Rows => thousands(value as usize),
        }
    }
}

/// All rows of a run, in the order of measurement.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    legend: Vec<String>,
}

const HEAD: [&str; 9] =
    ["row", "size", "on", "measured", "limit", "ratio", "allowed", "verdict", "the limit is"];
/// Whether each column is right-aligned, as numbers are.
const RIGHT: [bool; 9] = [false, true, false, true, true, true, true, false, false];
const LEGEND: &str = "\
measured, limit: medians. ratio: median of the rounds' own ratios, each round taking both sides in turn.
raw FTS5: the index's own rows into a plain FTS5 table, SQLite's settings, one transaction, in this process.
bare: a server of the same library with two tools that do nothing, over the same pipes. A row of the server is the median of
the rounds' own medians of 100 calls.
raw SQL, raw open + insert + close: SQLite alone on a log's own tables and indexes. Rows lost may be 0 at most.
stat: `find -printf` over the skill. fdatasync: create a file, append 4 KiB, make it durable.
Where the limit is a sum, it holds the factors, and the ratio may be 1. An exponent's `ratio` is the exponent;
on a disk FTS5's own stands beside it, because SQLite's may exceed the goal alone.
`-`: shown for comparison. MISS: above what is allowed. FAILED: the last column says why.";

impl Table {
    /// Adds a row, and prints progress.
    pub fn push(&mut self, row: Row) {
        eprintln!("{}", row.cells().join("  "));
        self.rows.push(row);
    }

    /// Adds a line below the table.
    pub fn legend(&mut self, line: String) {
        self.legend.push(line);
    }

    /// Every row, with unrounded figures.
    pub fn json(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(Row::json).collect();
        format!("{:#}\n", json!({ "rows": rows, "limits": self.legend }))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> =
            std::iter::once(HEAD.map(String::from)).chain(self.rows.iter().map(Row::cells)).collect();
        let wide = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<_> = (0..HEAD.len()).map(wide).collect();
        for line in &lines {
            let pad = |(column, cell): (usize, &String)| match RIGHT[column] {
                true => format!("{cell:>width$}", width = widths[column]),
                false => format!("{cell:<width$}", width = widths[column]),
            };
            let text = line.iter().enumerate().map(pad).collect::<Vec<_>>().join("  ");
            writeln!(f, "{}", text.trim_end())?;
        }
        let missed = self.rows.iter().filter(|row| matches!(row.verdict(), "MISS" | "FAILED")).count();
        writeln!(f, "\n{} rows, {missed} missed or failed", self.rows.len())?;
        self.legend.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, "{LEGEND}")
    }
}

/// Formats numbers like `10,000`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let cut = |(i, digit): (usize, char)| {
        let comma = i > 0 && (digits.len() - i).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(cut).collect()
}
