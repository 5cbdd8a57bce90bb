//! Hostile repositories from a seed: each command and tool is run over each, and nothing outside skc's places may change or
//! be told.
//!
//! `SKC_HOSTILE_REPOSITORIES` says how many (400), `SKC_HOSTILE_SEED` the seed of the first (1). One alone is replayed
//! with its seed and the number 1, and its folder is kept.

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

/// Lines that are run over a repository beside those that name one of its features.
const LINES: usize = 4;
/// Lines that are run because they name a feature's place.
const NAMING_LINES_MAX: usize = 2;

/// A repository, and what came of it.
pub struct Verdict {
    /// Its seed.
    pub seed: u64,
    /// What was hostile in it.
    pub features: Vec<Feature>,
    /// Numbers of the lines that were run.
    pub lines: Vec<usize>,
    /// The tools that were called.
    pub tools: Vec<String>,
    /// What must not have happened.
    pub faults: Vec<Fault>,
}

/// Makes the repository of a seed and runs everything over it.
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
        // What was replaced by force is wanted back.
        if act.words.contains(&"--force".to_owned()) && random.percent(40) {
            run_line(judge, sandbox, &Act { words: vec!["undo".to_owned()], ..act }, None);
        }
    }
    drawn
}

/// Some lines, the ones that name a place of a feature among them.
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

/// The end of what a program said before it died.
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
        // What only reads is looked at together with what follows, unless each is to be known by itself.
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
