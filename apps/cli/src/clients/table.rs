//! The supported MCP clients: the location and format of the configuration file of each.

/// The syntax of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, with the extensions that the client accepts.
    Json {
        /// Accepts comments.
        comments: bool,
        /// Accepts a comma after the last member.
        trailing_commas: bool,
    },
    /// TOML.
    Toml,
}

/// The keys of a server's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `command` and `args`.
    Command,
    /// The same with `type` `stdio`.
    Stdio,
    /// `type` `local`, and a `command` that holds the arguments too.
    Local,
}

/// The user's file on each system, as templates that `agents::expand` fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// On Linux and other systems.
    pub linux: &'static str,
    /// On macOS.
    pub macos: &'static str,
    /// On Windows.
    pub windows: &'static str,
}

/// An MCP client and its configuration files.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// Its name on the command line.
    pub id: &'static str,
    /// The syntax of its configuration files.
    pub syntax: Syntax,
    /// The keys that lead to the servers.
    pub servers: &'static [&'static str],
    /// The path of keys in files of another version, used if the file has it.
    pub servers_else: Option<&'static [&'static str]>,
    /// The keys of a server's entry.
    pub shape: Shape,
    /// The user's file.
    pub user: UserFile,
    /// The project's file, relative to its root; `None` if the client has none.
    pub project: Option<&'static str>,
    /// Another extension of the same file that the client reads, used if only that file exists.
    pub extension_else: Option<&'static str>,
}

/// The name of the server's entry in every client.
pub const SERVER: &str = "skillc";

const JSON: Syntax = Syntax::Json { comments: false, trailing_commas: false };
const JSON_WITH_COMMENTS: Syntax = Syntax::Json { comments: true, trailing_commas: false };
const JSONC: Syntax = Syntax::Json { comments: true, trailing_commas: true };

/// Every client, ordered by id. The comment above each row cites its source.
pub static CLIENTS: &[Client] = &[
    // https://code.claude.com/docs/en/mcp; CLAUDE_CONFIG_DIR moves the file below itself
    Client {
        shape: Shape::Stdio,
        project: Some(".mcp.json"),
        ..json("claude-code", "${CLAUDE_CONFIG_DIR:-~}/.claude.json")
    },
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    Client {
        user: UserFile {
            linux: "${XDG_CONFIG_HOME:-~/.config}/Claude/claude_desktop_config.json",
            macos: "~/Library/Application Support/Claude/claude_desktop_config.json",
            windows: "${APPDATA:-~/AppData/Roaming}/Claude/claude_desktop_config.json",
        },
        ..json("claude-desktop", "")
    },
    // https://developers.openai.com/codex/mcp
    Client {
        syntax: Syntax::Toml,
        servers: &["mcp_servers"],
        project: Some(".codex/config.toml"),
        ..json("codex", "${CODEX_HOME:-~/.codex}/config.toml")
    },
    // https://cursor.com/docs/mcp
    Client { shape: Shape::Stdio, project: Some(".cursor/mcp.json"), ..json("cursor", "~/.cursor/mcp.json") },
    // https://geminicli.com/docs/tools/mcp-server and https://geminicli.com/docs/cli/configuration
    Client {
        syntax: JSON_WITH_COMMENTS,
        project: Some(".gemini/settings.json"),
        ..json("gemini", "${GEMINI_CLI_HOME:-~}/.gemini/settings.json")
    },
    // https://opencode.ai/docs/mcp-servers and https://opencode.ai/docs/config; `mcp.servers` is what its second
    // version writes, which reads the first one's too
    Client {
        syntax: JSONC,
        servers: &["mcp"],
        servers_else: Some(&["mcp", "servers"]),
        shape: Shape::Local,
        project: Some("opencode.json"),
        extension_else: Some("jsonc"),
        ..json("opencode", "${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.json")
    },
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration; the user's default profile
    Client {
        syntax: JSONC,
        servers: &["servers"],
        shape: Shape::Stdio,
        user: UserFile {
            linux: "${XDG_CONFIG_HOME:-~/.config}/Code/User/mcp.json",
            macos: "~/Library/Application Support/Code/User/mcp.json",
            windows: "${APPDATA:-~/AppData/Roaming}/Code/User/mcp.json",
        },
        project: Some(".vscode/mcp.json"),
        ..json("vscode", "")
    },
];

/// The defaults of a row.
const fn json(id: &'static str, user: &'static str) -> Client {
    Client {
        id,
        syntax: JSON,
        servers: &["mcpServers"],
        servers_else: None,
        shape: Shape::Command,
        user: UserFile { linux: user, macos: user, windows: user },
        project: None,
        extension_else: None,
    }
}

/// The client with an id.
pub fn client(id: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.id == id)
}

/// A value in the entry of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    /// A quoted string.
    Text(String),
    /// An array of quoted strings.
    List(Vec<String>),
}

impl ConfigValue {
    /// The literal, which is the same in JSON and TOML.
    pub fn written(&self) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::List(texts) => {
                format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The entry of a server that a command starts, by key.
pub fn entry(shape: Shape, command: &str, args: &[&str]) -> Vec<(&'static str, ConfigValue)> {
    let text = |text: &str| ConfigValue::Text(text.to_owned());
    let list = |words: &[&str]| ConfigValue::List(words.iter().map(|word| (*word).to_owned()).collect());
    match shape {
        Shape::Command => vec![("command", text(command)), ("args", list(args))],
        Shape::Stdio => vec![("type", text("stdio")), ("command", text(command)), ("args", list(args))],
        Shape::Local => vec![("type", text("local")), ("command", list(&[&[command], args].concat()))],
    }
}

/// A text in double quotes, with the escapes that JSON and TOML share.
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_an_id_of_its_own_and_a_user_file_on_each_system() {
        assert!(CLIENTS.windows(2).all(|two| two[0].id < two[1].id));
        for client in CLIENTS {
            for file in [client.user.linux, client.user.macos, client.user.windows] {
                assert!(file.starts_with(['~', '$']), "{}", client.id);
            }
        }
    }

    #[test]
    fn a_text_is_quoted_for_json_and_toml() {
        assert_eq!(quoted("C:\\a \"b\"\t\u{7f}é"), "\"C:\\\\a \\\"b\\\"\\u0009\\u007fé\"");
        assert_eq!(ConfigValue::List(vec!["a".into(), "b".into()]).written(), "[\"a\", \"b\"]");
    }
}
