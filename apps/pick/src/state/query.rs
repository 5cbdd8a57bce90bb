//! The query line and its cursor.

use super::event::Key;

/// Longest query in characters; pasted text is truncated.
const CHARS_MAX: usize = 500;

/// A query being edited.
#[derive(Clone, Debug, Default)]
pub struct QueryInput {
    text: String,
    /// Bytes before the cursor.
    cursor: usize,
}

impl QueryInput {
    /// A query with the cursor at its end.
    pub fn new(text: &str) -> Self {
        let mut query = Self::default();
        query.insert(text);
        query
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Edits the query or moves the cursor; ignores other keys.
    pub fn handle_key(&mut self, key: &Key) {
        match key {
            Key::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Paste(text) => self.insert(text),
            Key::Backspace => self.remove(self.char_before()..self.cursor),
            Key::Delete => self.remove(self.cursor..self.char_after()),
            Key::DeleteWord => self.remove(self.word_before()..self.cursor),
            Key::Clear => self.remove(0..self.text.len()),
            Key::Left => self.cursor = self.char_before(),
            Key::Right => self.cursor = self.char_after(),
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = self.text.len(),
            _ => {}
        }
    }

    fn insert(&mut self, text: &str) {
        let room = CHARS_MAX.saturating_sub(self.text.chars().count());
        let clean = |c: char| if c.is_whitespace() { Some(' ') } else { (!c.is_control()).then_some(c) };
        let text: String = text.chars().filter_map(clean).take(room).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    fn remove(&mut self, bytes: std::ops::Range<usize>) {
        self.cursor = bytes.start;
        self.text.replace_range(bytes, "");
    }

    fn char_before(&self) -> usize {
        self.before_cursor().char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn char_after(&self) -> usize {
        let next = self.text[self.cursor..].chars().next();
        self.cursor + next.map_or(0, char::len_utf8)
    }

    fn word_before(&self) -> usize {
        let word = self.before_cursor().trim_end();
        word.rfind(' ').map_or(0, |at| at + 1)
    }
}
