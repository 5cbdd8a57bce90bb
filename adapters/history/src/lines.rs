//! Reads lines of any length from a file, in bounded memory.

use std::io::{self, BufRead, Read};

/// Length in bytes above which a line is skipped: far more than any record about a skill, and little compared with
/// the memory that an import may use.
pub const LINE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// A complete line, in the buffer.
    Complete,
    /// A line above the limit; the buffer is empty.
    TooLong,
    /// The last line, which is incomplete.
    Cut,
    /// There are no more lines.
    End,
}

/// Reads lines one by one and tracks where each begins.
pub struct LineReader<R> {
    reader: R,
    /// Number of bytes of all lines so far.
    position: u64,
    /// The last line, without its line break.
    pub buffer: Vec<u8>,
}

impl<R: BufRead> LineReader<R> {
    /// Continues at a position in the file.
    pub fn new(reader: R, position: u64) -> Self {
        Self { reader, position, buffer: Vec::new() }
    }

    /// Byte offset of the next line.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads the next line into the buffer.
    pub fn next(&mut self) -> io::Result<LineOutcome> {
        self.buffer.clear();
        let mut bounded = (&mut self.reader).take(LINE_BYTES_MAX + 1);
        let read = bounded.read_until(b'\n', &mut self.buffer)? as u64;
        if self.buffer.pop_if(|last| *last == b'\n').is_some() {
            self.position += read;
            self.buffer.pop_if(|last| *last == b'\r');
            return Ok(LineOutcome::Complete);
        }
        if read <= LINE_BYTES_MAX {
            return Ok(if read == 0 { LineOutcome::End } else { LineOutcome::Cut });
        }
        self.position += read + self.reader.skip_until(b'\n')? as u64;
        self.buffer = Vec::new();
        Ok(LineOutcome::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-INPUT
    #[test]
    fn a_line_that_is_too_long_is_skipped_and_a_cut_one_is_not_passed() {
        let mut text = b"one\r\n".to_vec();
        text.extend(vec![b'x'; LINE_BYTES_MAX as usize + 9]);
        text.extend(b"\ntwo\nthr");
        let mut lines = LineReader::new(text.as_slice(), 0);
        let mut next = || (lines.next().unwrap(), lines.buffer.clone(), lines.position());
        assert_eq!(next(), (LineOutcome::Complete, b"one".to_vec(), 5));
        let two = 5 + LINE_BYTES_MAX + 10;
        assert_eq!(next(), (LineOutcome::TooLong, Vec::new(), two));
        assert_eq!(next(), (LineOutcome::Complete, b"two".to_vec(), two + 4));
        assert_eq!(next(), (LineOutcome::Cut, b"thr".to_vec(), two + 4));
        assert_eq!(next(), (LineOutcome::End, Vec::new(), two + 4));
    }
}
