//! Prepares a text for the Markdown parser: without front matter, byte order mark and excessive nesting.

use crate::depth::overwrite_deep_lines;
use crate::yaml::is_mapping;
use pulldown_cmark::Options;
use skillc_domain::frontmatter::{FrontMatterSpan, Opening, find_front_matter, find_possible_front_matter};
use std::borrow::Cow;

/// Tables, since CommonMark reads a table header above `---` as a heading; strikethrough, since it is markup in
/// headings. Nothing else, since footnotes, task lists and `{#id}` would hide text that CommonMark shows.
pub const EXTENSIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// The Markdown of a text.
pub struct Body<'a> {
    /// The front matter, which `markdown` does not contain.
    pub front_matter: FrontMatterSpan,
    /// Byte offset of the Markdown in the text.
    pub start: usize,
    /// As long as the rest of the text, so that offsets stay valid; some bytes may be overwritten.
    pub markdown: Cow<'a, str>,
}

impl<'a> Body<'a> {
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

/// Replaces each lone CR by LF, since the parser misses the end of a code block after a lone CR.
fn for_parser(text: &str) -> Cow<'_, str> {
    let is_lone = |at: usize| !text[at + 1..].starts_with('\n');
    if !text.match_indices('\r').any(|(at, _)| is_lone(at)) {
        return overwrite_deep_lines(text);
    }
    let ended = |(at, c): (usize, char)| if c == '\r' && is_lone(at) { '\n' } else { c };
    let text: String = text.char_indices().map(ended).collect();
    Cow::Owned(overwrite_deep_lines(&text).into_owned())
}
