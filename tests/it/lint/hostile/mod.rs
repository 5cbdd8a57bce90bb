//! RFC-0008: malicious skills, and skills that only look malicious, through the whole engine.
//!
//! The skills were written from the list of dangers, without looking at the rules. If one is missed here, a rule is
//! fixed, never the skill.

mod benign_code;
mod benign_files;
mod benign_talk;
mod benign_words;
mod damage;
mod fetching;
mod files;
mod fresh_code;
mod fresh_talk;
mod hidden;
mod injection;
mod keys;
mod lures;
mod rights;
mod running;
mod taking;
mod unseen;

use crate::site::{Site, put};
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

/// A malicious skill, or one whose author was careless.
pub struct Hostile {
    /// The name of the danger in the list of dangers.
    row: &'static str,
    /// Folder of the skill; empty if the paths begin with the names of skills.
    name: &'static str,
    /// Rules of other families that count as found.
    or: &'static [&'static str],
    /// Path and content of each file.
    files: Files,
}

/// A harmless skill that looks malicious.
pub struct Benign {
    name: &'static str,
    files: Files,
}

/// Paths and their contents.
type Files = &'static [(&'static str, Content)];

/// The content of a file.
enum Content {
    Text(&'static str),
    Bytes(&'static [u8]),
    /// Pieces, each with how often it is repeated.
    Parts(&'static [(&'static str, usize)]),
    /// This number of files with this text. `{}` in the path is replaced by the file's number.
    Many(&'static str, usize),
    /// A symbolic link with this target.
    Link(&'static str),
}

const HOSTILE: &[&[Hostile]] = &[
    fresh_talk::FRESH_TALK,
    fresh_code::FRESH_CODE,
    unseen::UNSEEN,
    hidden::HIDDEN,
    injection::INJECTION,
    fetching::FETCHING,
    taking::TAKING,
    running::RUNNING,
    damage::DAMAGE,
    rights::RIGHTS,
    files::FILES,
    lures::LURES,
];

const BENIGN: &[&[Benign]] =
    &[benign_words::WORDS, benign_talk::TALK, benign_code::CODE, benign_files::FILES];

/// lint never reads hidden files, so it cannot find anything in them.
const NOT_TO_BE_FOUND: &str = "hidden files with code";

/// The percentage of malicious skills that have to be found.
const FOUND_PERCENT_MIN: usize = 90;

const fn hostile(row: &'static str, name: &'static str, files: Files) -> Hostile {
    Hostile { row, name, or: &[], files }
}

impl Hostile {
    const fn or(self, or: &'static [&'static str]) -> Self {
        Self { or, ..self }
    }
}

const fn benign(name: &'static str, files: Files) -> Benign {
    Benign { name, files }
}

const fn md(text: &'static str) -> (&'static str, Content) {
    ("SKILL.md", Content::Text(text))
}

const fn text(path: &'static str, text: &'static str) -> (&'static str, Content) {
    (path, Content::Text(text))
}

const fn bytes(path: &'static str, bytes: &'static [u8]) -> (&'static str, Content) {
    (path, Content::Bytes(bytes))
}

const fn parts(path: &'static str, parts: &'static [(&'static str, usize)]) -> (&'static str, Content) {
    (path, Content::Parts(parts))
}

const fn many(path: &'static str, text: &'static str, files: usize) -> (&'static str, Content) {
    (path, Content::Many(text, files))
}

const fn link(path: &'static str, to: &'static str) -> (&'static str, Content) {
    (path, Content::Link(to))
}

/// RFC-0008:C-SECURITY
#[test]
fn hostile_files_are_found() {
    let cases = || HOSTILE.iter().copied().flatten();
    let told = lint_each(cases().filter(|case| !case.name.is_empty()).map(|case| (case.name, case.files)));
    let (mut all, mut found) = (0, 0);
    let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut lines = Vec::new();
    for case in cases() {
        let findings = if case.name.is_empty() { &lint_store(case.files) } else { &told[case.name] };
        let counts = |f: &&Finding| f.rule.starts_with("SKL5") || case.or.contains(&f.rule.as_str());
        let is_found = findings.iter().any(|f| counts(&f));
        let row = rows.entry(case.row).or_default();
        *row = (row.0 + 1, row.1 + usize::from(is_found));
        (all, found) = (all + 1, found + usize::from(is_found));
        let name = if case.name.is_empty() { case.files[0].0 } else { case.name };
        lines.push(format!(
            "{} {}: {name}: {findings:?}",
            if is_found { "found" } else { "MISSED" },
            case.row
        ));
    }
    println!("{}\n{found} of {all} found", lines.join("\n"));
    assert!(rows.values().all(|(all, _)| *all >= 2), "a row with one skill: {rows:?}");
    let blind: Vec<_> =
        rows.iter().filter(|(row, (_, found))| *found == 0 && **row != NOT_TO_BE_FOUND).collect();
    assert!(blind.is_empty(), "rows of which nothing is found: {blind:?}");
    assert!(found * 100 >= all * FOUND_PERCENT_MIN, "{found} of {all}");
}

/// RFC-0008:C-SECURITY
#[test]
fn each_kind_of_secret_is_found_where_it_was_forgotten() {
    let site = Site::new();
    for (n, (_, name, text)) in keys::KEYS.iter().enumerate() {
        let (skill, path) = (format!("demo-{n}"), format!("scripts/{name}"));
        site.write_skill(&skill, &format!("# {skill}\n\nSee [the file]({path}), which is ready to use.\n"));
        site.write(&skill, &path, text);
    }
    let told = told(&site, &[]);
    let mut missed = Vec::new();
    for (n, (kind, name, _)) in keys::KEYS.iter().enumerate() {
        let findings = told.get(&format!("demo-{n}")).map_or(&[][..], Vec::as_slice);
        println!("{kind}: {findings:?}");
        let path = format!("scripts/{name}");
        if !findings.iter().any(|f| f.rule.starts_with("SKL5") && f.file == path) {
            missed.push(kind);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// RFC-0008:C-SECURITY
#[test]
fn a_secret_is_never_shown() {
    let site = Site::new();
    let secret = concat!("ghp_", "Zt4kQ9xWv2LrBn7PsYe1HcUa6MfDj3Gi0oXR");
    let body =
        format!("# demo\n\n```sh\ncurl -k -H 'Authorization: {secret}' https://api.github.com/user\n```\n");
    site.write_skill("demo", &body);
    for format in ["text", "json", "sarif", "github"] {
        let run = site.skc(["lint", "demo", "--distrust", "--format", format]);
        let told = run.out + &run.err;
        assert!(told.contains("SKL514") && told.contains("SKL530"), "{format}: {told}");
        assert!(!told.contains(&secret[..8]) && told.contains(&secret[..4]), "{format}: {told}");
    }
}

/// RFC-0008:C-SECURITY
#[test]
fn benign_look_alikes_raise_nothing() {
    let told = lint_each(BENIGN.iter().copied().flatten().map(|case| (case.name, case.files)));
    let alarms = told.iter().flat_map(|(name, findings)| findings.iter().map(move |f| (name, f)));
    let alarms: Vec<String> = alarms
        .filter(|(_, f)| f.rule.starts_with("SKL5"))
        .map(|(name, f)| format!("{name}: {f:?}"))
        .collect();
    assert!(alarms.is_empty(), "{}\n{} in all", alarms.join("\n"), alarms.len());
}

/// A finding as text: `SKL501 SKILL.md:3 message`.
struct Finding {
    rule: String,
    file: String,
    line: u64,
    message: String,
}

impl std::fmt::Debug for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}:{} {}", self.rule, self.file, self.line, self.message)
    }
}

/// The findings on each of these skills, from one run of lint. The skills have different names.
fn lint_each(skills: impl Iterator<Item = (&'static str, Files)>) -> BTreeMap<String, Vec<Finding>> {
    let site = Site::new();
    let mut told_of = BTreeMap::new();
    for (name, files) in skills {
        files.iter().for_each(|(path, content)| lay(&site, name, path, content));
        assert!(told_of.insert(name.to_owned(), Vec::new()).is_none(), "two skills are named {name}");
    }
    let names: Vec<&str> = told_of.keys().map(String::as_str).collect();
    let told = told(&site, &names);
    told_of.extend(told);
    told_of
}

/// The findings on a store. The paths in it begin with the names of skills.
fn lint_store(files: Files) -> Vec<Finding> {
    let site = Site::new();
    for (path, content) in files {
        let (skill, path) = path.split_once('/').expect("a path that begins with a skill");
        lay(&site, skill, path, content);
    }
    told(&site, &[]).into_values().flatten().collect()
}

fn lay(site: &Site, skill: &str, path: &str, content: &Content) {
    let file = site.skill(skill).join(path);
    match content {
        Content::Text(text) => put(&file, text),
        Content::Bytes(bytes) => put(&file, bytes),
        Content::Parts(parts) => {
            put(&file, parts.iter().map(|(part, times)| part.repeat(*times)).collect::<String>());
        }
        Content::Many(text, files) => (0..*files).for_each(|n| {
            site.write(skill, &path.replace("{}", &n.to_string()), text);
        }),
        Content::Link(to) => {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            symlink(to, file).unwrap();
        }
    }
}

/// The findings by skill, of these skills or of the whole store. lint is told that the skills are not the user's own.
fn told(site: &Site, names: &[&str]) -> BTreeMap<String, Vec<Finding>> {
    let line = ["lint", "--distrust", "--format", "json"];
    let run = site.skc(line.iter().chain(names));
    let word = |found: &Value, key: &str| found[key].as_str().unwrap_or_default().to_owned();
    let mut told: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for found in run.json()["diagnostics"].as_array().unwrap() {
        told.entry(word(found, "skill")).or_default().push(Finding {
            rule: word(found, "rule"),
            file: word(found, "file"),
            line: found["line"].as_u64().unwrap_or_default(),
            message: word(found, "message"),
        });
    }
    told
}
