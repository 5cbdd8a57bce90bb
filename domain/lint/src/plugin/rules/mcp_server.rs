//! Rules for one server in `mcp.json`: its shape, and how its process is started.

use super::common::GOOD;
use super::mcp_remote;
use super::mcp_shape::{SERVER, SHAPE, server, texts_of};
use crate::plugin::rule::{PluginEffect, PluginReport, PluginRule};
use crate::plugin::view::{PathState, PluginView, inside, normalized};
use skillc_domain::json::{JsonMember, JsonNode, JsonValue};

pub static COMMAND: PluginRule = PluginRule {
    id: "PLG204",
    name: "mcp-server-command",
    effect: PluginEffect::PartDropped,
    why: "'command' is the name of one program, or a path in the plugin that begins with './'. It is not a shell command, placeholders in it are not replaced, and a path that leads out of the plugin is refused.",
    fix: "Name the program in 'command', and put what follows it into 'args'.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 4.1 and 7.2.1",
    bad: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"npx -y demo-server\"")),
    ],
    good: &[("plugin.json", GOOD), ("mcp.json", SERVER)],
};

pub static CWD: PluginRule = PluginRule {
    id: "PLG205",
    name: "mcp-server-cwd",
    effect: PluginEffect::PartDropped,
    why: "'cwd' begins with './', ${PLUGIN_ROOT} or ${PLUGIN_DATA}, and must not lead out of them. Otherwise clients skip the server.",
    fix: "Begin with './', or leave 'cwd' out: servers start in the plugin.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 4.1 and 7.2.1",
    bad: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"npx\", \"cwd\": \"data\"")),
    ],
    good: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"npx\", \"cwd\": \"${PLUGIN_DATA}/work\"")),
    ],
};

pub static ENV: PluginRule = PluginRule {
    id: "PLG206",
    name: "mcp-server-env",
    effect: PluginEffect::PartDropped,
    why: "Clients set PLUGIN_ROOT and PLUGIN_DATA themselves, and skip a server whose 'env' has one of them.",
    fix: "Remove the variable, or give it another name.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 9.2",
    bad: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            server!("\"type\": \"stdio\", \"command\": \"npx\", \"env\": {\"PLUGIN_ROOT\": \"/opt\"}"),
        ),
    ],
    good: &[
        ("plugin.json", GOOD),
        (
            "mcp.json",
            server!("\"type\": \"stdio\", \"command\": \"npx\", \"env\": {\"DATA\": \"${PLUGIN_DATA}\"}"),
        ),
    ],
};

pub static PROGRAM: PluginRule = PluginRule {
    id: "PLG207",
    name: "mcp-server-program",
    effect: PluginEffect::PartDropped,
    why: "The program of the server should be in the plugin, but does not exist. Clients continue without the server.",
    fix: "Add the program to the plugin, or correct its path.",
    source: "https://github.com/agentplugins/agent-plugins-spec spec/1.0.0.md 7.2.2",
    bad: &[("plugin.json", GOOD), ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"./bin/demo\""))],
    good: &[
        ("plugin.json", GOOD),
        ("mcp.json", server!("\"type\": \"stdio\", \"command\": \"./bin/demo\"")),
        ("bin/demo", "#!/bin/sh\n"),
    ],
};

const STDIO_FIELDS: [&str; 5] = ["type", "command", "args", "env", "cwd"];
const REMOTE_FIELDS: [&str; 3] = ["type", "url", "headers"];
/// Variables that clients set themselves.
const RESERVED: [&str; 2] = ["PLUGIN_ROOT", "PLUGIN_DATA"];

pub(super) fn check(server: &JsonMember, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let (name, node) = (&server.key, &server.node);
    if !matches!(node.value, JsonValue::Object(_)) {
        let message = format!("server '{name}' is {}, not an object", node.value.kind());
        return report.add(&SHAPE, &node.span, message);
    }
    let Some(kind) = node.get("type") else {
        return report.add(&SHAPE, &server.key_span, format!("server '{name}' has no 'type'"));
    };
    match kind.text() {
        Some("stdio") => {
            unknown_fields(name, node, &STDIO_FIELDS, report);
            stdio(name, node, view, report);
        }
        Some("streamable-http" | "sse") => {
            unknown_fields(name, node, &REMOTE_FIELDS, report);
            mcp_remote::check(name, node, report);
        }
        _ => {
            let shown = kind.text().unwrap_or(kind.value.kind());
            report.add(&SHAPE, &kind.span, format!("server '{name}' has the unknown type '{shown}'"));
        }
    }
}

fn unknown_fields(name: &str, node: &JsonNode, known: &[&str], report: &mut PluginReport<'_>) {
    for member in node.members().iter().filter(|member| !known.contains(&member.key.as_str())) {
        let message = format!("'{}' is not a field of the type of server '{name}'", member.key);
        report.add(&SHAPE, &member.key_span, message);
    }
}

fn stdio(name: &str, node: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    match node.get("command").map(|command| (command, command.text())) {
        None => report.add(&SHAPE, &node.span, format!("server '{name}' has no 'command'")),
        Some((command, None)) => {
            let message = format!("'command' of server '{name}' is {}, not text", command.value.kind());
            report.add(&SHAPE, &command.span, message);
        }
        Some((node, Some(command))) => self::command(name, command, node, view, report),
    }
    super::common::texts_only(node, "args", &SHAPE, report);
    texts_of(name, node, "env", report);
    for member in node.get("env").map(JsonNode::members).unwrap_or_default() {
        if RESERVED.contains(&member.key.as_str()) {
            let message = format!("'env' of server '{name}' sets {}, which clients set", member.key);
            report.add(&ENV, &member.key_span, message);
        }
    }
    mcp_remote::secrets(name, node, "env", report);
    if let Some(cwd) = node.get("cwd") {
        self::cwd(name, cwd, view, report);
    }
}

fn command(name: &str, command: &str, node: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let mut refuse = |message: String| report.add(&COMMAND, &node.span, message);
    if command.is_empty() {
        return refuse(format!("'command' of server '{name}' is empty"));
    }
    if !command.starts_with("./") {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "/\\$\"'`;|&<>".contains(c);
        if let Some(odd) = command.chars().find(|c| is_odd(*c)) {
            let what = match odd {
                '/' | '\\' => "is a path that does not begin with './'".to_owned(),
                ' ' => "is a command line, not one program".to_owned(),
                odd => format!("contains '{}'", odd.escape_debug()),
            };
            refuse(format!("command '{command}' of server '{name}' {what}"));
        }
        return;
    }
    match inside(command).map(|path| (view.look)(&path)) {
        None | Some(PathState::Outside) => {
            refuse(format!("command '{command}' of server '{name}' leads out of the plugin"));
        }
        Some(PathState::File) => {}
        Some(PathState::Missing | PathState::Folder) => {
            let message = format!("command '{command}' of server '{name}' is not a file of the plugin");
            report.add(&PROGRAM, &node.span, message);
        }
    }
}

fn cwd(name: &str, node: &JsonNode, view: &PluginView<'_>, report: &mut PluginReport<'_>) {
    let Some(cwd) = node.text() else {
        let message = format!("'cwd' of server '{name}' is {}, not text", node.value.kind());
        return report.add(&SHAPE, &node.span, message);
    };
    let below = |root: &str| cwd.strip_prefix(root).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let leads_out = |path: Option<String>| match path {
        Some(path) => (view.look)(&path) == PathState::Outside,
        None => true,
    };
    let flaw = if cwd.starts_with("./") {
        leads_out(inside(cwd)).then_some("leads out of the plugin")
    } else if let Some(rest) = below("${PLUGIN_ROOT}") {
        leads_out(normalized(rest.trim_start_matches('/'))).then_some("leads out of the plugin")
    } else if let Some(rest) = below("${PLUGIN_DATA}") {
        normalized(rest.trim_start_matches('/')).is_none().then_some("leads out of the plugin's data")
    } else {
        Some("begins with neither './' nor ${PLUGIN_ROOT} nor ${PLUGIN_DATA}")
    };
    if let Some(flaw) = flaw {
        report.add(&CWD, &node.span, format!("cwd '{cwd}' of server '{name}' {flaw}"));
    }
}
