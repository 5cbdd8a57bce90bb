//! The part of a text that is Markdown, as the parser is given it: no front matter, no byte order mark, no hostile nesting.

use crate::depth::without_deep_lines;
use crate::yaml::is_mapping;
use pulldown_cmark::Options;
use skillc_domain::frontmatter::{FrontMatterSpan, Opening, find_front_matter, find_possible_front_matter};
use std::borrow::Cow;

/// Tables, since CommonMark would make a table with `---` below it one heading; strikethrough, since it is markup in
/// headings. Nothing else: footnotes, task lists and `{#id}` would take text away that CommonMark shows.
pub const EXTENSIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// The Markdown of a text.
pub struct Body<'a> {
    /// Where the front matter stands that is left out.
    pub front_matter: FrontMatterSpan,
    /// Where the Markdown begins in the text.
    pub start: usize,
    /// From there on byte for byte as long as the text, whatever was overwritten.
    pub markdown: Cow<'a, str>,
}

impl<'a> Body<'a> {
    /// Of a whole text.
    pub fn of(text: &'a str, opening: Opening) -> Self {
        let front_matter = match opening {
            Opening::FrontMatter => find_front_matter(text),
            Opening::Either => match find_possible_front_matter(text) {
                FrontMatterSpan::Block { yaml: (start, end), end: behind }
                    if is_mapping(&text[start..end]) =>
                {
                    FrontMatterSpan::Block { yaml: (start, end), end: behind }
                }
                _ => FrontMatterSpan::None,
            },
        };
        let start = match front_matter {
            FrontMatterSpan::Block { end, .. } => end,
            FrontMatterSpan::None | FrontMatterSpan::Unclosed if text.starts_with('\u{feff}') => {
                '\u{feff}'.len_utf8()
            }
            FrontMatterSpan::None | FrontMatterSpan::Unclosed => 0,
        };
        Self { front_matter, start, markdown: for_parser(&text[start..]) }
    }
}

/// The text with every line ended by LF or CRLF, since the parser does not see the end of a code block after a lone CR.
fn for_parser(text: &str) -> Cow<'_, str> {
    let is_lone = |at: usize| !text[at + 1..].starts_with('\n');
    if !text.match_indices('\r').any(|(at, _)| is_lone(at)) {
        return without_deep_lines(text);
    }
    let ended = |(at, c): (usize, char)| if c == '\r' && is_lone(at) { '\n' } else { c };
    let text: String = text.char_indices().map(ended).collect();
    Cow::Owned(without_deep_lines(&text).into_owned())
}
