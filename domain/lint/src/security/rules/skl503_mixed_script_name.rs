//! SKL503: words that mix two alphabets to imitate another word.

use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::security::scan::non_ascii;
use crate::security::scripts::{Script, looks_like, script};
use crate::security::sentence::cut;
use crate::view::LintFile;
use crate::{FileView, Report};
use std::collections::BTreeSet;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL503",
    name: "mixed-script-name",
    severity: Severity::Error,
    tier: Tier::Harms,
    origin: Origin::Field(
        "Unicode Technical Standard 39; SkillSpector TP2, Cisco skill-scanner HOMOGLYPH_ATTACK",
    ),
    why: "A look-alike letter of another alphabet makes a different word: a name passes for a known one and evades \
          word filters.",
    fix: "Retype the word in one alphabet.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("Команда git-репозитория, TNFα, μm, Δt and ＡＰＩ are words of their own.\n"),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Log in at p\u{430}ypal first.\n"))]),
        Example::new(&[(
            "SKILL.md",
            "---\nname: demo\ndescription: Shows the offici\u{430}l rule. Use when a rule is shown.\n---\n\n# Demo\n",
        )]),
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    if let Some(word) = mixed(view.file.path.as_str(), 0) {
        report.file(message(&view.file.path.as_str()[word.clone()]).replace("word", "path"));
    }
    if view.file.is_skill_md() && mixed(&view.context.folder, 0).is_some() {
        report.file(message(&view.context.folder).replace("word", "folder"));
    }
    let Some(text) = view.file.text.as_deref() else { return };
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut at = 0;
    while let Some(word) = mixed(text, at) {
        at = word.end;
        // Text in another alphabet adds its endings to foreign words, so only a letter inside a word is suspicious
        // there.
        let is_suspicious = is_between(&text[word.clone()]) || !is_in_foreign_line(view.file, text, &word);
        if is_suspicious && seen.insert(&text[word.clone()]) {
            report.at(word.clone(), message(&text[word]));
        }
    }
    if let Some((span, value)) = styled_description(view) {
        report.at(span, format!("'{}' is written in mathematical letters", cut(&value)));
    }
}

/// The next word from `from` on that mixes Latin letters with look-alikes from another alphabet.
fn mixed(text: &str, from: usize) -> Option<Range<usize>> {
    let mut skip = 0;
    non_ascii(&text[from..]).map(|(at, c)| (from + at, c)).find_map(|(at, c)| {
        if at < skip || looks_like(c).is_none() {
            return None;
        }
        let word = word_at(text, at);
        skip = word.end;
        is_mixed(&text[word.clone()]).then_some(word)
    })
}

/// The letters and digits around an offset; a hyphen or dot ends a word.
fn word_at(text: &str, at: usize) -> Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = text[..at]
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_part(*c))
        .last()
        .map_or(at, |(start, _)| start);
    let end = text[at..].char_indices().find(|(_, c)| !is_part(*c)).map_or(text.len(), |(end, _)| at + end);
    start..end
}

/// Whether a word has at least two Latin letters and a look-alike next to one of them, but no letter that is
/// recognizably of the other alphabet.
fn is_mixed(word: &str) -> bool {
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
    let latin = letters.iter().filter(|c| script(**c) == Some(Script::Latin)).count();
    let foreign = letters.iter().filter(|c| script(**c) != Some(Script::Latin));
    latin >= 2
        && foreign.clone().all(|c| looks_like(*c).is_some())
        && (0..letters.len()).any(|at| imitates(&letters, at))
}

/// Whether a Greek letter imitates a Latin one. Formulas and names of genes contain Greek letters, so a lower-case
/// letter counts only between lower-case Latin letters.
fn imitates(letters: &[char], at: usize) -> bool {
    let c = letters[at];
    let Some(script) = script(c).filter(|_| looks_like(c).is_some()) else { return false };
    let is_small =
        |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_lowercase);
    let is_latin =
        |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_alphabetic);
    let (before, after) = (at.checked_sub(1), Some(at + 1));
    match script {
        Script::Greek if c.is_lowercase() && c != 'ο' => is_small(before) && is_small(after),
        _ => is_latin(before) || is_latin(after),
    }
}

/// Whether a look-alike is between Latin letters.
fn is_between(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    letters.windows(3).any(|three| {
        three[0].is_ascii_alphabetic() && looks_like(three[1]).is_some() && three[2].is_ascii_alphabetic()
    })
}

/// Whether the line around a word contains another word that is entirely in the alphabet of its look-alike.
fn is_in_foreign_line(file: &LintFile, text: &str, word: &Range<usize>) -> bool {
    let line = file.line_at(word.start);
    let of = |c: char| script(c).filter(|script| *script != Script::Latin);
    let alphabet = text[word.clone()].chars().find_map(of);
    let others = text[line.start..word.start]
        .split(|c: char| !c.is_alphanumeric())
        .chain(text[word.end..line.end].split(|c: char| !c.is_alphanumeric()));
    others
        .filter(|other| other.chars().count() > 1)
        .any(|other| other.chars().all(|c| of(c).is_some() && of(c) == alphabet))
}

fn message(word: &str) -> String {
    let Some(c) = word.chars().find(|c| looks_like(*c).is_some()) else { return String::new() };
    let name = script(c).map_or("foreign", Script::name);
    format!(
        "word '{}' has {name} '{c}' U+{:04X} for Latin '{}'",
        cut(word),
        u32::from(c),
        looks_like(c).unwrap_or(c)
    )
}

/// A description in mathematical letters, which no search finds.
fn styled_description(view: &FileView<'_>) -> Option<(Range<usize>, String)> {
    let fields = view.skill_fields()?;
    ["name", "description"].into_iter().filter_map(|key| fields.get(key)).find_map(|node| {
        let styled: String =
            node.text()?.chars().filter(|c| script(*c) == Some(Script::Mathematical)).collect();
        (styled.chars().count() > 2).then(|| (node.span.clone(), styled))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_tell_and_honest_neighbours_do_not() {
        for word in [
            "p\u{430}ypal",
            "\u{441}url",
            "colle\u{441}t",
            "g\u{3bf}ogle",
            "\u{391}PI",
            "ad\u{578}in",
            "ｇoogle",
            "goog\u{4cf}e",
            "micrоsоft",
        ] {
            assert!(mixed(word, 0).is_some(), "{word}");
        }
        for word in [
            "TNFα",
            "IFNγ",
            "NFκB",
            "μm",
            "Δt",
            "λx",
            "Aβ42",
            "git-репозиторий",
            "привет",
            "ＡＰＩ",
            "日本語API",
            "naïve",
            "URLы",
            "αSyn",
        ] {
            assert!(mixed(word, 0).is_none(), "{word}");
        }
    }
}
