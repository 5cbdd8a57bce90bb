//! Front matter: its position in a text, and its values.

use crate::fault::Fault;
use crate::path::RelPath;
use crate::places::SKILL_FILE;
use crate::text::lines;
use std::ops::Range;

/// A position in a file, as editors show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1-based line of the file.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
}

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The parsed value.
    pub value: Value,
    /// Position of its first character in the file.
    pub at: Position,
    /// Bytes of the file, including quotes; for an alias, the alias itself.
    pub span: Range<usize>,
    /// The tag before it; for an alias, before the anchored value.
    pub tag: Option<Tag>,
}

/// A type written before a value, as in `!!int "3"`: one of YAML 1.2's core schema (10.3), or another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `!!str`
    Str,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!bool`
    Bool,
    /// `!!null`
    Null,
    /// `!!seq`
    List,
    /// `!!map`
    Map,
    /// Any other, as written.
    Other(String),
}

/// A YAML value. Scalars keep their text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Empty, `null` or `~`.
    Null,
    /// Any other scalar, with quotes and folding resolved.
    Scalar {
        /// The text.
        text: String,
        /// Whether it was written plain, neither quoted nor as a block, so that its type depends on the parser.
        is_plain: bool,
    },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in written order; keys may repeat.
    Map(Vec<(Node, Node)>),
}

/// The fields of a front matter in written order, including unknown ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// Keys and values.
    pub fields: Vec<(Node, Node)>,
}

/// Why front matter cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontMatterFlaw {
    /// The reason, without the position.
    pub message: String,
    /// The position, if known.
    pub at: Option<Position>,
}

impl From<FrontMatterFlaw> for Fault {
    fn from(flaw: FrontMatterFlaw) -> Self {
        let place =
            flaw.at.map(|at| format!(" at line {} column {}", at.line, at.column)).unwrap_or_default();
        let advice = flaw.advice().to_owned();
        Self::InvalidFrontMatter { message: flaw.message + &place, advice }
    }
}

impl FrontMatterFlaw {
    /// What the author can do about it.
    fn advice(&self) -> &'static str {
        const ADVICE: &[(&str, &str)] = &[
            ("UTF-8", "save SKILL.md as UTF-8, for example with: iconv -f latin1 -t utf-8"),
            ("too large", "move text to other files of the skill, and name them in SKILL.md"),
            ("larger than", "close the front matter with a line '---', or shorten it"),
            ("no closing", "close the front matter with a line '---'"),
            ("second document", "close the front matter with a line '---', not '...'"),
            ("not text", "write the value as text on the line of its key"),
            ("must be text", "write the key as plain text"),
            ("on a key", "write the key as plain text"),
            ("duplicate key", "delete all but one of the lines with this key"),
            ("expected a mapping", "write lines such as 'name: my-skill' between the '---' lines"),
            ("alias", "write out the value instead of the alias"),
            ("nested deeper", "nest the values less deeply"),
        ];
        let known = ADVICE.iter().find(|(part, _)| self.message.contains(part));
        known.map_or("quote values that contain ': ' or begin with a special character", |(_, advice)| advice)
    }
}

impl Position {
    /// The byte offset of this position in a text; clamped to the end of the line or text.
    pub fn offset(self, text: &str) -> usize {
        let number = |n: u32| usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1);
        let before = lines::split_text(text).take(number(self.line));
        let start = before.map(str::len).sum::<usize>();
        let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
        start + line.char_indices().nth(number(self.column)).map_or(line.len(), |(at, _)| at)
    }
}

impl Tag {
    /// The tag in short form.
    pub fn written(&self) -> &str {
        match self {
            Self::Str => "!!str",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Bool => "!!bool",
            Self::Null => "!!null",
            Self::List => "!!seq",
            Self::Map => "!!map",
            Self::Other(written) => written,
        }
    }
}

impl Node {
    /// The text of a scalar; `None` for anything else.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The kind of value for messages: `empty`, `text`, `a list` or `a mapping`.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "empty",
            Value::Scalar { .. } => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}

impl FrontMatter {
    /// The value of a field. If the key repeats, the last one counts, as for most parsers.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.fields.iter().rev().find(|(k, _)| k.text() == Some(key)).map(|(_, value)| value)
    }

    /// A required field, which must be text and not blank.
    ///
    /// # Errors
    /// E011 if it is missing or empty, E013 if it is a list or a mapping.
    pub fn required(&self, key: &str) -> Result<&str, Fault> {
        let missing = || Fault::MissingField { field: key.to_owned() };
        let node = self.get(key).ok_or_else(missing)?;
        match &node.value {
            Value::Scalar { text, .. } if text.trim().is_empty() => Err(missing()),
            Value::Scalar { text, .. } => Ok(text),
            Value::Null => Err(missing()),
            Value::List(_) | Value::Map(_) => {
                let message = format!("{key} is {}, not text", node.kind());
                Err(FrontMatterFlaw { message, at: Some(node.at) }.into())
            }
        }
    }
}

/// The position of a text's front matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FrontMatterSpan {
    /// The text does not begin with a line `---`.
    #[default]
    None,
    /// The closing line is missing.
    Unclosed,
    /// Byte offsets of the YAML and of the whole block.
    Block {
        /// Start and end of the YAML.
        yaml: (usize, usize),
        /// End of the closing line, with its line break.
        end: usize,
    },
}

/// The meaning of a `---` on the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Front matter, valid or not: `SKILL.md` must have one.
    FrontMatter,
    /// Front matter if a YAML mapping follows, otherwise a thematic break; applies to all other files.
    Either,
}

impl Opening {
    /// Chooses the meaning by a file's path.
    pub fn of(path: &RelPath) -> Self {
        match path.as_str().rsplit('/').next() {
            Some(SKILL_FILE) => Self::FrontMatter,
            _ => Self::Either,
        }
    }
}

/// The text after the front matter; all of it if there is none.
pub fn body(text: &str) -> &str {
    match find_front_matter(text) {
        FrontMatterSpan::Block { end, .. } => &text[end..],
        _ => text,
    }
}

/// Finds the front matter: after an optional byte order mark, a first line of exactly `---` (LF or CRLF), and the next
/// such line.
pub fn find_front_matter(text: &str) -> FrontMatterSpan {
    find_in_lines(text, |body| body.split_inclusive('\n'))
}

/// Finds possible front matter in a text where `---` may also be a thematic break. Like `find_front_matter`, but
/// lines may also end with a lone CR, as in Markdown.
pub fn find_possible_front_matter(text: &str) -> FrontMatterSpan {
    find_in_lines(text, lines::split_text)
}

fn find_in_lines<'a, I: Iterator<Item = &'a str>>(
    text: &'a str,
    split: impl Fn(&'a str) -> I,
) -> FrontMatterSpan {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = split(&text[start..]);
    let Some(first) = lines.next().filter(|line| is_delimiter(line)) else { return FrontMatterSpan::None };
    let yaml_start = start + first.len();
    let mut at = yaml_start;
    for line in lines {
        if is_delimiter(line) {
            return FrontMatterSpan::Block { yaml: (yaml_start, at), end: at + line.len() };
        }
        at += line.len();
    }
    FrontMatterSpan::Unclosed
}

/// Whether a line consists of three hyphens. Trailing spaces are ignored, since they are invisible.
fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim_end_matches([' ', '\t', '\r', '\n']).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_found_with_bom_and_crlf() {
        for (text, yaml) in [
            ("---\na: 1\n---\nbody", Some("a: 1\n")),
            ("\u{feff}---\r\na: 1\r\n---\r\n# x", Some("a: 1\r\n")),
            ("---\n---", Some("")),
            ("---\na: 1\n", None),
            (" ---\n---\n", None),
            ("---x\n---\n", None),
            ("", None),
        ] {
            let found = match find_front_matter(text) {
                FrontMatterSpan::Block { yaml: (start, end), .. } => Some(&text[start..end]),
                FrontMatterSpan::None | FrontMatterSpan::Unclosed => None,
            };
            assert_eq!(found, yaml, "{text:?}");
        }
        assert_eq!(find_front_matter("---\na"), FrontMatterSpan::Unclosed);
    }

    #[test]
    fn a_place_is_found_in_the_text() {
        for (line, column, offset) in
            [(1, 1, 0), (1, 2, 2), (2, 1, 4), (2, 9, 6), (3, 1, 8), (9, 9, 9), (0, 0, 0)]
        {
            assert_eq!(Position { line, column }.offset("éa\nbc\r\nd"), offset, "{line}:{column}");
        }
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn a_required_field_must_be_text() {
        let at = Position { line: 2, column: 1 };
        let node = |value| Node { value, at, span: 0..0, tag: None };
        let scalar = |text: &str| node(Value::Scalar { text: text.into(), is_plain: true });
        let front = FrontMatter {
            fields: vec![(scalar("name"), scalar("x")), (scalar("list"), node(Value::List(vec![])))],
        };
        assert_eq!(front.required("name"), Ok("x"));
        assert!(matches!(front.required("description"), Err(Fault::MissingField { .. })));
        let message = front.required("list").unwrap_err().to_string();
        assert_eq!(message, "invalid frontmatter in SKILL.md: 'list is a list, not text at line 2 column 1'");
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn a_field_that_is_empty_is_missing_and_the_last_of_repeated_ones_counts() {
        let node = |value| Node { value, at: Position { line: 1, column: 1 }, span: 0..0, tag: None };
        let scalar = |text: &str| node(Value::Scalar { text: text.into(), is_plain: true });
        let fields = vec![
            (scalar("a"), scalar("first")),
            (scalar("a"), scalar("last")),
            (scalar("blank"), scalar(" ")),
            (scalar("null"), node(Value::Null)),
            (scalar("map"), node(Value::Map(vec![]))),
        ];
        let front = FrontMatter { fields };
        assert_eq!(front.required("a"), Ok("last"));
        let codes = ["blank", "null", "other", "map"].map(|key| front.required(key).unwrap_err().code());
        assert_eq!(codes, ["E011", "E011", "E011", "E013"]);
        let kinds: Vec<_> = front.fields.iter().skip(1).map(|(_, value)| value.kind()).collect();
        assert_eq!(kinds, ["text", "text", "empty", "a mapping"]);
        assert_eq!(front.get("null").and_then(Node::text), None);
    }

    #[test]
    fn a_tag_is_written_as_in_yaml() {
        let tags = [Tag::Str, Tag::Int, Tag::Float, Tag::Bool, Tag::Null, Tag::List, Tag::Map];
        let written = ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!seq", "!!map"];
        assert_eq!(tags.each_ref().map(Tag::written), written);
        assert_eq!(Tag::Other("!x".into()).written(), "!x");
    }

    /// RFC-0001:C-INPUT
    #[test]
    fn the_advice_fits_what_is_wrong() {
        for (message, part) in [
            ("it is not UTF-8", "iconv"),
            ("found a duplicate key", "delete all but one"),
            ("something else", "quote values"),
        ] {
            let flaw = FrontMatterFlaw { message: message.into(), at: None };
            assert!(flaw.advice().contains(part), "{message}");
        }
    }

    /// RFC-0004:C-INDEX
    #[test]
    fn three_hyphens_are_always_front_matter_in_skill_md_only() {
        let of = |path: &str| Opening::of(&RelPath::parse(path).unwrap());
        for (path, opening) in [
            ("SKILL.md", Opening::FrontMatter),
            ("a/SKILL.md", Opening::FrontMatter),
            ("a.md", Opening::Either),
        ] {
            assert_eq!(of(path), opening, "{path}");
        }
    }

    #[test]
    fn the_body_is_the_text_after_the_front_matter_and_else_all_of_it() {
        for (text, expected) in
            [("---\na: 1\n---\nbody", "body"), ("---\na: 1", "---\na: 1"), ("body", "body")]
        {
            assert_eq!(body(text), expected);
        }
        let with_returns = "---\ra: 1\r---\rbody";
        assert_eq!(find_front_matter(with_returns), FrontMatterSpan::None);
        let block = FrontMatterSpan::Block { yaml: (4, 9), end: 13 };
        assert_eq!(find_possible_front_matter(with_returns), block);
    }
}
