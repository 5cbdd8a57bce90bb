//! Indexes and journals in odd states, and runtimes that cannot be created. `rfc_0004/unusable.rs` has other broken
//! indexes.

use super::promptly;
use crate::site::{Site, put};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};

const BODY: &str = "# Top\n\nThe marmot whistles.\n";

/// A site with enough headings that a transaction over them does not fit into a small cache.
fn site() -> Site {
    let sections: String = (0..2_000).map(|n| format!("## Section {n}\n\nfiller {n}\n\n")).collect();
    Site::built("demo", &format!("{BODY}\n{sections}"))
}

#[track_caller]
fn tells_the_truth(site: &Site) {
    let shown = promptly(site, ["show", "demo", "--section", "Section 7"]).ok();
    assert_eq!(shown.out, "## Section 7\n\nfiller 7\n\n");
    assert!(promptly(site, ["search", "demo", "whistles"]).ok().out.contains("SKILL.md#Top"));
    promptly(site, ["show", "demo", "--section", "Lie"]).fails("E020");
}

fn journal(index: &Path) -> PathBuf {
    index.with_extension("db-journal")
}

/// Leaves the index and the journal as they are after a process was killed in the middle of a transaction that writes
/// false data.
fn kill_amid_a_transaction(index: &Path) {
    let db = Connection::open(index).unwrap();
    db.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = ON;
         BEGIN; UPDATE headings SET text = 'Lie', folded = NULL, start_line = 1;",
    )
    .unwrap();
    let left = [index.to_owned(), journal(index)].map(|path| (fs::read(&path).unwrap(), path));
    drop(db);
    left.iter().for_each(|(bytes, path)| fs::write(path, bytes).unwrap());
    let is_written = |bytes: &[u8]| bytes.windows(3).any(|three| three == b"Lie");
    assert!(is_written(&left[0].0), "the lies had reached the file");
}

/// Decision 16.
#[test]
fn a_journal_of_a_killed_process_is_rolled_back_by_the_next_one() {
    for first in
        [&["search", "demo", "whistles"][..], &["show", "demo", "--section", "Top"], &["build", "demo"]]
    {
        let site = site();
        kill_amid_a_transaction(&site.index("demo"));
        promptly(&site, first).ok();
        tells_the_truth(&site);
        promptly(&site, ["build", "demo"]).ok();
        tells_the_truth(&site);
    }
}

/// Decision 16: a new index does not inherit the journal of the old one.
#[test]
fn a_stale_journal_does_not_spoil_a_new_index() {
    let site = site();
    let index = site.index("demo");
    kill_amid_a_transaction(&index);
    fs::write(&index, "garbage").unwrap();
    promptly(&site, ["search", "demo", "whistles"]).fails("E002");
    promptly(&site, ["build", "demo"]).ok();
    tells_the_truth(&site);

    kill_amid_a_transaction(&index);
    fs::remove_file(&index).unwrap();
    promptly(&site, ["search", "demo", "whistles"]).fails("E002");
    promptly(&site, ["build", "demo"]).ok();
    tells_the_truth(&site);

    for junk in [&b""[..], b"junk", &[0xd9; 10_000]] {
        fs::write(journal(&index), junk).unwrap();
        promptly(&site, ["search", "demo", "whistles"]);
        promptly(&site, ["build", "demo"]).ok();
        tells_the_truth(&site);
    }
}

/// Puts a file, a folder and a link where a build writes.
#[test]
fn a_runtime_that_cannot_be_made_fails_the_build_and_no_reader_of_the_source() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    for blocked in [".skillc/runtime", ".skillc/runtime/demo", ".skillc/runtime/demo/.skillc-meta"] {
        let place = site.project().join(blocked);
        put(&place, "in the way");
        let failed = promptly(&site, ["build", "demo"]).fails("E999");
        assert_eq!(failed.out, "", "{blocked}");
        assert_eq!(fs::read_to_string(&place).unwrap(), "in the way");
        assert!(!site.project().join(".claude/skills/demo").exists(), "nothing is deployed");
        for line in [&["outline", "demo"][..], &["sources", "demo"], &["open", "demo", "SKILL.md"], &["list"]]
        {
            assert_eq!(promptly(&site, line).ok().err, "", "{line:?}");
        }
        for line in [&["search", "demo", "marmot"][..], &["show", "demo", "--section", "Top"]] {
            promptly(&site, line).fails("E002");
        }
        fs::remove_file(&place).unwrap();
    }
    promptly(&site, ["build", "demo"]).ok();
}

/// Whatever else is found under the names of the stub and the manifest is repaired or reported, and never trusted.
#[test]
fn odd_stubs_and_manifests_are_fixed_by_the_next_build() {
    let site = Site::built("demo", BODY);
    let runtime = site.runtime("demo");
    let sound = ["SKILL.md", ".skillc-meta/manifest.json"]
        .map(|name| (fs::read(runtime.join(name)).unwrap(), runtime.join(name)));
    for junk in
        [&b""[..], b"null", b"[]", b"{\"skill\": 1}", b"\xff\0", b"{\"version\": 99999999999999999999}"]
    {
        sound.iter().for_each(|(_, path)| fs::write(path, junk).unwrap());
        promptly(&site, ["list", "--check-obsolete"]).ok();
        promptly(&site, ["search", "demo", "marmot"]).fails("E002");
        promptly(&site, ["build", "demo"]).ok();
        for (bytes, path) in &sound {
            assert_eq!(&fs::read(path).unwrap(), bytes, "{}", path.display());
        }
    }
    fs::write(runtime.join(".skillc-meta/deployed.json"), "{\"places\": 3}").unwrap();
    promptly(&site, ["undeploy", "demo"]).ok();
    for marker in [&b""[..], b"../../../../victim", b"search-none.db", b"\xff"] {
        fs::write(runtime.join(".skillc-meta/publish.pending"), marker).unwrap();
        promptly(&site, ["search", "demo", "marmot"]).ok();
        promptly(&site, ["build", "demo"]).ok();
        assert!(!runtime.join(".skillc-meta/publish.pending").exists(), "{marker:?}");
    }
}

/// A marker that names a file outside the runtime does not create anything there.
#[test]
fn a_marker_that_names_a_file_outside_is_no_index() {
    let site = Site::built("x", "# X\n");
    let outside = site.root().join("important.txt");
    std::fs::write(&outside, "keep").unwrap();
    let marker = site.runtime("x").join(".skillc-meta/publish.pending");
    std::fs::write(&marker, outside.to_str().unwrap()).unwrap();
    site.skc(["search", "x", "x"]).ok();
    let names: Vec<_> = std::fs::read_dir(site.root()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().starts_with("important.txt.")), "{names:?}");
    assert!(!marker.exists());
}

/// A link in place of one of our files does not redirect a write.
#[test]
fn a_link_in_the_place_of_log_or_lock_is_not_written_through() {
    let site = Site::built("x", "# X\n");
    let meta = site.runtime("x").join(".skillc-meta");
    let theirs = site.root().join("theirs.db");
    rusqlite::Connection::open(&theirs).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    let before = std::fs::read(&theirs).unwrap();
    std::fs::remove_file(meta.join("logs.db")).unwrap();
    for beside in ["logs.db-wal", "logs.db-shm"] {
        let _ = std::fs::remove_file(meta.join(beside));
    }
    std::os::unix::fs::symlink(&theirs, meta.join("logs.db")).unwrap();
    site.skc(["outline", "x"]).ok();
    assert_eq!(std::fs::read(&theirs).unwrap(), before);
    let dangling = site.root().join("made-by-nobody");
    let beside = format!("{}.lock", site.index("x").display());
    let _ = std::fs::remove_file(&beside);
    std::os::unix::fs::symlink(&dangling, &beside).unwrap();
    site.skc(["search", "x", "x"]).ok();
    assert!(!dangling.exists());
    std::fs::remove_file(meta.join("build.lock")).unwrap();
    std::os::unix::fs::symlink(&dangling, meta.join("build.lock")).unwrap();
    site.skc(["build", "x"]).fails("E018");
    assert!(!dangling.exists());
}

/// D9, RFC-0002:C-SHOW
#[test]
fn an_index_that_names_a_file_outside_of_the_skill_is_refused() {
    let site = Site::built("demo", "# Top\n\nThe marmot whistles.\n");
    let db = rusqlite::Connection::open(site.index("demo")).unwrap();
    for outside in ["/etc/hostname", "../../config.toml"] {
        db.execute("UPDATE headings SET file = ?1", [outside]).unwrap();
        let run = site.skc(["show", "demo", "--section", "Top"]).fails("E002");
        assert!(run.err.contains("it names a file outside the skill"), "{outside}: {}", run.err);
    }
}
