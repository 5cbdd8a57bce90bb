//! Comments in a skill that silence rules (RFC-0008:C-DIRECTIVES).

use super::finding::{Finding, Place};
use super::fix::Fix;
use super::rule::{Check, Rule, Severity};
use super::rules::{RULES, find};
use super::settings::LintSettings;
use super::view::LintFile;
use crate::frontmatter::FrontMatterSpan;
use crate::lines;
use std::ops::Range;

/// What a directive begins with.
const WORD: &str = "skilllint-";

/// How far a directive reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// From here on.
    Disable,
    /// Ends what `Disable` began.
    Enable,
    /// The line that it stands on.
    Line,
}

/// A directive as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    reach: Reach,
    /// Ids or names as written; empty for every rule.
    rules: Vec<String>,
    /// The whole comment, or from the word to the end of the line where it is in none.
    span: Range<usize>,
    /// The line that it stands on.
    line: Range<usize>,
}

/// Whether a text may hold directives: most hold none, and are not looked through again for them.
pub fn may_direct(text: &str) -> bool {
    text.contains(WORD)
}

/// The directives of a file: in Markdown those in HTML comments and in YAML comments of the front matter, in other texts
/// those on any line.
pub fn directives(file: &LintFile) -> Vec<Directive> {
    let text = file.text.as_deref().filter(|_| file.has_directives).unwrap_or_default();
    text.match_indices(WORD).filter_map(|(at, _)| directive(file, text, at)).collect()
}

fn directive(file: &LintFile, text: &str, at: usize) -> Option<Directive> {
    let (span, end) = comment_around(file, text, at)?;
    let mut words = text[at + WORD.len()..end].split([' ', '\t', ',', '\r', '\n']).filter(|w| !w.is_empty());
    let reach = match words.next()? {
        "disable" => Reach::Disable,
        "enable" => Reach::Enable,
        "disable-line" => Reach::Line,
        _ => return None,
    };
    // What follows `--` is the author's reason.
    let rules = words.take_while(|word| *word != "--").map(str::to_owned).collect();
    Some(Directive { reach, rules, span, line: file.line_at(at) })
}

/// The comment that a directive stands in, and where its words end; `None` where it is no comment.
fn comment_around(file: &LintFile, text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let line = file.line_at(at);
    let Some(markup) = &file.markup else { return Some((at..line.end, line.end)) };
    if let FrontMatterSpan::Block { yaml: (start, end), .. } = markup.front_matter
        && (start..end).contains(&at)
    {
        let hash = text[line.start..at].rfind('#').map(|hash| line.start + hash)?;
        return text[hash + 1..at].trim().is_empty().then_some((hash..line.end, line.end));
    }
    let comment = markup.comments().find(|comment| comment.contains(&at))?;
    let is_first = text[comment.start..at].trim_start_matches("<!--").trim().is_empty();
    let end = comment.start + text[comment.clone()].rfind("-->").unwrap_or(comment.len());
    is_first.then_some((comment.clone(), end.max(at + WORD.len())))
}

impl Directive {
    fn names(&self, rule: &Rule) -> Option<usize> {
        if self.rules.is_empty() {
            return Some(0);
        }
        self.rules.iter().position(|w| w.eq_ignore_ascii_case(rule.id) || w.eq_ignore_ascii_case(rule.name))
    }
}

/// Takes away what directives silence, and reports those that silence nothing by `rule` (SKL002).
///
/// `is_known` tells whether a rule was looked at in this run: a directive for another one cannot be judged.
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
    findings.retain(|finding| match silencer(&all, finding) {
        Some((directive, name)) => {
            used[directive][name] = true;
            false
        }
        None => true,
    });
    let severity = settings.severity(rule);
    if severity == Severity::Off {
        return findings;
    }
    let mut reports: Vec<Finding> = Vec::new();
    for (directive, used) in all.iter().zip(&used).filter(|(d, _)| d.reach != Reach::Enable) {
        let idle: Vec<String> = idle(directive, used, settings, &is_known);
        if let Some(message) = message(directive, &idle) {
            reports.push(Finding {
                rule,
                severity,
                skill: 0,
                path: file.path.clone(),
                place: Place::Span(directive.span.clone()),
                message,
                hint: None,
                fix: fix(file, directive, &idle),
                is_secret: false,
            });
        }
    }
    reports.retain(|report| silencer(&all, report).is_none());
    findings.extend(reports);
    findings
}

/// Which directive silences a finding, and by which of its words.
fn silencer(all: &[Directive], finding: &Finding) -> Option<(usize, usize)> {
    let (at, is_whole) = match &finding.place {
        Place::Span(span) => (span.start, false),
        Place::Whole(span) => (span.start, true),
        Place::File => (0, true),
    };
    let named = || all.iter().enumerate().filter_map(|(i, d)| Some((i, d, d.names(finding.rule)?)));
    let on_line = |d: &Directive| d.reach == Reach::Line && (d.line.start..=d.line.end).contains(&at);
    let found = named().find(|(_, directive, _)| on_line(directive)).or_else(|| {
        let reaches = |d: &Directive| d.reach != Reach::Line && (is_whole || d.span.start <= at);
        let ends = |d: &Directive| d.reach == Reach::Disable || !is_whole;
        let last = named().rev().find(|(_, directive, _)| reaches(directive) && ends(directive));
        last.filter(|(_, directive, _)| directive.reach == Reach::Disable)
    });
    found.map(|(index, _, word)| (index, word))
}

/// The words of a directive that silenced nothing, although their rule was looked at, and those that name no rule.
fn idle(
    directive: &Directive,
    used: &[bool],
    settings: &LintSettings,
    is_known: &impl Fn(&Rule) -> bool,
) -> Vec<String> {
    let is_idle = |(word, used): &(&String, &bool)| match find(word) {
        None => true,
        Some(rule) => !**used && settings.severity(rule) != Severity::Off && is_known(rule),
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

/// Takes the comment away where none of its words is of use.
fn fix(file: &LintFile, directive: &Directive, idle: &[String]) -> Option<Fix> {
    if idle.len() < directive.rules.len().max(1) || file.markup.is_none() {
        return None;
    }
    let (span, line) = (&directive.span, &directive.line);
    let text = file.text.as_deref()?;
    let is_alone = text.get(line.start..span.start)?.trim().is_empty()
        && text.get(span.end..line.end)?.trim().is_empty();
    let whole_line = line.start..line.end + lines::first_break_len(&text.as_bytes()[line.end..]);
    let gone = if is_alone && span.end <= line.end { whole_line } else { span.clone() };
    Some(Fix::safe("remove the directive", gone, ""))
}

/// Whether a rule is looked at when one skill is linted by itself.
pub fn is_known_for_one_skill(rule: &Rule) -> bool {
    !matches!(rule.check, Check::Store(_))
}

/// The ids of all rules, for messages.
pub fn ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}
