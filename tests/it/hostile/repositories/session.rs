//! Sessions with the server on a hostile repository: every listed tool, with arguments generated from its schema, and
//! every other method. Also the input of a host session.

use super::honest::{PROJECT, SKILLS};
use super::program::{self, LIMIT};
use super::random::Random;
use super::sandbox::Sandbox;
use serde_json::{Map, Value, json};
use skillc_domain::agents::AGENTS;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

/// Paths inside a skill as a hostile caller or a misled agent may write them.
const PATHS: &[&str] = &[
    "SKILL.md",
    "refs/a.md",
    "refs/../SKILL.md",
    "../../../../../home/.ssh/id_rsa",
    "../../config.toml",
    "/proc/self/environ",
    "refs/../../../../../../neighbor/notes.txt",
    "%2e%2e/%2e%2e/config.toml",
    ".skilllint.toml",
    "more/id_rsa",
    "more/thesis.txt",
    "",
    ".",
    "refs",
];

/// Names of new skills, none of which may lead out.
const NAMES: &[&str] =
    &["fresh", "home", ".ssh", "neighbor", "docs", "..", "../x", "/abs", "a/b", "con", "-rf", "x\u{0}y"];

/// A running server.
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
    /// Its output.
    pub said: Vec<u8>,
}

impl Session {
    /// Starts a server in the project and initializes it; `None` if it does not respond.
    pub fn start(sandbox: &Sandbox) -> Option<Self> {
        let mut command = program::limited(sandbox, PROJECT, &["mcp".to_owned()]);
        let err = File::create(sandbox.side.join("mcp-err")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(err);
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut session = Self { child, input, lines, last_id: 0, said: Vec::new() };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "hostile", "version": "1" },
        });
        session.ask("initialize", hello).ok()?;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        session.send(&ready).ok()?;
        Some(session)
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| writeln!(input, "{message}"))
    }

    /// Sends a request and returns the reply, which may be an error.
    ///
    /// # Errors
    /// The reason for a missing reply.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.send(&message).map_err(|_| "the server is gone".to_owned())?;
        loop {
            let line = self.lines.recv_timeout(LIMIT).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no answer within {LIMIT:?}"),
                RecvTimeoutError::Disconnected => "the server is gone".to_owned(),
            })?;
            self.said.extend(line.as_bytes());
            self.said.push(b'\n');
            let reply: Value = serde_json::from_str(&line).map_err(|error| format!("no JSON: {error}"))?;
            if reply["id"] == self.last_id {
                return Ok(reply);
            }
        }
    }

    /// Closes the input; returns how the server exited and its output other than replies.
    pub fn close(mut self, sandbox: &Sandbox) -> (String, Vec<u8>) {
        drop(self.input.take());
        let ended = program::wait(&mut self.child, LIMIT);
        let rest: Vec<String> = self.lines.try_iter().collect();
        let mut said = rest.concat().into_bytes();
        said.extend(fs::read(sandbox.side.join("mcp-err")).unwrap_or_default());
        (ended.map_or_else(|| "hung".to_owned(), |status| status.to_string()), said)
    }
}

/// Kills a server that was not closed.
impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A call of a tool or method, and the equivalent command line.
pub struct Call {
    /// The method.
    pub method: String,
    pub params: Value,
    /// The tool's name without `skc_`, or the method, then its flags and values.
    pub words: Vec<String>,
    /// Whether the tool is annotated as read-only.
    pub is_read_only: bool,
}

/// Calls of every listed tool.
pub fn calls(tools: &Value, skills: &[String], random: &mut Random) -> Vec<Call> {
    let tools = tools["result"]["tools"].as_array().cloned().unwrap_or_default();
    let mut calls = Vec::new();
    for tool in &tools {
        let name = tool["name"].as_str().unwrap_or_default();
        // Tools that write are called more often.
        let is_read_only = tool["annotations"]["readOnlyHint"] == true;
        for _ in 0..if is_read_only { 1 } else { 2 } {
            calls.push(Call { is_read_only, ..call(name, &tool["inputSchema"], skills, random) });
        }
    }
    calls
}

fn call(tool: &str, schema: &Value, skills: &[String], random: &mut Random) -> Call {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut arguments = Map::new();
    let mut words = vec![tool.trim_start_matches("skc_").to_owned()];
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let likely = if ["skill", "name", "force", "global"].contains(&key.as_str()) { 85 } else { 35 };
        if required.contains(&key.as_str()) || random.percent(likely) {
            let value = argument(tool, key, property, skills, random);
            words.extend(word(key, &value));
            arguments.insert(key.clone(), value);
        }
    }
    // 'all' and a name exclude each other.
    if arguments.get("all") == Some(&json!(true)) {
        arguments.remove("skill");
    }
    Call {
        method: "tools/call".to_owned(),
        params: json!({ "name": tool, "arguments": arguments }),
        words,
        is_read_only: true,
    }
}

fn word(key: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Bool(true) => vec![format!("--{}", key.replace('_', "-"))],
        Value::String(text) if key == "skill" || key == "name" => vec![text.clone()],
        Value::Array(names) if key == "skill" => names.iter().flat_map(|name| word(key, name)).collect(),
        _ => Vec::new(),
    }
}

fn argument(tool: &str, key: &str, property: &Value, skills: &[String], random: &mut Random) -> Value {
    if let Some(words) = property["enum"].as_array() {
        return random.pick(words).clone();
    }
    let value = match key {
        "skill" => json!(random.pick(skills)),
        "name" if tool == "skc_init" => json!(random.pick(NAMES)),
        "name" => json!(random.pick(skills)),
        "path" if tool == "skill_load" => json!(format!(".skillc/skills/{}/SKILL.md", random.pick(&SKILLS))),
        "path" | "file" | "dir" => json!(random.pick(PATHS)),
        "section" => json!(random.pick(&["Top", "Ref", "Low", "Mine", "Chapter"])),
        "query" | "text" => json!(random.pick(&["marmot", "testing", "commit", "zq*", "\"", ""])),
        "code" => json!("E002"),
        "target" => json!(target(random)),
        "pattern" => json!(random.pick(&["*", "**/*", "../*", "[", "{a,b}"])),
        "since" | "until" => json!(random.pick(&["7d", "2026-01-01", "x"])),
        "project" => json!("."),
        "ref" | "cursor" => json!(random.pick(&["skill:0123456789abcdef@0123456789abcdef", "x", "AAAA"])),
        _ => by_type(property, random),
    };
    let is_list = property["type"] == "array";
    if is_list && !value.is_array() { json!([value]) } else { value }
}

/// An agent, or a folder, which the server must refuse.
fn target(random: &mut Random) -> String {
    match random.below(4) {
        0 => random.pick(&["../../home/.ssh", "./out", "../neighbor", "~/docs", "my-agent"]).to_string(),
        1 => "claude-code".to_owned(),
        _ => random.pick(AGENTS).id.to_owned(),
    }
}

fn by_type(property: &Value, random: &mut Random) -> Value {
    let is = |kind: &str| {
        property["type"] == kind
            || property["type"].as_array().is_some_and(|kinds| kinds.contains(&json!(kind)))
    };
    match () {
        () if is("boolean") => json!(random.percent(50)),
        () if is("integer") || is("number") => json!([1, 3, 50, 0, 100_000][random.below(5)]),
        () if is("object") => json!({}),
        () => json!(random.pick(&["demo", "../x", "text", "summary"])),
    }
}

/// Calls of the methods other than tools.
pub fn methods(skills: &[String], random: &mut Random) -> Vec<Call> {
    let skill = random.pick(skills).clone();
    let path = random.pick(PATHS).to_string();
    [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": format!("skill://{skill}/SKILL.md") })),
        ("resources/read", json!({ "uri": format!("skill://{skill}/{path}") })),
        ("resources/directory/read", json!({ "uri": format!("skill://{skill}/refs") })),
        ("skills/list", json!({})),
        ("skills/get", json!({ "uri": format!("skill://{skill}/{path}") })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "use_skill", "arguments": { "name": skill } })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "" } }),
        ),
    ]
    .into_iter()
    .map(|(method, params)| (method.to_owned(), params))
    .map(|(method, params)| Call { words: vec![method.clone()], method, params, is_read_only: true })
    .collect()
}

/// The input of a host session.
pub fn host(skills: &[String], random: &mut Random) -> String {
    let skill = random.pick(skills);
    let requests = [
        ("skills.list", json!({ "force_reload": true })),
        ("skill.search", json!({ "query": "testing", "mode": "lexical" })),
        ("skill.load", json!({ "name": skill })),
        ("skill.load", json!({ "name": "plain" })),
        ("skill.discovery.search", json!({ "query": "marmot" })),
        ("context.inspect", json!({ "include_skills": true })),
    ];
    let line = |(id, (method, params)): (usize, &(&str, Value))| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
    };
    requests.iter().enumerate().map(line).collect()
}
