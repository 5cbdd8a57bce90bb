//! The ground truth: minimal skills on which a rule must report a finding, or must not.
//!
//! `truth/<RULE>.jsonl` has one case per line: `file` and `text`, what is expected of the rule (`finding` or `none`),
//! and why. Further keys: `files` (path to text), `folder` (of the skill, `demo` by default), `tier` of the finding,
//! `args` of the command line, and `known` for a known miss.

use crate::site::{Site, put, skill_md};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The keys of a case.
const KEYS: [&str; 8] = ["file", "text", "expect", "why", "files", "folder", "tier", "args"];

/// One line of a file.
struct Case(Value);

impl Case {
    fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let keys: Vec<&String> = value.as_object().ok_or("no object")?.keys().collect();
        match keys.iter().find(|key| !KEYS.contains(&key.as_str()) && key.as_str() != "known") {
            Some(key) => Err(format!("unknown key '{key}'")),
            None => Ok(Self(value)),
        }
    }

    fn word(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .map(|value| value.as_str().unwrap_or_else(|| panic!("'{key}' is no text: {}", self.0)))
    }

    fn text(&self, key: &str) -> &str {
        self.word(key).unwrap_or_else(|| panic!("'{key}' is missing: {}", self.0))
    }

    fn is_finding(&self) -> bool {
        match self.text("expect") {
            "finding" => true,
            "none" => false,
            other => panic!("'expect' is '{other}'"),
        }
    }

    fn folder(&self) -> &str {
        self.word("folder").unwrap_or("demo")
    }

    fn is_known(&self) -> bool {
        self.0["known"].as_bool().unwrap_or_default()
    }

    fn args(&self) -> Vec<String> {
        let args = self.0["args"].as_array().cloned().unwrap_or_default();
        args.iter().map(|arg| arg.as_str().unwrap().to_owned()).collect()
    }

    /// All files of the skill. If a case gives only another file, a `SKILL.md` that refers to it is added.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let (file, folder) = (self.text("file"), self.folder());
        files.insert("SKILL.md".to_owned(), skill_md(folder, &format!("\n# {folder}\n\nSee `{file}`.\n")));
        for (path, text) in self.0["files"].as_object().into_iter().flatten() {
            files.insert(path.clone(), text.as_str().unwrap().to_owned());
        }
        files.insert(file.to_owned(), self.text("text").to_owned());
        files
    }
}

/// How often a rule was right and wrong.
#[derive(Default)]
struct Score {
    found: usize,
    wrong: usize,
    missed: usize,
}

/// Every case with its rule, in the order of files and lines.
fn cases() -> Vec<(String, usize, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/lint/truth");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let rule = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(skillc_lint::rules::find(&rule).is_some(), "{rule} is no rule");
        let text = fs::read_to_string(&file).unwrap();
        let case = |(at, line): (usize, &str)| {
            let case = Case::parse(line).unwrap_or_else(|e| panic!("{rule} line {}: {e}", at + 1));
            (rule.clone(), at + 1, case)
        };
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(case).collect::<Vec<_>>()
    };
    files.into_iter().flat_map(read).collect()
}

fn write(site: &Site, at: usize, case: &Case) -> PathBuf {
    let folder = site.root().join(format!("truth/{at}/{}", case.folder()));
    case.files().iter().for_each(|(path, text)| put(&folder.join(path), text));
    folder
}

/// The findings of skills that are linted with the same arguments, by folder: rule and tier.
fn findings(site: &Site, folders: &[PathBuf], args: &[String]) -> HashMap<PathBuf, Vec<(String, String)>> {
    let mut line: Vec<String> = ["lint", "--format", "json"].map(str::to_owned).to_vec();
    line.extend(args.iter().cloned());
    line.extend(folders.iter().map(|folder| folder.to_string_lossy().into_owned()));
    let reply = site.skc(line).json();
    let mut diagnostics = reply["diagnostics"].as_array().unwrap().iter();
    let word = |found: &Value, key: &str| found[key].as_str().unwrap().to_owned();
    let of_skill = |skill: &Value| {
        let count = skill["errors"].as_u64().unwrap() + skill["warnings"].as_u64().unwrap();
        let found = diagnostics.by_ref().take(count as usize);
        let found = found.map(|found| (word(found, "rule"), word(found, "tier"))).collect();
        (PathBuf::from(word(skill, "path")), found)
    };
    reply["skills"].as_array().unwrap().iter().map(of_skill).collect()
}

/// RFC-0008:C-REGISTRY, RFC-0008:C-SECURITY
#[test]
fn rules_find_what_they_are_for_and_leave_the_rest() {
    let (site, cases) = (Site::new(), cases());
    let mut groups: BTreeMap<Vec<String>, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = Vec::new();
    for (at, (_, _, case)) in cases.iter().enumerate() {
        let folder = write(&site, at, case);
        groups.entry(case.args()).or_default().push(folder.clone());
        folders.push(folder.canonicalize().unwrap());
    }
    let mut found: HashMap<PathBuf, Vec<(String, String)>> = HashMap::new();
    for (args, group) in &groups {
        found.extend(findings(&site, group, args));
    }
    let (mut scores, mut failures) = (BTreeMap::<&str, Score>::new(), Vec::new());
    for ((rule, line, case), folder) in cases.iter().zip(&folders) {
        let hits: Vec<_> = found[folder].iter().filter(|(id, _)| id == rule).collect();
        let score = scores.entry(rule).or_default();
        let is_expected = case.is_finding();
        match (is_expected, hits.is_empty()) {
            (true, false) => score.found += 1,
            (true, true) => score.missed += 1,
            (false, false) => score.wrong += 1,
            (false, true) => {}
        }
        let is_tier = case.word("tier").is_none_or(|tier| hits.iter().all(|(_, found)| found == tier));
        if (is_expected == hits.is_empty() || !is_tier) && !case.is_known() {
            failures.push(format!(
                "{rule} line {line}: {}, not {hits:?}: {}",
                case.text("expect"),
                case.text("why")
            ));
        }
    }
    print(&scores, cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn print(scores: &BTreeMap<&str, Score>, count: usize) {
    println!("{count} cases\nRULE    FOUND  WRONG  MISSED  PRECISION  RECALL");
    let share = |part: usize, of: usize| if of == 0 { 100.0 } else { part as f64 * 100.0 / of as f64 };
    for (rule, Score { found, wrong, missed }) in scores {
        let (precision, recall) = (share(*found, found + wrong), share(*found, found + missed));
        println!("{rule}  {found:5}  {wrong:5}  {missed:6}  {precision:7.1} %  {recall:4.0} %");
    }
}
