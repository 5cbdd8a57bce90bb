//! Random sequences of changes: SQLite must return the same as the model, and both the same as a scan of the
//! documents.

use super::index_scene::{Content, IndexScene, memory, record, sqlite};
use proptest::prelude::*;
use skillc_domain::config::Tokenizer;
use skillc_domain::frontmatter::Opening;
use skillc_domain::section::IndexableText;
use skillc_markdown::MarkdownReader;
use skillc_ports::{DocumentReader, IndexChange, IndexedFile};
use std::collections::BTreeMap;

const PATHS: &[&str] = &["a.md", "alpha.md", "b/beta.md", "b/c.md", "b-c.md"];
const WORDS: &[&str] =
    &["alpha", "beta", "Gamma", "delta-x", "don't", "設定", "設定檔", "定", "API設定", "привет", "v2"];
const QUERIES: &[&str] = &[
    "alpha",
    "beta",
    "gamma",
    "delta",
    "x",
    "delta-x",
    "don't",
    "t",
    "設定",
    "設",
    "定檔",
    "檔",
    "api設定",
    "ПРИВЕТ",
    "v2",
    "md",
    "b",
    "missing",
    "alpha beta",
    "beta ALPHA gamma",
    "設定 alpha",
    "\"alpha\" OR",
    "alpha !!!",
    "定 設",
];

/// One edit of a source.
#[derive(Clone, Debug)]
enum Edit {
    Put(&'static str, String),
    Remove(&'static str),
    Rename(&'static str, &'static str),
}

/// Some edits, and whether a build creates a new index of them or edits the old one.
#[derive(Clone, Debug)]
struct Build {
    edits: Vec<Edit>,
    is_new: bool,
}

fn any_path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PATHS)
}

fn any_line() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..4);
    (0usize..8, words).prop_map(|(level, words)| match level {
        1..=3 => format!("{} {}\n", "#".repeat(level), words.join(" ")),
        _ => format!("{}\n", words.join(" ")),
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(any_line(), 0..8).prop_map(|lines| lines.concat())
}

fn any_build() -> impl Strategy<Value = Build> {
    let edit = prop_oneof![
        4 => (any_path(), any_text()).prop_map(|(path, text)| Edit::Put(path, text)),
        1 => any_path().prop_map(Edit::Remove),
        1 => (any_path(), any_path()).prop_map(|(from, to)| Edit::Rename(from, to)),
    ];
    (prop::collection::vec(edit, 0..5), prop::bool::weighted(0.2))
        .prop_map(|(edits, is_new)| Build { edits, is_new })
}

type Source = BTreeMap<&'static str, String>;

fn edited(source: &Source, edits: &[Edit]) -> Source {
    let mut source = source.clone();
    for edit in edits {
        match edit {
            Edit::Put(path, text) => drop(source.insert(path, text.clone())),
            Edit::Remove(path) => drop(source.remove(path)),
            Edit::Rename(from, to) => {
                if let Some(text) = source.remove(from) {
                    source.insert(to, text);
                }
            }
        }
    }
    source
}

/// Updates an index from one state of a source to the next, as a build does.
fn build(at: &IndexScene, old: &Source, new: &Source, is_new: bool) {
    let is_changed = |(path, text): &(&&str, &String)| is_new || old.get(**path) != Some(*text);
    let changed: Vec<_> = new.iter().filter(is_changed).map(|(path, text)| (*path, text.as_str())).collect();
    if is_new {
        return at.replace(&changed);
    }
    let removed: Vec<_> = old.keys().filter(|path| !new.contains_key(*path)).copied().collect();
    at.edit(&changed, &removed);
}

/// File and section of each result of each query, sorted.
fn all_hits(at: &IndexScene, queries: &[&str]) -> Vec<Vec<(String, String)>> {
    let sorted = |query: &&str| {
        let mut hits = at.hits(query);
        hits.sort();
        hits
    };
    queries.iter().map(sorted).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sqlite_answers_what_the_model_answers(builds in prop::collection::vec(any_build(), 1..5)) {
        let (model, sqlite) = (memory(), sqlite());
        let mut source = Source::new();
        for (at, Build { edits, is_new }) in builds.iter().enumerate() {
            let next = edited(&source, edits);
            for scene in [&model, &sqlite] {
                build(scene, &source, &next, *is_new || at == 0);
            }
            source = next;
            prop_assert_eq!(model.files(), sqlite.files());
            prop_assert_eq!(model.all_headings(), sqlite.all_headings());
            for folded in ["", "alpha", "設定", "привет", "don't gamma"] {
                prop_assert_eq!(model.headings(folded), sqlite.headings(folded));
            }
            for (query, (a, b)) in QUERIES.iter().zip(all_hits(&model, QUERIES).iter().zip(all_hits(&sqlite, QUERIES))) {
                prop_assert_eq!(a, &b, "'{}' in {:#?}", query, source);
            }
        }
    }
}

/// Words of random Markdown; none is part of another.
const TERMS: &[&str] = &["oak", "elm", "fir", "yew", "ash"];

fn any_block() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(TERMS), 1..4).prop_map(|words| words.join(" "));
    (0u8..9, 1usize..4, words).prop_map(|(form, level, words)| match form {
        0 | 1 => format!("{} {words}\n", "#".repeat(level)),
        2 => format!("{words}\n{}\n", if level == 1 { "===" } else { "---" }),
        3 => format!("## **{words}** `code` [link](x.md)\n"),
        4 => format!("```\n# {words}\n```\n"),
        5 => format!("- {words}\n- # {words}\n"),
        6 => format!("<div>\n# {words}\n</div>\n\n"),
        7 => format!("> {words}\n\n"),
        _ => format!("{words}\n\n"),
    })
}

fn any_markdown() -> impl Strategy<Value = String> {
    let front_matter = prop::option::of(Just("---\nname: oak\n---\n"));
    (front_matter, prop::collection::vec(any_block(), 0..8))
        .prop_map(|(front_matter, blocks)| format!("{}{}", front_matter.unwrap_or_default(), blocks.concat()))
}

fn parsed(path: &str, text: &str) -> IndexedFile {
    let sections = MarkdownReader.document(text, Opening::Either).sections();
    IndexedFile { record: record(path, text), text: Some(IndexableText::new(text.to_owned(), sections)) }
}

/// File and section of each row that contains all words, found by reading every row.
fn scan(files: &[IndexedFile], words: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for IndexedFile { record, text } in files {
        for (section, content) in text.as_ref().unwrap().rows() {
            let row = format!("{}\n{section}\n{content}", record.path);
            let held: Vec<_> = row.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            if words.iter().all(|word| held.contains(word)) {
                found.push((record.path.to_string(), section.to_owned()));
            }
        }
    }
    found.sort();
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// RFC-0004:C-FORMATS
    #[test]
    fn an_index_answers_what_a_scan_of_the_documents_answers(
        texts in prop::collection::vec(any_markdown(), 1..4),
        words in prop::collection::vec(prop::sample::select(TERMS), 1..3),
    ) {
        let files: Vec<_> = texts.iter().zip(["a.md", "elm.md", "z/fir.md"]).map(|(text, path)| parsed(path, text)).collect();
        let query = words.join(" ");
        for scene in [memory(), sqlite()] {
            scene.write(IndexChange::Replace(Tokenizer::Cjk), Content::of_files(files.clone())).unwrap();
            prop_assert_eq!(&all_hits(&scene, &[query.as_str()])[0], &scan(&files, &words), "'{}' in {:#?}", query, texts);
        }
    }
}
