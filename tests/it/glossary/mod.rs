//! The glossary against the code: crates link it, a type name means one thing, and identifiers use the field's words.
//!
//! The two lists in `glossary/` contain the names that remain to be changed. They only get shorter: a new name fails,
//! and so does a line that is no longer needed, which `SKC_BLESS=1` removes.

use crate::architecture::{rust_files, tokens::tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Words of the old house dialect, with what to write instead.
const DIALECT: &[(&str, &str)] = &[
    ("anew", "again"),
    ("besides", "also"),
    ("gate", "what it opens or checks"),
    ("kept", "cached, stored, retained"),
    ("memo", "cache"),
    ("moment", "snapshot"),
    ("nobody", "none"),
    ("shelf", "served_skills"),
    ("somebody", "the one who acts"),
    ("standing", "status, compatibility"),
    ("stands", "is, lies"),
    ("tell", "report, notify, emit"),
    ("tells", "reports, says"),
    ("told", "reported, notified"),
    ("trouble", "error, issue"),
    ("wanted", "requested, selector"),
    ("whoever", "the one who acts"),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Each product file, relative to the repository, with its tokens, without test-only code.
fn product_files() -> Vec<(String, Vec<String>)> {
    let folders = ["domain", "ports", "adapters", "apps"];
    let files = folders.iter().flat_map(|folder| rust_files(&repository().join(folder)));
    files
        .map(|file| {
            let name = file.strip_prefix(repository()).unwrap().to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&file).unwrap();
            (name, tokens(&text))
        })
        .filter(|(name, _)| {
            name.contains("/src/") && !name.ends_with("tests.rs") && !name.contains("/tests/")
        })
        .collect()
}

/// Compares names found in the code with a list of those that remain to be changed.
#[track_caller]
fn only_shrinks(list: &str, found: &BTreeMap<String, String>, advice: &str) {
    let file = repository().join("tests/it/glossary").join(list);
    let text = fs::read_to_string(&file).unwrap_or_default();
    let listed: BTreeSet<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let fresh: Vec<String> = found
        .iter()
        .filter(|(name, _)| !listed.contains(name.as_str()))
        .map(|(name, places)| format!("{name}: {places}"))
        .collect();
    assert!(fresh.is_empty(), "{advice}\n{}", fresh.join("\n"));
    let (used, unused): (Vec<&str>, Vec<&str>) =
        listed.into_iter().partition(|name| found.contains_key(*name));
    if std::env::var_os("SKC_BLESS").is_some() {
        fs::write(&file, used.iter().map(|name| format!("{name}\n")).collect::<String>()).unwrap();
        return;
    }
    assert!(unused.is_empty(), "no longer needed in {list}; SKC_BLESS=1 removes them: {unused:?}");
}

/// Names of types declared with any `pub`. Associated types, such as an operation's `Request`, have no `pub`.
fn public_types(tokens: &[String]) -> Vec<&str> {
    let starts = tokens.iter().enumerate().filter(|(_, token)| *token == "pub").map(|(at, _)| at + 1);
    starts
        .filter_map(|at| {
            let is_restricted = tokens.get(at).is_some_and(|token| token == "(");
            let behind = tokens[at..].iter().position(|token| token == ")").map_or(at, |end| at + end + 1);
            let keyword = if is_restricted { behind } else { at };
            let is_type =
                ["struct", "enum", "trait", "type", "union"].contains(&tokens.get(keyword)?.as_str());
            is_type.then(|| tokens.get(keyword + 1).map(String::as_str)).flatten()
        })
        .collect()
}

#[test]
fn a_public_type_name_means_one_thing() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, tokens) in product_files() {
        for name in public_types(&tokens) {
            places.entry(name.to_owned()).or_default().insert(file.clone());
        }
    }
    let several = places.into_iter().filter(|(_, files)| files.len() > 1);
    let found =
        several.map(|(name, files)| (name, files.into_iter().collect::<Vec<_>>().join(", "))).collect();
    only_shrinks(
        "homonyms.txt",
        &found,
        "a type of this name exists already; name the new one by what it is",
    );
}

/// The words of an identifier in snake, camel or upper case.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        if c != '_' {
            words.last_mut().unwrap().extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words
}

#[test]
fn identifiers_use_the_words_of_the_field() {
    let mut found = BTreeMap::new();
    for (file, tokens) in product_files() {
        for token in tokens {
            let is_dialect = |word: &String| DIALECT.iter().any(|(banned, _)| banned == word);
            if words(&token).iter().any(is_dialect) {
                found.entry(token).or_insert_with(|| file.clone());
            }
        }
    }
    let instead: Vec<String> = DIALECT.iter().map(|(word, better)| format!("{word}: {better}")).collect();
    only_shrinks("dialect.txt", &found, &format!("write instead\n{}\n", instead.join("\n")));
}

#[test]
fn an_identifier_is_cut_into_its_words() {
    assert_eq!(words("KeptFile"), ["kept", "file"]);
    assert_eq!(words("is_told"), ["is", "told"]);
    assert_eq!(words("MEMO_BYTES_MAX"), ["memo", "bytes", "max"]);
    assert_eq!(words("aggregate"), ["aggregate"]);
}

#[test]
fn every_crate_links_the_glossary() {
    for folder in ["domain", "ports", "adapters", "apps"] {
        for file in rust_files(&repository().join(folder)).iter().filter(|file| file.ends_with("src/lib.rs"))
        {
            let text = fs::read_to_string(file).unwrap();
            let docs: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
            // skillc-fs depends on no crate whose page it could link.
            let is_independent = file.ends_with("adapters/fs/src/lib.rs");
            assert!(docs.contains("glossary") || is_independent, "{} links no glossary", file.display());
        }
    }
}

#[test]
fn the_glossary_defines_each_word_once() {
    let text = fs::read_to_string(repository().join("docs/glossary.md")).unwrap();
    let entries: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- **")).collect();
    let defined: Vec<&str> = entries
        .iter()
        .flat_map(|entry| entry.split(": ").next().unwrap().split("**").filter(|word| !word.contains(',')))
        .filter(|word| !word.is_empty())
        .collect();
    let unique: BTreeSet<&str> = defined.iter().copied().collect();
    assert_eq!(unique.len(), defined.len(), "defined twice: {defined:?}");
    assert!(unique.len() >= 40, "{} words", unique.len());
}
