//! RFC-0007:C-LOGGING.

use super::without_permission;
use crate::site::{Site, put};
use rusqlite::{Connection, OpenFlags};
use skillc_ops::OPS;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const COLUMNS: [&str; 10] =
    ["id", "event_id", "timestamp", "run_id", "command", "skill", "skill_path", "cwd", "args", "error"];

/// A row, by its columns in the order of the RFC; null is empty.
type Row = Vec<String>;

fn log(runtime: &Path) -> PathBuf {
    runtime.join(".skillc-meta/logs.db")
}

fn fallback(cwd: &Path, skill: &str) -> PathBuf {
    log(&cwd.join(".skillc/logs").join(skill))
}

fn rows(log: &Path) -> Vec<Row> {
    let db = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let columns = COLUMNS.map(|column| format!("ifnull(CAST({column} AS TEXT), '')")).join(", ");
    let mut all = db.prepare(&format!("SELECT {columns} FROM access_log ORDER BY id")).unwrap();
    let rows = all.query_map([], |row| (0..COLUMNS.len()).map(|at| row.get(at)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}

fn column(rows: &[Row], name: &str) -> Vec<String> {
    let at = COLUMNS.iter().position(|column| *column == name).unwrap();
    rows.iter().map(|row| row[at].clone()).collect()
}

/// Whether a text matches a pattern, in which `9` stands for a digit and `x` for a lower-case hexadecimal digit.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(c, f): (char, char)| match f {
        '9' => c.is_ascii_digit(),
        'x' => matches!(c, '0'..='9' | 'a'..='f'),
        other => c == other,
    };
    text.chars().count() == form.len() && text.chars().zip(form.chars()).all(fits)
}

/// RFC-0007:C-LOGGING
#[test]
fn each_command_on_a_skill_is_one_row() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let below = site.project().join("src");
    fs::create_dir(&below).unwrap();
    let lines = [
        "build x",
        "outline x",
        "show x --section X",
        "open x SKILL.md",
        "sources x --limit 7",
        "search x does",
        "undeploy x",
    ];
    for line in lines {
        site.skc_in(&below, line.split(' ')).ok();
    }
    for line in ["list", "targets", "config", "explain E001", "init y", "try"] {
        site.skc(line.split(' ')).ok();
    }
    let log = log(&site.runtime("x"));
    let rows = rows(&log);
    let verbs: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(column(&rows, "command"), verbs);
    assert_eq!(column(&rows, "id"), ["1", "2", "3", "4", "5", "6", "7"]);
    let ids = column(&rows, "event_id");
    assert!(ids.iter().all(|id| has_form(id, "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx")), "{ids:?}");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), lines.len());
    let times = column(&rows, "timestamp");
    assert!(times.iter().all(|time| has_form(time, "9999-99-99T99:99:99Z")), "{times:?}");
    for (name, value) in [
        ("skill", "x"),
        ("skill_path", site.skill("x").to_str().unwrap()),
        ("cwd", below.to_str().unwrap()),
        ("error", ""),
    ] {
        assert!(column(&rows, name).iter().all(|found| found == value), "{name}");
    }
    let args: Vec<serde_json::Value> =
        column(&rows, "args").iter().map(|args| serde_json::from_str(args).unwrap()).collect();
    assert_eq!(
        (&args[2]["section"], &args[4]["limit"], &args[5]["query"]),
        (&"X".into(), &7.into(), &"does".into())
    );
    let db = Connection::open(&log).unwrap();
    let mode: String = db.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let logged: Vec<&str> = OPS.iter().map(|op| op.name).filter(|op| verbs.contains(op)).collect();
    assert_eq!(logged.len(), lines.len());
}

/// RFC-0007:C-LOGGING
#[test]
fn a_missing_log_database_or_table_is_made() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let log = log(&site.runtime("x"));
    let outline = || {
        column(
            &{
                site.skc(["outline", "x"]).ok();
                rows(&log)
            },
            "command",
        )
    };
    assert_eq!(outline(), ["outline"]);
    fs::remove_dir_all(site.runtime("x")).unwrap();
    put(&log, "");
    assert_eq!(outline(), ["outline"]);
    Connection::open(&log).unwrap().execute_batch("DROP TABLE access_log").unwrap();
    assert_eq!(outline(), ["outline"]);
}

/// RFC-0007:C-LOGGING
#[test]
fn each_skill_of_a_build_of_all_is_a_row_of_its_own() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    site.write("y", "SKILL.md", "---\nname: y\n---\n");
    site.skc(["build", "--all"]).fails("E011");
    assert_eq!(column(&rows(&log(&site.runtime("x"))), "error"), [""]);
    let error = column(&rows(&log(&site.runtime("y"))), "error");
    assert!(error[0].contains("missing frontmatter field 'description'"), "{error:?}");
}

/// RFC-0007:C-LOGGING
#[test]
fn a_failed_command_is_logged_with_its_error() {
    let site = Site::built("x", "# X\n");
    for (line, message) in [
        ("show x --section Y", "section not found: 'Y'"),
        ("open x ../y", "path escapes skill root: '../y'"),
        ("open x y", "file not found: 'y'"),
        ("sources x --dir y", "directory not found: 'y'"),
        ("search x  ", "empty query"),
        ("build x --target nobody", "nobody"),
        ("undeploy x --target nobody", "nobody"),
    ] {
        let run = site.skc(line.splitn(3, ' ').flat_map(|word| match word.trim() {
            "" => vec![" "],
            words => words.split(' ').collect(),
        }));
        assert_eq!(run.status, 1, "{line}");
        let errors = column(&rows(&log(&site.runtime("x"))), "error");
        assert!(errors.last().unwrap().contains(message), "{line}: {errors:?}");
        assert!(run.err.starts_with(errors.last().unwrap()), "{line}: {}", run.err);
    }
    assert_eq!(rows(&log(&site.runtime("x"))).len(), 8);
}

/// RFC-0007:C-LOGGING
#[test]
fn the_run_id_is_given_or_made() {
    let site = Site::new();
    site.write_skill("x", "# X\n");
    for id in ["session 7", ""] {
        site.skc_with(&[("SKC_RUN_ID", id)], ["outline", "x"]).ok();
    }
    site.skc(["outline", "x"]).ok();
    let ids = column(&rows(&log(&site.runtime("x"))), "run_id");
    assert_eq!(ids[0], "session 7");
    assert!(ids[1..].iter().all(|id| has_form(id, "99999999T999999Z-xxxx")), "{ids:?}");
    assert_ne!(ids[1], ids[2]);
}

/// RFC-0007:C-LOGGING
#[test]
fn a_log_that_cannot_be_written_falls_back() {
    let site = Site::built("x", "# X\n");
    let below = site.project().join("src");
    fs::create_dir(&below).unwrap();
    let log = log(&site.runtime("x"));
    let show = ["show", "x", "--section", "X"];
    let reply = site.skc(show).ok().out;
    let spoil: [fn(&Path); 2] =
        [|log| fs::create_dir(log).unwrap(), |log| fs::write(log, "no database").unwrap()];
    for (at, spoil) in spoil.iter().enumerate() {
        let _ = fs::remove_file(&log).or_else(|_| fs::remove_dir(&log));
        ["-wal", "-shm"].iter().for_each(|end| drop(fs::remove_file(format!("{}{end}", log.display()))));
        spoil(&log);
        let run = site.skc_in(&below, show).ok();
        let is_damaged = at == 1;
        assert_eq!((run.out, run.err.contains("warning[W011]")), (reply.clone(), is_damaged), "{}", run.err);
        assert_eq!(rows(&fallback(&below, "x")).len(), at + 1);
    }
    let row = rows(&fallback(&below, "x")).remove(0);
    assert_eq!(row[4..8], ["show", "x", site.skill("x").to_str().unwrap(), below.to_str().unwrap()]);
}

/// RFC-0007:C-LOGGING
#[test]
fn a_read_only_runtime_falls_back() {
    let site = Site::built("x", "# X\n");
    fs::remove_dir_all(site.project().join(".claude")).unwrap();
    let meta = site.runtime("x").join(".skillc-meta");
    let log = log(&site.runtime("x"));
    ["", "-wal", "-shm"].iter().for_each(|end| drop(fs::remove_file(format!("{}{end}", log.display()))));
    let run = without_permission(&site, &meta, 0o555, &["show", "x", "--section", "X"]).ok();
    assert_eq!((run.out.as_str(), run.err.as_str()), ("# X\n", ""));
    assert!(!log.exists());
    assert_eq!(column(&rows(&fallback(&site.project(), "x")), "command"), ["show"]);
}

/// RFC-0007:C-LOGGING
#[test]
fn a_lost_log_never_fails_the_command() {
    let site = Site::built("x", "# X\n");
    let log = log(&site.runtime("x"));
    ["", "-wal", "-shm"].iter().for_each(|end| drop(fs::remove_file(format!("{}{end}", log.display()))));
    fs::create_dir(&log).unwrap();
    put(&site.project().join(".skillc/logs"), "no folder");
    let show = ["show", "x", "--section"];
    let run = site.skc(show.iter().chain(&["X"])).ok();
    assert_eq!(run.out, "# X\n");
    assert_eq!(run.err, "warning[W002]: logging disabled; run 'skc sync' after session to merge logs\n");
    let run = site.skc(show.iter().chain(&["Y"])).fails("E020");
    assert!(run.err.contains("warning[W002]: "), "{}", run.err);
}

/// RFC-0007:C-LOGGING
#[test]
fn an_old_fallback_log_is_reported_once() {
    let site = Site::new();
    ["x", "y"].iter().for_each(|name| site.write_skill(name, "# X\n"));
    let age = |skill: &str, minutes: u64| {
        let log = fallback(&site.project(), skill);
        put(&log, "");
        let written = SystemTime::now() - Duration::from_secs(60 * minutes);
        fs::File::options().write(true).open(log).unwrap().set_modified(written).unwrap();
    };
    let told = |args: &[&str]| site.skc(args).ok().err;
    age("x", 58);
    assert_eq!(told(&["outline", "x"]), "");
    age("x", 62);
    let reminder = "warning[W003]: stale local logs for 'x'; run 'skc sync' to upload\n";
    assert_eq!(told(&["outline", "x"]), reminder);
    assert_eq!(told(&["outline", "y"]), "", "another skill's");
    age("y", 300);
    assert_eq!(told(&["build", "--all"]), reminder);
    assert_eq!(site.skc_in(&site.root(), ["outline", site.skill("x").to_str().unwrap()]).ok().err, "");
}
