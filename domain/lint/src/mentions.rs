//! Files that texts mention without a link: by path, name, stem, folder or pattern (RFC-0008:C-REGISTRY, SKL401).

use crate::folded_names::{FoldedNames, SAME_NAME_MAX};
use crate::word_shapes::WordShapes;
use skillc_domain::format::is_markdown;
use skillc_domain::path::RelPath;
use skillc_domain::text::case_fold::fold;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// Maximum size in bytes of a text that is searched for names; larger ones are data.
pub const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// Maximum number of patterns such as `rules/*.md` that are matched against the files of a skill, since each is
/// compared with all of them.
const PATTERNS_MAX: usize = 64;
/// Maximum length in bytes of a word that is looked up; longer ones are data.
const WORD_BYTES_MAX: usize = 512;

/// An index for finding the files of a skill that texts mention.
pub struct MentionIndex<'a> {
    files: Vec<&'a RelPath>,
    /// The name of the skill's folder, with which texts may begin a path.
    folder: &'a str,
    /// Files by name, and by stem unless it is an everyday word.
    by_word: HashMap<&'a str, Vec<&'a RelPath>>,
    /// Files by stem if it is an everyday word, which refers to the file only when quoted.
    by_plain_stem: HashMap<&'a str, Vec<&'a RelPath>>,
    /// Files by the path of each parent folder, and by the endings of that path.
    by_folder: HashMap<&'a str, Vec<&'a RelPath>>,
    /// The shapes of all keys of these maps.
    shapes: WordShapes,
    by_folded: FoldedNames<'a>,
    /// Patterns that were already matched; they would yield the same files again.
    patterns: BTreeSet<String>,
    /// Number of patterns that were matched against all files.
    passes: usize,
    /// Words that were looked up successfully; they would yield the same files again.
    known: HashSet<(String, bool, bool, Option<RelPath>)>,
}

impl<'a> MentionIndex<'a> {
    /// Builds the index of files of the skill in `folder`, in time linear in their number and the depth of their folders.
    pub fn of(folder: &'a str, files: impl Iterator<Item = &'a RelPath>) -> Self {
        let files: Vec<&RelPath> = files.collect();
        let mut mentions = Self {
            folder,
            by_word: HashMap::new(),
            by_plain_stem: HashMap::new(),
            by_folder: HashMap::new(),
            shapes: WordShapes::default(),
            by_folded: FoldedNames::of(files.iter().copied()),
            patterns: BTreeSet::new(),
            passes: 0,
            known: HashSet::new(),
            files: Vec::new(),
        };
        for path in &files {
            mentions.add_name(path);
            mentions.add_folders(path);
        }
        Self { files, ..mentions }
    }

    fn add_name(&mut self, path: &'a RelPath) {
        let name = path.name();
        if !is_common(name) {
            self.shapes.add(name);
            self.by_word.entry(name).or_default().push(path);
            let stem = stem(name);
            self.shapes.add(stem);
            let by_stem = if is_plain(stem) { &mut self.by_plain_stem } else { &mut self.by_word };
            by_stem.entry(stem).or_default().push(path);
        }
    }

    fn add_folders(&mut self, path: &'a RelPath) {
        for (end, _) in path.as_str().match_indices('/') {
            let folder = &path.as_str()[..end];
            let endings = folder.match_indices('/').map(|(cut, _)| &folder[cut + 1..]);
            for ending in endings.chain([folder]) {
                self.shapes.add(ending);
                let files = self.by_folder.entry(ending).or_default();
                if files.last() != Some(&path) {
                    files.push(path);
                }
            }
        }
    }

    /// The other files that a file's text mentions, except those that an earlier text mentioned in the same words.
    /// Linear in the text.
    pub fn in_text(&mut self, own: &RelPath, text: &str) -> BTreeSet<&'a RelPath> {
        let mut found = BTreeSet::new();
        for span in words(text) {
            match is_pattern(&text[span.clone()]) {
                true => self.take_pattern(own, &text[span], &mut found),
                false => self.take_word(own, text, span, &mut found),
            }
        }
        found
    }

    fn take_word(
        &mut self,
        own: &RelPath,
        text: &str,
        span: Range<usize>,
        found: &mut BTreeSet<&'a RelPath>,
    ) {
        let word = &text[path_in(text, &span)];
        // Most words refer to no file, whatever surrounds them.
        if !self.shapes.may_have(word) && !word.bytes().any(|byte| matches!(byte, b'.' | b'/')) {
            return;
        }
        let by_word = self.by_word.get(word);
        let by_stem = self.by_plain_stem.get(word);
        let by_folder = self.by_folder.get(self.below_skill(word.trim_end_matches('/')));
        let by_path = self.by_path(word);
        if by_word.is_none() && by_stem.is_none() && by_folder.is_none() && by_path.is_empty() {
            return;
        }
        let is_quoted = is_quoted(text, &span);
        let is_folder = is_quoted || word.ends_with('/') || says_folder(text, span.end);
        let by_stem = by_stem.filter(|_| is_quoted);
        let by_folder = by_folder.filter(|_| is_folder);
        let named = [by_word, by_stem, by_folder].into_iter().flatten().flatten().copied();
        let all: Vec<&RelPath> = named.chain(by_path).collect();
        if all.is_empty() {
            return;
        }
        // A word that refers to the file itself may still mention it in another file's text.
        let itself = all.contains(&own).then(|| own.clone());
        if self.known.insert((word.to_owned(), is_quoted, is_folder, itself)) {
            found.extend(all.into_iter().filter(|path| *path != own));
        }
    }

    /// A path without the skill's folder and what is above it: `part` for `acme/demo/part` in the skill `demo`.
    fn below_skill<'w>(&self, path: &'w str) -> &'w str {
        let own = path.match_indices(self.folder).find(|(at, _)| {
            path[at + self.folder.len()..].starts_with('/') && (*at == 0 || path[..*at].ends_with('/'))
        });
        own.filter(|_| !self.folder.is_empty()).map_or(path, |(at, _)| &path[at + self.folder.len() + 1..])
    }

    /// The files whose path ends with a path, with or without its extension; if there are none, those with its name, in
    /// any case.
    fn by_path(&self, word: &str) -> Vec<&'a RelPath> {
        let name = word.rsplit_once('/').map_or(word, |(_, name)| name);
        if name.len() < word.len() && !name.contains('.') {
            return self.by_path_of_stem(word, name);
        }
        if (!name.contains('.') || is_common(name)) && !word.contains('/') {
            return Vec::new();
        }
        let own = word.strip_prefix(self.folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(word);
        let candidates = || self.by_folded.get(name).iter().copied().take(SAME_NAME_MAX);
        let exact: Vec<&RelPath> =
            candidates().filter(|path| ends_with(path, word) || path.as_str() == own).collect();
        if exact.is_empty() && !is_common(name) { candidates().collect() } else { exact }
    }

    /// The files that a path without an extension mentions: `guides/forms` for `guides/forms.md`. A stem that is no
    /// everyday word identifies its file below any folder, since a program may keep the skill's files elsewhere.
    fn by_path_of_stem(&self, word: &str, stem: &str) -> Vec<&'a RelPath> {
        let telling = self.by_word.get(stem).into_iter().flatten();
        let is_at = |path: &&&RelPath| {
            path.as_str()
                .strip_suffix(path.name())
                .is_some_and(|folder| ends_with_text(&format!("{folder}{stem}"), word))
        };
        let plain = self.by_plain_stem.get(stem).into_iter().flatten().filter(is_at);
        telling.chain(plain).copied().take(SAME_NAME_MAX).collect()
    }

    fn take_pattern(&mut self, own: &RelPath, word: &str, found: &mut BTreeSet<&'a RelPath>) {
        let pattern = as_glob(word.trim_end_matches(['.', ':', ',']));
        let is_telling = |pattern: &str| pattern.chars().filter(|c| c.is_alphanumeric()).count() > 2;
        if !is_telling(&pattern) || self.passes >= PATTERNS_MAX || self.patterns.contains(&pattern) {
            return;
        }
        self.passes += 1;
        // `*/skills/demo/part.md` in the skill `demo`.
        let below_skill =
            Some(self.below_skill(&pattern)).filter(|below| below.len() < pattern.len() && is_telling(below));
        let is_held = |path: &&&RelPath| {
            let path = path.as_str();
            let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
            // A placeholder for the first folder may stand for the skill's own.
            let below = pattern.strip_prefix("*/");
            std::iter::once(path)
                .chain(ends)
                .any(|end| matches(&pattern, end) || below.is_some_and(|below| matches(below, end)))
                || below_skill.is_some_and(|below| matches(below, path))
        };
        let (itself, others): (Vec<&RelPath>, Vec<&RelPath>) =
            self.files.iter().filter(is_held).partition(|path| **path == own);
        if itself.is_empty() {
            self.patterns.insert(pattern);
        }
        found.extend(others);
    }
}

/// Where a text names a file in another case while no file has the name as written; each word once.
pub fn in_other_case<'a>(names: &FoldedNames<'a>, text: &str) -> Vec<(Range<usize>, &'a RelPath)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let has_dot = |span: &Range<usize>| text.as_bytes()[span.clone()].contains(&b'.');
    for span in words(text).filter(has_dot).filter(|span| !is_pattern(&text[span.clone()])) {
        let span = path_in(text, &span);
        let word = &text[span.clone()];
        if !word.contains('.') || !seen.insert(word) {
            continue;
        }
        if let Some(path) = other_case(names, word) {
            found.push((span, path));
        }
    }
    found
}

/// Finds a file by a word in another case. A path is compared as a whole. A name without a folder counts only for
/// Markdown files, since others are often the names of a user's own files.
fn other_case<'a>(names: &FoldedNames<'a>, word: &str) -> Option<&'a RelPath> {
    let name = word.rsplit_once('/').map_or(word, |(_, name)| name);
    if is_common(name) {
        return None;
    }
    let files = names.get(name);
    let files = &files[..files.len().min(SAME_NAME_MAX)];
    if files.iter().any(|path| ends_with(path, word) || path.name() == word) {
        return None;
    }
    let folded = fold(word);
    let is_meant = |path: &&&RelPath| {
        (word.contains('/') || is_markdown(path)) && ends_with_text(&fold(path.as_str()), &folded)
    };
    files.iter().find(is_meant).copied()
}

/// The path in a word: without punctuation after it, and without `./` or an `@` before it.
fn path_in(text: &str, span: &Range<usize>) -> Range<usize> {
    let word = &text[span.clone()];
    let is_edge = |byte: Option<&u8>| byte.is_some_and(|byte| b".:,*/@".contains(byte));
    if !is_edge(word.as_bytes().first()) && !is_edge(word.as_bytes().last()) {
        return span.clone();
    }
    let word = word.trim_end_matches(['.', ':', ',', '*']);
    let path = word
        .trim_start_matches(['*', '@'])
        .trim_start_matches("./")
        .trim_start_matches("../")
        .trim_start_matches('/');
    let start = span.start + (word.len() - path.len());
    start..start + path.len()
}

/// Whether a path ends with these complete segments.
fn ends_with(path: &RelPath, end: &str) -> bool {
    ends_with_text(path.as_str(), end)
}

fn ends_with_text(path: &str, end: &str) -> bool {
    path == end || path.strip_suffix(end).is_some_and(|rest| rest.ends_with('/'))
}

/// Whether a name is so common that it identifies no file without a folder.
fn is_common(name: &str) -> bool {
    ["skill.md", "readme.md", "index.md", "_index.md"].iter().any(|common| common.eq_ignore_ascii_case(name))
}

/// A name without its last extension.
pub fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a stem is an everyday word: lower-case letters only, such as `testing`.
fn is_plain(stem: &str) -> bool {
    stem.chars().all(|c| c.is_ascii_lowercase()) || stem.chars().count() < 3
}

/// Runs of characters that can occur in paths and patterns.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = seek(text, at, true);
        at = seek(text, start, false);
        (start < at).then_some(start..at)
    })
    .filter(|span| span.len() <= WORD_BYTES_MAX)
    .flat_map(move |span| {
        // Tags are cut off: `<b>a.md</b>` contains a.md, while `<name>.md` is a pattern.
        let has_bracket = text.as_bytes()[span.clone()].contains(&b'<');
        let is_markup =
            has_bracket && (text[span.clone()].contains("</") || text[span.clone()].starts_with("<http"));
        let whole = (!is_markup).then(|| span.clone());
        let parts = if is_markup { split(text, span) } else { Vec::new() };
        whole.into_iter().chain(parts)
    })
}

/// The position of the next character, from `at` on, that can occur in paths and patterns, or of the next that cannot;
/// the end of the text if there is none.
fn seek(text: &str, mut at: usize, is_part: bool) -> usize {
    while let Some(&byte) = text.as_bytes().get(at) {
        let (is_found, len) = match PARTS.get(usize::from(byte)) {
            Some(found) => (*found == is_part, 1),
            None => text[at..]
                .chars()
                .next()
                .map_or((true, 1), |c| (c.is_alphanumeric() == is_part, c.len_utf8())),
        };
        if is_found {
            return at;
        }
        at += len;
    }
    at
}

/// The ASCII characters that can occur in paths and patterns.
static PARTS: [bool; 128] = {
    let (mut table, mut byte) = ([false; 128], 0);
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric()
            || matches!(
                byte as u8,
                b'_' | b'-'
                    | b'.'
                    | b'/'
                    | b'*'
                    | b'{'
                    | b'}'
                    | b'<'
                    | b'>'
                    | b'$'
                    | b'@'
                    | b'+'
                    | b'~'
                    | b'%'
            );
        byte += 1;
    }
    table
};

/// Splits a word at its angle brackets.
fn split(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let (mut start, mut parts) = (span.start, Vec::new());
    for (at, _) in text[span.clone()].match_indices(['<', '>']) {
        parts.push(start..span.start + at);
        start = span.start + at + 1;
    }
    parts.push(start..span.end);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether a word contains placeholders: `*`, `{lang}`, `<name>`, `$NAME`.
fn is_pattern(word: &str) -> bool {
    if !word.bytes().any(|byte| b"*{<$".contains(&byte)) {
        return false;
    }
    let within = word.trim_matches('*');
    within.contains(['*', '{', '<', '$']) && within.contains(['.', '/'])
        || word.ends_with("/*")
        || word.starts_with("*.")
}

/// A pattern with `*` for each placeholder. A client's name for the skill's folder becomes the root.
fn as_glob(word: &str) -> String {
    let mut word = word;
    for own in crate::link::OWN_FOLDER {
        word = word.strip_prefix(own).unwrap_or(word);
    }
    let (mut out, mut closing) = (String::new(), None);
    let mut chars = word.trim_start_matches(['/', '.']).chars().peekable();
    while let Some(c) = chars.next() {
        match (closing, c) {
            (Some(end), c) if c == end => closing = None,
            (Some(_), _) => {}
            (None, '{') => (closing, _) = (Some('}'), out.push('*')),
            (None, '<') => (closing, _) = (Some('>'), out.push('*')),
            (None, '$') => {
                out.push('*');
                while chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
            }
            (None, c) => out.push(c),
        }
    }
    let out = out.trim_start_matches(['/', '.']).to_owned();
    if out.ends_with('/') { out + "*" } else { out }
}

/// Whether a path matches a pattern, in which `*` matches any characters and `**/` also nothing.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.replace("**/", "*");
    let mut parts = pattern.split('*').filter(|part| !part.is_empty()).peekable();
    let Some(first) = parts.peek().copied() else { return true };
    let mut rest = path;
    if !pattern.starts_with('*') {
        let Some(after) = rest.strip_prefix(first) else { return false };
        rest = after;
        parts.next();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() && !pattern.ends_with('*') {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    pattern.ends_with('*') || rest.is_empty()
}

/// Whether a part of a text is enclosed in backticks, quotes or asterisks.
fn is_quoted(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    matches!(before, Some('`' | '"' | '\'' | '*')) && before == after
}

/// Whether the word after a name says that it is a folder.
fn says_folder(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(['`', '"', '\'', '*']).trim_start();
    ["folder", "director", "dir ", "subfolder", "目录", "文件夹", "フォルダ", "ディレクトリ"]
        .iter()
        .any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[&str], text: &str) -> Vec<String> {
        let files: Vec<RelPath> = files.iter().map(|path| RelPath::parse(path).unwrap()).collect();
        let own = RelPath::parse("SKILL.md").unwrap();
        MentionIndex::of("demo", files.iter())
            .in_text(&own, text)
            .into_iter()
            .map(RelPath::to_string)
            .collect()
    }

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_file_is_mentioned_by_path_name_stem_folder_or_pattern() {
        let files = ["forms.md", "go/api/files.md", "rules/async-parallel.md", "rules/cost.md", "x/SKILL.md"];
        for (text, expected) in [
            ("Read forms.md.", &["forms.md"][..]),
            ("Read ./forms.md, then", &["forms.md"]),
            ("`{lang}/api/files.md`", &["go/api/files.md"]),
            ("`${CLAUDE_SKILL_DIR}/rules/cost.md`", &["rules/cost.md"]),
            ("see <topic>/api/files.md", &["go/api/files.md"]),
            ("all of rules/*.md", &["rules/async-parallel.md", "rules/cost.md"]),
            ("`rules/` holds", &["rules/async-parallel.md", "rules/cost.md"]),
            ("the rules folder", &["rules/async-parallel.md", "rules/cost.md"]),
            ("the rules are", &[]),
            ("- async-parallel: use it", &["rules/async-parallel.md"]),
            ("the cost of it", &[]),
            ("- `cost`", &["rules/cost.md"]),
            ("a SKILL.md has", &[]),
            ("see x/SKILL.md", &["x/SKILL.md"]),
            ("docs/forms.md", &["forms.md"]),
            ("See FORMS.md.", &["forms.md"]),
            ("run `tool doc demo/async-parallel`", &["rules/async-parallel.md"]),
            ("read rules/cost first", &["rules/cost.md"]),
            ("time/cost is", &[]),
            ("**forms.md**", &["forms.md"]),
            ("<b>forms.md</b>", &["forms.md"]),
            ("*.json, **/*", &[]),
        ] {
            assert_eq!(found(&files, text), expected, "{text}");
        }
    }

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_file_that_mentions_itself_is_mentioned_by_a_later_text_too() {
        let file = RelPath::parse("data/table.csv").unwrap();
        let own = RelPath::parse("SKILL.md").unwrap();
        for text in ["table.csv", "data/*.csv", "`data/`"] {
            let mut mentions = MentionIndex::of("demo", std::iter::once(&file));
            assert!(mentions.in_text(&file, text).is_empty(), "{text}");
            assert_eq!(mentions.in_text(&own, text), BTreeSet::from([&file]), "{text}");
        }
    }

    #[test]
    fn a_name_in_another_case_is_found_where_none_is_written_so() {
        let files = ["forms.md", "scripts/run.py", "README.md", "a/x.md", "b/X.md"];
        let files: Vec<RelPath> = files.iter().map(|path| RelPath::parse(path).unwrap()).collect();
        let names = FoldedNames::of(files.iter());
        for (text, expected) in [
            ("See FORMS.md, FORMS.md.", Some((4..12, "forms.md"))),
            ("`./Scripts/Run.py`", Some((3..17, "scripts/run.py"))),
            ("Run.py", None),
            ("Readme.md", None),
            ("X.md", None),
            ("forms.md", None),
        ] {
            let found = in_other_case(&names, text);
            assert_eq!(found.first().map(|(span, path)| (span.clone(), path.as_str())), expected, "{text}");
            assert!(found.len() < 2, "{text}");
        }
    }

    #[test]
    fn a_pattern_holds_paths() {
        for (pattern, path, expected) in [
            ("shared/managed-*.md", "shared/managed-a.md", true),
            ("shared/managed-*.md", "shared/other.md", false),
            ("*/api/*.md", "go/api/x.md", true),
            ("**/x.md", "x.md", true),
            ("rules/*", "rules/a/b.md", true),
            ("a*b", "ab", true),
            ("a*b*c", "aXbXc", true),
            ("a*b*c", "aXcXb", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
