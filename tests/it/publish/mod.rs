//! RFC-0001:C-PUBLISH: builds that are observed, run twice at once, killed, or finished by another command.

mod generations;

use crate::random::number;
use crate::site::Site;
use generations::{FILES, Generations, generation};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::time::{Duration, Instant};

/// RFC-0001:C-PUBLISH
#[test]
fn a_reader_during_a_build_sees_one_state() {
    let mut skill = Generations::new();
    skill.site.skc(["build", "x"]).ok();
    let mut met = 0;
    for round in 0..200 {
        // In turn: an edit in place, a new index beside the old one, and a first build.
        skill.next([3, FILES + 1, 1][round % 3]);
        if round % 3 == 2 {
            fs::remove_dir_all(skill.site.runtime("x")).unwrap();
        }
        let mut build = skill.start();
        let mut is_new = false;
        while build.try_wait().unwrap().is_none() {
            let saw_new = if met % 2 == 0 { skill.judge(skill.search()) } else { skill.judge_shown(met % 3) };
            assert!(saw_new || !is_new, "the old state after the new one");
            is_new |= saw_new;
            met += 1;
        }
        assert!(finish_of(build));
        assert!(skill.judge(skill.search()));
        if met >= 12 && round >= 2 {
            return;
        }
    }
    panic!("only {met} answers met a running build");
}

/// RFC-0001:C-PUBLISH
#[test]
fn a_reader_between_commit_and_rename_sees_the_new_state() {
    let mut skill = Generations::new();
    skill.site.skc(["build", "x"]).ok();
    skill.build_up_to_the_commit();
    let lock = fs::File::options().write(true).open(skill.marker().with_file_name("build.lock")).unwrap();
    lock.lock().unwrap();
    assert!(skill.judge(skill.search()));
    assert!(skill.judge_shown(0) && skill.judge_shown(5));
    skill.site.skc(["list"]).ok();
    assert!(skill.marker().exists(), "the build that holds the lock finishes it");
    drop(lock);
    assert!(skill.judge(skill.search()));
    skill.agree();
}

/// RFC-0001:C-PUBLISH
#[test]
fn two_builds_at_once_both_end_with_success() {
    let mut skill = Generations::new();
    for round in 0..number("SKC_BUILDS_AT_ONCE", 9).div_ceil(3) {
        // The first build finds everything new.
        skill.next(if round == 0 { 0 } else { [FILES + 1, 3][round as usize % 2] });
        let builds: Vec<_> =
            (0..3).map(|_| skill.site.command(["build", "x", "-o", "json"]).spawn().unwrap()).collect();
        let replies = builds.into_iter().map(|build| {
            let done = build.wait_with_output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            serde_json::from_slice::<Value>(&done.stdout).unwrap()
        });
        let changed = replies.filter(|reply| reply["built"][0]["changed"] == true).count();
        assert_eq!(changed, 1, "the later ones find the work done");
        assert!(skill.judge(skill.search()));
        skill.agree();
    }
}

/// RFC-0001:C-PUBLISH
#[test]
fn a_build_killed_at_any_step_leaves_a_true_state() {
    let mut skill = Generations::new();
    let mut took = [Duration::ZERO; 3];
    let (mut landed, mut tries) = ([0; 3], 0_u32);
    let kills = number("SKC_KILLS", 21) as u32;
    while landed.iter().sum::<u32>() < kills {
        assert!(tries < 10 * kills, "kills that met a running build: {landed:?}");
        let kind = tries as usize % 3;
        tries += 1;
        // In turn: a first build, a full build, and an edit in place.
        skill.next([1, FILES + 1, 3][kind]);
        match kind {
            0 => fs::remove_dir_all(skill.site.runtime("x")).unwrap_or_default(),
            2 => drop(skill.site.skc(["build", "x"]).ok()),
            _ => {}
        }
        if kind == 2 {
            skill.next(3);
        }
        // Multiples of the golden ratio are spread evenly, no matter how many there are.
        let share = (f64::from(tries) * 0.618_033_988_749_895).fract();
        if kill(&skill, took[kind].mul_f64(share), &mut took[kind]) {
            landed[kind] += 1;
        }
        check_after_a_kill(&skill, tries);
    }
    assert!(landed.iter().all(|kills| *kills > 0), "{landed:?}");
    skill.site.skc(["build", "x"]).ok();
    assert!(skill.judge(skill.search()));
    skill.agree();
}

/// Starts a build and kills it after a time. Returns false if it had already ended; then its duration is recorded.
fn kill(skill: &Generations, at: Duration, took: &mut Duration) -> bool {
    let start = Instant::now();
    let mut build = skill.start();
    // The first build of each kind is not killed, and shows how long such a build takes.
    while took.is_zero() || start.elapsed() < at {
        if build.try_wait().unwrap().is_some() {
            *took = start.elapsed();
            assert!(finish_of(build));
            return false;
        }
        std::thread::yield_now();
    }
    build.kill().unwrap();
    build.wait().unwrap().signal() == Some(9)
}

/// Asserts that every command answers from one of the two states, and that the first command makes the stub, the
/// manifest and the index agree.
fn check_after_a_kill(skill: &Generations, turn: u32) {
    let first =
        [&["outline", "x"][..], &["list"], &["search", "x", "common"], &["sources", "x"]][turn as usize % 4];
    let run = skill.site.skc(first);
    if run.status != 0 {
        run.fails("E002");
    }
    skill.agree();
    let is_new = skill.judge(skill.search());
    assert_eq!(skill.judge_shown(0), is_new);
    if is_new {
        let stub = fs::read_to_string(skill.stub()).unwrap();
        assert_eq!(generation(&stub), Some(skill.current));
    }
}

/// RFC-0001:C-PUBLISH
#[test]
fn a_pending_publish_is_finished_by_the_next_command() {
    let mut skill = Generations::new();
    skill.site.skc(["build", "x"]).ok();
    for command in [
        &["show", "x", "--section", "Mark 0"][..],
        &["search", "x", "common"],
        &["outline", "x"],
        &["open", "x", "SKILL.md"],
        &["sources", "x"],
        &["list"],
        &["build", "x"],
        &["undeploy", "x"],
    ] {
        skill.build_up_to_the_commit();
        let before = fs::read(skill.stub()).unwrap();
        skill.site.skc(command).ok();
        skill.agree();
        assert_ne!(fs::read(skill.stub()).unwrap(), before, "{command:?}");
    }
}

/// RFC-0001:C-PUBLISH
#[test]
fn a_build_puts_back_a_lost_stub() {
    let site = Site::built("x", "# X\n");
    let files = ["SKILL.md", ".skillc-meta/manifest.json"].map(|name| site.runtime("x").join(name));
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let spoil: [&dyn Fn(); 3] =
            [&|| fs::remove_file(file).unwrap(), &|| fs::write(file, "altered").unwrap(), &|| {
                fs::write(file, "").unwrap()
            }];
        for spoil in spoil {
            spoil();
            site.skc(["build", "x"]).ok();
            assert_eq!(fs::read(file).unwrap(), bytes);
        }
    }
}

/// Waits for a build and returns whether it succeeded.
fn finish_of(mut build: Child) -> bool {
    build.wait().unwrap().success()
}
