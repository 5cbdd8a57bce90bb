//! SKL540: documents and programs inside a data URL.

use crate::security::magic::Family;
use crate::security::payload::{self, DecodedContent};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::{FileView, Report};
use crate::security::hits;

pub static RULE: Rule = Rule {
    id: "SKL540",
    name: "data-uri",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("skillshare data-uri"),
    why: "A data URL with a page or a program runs where it is opened, and bypasses checks of hosts and files.",
    fix: "Put the document into a file of the skill.",
    params: &[],
    patterns: &[Pattern {
        needles: || &[
            "data:text/html",
            "data:text/javascript",
            "data:application/",
            "data:image/svg+xml",
            "data:text/x",
            "data:text/plain;base64",
            "data:;base64",
            "data:text/xml",
        ],
        regex: r"(?i-u)\bdata:(?:text/html|text/javascript|text/x?-?\w+|text/xml|application/[\w.+-]+|image/svg\+xml|)?(?:;[\w=-]+)*,[!-~]+",
    }],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "An image of one point is `data:image/gif;base64,R0lGODlhAQABAAAAACw=` as an address.\n"
        ),
    )])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "Open [the report](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) when done.\n"
        ),
    )])],
    check: Check::File(check),
};

/// Length in characters from which a payload is reported whatever it contains.
const PAYLOAD_CHARS_MIN: usize = 200;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    for hit in hits::unwarned(view.file, &RULE) {
        let address = view.file.slice(&hit.span);
        let Some((head, body)) = address.split_once(',') else { continue };
        let body = body.trim_end_matches([')', '"', '\'', '`', '>', '.', ';', ']']);
        if let Some(content) = content(&head.to_ascii_lowercase(), body) {
            let end = hit.span.start + head.len() + 1 + body.len();
            report.at(hit.span.start..end, format!("the data URL contains {content}"));
        }
    }
    let links = view.file.markup.iter().flat_map(|markup| &markup.links);
    for link in links.filter(|link| is_script(&link.target)) {
        report.at(link.target_span.clone().unwrap_or(link.span.clone()), "the link runs a script");
    }
}

fn is_script(target: &str) -> bool {
    let target = target.trim_start().to_ascii_lowercase();
    ["javascript:", "vbscript:"].iter().any(|scheme| {
        target.strip_prefix(scheme).is_some_and(|rest| !rest.starts_with("void(0)") && rest.len() > 1)
    })
}

/// The content of a data URL with this head and body; `None` for a picture or font.
fn content(head: &str, body: &str) -> Option<&'static str> {
    let decoded = if head.ends_with("base64") { payload::base64(body)? } else { unescaped(body) };
    let is_picture = head.starts_with("data:image/");
    match payload::reading(&decoded) {
        DecodedContent::File(Family::Image | Family::Font | Family::Media | Family::Document, _) => None,
        DecodedContent::File(_, name) => Some(name),
        DecodedContent::Text(text) if payload::is_active(&text) && (!is_picture || has_script(&text)) => {
            Some("a program")
        }
        DecodedContent::Text(_)
            if !is_picture
                && ["html", "javascript"].iter().any(|kind| head.contains(kind))
                && body.len() >= 12 =>
        {
            Some("a page or a program")
        }
        DecodedContent::Text(_) | DecodedContent::Bytes => {
            (!is_picture && body.len() >= PAYLOAD_CHARS_MIN).then_some("a large payload")
        }
    }
}

fn has_script(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["<script", "onload", "onerror", "javascript:", "onclick", "onbegin"]
        .iter()
        .any(|word| text.contains(word))
}

/// Decodes `%3C` and the like.
fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|pair| payload::hex(std::str::from_utf8(pair).ok()?));
        out.push(code.as_ref().and_then(|bytes| bytes.first().copied()).unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    out
}
