//! Finds comments and links in HTML.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use std::convert::Infallible;
use std::mem::take;
use std::ops::Range;

/// A comment or a tag with links; ranges are byte offsets in the HTML.
#[derive(Debug, PartialEq, Eq)]
pub enum HtmlPart {
    /// From `<!--` to `-->` or the end.
    Comment(Range<usize>),
    /// A tag with `href` or `src`.
    Tag {
        /// The whole tag.
        span: Range<usize>,
        /// The `title` attribute; empty if absent.
        title: String,
        /// The first `href` and `src`, entities resolved, with the range of each.
        targets: Vec<(String, Range<usize>)>,
    },
}

/// Comments and tags with links, in order.
///
/// Skips the content of scripts, styles and the like, as HTML requires. An unclosed tag does not count.
pub fn parts(html: &str) -> Vec<HtmlPart> {
    let (mut found, mut open) = (Vec::new(), OpenTag::default());
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| {
        found.extend(open.take(event, span.start..span.end, html));
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
    found
}

/// The tag that is being read.
#[derive(Default)]
struct OpenTag {
    start: usize,
    attribute: Attribute,
    title: String,
    href: Option<(String, Range<usize>)>,
    src: Option<(String, Range<usize>)>,
}

/// The attribute whose value comes next.
#[derive(Clone, Copy, Default)]
enum Attribute {
    Href,
    Src,
    Title,
    #[default]
    Other,
}

impl OpenTag {
    fn take(&mut self, event: CallbackEvent<'_>, span: Range<usize>, html: &str) -> Option<HtmlPart> {
        match event {
            CallbackEvent::OpenStartTag { .. } => *self = Self { start: span.start, ..Self::default() },
            CallbackEvent::AttributeName { name } => self.attribute = attribute(name),
            CallbackEvent::AttributeValue { value } => self.set(value, span),
            CallbackEvent::CloseStartTag { .. } => return self.close(span.end),
            // HTML treats `<!x>` and `<?x>` as comments, but a reader does not.
            CallbackEvent::Comment { .. } => {
                return html.get(span.clone())?.starts_with("<!--").then_some(HtmlPart::Comment(span));
            }
            // Attributes of end tags have no meaning.
            CallbackEvent::EndTag { .. } => *self = Self::default(),
            _ => {}
        }
        None
    }

    /// The first of several equal attributes counts.
    fn set(&mut self, value: &[u8], span: Range<usize>) {
        let value = || String::from_utf8_lossy(value).into_owned();
        match self.attribute {
            Attribute::Href => _ = self.href.get_or_insert_with(|| (value(), span)),
            Attribute::Src => _ = self.src.get_or_insert_with(|| (value(), span)),
            Attribute::Title if self.title.is_empty() => self.title = value(),
            Attribute::Title | Attribute::Other => {}
        }
    }

    fn close(&mut self, end: usize) -> Option<HtmlPart> {
        let mut targets: Vec<_> = [self.href.take(), self.src.take()].into_iter().flatten().collect();
        targets.sort_by_key(|(_, written)| written.start);
        let span = self.start..end;
        (!targets.is_empty()).then(|| HtmlPart::Tag { span, title: take(&mut self.title), targets })
    }
}

fn attribute(name: &[u8]) -> Attribute {
    match name {
        b"href" => Attribute::Href,
        b"src" => Attribute::Src,
        b"title" => Attribute::Title,
        _ => Attribute::Other,
    }
}
