//! A home and a project under random edits and commands, compared with a plain model of them.
//!
//! After each step the list of skills, the deployments and the answer to one question (`show`, `search`, `outline`,
//! `open`, `find`, `load`, `stats`) must be those of the model, from the program and from a server that lives as long
//! as the home. Some commands run in two processes at once, and some are killed and run again.
//!
//! `SKC_MODEL_HOMES` sets the number of homes (8), `SKC_MODEL_SEED` the first seed (1). A home that fails is reduced
//! and printed; its steps are then added to [`cases`].

mod action;
mod cases;
mod content;
mod home;
mod question;
mod server;

use crate::random::{Random, number};
use crate::site::{Run, Site, finish};
use action::{Action, Expected, Manner, action, manner};
use content::Content;
use home::{Home, NAMES, Place, Store, source_folder};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use server::Server;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum number of steps per home.
const STEPS_MAX: usize = 40;

/// An action, how its command is run, and the question after it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    action: Action,
    manner: Manner,
    question: usize,
    name: usize,
}

fn step() -> impl Strategy<Value = Step> {
    let question = (0..question::QUESTIONS, 0..NAMES.len());
    (action(), manner(), question).prop_map(|(action, manner, (question, name))| Step {
        action,
        manner,
        question,
        name,
    })
}

#[test]
fn a_home_is_at_each_step_what_the_model_says() {
    let seed = number("SKC_MODEL_SEED", 1);
    let cases = number("SKC_MODEL_HOMES", 8) as u32;
    let mut random = Random::new(seed);
    let bytes: Vec<u8> = (0..4).flat_map(|_| random.next().to_le_bytes()).collect();
    let config = Config { cases, max_shrink_iters: 150, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let steps = prop::collection::vec(step(), 1..=STEPS_MAX);
    let result = runner.run(&steps, |steps| live(&steps).map_err(TestCaseError::fail));
    match result {
        Ok(()) => println!("{cases} homes of seed {seed}"),
        Err(TestError::Fail(why, steps)) => panic!("seed {seed}: {why}\nafter {steps:#?}"),
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

/// Runs the steps in a new home.
fn live(steps: &[Step]) -> Result<(), String> {
    let site = Site::new();
    let mut home = Home::default();
    let mut server = Server::start(&site);
    for (at, step) in steps.iter().enumerate() {
        let in_context =
            |problem: String| format!("step {at}, {:?} {:?}: {problem}", step.action, step.manner);
        go(&site, &mut home, *step).map_err(in_context)?;
        question::ask_always(&site, &home).map_err(in_context)?;
        question::ask(&site, &mut server, &mut home, step.question, step.name).map_err(in_context)?;
    }
    Ok(())
}

/// Runs one step in the home and in the model.
fn go(site: &Site, home: &mut Home, step: Step) -> Result<(), String> {
    let Some(words) = step.action.command() else {
        step.action.apply(home);
        write_sources(site, home);
        return Ok(());
    };
    let before = home.clone();
    let expected = step.action.apply(home);
    if let Action::Import(name) = step.action {
        let folder = site.root().join("download").join(NAMES[name]);
        home.sources[&(Store::Project, NAMES[name])].write(&folder);
    }
    let repeated = step.action.when_repeated().filter(|_| expected == Expected::Done);
    match (step.manner, repeated) {
        (Manner::Twice, Some(codes)) => {
            let done = twice(site, &words, codes)?;
            // The second process began after the end of the first, and took another skill of the name.
            if done == 2 && step.action.takes_away().is_some() && step.action.apply(home) != Expected::Done {
                return Err("both of two did it".to_owned());
            }
        }
        (Manner::Killed(at), Some(codes)) => {
            let goes = step.action.takes_away().and_then(|name| before.resolve(name));
            killed(site, &words, at, codes, goes.map(|place| source_folder(site, place)))?;
        }
        _ => judge(&site.skc(&words), expected)?,
    }
    if let Action::Init(_) = step.action {
        write_sources(site, home);
    }
    if !matches!(step.manner, Manner::Alone) {
        count_again(site, &before, home)?;
    }
    Ok(())
}

/// Whether a run ended as the model expects.
fn judge(run: &Run, expected: Expected) -> Result<(), String> {
    let is_expected = match expected {
        Expected::Done => run.status == 0,
        Expected::Refused(codes) => {
            run.status == 1 && codes.iter().any(|code| run.err.contains(&format!("error[{code}]")))
        }
    };
    let said = || format!("status {}: {}{}, the model says {expected:?}", run.status, run.out, run.err);
    if is_expected { Ok(()) } else { Err(said()) }
}

/// Runs a command in two processes at once; each must succeed or find that it is already done. Returns how many succeeded.
fn twice(site: &Site, words: &[String], when_done: &'static [&'static str]) -> Result<u32, String> {
    let [one, other] = [(), ()].map(|()| site.command(words).spawn().unwrap());
    let ends = [one, other].map(|child| child.wait_with_output().unwrap());
    let mut done = 0;
    for end in ends {
        let err = String::from_utf8_lossy(&end.stderr);
        let is_done = when_done.iter().any(|code| err.contains(&format!("error[{code}]")));
        if !end.status.success() && !is_done {
            return Err(format!("one of two: {}: {err}", end.status));
        }
        done += u32::from(end.status.success());
    }
    if done == 0 { Err("neither of two did it".to_owned()) } else { Ok(done) }
}

/// Kills a command after a while, and runs it again unless the folder that it takes away is gone.
fn killed(
    site: &Site,
    words: &[String],
    at: u16,
    when_done: &'static [&'static str],
    goes: Option<PathBuf>,
) -> Result<(), String> {
    let mut child = site.command(words).spawn().unwrap();
    std::thread::sleep(Duration::from_micros(u64::from(at) * 100));
    let _ = child.kill();
    child.wait().unwrap();
    if goes.is_some_and(|folder| !folder.exists()) {
        return Ok(());
    }
    let again = finish(site.command(words));
    let is_done = when_done.iter().any(|code| again.err.contains(&format!("error[{code}]")));
    if again.status == 0 || is_done {
        Ok(())
    } else {
        Err(format!("again: status {}: {}", again.status, again.err))
    }
}

/// Commands that were killed or run twice may have been logged once or twice.
fn count_again(site: &Site, before: &Home, home: &mut Home) -> Result<(), String> {
    // `stats` cannot be asked where the source was deleted by hand.
    let is_deserted = |place: &&Place| !home.sources.contains_key(place);
    let deserted: Vec<Place> = home.runtimes.keys().filter(is_deserted).copied().collect();
    for place in deserted {
        home.runtime(place).events = question::rows(site, place);
    }
    let places: Vec<Place> = home.sources.keys().copied().collect();
    for place in places {
        if home.resolve(place.1) != Some(place) {
            continue;
        }
        let least = before.runtimes.get(&place).map_or(0, |runtime| runtime.events);
        let expected = home.runtime(place).events;
        let actual = question::events(site, place.1)?;
        if actual + 1 < expected.min(least) || actual > expected.max(least) + 2 {
            return Err(format!("{actual} events of {place:?}, the model says {expected}"));
        }
        home.runtime(place).events = actual + 1;
    }
    Ok(())
}

/// Writes the sources as they are in the model.
fn write_sources(site: &Site, home: &Home) {
    for store in [Store::Project, Store::Home] {
        for name in NAMES {
            let folder = source_folder(site, (store, name));
            match home.sources.get(&(store, name)) {
                Some(content) => rewrite(content, &folder),
                None if folder.is_dir() => std::fs::remove_dir_all(folder).unwrap(),
                None => {}
            }
        }
    }
}

fn rewrite(content: &Content, folder: &std::path::Path) {
    let is_same =
        std::fs::read_to_string(folder.join("SKILL.md")).is_ok_and(|text| text == content.skill_md());
    if !is_same {
        content.write(folder);
    }
}
