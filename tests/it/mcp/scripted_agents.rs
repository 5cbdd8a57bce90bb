//! Three scripted agents that know only what the server sends (RFC-0007:C-MCP-TOOLS). They call the tools that the
//! instructions name, in that order, with the arguments of the schemas. They copy values from replies and follow
//! hints literally.

use super::{Client, Lifecycle};
use crate::site::Site;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The skills: what each is for, and the topics of its sections.
const SKILLS: [(&str, &str, &str); 10] = [
    ("bread", "bake a loaf of sourdough", "dough"),
    ("invoices", "write an invoice for a customer", "invoice"),
    ("podcasts", "cut the recording of a podcast", "recording"),
    ("birds", "count migrating birds in a wetland", "flock"),
    ("chess", "prepare a chess opening against a stronger player", "opening"),
    ("sails", "mend a torn sail at sea", "sail"),
    ("museums", "write labels for a museum exhibition", "label"),
    ("violins", "tune and varnish a violin", "violin"),
    ("beekeeping", "move a bee hive in winter", "hive"),
    ("glaciers", "survey a glacier with drones", "glacier"),
];
/// The sections of each skill, in two files. One heading occurs in both.
const VERBS: [&str; 10] =
    ["Prepare", "Measure", "Clean", "Inspect", "Divide", "Weigh", "Protect", "Repair", "Divide", "Store"];
/// Sections in SKILL.md; the others are in a file of references.
const IN_SKILL_FILE: usize = 5;

/// A question to an agent: the task, the section by title and by heading, words that occur in the section, and the
/// text that it has to find.
struct Question {
    task: String,
    heading: String,
    words: String,
    text: String,
}

fn file(verb: usize) -> (&'static str, &'static str) {
    if verb < IN_SKILL_FILE { ("SKILL.md", "Basics") } else { ("references/details.md", "Details") }
}

/// The skills, half of them built, and the questions about them.
fn scene() -> (Site, Vec<Question>) {
    let site = Site::new();
    let mut questions = Vec::new();
    for (number, (name, task, thing)) in SKILLS.iter().enumerate() {
        let mut files = BTreeMap::from([
            (
                "SKILL.md",
                format!(
                    "---\nname: {name}\ndescription: How to {task}. Use when asked to {task}.\n---\n# Basics\n"
                ),
            ),
            ("references/details.md", "# Details\n".to_owned()),
        ]);
        for (at, verb) in VERBS.iter().enumerate() {
            let words = format!("marker{number} token{at}");
            let text = format!("The {words} says how to {} the {thing}.", verb.to_lowercase());
            let (path, title) = file(at);
            *files.get_mut(path).unwrap() += &format!("\n## {verb} the {thing}\n\n{text}\n");
            let heading = format!("{title}: {verb} the {thing}");
            questions.push(Question { task: (*task).to_owned(), heading, words, text });
        }
        files.iter().for_each(|(path, text)| drop(site.write(name, path, text)));
        if number % 2 == 0 {
            site.skc(["build", name]).ok();
        }
    }
    (site, questions)
}

/// A client with the tools and instructions that the server sent it.
struct Agent {
    client: Client,
    schemas: BTreeMap<String, Value>,
    /// The tools that the instructions name, in that order.
    named: Vec<String>,
    /// The texts of skills that it has loaded.
    context: String,
}

impl Agent {
    fn start(site: &Site) -> Self {
        let mut client = Client::start(site, Lifecycle::Stateless);
        let about = client.ask("server/discover", json!({}));
        let listed = client.ask("tools/list", json!({}));
        let tools = listed["tools"].as_array().unwrap().iter();
        let schemas: BTreeMap<String, Value> = tools
            .map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool["inputSchema"].clone()))
            .collect();
        let instructions = about["instructions"].as_str().unwrap_or_default();
        let words = instructions.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named = words.filter(|word| schemas.contains_key(*word)).map(str::to_owned).collect();
        Self { client, schemas, named, context: String::new() }
    }

    /// The first tool of the instructions that requires exactly these arguments, or takes them if it requires none.
    fn tool(&self, arguments: &[&str]) -> String {
        let fits = |name: &&String| {
            let schema = &self.schemas[name.as_str()];
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let takes = arguments.iter().all(|argument| !schema["properties"][*argument].is_null());
            takes && required.iter().all(|name| arguments.contains(name))
        };
        self.named.iter().find(fits).cloned().unwrap_or_else(|| panic!("no tool takes {arguments:?}"))
    }

    /// Calls a tool with the values that its schema accepts. If the reply is a hint that names a tool, follows it
    /// once.
    fn call(&mut self, tool: &str, values: &[(&str, &str)]) -> String {
        let reply = self.call_once(tool, values);
        let hint = reply.split("hint: ").nth(1).unwrap_or_default().to_owned();
        let is_error = reply.starts_with("error[");
        let next = hint.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match next.into_iter().find(|word| is_error && self.schemas.contains_key(*word)) {
            Some(tool_of_hint) => {
                self.call_once(tool_of_hint, values);
                self.call_once(tool, values)
            }
            None => reply,
        }
    }

    fn call_once(&mut self, tool: &str, values: &[(&str, &str)]) -> String {
        let properties = self.schemas[tool]["properties"].clone();
        let type_of = |name: &str| {
            let of = &properties[name]["type"];
            of.as_str().or(of[0].as_str()).map(str::to_owned)
        };
        let argument = |(name, value): &(&str, &str)| match type_of(name).as_deref() {
            None => None,
            Some("array") => Some(((*name).to_owned(), json!([value]))),
            Some(_) => Some(((*name).to_owned(), json!(value))),
        };
        let arguments: Map<String, Value> = values.iter().filter_map(argument).collect();
        let reply = self.client.call(tool, Value::Object(arguments));
        reply["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    /// The path of the first result of a search for skills.
    fn find(&mut self, task: &str) -> String {
        let tool = self.tool(&["query"]);
        let found = self.call(&tool, &[("query", task)]);
        let path = found.lines().find(|line| line.starts_with("  /")).unwrap_or_default();
        path.trim().split(" [").next().unwrap_or_default().to_owned()
    }

    /// Searches a skill and shows the first result, by the name that the reply gives it.
    fn search_and_show(&mut self, skill: &str, words: &str) -> String {
        let search = self.tool(&["skill", "query"]);
        let found = self.call(&search, &[("skill", skill), ("query", words)]);
        let show = self.tool(&["skill", "section"]);
        let first = found.lines().next().unwrap_or_default();
        self.call(&show, &[("skill", skill), ("section", first)])
    }
}

/// Follows the instructions from the start: finds the skill, loads it, and searches it for what the text lacks.
fn by_loading(agent: &mut Agent, question: &Question) -> String {
    let path = agent.find(&question.task);
    let load = agent.tool(&["path"]);
    let loaded = agent.call(&load, &[("path", &path)]);
    agent.context += &loaded;
    match agent.context.contains(&question.text) {
        true => agent.context.clone(),
        false => agent.search_and_show(&path, &question.words),
    }
}

/// Reads only part of the skill, by searching for words.
fn by_searching(agent: &mut Agent, question: &Question) -> String {
    let path = agent.find(&question.task);
    agent.search_and_show(&path, &question.words)
}

/// Reads the headings and misspells the right one; the reply suggests the right spelling.
fn by_headings(agent: &mut Agent, question: &Question) -> String {
    let path = agent.find(&question.task);
    let outline = agent.named.iter().find(|name| name.ends_with("_outline")).cloned().unwrap();
    let headings = agent.call(&outline, &[("skill", &path)]);
    let (title, heading) = question.heading.split_once(": ").unwrap();
    let (mut file, mut meant) = ("", "");
    for line in headings.lines().take_while(|line| !line.starts_with("base directory")) {
        match line.strip_prefix("  ") {
            None => meant = line,
            Some(line) if line == format!("# {title}") => file = meant,
            Some(_) => {}
        }
    }
    let show = agent.tool(&["skill", "section"]);
    let misspelled = &heading[..heading.len() - 1];
    let refused = agent.call(&show, &[("skill", &path), ("section", misspelled)]);
    let offered = refused.lines().filter_map(|line| line.strip_prefix("  - "));
    let of_file = offered.filter_map(|line| line.strip_suffix(&format!(" ({file})"))).next();
    agent.call(&show, &[("skill", &path), ("section", of_file.unwrap_or_default()), ("file", file)])
}

/// A strategy of an agent. Returns the text that it has read at the end.
type Habit = fn(&mut Agent, &Question) -> String;

/// RFC-0007:C-MCP-TOOLS
#[test]
fn agents_that_follow_the_instructions_reach_every_section() {
    let agents: [(&str, Habit); 3] =
        [("by loading", by_loading), ("by searching", by_searching), ("by headings", by_headings)];
    for (name, reach) in agents {
        let (site, questions) = scene();
        let mut agent = Agent::start(&site);
        assert_eq!(agent.named.first().map(String::as_str), Some("skill_search"));
        let missed: Vec<String> = questions
            .iter()
            .map(|question| (question, reach(&mut agent, question)))
            .filter(|(question, reached)| !reached.contains(&question.text))
            .map(|(question, reached)| format!("{} / {}: {reached}", question.task, question.heading))
            .collect();
        eprintln!("{name}: {} of {} sections", questions.len() - missed.len(), questions.len());
        assert!(missed.is_empty(), "{name}:\n{}", missed.join("\n"));
    }
}
