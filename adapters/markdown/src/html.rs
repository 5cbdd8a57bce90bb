//! What a piece of HTML holds: its comments, and the links in its tags.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use std::convert::Infallible;
use std::mem::take;
use std::ops::Range;

/// A comment or a tag with links; ranges are bytes of the piece.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// `<!--` to `-->`, or to the end of the piece.
    Comment(Range<usize>),
    /// A tag that leads somewhere.
    Tag {
        /// The tag.
        span: Range<usize>,
        /// Its `title`; empty for none.
        title: String,
        /// Its first `href` and `src` that say something, with entities resolved, and where they are written.
        targets: Vec<(String, Range<usize>)>,
    },
}

/// The comments, and the tags with links, in order.
///
/// Scripts, styles and the like are passed over, as HTML has it. A tag that does not end is none.
pub fn parts(html: &str) -> Vec<Part> {
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

/// What the attribute is good for whose value comes next.
#[derive(Clone, Copy, Default)]
enum Attribute {
    Href,
    Src,
    Title,
    #[default]
    Other,
}

impl OpenTag {
    fn take(&mut self, event: CallbackEvent<'_>, span: Range<usize>, html: &str) -> Option<Part> {
        match event {
            CallbackEvent::OpenStartTag { .. } => *self = Self { start: span.start, ..Self::default() },
            CallbackEvent::AttributeName { name } => self.attribute = attribute(name),
            CallbackEvent::AttributeValue { value } => self.set(value, span),
            CallbackEvent::CloseStartTag { .. } => return self.close(span.end),
            // `<!x>` and `<?x>` are comments for HTML, and none for whoever reads the text.
            CallbackEvent::Comment { .. } => {
                return html.get(span.clone())?.starts_with("<!--").then_some(Part::Comment(span));
            }
            // An end tag may have attributes too; they are for nothing.
            CallbackEvent::EndTag { .. } => *self = Self::default(),
            _ => {}
        }
        None
    }

    /// Of two attributes of one name the first counts.
    fn set(&mut self, value: &[u8], span: Range<usize>) {
        let value = || String::from_utf8_lossy(value).into_owned();
        match self.attribute {
            Attribute::Href => _ = self.href.get_or_insert_with(|| (value(), span)),
            Attribute::Src => _ = self.src.get_or_insert_with(|| (value(), span)),
            Attribute::Title if self.title.is_empty() => self.title = value(),
            Attribute::Title | Attribute::Other => {}
        }
    }

    fn close(&mut self, end: usize) -> Option<Part> {
        let mut targets: Vec<_> = [self.href.take(), self.src.take()].into_iter().flatten().collect();
        targets.sort_by_key(|(_, written)| written.start);
        let span = self.start..end;
        (!targets.is_empty()).then(|| Part::Tag { span, title: take(&mut self.title), targets })
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
