//! RFC-0004: text formats, and the index as a file.

use super::{BODY, answered, database, places};
use crate::site::{Site, put};
use crate::timing::grows_evenly;
use skillc_disk::DiskSkillFiles;
use skillc_domain::frontmatter::Opening;
use skillc_domain::section::rows;
use skillc_markdown::MarkdownReader;
use skillc_ports::{DocumentReader, SkillFiles};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// RFC-0004:C-FORMATS
#[test]
fn an_unsupported_kind_is_skipped() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    for name in ["data.csv", "data.json", "run.py", "notes.markdown", "README", "logo.bin", "a.md.bak"] {
        site.write("demo", name, "marmot\n");
    }
    site.write("demo", "logo.bin", [0, 255, 254]);
    let built = site.skc(["build", "demo"]).ok();
    assert_eq!(built.err, "");
    assert_eq!(places(&site, "marmot"), ["SKILL.md#Top"]);
}

/// RFC-0004:C-FORMATS
#[test]
fn text_markdown_and_headings_are_found_as_the_rows_of_the_rfc() {
    let site = Site::new();
    site.write_skill("demo", "opening\n\n# Top\n\nfirst\n\n## Low\n\nsecond\n\n```\n# no heading\n```\n");
    site.write("demo", "plain.TXT", "# not a heading\nplain\n");
    site.skc(["build", "demo"]).ok();
    assert_eq!(places(&site, "opening"), ["SKILL.md#"]);
    assert_eq!(places(&site, "plain heading"), ["plain.TXT#"]);
    let mut repeated = places(&site, "second");
    repeated.sort();
    assert_eq!(repeated, ["SKILL.md#Low", "SKILL.md#Top"]);
    site.skc(["show", "demo", "--section", "no heading"]).fails("E020");
    site.skc(["show", "demo", "--section", "not a heading"]).fails("E020");
}

/// RFC-0004:C-FORMATS
#[test]
fn a_file_of_many_headings_is_parsed_in_linear_time() {
    let shapes: [Shape; 6] = [
        ("flat", |n| format!("# Heading {n}\n\ntext\n\n")),
        ("deep", |n| format!("{} Heading {n}\n\ntext\n\n", "#".repeat(1 + n % 6))),
        ("falling", |n| format!("{} Heading {n}\n", "#".repeat(6 - n % 6))),
        ("setext", |n| format!("Heading {n}\n{}\n\n", if n % 2 == 0 { "===" } else { "---" })),
        ("same", |_| "## Usage\n".to_owned()),
        ("fences", |n| format!("```\n# code {n}\n```\n# Heading\n")),
    ];
    for (name, shape) in shapes {
        let text = |count: usize| (0..count).map(shape).collect::<String>();
        grows_evenly(name, 4_000, |count| read_time(&text(count)));
    }
}

/// A generator of the n-th piece of a text, with its name.
type Shape = (&'static str, fn(usize) -> String);

/// How long it takes to read a text into rows.
fn read_time(text: &str) -> Duration {
    let start = Instant::now();
    let sections = MarkdownReader.document(text, Opening::Either).sections();
    assert!(rows(&sections, text).map(|(_, content)| content.len()).sum::<usize>() >= 1);
    start.elapsed()
}

/// RFC-0004:C-INDEX
#[test]
fn the_index_has_the_name_and_tables_of_the_rfc() {
    let site = Site::built("demo", BODY);
    let digest = DiskSkillFiles.digest(site.skill("demo").as_os_str().as_encoded_bytes());
    let name = format!("search-{}.db", &digest.to_string()[..16]);
    assert_eq!(site.index("demo"), site.runtime("demo").join(".skillc-meta").join(name));

    let db = database(&site);
    let expected = tables_of_the_rfc();
    let columns = |table: &str| -> Vec<String> {
        let mut all = db.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for (table, expected) in &expected {
        assert_eq!(&columns(table), expected, "{table}");
    }
    let mut tables = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%' ORDER BY name").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(tables, expected.keys().cloned().collect::<Vec<_>>());
    let is_fts5: bool = db
        .query_row("SELECT sql LIKE '%USING fts5(%' FROM sqlite_master WHERE name = 'sections'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(is_fts5);

    let mut keys = db.prepare("SELECT key, value FROM index_meta").unwrap();
    let meta: BTreeMap<String, String> =
        keys.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let keys = [
        "fingerprint",
        "indexed_at",
        "schema_version",
        "skill_path",
        "source_hash",
        "tokenizer",
        "trusted_ns",
    ];
    assert_eq!(meta.keys().collect::<Vec<_>>(), keys);
    assert_eq!(meta["skill_path"], site.skill("demo").to_string_lossy());
    assert_eq!((meta["schema_version"].as_str(), meta["tokenizer"].as_str()), ("4", "porter"));
}

/// Tables and columns as RFC-0004:C-INDEX lists them.
fn tables_of_the_rfc() -> BTreeMap<String, Vec<String>> {
    let rfc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rfc/0004-search.md");
    let text = fs::read_to_string(rfc).unwrap();
    let table = text.split("| table | columns |\n|---|---|\n").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let row = |line: &str| {
        let mut cells = line.trim_matches('|').split('|');
        let name = words(cells.next().unwrap()).remove(0);
        let mut columns = words(cells.next().unwrap());
        if name == "files" {
            // Skip the prose after the columns: the first and last row in `sections` and in `headings`.
            columns.truncate(6);
            columns.extend(["first_row", "last_row", "first_heading", "last_heading"].map(str::to_owned));
        }
        (name, columns)
    };
    let mut tables: BTreeMap<_, _> = table.lines().map(row).collect();
    // The auxiliary tables of FTS5 belong to it.
    tables.get_mut("sections").unwrap().truncate(3);
    tables
}

/// RFC-0004:C-INDEX
#[test]
fn build_keeps_an_index_that_is_fresh() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    // The time stamp of a very new file is not trusted, so the next build stamps it again.
    std::thread::sleep(Duration::from_millis(40));
    site.skc(["build", "demo"]).ok();
    let state = || {
        let index = site.index("demo");
        (fs::read(&index).unwrap(), fs::metadata(&index).unwrap().modified().unwrap())
    };
    let before = state();
    for line in [&["build", "demo"][..], &["build", "demo", "--copy"], &["build", "--all"]] {
        assert!(site.skc(line).ok().out.to_lowercase().contains("unchanged"));
        assert_eq!(state(), before, "{line:?}");
    }
}

/// RFC-0004:C-INDEX
#[test]
fn build_leaves_other_indexes_alone() {
    let site = Site::built("demo", BODY);
    let meta = site.runtime("demo").join(".skillc-meta");
    let others =
        [(meta.join("search-0123456789abcdef.db"), "another skill's"), (meta.join("search-x.db"), "")];
    others.iter().for_each(|(file, text)| put(file, text));
    site.write("demo", "new.md", "# New\n");
    site.skc(["build", "demo"]).ok();
    fs::write(site.runtime("demo").join(".skillc-meta").join(own_name(&site)), "garbage").unwrap();
    site.skc(["build", "demo"]).ok();
    answered(&site);
    for (file, text) in others {
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
}

fn own_name(site: &Site) -> String {
    let digest = DiskSkillFiles.digest(site.skill("demo").as_os_str().as_encoded_bytes());
    format!("search-{}.db", digest.hash16())
}
