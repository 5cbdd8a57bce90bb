//! Disks that are full or read-only. If nothing may be mounted, a machine in memory is used instead, which is
//! reported.

use super::in_time;
use crate::rfc_0004::in_memory;
use crate::site::{Run, Site, program, skill_md};
use serde_json::json;
use skillc_memory::{FaultPlan, MemoryMachine, PortCall};
use std::process::{Command, Stdio};

const BODY: &str = "# Top\n\nThe marmot whistles.\n";

/// Runs a shell script in a mount namespace of its own, in the project, with the program as `$SKC`; `None` if that is
/// not permitted.
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

/// Reports that a machine in memory is used instead.
fn not_permitted(what: &str) {
    eprintln!("NOT CHECKED ON A REAL DISK: nothing may be mounted here, so {what} is checked in memory only");
}

/// L7, decisions 16 and 34, RFC-0005:C-CODES
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
    assert!(said.contains("error[E107]: ") && said.contains("the disk is full"), "{said}");
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
        machine.plan(FaultPlan::none().stop(PortCall::WriteIndex, 1, steps));
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
        // Another disk that accepts no writes, even by root: a file in place of the runtime.
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

/// Runs a shell command in the project, with the program as `$SKC`.
#[track_caller]
fn in_shell(site: &Site, line: &str) -> Run {
    let given = site.command([""; 0]);
    let mut command = Command::new("sh");
    command.args(["-c", line]).env_clear();
    command.envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("SKC", program()).current_dir(site.project());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = in_time(command);
    assert!(!run.err.contains("panicked") && !run.err.contains("fault in skc itself"), "{line}: {}", run.err);
    run
}

/// L7, RFC-0005:C-CODES
#[test]
fn a_working_directory_that_is_gone_has_its_code() {
    let site = Site::built("demo", BODY);
    for line in ["list", "outline demo", "find marmot", "lint", "mcp", "host", "config", "pick"] {
        let run = in_shell(&site, &format!("mkdir gone; cd gone; rmdir ../gone; \"$SKC\" {line}"));
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{line}: {}", run.err);
        assert!(
            run.err.starts_with("error[E106]: no working directory: it was deleted or moved\n"),
            "{}",
            run.err
        );
    }
    in_shell(&site, "mkdir gone; cd gone; rmdir ../gone; \"$SKC\" --version").ok();
}

/// Commands that read, write, and start an event loop.
const WORK: [&str; 10] = [
    "try",
    "outline demo",
    "search demo marmot",
    "show demo --section Top",
    "build demo",
    "lint demo",
    "find marmot",
    "catalog",
    "mcp",
    "build fresh",
];

/// L7, RFC-0005:C-CODES
#[test]
fn too_few_descriptors_are_an_error_and_never_a_panic() {
    let site = Site::built("demo", BODY);
    site.write_skill("fresh", BODY);
    let mut refused = 0;
    // With fewer than four, the program cannot be loaded at all.
    for (limit, line) in
        [4, 5, 6, 7, 8, 9, 10, 12, 16, 24].into_iter().flat_map(|limit| WORK.map(|line| (limit, line)))
    {
        let run = in_shell(&site, &format!("ulimit -n {limit}; exec \"$SKC\" {line}"));
        assert!([0, 1].contains(&run.status), "{limit} {line}: {} {}", run.status, run.err);
        assert!(!run.err.contains("error[E999]"), "{limit} {line}: {}", run.err);
        refused += u32::from(
            run.status == 1 && run.err.contains("error[E108]: ") && run.err.contains("too many open files"),
        );
    }
    assert!(refused > 10, "{refused}");
    let run = in_shell(&site, "ulimit -n 6; exec \"$SKC\" try");
    assert!(run.status == 1 && run.err.contains("error[E108]: "), "{}", run.err);
    assert_eq!(in_shell(&site, "ulimit -n 6; exec \"$SKC\" mcp").fails("E108").out, "");
}

/// L7, RFC-0005:C-CODES
#[test]
fn a_file_size_limit_ends_no_command_by_a_signal() {
    let site = Site::built("demo", BODY);
    site.write_skill("fresh", BODY);
    for (limit, line) in [0, 1, 8, 64].into_iter().flat_map(|limit| WORK.map(|line| (limit, line))) {
        let run = in_shell(&site, &format!("ulimit -f {limit}; exec \"$SKC\" {line}"));
        assert!([0, 1].contains(&run.status), "{limit} {line}: {} {}", run.status, run.err);
        assert!(!run.err.contains("error[E999]"), "{limit} {line}: {}", run.err);
        let is_read = ["outline demo", "search demo marmot", "show demo --section Top"].contains(&line);
        assert!(run.status == 0 || !is_read, "{limit} {line}: {}", run.err);
    }
    site.write_skill("demo", "# Top\n\nAnother text.\n");
    let run = in_shell(&site, "ulimit -f 0; exec \"$SKC\" build demo").fails("E109");
    assert!(run.err.contains("the file would exceed the size limit"), "{}", run.err);
    site.skc(["search", "demo", "marmot"]).fails("E002");
    site.skc(["build", "demo"]).ok();
}
