//! Reads Markdown and YAML front matter, and writes front matter.
//!
//! Does not know the purpose of headings and fields: the domain decides which of them a skill must have.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod body;
mod depth;
mod emit;
mod headings;
mod html;
mod joined_text;
mod links;
mod markup;
mod spans;
mod tree;
mod yaml;

use skillc_domain::document::Document;
use skillc_domain::frontmatter::{FrontMatter, FrontMatterFlaw, Opening};
use skillc_domain::markup::Markup;
use skillc_ports::reader::DocumentReader;

/// Reads CommonMark with pulldown-cmark, and YAML with granit-parser.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkdownReader;

impl DocumentReader for MarkdownReader {
    fn document(&self, text: &str, opening: Opening) -> Document {
        headings::document(text, opening)
    }

    fn markup(&self, text: &str, opening: Opening) -> Markup {
        markup::markup(text, opening)
    }

    fn front_matter(&self, text: &str) -> Result<Option<FrontMatter>, FrontMatterFlaw> {
        yaml::front_matter(text)
    }

    fn write_front_matter(&self, fields: &[(&str, &str)]) -> String {
        emit::front_matter(fields)
    }
}
