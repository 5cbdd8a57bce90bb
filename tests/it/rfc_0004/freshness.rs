//! RFC-0004: freshness.

use super::{BODY, answered, in_memory, places, refused};
use crate::site::{Site, put};
use serde_json::{Value, json};
use skillc_memory::{FaultPlan, MemoryClock, MemoryMachine, PortCall};
use skillc_ops::Answer;
use skillc_ports::{Clock, ErrorKind};
use std::fs;
use std::time::{Duration, SystemTime};

/// RFC-0004:C-FRESHNESS
#[test]
fn a_changed_added_or_removed_file_makes_the_index_stale() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    site.write("demo", "data.bin", [0, 1]);
    site.write("demo", "notes/a.txt", "a\n");
    site.skc(["build", "demo"]).ok();
    let at = |path: &str| site.skill("demo").join(path);
    let changes: [(&str, &dyn Fn()); 8] = [
        ("changed", &|| site.write_skill("demo", &format!("{BODY}more\n"))),
        ("not indexed", &|| fs::write(at("data.bin"), [0, 2]).unwrap()),
        ("added", &|| put(&at("notes/b.md"), "")),
        ("renamed", &|| fs::rename(at("notes/b.md"), at("notes/c.md")).unwrap()),
        ("removed", &|| fs::remove_file(at("notes/a.txt")).unwrap()),
        ("moved", &|| fs::rename(at("notes"), at("other")).unwrap()),
        ("replaced", &|| {
            fs::write(at("new"), "9").unwrap();
            fs::rename(at("new"), at("data.bin")).unwrap();
        }),
        ("removed with its folder", &|| fs::remove_dir_all(at("other")).unwrap()),
    ];
    for (name, change) in changes {
        change();
        println!("{name}");
        refused(&site, "E002");
        site.skc(["build", "demo"]).ok();
        answered(&site);
    }
    put(&at(".hidden/x.md"), "marmot\n");
    fs::create_dir(at("empty")).unwrap();
    answered(&site);
}

/// RFC-0004:C-FRESHNESS
#[test]
fn a_touched_file_leaves_the_index_fresh() {
    let site = Site::built("demo", BODY);
    let file = site.skill("demo").join("SKILL.md");
    let touch = |time| fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    for seconds in [0, 1_000_000_000, 4_000_000_000] {
        touch(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        answered(&site);
    }
    let content = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(&file, content).unwrap();
    answered(&site);
}

/// RFC-0004:C-FRESHNESS
#[test]
fn an_edit_of_equal_size_and_time_is_found() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    let file = site.skill("demo").join("SKILL.md");
    for word in ["weasel", "badger", "marten", "ferret"] {
        site.skc(["build", "demo"]).ok();
        let time = fs::metadata(&file).unwrap().modified().unwrap();
        let old = fs::read_to_string(&file).unwrap();
        let at = old.find(" whistles").unwrap();
        fs::write(&file, format!("{}{word}{}", &old[..at - 6], &old[at..])).unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().len(), old.len() as u64);
        refused(&site, "E002");
    }
}

/// RFC-0004:C-FRESHNESS
#[test]
fn on_stale_rebuild_answers_from_a_new_index() {
    let site = Site::built("demo", BODY);
    site.write_skill("demo", "# Other\n\nThe badger digs.\n");
    refused(&site, "E002");
    put(&site.project().join(".skillc/config.toml"), "[index]\non_stale = \"rebuild\"\n");
    assert_eq!(places(&site, "badger"), ["SKILL.md#Other"]);
    assert!(places(&site, "marmot").is_empty());
    site.write_skill("demo", "# Third\n\nThe ferret hides.\n");
    assert!(site.skc(["show", "demo", "--section", "Third"]).ok().out.contains("ferret"));
    fs::remove_file(site.project().join(".skillc/config.toml")).unwrap();
    assert_eq!(places(&site, "ferret"), ["SKILL.md#Third"], "the new index is there to stay");
}

/// An in-memory machine on which `demo` is built.
struct Scene {
    machine: MemoryMachine,
}

impl Scene {
    fn new() -> Self {
        let machine = MemoryMachine::new();
        let skill = "/project/.skillc/skills/demo";
        machine.write(format!("{skill}/SKILL.md"), crate::site::skill_md("demo", BODY));
        ["a", "b", "c"].iter().for_each(|name| machine.write(format!("{skill}/{name}.md"), *name));
        machine.pass(60_000_000_000);
        let scene = Self { machine };
        assert!(scene.run("build", json!({ "skill": "demo" })).failures.is_empty());
        scene
    }

    fn run(&self, command: &str, arguments: Value) -> Answer {
        in_memory(&self.machine, command, arguments)
    }

    /// Searches while every digest after this many fails, and so does every read of a file.
    fn search_with_digests(&self, count: u32) -> Result<(), String> {
        let refused = FaultPlan::none().fail(PortCall::ReadFile, 1, ErrorKind::Failed);
        self.machine.plan(refused.fail(PortCall::DigestFile, count + 1, ErrorKind::Failed));
        let answer = self.run("search", json!({ "skill": "demo", "query": "marmot" }));
        self.machine.plan(FaultPlan::none());
        match answer.failures.first() {
            Some(failure) => Err(failure.fault.code().to_owned()),
            None => Ok(()),
        }
    }
}

/// RFC-0004:C-FRESHNESS
#[test]
fn files_written_just_before_a_build_are_not_hashed_by_each_read() {
    let at = |name: &str| format!("/project/.skillc/skills/demo/{name}.md");
    let scene = |names: &[&str]| {
        let machine = MemoryMachine::new();
        machine.write(at("SKILL"), crate::site::skill_md("demo", BODY));
        names.iter().for_each(|name| machine.write(at(name), *name));
        machine.pass(60_000_000_000);
        // The time of the survey that follows: each change and each survey takes 50 ms.
        let surveyed_ns = MemoryClock::new(&machine).now() + 50_000_000 * (names.len() as i64 + 1);
        names.iter().for_each(|name| machine.touch(at(name), surveyed_ns));
        Scene { machine }
    };
    let few = scene(&["a", "b"]);
    assert!(few.run("build", json!({ "skill": "demo" })).failures.is_empty());
    assert!(few.search_with_digests(1).is_err(), "a build does not wait for two files");
    assert_eq!(few.search_with_digests(2), Ok(()));

    let many = scene(&["a", "b", "c", "d", "e"]);
    assert!(many.run("build", json!({ "skill": "demo" })).failures.is_empty());
    assert_eq!(many.search_with_digests(0), Ok(()), "the build waited until they could be trusted");
    many.machine.edit(at("c"), "other");
    assert_eq!(many.search_with_digests(1), Err("E002".to_owned()));

    let unreadable = scene(&["a", "b", "c", "d", "e"]);
    unreadable.machine.plan(FaultPlan::none().fail(PortCall::DigestFile, 3, ErrorKind::Failed));
    assert!(unreadable.run("build", json!({ "skill": "demo" })).failures.is_empty());
    assert!(unreadable.search_with_digests(4).is_err(), "what could not be read again is not trusted");
    assert_eq!(unreadable.search_with_digests(5), Ok(()));
}

/// RFC-0004:C-FRESHNESS
#[test]
fn only_files_that_differ_are_hashed() {
    let scene = Scene::new();
    assert_eq!(scene.search_with_digests(0), Ok(()), "unchanged: nothing is read");
    scene.machine.touch("/project/.skillc/skills/demo/b.md", 1_000_000_001);
    assert!(scene.search_with_digests(0).is_err(), "one file differs, and has to be hashed");
    assert_eq!(scene.search_with_digests(1), Ok(()), "that one alone");
    scene.machine.edit("/project/.skillc/skills/demo/c.md", "other");
    assert_eq!(scene.search_with_digests(2), Err("E002".to_owned()));
}
