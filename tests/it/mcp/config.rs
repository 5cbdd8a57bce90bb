//! RFC-0007:C-MCP-CONFIG: registers the server in the configuration files of clients.

use super::{Client, Lifecycle};
use crate::site::{Run, Site, finish, program, put};
use serde_json::{Value, json};
use skillc::CLIENTS;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn config(site: &Site, words: &[&str]) -> Run {
    site.skc(["mcp", "config"].iter().chain(words))
}

/// The user-level configuration file of a client, in the home directory of a site.
fn file(site: &Site, client: &str) -> PathBuf {
    config(site, &[client, "-o", "json"]).ok().json()["file"].as_str().unwrap().into()
}

/// A folder in which the program is called `skc`.
fn named(site: &Site) -> PathBuf {
    let folder = site.root().join("bin");
    fs::create_dir_all(&folder).unwrap();
    symlink(program(), folder.join("skc")).unwrap();
    folder
}

/// The path of the program.
fn own() -> String {
    fs::canonicalize(program()).unwrap().to_str().unwrap().to_owned()
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn every_client_has_its_snippet() {
    let site = Site::new();
    let mut text = String::new();
    let folder = named(&site);
    for client in CLIENTS {
        let path = [("PATH", folder.to_str().unwrap())];
        let mut run = site.skc_with(&path, ["mcp", "config", client.id]).ok();
        run.out = run.out.replace(&own(), "/usr/local/bin/skc");
        assert!(
            run.err.starts_with("Add this to ~/")
                && run.err.ends_with(", or run the command again with --write\n"),
            "{}",
            run.err
        );
        text += &format!("## {}\n\n{}\n\n{}\n", client.id, client.user.linux, run.out);
        let project = site.skc_with(&path, ["mcp", "config", client.id, "--project"]);
        assert_eq!(project.status, i32::from(client.project.is_none()), "{}", client.id);
        if client.id != "codex" {
            serde_json::from_str::<serde_json::Value>(&run.out).unwrap();
        }
    }
    crate::golden::check("mcp-clients.md", &text);
}

#[test]
fn the_readme_shows_the_snippets_of_two_clients() {
    let site = Site::new();
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let folder = named(&site);
    for (client, language) in [("gemini", "json"), ("codex", "toml")] {
        let path = [("PATH", folder.to_str().unwrap())];
        let snippet = site.skc_with(&path, ["mcp", "config", client]).ok().out;
        let snippet = snippet.replace(&own(), "/usr/local/bin/skc");
        assert!(readme.contains(&format!("```{language}\n{snippet}```\n")), "{client}");
    }
}

/// The command and the arguments in a client's configuration file.
fn command_in(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let entry = match file.extension().unwrap().to_str() {
        // The TOML here has the same syntax as JSON.
        Some("toml") => {
            let fields = text.lines().filter_map(|line| line.split_once(" = "));
            fields
                .map(|(key, value)| (key.to_owned(), serde_json::from_str::<Value>(value).unwrap()))
                .collect()
        }
        _ => {
            let whole: Value = serde_json::from_str(&text).unwrap();
            whole.as_object().unwrap().values().next().unwrap()["skillc"].clone()
        }
    };
    let words = [&entry["command"], &entry["args"]].into_iter().flat_map(|value| match value {
        Value::Array(words) => words.clone(),
        Value::Null => Vec::new(),
        word => vec![word.clone()],
    });
    words.map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn the_command_in_each_clients_file_starts_a_server_that_answers() {
    let site = Site::built("demo", "# Top\n");
    let named = named(&site);
    for path in [named.to_str().unwrap(), "/nowhere"] {
        for client in CLIENTS {
            site.skc_with(&[("PATH", path)], ["mcp", "config", client.id, "--write"]).ok();
            let words = command_in(&file(&site, client.id));
            assert_eq!(words, [&own(), "mcp", "--tools", "read"], "{}", client.id);
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).current_dir(site.project()).env_clear();
            command.envs([("PATH", path), ("SKILLC_HOME", site.home().to_str().unwrap())]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut server = Client::start_command(command, Lifecycle::Initialize("2025-11-25"));
            let reply = server.call("skc_outline", json!({ "skill": "demo" }));
            assert_eq!(reply["isError"], false, "{}: {reply}", client.id);
            assert_eq!(server.close().status, 0, "{}", client.id);
        }
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn the_entry_starts_this_program_by_its_path_and_in_a_projects_file_by_its_name() {
    let site = Site::new();
    let command = |path: &Path, more: &[&str]| {
        let words = ["mcp", "config", "cursor"].iter().chain(more);
        let run = site.skc_with(&[("PATH", path.to_str().unwrap())], words).ok();
        run.json()["mcpServers"]["skillc"]["command"].as_str().unwrap().to_owned()
    };
    let (named, other) = (named(&site), site.root().join("other"));
    put(&other.join("skc"), "another program");
    for path in [Path::new("/nowhere"), &named, &other] {
        assert_eq!(command(path, &[]), own());
    }
    assert_eq!(command(Path::new("/nowhere"), &["--project"]), own());
    assert_eq!(command(&named, &["--project"]), "skc");
    assert_eq!(command(&other, &["--project"]), own());
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_client_gets_the_tools_that_were_chosen() {
    let site = Site::new();
    let arguments = |more: &[&str]| {
        config(&site, &[&["cursor"], more].concat()).ok().json()["mcpServers"]["skillc"]["args"].clone()
    };
    assert_eq!(arguments(&[]), json!(["mcp", "--tools", "read"]));
    assert_eq!(arguments(&["--tools", "all"]), json!(["mcp", "--tools", "all"]));
    assert_eq!(config(&site, &["cursor", "--tools", "most"]).status, 1);
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_written_entry_is_removed_to_the_byte() {
    let site = Site::new();
    let json = "\u{feff}{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": { \"command\": \"b\" }\r\n\t},\r\n\t\"z\": [1,  2]\r\n}";
    let jsonc = "// mine\n{\n  \"a\": 1, // one\n  \"b\": {\n    /* two */\n  },\n}\n\n";
    let toml = "# mine\nmodel = 'x'   # one\n\n[mcp_servers.b]\ncommand = \"b\"\n# end";
    for client in CLIENTS {
        let text = match client.id {
            "codex" => toml,
            "opencode" | "vscode" => jsonc,
            _ => json,
        };
        let file = file(&site, client.id);
        put(&file, text);
        config(&site, &[client.id, "--write"]).ok();
        let with = fs::read_to_string(&file).unwrap();
        assert!(with.contains("skillc") && with.len() > text.len(), "{}", client.id);
        config(&site, &[client.id, "--remove"]).ok();
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{}", client.id);
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_missing_file_is_made_and_goes_again() {
    let site = Site::new();
    for client in CLIENTS {
        let snippet = config(&site, &[client.id]).ok().out;
        for project in [&[][..], &["--project"]] {
            if !project.is_empty() && client.project.is_none() {
                continue;
            }
            let run = |word: &str| config(&site, &[&[client.id, word][..], project].concat()).ok();
            let said = run("--write").out;
            let file = match client.project.filter(|_| !project.is_empty()) {
                Some(file) => site.project().join(file),
                None => file(&site, client.id),
            };
            assert_eq!(fs::read_to_string(&file).unwrap(), snippet, "{said}");
            assert!(run("--remove").out.contains("was removed with"), "{}", client.id);
            assert!(!file.exists(), "{}", client.id);
            assert!(run("--remove").out.contains("is not in"), "{}", client.id);
        }
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_second_write_changes_nothing() {
    let site = Site::new();
    for client in CLIENTS {
        config(&site, &[client.id, "--write"]).ok();
        let file = file(&site, client.id);
        let before = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
        let again = config(&site, &[client.id, "--write", "-o", "json"]).ok().json();
        assert_eq!(again["done"], "unchanged", "{}", client.id);
        assert_eq!((fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap()), before);
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_broken_file_is_refused_and_stays() {
    let site = Site::new();
    for (client, text) in [
        ("claude-code", &b"{\"mcpServers\": {}"[..]),
        ("claude-desktop", b""),
        ("cursor", b"{} // no comments here"),
        ("cursor", b"{\"mcpServers\": []}"),
        ("gemini", b"{\"a\": 1,}"),
        ("opencode", b"[]"),
        ("vscode", b"{\"servers\": {}, \"servers\": {}}"),
        ("vscode", b"{\"a\": \"\xff\"}"),
        ("codex", b"[mcp_servers\n"),
        ("codex", b"mcp_servers = {}\n"),
    ] {
        let file = file(&site, client);
        put(&file, text);
        let run = config(&site, &[client, "--write"]).fails("E104");
        assert!(run.out.is_empty() && run.err.contains("is left as it is"), "{}", run.err);
        assert_eq!(fs::read(&file).unwrap(), text, "{client}");
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        config(&site, &[client, "--write"]).fails("E104");
        config(&site, &[client, "--remove"]).fails("E104");
        fs::remove_dir(&file).unwrap();
    }
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_link_is_followed_and_rights_are_kept() {
    let site = Site::new();
    let (link, target) = (site.home().join(".claude.json"), site.root().join("dotfiles/claude.json"));
    put(&target, "{\n  \"token\": \"secret\"\n}\n");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&target, &link).unwrap();
    config(&site, &["claude-code", "--write"]).ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("skillc"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    config(&site, &["claude-code", "--remove"]).ok();
    assert_eq!(fs::read_to_string(&target).unwrap(), "{\n  \"token\": \"secret\"\n}\n");
    let snippet = config(&site, &["claude-code"]).ok().out;
    put(&target, snippet);
    config(&site, &["claude-code", "--remove"]).ok();
    assert_eq!(fs::read_to_string(&target).unwrap(), "{}\n", "what a link leads to stays");
    fs::remove_file(&target).unwrap();
    config(&site, &["claude-code", "--write"]).fails("E104");
    assert!(!target.exists() && fs::symlink_metadata(&link).unwrap().is_symlink());
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn users_files_follow_skillc_home_or_the_clients_variables() {
    let site = Site::new();
    let place = |vars: &[(&str, &str)], client: &str, is_moved: bool| {
        let mut command = site.command(["mcp", "config", client, "-o", "json"]);
        command.envs(vars.iter().copied());
        if !is_moved {
            command.env_remove("SKILLC_HOME");
        }
        finish(command).ok().json()["file"].as_str().unwrap().to_owned()
    };
    let below = |path: &str| site.home().join(path).to_str().unwrap().to_owned();
    for (client, var, set, unset) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "/else/.claude.json", ".claude.json"),
        ("codex", "CODEX_HOME", "/else/config.toml", ".codex/config.toml"),
        ("gemini", "GEMINI_CLI_HOME", "/else/.gemini/settings.json", ".gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "/else/opencode/opencode.json", ".config/opencode/opencode.json"),
    ] {
        assert_eq!(place(&[(var, "/else")], client, false), set);
        assert_eq!(place(&[(var, "/else")], client, true), below(unset));
        assert_eq!(place(&[], client, false), below(unset));
    }
    put(&site.home().join(".config/opencode/opencode.jsonc"), "{}");
    assert_eq!(place(&[], "opencode", true), below(".config/opencode/opencode.jsonc"));
}

/// RFC-0007:C-MCP-CONFIG
#[test]
fn a_client_without_a_project_file_says_so() {
    let site = Site::new();
    for words in [
        &["claude-desktop", "--project"][..],
        &["claude-desktop", "--project", "--write"],
        &["notepad"],
        &[],
        &["cursor", "--write", "--remove"],
    ] {
        config(&site, words).fails("E100");
    }
    assert!(fs::read_dir(site.home()).unwrap().next().is_none(), "nothing was written");
}

#[test]
fn opencode_keeps_its_servers_where_its_second_version_has_them() {
    let site = Site::new();
    let file = file(&site, "opencode");
    put(&file, "{\"mcp\": {\"servers\": {}}}");
    config(&site, &["opencode", "--write"]).ok();
    assert!(fs::read_to_string(&file).unwrap().starts_with("{\"mcp\": {\"servers\": {\"skillc\": {"));
    config(&site, &["opencode", "--remove"]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mcp\": {\"servers\": {}}}");
}

/// The RFC and the code list the same clients and the same options.
#[test]
fn the_clients_are_those_of_the_rfc() {
    let rfc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rfc/0007-cli.md");
    let text = fs::read_to_string(rfc).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| Client |")).skip(2);
    let rows: Vec<Vec<String>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect();
    assert_eq!(rows.len(), CLIENTS.len());
    for (row, client) in rows.iter().zip(CLIENTS) {
        assert_eq!(row[0], client.id);
        assert!(row[2].starts_with(client.project.unwrap_or("none")), "{}", client.id);
        assert!(row[3].contains(client.servers[0]), "{}", client.id);
    }
    let mut command = skillc::full_command();
    let config = command.find_subcommand_mut("mcp").unwrap().find_subcommand_mut("config").unwrap();
    for argument in config.get_arguments() {
        let name = argument.get_long().map_or("<client>".to_owned(), |long| format!("--{long}"));
        assert!(text.contains(&format!("| `mcp config` | `{name}` |")), "{name}");
    }
}
