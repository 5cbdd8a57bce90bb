//! Hostile repositories generated from seeds: every command and tool runs on each, and nothing outside skc's own files
//! may change or be disclosed.
//!
//! `SKC_HOSTILE_REPOSITORIES` is their number (400), `SKC_HOSTILE_SEED` the first seed (1). Setting the number to 1
//! replays a single repository and keeps its folder.

mod allowed;
mod commands;
mod deploys;
mod features;
mod forged;
mod honest;
mod in_the_way;
mod judge;
mod links;
mod names;
mod program;
mod report;
mod sandbox;
mod session;
mod settings;
mod special;
mod tests;
mod tree;

use crate::random;
use allowed::{Act, Surface};
use features::{Feature, Ground};
use honest::{PROJECT, SKILLS};
use judge::{Fault, Judge};
use random::Random;
use sandbox::Sandbox;
use session::Session;

/// Command lines per repository, in addition to those that name one of its features.
const LINES: usize = 4;
/// Command lines per repository that name the path of a feature.
const NAMING_LINES_MAX: usize = 2;

/// The result of one repository.
pub struct Verdict {
    pub seed: u64,
    /// Its hostile features.
    pub features: Vec<Feature>,
    /// Indexes of the command lines that ran.
    pub lines: Vec<usize>,
    /// Tools that were called.
    pub tools: Vec<String>,
    /// Violations.
    pub faults: Vec<Fault>,
}

/// Generates the repository of a seed and runs everything on it.
pub fn try_out(sandbox: &Sandbox, seed: u64) -> Verdict {
    let mut random = Random::new(seed);
    sandbox.restore();
    let skills = SKILLS.map(str::to_owned).to_vec();
    let mut ground = Ground { sandbox, random: &mut random, skills };
    let features = features::plant(&mut ground);
    let skills = ground.skills;
    let mut judge = Judge::new(sandbox);
    let (mut lines, mut tools) = (Vec::new(), Vec::new());
    let is_server_first = random.percent(30);
    for part in [is_server_first, !is_server_first] {
        if part {
            tools = serve(&mut judge, sandbox, &skills, &mut random);
        } else {
            lines = run_lines(&mut judge, sandbox, &features, &skills, &mut random);
        }
    }
    host(&mut judge, sandbox, &skills, &mut random);
    Verdict { seed, features, lines, tools, faults: judge.faults }
}

fn run_lines(
    judge: &mut Judge<'_>,
    sandbox: &Sandbox,
    features: &[Feature],
    skills: &[String],
    random: &mut Random,
) -> Vec<usize> {
    let all = commands::lines();
    let drawn = draw(&all, features, random);
    for line in &drawn {
        let words = commands::filled(&all[*line], skills, random);
        let act = Act { surface: Surface::CommandLine, words };
        run_line(judge, sandbox, &act, None);
        // Restores what was replaced by force.
        if act.words.contains(&"--force".to_owned()) && random.percent(40) {
            run_line(judge, sandbox, &Act { words: vec!["undo".to_owned()], ..act }, None);
        }
    }
    drawn
}

/// Draws command lines, including some that name the path of a feature.
fn draw(all: &[Vec<String>], features: &[Feature], random: &mut Random) -> Vec<usize> {
    let is_naming =
        |line: &usize| features.iter().any(|feature| commands::names(&all[*line], &feature.place));
    let mut naming: Vec<usize> = (0..all.len()).filter(is_naming).collect();
    while naming.len() > NAMING_LINES_MAX {
        naming.swap_remove(random.below(naming.len()));
    }
    naming.extend((0..LINES).map(|_| random.below(all.len())));
    naming
}

fn run_line(judge: &mut Judge<'_>, sandbox: &Sandbox, act: &Act, input: Option<&str>) {
    let outcome = program::run(sandbox, PROJECT, &act.words, input);
    if !matches!(outcome.status, Some(0 | 1)) {
        judge.fault(act, &format!("ended with {}: {}", outcome.end, last_words(&outcome.said)));
    }
    judge.said(act, &outcome.said);
    judge.changed(act);
    judge.strays(act);
}

/// The end of the output of a program that died.
fn last_words(said: &[u8]) -> String {
    String::from_utf8_lossy(&said[said.len().saturating_sub(400)..]).into_owned()
}

fn serve(judge: &mut Judge<'_>, sandbox: &Sandbox, skills: &[String], random: &mut Random) -> Vec<String> {
    let begun = Act { surface: Surface::Mcp, words: vec!["mcp".to_owned()] };
    let mut skills = skills.to_vec();
    skills.extend(["mine".to_owned(), "./vendor/dl".to_owned()]);
    let Some(mut server) = Session::start(sandbox) else {
        judge.fault(&begun, "did not start");
        return Vec::new();
    };
    let tools = server.ask("tools/list", serde_json::json!({})).unwrap_or_default();
    let calls = session::calls(&tools, &skills, random).into_iter().chain(session::methods(&skills, random));
    let (mut called, mut is_looked_at) = (Vec::new(), true);
    for call in calls {
        let act = Act { surface: Surface::Mcp, words: call.words };
        if !call.is_read_only && !is_looked_at {
            judge.changed(&begun);
        }
        let from = server.said.len();
        if let Err(why) = server.ask(&call.method, call.params.clone()) {
            judge.fault(&act, &why);
            break;
        }
        let faults = judge.faults.len();
        judge.said(&act, &server.said[from..]);
        // Read-only calls are checked together with the next call that writes, unless each call is judged separately.
        is_looked_at = !call.is_read_only || sandbox.is_slow;
        if is_looked_at {
            judge.changed(&act);
        }
        for fault in &mut judge.faults[faults..] {
            fault.act = format!("{} {}", call.method, call.params);
        }
        called.push(call.params["name"].as_str().unwrap_or(&call.method).to_owned());
    }
    let (end, said) = server.close(sandbox);
    if end != "exit status: 0" {
        judge.fault(&begun, &format!("ended with {end}: {}", last_words(&said)));
    }
    judge.said(&begun, &said);
    judge.changed(&begun);
    judge.strays(&begun);
    called
}

fn host(judge: &mut Judge<'_>, sandbox: &Sandbox, skills: &[String], random: &mut Random) {
    let act = Act { surface: Surface::Host, words: vec!["host".to_owned()] };
    run_line(judge, sandbox, &act, Some(&session::host(skills, random)));
}
