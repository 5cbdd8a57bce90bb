//! Disks that are full or read-only. Where nothing may be mounted, a machine in memory stands in, and says so.

use super::in_time;
use crate::rfc_0004::in_memory;
use crate::site::{Run, Site, program, skill_md};
use serde_json::json;
use skillc_memory::{FaultPlan, MemoryMachine, Operation};
use std::process::{Command, Stdio};

const BODY: &str = "# Top\n\nThe marmot whistles.\n";

/// Runs a script of the shell in a mount namespace of its own, in the project, with the program as `$SKC`; `None` where
/// that is not permitted.
fn with_mounts(site: &Site, script: &str) -> Option<Run> {
    let ways = [&["-m", "--"][..], &["-rm", "--"]];
    let works = |way: &&&[&str]| {
        let mut probe = Command::new("unshare");
        probe
            .args(**way)
            .args(["mount", "-t", "tmpfs", "-o", "size=300k", "none", "/mnt"])
            .stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let way = ways.iter().find(works)?;
    let given = site.command([""; 0]);
    let mut command = Command::new("unshare");
    command.args(*way).args(["sh", "-euc", script]).env_clear();
    command.envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("SKC", program()).current_dir(site.project());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(in_time(command))
}

/// Tells that a machine in memory stands in.
fn not_permitted(what: &str) {
    eprintln!("NOT CHECKED ON A REAL DISK: nothing may be mounted here, so {what} is checked in memory only");
}

/// Decisions 16 and 34.
#[test]
fn a_full_disk_fails_the_build_and_leaves_the_old_state() {
    full_disk_in_memory();
    let site = Site::new();
    site.write_skill("demo", BODY);
    let script = r#"
        mkdir -p .skillc/runtime
        mount -t tmpfs -o size=300k none .skillc/runtime
        "$SKC" build demo
        old=$(cat .skillc/runtime/demo/SKILL.md .skillc/runtime/demo/.skillc-meta/manifest.json)
        seq -f 'word%gword' 1 100000 > .skillc/skills/demo/big.txt
        if "$SKC" build demo 2> full.txt; then echo 'BUILT ON A FULL DISK'; exit 1; fi
        cat full.txt
        ! "$SKC" search demo marmot 2>&1
        rm .skillc/skills/demo/big.txt
        "$SKC" search demo marmot
        "$SKC" show demo --section Top
        test "$old" = "$(cat .skillc/runtime/demo/SKILL.md .skillc/runtime/demo/.skillc-meta/manifest.json)"
        ls -A .skillc/runtime/demo .skillc/runtime/demo/.skillc-meta
        dd if=/dev/zero of=.skillc/runtime/filler bs=4k 2> /dev/null || true
        "$SKC" search demo whistles
        "$SKC" outline demo
        rm .skillc/runtime/filler
        "$SKC" build demo
        echo THE END
    "#;
    let Some(run) = with_mounts(&site, script) else { return not_permitted("a full disk") };
    let said = format!("{}{}", run.out, run.err);
    assert!(run.status == 0 && run.out.ends_with("THE END\n"), "{said}");
    assert!(said.contains("error[E999]: "), "{said}");
    assert!(said.contains("error[E002]: "), "the changed source is not taken for the old one: {said}");
    let left_over =
        |line: &str| line.ends_with(".tmp") || line.contains("pending") || line.starts_with(".skillc-tmp");
    assert!(!run.out.lines().any(left_over), "{said}");
    assert!(said.contains("[MATCH]whistles[/MATCH]"), "{said}");
    assert!(!said.contains("fault in skc itself"), "{said}");
}

/// The same on a disk in memory, full at each step of writing the index.
fn full_disk_in_memory() {
    let skill = "/project/.skillc/skills/demo/SKILL.md";
    for steps in 0..4 {
        let machine = MemoryMachine::new();
        machine.write(skill, skill_md("demo", BODY));
        let search = |query: &str| in_memory(&machine, "search", json!({ "skill": "demo", "query": query }));
        assert!(in_memory(&machine, "build", json!({ "skill": "demo" })).failures.is_empty());
        machine.edit(skill, skill_md("demo", "# Other\n\nThe badger digs.\n"));
        machine.plan(FaultPlan::none().stop(Operation::WriteIndex, 1, steps));
        let failures = in_memory(&machine, "build", json!({ "skill": "demo" })).failures;
        machine.restart();
        if failures.is_empty() {
            continue;
        }
        assert_eq!(failures[0].fault.code(), "E999");
        assert_eq!(search("badger").failures[0].fault.code(), "E002");
        machine.edit(skill, skill_md("demo", BODY));
        assert_eq!(search("marmot").reply.unwrap().json()["results"][0]["section"], "Top");
    }
}

/// Decisions 16 and 34.
#[test]
fn a_read_only_runtime_answers_and_is_never_taken_for_built() {
    let site = Site::new();
    site.write_skill("demo", BODY);
    let script = r##"
        mkdir -p .skillc/runtime
        mount -t tmpfs none .skillc/runtime
        "$SKC" build demo
        mount -o remount,ro .skillc/runtime
        "$SKC" search demo marmot
        "$SKC" show demo --section Top
        "$SKC" list
        test -s .skillc/logs/demo/.skillc-meta/logs.db
        printf '\nmore\n' >> .skillc/skills/demo/SKILL.md
        ! "$SKC" search demo marmot 2>&1
        ! "$SKC" build demo 2>&1
        ! "$SKC" search demo marmot 2>&1
        mount -o remount,rw .skillc/runtime
        "$SKC" build demo
        "$SKC" search demo more
        echo THE END
    "##;
    let Some(run) = with_mounts(&site, script) else {
        // Another disk that takes nothing, for root as well: a file in the runtime's place.
        let machine = MemoryMachine::new();
        machine.write("/project/.skillc/skills/demo/SKILL.md", skill_md("demo", BODY));
        assert!(in_memory(&machine, "build", json!({ "skill": "demo" })).failures.is_empty());
        machine.make_read_only("/project/.skillc/runtime");
        let answer = in_memory(&machine, "search", json!({ "skill": "demo", "query": "marmot" }));
        assert!(answer.failures.is_empty());
        return not_permitted("a read-only disk");
    };
    let said = format!("{}{}", run.out, run.err);
    assert!(run.status == 0 && run.out.ends_with("THE END\n"), "{said}");
    assert!(said.contains("error[E999]: ") && said.matches("error[E002]: ").count() == 2, "{said}");
    assert!(said.contains("[MATCH]more[/MATCH]"), "{said}");
}
