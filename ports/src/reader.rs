//! Parsing of Markdown and YAML.

use skillc_domain::document::Document;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Opening};
use skillc_domain::markup::Markup;

/// Parses texts. Pure: the same text always has the same result. Linear in its length; never panics.
pub trait DocumentReader: Send + Sync {
    /// The headings of a Markdown text as CommonMark defines them, ATX and setext, without those in code, HTML blocks
    /// and front matter. Inline markup is reduced to its text. `opening` determines the meaning of `---` on the first
    /// line.
    fn document(&self, text: &str, opening: Opening) -> Document;

    /// The parts of a Markdown text, in one pass. Headings are those of `document`. Links of every kind are included,
    /// also in headings and tables and as `href` and `src` in HTML, but not those in code, comments or front matter.
    /// Regions are in order and disjoint.
    fn markup(&self, text: &str, opening: Opening) -> Markup;

    /// The front matter of a text; `None` if there is none.
    ///
    /// # Errors
    /// If the closing line is missing, the YAML is invalid (with its position in the file) or not a mapping, the block
    /// is larger than `limits::FRONT_MATTER_BYTES_MAX`, or its aliases or nesting are excessive.
    fn front_matter(&self, text: &str) -> Result<Option<FrontMatter>, FrontMatterFlaw>;

    /// A front matter block with these fields, including both `---` lines, that every YAML parser reads back unchanged.
    fn write_front_matter(&self, fields: &[(&str, &str)]) -> String;
}
