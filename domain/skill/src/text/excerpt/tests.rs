//! Tests of excerpts.

use super::*;
use proptest::prelude::*;

fn bounds(lines_max: Option<u32>, bytes_max: Option<u32>) -> Bounds {
    Bounds { lines_max, bytes_max }
}

/// Splits a text into excerpts and returns each with the number of lines that it says are left.
fn parts(text: &[u8], bounds: Bounds) -> Vec<(Vec<u8>, u32)> {
    let (mut parts, mut cursor) = (Vec::new(), None);
    loop {
        let part = excerpt(text, bounds, cursor.as_deref(), &["open"]).unwrap();
        parts.push((part.bytes.to_vec(), part.lines_cut));
        cursor = part.next_cursor;
        if cursor.is_none() {
            return parts;
        }
    }
}

fn texts(text: &str, bounds: Bounds) -> Vec<String> {
    parts(text.as_bytes(), bounds).into_iter().map(|(bytes, _)| String::from_utf8(bytes).unwrap()).collect()
}

/// RFC-0002:C-OPEN
#[test]
fn a_text_is_cut_on_lines_and_says_how_many_are_missing() {
    let cut = |text: &'static str, max| {
        let e = excerpt(text.as_bytes(), bounds(max, None), None, &[]).unwrap();
        (std::str::from_utf8(e.bytes).unwrap(), e.lines_cut)
    };
    assert_eq!(cut("a\nb\nc", Some(2)), ("a\nb\n", 1));
    assert_eq!(cut("a\nb\n", Some(2)), ("a\nb\n", 0));
    assert_eq!(cut("a", Some(9)), ("a", 0));
    assert_eq!(cut("a\r\nb", None), ("a\r\nb", 0));
    assert!(Bounds::asked(Some(0), None).is_err() && Bounds::asked(None, Some(0)).is_err());
}

#[test]
fn lines_are_taken_by_number() {
    assert_eq!(lines(b"a\nb\nc\n", 2, 3), b"b\n");
    assert_eq!(lines(b"a\nb\nc", 2, 9), b"b\nc");
    assert_eq!(lines(b"a", 3, 4), b"");
}

/// RFC-0002:C-CURSOR
#[test]
fn a_part_ends_with_a_line_and_only_a_longer_line_is_cut_between_characters() {
    assert_eq!(texts("one\ntwo\nthree\n", bounds(None, Some(8))), ["one\ntwo\n", "three\n"]);
    assert_eq!(texts("one\ntwo\n", bounds(Some(1), Some(99))), ["one\n", "two\n"]);
    assert_eq!(texts("a\n中文字\nb", bounds(None, Some(4))), ["a\n", "中", "文", "字\n", "b"]);
    assert_eq!(texts("中文", bounds(None, Some(1))), ["中", "文"], "never nothing");
    assert_eq!(parts(&[0x80; 9], bounds(None, Some(5))), [(vec![0x80; 5], 1), (vec![0x80; 4], 0)]);
    assert_eq!(parts(b"", bounds(None, Some(1))), [(vec![], 0)]);
}

/// RFC-0002:C-CURSOR
#[test]
fn a_page_of_a_list_holds_at_least_one_entry() {
    let size = |at: usize, _| Size { lines: 1, bytes: [4, 1, 1][at] };
    let whole = || Whole::new(&["outline"], []);
    let go = |cursor: Option<&str>| page(3, bounds(None, Some(2)), cursor, size, whole).unwrap();
    let first = go(None);
    assert_eq!((first.from, first.to), (0, 1));
    let last = go(first.next_cursor.as_deref());
    assert_eq!((last.from, last.to, last.next_cursor), (1, 3, None));
    assert_eq!(page(0, Bounds::default(), None, size, whole).unwrap().to, 0);
}

#[test]
fn tokens_are_a_fourth_of_the_bytes_rounded_up() {
    assert_eq!([0, 1, 4, 5].map(tokens), [0, 1, 1, 2]);
}

proptest! {
    /// RFC-0002:C-CURSOR
    #[test]
    fn the_parts_of_a_text_are_the_text(
        text in "(?s)[a-cä中🦀\r\n]{0,60}", lines in prop::option::of(1u32..4), bytes in 1u32..12,
    ) {
        let found = texts(&text, bounds(lines, Some(bytes)));
        prop_assert_eq!(found.concat(), text);
        for part in &found {
            prop_assert!(part.len() <= bytes as usize || part.chars().count() == 1);
        }
    }

    /// RFC-0002:C-CURSOR
    #[test]
    fn the_parts_of_any_bytes_are_the_bytes(text in prop::collection::vec(any::<u8>(), 0..60), bytes in 1u32..12) {
        let found: Vec<u8> = parts(&text, bounds(None, Some(bytes))).into_iter().flat_map(|(bytes, _)| bytes).collect();
        prop_assert_eq!(found, text);
    }
}

#[test]
fn a_bound_of_nothing_is_refused_and_bytes_are_limited_by_default() {
    assert!(Bounds::asked(Some(0), None).is_err() && Bounds::asked(None, Some(0)).is_err());
    let asked = Bounds::asked(Some(1), Some(2)).unwrap();
    assert_eq!((asked.lines_max, asked.or_bytes(9).bytes_max), (Some(1), Some(2)));
    assert_eq!(Bounds::default().or_bytes(9), Bounds { lines_max: None, bytes_max: Some(9) });
}

#[test]
fn lines_are_taken_from_the_first_up_to_the_last() {
    let text = b"a\nbb\nccc\n";
    for (start, end, expected) in [
        (1, 2, "a\n"),
        (2, 4, "bb\nccc\n"),
        (0, 1, "a\n"),
        (3, 9, "ccc\n"),
        (2, 2, ""),
        (3, 2, ""),
        (9, 10, ""),
    ] {
        assert_eq!(lines(text, start, end), expected.as_bytes(), "{start} {end}");
    }
}

#[test]
fn a_token_of_an_estimate_is_four_bytes() {
    assert_eq!([0, 1, 4, 5].map(tokens), [0, 1, 1, 2]);
}
