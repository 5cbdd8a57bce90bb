//! Access to front matter as loaders need it, and the reasons that they collect.

use crate::verdict::profile::{Compatibility, Profile, SkillMdFacts, Verdict, VerdictReason};
use crate::view::FrontMatterState;
use skillc_domain::frontmatter::{FrontMatter, Node, Position, Value};
use skillc_domain::text::lines;
use std::ops::Range;

/// A field as seen by a loader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// The field does not exist.
    Missing,
    /// The field is empty or only white space.
    Blank(Range<usize>),
    /// Text that is not blank, as written.
    Text(&'a str, Range<usize>),
    /// `a list` or `a mapping`.
    Other(&'static str, Range<usize>),
}

/// Collects the reasons for a verdict.
pub struct Case {
    source: &'static str,
    reasons: Vec<VerdictReason>,
}

impl Case {
    /// A case with a default source for its reasons.
    pub fn new(source: &'static str) -> Self {
        Self { source, reasons: Vec::new() }
    }

    /// Adds a reason.
    pub fn add(
        &mut self,
        compatibility: Compatibility,
        at: impl Into<Option<Range<usize>>>,
        message: impl Into<String>,
    ) {
        self.add_from(self.source, compatibility, at, message);
    }

    /// Adds a reason from another source.
    pub fn add_from(
        &mut self,
        source: &'static str,
        compatibility: Compatibility,
        at: impl Into<Option<Range<usize>>>,
        message: impl Into<String>,
    ) {
        self.reasons.push(VerdictReason { compatibility, message: message.into(), at: at.into(), source });
    }

    /// The text of a required field. If there is none, adds a reason with the effect `worst` and returns `None`.
    pub fn required<'a>(
        &mut self,
        worst: Compatibility,
        facts: &SkillMdFacts<'a>,
        key: &str,
    ) -> Option<(&'a str, Range<usize>)> {
        match facts.field(key) {
            Field::Text(text, at) => return Some((text, at)),
            Field::Missing => self.add(worst, None, format!("{key} is missing")),
            Field::Blank(at) => self.add(worst, at, format!("{key} is empty")),
            Field::Other(kind, at) => self.add(worst, at, format!("{key} is {kind}, not text")),
        }
        None
    }

    /// Adds a reason for each repeated field if the client uses only one of its values.
    pub fn one_of_two(&mut self, profile: &Profile, facts: &SkillMdFacts<'_>) {
        let is_read = |key: &str| matches!(key, "name" | "description") || profile.fields.contains(&key);
        for (key, at) in facts.repeated_keys().into_iter().filter(|(key, _)| is_read(key)) {
            self.add(
                Compatibility::Degraded,
                at,
                format!("field '{key}' is defined twice, and one of the values is lost"),
            );
        }
    }

    /// The verdict; `best` if there are no reasons.
    pub fn close(self, best: Compatibility) -> Verdict {
        Verdict::of(best, self.reasons)
    }
}

impl<'a> SkillMdFacts<'a> {
    /// The fields, if they can be read.
    pub fn fields(&self) -> Option<&'a FrontMatter> {
        match self.front {
            FrontMatterState::Fields(fields) => Some(fields),
            FrontMatterState::None | FrontMatterState::Unclosed | FrontMatterState::Invalid(_) => None,
        }
    }

    /// Why the fields cannot be read, and where; `None` if they can.
    pub fn unread(&self) -> Option<(String, Option<Range<usize>>)> {
        match self.front {
            FrontMatterState::None => Some(("the front matter is missing".to_owned(), None)),
            FrontMatterState::Unclosed => {
                Some(("the front matter has no closing ---".to_owned(), Some(self.first_line())))
            }
            FrontMatterState::Invalid(flaw) => {
                let at = flaw.at.map(|at| self.rest_of_line(at));
                Some((format!("the front matter cannot be read: {}", flaw.message), at))
            }
            FrontMatterState::Fields(_) => None,
        }
    }

    /// Whether the text begins with a byte order mark.
    pub fn has_bom(&self) -> bool {
        self.text.starts_with(BOM)
    }

    /// Byte range of the byte order mark.
    pub fn bom(&self) -> Range<usize> {
        0..BOM.len_utf8()
    }

    /// A field; if the key repeats, the last one.
    pub fn field(&self, key: &str) -> Field<'a> {
        let fields = self.fields().map_or(&[][..], |fields| &fields.fields);
        let Some((key, value)) = fields.iter().rev().find(|(found, _)| found.text() == Some(key)) else {
            return Field::Missing;
        };
        field(key, value)
    }

    /// Repeated keys at the top level of the front matter, each with its later position.
    pub fn repeated_keys(&self) -> Vec<(&'a str, Range<usize>)> {
        self.fields().map_or_else(Vec::new, |fields| repeated_keys(&fields.fields))
    }

    /// The first line, without its line break.
    fn first_line(&self) -> Range<usize> {
        0..self.text.lines().next().unwrap_or_default().len()
    }

    /// The range from a position to the end of its line; at least one character if there is one.
    fn rest_of_line(&self, at: Position) -> Range<usize> {
        let line = usize::try_from(at.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let column = usize::try_from(at.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let before = lines::split_text(self.text).take(line).map(str::len).sum::<usize>();
        let text = &self.text[lines::around(self.text, before)];
        let start = text.char_indices().nth(column).map_or(text.len(), |(start, _)| start);
        before + start..before + text.trim_end().len().max(start)
    }
}

const BOM: char = '\u{feff}';

/// The range at which a field is shown: its value, or its key if the value is empty.
pub fn place<'a>(key: &'a Node, value: &'a Node) -> &'a Range<usize> {
    if value.span.is_empty() { &key.span } else { &value.span }
}

fn field<'a>(key: &Node, value: &'a Node) -> Field<'a> {
    let at = place(key, value).clone();
    match &value.value {
        Value::Null => Field::Blank(at),
        Value::Scalar { text, .. } if text.trim().is_empty() => Field::Blank(at),
        Value::Scalar { text, .. } => Field::Text(text, at),
        Value::List(_) => Field::Other("a list", at),
        Value::Map(_) => Field::Other("a mapping", at),
    }
}

/// Repeated keys of one mapping, each with its later position.
pub fn repeated_keys(fields: &[(Node, Node)]) -> Vec<(&str, Range<usize>)> {
    let mut seen = std::collections::HashSet::new();
    let keys = fields.iter().filter_map(|(key, _)| Some((key.text()?, key.span.clone())));
    keys.filter(|(key, _)| !seen.insert(*key)).collect()
}

/// A repeated key in any mapping, at any depth.
pub fn repeated_anywhere(fields: &[(Node, Node)]) -> Option<(&str, Range<usize>)> {
    let here = repeated_keys(fields).into_iter().next();
    here.or_else(|| fields.iter().find_map(|(_, value)| repeated_within(value)))
}

fn repeated_within(node: &Node) -> Option<(&str, Range<usize>)> {
    match &node.value {
        Value::Map(fields) => repeated_anywhere(fields),
        Value::List(items) => items.iter().find_map(repeated_within),
        Value::Null | Value::Scalar { .. } => None,
    }
}

/// Formats a value for a message: in single quotes, truncated after 80 characters.
pub fn quoted(value: &str) -> String {
    match value.char_indices().nth(QUOTED_CHARS_MAX) {
        None => format!("'{value}'"),
        Some((end, _)) => format!("'{}…'", &value[..end]),
    }
}

/// Long enough for the longest name that the specification allows, and not much more than a line on a terminal.
const QUOTED_CHARS_MAX: usize = 80;

/// A message about how many characters a text exceeds the limit by; `None` if it does not.
pub fn too_long(what: &str, text: &str, chars_max: usize) -> Option<String> {
    let chars = text.chars().count();
    (chars > chars_max).then(|| format!("{what} has {chars} characters, more than {chars_max}"))
}
