//! Words in texts that could refer to files of a skill.

use crate::word_shapes::WordShapes;
use skillc_domain::path::RelPath;
use std::collections::{BTreeSet, HashMap};

/// How many segments of a path are compared, counted from its end.
const SEGMENTS_MAX: usize = 8;
/// Words that say that the word before them is a folder.
const FOLDER_WORDS: [&str; 5] = ["folder", "directory", "directories", "dir", "subfolder"];

/// File names to search texts for, each with a number.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    names: NameIndex,
    folders: NameIndex,
    endings: NameIndex,
    modules: NameIndex,
    count: u32,
}

/// An index of names of one kind.
#[derive(Clone, Debug, Default)]
struct NameIndex {
    numbers: HashMap<String, u32>,
    shapes: WordShapes,
}

impl FileNames {
    /// Indexes files by their names, by patterns that match them, by their parent folders, and as modules of code.
    pub fn of<'a>(paths: impl Iterator<Item = &'a RelPath>) -> Self {
        let mut file_names = Self::default();
        let count = &mut file_names.count;
        for path in paths {
            let name = path.name();
            file_names.names.want(last_word(name), count);
            name.match_indices(['.', '_', '-'])
                .for_each(|(at, _)| file_names.endings.want(&name[at..], count));
            let folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..at]);
            folders.for_each(|folder| file_names.folders.want(folder, count));
            file_names.modules.want(stem(name), count);
        }
        file_names
    }

    /// The numbers of the names in a text, without duplicates, in order. Words with dots name modules; in code every
    /// word may. Linear in the text.
    pub fn named_in(&self, text: &str, is_code: bool) -> Vec<u32> {
        let mut found = BTreeSet::new();
        if self.count == 0 {
            return Vec::new();
        }
        let mut before = "";
        for (word, has_mark) in words(text) {
            // A full stop at the end of a sentence does not make a word a path.
            let word = if has_mark { word.trim_end_matches('.') } else { word };
            let is_path = has_mark && word.contains(['.', '/', '\\', '*']);
            match is_path {
                true => self.take_path(word, &mut found),
                false => self.take_word(text, word, before, is_code, &mut found),
            }
            if is_code || is_path {
                found.extend(word.split(['.', '/', '\\']).filter_map(|part| self.modules.number(part)));
            }
            before = word;
        }
        found.into_iter().collect()
    }

    /// Looks up a word. One without path characters refers to a folder only if it is alone in backticks, or in quotes
    /// in code, or if the next word says so.
    fn take_word(&self, text: &str, word: &str, before: &str, is_code: bool, found: &mut BTreeSet<u32>) {
        found.extend(self.names.number(word));
        if matches!(word.as_bytes().first(), Some(b'd' | b'f' | b's')) && FOLDER_WORDS.contains(&word) {
            found.extend(self.folders.number(before));
        }
        if self.folders.may_have(word) && is_quoted(text, word, is_code) {
            found.extend(self.folders.number(word));
        }
    }

    fn take_path(&self, word: &str, found: &mut BTreeSet<u32>) {
        for part in word.split(['/', '\\']) {
            found.extend(self.names.number(part));
            if let Some((_, ending)) = part.rsplit_once('*').filter(|(_, ending)| ending.len() > 1) {
                found.extend(self.endings.number(ending));
            }
        }
        let folder = word.split('*').next().unwrap_or_default();
        if folder.contains(['/', '\\']) {
            let whole = folder.trim_matches(['/', '\\', '.']);
            found.extend(self.folders.number(whole));
            let cuts = whole.rmatch_indices(['/', '\\']).take(SEGMENTS_MAX);
            found.extend(cuts.filter_map(|(at, _)| self.folders.number(&whole[at + 1..])));
        }
    }
}

impl NameIndex {
    fn want(&mut self, name: &str, count: &mut u32) {
        if name.is_empty() {
            return;
        }
        self.shapes.add(name);
        self.numbers.entry(name.to_owned()).or_insert_with(|| {
            *count += 1;
            *count - 1
        });
    }

    fn may_have(&self, name: &str) -> bool {
        self.shapes.may_have(name)
    }

    fn number(&self, name: &str) -> Option<u32> {
        if self.may_have(name) { self.numbers.get(name).copied() } else { None }
    }
}

/// The texts that mention a name: none, one, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    None,
    One(usize),
    Many,
}

/// All names that texts mention, each with the text's position.
#[derive(Debug)]
pub struct Named<'a> {
    file_names: &'a FileNames,
    by: Vec<By>,
}

impl<'a> Named<'a> {
    /// Combines the results of all texts.
    pub fn new<'b>(file_names: &'a FileNames, texts: impl Iterator<Item = &'b [u32]>) -> Self {
        let mut by = vec![By::None; file_names.count as usize];
        for (text, numbers) in texts.enumerate() {
            for &number in numbers {
                by[number as usize] = if by[number as usize] == By::None { By::One(text) } else { By::Many };
            }
        }
        Self { file_names, by }
    }

    /// Whether a text other than the one at `own` mentions a file by name.
    pub fn has_name(&self, name: &str, own: usize) -> bool {
        self.is_by_other(&self.file_names.names, last_word(name), own)
    }

    /// Whether a text other than the one at `own` mentions a folder by its path or the end of it.
    pub fn has_folder(&self, path: &str, own: usize) -> bool {
        self.is_by_other(&self.file_names.folders, path, own)
    }

    /// Whether a text other than the one at `own` contains a pattern such as `*.html` that matches a name.
    pub fn has_ending(&self, name: &str, own: usize) -> bool {
        let mut endings = name.match_indices(['.', '_', '-']).map(|(at, _)| &name[at..]);
        endings.any(|ending| self.is_by_other(&self.file_names.endings, ending, own))
    }

    /// Whether code other than that at `own` mentions a file's module.
    pub fn has_module(&self, name: &str, own: usize) -> bool {
        self.is_by_other(&self.file_names.modules, stem(name), own)
    }

    fn is_by_other(&self, index: &NameIndex, name: &str, own: usize) -> bool {
        let by = index.numbers.get(name).map_or(By::None, |number| self.by[*number as usize]);
        by != By::None && by != By::One(own)
    }
}

/// Whether a part of a text is between two equal quotes. Outside of code, only backticks count.
fn is_quoted(text: &str, part: &str, is_code: bool) -> bool {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    let quote = start.checked_sub(1).map(|before| text.as_bytes()[before]);
    let is_quote = match quote {
        Some(b'`') => true,
        Some(b'"' | b'\'') => is_code,
        _ => false,
    };
    is_quote && text.as_bytes().get(start + part.len()).copied() == quote
}

/// The last word of a name with spaces, which has the extension.
fn last_word(name: &str) -> &str {
    name.split(|c| !is_path_char(c)).next_back().unwrap_or_default()
}

/// A name up to its first dot.
fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// Runs of characters that can occur in paths. `{}`, `$` and quotes end a run, so that the text after a variable is a
/// separate word.
pub fn path_words(text: &str) -> impl Iterator<Item = &str> {
    words(text).map(|(word, _)| word)
}

/// Like `path_words`, with a flag that says whether the word contains a character that makes it a path, a pattern or
/// a name with an extension.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let kind = |at: usize| KINDS[usize::from(bytes[at])];
    std::iter::from_fn(move || {
        let (mut start, mut is_path) = (at, false);
        loop {
            while at < bytes.len() && kind(at) == PART {
                at += 1;
            }
            let found = if at < bytes.len() { kind(at) } else { GAP };
            let wide = text[at..].chars().next().filter(|_| found == WIDE);
            match (found, wide) {
                (MARK, _) => is_path = true,
                (_, Some(c)) if c.is_alphanumeric() => {}
                _ if at > start => return Some((&text[start..at], is_path)),
                _ if at == bytes.len() => return None,
                _ => start = at + wide.map_or(1, char::len_utf8),
            }
            at += wide.map_or(1, char::len_utf8);
        }
    })
}

fn is_path_char(c: char) -> bool {
    if c.is_ascii() { KINDS[c as usize] != GAP } else { c.is_alphanumeric() }
}

/// Not part of a path.
const GAP: u8 = 0;
/// Part of a word.
const PART: u8 = 1;
/// Makes a word a path, a pattern or a name with an extension.
const MARK: u8 = 2;
/// A byte of a multi-byte character.
const WIDE: u8 = 3;

static KINDS: [u8; 256] = {
    let (mut table, mut byte) = ([WIDE; 256], 0);
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'.' | b'/' | b'\\' | b'*' => MARK,
            b'_' | b'-' | b'+' | b'@' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => PART,
            _ => GAP,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_name_folder_pattern_or_module() {
        let paths = [
            "run.py",
            "File.csv",
            "My File.csv",
            "x.json",
            "y.json",
            "assets/icons/a",
            "icons/a",
            "fonts/a",
            "scripts/a",
            "assets/a",
            "page.html",
            "page.css",
            "helpers.py",
            "core.py",
            "see.py",
            "parts/a",
            "themes/a",
            "pages/a",
            "data/a",
        ];
        let paths = paths.map(|path| RelPath::parse(path).unwrap());
        let file_names = FileNames::of(paths.iter());
        let prose = file_names.named_in(
            "Run `${DIR}/scripts/run.py` on My File.csv; see assets/icons/, the `parts` and data\\raw\\x.json.",
            false,
        );
        let code = file_names.named_in("from lib.core import helpers\nglob('*.html') glob('fonts/*')\n# the themes folder.\nopen('pages')", true);
        let named = Named::new(&file_names, [prose.as_slice(), &code].into_iter());
        for (name, expected) in
            [("run.py", true), ("File.csv", true), ("My File.csv", true), ("x.json", true), ("y.json", false)]
        {
            assert_eq!(named.has_name(name, 9), expected, "{name}");
        }
        assert!(!named.has_name("run.py", 0), "a file does not name itself");
        for (folder, expected) in [
            ("assets/icons", true),
            ("icons", true),
            ("fonts", true),
            ("scripts", false),
            ("assets", false),
            ("parts", true),
            ("themes", true),
            ("pages", true),
            ("data", false),
        ] {
            assert_eq!(named.has_folder(folder, 9), expected, "{folder}");
        }
        assert!(named.has_ending("page.html", 9) && !named.has_ending("page.css", 9));
        assert!(named.has_module("helpers", 9) && named.has_module("core", 9) && !named.has_module("see", 9));
    }
}
