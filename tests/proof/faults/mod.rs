//! Fault injection: a system call that changes a file fails, or the command is killed there.
//!
//! A scene is a home directory in which one writing command runs with a fault at one of its places. The command must
//! then fail with a code, the user's files must be intact, repeating the command must complete it, and `skc doctor`
//! must not find anything that it does not also find after an undisturbed run. What is left by a kill must also survive a
//! kill of the repeated command.
//!
//! `SKC_FAULT_PLACES` sets the number of places of each scene (1; 0 for all), `SKC_FAULT_SEED` the seed (1), and
//! `SKC_FAULT_SCENE` selects scenes by a part of their name. With `SKC_REQUIRE_FAULTS=1` the tests fail where faults
//! cannot be injected.

mod scenes;
mod state;
mod supervisor;

use crate::random::{Random, number};
use crate::site::{Run, Site};
use scenes::{SCENES, Scene};
use skillc_ops::verb::OPS;
use state::{State, differences};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use supervisor::{Fault, Supervised};

/// Verbs that write and have no scene, each with the reason.
const WITHOUT_SCENE: &[(&str, &str)] = &[
    ("model", "installs from the network; its kills are in rfc_0013"),
    ("team", "writes to PostgreSQL; its faults are in postgres::faults"),
    ("slim", "writes by disable and by the editor of lint --fix"),
    ("prove", "needs an agent's program"),
];

/// Where a fault once left something wrong: the scene, the fault, and a part of the place. These are always tried.
const ONCE_WRONG: &[(&str, Fault, &str)] = &[
    ("first build", Fault::Fail, "/.skillc-tmp-scripts-"),
    ("import over another", Fault::Fail, "/skills/.skillc-replaced-"),
    ("rename", Fault::Full, "/skills/omega/SKILL.md"),
    ("rename with a copy", Fault::Fail, "/omega/.skillc-meta/manifest.json"),
];

/// The results of a scene without a fault.
struct Undisturbed {
    before: State,
    after: State,
    findings: BTreeSet<String>,
    places: Vec<String>,
}

#[test]
fn every_verb_that_writes_has_a_scene() {
    for verb in OPS.iter().filter(|verb| !verb.is_read_only) {
        let is_walked = SCENES.iter().any(|scene| scene.command[0] == verb.name);
        let has_reason = WITHOUT_SCENE.iter().any(|(name, _)| *name == verb.name);
        assert!(is_walked || has_reason, "'{}' writes, but faults are not tried in it", verb.name);
    }
}

#[test]
fn a_failure_at_any_place_is_an_error_that_loses_nothing() {
    walk_all(Fault::Fail);
}

#[test]
fn a_disk_that_is_full_from_any_place_on_loses_nothing() {
    walk_all(Fault::Full);
}

#[test]
fn a_command_that_is_killed_at_any_place_loses_nothing() {
    walk_all(Fault::Kill);
}

#[test]
fn a_command_that_is_killed_and_killed_again_loses_nothing() {
    walk_all(Fault::KillTwice);
}

fn walk_all(fault: Fault) {
    if !supervisor::is_possible() {
        assert!(std::env::var_os("SKC_REQUIRE_FAULTS").is_none(), "faults cannot be made here");
        return eprintln!("NOT CHECKED: faults cannot be made here");
    }
    let wanted = std::env::var("SKC_FAULT_SCENE").unwrap_or_default();
    let (mut problems, mut tried) = (Vec::new(), 0);
    for scene in SCENES.iter().filter(|scene| scene.name.contains(&wanted)) {
        let (places, walked, found) = walk(scene, fault);
        println!("{fault:?} {}: {walked} of {places} places, {} problems", scene.name, found.len());
        found.iter().for_each(|problem| println!("  {problem}"));
        tried += walked;
        problems.extend(found);
    }
    println!("{fault:?}: {tried} faults in all");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Tries a fault at several places of one scene. Returns the number of places, the number tried, and the problems.
fn walk(scene: &Scene, fault: Fault) -> (usize, usize, Vec<String>) {
    let site = Site::new();
    (scene.set)(&site);
    let copy = tempfile::Builder::new().prefix("skc-template-").tempdir().unwrap();
    copy_tree(&site.root(), copy.path());
    let before = State::of(&site.root());
    let counted = supervisor::run(site.command(scene.command), Fault::None, 0);
    if counted.run.status != 0 || counted.places.is_empty() {
        return (
            0,
            0,
            vec![format!("{}: it does nothing: {} {}", scene.name, counted.run.out, counted.run.err)],
        );
    }
    let after = State::of(&site.root());
    let findings = findings(&site);
    let undisturbed = Undisturbed { before, after, findings, places: counted.places };
    let mut chosen = choose(&undisturbed.places);
    chosen.extend(once_wrong(scene, fault, &undisturbed.places));
    let mut problems = Vec::new();
    for &place in &chosen {
        copy_tree(copy.path(), &site.root());
        let disturbed = supervisor::run(site.command(scene.command), fault, place);
        if fault == Fault::KillTwice {
            kill_again(scene, &undisturbed, &site, place);
        }
        let found = judge(scene, &undisturbed, &site, fault, &disturbed);
        let at = disturbed.places.last().map_or("-", String::as_str);
        let whole = |problem| format!("{fault:?} {} at place {place} ({at}): {problem}", scene.name);
        problems.extend(found.into_iter().map(whole));
    }
    (undisturbed.places.len(), chosen.len(), problems)
}

/// Repeats a killed command that is not complete, and kills it at a random place.
fn kill_again(scene: &Scene, undisturbed: &Undisturbed, site: &Site, place: usize) {
    if differences(&undisturbed.after, &State::of(&site.root())).next().is_some() {
        let mut random = Random::new(number("SKC_FAULT_SEED", 1) ^ place as u64);
        let again = 1 + random.below(undisturbed.places.len());
        supervisor::run(site.command(scene.command), Fault::Kill, again);
    }
}

/// The numbers of the places to try, from 1. A short run skips consecutive writes to the same file.
fn choose(places: &[String]) -> BTreeSet<usize> {
    let count = number("SKC_FAULT_PLACES", 1) as usize;
    if count == 0 {
        return (1..=places.len()).collect();
    }
    let mut kinds: Vec<usize> =
        (1..=places.len()).filter(|&n| n == 1 || places[n - 1] != places[n - 2]).collect();
    let mut random = Random::new(number("SKC_FAULT_SEED", 1));
    let mut chosen = BTreeSet::new();
    while chosen.len() < count && !kinds.is_empty() {
        chosen.insert(kinds.swap_remove(random.below(kinds.len())));
    }
    chosen
}

/// The numbers of the places of [`ONCE_WRONG`].
fn once_wrong(scene: &Scene, fault: Fault, places: &[String]) -> BTreeSet<usize> {
    let of_scene = ONCE_WRONG.iter().filter(|(name, kind, _)| *name == scene.name && *kind == fault);
    let numbers = |(_, _, part): &(_, _, &str)| -> Vec<usize> {
        (1..=places.len()).filter(|n| places[n - 1].contains(part)).collect()
    };
    of_scene.flat_map(numbers).collect()
}

/// Returns the problems after a fault.
fn judge(
    scene: &Scene,
    undisturbed: &Undisturbed,
    site: &Site,
    fault: Fault,
    disturbed: &Supervised,
) -> Vec<String> {
    let mut problems = Vec::new();
    let said = |run: &Run| format!("status {}: {}{}", run.status, run.out, run.err);
    let is_killed = matches!(fault, Fault::Kill | Fault::KillTwice);
    if !is_killed {
        problems
            .extend(uncoded(&disturbed.run).map(|problem| format!("{problem}: {}", said(&disturbed.run))));
    }
    let left = State::of(&site.root());
    problems.extend(left.losses(&undisturbed.before, &undisturbed.after));
    let is_complete = differences(&undisturbed.after, &left).next().is_none();
    // A link that cannot be created is reported, and a copy or nothing is there instead until the next build.
    let is_reported = ["W040", "W046"].iter().any(|code| disturbed.run.err.contains(code));
    if disturbed.run.err.contains("W046") {
        let name = if scene.name.starts_with("rename") { "omega" } else { "alpha" };
        site.skc(["build", name]);
    }
    if !is_killed && disturbed.run.status == 0 && !is_reported {
        problems.extend(
            differences(&undisturbed.after, &left).map(|text| format!("it said success, but {text}")),
        );
    }
    // A command that cannot be done twice is not repeated.
    if !is_complete || scene.when_done.is_empty() {
        problems.extend(repeat(scene, undisturbed, site));
    }
    let worse: Vec<String> = findings(site).difference(&undisturbed.findings).cloned().collect();
    if !worse.is_empty() {
        // The next command completes an interrupted rename.
        site.skc(["list"]);
        site.skc(["doctor", "--fix"]);
        let unfixed: Vec<String> = findings(site).difference(&undisturbed.findings).cloned().collect();
        problems.extend(unfixed.into_iter().map(|finding| format!("doctor cannot fix '{finding}'")));
    }
    problems
}

/// Repeats the command without a fault and returns the problems.
fn repeat(scene: &Scene, undisturbed: &Undisturbed, site: &Site) -> Vec<String> {
    let mut problems = Vec::new();
    let again = site.skc(scene.command);
    let is_done = scene.when_done.iter().any(|code| again.err.contains(&format!("error[{code}]")));
    if again.status != 0 && !is_done {
        problems.push(format!("the same command again: status {}: {}{}", again.status, again.out, again.err));
    }
    let left = State::of(&site.root());
    // An interrupted undo may be reverted by the next one.
    let is_taken_back =
        scene.command[0] == "undo" && differences(&undisturbed.before, &left).next().is_none();
    if !is_taken_back {
        let differences = differences(&undisturbed.after, &left);
        problems.extend(differences.map(|text| format!("after the same command again {text}")));
    }
    problems.extend(left.lost_events(&undisturbed.after));
    problems
}

/// Why the exit of a disturbed run is wrong; `None` if it is right.
fn uncoded(run: &Run) -> Option<&'static str> {
    match run.status {
        0 => run.err.contains("panicked").then_some("it panicked"),
        1 if run.err.contains("panicked") => Some("it panicked"),
        1 if run.err.contains("error[E") => None,
        1 => Some("an error without a code"),
        _ => Some("an end without an error"),
    }
}

/// The findings of the doctor: check and path.
fn findings(site: &Site) -> BTreeSet<String> {
    let reply = site.skc(["doctor", "--format", "json"]).json();
    let finding = |finding: &serde_json::Value| {
        format!("{} {}: {}", finding["check"], finding["path"], finding["what"])
    };
    reply["findings"].as_array().into_iter().flatten().map(finding).collect()
}

/// Copies a folder with times and permissions.
fn copy_tree(from: &Path, to: &Path) {
    for entry in fs::read_dir(to).unwrap() {
        fs::remove_dir_all(entry.unwrap().path()).unwrap();
    }
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().unwrap();
    assert!(status.success());
}
