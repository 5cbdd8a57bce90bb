//! Tools: the same operations, arguments, replies and faults as on the command line.

use super::{Client, LIFECYCLES, Lifecycle};
use crate::golden::check;
use crate::site::Site;
use serde_json::{Value, json};
use skillc_ops::Surface;
use skillc_ops::{OPS, OperationEntry};
use std::collections::BTreeSet;

/// The limit on the list of tools, in tokens of four bytes.
const TOKENS_MAX: usize = 3_400;
/// The limit on the instructions and the list of the read tools, in tokens of four bytes.
const READ_TOKENS_MAX: usize = 1_700;

fn tools() -> Vec<&'static OperationEntry> {
    OPS.iter().filter(|entry| entry.surface == Surface::Everywhere).collect()
}

fn listed(client: &mut Client) -> Vec<Value> {
    client.ask("tools/list", json!({}))["tools"].as_array().unwrap().clone()
}

fn tool<'a>(tools: &'a [Value], entry: &OperationEntry) -> &'a Value {
    tools.iter().find(|tool| tool["name"] == entry.tool_name()).expect(entry.name)
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn every_operation_that_is_not_for_the_command_line_only_is_a_tool() {
    let site = Site::new();
    for lifecycle in LIFECYCLES {
        let list = listed(&mut Client::start(&site, lifecycle));
        let names: Vec<&str> = list.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let mut expected: Vec<String> = tools().iter().map(|entry| entry.tool_name()).collect();
        expected.sort();
        assert_eq!(names, expected, "{lifecycle:?}");
        for verb in ["undeploy", "sync", "log", "team", "try", "mcp"] {
            assert!(!names.contains(&format!("skc_{verb}").as_str()), "{verb}");
        }
    }
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_set_of_tools_is_offered_alone_and_its_instructions_name_no_other() {
    let site = Site::built("demo", "# Top\n");
    let read =
        ["skc_open", "skc_outline", "skc_search", "skc_show", "skc_sources", "skill_load", "skill_search"];
    let names = |client: &mut Client| -> Vec<String> {
        listed(client).iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let every = names(&mut Client::start(&site, Lifecycle::Stateless));
    for (set, instructed) in [("read", 7), ("author", 4), ("all", 11)] {
        let mut client = Client::start_command(site.command(["mcp", "--tools", set]), Lifecycle::Raw);
        let hello = client.shake_hands("2025-11-25");
        let offered = names(&mut client);
        let expected: Vec<_> = every
            .iter()
            .filter(|name| set == "all" || (set == "read") == read.contains(&name.as_str()))
            .cloned()
            .collect();
        assert_eq!(offered, expected, "{set}");
        let text = hello["instructions"].as_str().unwrap();
        assert!(text.split_whitespace().count() <= 120, "{text}");
        let named: BTreeSet<_> = every.iter().filter(|name| text.contains(name.as_str())).collect();
        assert_eq!(named.len(), instructed, "{set}: {text}");
        assert!(named.iter().all(|name| offered.contains(name)), "{set}: {text}");
        assert!(text.find("skill_search").unwrap_or(0) <= text.find("skc_").unwrap(), "{text}");
        for name in every.iter().filter(|name| !offered.contains(name)) {
            let (code, _) = client.refused("tools/call", json!({ "name": name, "arguments": {} }));
            assert_eq!(code, -32602, "{set}: {name}");
        }
    }
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_tool_takes_what_its_command_takes() {
    let site = Site::new();
    let list = listed(&mut Client::start(&site, Lifecycle::Stateless));
    for entry in tools() {
        let schema = &tool(&list, entry)["inputSchema"];
        let command = (entry.augment)(clap::Command::new(entry.name));
        let arguments: Vec<&clap::Arg> = command
            .get_arguments()
            .filter(|arg| !entry.command_line_only.contains(&arg.get_id().as_str()))
            .collect();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let names: BTreeSet<&str> = arguments.iter().map(|arg| arg.get_id().as_str()).collect();
        let known: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(known, names, "{}", entry.name);
        let required: BTreeSet<&str> =
            arguments.iter().filter(|arg| arg.is_required_set()).map(|arg| arg.get_id().as_str()).collect();
        let demanded = schema["required"].as_array().cloned().unwrap_or_default();
        let demanded: BTreeSet<&str> = demanded.iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(demanded, required, "{}", entry.name);
        for arg in arguments {
            same(entry.name, arg, &properties[arg.get_id().as_str()]);
        }
        assert_eq!(schema["additionalProperties"], false, "{}", entry.name);
    }
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_schema_says_which_numbers_are_accepted() {
    let site = Site::built("x", "# X\n");
    let list = listed(&mut Client::start(&site, Lifecycle::Stateless));
    let mut ranges = Vec::new();
    for entry in tools() {
        let schema = tool(&list, entry)["inputSchema"]["properties"].clone();
        for (name, property) in schema.as_object().unwrap() {
            if property["type"] == "integer" {
                let (least, most) = (&property["minimum"], &property["maximum"]);
                assert_eq!(*least, 1, "{} {name}", entry.name);
                ranges.push((entry.name, name.clone(), most.as_u64()));
            }
        }
    }
    let most = |tool: &str, name: &str| ranges.iter().find(|r| r.0 == tool && r.1 == name).unwrap().2;
    assert_eq!(
        (most("outline", "level"), most("search", "limit"), most("list", "limit")),
        (Some(6), Some(1000), None)
    );
}

/// Asserts that an argument has the same help, default and choices in the schema as on the command line.
fn same(verb: &str, arg: &clap::Arg, property: &Value) {
    let place = format!("{verb} {}", arg.get_id());
    // Help speaks of options and commands, a description of arguments and tools.
    let plain = |text: &str| text.replace("--", "").replace("`skc ", "`skc_").replace('-', "_");
    let help = plain(&arg.get_help().unwrap().to_string());
    let described = property["description"].as_str().unwrap_or_else(|| panic!("{place}: {property}"));
    assert!(plain(described).starts_with(help.trim_end_matches('.')), "{place}: {described}");
    let is_for_shells = ["--", "`skc ", "shell", "commas"].iter().any(|word| described.contains(word));
    assert!(!is_for_shells, "{place}: {described}");
    let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    if let Some(default) = default.filter(|_| arg.get_action().takes_values()) {
        let known = &property["default"];
        assert_eq!(known.as_str().map_or_else(|| known.to_string(), str::to_owned), default, "{place}");
    }
    let choices: Vec<String> = arg.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
    if arg.get_action().takes_values() && !choices.is_empty() {
        let words: Vec<String> = property["enum"]
            .as_array()
            .unwrap_or_else(|| panic!("{place}: {property}"))
            .iter()
            .filter(|word| !word.is_null())
            .map(|word| word.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(words, choices, "{place}");
    }
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn the_list_of_tools_is_golden_and_small() {
    let site = Site::new();
    let list = listed(&mut Client::start(&site, Lifecycle::Stateless));
    let bytes = serde_json::to_string(&list).unwrap().len();
    println!("the list of {} tools costs {} tokens", list.len(), bytes.div_ceil(4));
    assert!(bytes.div_ceil(4) < TOKENS_MAX, "{bytes} bytes");
    let mut client = Client::start_command(site.command(["mcp", "--tools", "read"]), Lifecycle::Raw);
    let instructions = client.shake_hands("2025-11-25")["instructions"].to_string().len();
    let bytes = instructions + serde_json::to_string(&listed(&mut client)).unwrap().len();
    println!("instructions and tools for reading cost {} tokens", bytes.div_ceil(4));
    assert!(bytes.div_ceil(4) < READ_TOKENS_MAX, "{bytes} bytes");
    check("tools.json", &(serde_json::to_string_pretty(&list).unwrap() + "\n"));
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_reply_is_that_of_the_command_and_fits_its_schema() {
    let site = Site::built("demo", "# Top\n\nThe marmot whistles.\n\n## Usage\n\nCall it.\n");
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let list = listed(&mut client);
    for (verb, arguments, line) in [
        ("list", json!({}), "list"),
        ("outline", json!({"skill": "demo"}), "outline demo"),
        ("show", json!({"skill": "demo", "section": "usage"}), "show demo --section usage"),
        ("open", json!({"skill": "demo", "path": "SKILL.md"}), "open demo SKILL.md"),
        ("sources", json!({"skill": "demo"}), "sources demo"),
        ("search", json!({"skill": "demo", "query": "marmot"}), "search demo marmot"),
        ("find", json!({"query": "marmot"}), "find marmot"),
        ("lint", json!({"skill": "demo"}), "lint demo"),
        ("build", json!({"skill": "demo"}), "build demo"),
        ("config", json!({}), "config"),
        ("targets", json!({"present": true}), "targets --present"),
        ("explain", json!({"code": "E002"}), "explain E002"),
        ("init", json!({"name": "new"}), "init newer"),
        ("stats", json!({"skill": "demo", "group_by": "sections"}), "stats demo --group-by sections"),
        ("load", json!({"name": "demo"}), "load demo"),
    ] {
        let entry = tools().into_iter().find(|entry| entry.name == verb).unwrap();
        let reply = client.call(&entry.tool_name(), arguments);
        assert_ne!(reply["isError"], true, "{verb}: {reply}");
        let data = &reply["structuredContent"];
        let schema = &tool(&list, entry)["outputSchema"];
        assert!(jsonschema::is_valid(schema, data), "{verb}: {data}\n{schema}");
        assert!(!reply["content"][0]["text"].as_str().unwrap().is_empty(), "{verb}");
        if !matches!(verb, "init" | "stats") {
            let mut expected = site.skc(line.split(' ').chain(["-o", "json"])).json();
            if verb == "load" {
                // `text` repeats the text of the tool result.
                expected.as_object_mut().unwrap().remove("text").unwrap();
            }
            let mut data = data.clone();
            if verb == "find" {
                // Notes are worded for their reader, so they differ.
                for reply in [&mut data, &mut expected] {
                    reply.as_object_mut().unwrap().remove("note");
                }
            }
            assert_eq!(data, expected, "{verb}");
        }
    }
    let named: BTreeSet<&str> = tools().iter().map(|entry| entry.name).collect();
    assert_eq!(named.len(), 15, "a new tool needs a line here");
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn the_text_of_a_loaded_skill_is_sent_once() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nThe marmot whistles.\n");
    for lifecycle in LIFECYCLES {
        let mut client = Client::start(&site, lifecycle);
        for arguments in [json!({"name": "demo"}), json!({"name": "demo", "force": true})] {
            let reply = client.call("skill_load", arguments);
            assert_eq!(
                reply.to_string().matches("The marmot whistles.").count(),
                1,
                "{lifecycle:?}: {reply}"
            );
            assert_eq!(reply["structuredContent"].get("text"), None, "{lifecycle:?}: {reply}");
        }
    }
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_search_that_finds_nothing_says_what_to_call_next() {
    let site = Site::built("demo", "# Top\n");
    let reply = Client::start(&site, Lifecycle::Stateless)
        .call("skc_search", json!({"skill": "demo", "query": "xylophone"}));
    let expected = "No section has every word of 'xylophone'; call skc_outline to see the headings";
    assert_eq!(reply["content"][0]["text"].as_str().unwrap().trim_end(), expected);
    let run = site.skc(["search", "demo", "xylophone"]).ok();
    assert!(run.out.contains("run 'skc outline demo' to see the headings"), "{}", run.out);
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_fault_is_a_tool_error_with_its_code() {
    let site = Site::built("demo", "# Top\n");
    let mut client = Client::start(&site, Lifecycle::Initialize("2025-06-18"));
    for (tool, arguments, code) in [
        ("skc_show", json!({"skill": "none", "section": "x"}), "E001"),
        ("skc_show", json!({"skill": "demo", "section": "none"}), "E020"),
        ("skc_open", json!({"skill": "demo", "path": "../x"}), "E012"),
        ("skc_open", json!({"skill": "demo", "path": "none"}), "E021"),
        ("skc_search", json!({"skill": "demo", "query": " "}), "E004"),
        ("skc_stats", json!({"skill": "demo", "group_by": "mood"}), "E030"),
        ("skc_init", json!({"name": "../x"}), "E051"),
        ("skc_lint", json!({"skill": "demo", "fix": true}), "E100"),
        ("skc_stats", json!({"skill": "demo", "html": "x.html"}), "E100"),
        ("skc_build", json!({"skill": "demo", "target": ["./out"]}), "E100"),
        ("skc_show", json!({"skill": "demo"}), "E100"),
        ("skc_show", json!({"skill": 7, "section": "x"}), "E100"),
        ("skc_list", json!({"scope": "everywhere"}), "E100"),
        ("skc_list", json!({"colour": "red"}), "E100"),
    ] {
        let reply = client.call(tool, arguments.clone());
        assert_eq!(reply["isError"], true, "{tool} {arguments}: {reply}");
        let text = reply["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(&format!("error[{code}]: ")), "{tool} {arguments}: {text}");
        assert_eq!(reply["_meta"]["skillc/errors"][0]["code"], code, "{reply}");
    }
    assert!(!site.project().join("out").exists() && !site.project().join("x.html").exists());
    let (code, message) = client.refused("tools/call", json!({"name": "skc_sync", "arguments": {}}));
    assert!(code == -32602 && message.contains("skc_sync"), "{code} {message}");
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_file_that_is_no_text_is_a_link_unless_its_bytes_are_asked_for() {
    let site = Site::built("demo", "# Top\n");
    let bytes = [&b"\x89PNG\r\n"[..], &[0xff; 9_994]].concat();
    site.write("demo", "assets/a logo.png", &bytes);
    site.write("demo", ".hidden.bin", &bytes);
    for lifecycle in LIFECYCLES {
        let mut client = Client::start(&site, lifecycle);
        let schema = tool(&listed(&mut client), tools().iter().find(|entry| entry.name == "open").unwrap())
            ["outputSchema"]
            .clone();
        let mut open = |arguments: Value| {
            let mut whole = json!({ "skill": "demo" });
            whole.as_object_mut().unwrap().append(&mut arguments.as_object().unwrap().clone());
            let reply = client.call("skc_open", whole);
            assert!(jsonschema::is_valid(&schema, &reply["structuredContent"]), "{reply}");
            reply
        };
        let uri = "skill://demo/assets/a%20logo.png";
        let reply = open(json!({ "path": "assets/a logo.png" }));
        let link = json!({
            "type": "resource_link", "uri": uri, "name": "a logo.png", "mimeType": "image/png", "size": 10_000,
        });
        assert_eq!(reply["content"][1], link);
        let data = &reply["structuredContent"];
        assert_eq!(
            (&data["content"], &data["encoding"], &data["uri"]),
            (&json!(""), &json!("none"), &json!(uri))
        );
        let text = reply["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(uri) && text.contains("10000 bytes"), "{text}");
        let own = text.split("base directory: ").next().unwrap();
        assert_eq!(data["tokens"], own.len().div_ceil(4), "{reply}");

        let hidden = open(json!({ "path": ".hidden.bin" }));
        assert_eq!(
            (hidden["content"].as_array().unwrap().len(), hidden["structuredContent"].get("uri")),
            (1, None)
        );
        let asked = open(json!({ "path": "assets/a logo.png", "max_bytes": 20_000 }));
        assert_eq!(asked["structuredContent"]["encoding"], "base64");
        assert_eq!(
            open(json!({ "path": "SKILL.md", "max_lines": 1 }))["content"].as_array().unwrap().len(),
            1
        );
        let read = client.ask("resources/read", json!({ "uri": link["uri"] }));
        assert_eq!(read["contents"][0]["blob"], asked["structuredContent"]["content"]);
    }
    let command = site.skc(["open", "demo", "assets/a logo.png", "-o", "json"]).ok().json();
    assert_eq!((&command["encoding"], command.get("uri")), (&json!("base64"), None));
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn the_text_of_a_search_has_what_is_to_be_read_and_no_more() {
    let site = Site::built("demo", "# Top\n\n## Usage notes\n\nThe marmot   whistles\nand eats.\n");
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let reply = client.call("skc_search", json!({ "skill": "demo", "query": "marmot" }));
    let text = reply["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("SKILL.md#Usage notes\n  The marmot whistles and eats.\n"), "{text}");
    assert!(!text.contains("score") && !text.contains("[MATCH]"), "{text}");
    let none = client.call("skc_search", json!({ "skill": "demo", "query": "badger" }));
    assert!(none["content"][0]["text"].as_str().unwrap().contains("No section"), "{none}");
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_search_for_a_heading_names_its_section_and_others_on_request() {
    let body: String = (0..4).map(|i| format!("## Section {i}\n\nOf the marmot.\n\n")).collect();
    let site = Site::built("demo", &format!("# Top\n\n## Marmot\n\nWhistles.\n\n{body}"));
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let mut text = |more: Value| {
        let mut arguments = json!({ "skill": "demo", "query": "marmot" });
        arguments.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        client.call("skc_search", arguments)["content"][0]["text"].as_str().unwrap().trim_end().to_owned()
    };
    assert_eq!(text(json!({})), "SKILL.md#Marmot\n4 more: raise 'limit'");
    assert_eq!(text(json!({ "limit": 3 })), "SKILL.md#Marmot\nmore: raise 'limit'");
    let all = text(json!({ "limit": 20 }));
    let names: Vec<&str> = all.lines().collect();
    assert_eq!(names.len(), 5, "{all}");
    assert_eq!((names[0], names[4]), ("SKILL.md#Marmot", "SKILL.md#Section 3"), "{all}");
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_search_for_a_heading_of_many_sections_names_these_alone() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nThe usage.\n");
    (0..12).for_each(|i| {
        drop(site.write("demo", &format!("f{i}.md"), "# F\n\n## Usage\n\nText.\n\n## More\n\nOf usage.\n"))
    });
    site.skc(["build", "demo"]).ok();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let mut text = |limit: u32| {
        let arguments = json!({ "skill": "demo", "query": "usage", "limit": limit });
        client.call("skc_search", arguments)["content"][0]["text"].as_str().unwrap().trim_end().to_owned()
    };
    let (first, all) = (text(10), text(100));
    assert!(first.lines().count() == 11 && first.ends_with("\nmore: raise 'limit'"), "{first}");
    assert_eq!(all.matches("#Usage\n").count(), 12, "{all}");
    assert!(all.ends_with("\n13 more have the words") && !all.contains("#More"), "{all}");
}

/// RFC-0007:C-MCP-TOOLS, RFC-0002:C-SHOW
#[test]
fn results_of_a_search_are_shown_without_a_second_question() {
    let file = |word: &str| {
        format!("# {word}\n\n## Usage\n\nfirst {word}\n\n## Other\n\n## Usage\n\nsecond {word}\n")
    };
    let site = Site::new();
    site.write_skill("demo", &file("alpha"));
    site.write("demo", "references/b.md", file("beta"));
    site.skc(["build", "demo"]).ok();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let reply = client.call("skc_search", json!({ "skill": "demo", "query": "usage" }));
    let text = reply["content"][0]["text"].as_str().unwrap().to_owned();
    let names: Vec<&str> = text.lines().filter(|line| line.contains('#')).collect();
    assert_eq!(names.len(), 4, "{text}");
    let mut shown = BTreeSet::new();
    for name in names {
        let (file, section) = name.split_once('#').unwrap();
        let by_both = client.call("skc_show", json!({ "skill": "demo", "section": section, "file": file }));
        let by_name = client.call("skc_show", json!({ "skill": "demo", "section": name }));
        for reply in [&by_both, &by_name] {
            assert_eq!(reply["isError"], false, "{name}: {reply}");
            assert_eq!(reply["structuredContent"]["file"], file, "{name}: {reply}");
            assert!(!reply["content"][0]["text"].as_str().unwrap().contains("W001"), "{name}: {reply}");
        }
        assert_eq!(by_both["structuredContent"]["content"], by_name["structuredContent"]["content"]);
        shown.insert(by_name["structuredContent"]["content"].as_str().unwrap().to_owned());
    }
    assert_eq!(shown.len(), 4, "{shown:?}");
}
