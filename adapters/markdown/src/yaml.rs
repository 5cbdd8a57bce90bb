//! Reads front matter with granit-parser, and reports flaws with their position.

use crate::spans::Spans;
use crate::tree::{NodeTree, flaw};
use granit_parser::{Marker, Parser, ScanError};
use skillc_domain::frontmatter::{
    FrontMatter, FrontMatterFlaw, FrontMatterSpan, Node, Position, Value, find_front_matter,
};
use skillc_domain::limits::FRONT_MATTER_BYTES_MAX;

/// The fields of a text's front matter; `None` if it has none.
pub fn front_matter(text: &str) -> Result<Option<FrontMatter>, FrontMatterFlaw> {
    match find_front_matter(text) {
        FrontMatterSpan::None => Ok(None),
        FrontMatterSpan::Unclosed => Err(flaw("no closing --- line", FIRST_LINE)),
        FrontMatterSpan::Block { yaml: (start, end), .. } if end - start > FRONT_MATTER_BYTES_MAX => {
            Err(flaw(format!("larger than {FRONT_MATTER_BYTES_MAX} bytes"), FIRST_LINE))
        }
        FrontMatterSpan::Block { yaml: (start, end), .. } => fields(&text[start..end], start).map(Some),
    }
}

/// Whether a text could be front matter: a YAML mapping of limited size with text keys only, or blank. `[label]:
/// /target`, a link definition, has a key that is a list.
pub fn is_mapping(yaml: &str) -> bool {
    let has_names = |root: &Node| match &root.value {
        Value::Map(fields) => fields.iter().all(|(key, _)| key.text().is_some()),
        Value::Null | Value::Scalar { .. } | Value::List(_) => false,
    };
    let is_read = || read(yaml, 0).is_ok_and(|root| root.as_ref().is_some_and(has_names));
    yaml.trim().is_empty() || yaml.len() <= FRONT_MATTER_BYTES_MAX && is_read()
}

const FIRST_LINE: Position = Position { line: 1, column: 1 };

/// Parses the fields of a YAML text that begins at this offset of the file.
fn fields(yaml: &str, start: usize) -> Result<FrontMatter, FrontMatterFlaw> {
    let Some(root) = read(yaml, start)? else { return Ok(FrontMatter::default()) };
    match root.value {
        Value::Null => Ok(FrontMatter::default()),
        Value::Map(fields) => Ok(FrontMatter { fields }),
        Value::List(_) => Err(flaw("expected a mapping, found a list", root.at)),
        Value::Scalar { .. } => Err(flaw("expected a mapping, found text", root.at)),
    }
}

fn read(yaml: &str, start: usize) -> Result<Option<Node>, FrontMatterFlaw> {
    let (mut tree, mut spans) = (NodeTree::default(), Spans::new(yaml, start));
    for event in Parser::new_from_str(yaml) {
        let (event, span) = event.map_err(|error| scan_flaw(&error))?;
        let bytes = spans.of(&event, span);
        tree.take(event, position(&span.start), bytes)?;
    }
    Ok(tree.into_root())
}

fn scan_flaw(error: &ScanError) -> FrontMatterFlaw {
    flaw(error.info(), position(error.marker()))
}

/// The parser counts lines from 1, starting below the opening `---`, and columns from 0.
fn position(marker: &Marker) -> Position {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Position { line: number(marker.line() + 1), column: number(marker.col() + 1) }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn read_yaml(yaml: &str) -> Result<FrontMatter, String> {
        let found = front_matter(&format!("---\n{yaml}\n---\nbody")).map(Option::unwrap);
        found.map_err(|flaw| match flaw.at {
            Some(at) => format!("{}:{} {}", at.line, at.column, flaw.message),
            None => flaw.message,
        })
    }

    /// A short form: plain scalars as they are, others quoted.
    fn shown(node: &Node) -> String {
        let list = |nodes: Vec<String>| nodes.join(", ");
        match &node.value {
            Value::Null => "null".into(),
            Value::Scalar { text, is_plain: true } => text.clone(),
            Value::Scalar { text, is_plain: false } => format!("{text:?}"),
            Value::List(items) => format!("[{}]", list(items.iter().map(shown).collect())),
            Value::Map(fields) => format!("{{{}}}", list(fields.iter().map(shown_field).collect())),
        }
    }

    fn shown_field((key, value): &(Node, Node)) -> String {
        format!("{}: {}", shown(key), shown(value))
    }

    pub fn check(yaml: &str, expected: &[&str]) {
        let fields: Vec<_> = read_yaml(yaml).unwrap().fields.iter().map(shown_field).collect();
        assert_eq!(fields, expected, "{yaml}");
    }

    pub fn refused(yaml: &str) -> String {
        read_yaml(yaml).unwrap_err()
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn front_matter_may_hold_any_yaml() {
        check(
            "allowed-tools: [Read, 'Bash(git:*)']\nmetadata:\n  a: {b: c}\n  d:\n  - e\n  - - f\nx-unknown: 1",
            &["allowed-tools: [Read, \"Bash(git:*)\"]", "metadata: {a: {b: c}, d: [e, [f]]}", "x-unknown: 1"],
        );
        check(
            "a: |\n  x\n   y\n\nb: |-\n  x\nc: |+\n  x\n\nd: >\n  x\n  y\n\n  z\ne: >-\n  x\n  y",
            &["a: \"x\\n y\\n\"", "b: \"x\"", "c: \"x\\n\\n\"", "d: \"x y\\nz\\n\"", "e: \"x y\""],
        );
        check(
            "a: one\n  two\n\n  three # not text\nb: \"x\\\n  y\\u00e9\"\nc: 'it''s'",
            &["a: one two\nthree", "b: \"xyé\"", "c: \"it's\""],
        );
        check("? [a, b]\n: c\n? d", &["[a, b]: c", "d: null"]);
    }

    #[test]
    fn a_plain_scalar_keeps_the_text_that_was_written() {
        for text in "123 1.0 0o17 0x1F 1:30 yes Off true 2026-01-01 1e3 .inf =".split(' ') {
            check(&format!("a: {text}\nb: [{text}]"), &[&format!("a: {text}"), &format!("b: [{text}]")]);
        }
    }

    #[test]
    fn only_a_plain_null_is_nothing() {
        check(
            "a:\nb: ~\nc: null\nd: 'null'\ne: \"\"\nf: !!str null\ng: nul\nh: !!int 1",
            &["a: null", "b: null", "c: null", "d: \"null\"", "e: \"\"", "f: \"null\"", "g: nul", "h: \"1\""],
        );
    }

    #[test]
    fn an_empty_front_matter_has_no_fields() {
        for yaml in ["", "\n", "# only this", "null", "...", "{}"] {
            assert_eq!(read_yaml(yaml), Ok(FrontMatter::default()), "{yaml:?}");
        }
        assert_eq!(front_matter("---\n---"), Ok(Some(FrontMatter::default())));
        assert_eq!(front_matter("# no front matter\n---\n---\n"), Ok(None));
    }

    #[test]
    fn a_key_may_stand_twice_and_a_merge_key_is_a_key() {
        check("a: 1\na: 2\n<<: {b: 3}", &["a: 1", "a: 2", "<<: {b: 3}"]);
        assert_eq!(read_yaml("a: 1\na: 2").unwrap().get("a").unwrap().text(), Some("2"));
    }

    #[test]
    fn nodes_have_their_place_in_the_file() {
        let front = front_matter("\u{feff}---\r\nname: é\r\nd: {é: \"x\"}\r\n---\r\n").unwrap().unwrap();
        let place = |node: &Node| (node.at.line, node.at.column);
        let places: Vec<_> = front.fields.iter().map(|(key, value)| (place(key), place(value))).collect();
        assert_eq!(places, [((2, 1), (2, 7)), ((3, 1), (3, 4))]);
        let Value::Map(inner) = &front.fields[1].1.value else { panic!("{front:?}") };
        assert_eq!((place(&inner[0].0), place(&inner[0].1)), ((3, 5), (3, 8)));
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn a_byte_order_mark_and_crlf_are_accepted() {
        let front = front_matter("\u{feff}---\r\nname: x\r\nd: >\r\n  a\r\n  b\r\n---\r\n").unwrap().unwrap();
        let fields: Vec<_> = front.fields.iter().map(shown_field).collect();
        assert_eq!(fields, ["name: x", "d: \"a b\\n\""]);
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn broken_front_matter_is_refused_with_line_and_column() {
        assert_eq!(
            refused("name: x\ndescription: use when: y"),
            "3:22 mapping values are not allowed in this context"
        );
        assert_eq!(refused("a: [1"), "2:4 unclosed bracket '['");
        assert_eq!(refused("a: 1\n\tb: 2"), "2:4 while scanning a plain scalar, found a tab");
        assert_eq!(refused("a: @x"), "2:4 unexpected character: `@'");
        assert_eq!(refused("a: 'x"), "3:1 invalid indentation in multiline quoted scalar");
        assert_eq!(refused("a: *b"), "2:4 while parsing node, found unknown anchor");
        assert_eq!(refused("a: b\n c: d"), "3:3 mapping values are not allowed in this context");
        assert_eq!(refused("- a\n- b"), "2:1 expected a mapping, found a list");
        assert_eq!(refused("just words"), "2:1 expected a mapping, found text");
        assert_eq!(refused("a: 1\n--- # x\nb: 2"), "3:1 unexpected second document");
        let unclosed = front_matter("---\nname: x\n").unwrap_err();
        assert_eq!(unclosed, flaw("no closing --- line", FIRST_LINE));
    }

    #[test]
    fn front_matter_beyond_its_limit_is_refused() {
        let value = |bytes: usize| format!("a: {}", "x".repeat(bytes - "a: \n".len()));
        assert!(read_yaml(&value(FRONT_MATTER_BYTES_MAX)).is_ok());
        assert_eq!(refused(&value(FRONT_MATTER_BYTES_MAX + 1)), "1:1 larger than 65536 bytes");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", ": ", "\n", "\r", "- ", "? ", "[", "]", "{", "}", ",", "'", "\"", "\\", "|", ">", "&a ", "*a",
                    "!", "%", "@", "#", " ", "  ", "\t", "é", "\0", "\u{feff}", "...", "--- ", "<<", "~", "1", "\\x",
                ]),
                0..40,
            ),
        ) {
            let _ = read_yaml(&parts.concat());
        }
    }
}
