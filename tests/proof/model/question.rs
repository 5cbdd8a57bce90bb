//! The questions after each step, and whether the answers are those of the model.

use super::home::{Home, NAMES, Place, Store, deployed_path, source_folder};
use super::server::Server;
use crate::site::{Run, Site};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

/// The kinds of questions.
pub const QUESTIONS: usize = 7;

/// Compares an answer with the model's.
type Answer = Result<(), String>;

/// Lists all skills, and checks the deployments.
pub fn ask_always(site: &Site, home: &Home) -> Answer {
    list(site, home)?;
    deployed(site, home)
}

/// Asks the program and the server one question about one skill.
pub fn ask(site: &Site, server: &mut Server, home: &mut Home, question: usize, name: usize) -> Answer {
    let name = NAMES[name % NAMES.len()];
    match question % QUESTIONS {
        0 => show(site, server, home, name),
        1 => search(site, server, home, name),
        2 => outline(site, server, home, name),
        3 => open(site, server, home, name),
        4 => find(site, server, home, name),
        5 => load(site, server, home, name),
        _ => stats(site, home, name),
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, actual: &T, expected: &T) -> Answer {
    if actual == expected { Ok(()) } else { Err(format!("{what}: {actual:?}, the model says {expected:?}")) }
}

/// The output of a run that succeeded, or its first code.
fn answer(run: &Run) -> Result<String, String> {
    if run.status == 0 {
        return Ok(run.out.clone());
    }
    let code = run.err.split("error[").nth(1).and_then(|rest| rest.split(']').next());
    Err(code.map_or_else(|| format!("status {}: {}", run.status, run.err), str::to_owned))
}

fn list(site: &Site, home: &Home) -> Answer {
    let reply = site.skc(["list", "--check-obsolete", "--format", "json"]);
    let reply: Value =
        serde_json::from_str(&reply.out).map_err(|e| format!("list: {e}: {}{}", reply.out, reply.err))?;
    let skills = reply["skills"].as_array().into_iter().flatten();
    let actual: BTreeSet<String> =
        skills.map(|s| format!("{} {} {} {}", s["scope"], s["name"], s["status"], s["deployed"])).collect();
    let line = |&(store, name): &Place| {
        let runtime = home.runtimes.get(&(store, name));
        let is_deployed = runtime.is_some_and(|runtime| runtime.deployed.is_some());
        let deployed = if is_deployed { json!(["claude-code"]) } else { json!([]) };
        format!("{} {} {} {deployed}", json!(store.scope()), json!(name), json!(home.status((store, name))))
    };
    expect("list", &actual, &home.sources.keys().map(line).collect())
}

fn deployed(site: &Site, home: &Home) -> Answer {
    for store in [Store::Project, Store::Home] {
        for name in NAMES {
            let path = deployed_path(site, (store, name));
            let is_copy = fs::symlink_metadata(&path).ok().map(|metadata| metadata.is_dir());
            let expected = home.runtimes.get(&(store, name)).and_then(|runtime| runtime.deployed);
            expect(&format!("whether {} is a copy", path.display()), &is_copy, &expected)?;
        }
    }
    Ok(())
}

/// Compares the reply of a tool with the model's: a skill that is switched off is refused, and any other reply is
/// logged.
fn judge_reply<T: PartialEq + std::fmt::Debug>(
    home: &mut Home,
    place: Place,
    tool: &str,
    reply: Result<T, String>,
    expected: Result<T, String>,
) -> Answer {
    if home.is_off(place.1) {
        return expect(&format!("{tool} of a skill that is switched off"), &reply, &Err("E073".to_owned()));
    }
    count(home, place);
    expect(&format!("{tool} {}", place.1), &reply, &expected)
}

/// Counts an event if the command resolved a skill.
fn count(home: &mut Home, place: Place) {
    home.runtime(place).events += 1;
}

fn show(site: &Site, server: &mut Server, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else {
        return expect("show", &answer(&site.skc(["show", name, "--section", "Start"])), &Err("E001".into()));
    };
    let content = home.sources[&place].clone();
    for (file, section, text) in content.shown() {
        let run = site.skc(["show", name, "--section", &section.heading, "--file", &file]);
        count(home, place);
        let expected = if home.is_fresh(place) { Ok(text) } else { Err("E002".to_owned()) };
        expect(&format!("show {name} {}", section.heading), &answer(&run), &expected)?;
        let reply = server.call(
            "skc_show",
            &json!({ "skill": name, "section": section.heading, "file": file, "max_lines": 50 }),
        );
        judge_reply(home, place, "skc_show", reply, expected)?;
    }
    Ok(())
}

fn search(site: &Site, server: &mut Server, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let content = home.sources[&place].clone();
    let Some((file, section, _)) = content.shown().pop() else { return Ok(()) };
    let run = site.skc(["search", name, &section.word, "--format", "json"]);
    count(home, place);
    let reply = server.call("skc_search", &json!({ "skill": name, "query": section.word }));
    let expected = if home.is_fresh(place) { Ok(true) } else { Err("E002".to_owned()) };
    let is_in_reply = reply.map(|text| text.contains(&section.heading));
    judge_reply(home, place, "skc_search", is_in_reply, expected)?;
    if !home.is_fresh(place) {
        return expect(&format!("search {name}"), &answer(&run), &Err("E002".to_owned()));
    }
    let first = |text: &str| Some(serde_json::from_str::<Value>(text).ok()?["results"][0].clone());
    let found = answer(&run).ok().as_deref().and_then(first).unwrap_or_default();
    expect(&format!("the first file of {}", section.word), &found["file"], &json!(file))?;
    expect(&format!("the first section of {}", section.word), &found["section"], &json!(section.heading))
}

fn outline(site: &Site, server: &mut Server, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let content = home.sources[&place].clone();
    let run = site.skc(["outline", name]);
    let reply = server.call("skc_outline", &json!({ "skill": name }));
    count(home, place);
    let expected = expected_headings(&content);
    judge_reply(home, place, "skc_outline", reply.map(|text| headings(&text)), Ok(expected.clone()))?;
    expect("outline", &answer(&run).map(|text| headings(&text)), &Ok(expected))
}

fn headings(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("# ").trim_start_matches('#').trim());
    lines.filter(|line| line.starts_with("Part ")).map(str::to_owned).collect()
}

fn expected_headings(content: &super::content::Content) -> BTreeSet<String> {
    content.shown().into_iter().map(|(_, section, _)| section.heading.clone()).collect()
}

fn open(site: &Site, server: &mut Server, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let text = home.sources[&place].skill_md();
    let run = site.skc(["open", name, "SKILL.md"]);
    count(home, place);
    expect(&format!("open {name}"), &answer(&run), &Ok(text.clone()))?;
    let reply = server.call("skc_open", &json!({ "skill": name, "path": "SKILL.md" }));
    judge_reply(home, place, "skc_open", reply, Ok(text))
}

fn find(site: &Site, server: &mut Server, home: &Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let topic = &home.sources[&place].topic;
    let run = site.skc(["find", topic, "--format", "json"]);
    let reply: Value = serde_json::from_str(&run.out).unwrap_or_default();
    let path = source_folder(site, place).join("SKILL.md").to_string_lossy().into_owned();
    let is_found =
        reply["results"].as_array().is_some_and(|results| results.iter().any(|r| r["path"] == json!(path)));
    expect(&format!("whether find shows {path}: {}{}", run.out, run.err), &is_found, &!home.is_off(name))?;
    let reply = server.call("skill_search", &json!({ "query": topic }));
    let is_in_reply = reply.as_ref().is_ok_and(|text| text.contains(&path));
    expect(&format!("whether skill_search shows {path}: {reply:?}"), &is_in_reply, &!home.is_off(name))
}

fn load(site: &Site, server: &mut Server, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let text = home.sources[&place].skill_md();
    let expected = if home.is_off(name) { Err("E073".to_owned()) } else { Ok(true) };
    let path = source_folder(site, place).to_string_lossy().into_owned();
    let run = site.skc(["load", "--path", &path]);
    let has_text = answer(&run).map(|loaded| loaded.contains(text.trim_end()));
    expect(&format!("load {name}: {}", run.out), &has_text, &expected)?;
    let reply = server.call("skill_load", &json!({ "path": path, "force": true }));
    expect(&format!("skill_load {name}"), &reply.map(|loaded| loaded.contains(text.trim_end())), &expected)?;
    // Even if it is refused.
    home.runtime(place).events += 2;
    Ok(())
}

fn stats(site: &Site, home: &mut Home, name: &'static str) -> Answer {
    let Some(place) = home.resolve(name) else { return Ok(()) };
    let total = events(site, name)?;
    expect(&format!("events of {place:?}"), &total, &home.runtime(place).events)?;
    count(home, place);
    Ok(())
}

/// The events that `stats` counts before it adds its own.
pub fn events(site: &Site, name: &str) -> Result<u64, String> {
    let run = site.skc(["stats", name, "--format", "json"]);
    let reply: Value = serde_json::from_str(&run.out).map_err(|e| format!("stats: {e}: {}", run.err))?;
    reply["data"]["total_accesses"].as_u64().ok_or_else(|| format!("stats: {}", run.out))
}

/// The rows of the log of a runtime.
pub fn rows(site: &Site, (store, name): Place) -> u64 {
    let log = store.root(site).join(".skillc/runtime").join(name).join(".skillc-meta/logs.db");
    let count =
        |db: Connection| db.query_row("SELECT count(*) FROM access_log", [], |row| row.get::<_, i64>(0));
    Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(count).unwrap_or(0) as u64
}
