//! SKL213: Windows separators in paths to files of the skill.

use crate::fix::Fix;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::{FileView, Report};
use skillc_domain::markup::Markup;
use skillc_domain::path::RelPath;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL213",
    name: "backslash-path",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Client(
        "Anthropic's platform",
        "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices",
    ),
    why: "Except on Windows a backslash is part of the file name, so the command fails and the link is broken. \
          Forward slashes work on Windows too.",
    fix: "Write '/' between the parts of the path.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "Run `python scripts/report.py`.\n\n```powershell\npython scripts\\report.py\n```\n"
            ),
        ),
        ("scripts/report.py", "print('report')\n"),
    ])],
    bad: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run `python scripts\\report.py`.\n")),
        ("scripts/report.py", "print('report')\n"),
    ])],
    check: Check::File(check),
};

/// Languages of code blocks in which backslashes are correct.
const WINDOWS: [&str; 9] = ["powershell", "pwsh", "ps1", "ps", "bat", "batch", "cmd", "dos", "doscon"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.markdown() else { return };
    for span in paths(text) {
        let written = &text[span.clone()];
        if !is_file_of(view, written) || is_program_of_windows(written) || is_for_windows(markup, span.start) {
            continue;
        }
        let slashes = written.replace('\\', "/");
        let title = format!("write '{slashes}'");
        let fix = if is_link_target(markup, span.start) {
            Fix::safe(title, span.clone(), slashes)
        } else {
            Fix::risky(title, span.clone(), slashes)
        };
        report.at(span, format!("path '{}' has Windows separators", one_line(written))).fix(fix);
    }
}

/// Parts of a text that could be paths with backslashes, in order.
fn paths(text: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || "._-\\/".contains(c);
    let (mut found, mut end) = (Vec::new(), 0);
    for (at, _) in text.match_indices('\\') {
        if at < end {
            continue;
        }
        // Goes back no further than what was already searched, so that no character is visited twice.
        let back = text[end..at].rfind(|c: char| !is_part(c));
        let start = back.map_or(end, |before| {
            end + before + text[end + before..].chars().next().map_or(1, char::len_utf8)
        });
        end = text[at..].find(|c: char| !is_part(c)).map_or(text.len(), |length| at + length);
        let path = text[start..end].trim_end_matches(['.', '\\', '-']);
        found.push(start..start + path.len());
    }
    found.retain(|span| text[span.clone()].contains('\\'));
    found
}

/// Whether a path names a file, relative to the root or to the file that mentions it.
fn is_file_of(view: &FileView<'_>, written: &str) -> bool {
    let slashes = written.replace('\\', "/");
    let folder = view.file.path.folder();
    [slashes.clone(), format!("{folder}/{slashes}").trim_start_matches('/').to_owned()]
        .iter()
        .any(|path| RelPath::parse(path).is_ok_and(|path| view.context.has_file(&path)))
}

/// Whether a path names a program that runs only on Windows, or mostly there.
fn is_program_of_windows(written: &str) -> bool {
    let extension = written.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["ps1", "psm1", "bat", "cmd", "exe"].iter().any(|windows| extension.eq_ignore_ascii_case(windows))
}

fn is_for_windows(markup: &Markup, at: usize) -> bool {
    let after = markup.code_blocks.partition_point(|block| block.span.start <= at);
    let block = markup.code_blocks[..after].last().filter(|block| at < block.span.end);
    let language = block.and_then(|block| block.info.split([' ', ',', '{']).next());
    language.is_some_and(|language| WINDOWS.contains(&language.to_ascii_lowercase().as_str()))
}

fn is_link_target(markup: &Markup, at: usize) -> bool {
    let after = markup.links.partition_point(|link| link.span.start <= at);
    // An image can be inside a link, so at most two are open.
    markup.links[..after]
        .iter()
        .rev()
        .take(2)
        .filter_map(|link| link.target_span.as_ref())
        .any(|t| t.contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_out_whole() {
        let text = "Run `.\\a\\b.py`, é\\x.md. C:\\q \\ \\\\ (sub\\dir\\f.txt) a\\";
        let found: Vec<&str> = paths(text).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, [".\\a\\b.py", "é\\x.md", "\\q", "sub\\dir\\f.txt"]);
    }
}
