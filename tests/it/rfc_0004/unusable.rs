//! RFC-0004: indexes that cannot be read, and how to recover.

use super::{BODY, answered, database, refused};
use crate::site::{Site, finish, program, put};
use std::fs;
use std::path::Path;

/// A way to break the index of `demo`, with its name.
type Breakage = (String, Box<dyn Fn(&Site)>);

fn breakages() -> Vec<Breakage> {
    let mut all: Vec<Breakage> = Vec::new();
    let mut bytes = |name: &str, change: fn(Vec<u8>) -> Vec<u8>| {
        let change = move |site: &Site| {
            let index = site.index("demo");
            fs::write(&index, change(fs::read(&index).unwrap())).unwrap();
        };
        all.push((name.to_owned(), Box::new(change)));
    };
    bytes("empty", |_| Vec::new());
    bytes("no database", |_| b"not a database, but long enough to be one ".repeat(200));
    bytes("cut in its header", |old| old[..60].to_vec());
    bytes("cut after its first page", |old| old[..4096].to_vec());
    bytes("cut in half", |old| old[..old.len() / 2].to_vec());
    bytes("cut by a byte", |old| old[..old.len() - 1].to_vec());
    bytes("first page overwritten", |mut old| {
        old[100..4096].fill(0xa5);
        old
    });
    for table in ["sections", "headings", "files", "published", "index_meta"] {
        all.push(sql(&format!("DROP TABLE {table}")));
    }
    for key in [
        "source_hash",
        "skill_path",
        "schema_version",
        "indexed_at",
        "tokenizer",
        "fingerprint",
        "trusted_ns",
    ] {
        all.push(sql(&format!("DELETE FROM index_meta WHERE key = '{key}'")));
    }
    for (key, value) in [
        ("source_hash", "'abc'"),
        ("schema_version", "'three'"),
        ("schema_version", "NULL"),
        ("tokenizer", "'trigram'"),
        ("fingerprint", "'x'"),
        ("trusted_ns", "''"),
        ("schema_version", "3"),
        ("schema_version", "5"),
        ("schema_version", "-4"),
        ("tokenizer", "'unicode61'"),
    ] {
        all.push(sql(&format!("UPDATE index_meta SET value = {value} WHERE key = '{key}'")));
    }
    all
}

fn sql(statement: &str) -> Breakage {
    let own = statement.to_owned();
    (statement.to_owned(), Box::new(move |site: &Site| database(site).execute_batch(&own).unwrap()))
}

/// RFC-0004:C-INDEX
#[test]
fn an_index_missing_corrupt_or_of_another_schema_is_unusable() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    refused(&site, "E002");
    site.skc(["build", "demo"]).ok();
    let index = site.index("demo");
    let sound = fs::read(&index).unwrap();
    for (name, breaks) in breakages() {
        breaks(&site);
        println!("{name}");
        refused(&site, "E002");
        fs::write(&index, &sound).unwrap();
        let _ = fs::remove_file(index.with_extension("db.corrupt"));
        answered(&site);
    }
    fs::remove_file(&index).unwrap();
    refused(&site, "E002");
    fs::create_dir(&index).unwrap();
    refused(&site, "E002");
}

/// RFC-0004:C-INDEX
#[test]
fn build_replaces_an_index_it_cannot_use() {
    let site = Site::built("demo", BODY);
    for (name, breaks) in breakages() {
        breaks(&site);
        println!("{name}");
        site.skc(["build", "demo"]).ok();
        answered(&site);
    }
}

/// RFC-0004:C-INDEX
#[test]
fn an_index_of_another_source_is_a_collision() {
    let site = Site::built("demo", BODY);
    for version in [4, 3] {
        let foreign = "UPDATE index_meta SET value = '/another/skill' WHERE key = 'skill_path';";
        let older = format!("UPDATE index_meta SET value = '{version}' WHERE key = 'schema_version'");
        database(&site).execute_batch(&format!("{foreign}{older}")).unwrap();
        let before = fs::read(site.index("demo")).unwrap();
        refused(&site, "E003");
        site.skc(["build", "demo"]).fails("E003");
        assert_eq!(fs::read(site.index("demo")).unwrap(), before);
    }
}

/// RFC-0004:C-ERRORS
#[test]
fn an_unusable_index_names_its_cure() {
    let site = Site::new();
    for name in ["demo", "it's $(odd)", "-rf", "-it's"] {
        put(&site.skill(name).join("SKILL.md"), crate::site::skill_md("demo", BODY));
        let refused = site.skc(["search", "--", name, "marmot"]).fails("E002");
        run_what_is_named(&site, &refused.err);
        site.skc(["search", "--", name, "marmot"]).ok();
    }
    let elsewhere = site.project().join("else where");
    put(&elsewhere.join("SKILL.md"), crate::site::skill_md("third", BODY));
    let given = "./else where";
    let refused = site.skc(["show", given, "--section", "Top"]).fails("E002");
    run_what_is_named(&site, &refused.err);
    site.skc(["show", given, "--section", "Top"]).ok();

    database(&site).execute_batch("UPDATE index_meta SET value = '/x' WHERE key = 'skill_path'").unwrap();
    let refused = site.skc(["search", "demo", "marmot"]).fails("E003");
    let named = refused.err.split("delete ").nth(1).unwrap().split(' ').next().unwrap();
    fs::remove_file(site.runtime("demo").join(Path::new(named))).unwrap();
    site.skc(["build", "demo"]).ok();
    answered(&site);
}

/// Runs the command in a message (`run '…' to rebuild`) in a shell.
#[track_caller]
fn run_what_is_named(site: &Site, message: &str) {
    let line = message.split("run '").nth(1).unwrap().rsplit_once("' to rebuild").unwrap().0;
    let line = line.replacen("skc ", "\"$SKC\" ", 1);
    let mut shell = std::process::Command::new("sh");
    let given = site.command([""; 0]);
    shell
        .args(["-c", &line])
        .env_clear()
        .envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("SKC", program()).current_dir(site.project());
    finish(shell).ok();
}

/// RFC-0004:C-INDEX
#[test]
fn a_broken_page_in_the_middle_is_reported_and_fixed_by_the_next_build() {
    let site = Site::new();
    let sections: String = (0..300).map(|n| format!("## Section {n}\n\nfiller number {n}\n\n")).collect();
    site.write_skill("demo", &format!("{BODY}\n{sections}"));
    site.skc(["build", "demo"]).ok();
    let mut told = Vec::new();
    for (name, page) in root_pages(&site) {
        let index = site.index("demo");
        let mut bytes = fs::read(&index).unwrap();
        bytes[(page - 1) * 4096..page * 4096].fill(0xa5);
        fs::write(&index, bytes).unwrap();
        let search = site.skc(["search", "demo", "marmot"]);
        let show = site.skc(["show", "demo", "--section", "Section 299"]);
        for (run, truth) in [(search, "SKILL.md#Top"), (show, "filler number 299")] {
            let is_told = run.status == 1 && run.err.starts_with("error[E002]: ") && run.out.is_empty();
            assert!(is_told || run.out.contains(truth), "{name}: {}{}", run.out, run.err);
            told.extend(is_told.then(|| name.clone()));
        }
        site.skc(["build", "demo"]).ok();
        assert!(site.skc(["search", "demo", "marmot"]).ok().out.contains("SKILL.md#Top"), "{name}");
        assert!(
            site.skc(["show", "demo", "--section", "Section 299"]).ok().out.contains("number 299"),
            "{name}"
        );
    }
    for name in ["sections_data", "sections_content", "idx_headings_text", "headings"] {
        assert!(told.iter().any(|t| t == name), "{name} was not told: {told:?}");
    }
}

/// The tables and indexes and their root pages, without the first page.
fn root_pages(site: &Site) -> Vec<(String, usize)> {
    let db = database(site);
    let mut all = db.prepare("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 1").unwrap();
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.try_into().unwrap()))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// RFC-0004:C-ERRORS
#[test]
fn e002_says_what_is_out_of_date() {
    let site = Site::new();
    site.write_skill("x", "# Top\ntext\n");
    site.write("x", "references/a.md", "# A\n");
    let hint = || site.skc(["search", "x", "text"]).fails("E002").err;
    assert!(hint().contains("hint: it was never built here"), "{}", hint());
    site.skc(["build", "x"]).ok();
    site.write("x", "references/a.md", "# A changed\n");
    site.write("x", "references/b.md", "# B\n");
    let err = hint();
    assert!(err.contains("hint: changed since the last build: references/a.md, references/b.md"), "{err}");
}
