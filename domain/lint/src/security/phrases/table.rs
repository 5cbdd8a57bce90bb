//! Tables of phrases, and the patterns that find where one may stand.

use crate::security::phrase::Phrase;
use crate::security::phrases::form::Form;
use crate::security::phrases::lists::LISTS;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Phrases of which one thing is said.
#[derive(Debug)]
pub struct Row {
    /// How they must stand.
    pub form: Form,
    /// What they do, for messages.
    pub does: &'static str,
    /// Rare parts of texts of which each of the phrases has one, in groups.
    pub anchors: &'static [&'static [&'static str]],
    /// As [`Phrase::parse`] reads them.
    pub phrases: &'static [&'static str],
}

/// Rows, and what is made of them when the first anchor is met.
pub struct Table {
    /// The rows.
    pub rows: &'static [Row],
    /// What is made of them.
    pub read: LazyLock<Read>,
}

/// What is made of rows.
pub struct Read {
    /// The phrases of each row.
    pub phrases: Vec<Vec<Phrase>>,
    /// The rows of each anchor.
    pub owners: HashMap<&'static str, Vec<usize>>,
}

/// Reads the phrases of all rows.
pub fn read(rows: &[Row]) -> Read {
    let of_row = |row: &Row| row.phrases.iter().map(|phrase| Phrase::parse(phrase, LISTS)).collect();
    let mut owners: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        for anchor in anchors(row) {
            owners.entry(anchor).or_default().push(at);
        }
    }
    Read { phrases: rows.iter().map(of_row).collect(), owners }
}

/// The anchors of a row.
pub fn anchors(row: &Row) -> impl Iterator<Item = &'static str> {
    row.anchors.iter().flat_map(|group| group.iter().copied())
}

/// How many texts groups hold.
pub const fn count(rows: &[Row]) -> usize {
    let (mut row, mut all) = (0, 0);
    while row < rows.len() {
        let mut group = 0;
        while group < rows[row].anchors.len() {
            all += rows[row].anchors[group].len();
            group += 1;
        }
        row += 1;
    }
    all
}

/// The anchors of all rows as one list.
pub const fn flat<const N: usize>(rows: &[Row]) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut row, mut filled) = (0, 0);
    while row < rows.len() {
        let mut group = 0;
        while group < rows[row].anchors.len() {
            let mut at = 0;
            while at < rows[row].anchors[group].len() {
                all[filled] = rows[row].anchors[group][at];
                (filled, at) = (filled + 1, at + 1);
            }
            group += 1;
        }
        row += 1;
    }
    all
}

/// Declares a table, and the pattern that finds the anchors of all its rows. `["a", "b"] ("c ", "d ") * ("e", "f")` are the
/// anchors `a`, `b`, `c e`, `c f`, `d e` and `d f`.
macro_rules! table {
    ($(#[doc = $doc:literal])+ $table:ident $pattern:ident $($rows:tt)+) => {
        $(#[doc = $doc])+
        pub static $table: $crate::security::phrases::table::Table = {
            const ROWS: &[$crate::security::phrases::table::Row] = $crate::security::phrases::table::rows!($($rows)+);
            $crate::security::phrases::table::Table {
                rows: ROWS,
                read: std::sync::LazyLock::new(|| $crate::security::phrases::table::read(ROWS)),
            }
        };
        /// Finds the anchors of the table.
        pub const $pattern: $crate::rule::Pattern = {
            const ROWS: &[$crate::security::phrases::table::Row] = $crate::security::phrases::table::rows!($($rows)+);
            const ANCHORS: [&str; $crate::security::phrases::table::count(ROWS)] = $crate::security::phrases::table::flat(ROWS);
            $crate::rule::Pattern { needles: &ANCHORS, regex: "" }
        };
    };
}
macro_rules! rows {
    ($($form:ident $does:literal [$($anchor:literal),* $(,)?] $(($($first:literal),+ $(,)?) * $second:tt)*
       { $($phrase:literal)+ })+) => {
        &[$($crate::security::phrases::table::Row {
            form: $crate::security::phrases::form::Form::$form,
            does: $does,
            anchors: &[&[$($anchor),*], $($($crate::security::phrases::table::each!($first $second)),+),*],
            phrases: &[$($phrase),+],
        }),+]
    };
}
/// One beginning with each of the endings.
macro_rules! each {
    ($first:literal ($($second:literal),+ $(,)?)) => { &[$(concat!($first, $second)),+] };
}
pub(crate) use {each, rows, table};
