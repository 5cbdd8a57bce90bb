//! A table of phrases, read from a data file; `data/README.md` describes the format.

use crate::security::phrase::Phrase;
use crate::security::phrases::form::PhraseForm;
use crate::security::phrases::lists::LISTS;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Phrases with the same form and the same effect.
#[derive(Debug)]
pub struct PhraseRow {
    /// The form in which the phrases are effective.
    pub form: PhraseForm,
    /// The effect of the phrases, for messages: `sets other instructions aside`.
    pub effect: &'static str,
    /// Rare substrings; each of the phrases contains one of them.
    pub anchors: Vec<&'static str>,
    /// In the language of [`Phrase::parse`].
    pub phrases: Vec<&'static str>,
}

/// A table that is parsed on first use. A row is compiled when one of its anchors is found.
pub struct Table {
    source: &'static str,
    rows: OnceLock<Vec<PhraseRow>>,
    anchors: OnceLock<Vec<&'static str>>,
    /// Each anchor with the position of its row, sorted.
    rows_of_anchors: OnceLock<Vec<(&'static str, usize)>>,
    /// One list per row.
    phrases: OnceLock<Vec<OnceLock<Vec<Phrase>>>>,
}

impl Table {
    /// A table from the text of a data file.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            rows: OnceLock::new(),
            anchors: OnceLock::new(),
            rows_of_anchors: OnceLock::new(),
            phrases: OnceLock::new(),
        }
    }

    /// The rows, in file order.
    pub fn rows(&self) -> &[PhraseRow] {
        self.rows.get_or_init(|| parse(self.source))
    }

    /// The anchors of all rows. Every run needs them, so they are read without the phrases.
    pub fn anchors(&self) -> &[&'static str] {
        let lines = || self.source.lines().filter_map(|line| line.strip_prefix(ANCHORS));
        self.anchors.get_or_init(|| parse_anchors(lines()))
    }

    /// The positions of the rows with an anchor.
    pub fn rows_of_anchor(&self, anchor: &str) -> impl Iterator<Item = usize> {
        let all = self.rows_of_anchors.get_or_init(|| rows_of_anchors(self.rows()));
        let first = all.partition_point(|(other, _)| *other < anchor);
        all[first..].iter().take_while(move |(other, _)| *other == anchor).map(|(_, row)| *row)
    }

    /// The phrases of the row at a position.
    pub fn phrases(&self, row: usize) -> &[Phrase] {
        let all = self.phrases.get_or_init(|| self.rows().iter().map(|_| OnceLock::new()).collect());
        let parse = || self.rows()[row].phrases.iter().map(|phrase| Phrase::parse(phrase, &LISTS)).collect();
        all[row].get_or_init(parse)
    }
}

/// The prefix of a line with anchors.
const ANCHORS: &str = "anchors: ";

fn parse(source: &'static str) -> Vec<PhraseRow> {
    let mut rows: Vec<PhraseRow> = Vec::new();
    for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let header = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        if let Some((form, effect)) = header {
            let form = PhraseForm::parse(form).unwrap_or(PhraseForm::Any);
            rows.push(PhraseRow { form, effect, anchors: Vec::new(), phrases: Vec::new() });
        } else if let Some(row) = rows.last_mut() {
            match line.strip_prefix(ANCHORS) {
                Some(anchors) => row.anchors.extend(parse_anchors([anchors].into_iter())),
                None => row.phrases.push(line),
            }
        }
    }
    rows
}

/// Parses lines of quoted texts; in `"a " "b " * "c" "d"`, each text before the `*` is combined with each one after it.
/// The texts share one allocation: there are thousands of them, and every run needs them.
fn parse_anchors(lines: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for line in lines {
        // Only a line break is escaped. One character is found faster than two.
        let line = if line.contains('\\') { line.replace("\\n", "\n").into() } else { Cow::from(line) };
        let parts = if line.contains('*') { line.split_once("\" * \"") } else { None };
        let (starts, lasts) = parts.unwrap_or((&line, ""));
        let lasts: Vec<&str> = quoted(lasts).collect();
        for start in quoted(starts) {
            for last in &lasts {
                text.push_str(start);
                text.push_str(last);
                ends.push(text.len());
            }
        }
    }
    let text: &'static str = text.leak();
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| &text[start..*end]).collect()
}

/// The texts between quotation marks; the first and the last mark may be missing.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_matches('"');
    // Between two texts is a blank between quotation marks.
    line.split('"').step_by(2)
}

fn rows_of_anchors(rows: &[PhraseRow]) -> Vec<(&'static str, usize)> {
    let of_rows = rows.iter().enumerate();
    let mut all: Vec<_> =
        of_rows.flat_map(|(at, row)| row.anchors.iter().map(move |anchor| (*anchor, at))).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_rows_with_anchors_and_phrases() {
        let table = Table::new(
            "# note\n\n[order] does it\nanchors: \"a \" \"not\\n\"\nanchors: \"b \" \"c\" * \" d\" \"e\"\n# x\none ~2\n\n[code] b\ntwo\n",
        );
        assert_eq!(table.anchors(), ["a ", "not\n", "b  d", "b e", "c d", "ce"]);
        let rows: Vec<_> = table.rows().iter().map(|row| (row.form, row.effect, &row.phrases[..])).collect();
        assert_eq!(
            rows,
            [(PhraseForm::Order, "does it", &["one ~2"][..]), (PhraseForm::Code, "b", &["two"][..])]
        );
    }
}
