//! Parses the markup of a Markdown text in one pass over the parser's events.

use crate::body::{Body, EXTENSIONS};
use crate::headings::Headings;
use crate::html::{self, HtmlPart};
use crate::joined_text::JoinedText;
use crate::links::{Links, with_brackets};
use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Parser, RefDefs, Tag, TagEnd};
use skillc_domain::frontmatter::Opening;
use skillc_domain::markup::{CodeBlock, Definition, Markup, Region, RegionKind};
use skillc_domain::text::lines;
use std::ops::Range;

/// All markup of a text; ranges refer to the whole text.
pub fn markup(text: &str, opening: Opening) -> Markup {
    let Body { front_matter, start, markdown } = Body::of(text, opening);
    let mut missing = Vec::new();
    let mut record_missing = |broken: BrokenLink<'_>| {
        missing.extend(missing_label(broken, &markdown, start));
        None
    };
    let events = Parser::new_with_broken_link_callback(&markdown, EXTENSIONS, Some(&mut record_missing))
        .into_offset_iter();
    let definitions = definitions(events.reference_definitions(), start);
    let mut builder = MarkupBuilder::new(text, &markdown, start);
    for (event, range) in events {
        builder.take(event, range);
    }
    missing.sort_by_key(|(_, span): &(String, Range<usize>)| span.start);
    Markup {
        headings: builder.headings.found,
        links: builder.links.found,
        code_blocks: builder.code_blocks,
        definitions,
        missing_labels: missing,
        regions: builder.regions,
        front_matter,
        lines: lines::count(text.as_bytes()),
    }
}

/// A missing label, if it was intended as one: a bare `[x]` rarely is, and `[a][^1]` may be a footnote.
fn missing_label(broken: BrokenLink<'_>, markdown: &str, start: usize) -> Option<(String, Range<usize>)> {
    let is_meant = matches!(broken.link_type, LinkType::Reference | LinkType::Collapsed);
    let span = with_brackets(markdown, broken.link_type, broken.span);
    let label = broken.reference.into_string();
    (is_meant && !label.starts_with('^')).then(|| (label, moved(span, start)))
}

fn definitions(found: &RefDefs<'_>, start: usize) -> Vec<Definition> {
    let definitions = found.iter().map(|(label, definition)| Definition {
        label: label.to_owned(),
        target: definition.dest.to_string(),
        title: definition.title.as_deref().unwrap_or_default().to_owned(),
        span: moved(definition.span.clone(), start),
    });
    let mut definitions: Vec<_> = definitions.collect();
    definitions.sort_by_key(|definition| definition.span.start);
    definitions
}

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Collects markup from parser events.
struct MarkupBuilder<'a> {
    markdown: &'a str,
    start: usize,
    headings: Headings<'a>,
    links: Links<'a>,
    code_blocks: Vec<CodeBlock>,
    regions: Vec<Region>,
    code: Option<OpenCode>,
    html: JoinedText,
}

/// An open code block; offsets are those of the events.
struct OpenCode {
    info: String,
    is_fenced: bool,
    /// The end of its text so far; `None` while empty.
    content_end: Option<usize>,
}

impl<'a> MarkupBuilder<'a> {
    fn new(text: &'a str, markdown: &'a str, start: usize) -> Self {
        Self {
            markdown,
            start,
            headings: Headings::new(text),
            links: Links::new(markdown, start),
            code_blocks: Vec::new(),
            regions: Vec::new(),
            code: None,
            html: JoinedText::default(),
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        self.headings.take(&event, self.start + range.start);
        match event {
            Event::Start(Tag::CodeBlock(kind)) => self.code = Some(OpenCode::new(kind)),
            Event::End(TagEnd::CodeBlock) => self.end_code(range),
            Event::Start(tag @ (Tag::Link { .. } | Tag::Image { .. })) => self.links.open(tag, range),
            Event::End(TagEnd::Link | TagEnd::Image) => self.links.close(),
            Event::Html(_) => self.html.push(self.markdown, range),
            Event::End(TagEnd::HtmlBlock) => self.end_html(),
            Event::InlineHtml(html) => self.inline_html(&html, range),
            Event::Code(part) => {
                self.links.add_text(&part);
                self.region(RegionKind::InlineCode, range);
            }
            Event::Text(part) => match &mut self.code {
                Some(code) => code.content_end = Some(range.end),
                None => self.links.add_text(&part),
            },
            Event::SoftBreak | Event::HardBreak => self.links.add_text(" "),
            _ => {}
        }
    }

    fn end_code(&mut self, range: Range<usize>) {
        let Some(OpenCode { info, is_fenced, content_end }) = self.code.take() else { return };
        let block = &self.markdown[range.clone()];
        let is_closed = !is_fenced || is_closed(block, content_end.map(|end| end - range.start));
        let line = self.markdown[..range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let span = line..range.start + block.trim_end_matches(['\n', '\r']).len();
        self.region(RegionKind::CodeBlock, span.clone());
        let span = moved(span, self.start);
        self.code_blocks.push(CodeBlock { info, span, is_fenced, is_closed });
    }

    fn inline_html(&mut self, html: &CowStr<'_>, range: Range<usize>) {
        if html.starts_with("<!--") {
            return self.region(RegionKind::Comment, range);
        }
        self.region(RegionKind::Html, range.clone());
        // In a multi-line tag within a quote, the parser removes the quote markers, so ranges within the tag are
        // unknown.
        let is_whole = matches!(html, CowStr::Borrowed(_));
        let place = |part| if is_whole { moved(part, range.start) } else { range.clone() };
        for part in html::parts(html) {
            self.links.add_tag(part, place);
        }
    }

    fn end_html(&mut self) {
        let lines = std::mem::take(&mut self.html);
        let html = lines.text(self.markdown);
        let mut done = 0;
        for part in html::parts(&html) {
            if let HtmlPart::Comment(span) = &part {
                self.html_region(RegionKind::Html, &lines, &html, done..span.start);
                self.html_region(RegionKind::Comment, &lines, &html, span.clone());
                done = span.end;
            }
            self.links.add_tag(part, |part| lines.source(part));
        }
        self.html_region(RegionKind::Html, &lines, &html, done..html.len());
    }

    /// Adds a region without surrounding white space, unless it is blank.
    fn html_region(&mut self, kind: RegionKind, lines: &JoinedText, html: &str, range: Range<usize>) {
        let trimmed = html[range.clone()].trim_end();
        let blank = trimmed.len() - trimmed.trim_start().len();
        if blank < trimmed.len() {
            self.region(kind, lines.source(range.start + blank..range.start + trimmed.len()));
        }
    }

    fn region(&mut self, kind: RegionKind, range: Range<usize>) {
        self.regions.push(Region { kind, span: moved(range, self.start) });
    }
}

impl OpenCode {
    fn new(kind: CodeBlockKind<'_>) -> Self {
        let (info, is_fenced) = match kind {
            CodeBlockKind::Fenced(info) => (info.trim().to_owned(), true),
            CodeBlockKind::Indented => (String::new(), false),
        };
        Self { info, is_fenced, content_end: None }
    }
}

/// Whether a closing fence follows the content of a block or, without content, its first line. Otherwise only quote
/// marks can follow.
fn is_closed(block: &str, content_end: Option<usize>) -> bool {
    let end = content_end.or_else(|| block.find(['\n', '\r'])).unwrap_or(block.len());
    let is_fence = |c| block.trim_start().starts_with(c);
    block[end..].contains(|c| matches!(c, '`' | '~') && is_fence(c))
}

#[cfg(test)]
mod tests;
