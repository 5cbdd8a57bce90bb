//! A block between two marker lines in a file that belongs to the user. All other bytes stay unchanged.

/// The line before the block.
pub const BEGIN: &str = "<!-- skc:catalog begin -->";
/// The line after the block.
pub const END: &str = "<!-- skc:catalog end -->";

/// Replaces the block between the marker lines of a file; appends both if the file has none.
///
/// Uses the line breaks of the file: CRLF if its first line ends with it.
///
/// # Errors
/// The reason, if the markers are not one pair in order.
pub fn with_block(file: &[u8], block: &str) -> Result<Vec<u8>, &'static str> {
    let is_crlf = file.iter().position(|b| *b == b'\n').is_some_and(|at| at > 0 && file[at - 1] == b'\r');
    let line_break = if is_crlf { "\r\n" } else { "\n" };
    let block = block.replace('\n', line_break);
    let (begins, ends) = (lines_of(file, BEGIN), lines_of(file, END));
    match (&begins[..], &ends[..]) {
        ([], []) => {
            let mut made = file.to_vec();
            if !made.is_empty() {
                made.extend_from_slice(if made.ends_with(b"\n") { "" } else { line_break }.as_bytes());
                made.extend_from_slice(line_break.as_bytes());
            }
            made.extend_from_slice(format!("{BEGIN}{line_break}{block}{END}{line_break}").as_bytes());
            Ok(made)
        }
        ([(_, begin)], [(end, _)]) if begin <= end => {
            let closing = if file[..*begin].ends_with(b"\n") { "" } else { line_break };
            Ok([&file[..*begin], closing.as_bytes(), block.as_bytes(), &file[*end..]].concat())
        }
        ([_], [_]) => Err("its end mark is before its begin mark"),
        ([], _) => Err("it has an end mark and no begin mark"),
        (_, []) => Err("it has a begin mark and no end mark"),
        _ => Err("it has more than one pair of marks"),
    }
}

/// Whether a file contains a marker line.
pub fn has_marks(file: &[u8]) -> bool {
    !lines_of(file, BEGIN).is_empty() || !lines_of(file, END).is_empty()
}

/// Byte ranges of the lines that consist of a marker only, including their line breaks.
fn lines_of(file: &[u8], mark: &str) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in file.split_inclusive(|b| *b == b'\n') {
        if line.trim_ascii() == mark.as_bytes() {
            found.push((at, at + line.len()));
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(file: &str, block: &str) -> Result<String, &'static str> {
        with_block(file.as_bytes(), block).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    /// RFC-0010:C-WRITE
    #[test]
    fn only_the_text_between_the_marks_changes() {
        let made = put("# A\n", "x\n").unwrap();
        assert_eq!(made, format!("# A\n\n{BEGIN}\nx\n{END}\n"));
        assert_eq!(put(&made, "x\n").unwrap(), made);
        let more = format!("{made}tail without a line break");
        assert_eq!(put(&more, "y\nz\n").unwrap(), more.replace("x\n", "y\nz\n"));
        assert_eq!(put("", "x\n").unwrap(), format!("{BEGIN}\nx\n{END}\n"));
        assert_eq!(put("a", "").unwrap(), format!("a\n\n{BEGIN}\n{END}\n"));
        let bytes = [b"\xff\xfe\r\n".as_slice(), BEGIN.as_bytes(), b"\r\nold\r\n", END.as_bytes(), b"\r\n\0"]
            .concat();
        let made = with_block(&bytes, "n\n").unwrap();
        assert!(made.starts_with(b"\xff\xfe\r\n") && made.ends_with(b"-->\r\n\0"));
        assert!(made.windows(5).any(|w| w == b">\r\nn\r"));
    }

    /// RFC-0010:C-WRITE
    #[test]
    fn a_file_whose_marks_are_no_pair_is_refused() {
        for broken in [
            format!("{BEGIN}\n"),
            format!("{END}\n"),
            format!("{END}\n{BEGIN}\n"),
            format!("{BEGIN}\n{END}\n{BEGIN}\n{END}\n"),
            format!("{BEGIN}\n{BEGIN}\n{END}\n"),
        ] {
            assert!(put(&broken, "x\n").is_err(), "{broken}");
        }
        let quoted = format!("Between `{BEGIN}` and `{END}`.\n");
        assert!(put(&quoted, "x\n").unwrap().starts_with(&quoted), "a mark in a sentence is none");
    }

    /// RFC-0010:C-WRITE
    #[test]
    fn a_refusal_says_which_mark_is_missing_or_misplaced() {
        for (file, part) in [
            (format!("{END}\n{BEGIN}\n"), "before its begin mark"),
            (format!("{END}\n"), "no begin mark"),
            (format!("{BEGIN}\n"), "no end mark"),
            (format!("{BEGIN}\n{END}\n{END}\n"), "more than one pair"),
        ] {
            assert!(put(&file, "").unwrap_err().contains(part), "{file}");
        }
    }

    #[test]
    fn one_mark_on_a_line_of_its_own_marks_a_file() {
        for (file, is_marked) in [
            (format!("a\n  {BEGIN} \n"), true),
            (format!("a\n{END}"), true),
            (format!("a {BEGIN}\n"), false),
            (String::new(), false),
        ] {
            assert_eq!(has_marks(file.as_bytes()), is_marked, "{file}");
        }
    }

    /// RFC-0010:C-WRITE
    #[test]
    fn the_first_line_says_which_line_breaks_a_file_has() {
        for (file, line_break) in
            [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("\na", "\n"), ("", "\n"), ("\r\n", "\r\n")]
        {
            let made = put(file, "x\n").unwrap();
            assert!(
                made.ends_with(&format!("{BEGIN}{line_break}x{line_break}{END}{line_break}")),
                "{made:?}"
            );
        }
    }
}
