//! RFC-0010:C-POLICY: what an agent may not do, by any operation and by any name of the skill.

use super::scene::{configure, configure_project};
use crate::mcp::{Client, Lifecycle};
use crate::site::{Run, Site, put, skill_md};
use serde_json::{Value, json};
use skillc_ops::OPS;
use skillc_ops::Surface;

const RULES: &str = "[skills]\ndisabled = ['off']\n[permissions]\ndeny = ['secret']\nconfirm = ['ask']\n";
/// The hidden skills of the scene, and the error code that an agent gets for each.
const KEPT: [(&str, &str); 3] = [("secret", "E072"), ("off", "E073"), ("ask", "E074")];
const AGENT: (&str, &str) = ("SKILLC_AGENT", "some-agent");
/// The address of a team store that is never contacted.
const TEAM: (&str, &str) = ("SKILLC_TEAM_URL", "postgres:///x?host=/no/such/folder");

/// Four built and deployed skills. One of them is open to everybody.
fn scene() -> Site {
    let site = Site::new();
    for name in ["open", "secret", "off", "ask"] {
        site.write_skill(name, "# Top\n\nThe marmot whistles.\n");
        site.skc(["build", name]).ok();
    }
    put(&site.project().join("q.json"), "[{\"query\": \"marmot\", \"should_trigger\": true}]");
    configure(&site, RULES);
    site
}

fn as_agent(site: &Site, line: &[&str]) -> Run {
    site.skc_with(&[AGENT, TEAM], line)
}

/// The command line of an operation on a skill; `None` for an operation that takes no skill. A new operation needs an
/// entry here.
fn line<'a>(operation: &'a str, skill: &'a str) -> Option<Vec<&'a str>> {
    let more: &[&str] = match operation {
        "outline" | "sources" | "lint" | "stats" | "load" | "init" | "enable" | "disable" | "undeploy"
        | "remove" | "slim" | "sync" | "pack" | "prove" => &[],
        "build" => &["--force"],
        "show" => &["--section", "Top"],
        "open" => &["SKILL.md"],
        "search" => &["marmot"],
        "rename" => &["renamed"],
        "publish" => &["--well-known", "public"],
        "log" => return Some(vec!["log", "forget", skill]),
        "team" => return Some(vec!["team", "publish", skill]),
        "eval" => {
            return Some(vec![
                "eval",
                "discovery",
                "--queries",
                "q.json",
                "--corpus",
                ".skillc/skills",
                "--skill",
                skill,
            ]);
        }
        "list" | "find" | "mentions" | "model" | "history" | "targets" | "catalog" | "config" | "explain"
        | "undo" | "plugin" | "doctor" => {
            return None;
        }
        other => panic!("does '{other}' take a skill?"),
    };
    Some([&[operation, skill], more].concat())
}

/// The arguments of a tool call on a skill; `None` for a tool that takes no skill.
fn arguments(operation: &str, skill: &str) -> Option<Value> {
    Some(match operation {
        "outline" | "sources" | "lint" | "stats" => json!({ "skill": skill }),
        "build" => json!({ "skill": skill, "force": true }),
        "show" => json!({ "skill": skill, "section": "Top" }),
        "open" => json!({ "skill": skill, "path": "SKILL.md" }),
        "search" => json!({ "skill": skill, "query": "marmot" }),
        "load" | "init" => json!({ "name": skill }),
        "list" | "find" | "targets" | "config" | "explain" => return None,
        other => panic!("does the tool '{other}' take a skill?"),
    })
}

/// The text of a tool's refusal.
#[track_caller]
fn refused(client: &mut Client, tool: &str, arguments: Value) -> String {
    let result = client.call(tool, arguments.clone());
    assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
    assert!(!result.to_string().contains("whistles"), "{tool} {arguments}: {result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

fn client(site: &Site) -> Client {
    Client::start(site, Lifecycle::Stateless)
}

/// D12, RFC-0010:C-POLICY
#[test]
fn every_operation_on_a_skill_that_is_kept_from_agents_is_refused_to_an_agent_on_the_command_line() {
    let site = scene();
    let mut taken = 0;
    for entry in OPS {
        for (skill, code) in KEPT {
            let Some(line) = line(entry.name, skill) else { continue };
            let run = as_agent(&site, &line).fails(code);
            assert!(!run.out.contains("whistles") && !run.err.contains("W082"), "{line:?}: {}", run.out);
            taken += 1;
        }
        if let Some(line) = line(entry.name, "open")
            .filter(|_| !["init", "team", "sync", "disable", "rename"].contains(&entry.name))
        {
            as_agent(&site, &line).ok();
        }
    }
    assert_eq!(taken, 23 * KEPT.len());
    site.skc_with(&[("SKILLC_AGENT", "")], ["outline", "secret"]).ok();
}

/// D12, RFC-0010:C-POLICY
#[test]
fn every_tool_refuses_a_skill_that_is_kept_from_agents() {
    let site = scene();
    let mut client = client(&site);
    for entry in OPS.iter().filter(|entry| entry.surface == Surface::Everywhere) {
        for (skill, code) in KEPT {
            let Some(arguments) = arguments(entry.name, skill) else { continue };
            let text = refused(&mut client, &entry.tool_name(), arguments);
            assert!(text.starts_with(&format!("error[{code}]: ")), "{} {skill}: {text}", entry.name);
        }
        if let Some(arguments) = arguments(entry.name, "open").filter(|_| entry.name != "init") {
            let result = client.call(&entry.tool_name(), arguments);
            assert_eq!(result["isError"], false, "{}: {result}", entry.name);
        }
    }
}

/// D12, RFC-0010:C-POLICY
#[test]
fn a_user_who_works_on_a_skill_hidden_from_agents_is_warned() {
    let site = scene();
    for verb in ["outline", "sources", "show", "open", "search", "lint", "stats", "build"] {
        for (skill, _) in &KEPT[..2] {
            let run = site.skc(line(verb, skill).unwrap()).ok();
            let told = format!("warning[W082]: skill '{skill}' is hidden from agents: ");
            assert_eq!(run.err.matches(&told).count(), 1, "{verb}: {}", run.err);
        }
        let run = site.skc(line(verb, "ask").unwrap()).ok();
        assert!(!run.err.contains("W082"), "one that somebody agrees to is seen: {}", run.err);
    }
    let refused = site.skc(["load", "secret"]).fails("E072");
    assert!(!refused.err.contains("W082"), "{}", refused.err);
}

/// D12, RFC-0010:C-POLICY
#[cfg(unix)]
#[test]
fn no_path_link_stub_or_folder_around_it_leads_an_agent_to_a_skill_that_is_kept_from_it() {
    use std::os::unix::fs::symlink;
    let site = scene();
    let (project, source) = (site.project(), site.skill("secret"));
    symlink(&source, project.join("alias")).unwrap();
    symlink(&source, site.skill("nick")).unwrap();
    put(&project.join("SKILL.md"), skill_md("project", "# All\n"));
    site.write("secret", "inner/SKILL.md", skill_md("inner", "# In\n\nThe marmot whistles.\n"));
    put(&project.join("copied/SKILL.md"), skill_md("secret", "# Top\n\nThe marmot whistles.\n"));
    let mut client = client(&site);
    let (absolute, inner) = (source.to_string_lossy().into_owned(), site.skill("secret").join("inner"));
    let names = [
        "./.skillc/skills/secret",
        ".skillc/skills/../skills/secret/",
        "../project/.skillc/skills/secret",
        &absolute,
        "alias",
        "./alias",
        "nick",
        ".skillc/skills/nick",
        ".skillc/runtime/secret",
        ".claude/skills/secret",
        "copied",
        inner.to_str().unwrap(),
    ];
    for name in names {
        for (tool, arguments) in [
            ("skc_open", json!({ "skill": name, "path": "SKILL.md" })),
            ("skc_outline", json!({ "skill": name })),
            ("skc_show", json!({ "skill": name, "section": "Top" })),
            ("skc_build", json!({ "skill": name })),
            (
                "skc_lint",
                json!({ "skill": if name == "nick" { name.to_owned() } else { format!("{name}/SKILL.md") } }),
            ),
        ] {
            let text = refused(&mut client, tool, arguments);
            assert!(text.starts_with("error[E072]: "), "{tool} {name}: {text}");
        }
    }
    for path in [
        ".skillc/skills/secret/SKILL.md",
        ".skillc/runtime/secret/SKILL.md",
        ".skillc/runtime/secret/.skillc-meta/manifest.json",
        "copied/SKILL.md",
        "alias/SKILL.md",
    ] {
        let text = refused(&mut client, "skc_open", json!({ "skill": ".", "path": path }));
        assert!(text.starts_with("error[E072]: "), "{path}: {text}");
    }
    for tool in ["skc_sources", "skc_outline"] {
        let all = client.call(tool, json!({ "skill": "." }));
        assert_eq!(all["isError"], false, "{all}");
        assert!(!all.to_string().contains("copied"), "{all}");
    }
}

/// D12, RFC-0010:C-POLICY
#[test]
fn nothing_names_a_hidden_skill_to_an_agent() {
    let site = scene();
    let names_hidden = |text: &str| text.contains("secret") || text.contains("off\"");
    for line in [
        &["list", "--format", "json"][..],
        &["catalog", "--format", "json"],
        &["find", "marmot", "--mode", "lexical", "--format", "json"],
        &["stats", "--all", "--format", "json"],
        &["lint", "--format", "json"],
        &["build", "--all", "--format", "json"],
    ] {
        let run = as_agent(&site, line);
        assert!(run.out.contains("open") && !names_hidden(&run.out), "{line:?}: {}{}", run.out, run.err);
    }
    assert_eq!(
        as_agent(&site, &["list", "-o", "json"]).ok().json()["total"],
        2,
        "one to be agreed to is seen"
    );
    assert_eq!(site.skc(["list", "-o", "json"]).ok().json()["total"], 4, "a user has all");
    for near in ["secre", "of"] {
        let refused = as_agent(&site, &["load", near]).fails("E071");
        assert!(!refused.err.contains("- secret") && !refused.err.contains("- off"), "{}", refused.err);
    }
    put(&site.project().join(".agents/skills/secret/SKILL.md"), skill_md("secret", "# Other\n"));
    let refused = as_agent(&site, &["load", "secret"]).fails("E072");
    assert!(!refused.err.contains(".agents"), "{}", refused.err);
    let mut client = client(&site);
    for (tool, arguments) in [
        ("skc_list", json!({})),
        ("skill_search", json!({ "query": "marmot" })),
        ("skc_stats", json!({ "all": true })),
        ("skc_build", json!({ "all": true })),
    ] {
        let result = client.call(tool, arguments);
        assert!(!names_hidden(&result.to_string()), "{tool}: {result}");
    }
    let prompt = json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "" } });
    assert_eq!(client.ask("completion/complete", prompt)["completion"]["values"], json!(["ask", "open"]));
    for method in ["resources/list", "skills/list"] {
        assert!(!names_hidden(&client.ask(method, json!({})).to_string()), "{method}");
    }
}

/// D12, RFC-0010:C-POLICY
#[test]
fn no_resource_prompt_or_completion_gives_out_what_is_kept_from_agents() {
    let site = scene();
    let mut client = client(&site);
    for (skill, _) in KEPT {
        for (method, params) in [
            ("resources/read", json!({ "uri": format!("skill://{skill}/SKILL.md") })),
            ("resources/read", json!({ "uri": format!("skill://open/../{skill}/SKILL.md") })),
            ("resources/directory/read", json!({ "uri": format!("skill://{skill}") })),
            ("prompts/get", json!({ "name": "use_skill", "arguments": { "name": skill } })),
        ] {
            let (_, message) = client.refused(method, params.clone());
            assert!(!message.contains("whistles"), "{method} {params}: {message}");
        }
        let path = json!({
            "ref": { "type": "ref/resource", "uri": "skill://{+skill}/{+path}" },
            "argument": { "name": "path", "value": "" },
            "context": { "arguments": { "skill": skill } },
        });
        assert_eq!(client.ask("completion/complete", path)["completion"]["values"], json!([]));
    }
    let reply = client.request("resources/read", json!({ "uri": "skill://ask/SKILL.md" }));
    assert_eq!(reply["error"]["data"]["code"], "E074", "{reply}");
}

/// Configuration files without a readable policy.
const UNREADABLE: [&str; 10] = [
    "[permissions\ndeny = ['secret']\n",
    "version = 0\n[permissions]\ndeny = ['secret']\n",
    "permissions = 'secret'\n",
    "[[permissions]]\ndeny = ['secret']\n",
    "[permissions]\ndeny = 'secret'\n",
    "[permissions]\ndeny = [1]\n",
    "[permissions]\nconfirm = { skill_name = 'secret' }\n",
    "[permissions]\ndeny = [{ skil_name = 'secret' }]\n",
    "[skills]\ndisabled = 'secret'\n",
    "[skills]\nenabled = 'false'\n",
];

/// Decision 50. RFC-0010:C-POLICY
#[test]
fn while_the_policy_is_unreadable_no_skill_is_served() {
    let site = scene();
    for (toml, is_users) in UNREADABLE.iter().flat_map(|toml| [(toml, true), (toml, false)]) {
        let write = if is_users { configure } else { configure_project };
        write(&site, toml);
        for line in [&["load", "open"][..], &["find", "marmot"], &["catalog"], &["mentions", "$open"]] {
            let run = site.skc(line).fails("E086");
            assert!(run.out.is_empty() && run.err.contains("config.toml"), "{line:?}, {toml}: {}", run.err);
        }
        as_agent(&site, &["show", "open", "--section", "Top"]).fails("E086");
        as_agent(&site, &["list"]).fails("E086");
        as_agent(&site, &["config"]).ok();
        site.skc(["show", "open", "--section", "Top"]).ok();
        write(&site, "");
    }
    configure(&site, "[permissions]\nallow = 'secret'\n");
    site.skc(["load", "open"]).fails("E086");
    configure(&site, "");
    configure_project(&site, "[permissions]\nallow = 'secret'\n");
    site.skc(["load", "open"]).ok();
}

/// Decision 50. RFC-0010:C-POLICY
#[test]
fn a_server_gives_out_nothing_while_a_configuration_is_broken_and_says_what_to_do() {
    let site = scene();
    configure_project(&site, "[permissions\n");
    let mut broken = client(&site);
    for entry in OPS.iter().filter(|entry| entry.surface == Surface::Everywhere) {
        let arguments = match (arguments(entry.name, "open"), entry.name) {
            (Some(arguments), _) => arguments,
            (None, "find") => json!({ "query": "marmot" }),
            (None, "list") => json!({}),
            _ => continue,
        };
        let text = refused(&mut broken, &entry.tool_name(), arguments);
        assert!(text.starts_with("error[E086]: ") && text.contains("fix the file"), "{text}");
    }
    let prompt = json!({ "ref": { "type": "ref/prompt", "name": "use_skill" }, "argument": { "name": "name", "value": "" } });
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/read", json!({ "uri": "skill://open/SKILL.md" })),
        ("skills/list", json!({})),
        ("skills/get", json!({ "uri": "skill://open/SKILL.md" })),
        ("resources/directory/read", json!({ "uri": "skill://open" })),
        ("prompts/get", json!({ "name": "use_skill", "arguments": { "name": "open" } })),
        ("completion/complete", prompt),
    ] {
        let reply = broken.request(method, params);
        assert_eq!(reply["error"]["data"]["code"], "E086", "{method}: {reply}");
    }
    configure_project(&site, "");
    assert_eq!(broken.call("skc_outline", json!({ "skill": "open" }))["isError"], false);
}

/// Decision 50. RFC-0010:C-POLICY
#[test]
fn a_host_refuses_while_a_configuration_is_broken_and_notices_that_it_was_fixed() {
    let site = scene();
    configure_project(&site, "[permissions\n");
    let mut host = Client::start_command(site.command(["host"]), Lifecycle::Raw);
    let requests = [
        ("skills.list", json!({})),
        ("context.inspect", json!({ "include_skills": true })),
        ("skill.search", json!({ "query": "marmot", "mode": "lexical" })),
        ("skill.load", json!({ "name": "open" })),
    ];
    for (method, params) in &requests {
        let reply = host.request(method, params.clone());
        assert_eq!(reply["error"]["data"]["code"], "E086", "{method}: {reply}");
    }
    configure_project(&site, "");
    for (method, params) in requests {
        host.ask(method, params);
    }
    assert_eq!(host.request("skill.load", json!({ "name": "secret" }))["error"]["data"]["code"], "E072");
}

/// D12, RFC-0010:C-POLICY
#[test]
fn an_agent_cannot_switch_on_or_allow_for_itself() {
    let site = scene();
    let config = || std::fs::read(site.home().join(".skillc/config.toml")).unwrap();
    let before = config();
    as_agent(&site, &["enable", "off"]).fails("E073");
    as_agent(&site, &["enable", "ask", "--allow"]).fails("E074");
    assert_eq!(config(), before);
    as_agent(&site, &["load", "ask"]).fails("E074");
}
