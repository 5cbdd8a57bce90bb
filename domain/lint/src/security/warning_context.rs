//! Whether the text around a command warns against it. A skill that says what never to run does so to keep agents safe.
//!
//! Only the surroundings that a reader would take for the warning count: the words right before and after it on its
//! line, the comment above it, the sentence or list item that leads to it, the headings over it. Each is bounded, so
//! that a question costs the same in a text of any size.

use crate::security::code_context::{self, CodeContext};
use crate::security::context_window;
use crate::security::word_lists::WordLists;
use crate::view::LintFile;
use std::ops::Range;

/// Number of bytes of a line that are examined on each side of a command.
const LINE_BYTES_MAX: usize = 240;
/// Number of lines that are examined above a command; longer lists of bad examples are rare.
const LINES_MAX: usize = 30;
/// Maximum words between `never` and the command: `never, under any circumstances, run this`.
const WORDS_BETWEEN_MAX: usize = 5;

static WORDS: WordLists = WordLists::new(include_str!("../../data/words/warnings.txt"));

/// Whether the text around a span warns against its content.
pub fn is_warned_against(file: &LintFile, span: &Range<usize>) -> bool {
    let Some(text) = file.text.as_deref() else { return false };
    let Some((before, after)) = line_around(text, span) else { return false };
    if has_label(&before, "labels")
        || has_label(&after, "labels")
        || is_negated(&before)
        || is_searched_for(&before)
        || is_titled(&before)
    {
        return true;
    }
    if after.split_once('#').is_some_and(|(_, comment)| is_titled(comment)) {
        return true;
    }
    match code_context::context_at(file, span.start) {
        CodeContext::Inline | CodeContext::Prose if is_asked(&before, &after) => true,
        CodeContext::Block(_) => {
            let Some(block) = code_context::block(file, span.start) else { return false };
            block_warns(text, &block, span.start)
                || lead_warns(text, block.start)
                || headings_warn(file, span.start)
        }
        CodeContext::Inline | CodeContext::Prose | CodeContext::FrontMatterState => {
            lead_warns(text, span.start) || headings_warn(file, span.start)
        }
        CodeContext::File(_) => block_warns(text, &(0..text.len()), span.start),
    }
}

/// The relevant parts of the line before and after a span, in lower case.
fn line_around(text: &str, span: &Range<usize>) -> Option<(String, String)> {
    let before = text.get(context_window::line(text, span.start).start..span.start)?;
    let after = text.get(span.end..context_window::line(text, span.end).end)?;
    Some((tail(before).to_lowercase(), head(after).to_lowercase()))
}

fn tail(line: &str) -> &str {
    &line[context_window::floor(line, line.len().saturating_sub(LINE_BYTES_MAX))..]
}

fn head(line: &str) -> &str {
    &line[..context_window::floor(line, LINE_BYTES_MAX)]
}

/// Whether the last words of the sentence contain a negation, and no verb that reverses it.
fn is_negated(before: &str) -> bool {
    let sentence = without_condition(before.rsplit(". ").next().unwrap_or_default());
    // `--no-cache` is not a negation.
    let tokens = sentence.split_whitespace().filter(|token| !token.starts_with('-') || token.len() < 3);
    let is_end = |c: char| !c.is_alphanumeric() && c != '\'' && c != '’';
    let words = tokens.rev().flat_map(|token| token.rsplit(is_end)).filter(|word| !word.is_empty());
    let last: Vec<&str> = words.take(WORDS_BETWEEN_MAX + 1).collect();
    let Some(at) = last.iter().position(|word| is_listed("negations", word)) else { return false };
    !last[..at].iter().any(|word| is_listed("urging", word))
}

/// A sentence without its conditional clause: `if there is no key, take …`.
fn without_condition(sentence: &str) -> &str {
    let begins = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_condition = ["if ", "when ", "where ", "unless ", "since ", "because ", "while ", "in case "]
        .iter()
        .any(|word| begins.starts_with(word));
    begins.split_once(", ").filter(|_| is_condition).map_or(sentence, |(_, rest)| rest)
}

fn has_label(text: &str, list: &str) -> bool {
    WORDS.get(list).iter().any(|label| text.contains(label))
}

fn is_listed(list: &str, word: &str) -> bool {
    WORDS.get(list).contains(&word)
}

/// Whether the sentence is a question in a checklist rather than one to the reader.
fn is_asked(before: &str, after: &str) -> bool {
    let sentence = before.rsplit(". ").next().unwrap_or_default();
    let begins = sentence.trim_start_matches(|c: char| !c.is_alphabetic()).trim_start_matches("x] ");
    let first = begins.split(' ').next().unwrap_or_default();
    let ends = after.split(". ").next().unwrap_or_default().trim_end_matches(['`', '*', '|', ' ']);
    is_listed("questions", first) && ends.contains('?') && !begins.contains("you ")
}

/// Whether the text after this is a search pattern, in quotes that a search command opened.
fn is_searched_for(before: &str) -> bool {
    let is_open = |quote: char| before.matches(quote).count() % 2 == 1;
    has_label(before, "searches") && (is_open('"') || is_open('\''))
}

/// Whether a line begins with a title such as `Bad:` or `❌ Wrong way —`, after any list, comment and emphasis
/// markers.
fn is_titled(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(rest) = WORDS.get("titles").iter().find_map(|title| line.strip_prefix(title)) else {
        return false;
    };
    let rest = rest.trim_start();
    let rest = WORDS.get("title-nouns").iter().find_map(|noun| rest.strip_prefix(noun)).unwrap_or(rest);
    rest.trim_start().is_empty()
        || rest.trim_start().starts_with([':', '*', '-', '—', '–', ')', ']', '`', '=', '>', '|', '('])
}

/// Whether the nearest comment above, in the same paragraph of code, is a warning.
fn block_warns(text: &str, block: &Range<usize>, at: usize) -> bool {
    let end = context_window::line(text, at).start;
    let start = (end - context_window::above(text, at).len()).max(block.start);
    let Some(above) = text.get(start..end) else { return false };
    let lines = above.lines().rev().take(LINES_MAX).map(str::trim).take_while(|line| !line.is_empty());
    let is_comment =
        |line: &&str| line.starts_with(['#', ';', '%']) || line.starts_with("//") || line.starts_with("<!--");
    let comment = lines.filter(is_comment).map(head).map(str::to_lowercase).next();
    comment.is_some_and(|comment| is_titled(&comment) || has_label(&comment, "labels"))
}

/// Whether the line that introduces a list, table or block is a warning. Adjacent items and rows do not introduce
/// anything.
fn lead_warns(text: &str, at: usize) -> bool {
    let own = &text[context_window::line(text, at)];
    let above = context_window::lines_above(text, at, LINES_MAX);
    let mut lines = above.filter(|line| !line.trim().is_empty());
    let is_beside = |line: &str| is_item(line) && is_item(own) && indent(line) >= indent(own);
    let Some(lead) = lines.find(|line| !is_beside(line)) else { return false };
    // An item that introduces a block belongs to a list with an introduction of its own.
    warns(lead) || (is_item(lead) && lines.find(|line| !is_item(line)).is_some_and(warns))
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['-', '*', '+', '|', '>']) || line.starts_with(|c: char| c.is_ascii_digit())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn warns(line: &str) -> bool {
    let line = head(line).to_lowercase();
    let leads = line.trim_end().ends_with([':', '：']);
    !line.trim_start().starts_with('#')
        && (is_titled(&line) || has_label(&line, "labels") || (leads && is_negated(&without_asides(&line))))
}

/// A line without parenthesized remarks: `Run this (no download needed):` forbids nothing.
fn without_asides(line: &str) -> String {
    let mut parts = line.split('(');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// Whether a heading above an offset announces bad examples; the file's title does not count.
fn headings_warn(file: &LintFile, at: usize) -> bool {
    let Some(markup) = &file.markup else { return false };
    let end = markup.headings.partition_point(|heading| heading.offset <= at);
    let mut level = 7;
    for heading in markup.headings[..end].iter().rev().take(LINES_MAX) {
        if heading.level >= level {
            continue;
        }
        level = heading.level;
        if level > 1 && has_label(&heading.text.to_lowercase(), "headings") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::path::RelPath;

    fn is_warned(path: &str, text: &str) -> bool {
        let path = RelPath::parse(path).unwrap();
        let at = text.find("CMD").unwrap();
        is_warned_against(
            &LintFile { path, text: Some(text.to_owned()), ..LintFile::default() },
            &(at..at + 3),
        )
    }

    #[test]
    fn a_text_that_warns_against_a_command_is_seen() {
        for text in [
            "Never run `CMD`.",
            "Do not, under any circumstances, run CMD",
            "❌ CMD",
            "CMD # never do this",
            "CMD is blocked",
            "# BAD\nx\nCMD",
            "// Wrong:\nCMD",
            "Use a package instead of CMD",
            "**Avoid:** CMD",
            "不要 CMD",
        ] {
            assert!(is_warned("a.txt", text) || is_warned("a.sh", text), "{text}");
        }
    }

    #[test]
    fn a_text_that_urges_to_run_a_command_is_no_warning() {
        for text in [
            "Never skip this step: CMD",
            "Do not ask the user, run CMD",
            "Don't hesitate: CMD",
            "If something goes wrong, run CMD",
            "To avoid errors in the build we first of all run CMD",
            "The tool is not installed? CMD",
            "é\nCMD",
        ] {
            assert!(!is_warned("a.txt", text), "{text}");
        }
    }
}
