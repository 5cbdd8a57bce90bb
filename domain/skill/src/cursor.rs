//! Cursors: opaque strings that identify a position in one answer and are invalid for any other.

use crate::fault::Fault;
use crate::reader::about_argument;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A complete answer, which replies return in parts: the request and all of its data.
#[derive(Clone, Debug)]
pub struct Whole(DefaultHasher);

impl Whole {
    /// Hashes the request and the parts, in order. The hash only detects changes. Cursors are not secret: a forged
    /// one leads to a position in a text that is readable anyway.
    pub fn new<'a>(asked: &[&str], parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = DefaultHasher::new();
        asked.hash(&mut hasher);
        parts.into_iter().for_each(|part| part.hash(&mut hasher));
        Self(hasher)
    }

    /// The cursor for an offset: the offset and a fingerprint of answer and offset, in hexadecimal digits.
    pub fn cursor(&self, offset: usize) -> String {
        let mut hasher = self.0.clone();
        offset.hash(&mut hasher);
        format!("{offset:x}-{:016x}", hasher.finish())
    }

    /// Returns the offset that a cursor encodes.
    ///
    /// # Errors
    /// E100 if the cursor does not belong to this answer.
    pub fn offset(&self, cursor: &str) -> Result<usize, Fault> {
        let digits = cursor.split('-').next().unwrap_or_default();
        let offset = usize::from_str_radix(digits, 16).ok().filter(|offset| self.cursor(*offset) == cursor);
        let message = || about_argument("cursor", &format!("'{cursor}' does not continue this answer"));
        offset.ok_or_else(|| Fault::unknown_cursor(message()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0002:C-CURSOR
    #[test]
    fn a_cursor_fits_the_answer_that_gave_it_and_no_other() {
        let whole = Whole::new(&["open", "/x", "a.md"], [b"text".as_slice()]);
        let cursor = whole.cursor(12);
        assert_eq!(whole.offset(&cursor).unwrap(), 12);
        let others = [
            Whole::new(&["open", "/x", "a.md"], [b"texts".as_slice()]),
            Whole::new(&["open", "/x", "b.md"], [b"text".as_slice()]),
            Whole::new(&["open", "/xa", ".md"], [b"text".as_slice()]),
            Whole::new(&["open", "/x", "a.md"], [b"te".as_slice(), b"xt"]),
        ];
        for other in others {
            assert_eq!(other.offset(&cursor).unwrap_err().code(), "E100");
        }
        for broken in ["", "-", "c", "zz-1", "+c-0", &cursor.replace('c', "d"), &format!("0{cursor}"), "é-é"]
        {
            assert!(whole.offset(broken).is_err(), "{broken}");
        }
    }
}
