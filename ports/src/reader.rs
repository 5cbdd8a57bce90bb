//! Markdown and YAML.

use skillc_domain::document::Document;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Opening};
use skillc_domain::markup::Markup;

/// Parses texts. Pure: the same text always gives the same answer; linear in its length; no text makes it panic.
pub trait DocumentReader: Send + Sync {
    /// The headings of a Markdown text, as CommonMark defines them: ATX and setext; none from code, HTML blocks or
    /// front matter. Inline markup is reduced to its text. `opening` says what a first line `---` means.
    fn document(&self, text: &str, opening: Opening) -> Document;

    /// A Markdown text taken apart, in one pass. Its headings are those of `document`. Links of every kind are there, also
    /// those in headings and tables and those with an `href` or `src` in HTML; none from code, comments or front matter.
    /// Regions are in order and disjoint.
    fn markup(&self, text: &str, opening: Opening) -> Markup;

    /// The front matter of a text; `None` when it has none.
    ///
    /// # Errors
    /// When the closing line is missing, the YAML cannot be read (with its place in the file), it is no mapping, it is
    /// larger than `limits::FRONT_MATTER_BYTES_MAX`, or its aliases or depth go beyond all use.
    fn front_matter(&self, text: &str) -> Result<Option<FrontMatter>, FrontMatterFlaw>;

    /// A front matter block with these fields, both `---` lines included, that every YAML reader reads back unchanged.
    fn write_front_matter(&self, fields: &[(&str, &str)]) -> String;
}
