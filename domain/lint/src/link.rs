//! The target of a link, as a viewer would resolve it.

use skillc_domain::markup::Link;
use skillc_domain::path::RelPath;
use std::ops::Range;

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A target outside this skill: a URL with a scheme, `//host`, an absolute path, a path with placeholders, or an
    /// empty target.
    External,
    /// A heading of the same file.
    Anchor(String),
    /// A path in the skill, and the anchor if there is one.
    Inside(RelPath, Option<String>),
    /// A path that leads above the skill's root.
    Escapes(String),
}

/// Parses a target as written in the file at `from`.
///
/// `%20` and the like are decoded, `?query` is removed, and `.` and `..` are resolved relative to the file's folder.
/// `{baseDir}` and the other names of [`OWN_FOLDER`] stand for the skill's root, since clients replace them with it.
/// Backslashes stay unchanged: no viewer treats them as separators.
pub fn target(written: &str, from: &RelPath) -> LinkTarget {
    let written = written.trim();
    if let Some(anchor) = written.strip_prefix('#') {
        return LinkTarget::Anchor(decoded(anchor));
    }
    if written.is_empty() || is_external(written) {
        return LinkTarget::External;
    }
    let (path, anchor) = match written.split_once('#') {
        Some((path, anchor)) => (path, Some(decoded(anchor))),
        None => (written, None),
    };
    let path = decoded(path.split('?').next().unwrap_or_default());
    if path.is_empty() {
        return anchor.map_or(LinkTarget::External, LinkTarget::Anchor);
    }
    let in_root = below_own_folder(&path);
    if in_root.is_none() && is_to_be_filled_in(&path) {
        return LinkTarget::External;
    }
    let folder = from.folder();
    let (folder, path) = in_root.map_or((folder, path.as_str()), |below| ("", below));
    let mut joined = [folder, "/./", path].concat();
    if joined.contains('\0') {
        joined = joined.replace('\0', "\u{fffd}");
    }
    match RelPath::parse(joined.trim_start_matches('/')) {
        Ok(inside) => LinkTarget::Inside(inside, anchor.filter(|anchor| !anchor.is_empty())),
        Err(_) => LinkTarget::Escapes(path.to_owned()),
    }
}

/// Names for the skill's own folder that clients replace with its path: `{baseDir}` for OpenClaw and others,
/// `${CLAUDE_SKILL_DIR}` for Claude Code, and imitations of them.
pub const OWN_FOLDER: &[&str] = &[
    "{baseDir}",
    "${CLAUDE_SKILL_DIR}",
    "$CLAUDE_SKILL_DIR",
    "${SKILL_DIR}",
    "$SKILL_DIR",
    "{skillDir}",
    "{skill_dir}",
];

/// The rest of a path after a name for the skill's own folder; empty for the folder itself.
fn below_own_folder(path: &str) -> Option<&str> {
    let rest = OWN_FOLDER.iter().find_map(|name| path.strip_prefix(name))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Whether a path is a placeholder or pattern: `{{ file }}`, `<name>.md`, `$DIR/x`, `*.md`, `path/to/file.md`, `...`,
/// or a word such as `url`.
fn is_to_be_filled_in(path: &str) -> bool {
    const WORDS: &[&str] = &["url", "link", "href", "src", "target", "path", "image-url", "link-url"];
    let is_variable =
        |rest: &str| rest.starts_with(|c: char| c == '(' || c == '_' || c.is_ascii_alphabetic());
    path.contains(['{', '}', '<', '>', '*', '|', '…'])
        || is_expression(path)
        || path.contains("...")
        || path.split('$').skip(1).any(is_variable)
        || path.trim_start_matches("./").starts_with("path/to/")
        || path.contains("/path/to/")
        || path.strip_prefix('$').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || WORDS.iter().any(|word| word.eq_ignore_ascii_case(path))
}

/// Whether a path is a regular expression that happens to follow brackets: `[^"']+`, `\d+`, `.+`.
fn is_expression(path: &str) -> bool {
    // Hardly any path has one of these characters.
    if !path.bytes().any(|byte| matches!(byte, b'"' | b'^' | b'+' | b'\\')) {
        return false;
    }
    let is_class = |rest: &str| {
        let behind = rest.strip_prefix(['d', 'w', 's', 'b', 'D', 'W', 'S', 'B']);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['+', '?', ')', '[', '\\', ']']))
    };
    path.contains(['"', '^'])
        || [".+", "]+"].iter().any(|part| path.contains(part))
        || path.split('\\').skip(1).any(is_class)
}

/// The bytes at which to report a link: its target, or the whole link if the target is not in it.
pub fn place(link: &Link) -> Range<usize> {
    link.target_span.clone().unwrap_or_else(|| link.span.clone())
}

/// The path in a link's target, without query and anchor.
pub fn path_written(link: &Link) -> &str {
    link.target.split(['?', '#']).next().unwrap_or_default()
}

/// Byte range of the path in a link's target; `None` if the link does not contain the target literally.
pub fn path_bytes(text: &str, link: &Link) -> Option<Range<usize>> {
    let span = literal(text, link)?;
    Some(span.start..span.start + path_written(link).len())
}

/// Byte range of the anchor in a link's target, after the `#`; `None` as in [`path_bytes`], and if there is no
/// anchor.
pub fn anchor_bytes(text: &str, link: &Link) -> Option<Range<usize>> {
    let span = literal(text, link)?;
    Some(span.start + link.target.find('#')? + 1..span.end)
}

fn literal(text: &str, link: &Link) -> Option<Range<usize>> {
    link.target_span.clone().filter(|span| text.get(span.clone()) == Some(link.target.as_str()))
}

/// Whether a target is a URL (`mailto:`, `data:`, `https:`), `//host` or an absolute path.
fn is_external(written: &str) -> bool {
    if written.starts_with('/') {
        return true;
    }
    let Some((scheme, _)) = written.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Decodes percent escapes; everything else is unchanged.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let code = pair.filter(|_| bytes[at] == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_target_are_found_where_they_are_written() {
        let link = |target: &str, span| Link {
            kind: skillc_domain::markup::LinkKind::Inline,
            target: target.to_owned(),
            text: String::new(),
            title: String::new(),
            span: 0..20,
            target_span: Some(span),
        };
        let text = "[é](a.md?b#c) [](&lt;)";
        let found = link("a.md?b#c", 5..13);
        assert_eq!((path_bytes(text, &found), anchor_bytes(text, &found)), (Some(5..9), Some(12..13)));
        assert_eq!(path_bytes(text, &link("<", 18..22)), None);
        assert_eq!(path_bytes(text, &link("x", 2..99)), None);
    }

    fn inside(path: &str, anchor: Option<&str>) -> LinkTarget {
        LinkTarget::Inside(RelPath::parse(path).unwrap(), anchor.map(str::to_owned))
    }

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_target_is_taken_as_a_viewer_takes_it() {
        let from = RelPath::parse("docs/guide.md").unwrap();
        for (written, expected) in [
            ("other.md", inside("docs/other.md", None)),
            ("../SKILL.md#top", inside("SKILL.md", Some("top"))),
            ("a%20b.md?raw=1#x%20y", inside("docs/a b.md", Some("x y"))),
            ("sub/", inside("docs/sub", None)),
            ("./", inside("docs", None)),
            ("#here", LinkTarget::Anchor("here".into())),
            ("?q#here", LinkTarget::Anchor("here".into())),
            ("../../x", LinkTarget::Escapes("../../x".into())),
            ("%2e%2e/%2e%2e/x", LinkTarget::Escapes("../../x".into())),
            ("mailto:a@b.c", LinkTarget::External),
            ("tel:+1", LinkTarget::External),
            ("data:text/plain,x", LinkTarget::External),
            ("//host/x", LinkTarget::External),
            ("/absolute", LinkTarget::External),
            ("HTTPS://x", LinkTarget::External),
            ("", LinkTarget::External),
            ("100%.md", inside("docs/100%.md", None)),
            ("{baseDir}/references/a.md#b", inside("references/a.md", Some("b"))),
            ("${CLAUDE_SKILL_DIR}/a.md", inside("a.md", None)),
            ("{baseDir}", inside("", None)),
            ("{baseDir}/../x", LinkTarget::Escapes("../x".into())),
            ("{{ page }}.md", LinkTarget::External),
            ("<name>.md", LinkTarget::External),
            ("$OUT/x.md", LinkTarget::External),
            ("$1/x.md", LinkTarget::External),
            ("./path/to/file.md", LinkTarget::External),
            ("...", LinkTarget::External),
            ("URL", LinkTarget::External),
            ("[^\"']+", LinkTarget::External),
            ("\\d+", LinkTarget::External),
            ("a.+", LinkTarget::External),
            ("[a-z]+", LinkTarget::External),
            ("c++.md", inside("docs/c++.md", None)),
            ("[id].tsx", inside("docs/[id].tsx", None)),
            ("api\\setup.md", inside("docs/api\\setup.md", None)),
            ("us$5.md", inside("docs/us$5.md", None)),
            ("url.md", inside("docs/url.md", None)),
        ] {
            assert_eq!(target(written, &from), expected, "{written}");
        }
    }
}
