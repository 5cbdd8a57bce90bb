//! The targets: the parsers under test.

use super::{Scene, Target, fuzz};
use crate::random::Random;
use crate::site::put;
use serde_json::{Value, json};
use skillc_domain::archive::ArchiveMember;
use skillc_domain::cursor::Whole;
use skillc_domain::frontmatter::Opening;
use skillc_domain::history::shell;
use skillc_domain::json::{JsonEdit, JsonStep, JsonValue};
use skillc_domain::name::SkillName;
use skillc_domain::path::RelPath;
use skillc_domain::query::{Query, join_cjk, separate_cjk};
use skillc_domain::section::IndexableText;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use skillc_domain::time::{Day, Timestamp, parse_rfc3339, rfc3339};
use skillc_host::{HostServer, serve};
use skillc_ops::entry_named;
use skillc_ops::executor::block_on;
use skillc_ops::serve::json_rpc::{self, LineDecoder};
use skillc_ops::workspace::Workspace;
use skillc_ports::{HistoryFile, HistoryRead, SettingsChange};
use std::fs;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex, OnceLock};

macro_rules! targets {
    ($($name:ident: $read:ident, one in $one_in:literal, $seeds:expr, $words:expr;)*) => {
        $(#[test]
        fn $name() {
            fuzz(&Target { name: stringify!($name), seeds: $seeds, words: $words, read: $read, one_in: $one_in });
        })*
    };
}

targets! {
    front_matter: read_front_matter, one in 1, FRONT_MATTERS, YAML;
    markdown: read_markdown, one in 1, MARKDOWN, MARKS;
    words: read_words, one in 1, TEXTS, &["/", "..", "skill://", ":", "T", "Z", "-", "+", "*", "?"];
    framing: read_lines, one in 1, MESSAGES, JSON;
    host: read_requests, one in 20, MESSAGES, JSON;
    json: read_json, one in 1, DOCUMENTS, JSON;
    settings: read_settings, one in 2, SETTINGS, TOML;
    clients: read_clients, one in 4, DOCUMENTS, JSON;
    archives: read_archive, one in 1, ARCHIVES, &["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "../", "demo/SKILL.md"];
    histories: read_histories, one in 4, HISTORIES, JSON;
    shell_lines: read_shell, one in 1, LINES, &["$(", ")", "`", "\\", "'", "\"", "<<EOF\n", "|", "&&", ";", "cat ", "sed -n 1,2p "];
    lint: read_by_lint, one in 50, SKILLS, MARKS;
    baseline: read_baseline, one in 50, BASELINES, JSON;
}

const FRONT_MATTERS: &[&str] = &[
    "---\nname: demo\ndescription: Does demo. Use when testing.\n---\n# Demo\n",
    "---\nname: 'a' # c\ndescription: >-\n  Folded\n  text.\nmetadata:\n  author: \"x\\u00e9\"\n  list: [a, {b: c}]\nallowed-tools: |\n  Read\n---\n",
    "---\n? a\n: b\n&x c: *x\n!!str d: 1\n---\n",
    "\u{feff}---\r\nname: x\r\n---\r\n",
];
const YAML: &[&str] = &[
    ": ", "- ", "# ", "'", "\"", "[", "]", "{", "}", ",", "|", ">", "&a ", "*a", "!!str ", "%", "---\n",
    "...\n", "\n  ", "<<: ", "? ",
];
const MARKDOWN: &[&str] = &[
    "# A\n\ntext\n\n## B {#b}\n\n[link](x.md#y \"t\") ![i](i.png)\n\n```sh\n# no heading\n```\n\nC\n===\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "---\nname: x\n---\n\n> # quoted\n\n- item\n  - # nested\n\n<div id=\"a\">\n# html\n</div>\n\n<!-- # c -->\n\n[r]: /u 'v'\n[r] [r][] [x][r]\n",
    "# 設定\n\n設定檔 API\n\n## `code` *em* &amp; \\#\n\n~~~\n~~~\n\n    indented\n\n***\n",
];
const MARKS: &[&str] = &[
    "# ",
    "## ",
    "\n---\n",
    "===\n",
    "```\n",
    "~~~",
    "    ",
    "\t",
    "> ",
    "- ",
    "1. ",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<a id=x>",
    "[",
    "](",
    ")",
    "[a]: ",
    "![",
    "`",
    "**",
    "~~",
    "|",
    "|---|",
    "&#35;",
    "\\",
    "<http://x>",
    "{#",
    "}",
    "<!-- skc: ignore SKL302 -->",
    "$(",
    "curl x | sh",
    "references/a.md",
    "../",
    "%20",
    "#anchor",
    "---\n",
    "name: ",
    "description: ",
];
const TEXTS: &[&str] = &[
    "how to write a report",
    "\"exact words\" OR -x* NEAR(a b)",
    "設定檔 API設定 привет",
    "skill://pdf/references/a%20b.md",
    "references/../SKILL.md",
    "2026-03-04T05:06:07.123456789+01:30",
    "2026-02-29",
    "a-name-of-a-skill",
];
const MESSAGES: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\",\"params\":{}}\n",
    "[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"skill.search\",\"params\":{\"query\":\"x\"}},5]\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n",
    "{\"id\":null,\"params\":{\"a\":[1,2.5e3,true,null,\"\\ud83d\\ude00\"]},\"method\":\"skill.load\",\"jsonrpc\":\"2.0\"}\r\n\n",
];
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "1e400",
    "-",
    "//",
    "/*",
    "*/",
    "\"id\":",
    "\"mcpServers\":",
    "\"command\":",
    "\"type\":\"assistant\"",
    "\"version\":1",
];
const DOCUMENTS: &[&str] = &[
    "{\n  \"mcpServers\": {\n    \"skc\": { \"command\": \"skc\", \"args\": [\"mcp\"] }\n  }\n}\n",
    "{\"name\":\"acme\",\"version\":\"1.0.0\",\"skills\":[\"./a\",\"./b\"],\"n\":[1,{\"x\":null}],\"name\":\"twice\"}",
    "{ // c\n \"servers\": {\"a\": {\"type\": \"stdio\", \"command\": \"x\",},}, /* d */ }",
    "[mcp_servers.skc]\ncommand = \"skc\"\nargs = [\"mcp\"]\n",
];
const SETTINGS: &[&str] = &[
    "# ours\n[skills]\ndisabled = [\"a\", 'b'] # c\n\n[search]\ntokenizer = \"ascii\"\n",
    "skills.disabled = [\n  \"a\",\n  # c\n]\n[sources]\nroots = [\"skills\"]\n[permissions]\nallow = [\"x\", { tool = \"y\", skill = \"z*\" }]\n",
    "[rules]\nSKL302 = \"off\"\n[plugin]\nname = \"acme\"\nkeywords = []\n[[x]]\na = 1\n",
];
const TOML: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "=",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "{",
    "}",
    ",",
    "#",
    "\n",
    ".",
    "skills",
    "disabled",
    "roots",
    "true",
    "1979-05-27",
];
const ARCHIVES: &[&str] = &["PK\u{5}\u{6}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"];
const HISTORIES: &[&str] = &[
    "{\"type\":\"assistant\",\"uuid\":\"a\",\"sessionId\":\"s\",\"timestamp\":\"2026-03-04T05:06:07.000Z\",\"cwd\":\"/w\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Read\",\"input\":{\"file_path\":\"/s/SKILL.md\",\"offset\":1,\"limit\":2}}],\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}}\n{\"type\":\"user\",\"uuid\":\"b\",\"sessionId\":\"s\",\"timestamp\":\"2026-03-04T05:06:08.000Z\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"x\",\"is_error\":true}]}}\n",
    "{\"timestamp\":\"2026-03-04T05:06:07.000Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"x\",\"cwd\":\"/w\"}}\n{\"timestamp\":\"2026-03-04T05:06:07.000Z\",\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{\\\"command\\\":[\\\"cat\\\",\\\"/s/SKILL.md\\\"]}\",\"call_id\":\"c\"}}\n{\"timestamp\":\"2026-03-04T05:06:07.000Z\",\"type\":\"response_item\",\"payload\":{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"{\\\"output\\\":\\\"x\\\",\\\"metadata\\\":{\\\"exit_code\\\":1}}\"}}\n",
    "{\"sessionId\":\"s\",\"messages\":[{\"id\":\"1\",\"type\":\"gemini\",\"timestamp\":\"2026-03-04T05:06:07.000Z\",\"toolCalls\":[{\"id\":\"t\",\"name\":\"read_file\",\"args\":{\"absolute_path\":\"/s/SKILL.md\"},\"status\":\"success\"}]}]}",
];
const LINES: &[&str] = &[
    "cat /s/SKILL.md | head -n 5 && sed -n '1,20p' \"/s/a b.md\"; python3 /s/scripts/run.py --x",
    "cd /s && bash -c 'cat SKILL.md' > out 2>&1; rg -n \"x\" references/ || true",
    "cat <<'EOF' > f\ntext\nEOF\nwhile read l; do echo $l; done < /s/a.md",
];
const SKILLS: &[&str] = &[
    "---\nname: demo\ndescription: Does demo. Use when testing.\n---\n# Demo\n\nSee [more](references/a.md#part) and `scripts/x.sh`.\n\n```sh\ncurl https://x.test | sh\n```\n",
    "---\nname: demo\ndescription: Reads *.pdf files. Use when a PDF is there.\nallowed-tools: Read, Bash(git:*)\n---\n# Demo\n\n- [a][r]\n\n[r]: <references/a.md>\n\n<!-- ignore all -->\n",
];
const BASELINES: &[&str] = &[
    "{\"version\":1,\"skillc_lint_baseline\":{\"demo\":{\"SKL302 SKILL.md 0123456789abcdef\":2}}}",
    "",
    "{\"version\":2}",
];

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// Front matter that was parsed and written again has the same values.
fn read_front_matter(scene: &Scene, input: &[u8]) {
    let (reader, text) = (&scene.app.ports.reader, text(input));
    let Ok(Some(front_matter)) = reader.front_matter(&text) else { return };
    let Some(name) = front_matter.get("name").and_then(|node| node.text()) else { return };
    let written = reader.write_front_matter(&[("name", name)]);
    let again =
        reader.front_matter(&written).unwrap_or_else(|flaw| panic!("{written:?}: {}", flaw.message)).unwrap();
    assert_eq!(again.get("name").and_then(|node| node.text()), Some(name), "{written:?}");
}

/// Sections nest properly and cover the text.
fn read_markdown(scene: &Scene, input: &[u8]) {
    let text = text(input);
    for opening in [Opening::Either, Opening::FrontMatter] {
        let document = scene.app.ports.reader.document(&text, opening);
        let markup = scene.app.ports.reader.markup(&text, opening);
        assert_eq!(markup.headings, document.headings);
        let sections = document.sections();
        for section in &sections {
            let part = &text[section.bytes.clone()];
            let starts_line = section.bytes.start == 0 || text[..section.bytes.start].ends_with(['\n', '\r']);
            assert!(starts_line || text.starts_with('\u{feff}'), "{part:?}");
            assert!(section.start_line < section.end_line && section.end_line <= document.lines + 1);
        }
        assert!(sections.is_sorted_by_key(|section| section.bytes.start));
        for link in &markup.links {
            assert!(text.get(link.span.clone()).is_some());
        }
        let indexable = IndexableText::new(text.clone(), sections);
        let rows: usize = indexable.rows().map(|(heading, part)| heading.len() + part.len()).sum();
        assert!(indexable.sections().is_empty() || rows > 0);
    }
}

/// Words that are quoted and split again are the same.
fn read_words(_: &Scene, input: &[u8]) {
    let text = text(input);
    let _ = Query::parse(&text).map(|query| query.words().count());
    let _ = Query::for_skills(&text).map(|query| query.words().count());
    if !text.contains('\u{2060}') {
        join_cjk(&separate_cjk(&text));
    }
    if let Some(uri) = SkillUri::parse(&text) {
        assert_eq!(SkillUri::parse(&uri.to_string()).map(|again| again.to_string()), Some(uri.to_string()));
    }
    if let Ok(path) = RelPath::parse(&text) {
        assert_eq!(RelPath::parse(path.as_str()).unwrap(), path);
        assert!(
            !path.as_str().split('/').any(|part| part == "..") && !path.as_str().starts_with('/'),
            "{path}"
        );
        if let Some(place) = SkillPlace::of("demo") {
            let uri = SkillUri::new(&place, path).to_string();
            // The URI of a hidden file cannot be parsed.
            assert!(SkillUri::parse(&uri).is_none_or(|again| again.to_string() == uri), "{uri}");
        }
    }
    let _ = SkillName::parse(&text).map(|name| assert!(!name.as_str().contains(['/', '\0'])));
    let _ = SkillName::for_new(&text);
    let _ = (Timestamp::parse(&text), SkillPlace::parse(&text), Whole::new(&[&text], [input]).offset(&text));
    if let Some(day) = Day::parse(&text) {
        assert_eq!(Day::parse(&day.to_string()), Some(day));
    }
    if let Some(at) = parse_rfc3339(&text) {
        assert_eq!(parse_rfc3339(&rfc3339(at)).map(Timestamp::of), Some(Timestamp::of(at)));
    }
}

/// The lines do not depend on how the bytes are split into reads.
fn read_lines(_: &Scene, input: &[u8]) {
    let mut random = Random::new(input.len() as u64);
    let (mut decoder, mut lines, mut rest) = (LineDecoder::new(1 << 20), Vec::new(), input);
    while !rest.is_empty() {
        let chunk = &rest[..rest.len().min(1 + random.below(64))];
        let (taken, is_end) = decoder.take(chunk);
        rest = &rest[taken..];
        if is_end {
            lines.push(decoder.line().unwrap().to_vec());
            decoder.begin();
        }
    }
    lines.extend(decoder.line().filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
    assert_eq!(lines.concat(), input);
    // Which values a server takes for the id of a request is its own rule (`read_requests`).
    lines.iter().for_each(|line| drop(json_rpc::parse(line)));
}

/// A writer whose output can be read afterward.
#[derive(Clone, Default)]
struct SharedOutput(Arc<Mutex<Vec<u8>>>);

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whatever the earlier lines contain, the last request is answered, and every answer is JSON.
fn read_requests(scene: &Scene, input: &[u8]) {
    let places = scene.app.call.places.clone();
    let workspace = move |_: &std::path::Path| Workspace {
        places: places.clone(),
        settings: Default::default(),
        environment: Default::default(),
    };
    let last = b"\n{\"jsonrpc\":\"2.0\",\"id\":\"the last\",\"method\":\"no.such\"}\n";
    let output = SharedOutput::default();
    let host = HostServer::new(scene.app.clone(), Arc::new(workspace));
    serve(Arc::new(host), Cursor::new([input, last].concat()), output.clone()).unwrap();
    let output = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers.iter().any(|answer| answer["id"] == "the last"), "{output}");
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64() || id.is_null();
    let of_batches = |answer: &Value| answer.as_array().cloned().unwrap_or_else(|| vec![answer.clone()]);
    assert!(answers.iter().flat_map(of_batches).all(|answer| is_id(&answer["id"])), "{output}");
}

/// An edit changes only the value it names, and the result is still a valid document.
fn read_json(scene: &Scene, input: &[u8]) {
    let (json, text) = (&scene.app.ports.json, text(input));
    let Ok(node) = json.parse(&text) else { return };
    json.written(&node.value);
    let key = |key: &str| JsonStep::Key(key.to_owned());
    let set =
        JsonEdit { path: vec![key("mcpServers"), key("new")], value: Some(JsonValue::Text("x".to_owned())) };
    let remove = JsonEdit { path: vec![key("name")], value: None };
    for edits in [vec![set.clone()], vec![remove.clone()], vec![set, remove]] {
        let Ok(edited) = json.edited(&text, &edits) else { continue };
        let again = json.parse(&edited).unwrap_or_else(|flaw| panic!("{edited:?}: {}", flaw.message));
        if edits.iter().any(|edit| edit.value.is_none()) {
            assert!(again.get("name").is_none(), "{edited:?}");
        }
        if edits.iter().any(|edit| edit.value.is_some()) {
            let new = again.get("mcpServers").and_then(|node| node.get("new"));
            assert_eq!(new.map(|node| &node.value), Some(&JsonValue::Text("x".to_owned())), "{edited:?}");
        }
    }
}

/// A change has the stated effect, and repeating it changes nothing.
fn read_settings(scene: &Scene, input: &[u8]) {
    let (editor, text) = (&scene.app.ports.settings_editor, text(input));
    let _ = scene.app.ports.settings_reader.table(&text);
    editor.disabled(&text);
    let name = || "pdf".to_owned();
    let set = |path: &str, value: &str| SettingsChange::Set {
        path: path.split('.').map(str::to_owned).collect(),
        value: value.to_owned(),
    };
    let changes = [
        SettingsChange::Disable(name()),
        SettingsChange::Enable(name()),
        SettingsChange::Enable("a".to_owned()),
        SettingsChange::AddSourceRoot("skills".to_owned()),
        set("search.tokenizer", "\"cjk\""),
        set("plugin.version", "\"1.2.3\""),
    ];
    for change in changes {
        let Ok(Some(changed)) = editor.changed(&text, &change) else { continue };
        let again = editor.changed(&changed, &change);
        assert!(
            matches!(&again, Ok(None)) || again.as_ref() == Ok(&Some(changed.clone())),
            "{change:?}: {changed:?}: {again:?}"
        );
        let is_disabled = |name: &str| editor.disabled(&changed).iter().any(|disabled| disabled == name);
        match &change {
            SettingsChange::Disable(name) => assert!(is_disabled(name), "{changed:?}"),
            SettingsChange::Enable(name) => assert!(!is_disabled(name), "{changed:?}"),
            _ => {}
        }
    }
}

/// Clients' configuration files are either read or reported as unreadable.
fn read_clients(scene: &Scene, input: &[u8]) {
    let files = [".claude.json", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json"];
    files.iter().for_each(|file| put(&scene.site.home().join(file), input));
    put(&scene.site.project().join(".mcp.json"), input);
    let found = scene.app.ports.client_configs.read();
    assert!(found.len() <= files.len() + 8);
}

fn member(name: &str) -> ArchiveMember {
    ArchiveMember { name: format!("demo/{name}"), bytes: b"# Demo\n".repeat(9) }
}

/// Neither any bytes nor an archive with random bytes changed break the reader.
fn read_archive(scene: &Scene, input: &[u8]) {
    static PACKED: OnceLock<Vec<u8>> = OnceLock::new();
    let archives = &scene.app.ports.archives;
    let mut packed =
        PACKED.get_or_init(|| archives.pack(&["SKILL.md", "größe.md"].map(member)).unwrap()).clone();
    let mut random = Random::new(input.iter().fold(7, |sum, byte| sum * 31 % 1_000_003 + u64::from(*byte)));
    for _ in 0..=random.below(6) {
        let at = random.below(packed.len());
        packed[at] = random.next() as u8;
    }
    for bytes in [input.to_vec(), packed] {
        archives.is_packed(&bytes);
        let _ = archives.inspect(Box::new(Cursor::new(bytes)));
    }
}

/// The parser of each agent's history terminates on any content.
fn read_histories(scene: &Scene, input: &[u8]) {
    let path = scene.folder.join("session.jsonl");
    fs::write(&path, input).unwrap();
    for source in &scene.app.ports.histories {
        for is_settled in [false, true] {
            let file =
                HistoryFile { path: path.clone(), bytes: input.len() as u64, modified: Default::default() };
            let Ok(mut reader) = source.open(&file, HistoryRead { from: 0, is_settled }) else { continue };
            let mut calls = 0;
            while let Ok(Some(_)) = reader.next_call() {
                calls += 1;
                assert!(calls <= 10 * input.len() + 10, "{}", source.agent());
            }
            assert!(reader.position() <= input.len() as u64, "{}", source.agent());
        }
    }
}

fn read_shell(_: &Scene, input: &[u8]) {
    let text = text(input);
    let parts = shell::split_commands(&text);
    assert!(parts.iter().map(|(command, _)| command.len()).sum::<usize>() <= 4 * text.len() + 16);
    shell::is_script(&text);
}

/// Runs lint on the project; a failure must have a code.
fn run_lint(scene: &Scene, arguments: &Value) {
    let call = (entry_named("lint").unwrap().parse_json)(arguments).unwrap();
    let answer = block_on(&scene.app, call(&scene.app)).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert!(answer.reply.is_some() || !answer.failures.is_empty());
}

fn read_by_lint(scene: &Scene, input: &[u8]) {
    scene.site.write("demo", "SKILL.md", input);
    scene.site.write("demo", "references/a.md", [b"# Part\n\n".as_slice(), input].concat());
    scene.site.write("demo", "scripts/x.sh", input);
    scene.site.write("demo", "evals/evals.json", input);
    scene.site.write("demo", ".skilllint.toml", &input[..input.len().min(200)]);
    run_lint(scene, &json!({ "skill": ["demo"], "profile": "all", "diff": true, "unsafe": true }));
}

fn read_baseline(scene: &Scene, input: &[u8]) {
    scene.site.write_skill("demo", "# Demo\n\n[x](none.md)\n");
    put(&scene.site.project().join("baseline.json"), input);
    run_lint(scene, &json!({ "skill": ["demo"], "baseline": "baseline.json" }));
}
