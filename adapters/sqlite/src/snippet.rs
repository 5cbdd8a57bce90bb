//! Builds snippets in time linear in the text.
//!
//! FTS5's `snippet()` compares every match in a row with every other, and `highlight()` copies the marked text for
//! each match: both are quadratic in the number of matches. For a text with many matches, the snippet is taken from a
//! piece of it, which is indexed in memory as a row of its own with the same tokenizer.

use crate::fts5::{any_word, every_word};
use crate::schema::fts5_tokenizer;
use crate::snippet_text::{Beginnings, beginning, longest_phrase, pieces};
use rusqlite::{Connection, OptionalExtension, Result, ffi, params};
use skillc_domain::config::Tokenizer;
use skillc_domain::limits::{SNIPPET_PIECES_MAX, SNIPPET_TOKENS};
use skillc_domain::query::Query;
use skillc_ports::Patience;
use std::ops::Range;

/// Size in bytes of a row that is short enough for FTS5: it has at most 512 matches of a word.
const SHORT_BYTES: u64 = 1024;
/// Number of pieces in the first search. It doubles with each further one.
const FIRST_PIECES: usize = 2;
const NEXT_PIECES_MAX: usize = 64;

/// Builds the snippets of one search.
pub struct Snippets<'a> {
    db: &'a Connection,
    query: &'a Query,
    fts5: &'a str,
    tokenizer: Tokenizer,
    patience: &'a Patience,
    beginnings: Beginnings,
}

impl<'a> Snippets<'a> {
    /// For the rows that a query finds in a database.
    pub fn new(
        db: &'a Connection,
        query: &'a Query,
        fts5: &'a str,
        tokenizer: Tokenizer,
        patience: &'a Patience,
    ) -> Self {
        Self { db, query, fts5, tokenizer, patience, beginnings: Beginnings::of(query) }
    }

    /// The snippet of a row with a text of `bytes` bytes.
    pub fn of(&self, row: i64, bytes: u64) -> Result<String> {
        check(self.patience)?;
        if bytes > SHORT_BYTES {
            let content = "SELECT content FROM sections WHERE rowid = ?1";
            let mut content = self.db.prepare_cached(content)?;
            let mut rows = content.query([row])?;
            if let Some(row) = rows.next()? {
                let text = row.get_ref(0)?.as_str()?;
                if self.beginnings.are_many(text) {
                    return self.of_pieces(text);
                }
            }
        }
        let whole = "SELECT snippet(sections, 2, '[MATCH]', '[/MATCH]', '...', ?3) FROM sections
            WHERE sections MATCH ?1 AND rowid = ?2";
        let asked = params![self.fts5, row, SNIPPET_TOKENS];
        self.db.prepare_cached(whole)?.query_row(asked, |row| row.get(0))
    }

    /// The snippet of the first piece that contains every word of the query, otherwise of the first one that contains
    /// any.
    fn of_pieces(&self, text: &str) -> Result<String> {
        let longest = self.query.words().map(str::len).max().unwrap_or(0);
        let overlap = longest_phrase(self.query).saturating_sub(1);
        let mut pieces = pieces(text, overlap, longest);
        let mut scratch = Scratch::new(text, self.query, self.tokenizer)?;
        let (mut any, mut count) = (None, FIRST_PIECES);
        loop {
            check(self.patience)?;
            let added = scratch.add(pieces.by_ref().take(count))?;
            if let Some(piece) = scratch.first(&scratch.all)? {
                return scratch.snippet(piece);
            }
            any = match any {
                None => scratch.first(&scratch.any)?,
                known => known,
            };
            let is_enough = any.is_some() && scratch.pieces.len() >= SNIPPET_PIECES_MAX;
            if added < count || is_enough {
                break;
            }
            count = (2 * count).min(NEXT_PIECES_MAX);
        }
        match any {
            Some(piece) => scratch.snippet(piece),
            // The words are only in the heading and in the file name.
            None => Ok(beginning(text, SNIPPET_TOKENS as usize)),
        }
    }
}

/// The pieces of one text, as rows of a database in memory.
struct Scratch<'a> {
    db: Connection,
    text: &'a str,
    pieces: Vec<Range<usize>>,
    /// FTS5 expressions for all words of the query, and for any of them.
    all: String,
    any: String,
}

impl<'a> Scratch<'a> {
    fn new(text: &'a str, query: &Query, tokenizer: Tokenizer) -> Result<Self> {
        let db = Connection::open_in_memory()?;
        let tokenizer = fts5_tokenizer(tokenizer);
        db.execute_batch(&format!(
            "CREATE VIRTUAL TABLE pieces USING fts5(content, tokenize='{tokenizer}')"
        ))?;
        Ok(Self { db, text, pieces: Vec::new(), all: every_word(query), any: any_word(query) })
    }

    /// Adds pieces and returns their number.
    fn add(&mut self, pieces: impl Iterator<Item = Range<usize>>) -> Result<usize> {
        let before = self.pieces.len();
        let all = self.db.unchecked_transaction()?;
        let mut add = self.db.prepare_cached("INSERT INTO pieces(rowid, content) VALUES (?1, ?2)")?;
        for piece in pieces {
            let number = u32::try_from(self.pieces.len()).unwrap_or(u32::MAX);
            add.execute(params![number, &self.text[piece.clone()]])?;
            self.pieces.push(piece);
        }
        all.commit()?;
        Ok(self.pieces.len() - before)
    }

    fn first(&self, fts5: &str) -> Result<Option<u32>> {
        let first = "SELECT rowid FROM pieces WHERE pieces MATCH ?1 ORDER BY rowid LIMIT 1";
        self.db.prepare_cached(first)?.query_row([fts5], |row| row.get(0)).optional()
    }

    /// The snippet of a piece, with ellipses for omitted text on either side.
    fn snippet(&self, piece: u32) -> Result<String> {
        let snippet = "SELECT snippet(pieces, 0, '[MATCH]', '[/MATCH]', '...', ?3) FROM pieces
            WHERE pieces MATCH ?1 AND rowid = ?2";
        let asked = params![self.any, piece, SNIPPET_TOKENS];
        let snippet: String = self.db.prepare_cached(snippet)?.query_row(asked, |row| row.get(0))?;
        let Range { start, end } = self.pieces[piece as usize].clone();
        let left = if start > 0 && !snippet.starts_with("...") { "..." } else { "" };
        let right = if end < self.text.len() && !snippet.ends_with("...") { "..." } else { "" };
        Ok(format!("{left}{}{right}", snippet.trim_end()))
    }
}

/// Returns the error of an interrupted query if the patience has ended.
pub fn check(patience: &Patience) -> Result<()> {
    match patience.is_over() {
        true => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERRUPT), None)),
        false => Ok(()),
    }
}
