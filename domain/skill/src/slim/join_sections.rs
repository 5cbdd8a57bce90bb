//! Moves sections next to each other that are read together but are far apart.

use super::linked::{has_anchor, is_plain, split_heading};
use super::reads::{FileReads, are_unique};
use super::sessions::{SectionSessions, Sessions};
use super::tokens::READ_TOKENS;
use crate::places::SKILL_FILE;
use crate::section::{Heading, Section, sections};
use std::collections::BTreeMap;

/// Minimum number of sessions that have read the sections.
const SESSIONS_MIN: usize = 5;

/// A Markdown file of a skill.
#[derive(Clone, Debug)]
pub struct ReadMarkdown {
    /// Path relative to the skill.
    pub file: String,
    /// The file's whole text.
    pub text: String,
    /// All headings, in document order.
    pub headings: Vec<Heading>,
    /// The recorded reads of the file.
    pub reads: FileReads,
}

/// A group of sections that was joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedSections {
    /// The file that now contains them, relative to the skill.
    pub file: String,
    /// Their headings, in order.
    pub headings: Vec<String>,
    /// Each changed file, with its new text.
    pub texts: Vec<(String, String)>,
    /// Sessions that read them.
    pub sessions: u64,
    /// Estimated tokens of the reads that these sessions would have saved.
    pub tokens: u64,
}

/// A section in one of the files.
#[derive(Clone, Copy)]
struct Located<'a> {
    text: &'a ReadMarkdown,
    section: &'a Section,
    /// Start of the parent section.
    parent: Option<usize>,
}

/// Groups of sections that the same sessions read by their lines, each read as a whole by at least five. Sections of
/// one file are moved behind the first of them, if they have the same level and parent. So are sections of another
/// file in the same folder; a link replaces them.
pub fn join_sections(texts: &[ReadMarkdown], sessions: &SectionSessions) -> Vec<JoinedSections> {
    let known: Vec<(&ReadMarkdown, Vec<Section>)> = texts.iter().filter_map(with_sections).collect();
    let mut groups: BTreeMap<(bool, &Sessions), Vec<Located<'_>>> = BTreeMap::new();
    for (text, all) in &known {
        for section in all {
            let readers = sessions.of(&text.file, &section.text);
            let Some(readers) = readers.filter(|readers| readers.len() >= SESSIONS_MIN) else { continue };
            let parent = parent_of(section, all);
            let is_of_parent =
                parent.is_some_and(|parent| sessions.of(&text.file, &parent.text) == Some(readers));
            if section.level > 1 && !is_of_parent {
                let parent = parent.map(|parent| parent.bytes.start);
                let key = (text.file == SKILL_FILE, readers);
                groups.entry(key).or_default().push(Located { text, section, parent });
            }
        }
    }
    let joined = |((_, readers), group): ((bool, &Sessions), Vec<Located<'_>>)| {
        join(&group, readers, &known, sessions)
    };
    groups.into_iter().filter_map(joined).collect()
}

/// A text with its sections; `None` if headings do not distinguish reads.
fn with_sections(text: &ReadMarkdown) -> Option<(&ReadMarkdown, Vec<Section>)> {
    let lines = u32::try_from(text.text.lines().count()).ok()?;
    let is_clear = !text.reads.are_vague() && are_unique(&text.headings);
    is_clear.then(|| (text, sections(&text.headings, text.text.len(), lines)))
}

/// The parent section of a section.
fn parent_of<'a>(section: &Section, all: &'a [Section]) -> Option<&'a Section> {
    all.iter().rfind(|other| {
        other.level < section.level
            && other.bytes.start < section.bytes.start
            && section.bytes.end <= other.bytes.end
    })
}

fn join(
    group: &[Located<'_>],
    readers: &Sessions,
    known: &[(&ReadMarkdown, Vec<Section>)],
    sessions: &SectionSessions,
) -> Option<JoinedSections> {
    let (first, others) = group.split_first()?;
    let mut end = first.section.bytes.end;
    let mut headings = vec![first.section.text.clone()];
    let mut moved: Vec<Located<'_>> = Vec::new();
    let mut last = first;
    let mut saved = 0;
    for other in others.iter().filter(|other| may_follow(first, other)) {
        if moved.is_empty() && other.text.file == first.text.file && other.section.bytes.start == end {
            end = other.section.bytes.end;
        } else {
            saved += reads_saved(last, other, readers, known, sessions) * READ_TOKENS;
            moved.push(*other);
        }
        headings.push(other.section.text.clone());
        last = other;
    }
    if moved.is_empty() || saved == 0 {
        return None;
    }
    Some(JoinedSections {
        file: first.text.file.clone(),
        headings,
        texts: new_texts(first.text, end, &moved),
        sessions: readers.len() as u64,
        tokens: saved,
    })
}

/// Whether a section can be moved behind another.
fn may_follow(first: &Located<'_>, other: &Located<'_>) -> bool {
    let folder = |file: &str| file.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let bytes = &other.text.text[other.section.bytes.clone()];
    let is_foreign = || {
        folder(&first.text.file) == folder(&other.text.file)
            && is_plain(&other.section.text)
            && !has_anchor(bytes)
            && first.text.headings.iter().all(|heading| heading.text != other.section.text)
    };
    let is_here = first.text.file == other.text.file;
    other.section.level == first.section.level
        && if is_here { other.parent == first.parent } else { is_foreign() }
}

/// The sessions that needed a further read for a section, since they had not read everything before it.
fn reads_saved(
    last: &Located<'_>,
    other: &Located<'_>,
    readers: &Sessions,
    known: &[(&ReadMarkdown, Vec<Section>)],
    sessions: &SectionSessions,
) -> u64 {
    let file = &other.text.file;
    if last.text.file != *file {
        return readers.len() as u64;
    }
    let all = known.iter().filter(|(text, _)| text.file == *file).flat_map(|(_, all)| all);
    let (from, to) = (last.section.bytes.end, other.section.bytes.start);
    let between: Vec<&str> = all
        .filter(|section| from <= section.bytes.start && section.bytes.end <= to)
        .map(|section| section.text.as_str())
        .collect();
    let has_read = |session: &u32, heading: &&str| {
        sessions.of(file, heading).is_some_and(|readers| readers.contains(session))
    };
    let read_all = |session: &&u32| between.iter().all(|heading| has_read(session, heading));
    (readers.len() - readers.iter().filter(read_all).count()) as u64
}

/// The changed texts: the sections are inserted at `end` of the first one's text and removed from where they were.
fn new_texts(target: &ReadMarkdown, end: usize, moved: &[Located<'_>]) -> Vec<(String, String)> {
    let mut cuts: BTreeMap<&str, Vec<(&Section, String)>> = BTreeMap::new();
    let mut inserted = String::new();
    for one in moved {
        let bytes = &one.text.text[one.section.bytes.clone()];
        inserted.push_str(&format!("{}\n\n", bytes.trim_end()));
        let rest = if one.text.file == target.file { String::new() } else { link(one, target) };
        cuts.entry(&one.text.file).or_default().push((one.section, rest));
    }
    let mut texts = vec![(target.file.clone(), String::new())];
    let head = format!("{}\n\n", target.text[..end].trim_end());
    texts[0].1 = head + &inserted + &without(&target.text, end, cuts.remove(target.file.as_str()));
    for (file, cut) in cuts {
        if let Some(one) = moved.iter().find(|one| one.text.file == file) {
            texts.push((file.to_owned(), without(&one.text.text, 0, Some(cut))));
        }
    }
    // A file ends with one line break.
    texts.iter_mut().for_each(|(_, text)| text.truncate(text.trim_end().len()));
    texts.iter_mut().for_each(|(_, text)| text.push('\n'));
    texts
}

/// The heading of a moved section, with a link to its new location.
fn link(moved: &Located<'_>, target: &ReadMarkdown) -> String {
    let (heading, _) = split_heading(&moved.text.text[moved.section.bytes.clone()]);
    let name = target.file.rsplit('/').next().unwrap_or(&target.file);
    format!("{heading}\nSee [{}]({name}).\n\n", moved.section.text)
}

/// A text from `start` on, with some sections replaced.
fn without(text: &str, start: usize, cuts: Option<Vec<(&Section, String)>>) -> String {
    let mut out = String::new();
    let mut from = start;
    for (section, rest) in cuts.unwrap_or_default() {
        out.push_str(&text[from..section.bytes.start]);
        out.push_str(&rest);
        from = section.bytes.end;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::super::reads::headings_of;
    use super::*;

    fn text(file: &str, text: &str) -> ReadMarkdown {
        let reads = FileReads { of_lines: 9, ..FileReads::default() };
        ReadMarkdown { file: file.to_owned(), text: text.to_owned(), headings: headings_of(text), reads }
    }

    /// Five sessions that read these sections.
    fn sessions(of: &[(&str, &str)]) -> SectionSessions {
        let mut sessions = SectionSessions::default();
        for session in 0..5 {
            of.iter().for_each(|(file, heading)| sessions.add(&session.to_string(), file, heading));
        }
        sessions
    }

    const TEXT: &str = "# F\n\n## One\n\n1\n\n## Two\n\n2\n\n## Three\n\n3\n\n## Four\n\n4\n";

    /// RFC-0014:C-SLIM
    #[test]
    fn sections_that_are_always_read_together_are_put_together() {
        let read = sessions(&[("f.md", "One"), ("f.md", "Three")]);
        let [found] = &join_sections(&[text("f.md", TEXT)], &read)[..] else { panic!() };
        assert_eq!(found.headings, ["One", "Three"]);
        assert_eq!(
            found.texts,
            [(
                "f.md".to_owned(),
                "# F\n\n## One\n\n1\n\n## Three\n\n3\n\n## Two\n\n2\n\n## Four\n\n4\n".to_owned()
            )]
        );
        assert_eq!((found.sessions, found.tokens), (5, 5 * READ_TOKENS));
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn a_section_of_another_file_leaves_a_link() {
        let read = sessions(&[("r/a.md", "One"), ("r/b.md", "Check")]);
        let texts = [text("r/a.md", TEXT), text("r/b.md", "# B\n\n## Check\n\nit\n\n## Rest\n\nx\n")];
        let [found] = &join_sections(&texts, &read)[..] else { panic!() };
        let [a, b] = &found.texts[..] else { panic!("{found:?}") };
        assert!(a.1.starts_with("# F\n\n## One\n\n1\n\n## Check\n\nit\n\n## Two\n"), "{}", a.1);
        assert_eq!(b.1, "# B\n\n## Check\n\nSee [Check](a.md).\n\n## Rest\n\nx\n");
        let elsewhere = [text("a.md", TEXT), texts[1].clone()];
        let read = sessions(&[("a.md", "One"), ("r/b.md", "Check")]);
        assert!(
            join_sections(&elsewhere, &read).is_empty(),
            "another folder: its links would lead elsewhere"
        );
    }

    /// RFC-0014:C-SLIM
    #[test]
    fn sections_stay_where_they_are_next_to_each_other_or_not_always_read_together() {
        let joined = |of: &[(&str, &str)]| join_sections(&[text("f.md", TEXT)], &sessions(of)).len();
        assert_eq!(joined(&[("f.md", "One"), ("f.md", "Two")]), 0, "next to each other");
        assert_eq!(joined(&[("f.md", "One"), ("f.md", "Two"), ("f.md", "Three")]), 0, "one read of all");
        let mut read = sessions(&[("f.md", "One"), ("f.md", "Three")]);
        read.add("9", "f.md", "Three");
        assert!(join_sections(&[text("f.md", TEXT)], &read).is_empty(), "not always");
        let nested = "# F\n\n## One\n\n### Deep\n\n1\n\n## Two\n\n2\n\n## Three\n\n### Low\n\n3\n";
        let read = sessions(&[("f.md", "Deep"), ("f.md", "Low")]);
        assert!(
            join_sections(&[text("f.md", nested)], &read).is_empty(),
            "they belong to different sections"
        );
        let vague = ReadMarkdown {
            reads: FileReads { of_unknown_lines: 1, ..FileReads::default() },
            ..text("f.md", TEXT)
        };
        let read = sessions(&[("f.md", "One"), ("f.md", "Three")]);
        assert!(join_sections(&[vague], &read).is_empty());
    }
}
