//! RFC-0007:C-MCP-RESOURCES: files of skills as resources, the prompt, and completion.

use super::client::CLIENT;
use super::{Client, LIFECYCLES, Lifecycle, logged};
use crate::site::{Site, put};
use serde_json::{Value, json};
use std::fs;

fn client(site: &Site) -> Client {
    Client::start(site, Lifecycle::Stateless)
}

fn demo() -> Site {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nText of assets.\n\n## Sub\n\n### Deep\n");
    site.write("demo", "references/x.md", "\u{feff}# É\r\n");
    site.write("demo", "assets/a b%.bin", b"\x00\xff");
    site.write("demo", ".env", "secret");
    site
}

fn read(client: &mut Client, uri: &str) -> Value {
    client.ask("resources/read", json!({ "uri": uri }))["contents"][0].take()
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_file_is_read_as_text_or_else_as_base64() {
    let site = demo();
    let mut client = client(&site);
    let file = read(&mut client, "skill://demo/references/x.md");
    assert_eq!((&file["text"], &file["mimeType"]), (&json!("\u{feff}# É\r\n"), &json!("text/markdown")));
    assert_eq!(file["uri"], "skill://demo/references/x.md");
    let file = read(&mut client, "skill://demo/assets/a%20b%25.bin");
    assert_eq!((&file["blob"], &file["mimeType"]), (&json!("AP8="), &json!("application/octet-stream")));
    let whole = client.ask("resources/read", json!({ "uri": "skill://demo/SKILL.md" }));
    assert_eq!(
        (&whole["cacheScope"], whole["ttlMs"].as_u64() > Some(0)),
        (&json!("private"), true),
        "{whole}"
    );
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn the_resources_are_the_skill_md_of_each_skill() {
    let site = demo();
    let mut client = client(&site);
    let page = client.ask("resources/list", json!({}));
    let size = fs::metadata(site.skill("demo").join("SKILL.md")).unwrap().len();
    let expected = json!([{
        "uri": "skill://demo/SKILL.md", "name": "demo", "description": "Does demo. Use when testing.",
        "mimeType": "text/markdown", "size": size,
    }]);
    assert_eq!(page["resources"], expected);
    assert_eq!(client.refused("resources/list", json!({ "cursor": "x" })).0, -32602);
    let page = client.ask("resources/templates/list", json!({}));
    assert_eq!(page["resourceTemplates"][0]["uriTemplate"], "skill://{+skill}/{+path}");
    assert_eq!(client.refused("resources/templates/list", json!({ "cursor": "x" })).0, -32602);
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn no_uri_leads_out_of_a_skill() {
    let site = demo();
    put(&site.root().join("secret.md"), "secret");
    put(&site.project().join(".skillc/skills/secret.md"), "secret");
    site.write("demo", "sub/.hidden/x.md", "secret");
    let absolute = format!("skill://demo/{}", site.root().join("secret.md").display());
    for lifecycle in LIFECYCLES {
        let mut client = Client::start(&site, lifecycle);
        for uri in [
            "skill://demo/../secret.md",
            "skill://demo/../../../../secret.md",
            "skill://demo/%2e%2e/secret.md",
            "skill://demo/%2e%2e%2fsecret.md",
            "skill://demo/%252e%252e/secret.md",
            "skill://demo/..%5csecret.md",
            "skill://demo/references/..\\..\\secret.md",
            "skill://demo/references/../SKILL.md",
            "skill://demo/./SKILL.md",
            "skill://demo//SKILL.md",
            "skill://demo/SKILL.md/",
            "skill://demo/SKILL.md%00.png",
            "skill://demo/SKILL.md\u{0}",
            "skill://demo/.env",
            "skill://demo/%2eenv",
            "skill://demo/sub/.hidden/x.md",
            "skill://demo/references",
            "skill://demo",
            "skill://demo/nothing.md",
            "skill://../secret.md",
            "skill://secret.md",
            "skill://global/../secret.md",
            "skill://nobody/SKILL.md",
            "skill:///etc/passwd",
            "file:///etc/passwd",
            "/etc/passwd",
            "C:\\secret.md",
            "",
            absolute.as_str(),
            absolute.replace("demo//", "demo/").as_str(),
        ] {
            let (code, message) = client.refused("resources/read", json!({ "uri": uri }));
            let expected = if lifecycle == Lifecycle::Stateless { -32602 } else { -32002 };
            assert_eq!(code, expected, "{uri}: {message}");
            assert!(!message.contains("secret\n"), "{message}");
        }
    }
}

/// RFC-0007:C-MCP-RESOURCES
#[cfg(unix)]
#[test]
fn a_file_that_became_a_link_that_leads_out_is_no_longer_there() {
    use std::os::unix::fs::symlink;
    let site = demo();
    put(&site.root().join("secret.md"), "secret");
    let mut client = client(&site);
    let file = site.skill("demo").join("references/x.md");
    read(&mut client, "skill://demo/references/x.md");
    fs::remove_file(&file).unwrap();
    symlink("../../../../../secret.md", &file).unwrap();
    assert_eq!(client.refused("resources/read", json!({ "uri": "skill://demo/references/x.md" })).0, -32602);
    let one = client.ask("skills/get", json!({ "uri": "skill://demo/SKILL.md" }));
    assert!(!one["skill"]["resources"].to_string().contains("x.md"), "{one}");
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn each_reading_of_a_file_is_one_row_of_the_log() {
    let site = demo();
    let mut client = client(&site);
    client.ask("skills/list", json!({}));
    client.ask("skills/get", json!({ "uri": "skill://demo/SKILL.md" }));
    read(&mut client, "skill://demo/references/x.md");
    client.refused("resources/read", json!({ "uri": "skill://demo/nothing.md" }));
    client.refused("resources/read", json!({ "uri": "skill://nobody/x.md" }));
    let events = logged(&site, "demo");
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.iter().all(|e| e.command == "read" && e.args["client"] == CLIENT), "{events:?}");
    let seen = |at: usize| (events[at].target.as_deref(), events[at].file.as_deref());
    assert_eq!(seen(0), (Some("references/x.md"), Some("references/x.md")));
    assert_eq!(seen(1), (Some("nothing.md"), None));
    assert!(events[1].error.as_deref().unwrap().starts_with("error[E021]"), "{events:?}");
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn the_prompt_hands_over_a_skill() {
    let site = demo();
    let mut client = client(&site);
    let prompts = client.ask("prompts/list", json!({}))["prompts"].take();
    assert_eq!((prompts[0]["name"].as_str(), prompts.as_array().unwrap().len()), (Some("use_skill"), 1));
    assert_eq!(prompts[0]["arguments"][0]["required"], true);
    let get = |arguments: Value| json!({ "name": "use_skill", "arguments": arguments });
    let reply = client.ask("prompts/get", get(json!({ "name": "demo", "task": "whistle" })));
    let text = reply["messages"][0]["content"]["text"].as_str().unwrap();
    for part in [
        "'demo'",
        "whistle",
        "Does demo. Use when testing.",
        "- Top\n  - Sub\n",
        "skc_show",
        "skill://demo/SKILL.md",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Deep") && text.contains("call skc_build first"), "{text}");
    let (code, message) = client.refused("prompts/get", get(json!({ "name": "demmo" })));
    assert_eq!((code, message.as_str()), (-32602, "skill 'demmo' not found; similar: demo"));
    for params in [
        get(json!({})),
        get(json!({ "name": 7 })),
        get(json!({ "name": "demo", "taks": "x" })),
        get(json!({ "name": "../demo" })),
        json!({ "name": "other" }),
    ] {
        assert_eq!(client.refused("prompts/get", params.clone()).0, -32602, "{params}");
    }
    assert_eq!(client.refused("prompts/list", json!({ "cursor": "x" })).0, -32602);
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn each_use_of_the_prompt_is_one_row_of_the_log() {
    let site = demo();
    let mut client = client(&site);
    let get = |name: &str| json!({ "name": "use_skill", "arguments": { "name": name, "task": "whistle" } });
    client.ask("prompts/get", get("demo"));
    client.refused("prompts/get", get("demmo"));
    let events = logged(&site, "demo");
    let [event] = &events[..] else { panic!("{events:?}") };
    assert_eq!((event.command.as_str(), &event.args), ("use", &json!({ "name": "demo", "client": CLIENT })));
    assert_eq!((&event.target, &event.file, &event.error), (&None, &None, &None));
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn the_prompt_names_no_tool_that_is_not_offered() {
    let site = demo();
    let mut client = Client::start_command(site.command(["mcp", "--tools", "read"]), Lifecycle::Stateless);
    let reply = client.ask("prompts/get", json!({ "name": "use_skill", "arguments": { "name": "demo" } }));
    let text = reply["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(!text.contains("skc_build") && text.contains("ask the user to run `skc build demo`"), "{text}");
    let folder = site.project().join("docs");
    std::fs::create_dir(&folder).unwrap();
    let call = json!({ "name": "skc_outline", "arguments": { "skill": folder } });
    let text = client.ask("tools/call", call)["content"][0]["text"].to_string();
    assert!(text.contains("E010") && text.contains("call skill_search"), "{text}");
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn names_and_paths_are_completed() {
    let site = demo();
    site.write_skill("de-luxe", "x");
    site.write_skill("model", "x");
    let mut client = client(&site);
    let mut complete = |params: Value| client.ask("completion/complete", params)["completion"].take();
    let prompt = |typed: &str| json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": typed } });
    assert_eq!(complete(prompt("De"))["values"], json!(["de-luxe", "demo", "model"]));
    assert_eq!(complete(prompt("x")), json!({ "values": ["de-luxe"], "total": 1, "hasMore": false }));
    let template = |argument: &str, typed: &str, context: Value| {
        json!({
            "ref": { "type": "ref/resource", "uri": "skill://{+skill}/{+path}" },
            "argument": { "name": argument, "value": typed },
            "context": { "arguments": context },
        })
    };
    assert_eq!(complete(template("skill", "mo", json!({})))["values"], json!(["model", "demo"]));
    let of_demo = json!({ "skill": "demo" });
    assert_eq!(complete(template("path", "ref", of_demo.clone()))["values"], json!(["references/x.md"]));
    assert_eq!(complete(template("path", "assets", of_demo))["values"], json!(["assets/a%20b%25.bin"]));
    assert_eq!(complete(template("path", "", json!({})))["values"], json!([]));
    let other = json!({ "ref": { "type": "ref/prompt", "name": "other" }, "argument": { "name": "name", "value": "" } });
    assert_eq!(complete(other)["values"], json!([]));
    assert_eq!(complete(template("path", "", json!({ "skill": "../demo" })))["values"], json!([]));
    for params in [
        json!({ "ref": { "type": "ref/resource", "uri": "x://{y}" }, "argument": { "name": "y", "value": "" } }),
        template("other", "", json!({})),
    ] {
        assert_eq!(client.refused("completion/complete", params.clone()).0, -32602, "{params}");
    }
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_hundred_of_many_names_are_returned_and_all_are_counted() {
    let site = Site::new();
    (0..130).for_each(|i| site.write_skill(&format!("s{i}"), "x"));
    let params = json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "s" } });
    let completion = client(&site).ask("completion/complete", params)["completion"].take();
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(130), &json!(true)));
}

/// RFC-0002:C-DIR
#[test]
fn a_resource_and_the_prompt_name_the_base_directory() {
    let site = demo();
    let mut client = client(&site);
    let dir = site.skill("demo").to_string_lossy().into_owned();
    for path in ["SKILL.md", "assets/a%20b%25.bin"] {
        let file = read(&mut client, &format!("skill://demo/{path}"));
        assert_eq!(file["_meta"]["io.modelcontextprotocol.skills/dir"], dir, "{file}");
    }
    let prompt = client.ask("prompts/get", json!({ "name": "use_skill", "arguments": { "name": "demo" } }));
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert_eq!(text.matches(&format!("Base directory: {dir}\n")).count(), 1, "{text}");
}

/// RFC-0002:C-DIR
#[test]
fn the_tools_of_a_skills_text_name_its_base_directory() {
    let site = demo();
    site.skc(["build", "demo"]).ok();
    let mut client = client(&site);
    let dir = site.skill("demo").to_string_lossy().into_owned();
    for (tool, arguments) in [
        ("skc_show", json!({ "skill": "demo", "section": "Top" })),
        ("skc_open", json!({ "skill": "demo", "path": "assets/a b%.bin" })),
        ("skc_outline", json!({ "skill": "demo" })),
        ("skc_sources", json!({ "skill": "demo" })),
        ("skill_load", json!({ "name": "demo" })),
    ] {
        let reply = client.call(tool, arguments);
        assert_eq!(reply["structuredContent"]["dir"], dir, "{tool}: {reply}");
        let text = reply["content"][0]["text"].as_str().unwrap().to_lowercase();
        assert_eq!(text.matches("base directory: ").count(), 1, "{tool}: {text}");
    }
}

/// RFC-0002:C-DIR
#[test]
fn a_section_that_names_no_script_is_shown_without_the_base_directory() {
    let site = Site::new();
    let text =
        "# Top\n\nSee references/x.md.\n\n## Run\n\nRun `check.py`.\n\n## Folder\n\nSome of the scripts.\n";
    site.write_skill("demo", text);
    site.write("demo", "references/x.md", "# X\n");
    site.write("demo", "scripts/check.py", "print()\n");
    site.skc(["build", "demo"]).ok();
    let mut client = client(&site);
    for (section, file, is_named) in [
        ("X", "references/x.md", false),
        ("Run", "SKILL.md", true),
        ("Folder", "SKILL.md", true),
        ("Top", "SKILL.md", true),
    ] {
        let reply = client.call("skc_show", json!({ "skill": "demo", "section": section, "file": file }));
        let text = reply["content"][0]["text"].as_str().unwrap();
        assert_eq!(text.contains("base directory: "), is_named, "{section}: {text}");
        assert_eq!(reply["structuredContent"]["dir"], json!(site.skill("demo")), "{section}");
    }
    let part = json!({ "skill": "demo", "section": "Top", "max_lines": 2 });
    let text = client.call("skc_show", part)["content"][0]["text"].to_string();
    assert!(!text.contains("base directory: ") && text.contains("continue with argument 'cursor'"), "{text}");
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn every_skill_that_a_tool_reads_is_a_resource_and_a_prompt() {
    let site = Site::new();
    let front = |name: &str, more: &str| {
        format!("---\nname: {name}\ndescription: Does it. Use when asked.\n{more}---\n\n# Top\n\nText.\n")
    };
    for (folder, text) in [
        ("fine", front("fine", "")),
        ("version", front("version", "metadata:\n  version: 1.5\n")),
        ("capital", front("Capital Letters", "")),
        ("slash", front("a/b", "")),
        ("no-front", "# Top\n\nText.\n".to_owned()),
        ("broken", "---\nname: [x\n---\n\n# Top\n\nText.\n".to_owned()),
        ("twin-a", front("twin", "")),
        ("twin-b", front("twin", "")),
        ("many-files", front("many-files", "")),
    ] {
        put(&site.skill(folder).join("SKILL.md"), text);
    }
    (0..600).for_each(|i| put(&site.skill("many-files").join(format!("f{i}.txt")), "x"));
    let mut client = client(&site);
    let listed = client.ask("resources/list", json!({}));
    let uris: Vec<&str> =
        listed["resources"].as_array().unwrap().iter().map(|r| r["uri"].as_str().unwrap()).collect();
    let names = [
        "Capital%20Letters",
        "broken",
        "fine",
        "many-files",
        "no-front",
        "slash",
        "twin",
        "twin-b",
        "version",
    ];
    assert_eq!(uris, names.map(|name| format!("skill://{name}/SKILL.md")));
    assert_eq!(listed.get("_meta"), None, "{listed}");
    for uri in uris {
        let text = read(&mut client, uri)["text"].as_str().unwrap().to_owned();
        assert!(text.contains("# Top"), "{uri}");
    }
    for name in ["Capital Letters", "broken", "many-files", "no-front", "slash", "twin-b", "version"] {
        let prompt = client.ask("prompts/get", json!({ "name": "use_skill", "arguments": { "name": name } }));
        assert!(prompt.to_string().contains("Use the skill"), "{prompt}");
    }
    let index = client.ask("skills/list", json!({}));
    let indexed: Vec<&str> =
        index["skills"].as_array().unwrap().iter().map(|s| s["uri"].as_str().unwrap()).collect();
    assert_eq!(indexed, ["skill://fine/SKILL.md", "skill://twin/SKILL.md"]);
    assert_eq!(index["_meta"]["skillc/left-out"].as_array().unwrap().len(), 7, "{index}");
}

/// RFC-0007:C-MCP-RESOURCES
#[test]
fn a_read_costs_the_same_among_many_skills() {
    let micros = |count: usize| {
        let site = Site::new();
        (0..count).for_each(|i| site.write_skill(&format!("skill-{i}"), "# Top\n\nText.\n"));
        let mut client = client(&site);
        let mut ask = |method: &str, params: &Value| {
            let mut times: Vec<u128> = (0..9)
                .map(|_| {
                    let begun = std::time::Instant::now();
                    client.ask(method, params.clone());
                    begun.elapsed().as_micros()
                })
                .collect();
            times.sort_unstable();
            times[4]
        };
        let name = json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "skill-3" } });
        [
            ask("resources/read", &json!({ "uri": "skill://skill-3/SKILL.md" })),
            ask("prompts/get", &json!({ "name": "use_skill", "arguments": { "name": "skill-3" } })),
            ask("completion/complete", &name),
        ]
    };
    let (few, many) = (micros(7), micros(700));
    println!("read, prompt, completion: {few:?} µs of 7 skills, {many:?} µs of 700");
    for (few, many) in few.iter().zip(many) {
        assert!(many < few * 4 + 5_000, "{few} µs of 7 skills, {many} of 700");
    }
}
