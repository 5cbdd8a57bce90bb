//! Compares the RFCs with the code: each binding statement names existing tests, and the table of codes matches the
//! code.

use crate::architecture::rust_files;
use skillc_domain::fault::{FAULTS, Row, WARNINGS};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A clause: its id, its kind, and its list items with continuation lines joined.
struct Clause {
    id: String,
    kind: String,
    items: Vec<String>,
    prose: String,
}

fn clauses() -> Vec<Clause> {
    let mut files: Vec<_> =
        fs::read_dir(repository().join("rfc")).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.file_name().unwrap().to_string_lossy().starts_with("00"));
    files.sort();
    assert_eq!(files.len(), 17, "RFC-0000 to RFC-0016");
    files.iter().flat_map(|file| clauses_of(&fs::read_to_string(file).unwrap())).collect()
}

fn clauses_of(text: &str) -> Vec<Clause> {
    let parts = text.split("\n## RFC-").skip(1);
    parts
        .map(|part| {
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            let (id, rest) = head.split_once(" — ").unwrap_or_else(|| panic!("no title: {head}"));
            let kind =
                rest.rsplit_once('(').unwrap_or_else(|| panic!("no kind: {head}")).1.trim_end_matches(')');
            let (items, prose) = split_items(body);
            Clause { id: format!("RFC-{id}"), kind: kind.to_owned(), items, prose }
        })
        .collect()
}

fn split_items(body: &str) -> (Vec<String>, String) {
    let (mut items, mut prose) = (Vec::<String>::new(), String::new());
    let mut is_item = false;
    for line in body.lines() {
        if let Some(item) = line.strip_prefix("- ") {
            items.push(item.to_owned());
            is_item = true;
        } else if let (true, Some(more)) = (is_item, line.strip_prefix("  ")) {
            let last = items.last_mut().unwrap();
            *last = format!("{last} {}", more.trim());
        } else {
            is_item = false;
            prose += line;
            prose.push('\n');
        }
    }
    (items, prose)
}

/// Test names at the end of an item.
fn tests_of(item: &str) -> Vec<String> {
    let Some((_, names)) = item.rsplit_once("[test: ") else { return Vec::new() };
    names.trim_end_matches(']').split(',').map(|name| name.trim().to_owned()).collect()
}

fn binds(text: &str) -> bool {
    ["MUST", "SHOULD"].iter().any(|word| text.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word))
}

/// Names of all tests, with the clause ids in the doc lines above each.
fn written_tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in ["domain", "ports", "adapters", "apps", "tests"] {
        for file in rust_files(&repository().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(rest) = line.trim_start().strip_prefix("fn ") else { continue };
                let name = rest.split(['(', '<']).next().unwrap_or_default().to_owned();
                let above = lines[..at].iter().rev().take_while(|l| {
                    let l = l.trim_start();
                    l.starts_with("///") || l.starts_with("#[") || l.starts_with("//")
                });
                let above: Vec<_> = above.collect();
                let is_test = above.iter().any(|l| l.contains("#[test]")) || text.contains("contract");
                if is_test {
                    let ids = above
                        .iter()
                        .flat_map(|l| l.split(|c: char| c.is_whitespace() || ".,;()".contains(c)));
                    let ids = ids.filter(|w| w.starts_with("RFC-")).map(str::to_owned);
                    found.entry(name).or_default().extend(ids);
                }
            }
        }
    }
    found
}

#[test]
fn every_binding_statement_names_a_test_that_exists_and_cites_its_clause() {
    let written = written_tests();
    let mut wrong = Vec::new();
    for clause in clauses().iter().filter(|c| c.kind == "normative") {
        for item in clause.items.iter().filter(|item| binds(item)) {
            let names = tests_of(item);
            if names.is_empty() {
                wrong.push(format!("{}: no test: {item}", clause.id));
            }
            for name in names {
                match written.get(&name) {
                    None => wrong.push(format!("{}: no such test: {name}", clause.id)),
                    Some(ids) if !ids.contains(&clause.id) => {
                        wrong.push(format!("{}: {name} does not cite it", clause.id));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{} in all", wrong.join("\n"), wrong.len());
}

#[test]
fn nothing_binds_outside_the_list_items_of_normative_clauses() {
    for clause in clauses() {
        assert!(
            ["normative", "informative", "normative, not yet"].contains(&clause.kind.as_str()),
            "{}",
            clause.id
        );
        assert!(!binds(&clause.prose), "{} binds in its prose", clause.id);
        if clause.kind != "normative" {
            assert!(
                !clause.items.iter().any(|item| binds(item)),
                "{} binds although {}",
                clause.id,
                clause.kind
            );
        }
    }
}

#[test]
fn every_normative_clause_has_a_statement_and_an_id_of_its_own() {
    let all = clauses();
    let ids: BTreeSet<&str> = all.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids.len(), all.len(), "an id stands twice");
    for clause in all.iter().filter(|c| c.kind == "normative") {
        let has_statement = clause.items.iter().any(|item| binds(item));
        assert!(has_statement, "{} says nothing", clause.id);
    }
}

#[test]
fn a_clause_that_a_test_cites_exists() {
    let known: BTreeSet<String> = clauses().into_iter().map(|c| c.id).collect();
    for (test, ids) in written_tests() {
        for id in ids {
            assert!(known.contains(&id), "{test} cites {id}");
        }
    }
}

/// RFC-0005:C-CODES
#[test]
fn the_table_of_codes_is_the_one_in_the_rfc() {
    let text = fs::read_to_string(repository().join("rfc/0005-diagnostics.md")).unwrap();
    let rows: Vec<(String, String, String)> = text.lines().filter_map(code_row).collect();
    let message = |row: &Row| row.message.to_owned();
    let expected: Vec<_> =
        FAULTS.iter().chain(WARNINGS).map(|r| (r.code.to_owned(), r.name.to_owned(), message(r))).collect();
    assert_eq!(rows, expected);
}

/// RFC-0005:C-USAGE
#[test]
fn a_code_has_one_row_in_its_range() {
    let mut codes: Vec<&str> = FAULTS.iter().chain(WARNINGS).map(|row| row.code).collect();
    let ranges = [
        (
            'E',
            vec![
                1..=9,
                10..=19,
                20..=29,
                30..=39,
                40..=49,
                50..=59,
                60..=69,
                70..=79,
                80..=89,
                100..=199,
                300..=300,
                999..=999,
            ],
        ),
        ('W', vec![1..=9, 10..=19, 20..=29, 30..=39, 40..=49, 50..=69, 80..=89, 300..=300]),
    ];
    for code in &codes {
        let number: u32 = code[1..].parse().unwrap();
        let (_, ranges) = ranges.iter().find(|(letter, _)| code.starts_with(*letter)).unwrap();
        assert!(ranges.iter().any(|range| range.contains(&number)), "{code}");
    }
    let all = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all);
}

fn code_row(line: &str) -> Option<(String, String, String)> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let is_code =
        |c: &str| c.len() == 4 && c.starts_with(['E', 'W']) && c[1..].bytes().all(|b| b.is_ascii_digit());
    let [code, name, message, _meaning] = cells.as_slice() else { return None };
    is_code(code)
        .then(|| ((*code).into(), (*name).trim_matches('`').into(), (*message).trim_matches('`').into()))
}

#[test]
fn every_code_has_an_explanation_and_an_example() {
    for row in FAULTS.iter().chain(WARNINGS) {
        for text in [row.meaning, row.remedy, row.example] {
            assert!(!text.trim().is_empty(), "{}", row.code);
        }
        assert!(!row.message.ends_with('.'), "{} ends with a full stop", row.code);
    }
}

/// RFC-0010:C-ACCEPTANCE, RFC-0011:C-ACCEPTANCE
#[test]
fn every_test_of_a_table_of_acceptance_exists() {
    let written = written_tests();
    let tables: Vec<Clause> = clauses().into_iter().filter(|c| c.id.ends_with("C-ACCEPTANCE")).collect();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let rows: Vec<&str> = table.prose.lines().filter(|l| l.starts_with("| ")).skip(1).collect();
        assert!(rows.len() >= 5, "{}", table.id);
        for row in rows {
            let cells = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
            for name in cells.split(',').map(|name| name.trim().trim_matches('`')) {
                assert!(written.contains_key(name), "{}: no test '{name}'", table.id);
            }
        }
    }
}
