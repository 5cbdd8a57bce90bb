//! Gathers links and images.

use crate::html::Part;
use pulldown_cmark::{LinkType, Tag};
use skillc_domain::markup::{Link, LinkKind};
use std::ops::Range;

/// Links and images around a text that show it, counted from the innermost: two are usual, an image in a link. Images
/// nest without end, and each that showed all below it would take the square of the text.
const SHOWN_IN_MAX: usize = 8;

/// The links as far as the events have come.
pub struct Links<'a> {
    markdown: &'a str,
    start: usize,
    /// In the order in which they begin; those that are open lack text.
    pub found: Vec<Link>,
    /// Positions of those that are open.
    open: Vec<usize>,
}

impl<'a> Links<'a> {
    /// None yet; the Markdown begins at an offset of the whole text.
    pub fn new(markdown: &'a str, start: usize) -> Self {
        Self { markdown, start, found: Vec::new(), open: Vec::new() }
    }

    /// A link or an image begins.
    pub fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let (kind, link_type, target, title) = match tag {
            Tag::Link { link_type, dest_url, title, .. } => (kind(link_type), link_type, dest_url, title),
            Tag::Image { link_type, dest_url, title, .. } => (LinkKind::Image, link_type, dest_url, title),
            _ => return,
        };
        // The parser leaves out what such an address leads to.
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

    /// The innermost that is open ends.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// A text stands in those that are open.
    pub fn show(&mut self, text: &str) {
        for at in self.open.iter().rev().take(SHOWN_IN_MAX) {
            self.found[*at].text.push_str(text);
        }
    }

    /// The links of an HTML tag; `place` tells where a part of it stands in the Markdown.
    pub fn add_tag(&mut self, part: Part, place: impl Fn(Range<usize>) -> Range<usize>) {
        let Part::Tag { span, title, targets } = part else { return };
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

    /// The same place in the whole text.
    fn moved(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }
}

fn kind(link_type: LinkType) -> LinkKind {
    match link_type {
        LinkType::Autolink | LinkType::Email => LinkKind::Autolink,
        LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut => LinkKind::Reference,
        // The rest are options that are off.
        _ => LinkKind::Inline,
    }
}

/// The range of a link, with the `[]` of `[label][]`, which the parser leaves out.
pub fn with_brackets(markdown: &str, link_type: LinkType, range: Range<usize>) -> Range<usize> {
    let is_cut = link_type == LinkType::Collapsed && markdown[range.end..].starts_with("[]");
    range.start..range.end + if is_cut { "[]".len() } else { 0 }
}

/// Where a part that was borrowed from a text stands in it; `None` when it was not.
fn place_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let range = start..start.checked_add(part.len())?;
    (text.get(range.clone()) == Some(part)).then_some(range)
}
