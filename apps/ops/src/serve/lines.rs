//! Bytes of a stream as lines, none longer than a limit. It knows no streams: whoever reads hands over what came.

/// Bytes that are kept between two lines.
const BYTES_KEPT: usize = 64 * 1024;

/// Puts a line together.
#[derive(Debug)]
pub struct LineCutter {
    line: Vec<u8>,
    bytes_max: usize,
    is_too_long: bool,
}

impl LineCutter {
    /// For lines of so many bytes with their end.
    pub fn new(bytes_max: usize) -> Self {
        Self { line: Vec::new(), bytes_max, is_too_long: false }
    }

    /// Forgets the last line.
    pub fn begin(&mut self) {
        self.line.clear();
        self.line.shrink_to(BYTES_KEPT);
        self.is_too_long = false;
    }

    /// Takes of what was read what belongs to this line: how many bytes, and whether it ends there.
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

    /// The line with its end; `None` if it was too long.
    pub fn line(&self) -> Option<&[u8]> {
        (!self.is_too_long).then_some(&self.line[..])
    }

    /// Whether nothing was taken yet.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty() && !self.is_too_long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of a stream that comes in pieces; `-` for one that was too long.
    fn lines(pieces: &[&str], bytes_max: usize) -> Vec<String> {
        let (mut cutter, mut found) = (LineCutter::new(bytes_max), Vec::new());
        for piece in pieces {
            let mut rest = piece.as_bytes();
            while !rest.is_empty() {
                let (taken, is_end) = cutter.take(rest);
                rest = &rest[taken..];
                if is_end {
                    let line = cutter.line().map(|line| String::from_utf8_lossy(line).trim_end().to_owned());
                    found.push(line.unwrap_or_else(|| "-".to_owned()));
                    cutter.begin();
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
        let mut cutter = LineCutter::new(4);
        for _ in 0..1000 {
            cutter.take(&[b'x'; 1024]);
        }
        assert_eq!((cutter.line.capacity(), cutter.line(), cutter.is_empty()), (0, None, false));
    }
}
