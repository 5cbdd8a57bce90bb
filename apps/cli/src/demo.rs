//! `skc try`: a demo that builds the shipped skill in a temporary home and reads it with the operations that users call.
//!
//! Nothing is canned: each step takes its arguments from earlier replies.

use crate::runtime::runtime;
use crate::shipped::SKILL;
use crate::wire::app;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::config::Settings;
use skillc_domain::fault::Fault;
use skillc_domain::places::Places;
use skillc_domain::text::shell::quote;
use skillc_ops::render::{line, plain};
use skillc_ops::{Answer, entry_named};
use skillc_ops::{App, Environment, Failure, View};
use skillc_ports::{PortError, Quiet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A step of the demo.
#[derive(Debug, Serialize)]
pub struct Step {
    /// The purpose of the step, as a sentence.
    pub why: String,
    /// The command as a user types it.
    pub command: String,
    /// The reply as data.
    pub reply: Value,
    #[serde(skip)]
    text: Vec<u8>,
    #[serde(skip)]
    colored: Vec<u8>,
}

impl Step {
    /// The step as text for a terminal.
    pub fn text(&self, view: &View) -> Vec<u8> {
        let mut out = Vec::new();
        line(&mut out, view.good(format!("# {}", self.why)));
        line(&mut out, view.strong(format!("$ {}", plain(&self.command))));
        out.extend_from_slice(if view.has_colour { &self.colored } else { &self.text });
        out.push(b'\n');
        out
    }
}

/// Builds a skill in a temporary home and reads it, reporting each step when it is done. The home is deleted when this
/// returns.
///
/// # Errors
/// The failure of the step that failed.
pub fn demo(skill: &[(&str, &[u8])], mut on_step: impl FnMut(&Step)) -> Result<Vec<Step>, Failure> {
    let home = tempfile::Builder::new()
        .prefix("skc-try-")
        .tempdir()
        .map_err(|e| PortError::io("create a temporary home", e))?;
    let sandbox = Sandbox::new(home.path(), skill)?;
    let mut steps = Vec::new();
    let mut run = |why: &str, command: &str, arguments: Value| -> Result<Value, Failure> {
        let step = sandbox.step(why, command, arguments)?;
        on_step(&step);
        let reply = step.reply.clone();
        steps.push(step);
        Ok(reply)
    };
    run_steps(&mut run)?;
    Ok(steps)
}

type RunStep<'a> = dyn FnMut(&str, &str, Value) -> Result<Value, Failure> + 'a;

/// The script of the demo.
fn run_steps(run: &mut RunStep<'_>) -> Result<(), Failure> {
    let skill = quote(SKILL);
    run(
        "Lint the skill that ships with skc: does it load, get chosen, waste context, or alarm a reviewer?",
        &format!("skc lint {skill}"),
        serde_json::json!({ "skill": [SKILL] }),
    )?;
    run(
        "Build it: a stub of headings for the agent, an index for search, and a link that deploys it.",
        &format!("skc build {skill}"),
        serde_json::json!({ "skill": SKILL }),
    )?;
    let outline = run(
        "An agent that loads the stub sees headings instead of text. The outline lists all of them.",
        &format!("skc outline {skill} --level 1"),
        serde_json::json!({ "skill": SKILL, "level": 1 }),
    )?;
    let query = query(&outline);
    let found = run(
        "It searches the text. Every word must occur; the best section comes first.",
        &format!("skc search {skill} {} --limit 3", quoted(&query)),
        serde_json::json!({ "skill": SKILL, "query": query, "limit": 3 }),
    )?;
    let (file, section) = best(&found, &outline);
    run(
        "It reads only the section it needs.",
        &format!("skc show {skill} --section {} --file {} --max-lines 16", quoted(&section), quote(&file)),
        serde_json::json!({ "skill": SKILL, "section": section, "file": file, "max_lines": 16 }),
    )?;
    run(
        "Or a whole file, of any kind.",
        &format!("skc open {skill} {} --max-lines 8", quote(&file)),
        serde_json::json!({ "skill": SKILL, "path": file, "max_lines": 8 }),
    )?;
    run(
        "List the skills that are available here, and whether they are built. All of this happened in a temporary home, \
         which has been deleted.",
        "skc list",
        serde_json::json!({}),
    )?;
    Ok(())
}

/// A query that surely matches: the first two long words in the title of the middle file.
fn query(outline: &Value) -> String {
    let files = outline["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    let middle = files.get(files.len() / 2);
    let headings = middle.and_then(|file| file["headings"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let title = headings.first().and_then(|heading| heading["text"].as_str()).unwrap_or(SKILL);
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.take(2).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// File and heading of the best hit; the first heading of the skill if no hit has one.
fn best(found: &Value, outline: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let hits = found["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    match hits.iter().find(|hit| hit["section"] != "") {
        Some(hit) => (text(&hit["file"]), text(&hit["section"])),
        None => (text(&outline["files"][0]["file"]), text(&outline["files"][0]["headings"][0]["text"])),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// A temporary home in which operations run.
struct Sandbox {
    app: App,
    runtime: tokio::runtime::Runtime,
}

impl Sandbox {
    fn new(home: &Path, skill: &[(&str, &[u8])]) -> Result<Self, Failure> {
        let home = fs::canonicalize(home).map_err(|e| PortError::io("find the temporary home", e))?;
        let project = home.join("project");
        for (path, bytes) in skill {
            write(&project.join(".skillc/skills").join(SKILL).join(path), bytes)?;
        }
        let places = Places::new(home, project.clone(), Some(project));
        let app = app(places, Settings::default(), Environment::default(), Arc::new(Quiet));
        let runtime = runtime(app.ports.team.is_some())?;
        Ok(Self { app, runtime })
    }

    fn step(&self, why: &str, command: &str, arguments: Value) -> Result<Step, Failure> {
        let verb = command.split_whitespace().nth(1).unwrap_or_default();
        let entry =
            entry_named(verb).ok_or_else(|| Fault::invalid_option(format!("unknown command '{verb}'")))?;
        let answer = self.runtime.block_on((entry.run_json)(&self.app, arguments));
        let Answer { reply: Some(reply), mut failures, .. } = answer else {
            return Err(answer
                .failures
                .into_iter()
                .next()
                .unwrap_or_else(|| Fault::NothingToBuild {}.into()));
        };
        if let Some(failure) = failures.pop() {
            return Err(failure);
        }
        let view = |has_colour| View {
            is_terminal: false,
            has_colour,
            is_verbose: false,
            home: self.app.call.places.home.clone(),
            cwd: self.app.call.places.cwd.clone(),
        };
        Ok(Step {
            why: why.to_owned(),
            command: command.to_owned(),
            reply: reply.json(),
            text: reply.text(&view(false)),
            colored: reply.text(&view(true)),
        })
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), PortError> {
    let failed = |e| PortError::io("write the shipped skill", e);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, bytes).map_err(failed)
}
