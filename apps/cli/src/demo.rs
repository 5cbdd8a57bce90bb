//! `skc try`: a demo that builds the shipped skill in a temporary home and reads it with the operations that users
//! call.
//!
//! Nothing is canned: each step takes its arguments from earlier replies.

use crate::shipped::SKILL;
use crate::wire::app;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::config::Settings;
use skillc_domain::fault::Fault;
use skillc_domain::places::Places;
use skillc_domain::text::shell::quote;
use skillc_ops::operation::call_blocking;
use skillc_ops::paging::Paging;
use skillc_ops::render::{Render, line, plain};
use skillc_ops::verb::build::{Build, BuildRequest};
use skillc_ops::verb::lint::{Lint, LintRequest};
use skillc_ops::verb::list::{List, ListRequest};
use skillc_ops::verb::open::{Open, OpenRequest};
use skillc_ops::verb::outline::{Outline, OutlineReply, OutlineRequest};
use skillc_ops::verb::search::{Search, SearchReply, SearchRequest};
use skillc_ops::verb::show::{Show, ShowRequest};
use skillc_ops::{Answer, App, Environment, Failure, Operation, Reply, View};
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
        out.extend_from_slice(if view.has_color { &self.colored } else { &self.text });
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
    let mut demo = Demo { app: sandbox(home.path(), skill)?, steps: Vec::new(), on_step: &mut on_step };
    demo.run()?;
    Ok(demo.steps)
}

/// The demo, as far as it has run.
struct Demo<'a> {
    app: App,
    steps: Vec<Step>,
    on_step: &'a mut dyn FnMut(&Step),
}

impl Demo<'_> {
    /// Runs the steps.
    fn run(&mut self) -> Result<(), Failure> {
        let (skill, name) = (quote(SKILL), || SKILL.to_owned());
        self.step::<Lint>(
            "Lint the skill that ships with skc: does it load, get chosen, waste context, or alarm a reviewer?",
            &format!("skc lint {skill}"),
            LintRequest { skill: vec![name()], ..LintRequest::default() },
        )?;
        self.step::<Build>(
            "Build it: a stub of headings for the agent, an index for search, and a link that deploys it.",
            &format!("skc build {skill}"),
            BuildRequest { skill: vec![name()], ..BuildRequest::default() },
        )?;
        let outline = self.step::<Outline>(
            "An agent that loads the stub sees headings instead of text. The outline lists all of them.",
            &format!("skc outline {skill} --level 1"),
            OutlineRequest { skill: name(), level: Some(1), ..OutlineRequest::default() },
        )?;
        let query = query(&outline);
        let found = self.step::<Search>(
            "It searches the text. Every word must occur; the best section comes first.",
            &format!("skc search {skill} {} --limit 3", quoted(&query)),
            SearchRequest { skill: name(), query: vec![query], limit: 3 },
        )?;
        let (file, section) = best(&found, &outline);
        self.step::<Show>(
            "It reads only the section it needs.",
            &format!(
                "skc show {skill} --section {} --file {} --max-lines 16",
                quoted(&section),
                quote(&file)
            ),
            ShowRequest { skill: name(), section, file: Some(file.clone()), paging: lines(16) },
        )?;
        self.step::<Open>(
            "Or a whole file, of any kind.",
            &format!("skc open {skill} {} --max-lines 8", quote(&file)),
            OpenRequest { skill: name(), path: file, paging: lines(8) },
        )?;
        self.step::<List>(
            "List the skills that are available here, and whether they are built. All of this happened in a temporary \
             home, which has been deleted.",
            "skc list",
            ListRequest::default(),
        )?;
        Ok(())
    }

    fn step<O: Operation>(
        &mut self,
        why: &str,
        command: &str,
        request: O::Request,
    ) -> Result<O::Reply, Failure> {
        let Answer { reply, failures, .. } = call_blocking::<O>(&self.app, request);
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure);
        }
        let reply = reply.ok_or(Fault::NothingToBuild {})?;
        let Places { home, cwd, .. } = self.app.call.places.clone();
        let view = View { home, cwd, ..View::default() };
        let step = Step {
            why: why.to_owned(),
            command: command.to_owned(),
            reply: reply.json(),
            text: reply.text(&view),
            colored: reply.text(&View { has_color: true, ..view }),
        };
        (self.on_step)(&step);
        self.steps.push(step);
        Ok(reply)
    }
}

/// A query that certainly matches: the first two long words in the title of the middle file.
fn query(outline: &OutlineReply) -> String {
    let middle = outline.files.get(outline.files.len() / 2);
    let title = middle.and_then(|file| file.headings.first()).map_or(SKILL, |heading| &heading.text);
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.take(2).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// File and heading of the best hit; the first heading of the skill if no hit has one.
fn best(found: &SearchReply, outline: &OutlineReply) -> (String, String) {
    let hit = found.results.iter().find(|hit| !hit.section.is_empty());
    let hit = hit.map(|hit| (hit.file.clone(), hit.section.clone()));
    let first = || outline.files.first().map(|file| (file.file.clone(), file.headings[0].text.clone()));
    hit.or_else(first).unwrap_or_default()
}

fn lines(max: u32) -> Paging {
    Paging { max_lines: Some(max), ..Paging::default() }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// An app whose home is a folder, with the skill in the store of a project below it.
fn sandbox(home: &Path, skill: &[(&str, &[u8])]) -> Result<App, Failure> {
    let home = fs::canonicalize(home).map_err(|e| PortError::io("find the temporary home", e))?;
    let project = home.join("project");
    for (path, bytes) in skill {
        write(&project.join(".skillc/skills").join(SKILL).join(path), bytes)?;
    }
    let places = Places::new(home, project.clone(), Some(project));
    Ok(app(places, Settings::default(), Environment::default(), Arc::new(Quiet)))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), PortError> {
    let failed = |e| PortError::io("write the shipped skill", e);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, bytes).map_err(failed)
}
