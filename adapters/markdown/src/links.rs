//! Collects links and images.

use crate::html::HtmlPart;
use pulldown_cmark::{LinkType, Tag};
use skillc_domain::markup::{Link, LinkKind};
use std::ops::Range;

/// Enclosing links and images that include a text, from the innermost: two are usual, an image in a link. Images can
/// nest without bound, and including everything below each would take quadratic space.
const SHOWN_IN_MAX: usize = 8;

/// Collects links from parser events.
pub struct Links<'a> {
    markdown: &'a str,
    start: usize,
    /// In the order of their starts; open ones lack text.
    pub found: Vec<Link>,
    /// Indexes of open links, outermost first.
    open: Vec<usize>,
}

impl<'a> Links<'a> {
    /// The Markdown begins at offset `start` of the whole text.
    pub fn new(markdown: &'a str, start: usize) -> Self {
        Self { markdown, start, found: Vec::new(), open: Vec::new() }
    }

    /// Opens a link or image.
    pub fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let (kind, link_type, target, title) = match tag {
            Tag::Link { link_type, dest_url, title, .. } => (kind(link_type), link_type, dest_url, title),
            Tag::Image { link_type, dest_url, title, .. } => (LinkKind::Image, link_type, dest_url, title),
            _ => return,
        };
        // The parser omits the scheme of an email address.
        let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
        let written = place_in(self.markdown, &target);
        let written =
            written.filter(|at| range.start <= at.start && at.end <= range.end && scheme.is_empty());
        self.open.push(self.found.len());
        self.found.push(Link {
            kind,
            target: format!("{scheme}{target}"),
            text: String::new(),
            title: title.into_string(),
            span: self.moved(with_brackets(self.markdown, link_type, range)),
            target_span: written.map(|at| self.moved(at)),
        });
    }

    /// Closes the innermost open link.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Appends a text to the open links.
    pub fn add_text(&mut self, text: &str) {
        for at in self.open.iter().rev().take(SHOWN_IN_MAX) {
            self.found[*at].text.push_str(text);
        }
    }

    /// Adds the links of an HTML tag; `place` maps its ranges to the Markdown.
    pub fn add_tag(&mut self, part: HtmlPart, place: impl Fn(Range<usize>) -> Range<usize>) {
        let HtmlPart::Tag { span, title, targets } = part else { return };
        let span = self.moved(place(span));
        for (target, written) in targets {
            let written = place(written);
            let is_literal = self.markdown.get(written.clone()) == Some(&target);
            self.found.push(Link {
                kind: LinkKind::Html,
                target,
                text: String::new(),
                title: title.clone(),
                span: span.clone(),
                target_span: is_literal.then(|| self.moved(written)),
            });
        }
    }

    /// Maps a range to the whole text.
    fn moved(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }
}

fn kind(link_type: LinkType) -> LinkKind {
    match link_type {
        LinkType::Autolink | LinkType::Email => LinkKind::Autolink,
        LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut => LinkKind::Reference,
        // The others need options that are not enabled.
        _ => LinkKind::Inline,
    }
}

/// The range of a link including the `[]` of `[label][]`, which the parser leaves out.
pub fn with_brackets(markdown: &str, link_type: LinkType, range: Range<usize>) -> Range<usize> {
    let is_cut = link_type == LinkType::Collapsed && markdown[range.end..].starts_with("[]");
    range.start..range.end + if is_cut { "[]".len() } else { 0 }
}

/// The range of a part that borrows from a text; `None` if it does not.
fn place_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let range = start..start.checked_add(part.len())?;
    (text.get(range.clone()) == Some(part)).then_some(range)
}
