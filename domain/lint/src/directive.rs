//! Comments in a skill that silence rules (RFC-0008:C-DIRECTIVES).

use crate::finding::Finding;
use crate::fix::Fix;
use crate::report::IssueLocation;
use crate::rule::{Check, Rule, Severity};
use crate::rules::{RULES, find};
use crate::view::LintFile;
use skillc_domain::frontmatter::FrontMatterSpan;
use skillc_domain::rule_settings::LintSettings;
use skillc_domain::text::lines;
use std::collections::HashMap;
use std::ops::Range;

/// The prefix of a directive.
const WORD: &str = "skilllint-";

/// The scope of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Disables rules from here on.
    Disable,
    /// Ends the effect of `Disable`.
    Enable,
    /// Disables rules for the line that contains it.
    Line,
}

/// A directive in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    reach: Reach,
    /// Rule ids or names as written; empty for every rule.
    rules: Vec<String>,
    /// Range of the whole comment; if there is none, from the directive to the end of the line.
    span: Range<usize>,
    /// Range of the line that contains it.
    line: Range<usize>,
}

/// Whether a text may contain directives. Most texts do not, and need no second search.
pub fn may_direct(text: &str) -> bool {
    text.contains(WORD)
}

/// The directives of a file. In Markdown they are HTML comments, or YAML comments in the front matter; in other texts
/// they can be on any line. Linear in the text.
pub fn directives(file: &LintFile) -> Vec<Directive> {
    let text = file.text.as_deref().filter(|_| file.has_directives).unwrap_or_default();
    let (mut line, mut behind) = (0..0, 0);
    let read = |(at, _)| {
        if at >= line.end {
            line = file.line_at(at);
        }
        let word = Word { at, behind, line: line.clone() };
        behind = at + WORD.len();
        word.directive(file, text)
    };
    text.match_indices(WORD).filter_map(read).collect()
}

/// An occurrence of the prefix of a directive.
struct Word {
    at: usize,
    /// End of the word before it.
    behind: usize,
    /// Range of the line that contains it.
    line: Range<usize>,
}

impl Word {
    fn directive(self, file: &LintFile, text: &str) -> Option<Directive> {
        let (span, end) = self.comment_around(file, text)?;
        let written = text[self.at + WORD.len()..end].split(WORD).next()?;
        let mut words = written.split([' ', '\t', ',', '\r', '\n']).filter(|w| !w.is_empty());
        let reach = match words.next()? {
            "disable" => Reach::Disable,
            "enable" => Reach::Enable,
            "disable-line" => Reach::Line,
            _ => return None,
        };
        // The text after `--` is the author's reason.
        let rules = words.take_while(|word| *word != "--").map(str::to_owned).collect();
        Some(Directive { reach, rules, span, line: self.line })
    }

    /// The comment that begins with the word, and the end of the directive in it; `None` if the word does not begin a
    /// comment.
    fn comment_around(&self, file: &LintFile, text: &str) -> Option<(Range<usize>, usize)> {
        let Word { at, behind, line } = self;
        let Some(markup) = &file.markup else { return Some((*at..line.end, line.end)) };
        if let FrontMatterSpan::Block { yaml: (start, end), .. } = markup.front_matter
            && (start..end).contains(at)
        {
            let from = line.start.max(*behind);
            let hash = text[from..*at].rfind('#').map(|hash| from + hash)?;
            return text[hash + 1..*at].trim().is_empty().then_some((hash..line.end, line.end));
        }
        let comment = markup.comment_at(*at).filter(|comment| *behind <= comment.start)?;
        if !text[comment.start..*at].trim_start_matches("<!--").trim().is_empty() {
            return None;
        }
        let end = comment.start + text[comment.clone()].rfind("-->").unwrap_or(comment.len());
        Some((comment.clone(), end.max(at + WORD.len())))
    }
}

impl Directive {
    fn names(&self, rule: &Rule) -> Option<usize> {
        if self.rules.is_empty() {
            return Some(0);
        }
        self.rules.iter().position(|w| w.eq_ignore_ascii_case(rule.id) || w.eq_ignore_ascii_case(rule.name))
    }
}

/// Removes findings that directives silence, and reports directives that silence nothing as findings of `rule`
/// (SKL002).
///
/// `is_known` says whether a rule was checked in this run; directives for other rules are not reported.
pub fn silence(
    file: &LintFile,
    mut findings: Vec<Finding>,
    settings: &LintSettings,
    rule: &'static Rule,
    is_known: impl Fn(&Rule) -> bool,
) -> Vec<Finding> {
    let all = directives(file);
    if all.is_empty() {
        return findings;
    }
    let mut used: Vec<Vec<bool>> = all.iter().map(|d| vec![false; d.rules.len().max(1)]).collect();
    let mut silencers = Silencers { all: &all, by_rule: HashMap::new() };
    findings.retain(|finding| match silencers.of(finding) {
        Some((directive, name)) => {
            used[directive][name] = true;
            false
        }
        None => true,
    });
    let severity = rule.severity_in(settings);
    if severity == Severity::Off {
        return findings;
    }
    let unused = Finding::collect(rule, severity, &file.path, |report| {
        for (directive, used) in all.iter().zip(&used).filter(|(d, _)| d.reach != Reach::Enable) {
            let idle: Vec<String> = idle(directive, used, settings, &is_known);
            if let Some(message) = message(directive, &idle) {
                report.at(directive.span.clone(), message).fix = fix(file, directive, &idle);
            }
        }
    });
    findings.extend(unused.into_iter().filter(|finding| silencers.of(finding).is_none()));
    findings
}

/// An index for finding the directive that silences a finding.
struct Silencers<'a> {
    all: &'a [Directive],
    by_rule: HashMap<&'static str, OfRule>,
}

/// A directive that names a rule: its index, and the index of the word that names the rule.
type Named = (usize, usize);

/// The directives that name one rule, in document order.
#[derive(Default)]
struct OfRule {
    /// Directives for a line: the first for each line.
    lines: Vec<Named>,
    /// Directives that begin or end a range.
    others: Vec<Named>,
    /// The latest directive that begins a range.
    last: Option<Named>,
}

impl Silencers<'_> {
    /// The directive that silences a finding, and its word for the rule.
    fn of(&mut self, finding: &Finding) -> Option<Named> {
        let all = self.all;
        let named = self.by_rule.entry(finding.rule.id).or_insert_with(|| OfRule::new(all, finding.rule));
        let on_line = |at: usize| {
            let behind = named.lines.partition_point(|(index, _)| all[*index].line.start <= at);
            let (index, word) = *named.lines[..behind].last()?;
            (at <= all[index].line.end).then_some((index, word))
        };
        let above = |at: usize| {
            let behind = named.others.partition_point(|(index, _)| all[*index].span.start <= at);
            let last = named.others[..behind].last();
            last.copied().filter(|(index, _)| all[*index].reach == Reach::Disable)
        };
        match &finding.location {
            IssueLocation::Span(span) => on_line(span.start).or_else(|| above(span.start)),
            IssueLocation::Whole(span) => on_line(span.start).or(named.last),
            IssueLocation::File => on_line(0).or(named.last),
        }
    }
}

impl OfRule {
    fn new(all: &[Directive], rule: &Rule) -> Self {
        let mut named = Self::default();
        for (index, directive) in all.iter().enumerate() {
            let Some(word) = directive.names(rule) else { continue };
            match directive.reach {
                Reach::Line => named.lines.push((index, word)),
                Reach::Enable => named.others.push((index, word)),
                Reach::Disable => {
                    named.others.push((index, word));
                    named.last = Some((index, word));
                }
            }
        }
        named.lines.dedup_by_key(|(index, _)| all[*index].line.start);
        named
    }
}

/// The words of a directive that silenced nothing although their rule was checked, and those that name no rule.
fn idle(
    directive: &Directive,
    used: &[bool],
    settings: &LintSettings,
    is_known: &impl Fn(&Rule) -> bool,
) -> Vec<String> {
    let is_idle = |(word, used): &(&String, &bool)| match find(word) {
        None => true,
        Some(rule) => !**used && rule.severity_in(settings) != Severity::Off && is_known(rule),
    };
    if directive.rules.is_empty() {
        return if used[0] { Vec::new() } else { vec!["every rule".to_owned()] };
    }
    directive.rules.iter().zip(used).filter(is_idle).map(|(word, _)| word.clone()).collect()
}

fn message(directive: &Directive, idle: &[String]) -> Option<String> {
    let unknown: Vec<&str> =
        idle.iter().map(String::as_str).filter(|w| find(w).is_none() && *w != "every rule").collect();
    if !unknown.is_empty() && !directive.rules.is_empty() {
        return Some(format!("directive names no rule: '{}'", unknown.join("', '")));
    }
    (!idle.is_empty()).then(|| format!("directive silences nothing: {}", idle.join(", ")))
}

/// Removes the comment if none of its words has an effect.
fn fix(file: &LintFile, directive: &Directive, idle: &[String]) -> Option<Fix> {
    if idle.len() < directive.rules.len().max(1) || file.markup.is_none() {
        return None;
    }
    let (span, line) = (&directive.span, &directive.line);
    let text = file.text.as_deref()?;
    let is_blank = |text: &str| text.chars().all(char::is_whitespace);
    let is_alone = is_blank(text.get(line.start..span.start)?) && is_blank(text.get(span.end..line.end)?);
    let whole_line = line.start..line.end + lines::first_break_len(&text.as_bytes()[line.end..]);
    let gone = if is_alone && span.end <= line.end { whole_line } else { span.clone() };
    Some(Fix::safe("remove the directive", gone, ""))
}

/// Whether a rule is checked when a single skill is linted.
pub fn is_known_for_one_skill(rule: &Rule) -> bool {
    !matches!(rule.check, Check::Store(_))
}

/// The ids of all rules, for messages.
pub fn ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}
