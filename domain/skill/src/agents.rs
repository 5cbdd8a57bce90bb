//! The agents to which skills can be deployed, and their folders.

use std::path::PathBuf;

/// How the presence of an agent is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detect {
    /// At least one of these folders exists. Templates as in `Agent::user`; `./` is the project.
    AnyOf(&'static [&'static str]),
    /// A folder exists in the project, and a file in it contains a word.
    Dependency {
        /// Path of the folder, relative to the project.
        folder: &'static str,
        /// Name of the file in that folder.
        manifest: &'static str,
        /// The text that the file must contain.
        word: &'static str,
    },
    /// There is no way to detect it.
    Never,
}

/// An agent to which skills can be deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The name that `--target` takes.
    pub id: &'static str,
    /// The product name.
    pub name: &'static str,
    /// The folder of skills in a project, relative to it.
    pub project: &'static str,
    /// Folders of a user's skills: the first that exists is used, otherwise the first. Empty if the agent has none. `~`
    /// is the home folder, `${VAR}` an environment variable, `${VAR:-other}` a variable with a default.
    pub user: &'static [&'static str],
    /// How to detect that the agent is installed.
    pub detect: Detect,
}

/// All supported agents, one per line.
#[rustfmt::skip]
pub static AGENTS: &[Agent] = &[
    Agent { id: "aider-desk", name: "AiderDesk", project: ".aider-desk/skills", user: &["~/.aider-desk/skills"], detect: Detect::AnyOf(&["~/.aider-desk"]) },
    Agent { id: "amp", name: "Amp", project: ".agents/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/agents/skills"], detect: Detect::AnyOf(&["${XDG_CONFIG_HOME:-~/.config}/amp"]) },
    Agent { id: "antigravity", name: "Antigravity", project: ".agents/skills", user: &["~/.gemini/antigravity/skills"], detect: Detect::AnyOf(&["~/.gemini/antigravity"]) },
    Agent { id: "antigravity-cli", name: "Antigravity CLI", project: ".agents/skills", user: &["~/.gemini/antigravity-cli/skills"], detect: Detect::AnyOf(&["~/.gemini/antigravity-cli"]) },
    Agent { id: "astrbot", name: "AstrBot", project: "data/skills", user: &["~/.astrbot/data/skills"], detect: Detect::AnyOf(&["~/.astrbot"]) },
    Agent { id: "autohand-code", name: "Autohand Code CLI", project: ".autohand/skills", user: &["${AUTOHAND_HOME:-~/.autohand}/skills"], detect: Detect::AnyOf(&["${AUTOHAND_HOME:-~/.autohand}"]) },
    Agent { id: "augment", name: "Augment", project: ".augment/skills", user: &["~/.augment/skills"], detect: Detect::AnyOf(&["~/.augment"]) },
    Agent { id: "bob", name: "IBM Bob", project: ".bob/skills", user: &["~/.bob/skills"], detect: Detect::AnyOf(&["~/.bob"]) },
    Agent { id: "claude-code", name: "Claude Code", project: ".claude/skills", user: &["${CLAUDE_CONFIG_DIR:-~/.claude}/skills"], detect: Detect::AnyOf(&["${CLAUDE_CONFIG_DIR:-~/.claude}"]) },
    Agent { id: "openclaw", name: "OpenClaw", project: "skills", user: &["~/.openclaw/skills", "~/.clawdbot/skills", "~/.moltbot/skills"], detect: Detect::AnyOf(&["~/.openclaw", "~/.clawdbot", "~/.moltbot"]) },
    Agent { id: "cline", name: "Cline", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.cline"]) },
    Agent { id: "codearts-agent", name: "CodeArts Agent", project: ".codeartsdoer/skills", user: &["~/.codeartsdoer/skills"], detect: Detect::AnyOf(&["~/.codeartsdoer"]) },
    Agent { id: "codebuddy", name: "CodeBuddy", project: ".codebuddy/skills", user: &["~/.codebuddy/skills"], detect: Detect::AnyOf(&["~/.codebuddy"]) },
    Agent { id: "codemaker", name: "Codemaker", project: ".codemaker/skills", user: &["~/.codemaker/skills"], detect: Detect::AnyOf(&["~/.codemaker"]) },
    Agent { id: "codestudio", name: "Code Studio", project: ".codestudio/skills", user: &["~/.codestudio/skills"], detect: Detect::AnyOf(&["~/.codestudio"]) },
    Agent { id: "codex", name: "Codex", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["${CODEX_HOME:-~/.codex}", "/etc/codex"]) },
    Agent { id: "command-code", name: "Command Code", project: ".commandcode/skills", user: &["~/.commandcode/skills"], detect: Detect::AnyOf(&["~/.commandcode"]) },
    Agent { id: "continue", name: "Continue", project: ".continue/skills", user: &["~/.continue/skills"], detect: Detect::AnyOf(&["~/.continue"]) },
    Agent { id: "cortex", name: "Cortex Code", project: ".cortex/skills", user: &["~/.snowflake/cortex/skills"], detect: Detect::AnyOf(&["~/.snowflake/cortex"]) },
    Agent { id: "crush", name: "Crush", project: ".crush/skills", user: &["~/.config/crush/skills"], detect: Detect::AnyOf(&["~/.config/crush"]) },
    Agent { id: "cursor", name: "Cursor", project: ".agents/skills", user: &["~/.cursor/skills"], detect: Detect::AnyOf(&["~/.cursor"]) },
    Agent { id: "deepagents", name: "Deep Agents", project: ".agents/skills", user: &["~/.deepagents/agent/skills"], detect: Detect::AnyOf(&["~/.deepagents"]) },
    Agent { id: "devin", name: "Devin for Terminal", project: ".devin/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/devin/skills"], detect: Detect::AnyOf(&["${XDG_CONFIG_HOME:-~/.config}/devin"]) },
    Agent { id: "dexto", name: "Dexto", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.dexto"]) },
    Agent { id: "droid", name: "Droid", project: ".agents/skills", user: &["~/.factory/skills"], detect: Detect::AnyOf(&["~/.factory"]) },
    Agent { id: "eve", name: "Eve", project: "agent/skills", user: &[], detect: Detect::Dependency { folder: "./agent", manifest: "./package.json", word: "\"eve\"" } },
    Agent { id: "firebender", name: "Firebender", project: ".agents/skills", user: &["~/.firebender/skills"], detect: Detect::AnyOf(&["~/.firebender"]) },
    Agent { id: "forgecode", name: "ForgeCode", project: ".forge/skills", user: &["~/.forge/skills"], detect: Detect::AnyOf(&["~/.forge"]) },
    Agent { id: "fx", name: "fx", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.fx"]) },
    Agent { id: "gemini-cli", name: "Gemini CLI", project: ".agents/skills", user: &["~/.gemini/skills"], detect: Detect::AnyOf(&["~/.gemini"]) },
    Agent { id: "github-copilot", name: "GitHub Copilot", project: ".agents/skills", user: &["~/.copilot/skills"], detect: Detect::AnyOf(&["~/.copilot"]) },
    Agent { id: "goose", name: "Goose", project: ".goose/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/goose/skills"], detect: Detect::AnyOf(&["${XDG_CONFIG_HOME:-~/.config}/goose"]) },
    Agent { id: "grok", name: "Grok Build", project: ".grok/skills", user: &["${GROK_HOME:-~/.grok}/skills"], detect: Detect::AnyOf(&["${GROK_HOME:-~/.grok}"]) },
    Agent { id: "hermes-agent", name: "Hermes Agent", project: ".hermes/skills", user: &["${HERMES_HOME:-~/.hermes}/skills"], detect: Detect::AnyOf(&["${HERMES_HOME:-~/.hermes}"]) },
    Agent { id: "inference-sh", name: "inference.sh", project: ".inferencesh/skills", user: &["~/.inferencesh/skills"], detect: Detect::AnyOf(&["~/.inferencesh"]) },
    Agent { id: "jazz", name: "Jazz", project: ".jazz/skills", user: &["~/.jazz/skills"], detect: Detect::AnyOf(&["~/.jazz"]) },
    Agent { id: "junie", name: "Junie", project: ".junie/skills", user: &["~/.junie/skills"], detect: Detect::AnyOf(&["~/.junie"]) },
    Agent { id: "iflow-cli", name: "iFlow CLI", project: ".iflow/skills", user: &["~/.iflow/skills"], detect: Detect::AnyOf(&["~/.iflow"]) },
    Agent { id: "kilo", name: "Kilo Code", project: ".agents/skills", user: &["~/.kilo/skills"], detect: Detect::AnyOf(&["~/.kilo", "~/.kilocode"]) },
    Agent { id: "kimchi", name: "Kimchi", project: ".kimchi/skills", user: &["~/.config/kimchi/harness/skills"], detect: Detect::AnyOf(&["~/.config/kimchi"]) },
    Agent { id: "kimi-code-cli", name: "Kimi Code CLI", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.kimi-code", "~/.kimi"]) },
    Agent { id: "kiro-cli", name: "Kiro CLI", project: ".kiro/skills", user: &["~/.kiro/skills"], detect: Detect::AnyOf(&["~/.kiro"]) },
    Agent { id: "kode", name: "Kode", project: ".kode/skills", user: &["~/.kode/skills"], detect: Detect::AnyOf(&["~/.kode"]) },
    Agent { id: "lingma", name: "Lingma", project: ".lingma/skills", user: &["~/.lingma/skills"], detect: Detect::AnyOf(&["~/.lingma"]) },
    Agent { id: "loaf", name: "Loaf", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.loaf"]) },
    Agent { id: "mcpjam", name: "MCPJam", project: ".mcpjam/skills", user: &["~/.mcpjam/skills"], detect: Detect::AnyOf(&["~/.mcpjam"]) },
    Agent { id: "minimax-code", name: "MiniMax Code", project: ".minimax/skills", user: &["~/.minimax/skills"], detect: Detect::AnyOf(&["~/.minimax", "/Applications/MiniMax Code.app"]) },
    Agent { id: "mistral-vibe", name: "Mistral Vibe", project: ".vibe/skills", user: &["${VIBE_HOME:-~/.vibe}/skills"], detect: Detect::AnyOf(&["${VIBE_HOME:-~/.vibe}"]) },
    Agent { id: "moxby", name: "Moxby", project: ".moxby/skills", user: &["~/.moxby/skills"], detect: Detect::AnyOf(&["~/.moxby"]) },
    Agent { id: "mux", name: "Mux", project: ".mux/skills", user: &["~/.mux/skills"], detect: Detect::AnyOf(&["~/.mux"]) },
    Agent { id: "opencode", name: "OpenCode", project: ".agents/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/opencode/skills"], detect: Detect::AnyOf(&["${XDG_CONFIG_HOME:-~/.config}/opencode"]) },
    Agent { id: "openhands", name: "OpenHands", project: ".openhands/skills", user: &["~/.openhands/skills"], detect: Detect::AnyOf(&["~/.openhands"]) },
    Agent { id: "ona", name: "Ona", project: ".ona/skills", user: &["~/.ona/skills"], detect: Detect::AnyOf(&["~/.ona"]) },
    Agent { id: "pi", name: "Pi", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.pi/agent"]) },
    Agent { id: "posit-assistant", name: "Posit Assistant", project: ".posit/assistant/skills", user: &["~/.posit/assistant/skills"], detect: Detect::AnyOf(&["~/.posit/assistant", "~/.positai"]) },
    Agent { id: "qoder", name: "Qoder", project: ".qoder/skills", user: &["~/.qoder/skills"], detect: Detect::AnyOf(&["~/.qoder"]) },
    Agent { id: "qoder-cn", name: "Qoder CN", project: ".qoder/skills", user: &["~/.qoder-cn/skills"], detect: Detect::AnyOf(&["~/.qoder-cn"]) },
    Agent { id: "qwen-code", name: "Qwen Code", project: ".qwen/skills", user: &["~/.qwen/skills"], detect: Detect::AnyOf(&["~/.qwen"]) },
    Agent { id: "replit", name: "Replit", project: ".agents/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/agents/skills"], detect: Detect::Never },
    Agent { id: "reasonix", name: "Reasonix", project: ".reasonix/skills", user: &["~/.reasonix/skills"], detect: Detect::AnyOf(&["~/.reasonix"]) },
    Agent { id: "rovodev", name: "Rovo Dev", project: ".rovodev/skills", user: &["~/.rovodev/skills"], detect: Detect::AnyOf(&["~/.rovodev"]) },
    Agent { id: "roo", name: "Roo Code", project: ".roo/skills", user: &["~/.roo/skills"], detect: Detect::AnyOf(&["~/.roo"]) },
    Agent { id: "sarvam-code", name: "Sarvam Code", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["${SARVAM_HOME:-~/.sarvam}"]) },
    Agent { id: "tabnine-cli", name: "Tabnine CLI", project: ".tabnine/agent/skills", user: &["~/.tabnine/agent/skills"], detect: Detect::AnyOf(&["~/.tabnine"]) },
    Agent { id: "terramind", name: "Terramind", project: ".terramind/skills", user: &["~/.terramind/skills"], detect: Detect::AnyOf(&["~/.terramind"]) },
    Agent { id: "tinycloud", name: "Tinycloud", project: ".tinycloud/skills", user: &["~/.tinycloud/skills"], detect: Detect::AnyOf(&["~/.tinycloud"]) },
    Agent { id: "trae", name: "Trae", project: ".trae/skills", user: &["~/.trae/skills"], detect: Detect::AnyOf(&["~/.trae"]) },
    Agent { id: "trae-cn", name: "Trae CN", project: ".trae/skills", user: &["~/.trae-cn/skills"], detect: Detect::AnyOf(&["~/.trae-cn"]) },
    Agent { id: "warp", name: "Warp", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["~/.warp"]) },
    Agent { id: "windsurf", name: "Windsurf", project: ".windsurf/skills", user: &["~/.codeium/windsurf/skills"], detect: Detect::AnyOf(&["~/.codeium/windsurf"]) },
    Agent { id: "zed", name: "Zed", project: ".agents/skills", user: &["~/.agents/skills"], detect: Detect::AnyOf(&["${XDG_CONFIG_HOME:-~/.config}/zed", "${APPDATA}/Zed", "${FLATPAK_XDG_CONFIG_HOME}/zed"]) },
    Agent { id: "zcode", name: "ZCode", project: ".zcode/skills", user: &["~/.zcode/skills"], detect: Detect::AnyOf(&["~/.zcode", "/Applications/ZCode.app"]) },
    Agent { id: "zencoder", name: "Zencoder", project: ".zencoder/skills", user: &["~/.zencoder/skills"], detect: Detect::AnyOf(&["~/.zencoder"]) },
    Agent { id: "zenflow", name: "Zenflow", project: ".zencoder/skills", user: &["~/.zencoder/skills"], detect: Detect::AnyOf(&["~/.zencoder"]) },
    Agent { id: "neovate", name: "Neovate", project: ".neovate/skills", user: &["~/.neovate/skills"], detect: Detect::AnyOf(&["~/.neovate"]) },
    Agent { id: "pochi", name: "Pochi", project: ".pochi/skills", user: &["~/.pochi/skills"], detect: Detect::AnyOf(&["~/.pochi"]) },
    Agent { id: "promptscript", name: "PromptScript", project: ".agents/skills", user: &[], detect: Detect::Never },
    Agent { id: "adal", name: "AdaL", project: ".adal/skills", user: &["~/.adal/skills"], detect: Detect::AnyOf(&["~/.adal"]) },
    Agent { id: "universal", name: "Universal", project: ".agents/skills", user: &["${XDG_CONFIG_HOME:-~/.config}/agents/skills"], detect: Detect::Never },
];

/// Alternative names of agents: alias, then id.
const ALIASES: &[(&str, &str)] = &[
    ("claude", "claude-code"),
    ("copilot", "github-copilot"),
    ("gemini", "gemini-cli"),
    ("kiro", "kiro-cli"),
];

/// The default target of a build.
pub const DEFAULT_TARGET: &str = "claude-code";

/// Looks up an agent by its id or alias.
pub fn agent(name: &str) -> Option<&'static Agent> {
    let id = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, id)| id);
    AGENTS.iter().find(|agent| agent.id == id)
}

/// The aliases of an agent.
pub fn aliases(agent: &Agent) -> impl Iterator<Item = &'static str> {
    let id = agent.id;
    ALIASES.iter().filter(move |(_, of)| *of == id).map(|(alias, _)| *alias)
}

/// All names that `--target` accepts without configuration.
pub fn names() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().map(|a| a.id).chain(ALIASES.iter().map(|(alias, _)| *alias))
}

/// Expands a template of a user folder.
///
/// `var` looks up environment variables; an empty one counts as unset. `None` if the template needs an unset variable.
pub fn expand(template: &str, home: &str, var: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let var = |name: &str| var(name).filter(|value| !value.is_empty());
    let filled = match template.strip_prefix("${").and_then(|rest| rest.split_once('}')) {
        None => template.to_owned(),
        Some((inside, rest)) => {
            let (name, fallback) =
                inside.split_once(":-").map_or((inside, None), |(n, f)| (n, Some(f.to_owned())));
            var(name).or(fallback)? + rest
        }
    };
    Some(match filled.strip_prefix('~') {
        Some(rest) => PathBuf::from(format!("{home}{rest}")),
        None => PathBuf::from(filled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0001:C-TARGETS
    #[test]
    fn every_agent_has_an_id_of_its_own_and_a_project_folder() {
        assert_eq!(AGENTS.len(), 79);
        let mut ids: Vec<_> = names().collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] != w[1]), "{ids:?}");
        assert!(AGENTS.iter().all(|a| !a.project.is_empty() && !a.project.starts_with(['/', '~', '.', '$'])
            || a.project.starts_with('.')));
    }

    #[test]
    fn the_aliases_of_an_agent_name_it_and_no_other() {
        for agent in AGENTS {
            assert!(
                aliases(agent).all(|alias| super::agent(alias).is_some_and(|named| named.id == agent.id))
            );
        }
        assert_eq!(AGENTS.iter().flat_map(aliases).count(), ALIASES.len());
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn the_books_names_are_taken_as_aliases() {
        for (name, id) in [
            ("claude", "claude-code"),
            ("codex", "codex"),
            ("copilot", "github-copilot"),
            ("cursor", "cursor"),
            ("gemini", "gemini-cli"),
            ("kiro", "kiro-cli"),
            ("opencode", "opencode"),
            ("trae", "trae"),
        ] {
            assert_eq!(agent(name).map(|a| a.id), Some(id));
        }
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn a_folder_follows_its_environment_variable() {
        let claude = agent("claude").map(|a| a.user[0]).unwrap_or_default();
        let unset = |_: &str| None;
        assert_eq!(expand(claude, "/h", &unset), Some("/h/.claude/skills".into()));
        let set = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| "/c".to_owned());
        assert_eq!(expand(claude, "/h", &set), Some("/c/skills".into()));
        assert_eq!(expand(claude, "/h", &|_| Some(String::new())), Some("/h/.claude/skills".into()));
        assert_eq!(expand("${APPDATA}/Zed", "/h", &unset), None);
        assert_eq!(expand("/etc/codex", "/h", &unset), Some("/etc/codex".into()));
    }

    #[test]
    fn every_alias_is_told_with_its_agent() {
        let of = |name: &str| agent(name).map(|agent| aliases(agent).collect::<Vec<_>>());
        assert_eq!(of("claude-code"), Some(vec!["claude"]));
        assert_eq!((of("codex"), of("nobody")), (Some(vec![]), None));
        assert!(["claude", "kiro", "codex"].iter().all(|name| names().any(|known| known == *name)));
    }

    /// RFC-0001:C-TARGETS
    #[test]
    fn a_template_begins_with_a_variable_or_the_home() {
        let set = |name: &str| (name == "X").then(|| "~/x".to_owned());
        for (template, folder) in
            [("${X}/a", "/h/x/a"), ("${Y:-~/y}/a", "/h/y/a"), ("~/a", "/h/a"), ("/a/~", "/a/~"), ("~", "/h")]
        {
            assert_eq!(expand(template, "/h", &set), Some(folder.into()), "{template}");
        }
    }
}
