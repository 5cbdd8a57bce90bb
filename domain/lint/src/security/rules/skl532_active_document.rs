//! SKL532: pictures and documents with active content.

use crate::security::context_window;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::LintFile;
use crate::{FileView, Report};
use crate::security::hits;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL532",
    name: "active-document",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("Cisco skill-scanner SVG_EMBEDDED_SCRIPT and PDF_EMBEDDED_JAVASCRIPT"),
    why: "Opening the file runs its code, and no one expects a program in a picture or a document.",
    fix: "Remove the scripts from the picture or document; keep code in a script of its own.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Fill in `assets/page.html` with `assets/plan.svg`.\n")),
        (
            "assets/page.html",
            "<script src=\"https://cdn.jsdelivr.net/npm/chart.js@4.4.0\"></script>\n<button onclick=\"next()\">Next</button>\n",
        ),
        (
            "assets/plan.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><foreignObject><p>Plan</p></foreignObject></svg>\n",
        ),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Show `assets/plan.svg`.\n")),
            (
                "assets/plan.svg",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"start()\"><path d=\"M0 0\"/></svg>\n",
            ),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Fill in `assets/form.pdf`.\n")),
            ("assets/form.pdf", "%PDF-1.4\n1 0 obj << /OpenAction << /S /JavaScript /JS (x) >> >>\n%%EOF\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Elements that embed a page in a picture.
const FOREIGN: &str = "<script|<iframe|<embed|<object|<handler|<html:script|<svg:script";
/// Function calls by which handlers and URLs in a page send data or run code from elsewhere.
const SENDING: &str = "\
    fetch(|sendbeacon(|xmlhttprequest|document.cookie|localstorage|eval(|atob(|new function|importscripts(|\
    .src=|.src =|new image|websocket(|fromcharcode";
/// Hosts from which pages commonly load libraries.
const LIBRARIES: &str = "\
    cdn.jsdelivr.net|unpkg.com|cdnjs.cloudflare.com|cdn.tailwindcss.com|code.jquery.com|d3js.org|cdn.plot.ly|\
    esm.sh|cdn.skypack.dev|ajax.googleapis.com|www.googletagmanager.com|www.google-analytics.com|\
    maps.googleapis.com|stackpath.bootstrapcdn.com|maxcdn.bootstrapcdn.com|cdn.sheetjs.com|polyfill.io|\
    kit.fontawesome.com|js.stripe.com|platform.twitter.com|appsforoffice.microsoft.com|res.cdn.office.net|\
    unpkg.zhimg.com|cdn.bootcdn.net|lib.baomitu.com|esm.run|ga.jspm.io|www.gstatic.com|accounts.google.com|\
    challenges.cloudflare.com|example.com|localhost";
/// Number of bytes of a tag or attribute that are examined.
const TAG_BYTES_MAX: usize = 600;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if !view.file.actions.is_empty() {
        report.file(format!("PDF '{}' {}", one_line(view.file.path.as_str()), view.file.actions.join(", ")));
        return;
    }
    let Some(text) = view.file.text.as_deref() else { return };
    let Some(is_picture) = kind(view.file, text) else { return };
    let small = text.to_ascii_lowercase();
    let found = if is_picture { in_picture(&small) } else { in_page(&small) };
    hits::once(report, found.into_iter(), |span| {
        let part = one_line(&text[span.clone()]);
        if is_picture { format!("picture with a script: '{part}'") } else { format!("page that runs or sends code on its own: '{part}'") }
    });
}

/// Whether a file is a picture (true) or a page (false); `None` for any other.
fn kind(file: &LintFile, text: &str) -> Option<bool> {
    let extension = file.path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "svg" | "svgz" => Some(true),
        "html" | "htm" | "xhtml" => Some(false),
        "xml" | "png" | "jpg" | "gif" => text.trim_start().starts_with("<svg").then_some(true),
        _ => None,
    }
}

fn in_picture(small: &str) -> Vec<Range<usize>> {
    let elements = FOREIGN.split('|').flat_map(|tag| starts(small, tag));
    let mut found: Vec<_> = elements.collect();
    found.extend(starts(small, "javascript:").filter(|span| is_attribute(small, span.start)));
    found.extend(handlers(small).into_iter().map(|(name, _)| name));
    // An external entity is read as soon as the picture is opened.
    found.extend(starts(small, "<!entity").filter(|span| {
        let tag = context_window::after(small, span.start, TAG_BYTES_MAX);
        tag.split('>').next().is_some_and(|tag| tag.contains(" system "))
    }));
    found.sort_by_key(|span| span.start);
    found
}

fn in_page(small: &str) -> Vec<Range<usize>> {
    let is_sending = |part: &str| SENDING.split('|').any(|call| part.contains(call));
    let mut found: Vec<_> = starts(small, "<script").filter_map(|tag| remote(small, tag.start)).collect();
    let sending = handlers(small).into_iter().filter(|(_, value)| is_sending(&small[value.clone()]));
    found.extend(sending.map(|(name, _)| name));
    found.extend(starts(small, "javascript:").filter(|span| {
        let value = context_window::after(small, span.start, TAG_BYTES_MAX);
        is_attribute(small, span.start)
            && value.split(['"', '>', '\n']).next().is_some_and(is_sending)
    }));
    found.sort_by_key(|span| span.start);
    found
}

fn starts<'a>(small: &'a str, part: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    small.match_indices(part).map(|(at, part)| at..at + part.len())
}

/// Whether an offset is inside the value of an attribute.
fn is_attribute(small: &str, at: usize) -> bool {
    small[..at].trim_end_matches(['"', '\'', ' ']).ends_with('=')
}

/// The URL of a script that a page loads without a digest from a host that is not known for libraries.
fn remote(small: &str, at: usize) -> Option<Range<usize>> {
    let tag = context_window::after(small, at, TAG_BYTES_MAX).split('>').next()?;
    let value = tag.find(" src=")? + " src=".len();
    let rest = tag[value..].trim_start_matches(['"', '\'']);
    let start = at + tag.len() - rest.len();
    let address = rest.split(['"', '\'', ' ']).next()?;
    let host = address.split_once("//").filter(|(scheme, _)| scheme.len() <= 6)?.1.split('/').next()?;
    let is_known = LIBRARIES.split('|').any(|known| host == known || host.ends_with(&format!(".{known}")));
    let is_name = host.contains('.') && !host.contains(['{', '$', '<']);
    (is_name && !is_known && !tag.contains("integrity=")).then(|| start..start + address.len())
}

/// Attributes such as `onload="…"` inside tags: the ranges of name and value.
fn handlers(small: &str) -> Vec<(Range<usize>, Range<usize>)> {
    small.match_indices("on").filter_map(|(at, _)| handler(small, at)).collect()
}

fn handler(small: &str, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    small[..at].ends_with(|c: char| c.is_ascii_whitespace() || "\"'/".contains(c)).then_some(())?;
    let rest = context_window::after(small, at, TAG_BYTES_MAX);
    let name = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
    let value = rest[name..].trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let start = at + rest.len() - value.len() + 1;
    let length = value[1..].find(quote).unwrap_or(value.len() - 1);
    let before = &small[context_window::floor(small, at.saturating_sub(TAG_BYTES_MAX))..at];
    let is_in_tag = before.rfind('<') > before.rfind('>');
    (name > 3 && is_in_tag).then(|| (at..at + name, start..start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_no_scripts_of_any_kind() {
        for (text, expected) in [
            ("<svg><script>x</script></svg>", true),
            ("<svg onload='x()'>", true),
            ("<svg><path d='m0'onclick = \"x\"/>", true),
            ("<a href=\"javascript:x()\">", true),
            ("<foreignobject><iframe src='x'>", true),
            ("<!doctype svg [<!entity x system \"file:///x\">]>", true),
            ("<text>use onload=\"é\" here</text>", false),
            ("<text font=\"é\">javascript: x</text>", false),
            ("<foreignobject><div>x</div></foreignobject>", false),
            ("<g once on", false),
        ] {
            assert_eq!(!in_picture(text).is_empty(), expected, "{text}");
        }
    }

    #[test]
    fn a_page_may_run_its_own_scripts_and_known_libraries() {
        for (text, expected) in [
            ("<script src=\"https://hello.test/x.js\"></script>", true),
            ("<script async src='//hello.test/x.js'>", true),
            ("<body onload=\"fetch('https://x.test')\">", true),
            ("<a href=\"javascript:eval(x)\">", true),
            ("<script src=\"https://unpkg.com/x\"></script>", false),
            ("<script src=\"https://hello.test/x.js\" integrity=\"sha384-x\">", false),
            ("<script src=\"js/x.js\">", false),
            ("<button onclick=\"next()\">", false),
            ("<a href=\"javascript:void(0)\">", false),
            ("<script src=é", false),
        ] {
            assert_eq!(!in_page(text).is_empty(), expected, "{text}");
        }
    }
}
