//! Splits bytes into lines up to a maximum length. It performs no I/O: the caller reads and passes on the chunks.

/// Maximum capacity in bytes that is kept from one line to the next.
const BUFFER_BYTES_MAX: usize = 64 * 1024;

/// Assembles one line at a time from chunks.
#[derive(Debug)]
pub struct LineDecoder {
    line: Vec<u8>,
    bytes_max: usize,
    is_too_long: bool,
}

impl LineDecoder {
    /// A decoder for lines of at most `bytes_max` bytes, line break included.
    pub fn new(bytes_max: usize) -> Self {
        Self { line: Vec::new(), bytes_max, is_too_long: false }
    }

    /// Starts a new line.
    pub fn begin(&mut self) {
        self.line.clear();
        self.line.shrink_to(BUFFER_BYTES_MAX);
        self.is_too_long = false;
    }

    /// Takes the part of a chunk that belongs to this line. Returns its length in bytes, and whether the line is
    /// complete.
    pub fn take(&mut self, read: &[u8]) -> (usize, bool) {
        let end = read.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(read.len());
        self.is_too_long |= self.line.len() + taken > self.bytes_max;
        match self.is_too_long {
            true => self.line = Vec::new(),
            false => self.line.extend_from_slice(&read[..taken]),
        }
        (taken, end.is_some())
    }

    /// The line with its line break; `None` if it exceeded the limit.
    pub fn line(&self) -> Option<&[u8]> {
        (!self.is_too_long).then_some(&self.line[..])
    }

    /// Whether nothing has been taken since `begin`.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty() && !self.is_too_long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a stream that arrives in pieces; `-` stands for a line that was too long.
    fn lines(pieces: &[&str], bytes_max: usize) -> Vec<String> {
        let (mut decoder, mut found) = (LineDecoder::new(bytes_max), Vec::new());
        for piece in pieces {
            let mut rest = piece.as_bytes();
            while !rest.is_empty() {
                let (taken, is_end) = decoder.take(rest);
                rest = &rest[taken..];
                if is_end {
                    let line = decoder.line().map(|line| String::from_utf8_lossy(line).trim_end().to_owned());
                    found.push(line.unwrap_or_else(|| "-".to_owned()));
                    decoder.begin();
                }
            }
        }
        found
    }

    #[test]
    fn lines_are_cut_wherever_a_piece_ends() {
        assert_eq!(lines(&["a\nb", "c\n\nd"], 10), ["a", "bc", ""]);
        assert_eq!(lines(&["12345\n", "123", "456\nx\n"], 6), ["12345", "-", "x"]);
        assert_eq!(lines(&["\n", "1234567890", "1234567890", "\n1\n"], 4), ["", "-", "1"]);
    }

    #[test]
    fn a_line_that_is_too_long_keeps_no_memory() {
        let mut decoder = LineDecoder::new(4);
        for _ in 0..1000 {
            decoder.take(&[b'x'; 1024]);
        }
        assert_eq!((decoder.line.capacity(), decoder.line(), decoder.is_empty()), (0, None, false));
    }
}
