//! Whether a text uses a phrase or only mentions it: skills about security are full of what attackers write.

use crate::security::context_window::floor;
use crate::security::prose::{Voice, voice};
use crate::security::quotation::is_quoted;
use crate::security::sentence::sentence;
use crate::security::terms::{ends_with_term, has_term, words};
use crate::view::LintFile;
use skillc_domain::markup::RegionKind;
use std::ops::Range;

/// Number of bytes above a list item, quotation or code that are searched for words that introduce it.
const LEAD_IN_BYTES: usize = 3_000;
/// Number of headings above a phrase that are examined, so that a file of only headings and phrases stays cheap.
const HEADINGS_MAX: usize = 100;

/// Words before a phrase that show that the sentence mentions it.
const REPORTED_BEFORE: &str = "\
    detect*|flag*|reject*|sanitiz*|sanitis*|attack*|adversar*|malicious*|injection*|injected|\
    jailbreak attempt*|suspicious*|hostile|untrusted|attempt*|tries|trying|tricks|tricking|manipulat*|\
    containing|contains|phrases|phrase|pattern|patterns|payload*|such as|e g|i e|for example|\
    for instance|watch for|look for|looks for|looking for|beware|prevents|preventing|resist*|\
    examples of|anything like|something like|variants of|forms of|signs of|vulnerab*|bad actor*";

/// Words directly before a phrase that attribute it to a third party: `if a page tells you to`.
const SAID_BY_OTHERS: &str = "\
    ask|asks|asking|tell|tells|telling|say|says|saying|claims|claiming|instructs|instructing|wants|\
    urges|urging|demands|orders|steer|prompts";
/// Maximum distance in words for "directly before".
const RIGHT_BEFORE: usize = 5;

/// Words after a phrase that show that the sentence mentions it.
const REPORTED_AFTER: &str = "\
    attempt|attempts|attack|attacks|injection|injections|jailbreak|jailbreaks|phrases|patterns|\
    payloads|is an attack|and similar|or similar|and the like|style|is suspicious|are suspicious|\
    must be flagged|should be flagged|must be rejected|is malicious|are malicious|is not allowed|\
    is untrusted|are untrusted|is data|are data";

/// Words in a heading that announces examples of attacks.
const REPORTED_UNDER: &str = "\
    attack*|injection*|detect*|adversar*|malicious|suspicious|threat*|red flag*|vulnerab*|\
    anti pattern*|antipattern*|untrusted|what to look for|owasp*|red team*|defen*|forbidden|\
    prohibited|not allowed";

/// Words in the header of a table whose rows are examples of attacks.
const REPORTED_BY_TABLE: &str = "\
    attack*|pattern*|example*|threat*|severity|payload*|signature*|phrase*|risk*|detection|technique*|\
    red flag*|rationalization*";

/// Beginnings of lines that show a bad example.
const BAD: &str = "bad:|wrong:|don't:|never:|attack:|attacker:|input:|malicious:|unsafe:|avoid:";

/// Words that negate an order.
const NEGATIONS: &str = "\
    never|not|don't|dont|cannot|can't|won't|shouldn't|mustn't|avoid|without|nor|neither|refuse to|\
    refuses to|rather than|instead of|no|nobody|doesn't|didn't|isn't|aren't|wouldn't";
/// Words after a negation that cancel it: `do not hesitate to`.
const LIFTED: &str = "\
    hesitate*|forget|fail|afraid|wait|only|neglect";

/// Whether the phrase at a span is only mentioned: quoted, reported, negated, or an example of what attackers write.
pub fn is_mentioned(file: &LintFile, span: &Range<usize>) -> bool {
    let Some(text) = file.text.as_deref() else { return true };
    // The quotation marks around text that a program prints belong to the program.
    let is_printed = voice(file, text, span.start) == Voice::Printed;
    file.region_at(span.start) == Some(RegionKind::InlineCode)
        || (!is_printed && is_quoted(file, text, span))
        || is_negated(text, span)
        || is_reported(text, span)
        || is_marked_as_bad(text, span)
        || is_led_in(text, span)
        || is_below_report(file, span)
}

/// Whether the words before a span forbid the order in it: `never`, `you must not`.
pub fn is_negated(text: &str, span: &Range<usize>) -> bool {
    let before = sentence(text, span).before;
    let clause = before.rsplit([',', ';', ':', '—', '–', '(']).next().unwrap_or_default();
    let near = last_words(clause, 4);
    has_term(&near, NEGATIONS) && !has_term(&near, LIFTED) || is_last_of_negated(before)
}

/// Whether the text before an order ends a list of things that a sentence rules out: `cannot read secrets, change
/// files, or`.
fn is_last_of_negated(before: &str) -> bool {
    let list = before.rsplit([';', ':', '—', '–', '(']).next().unwrap_or_default();
    let first = list.split(',').next().unwrap_or_default();
    ends_with_term(before, "or") && has_term(first, NEGATIONS) && !has_term(first, LIFTED)
}

fn last_words(text: &str, count: usize) -> String {
    let words = words(text);
    words[words.len().saturating_sub(count)..].join(" ")
}

/// Whether anything before a span in its sentence is a negation.
pub fn is_negated_anywhere(text: &str, span: &Range<usize>) -> bool {
    has_term(sentence(text, span).before, NEGATIONS)
}

fn is_reported(text: &str, span: &Range<usize>) -> bool {
    let sentence = sentence(text, span);
    let after = &sentence.after[..floor(sentence.after, 80)];
    has_term(sentence.before, REPORTED_BEFORE)
        || has_term(after, REPORTED_AFTER)
        || ends_with_term(sentence.before, "like|includes|include|including")
        || is_said_by_others(sentence.before)
}

/// Whether the words directly before the phrase attribute it to a third party.
fn is_said_by_others(before: &str) -> bool {
    let before = before.trim_end();
    let leads = before.ends_with(':')
        || !before.ends_with(',') && ends_with_term(before, "to|that|say|says|saying|like|with|you");
    leads && has_term(&last_words(before, RIGHT_BEFORE), SAID_BY_OTHERS)
}

/// Whether there is a cross before the phrase, or a word for a bad example.
fn is_marked_as_bad(text: &str, span: &Range<usize>) -> bool {
    let before = sentence(text, span).before.trim_start_matches(['-', '*', '>', ' ', '#', '/']);
    before.starts_with(['❌', '✗', '✘', '🚫', '⛔', '👎'])
        || BAD.split('|').any(|mark| before.to_lowercase().replace('*', "").starts_with(mark))
}

/// Whether a line about attacks introduces the list item, quotation, table row or code.
pub fn is_led_in(text: &str, span: &Range<usize>) -> bool {
    let near = &text[floor(text, span.start.saturating_sub(LEAD_IN_BYTES))..span.start];
    let (above, line) = near.rsplit_once('\n').unwrap_or(("", near));
    if line.trim_start().starts_with('|') {
        let rows = above.lines().rev().take_while(|line| line.trim_start().starts_with('|'));
        if rows.last().is_some_and(|header| has_term(header, REPORTED_BY_TABLE)) {
            return true;
        }
    }
    let lines = || above.lines().rev().filter(|line| !line.trim().is_empty());
    let is_code = lines().any(|line| line.trim_start().starts_with("```"));
    if !is_led(line) && !is_code {
        return false;
    }
    let lead = lines().find(|line| !is_led(line));
    lead.is_some_and(|line| {
        line.trim_end_matches(['*', ' ', '\t', '\r']).ends_with(':') && has_term(line, REPORTED_BEFORE)
    })
}

/// Whether a line belongs to something that a sentence above may introduce.
fn is_led(line: &str) -> bool {
    let start = line.trim_start();
    let number = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < start.len() && number.starts_with(['.', ')']);
    let is_bold = start.starts_with("**");
    is_numbered
        || line.starts_with("  ")
        || (!is_bold && start.starts_with(['-', '*', '+', '>', '|', '`', '~', '"', '“']))
}

/// Whether a heading above announces what attackers write.
pub fn is_below_report(file: &LintFile, span: &Range<usize>) -> bool {
    let Some(markup) = &file.markup else { return false };
    let above = &markup.headings[..markup.headings.partition_point(|heading| heading.offset < span.start)];
    let mut level = u8::MAX;
    for heading in above.iter().rev().take(HEADINGS_MAX) {
        if heading.level < level {
            level = heading.level;
            if has_term(&heading.text, REPORTED_UNDER) {
                return true;
            }
        }
    }
    false
}
