//! SKL520: changes to the agent's own instructions and settings.

use crate::security::code_context::{self, Language, CodeContext};
use crate::confidence::Confidence;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{flow, hits, context_window};

pub static RULE: Rule = Rule {
    id: "SKL520",
    name: "agent-config-write",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector MP1, MP3, RA1; skillshare config-manipulation"),
    why: "The agent's instructions, settings, hooks and memory control every later session, including those \
          unrelated to the skill.",
    fix: "Keep what the skill needs inside the skill; if a setting has to change, show it and let the user change it.",
    params: &[],
    patterns: &[
        // By a command.
        Pattern {
            needles: || &[
                "claude.md",
                "agents.md",
                "gemini.md",
                ".claude/",
                ".cursor/",
                ".cursorrules",
                ".mcp.json",
                "mcp.json",
                "copilot-instructions",
                "memory.md",
                ".windsurf",
                ".codex/",
                ".gemini/",
                ".opencode/",
                "opencode.json",
                "claude_desktop_config",
                ".claude.json",
                ".clinerules",
                ".continue/",
                "soul.md",
            ],
            regex: r#"(?ix-u) (?: (?:^|[\s\d&\x22'}])>>? | \btee \s+ (?:-a\s+|--append\s+)? | \bsponge \s+ | \bsed \s+ [\x20-~]*?-i [\x20-~]*? | \b(?:cp|mv|ln|install|rsync) \s [\x20-~]*? \s | \b(?:add-content|set-content|out-file|copy-item) \s [\x20-~]*? | \bcurl \s [\x20-~]*? -o | \bwget \s [\x20-~]*? -O ) \s* ["']?
                    ( [!-~]*? (?: CLAUDE(?:\.local)?\.md | AGENTS\.md | GEMINI\.md | SOUL\.md | (?:\.claude|\.cursor|\.codex|\.gemini|\.opencode|\.windsurf|\.continue)/(?:settings(?:\.local)?\.json|hooks[!-~]*|rules[!-~]*|memory[!-~]*|agents/[!-~]+|commands/[!-~]+|config\.toml|mcp\.json|plugins/[!-~]+|projects/[!-~]+) | \.cursorrules | \.?mcp\.json | copilot-instructions\.md | MEMORY\.md | \.windsurfrules | opencode\.json | claude_desktop_config\.json | \.claude\.json | \.clinerules ) ) (?: ["'\s`;|&)] | $ )"#,
        },
        // By a program.
        Pattern {
            needles: || &[
                "claude.md",
                "agents.md",
                "gemini.md",
                ".claude",
                ".cursor",
                ".mcp.json",
                "mcp.json",
                "copilot-instructions",
                "memory.md",
                ".windsurf",
                ".codex",
                "claude_desktop_config",
                "opencode.json",
            ],
            regex: r#"(?ix-u) \b(?: open \( [\x20-~]*? (?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.claude|\.cursor|\.?mcp\.json|copilot-instructions|MEMORY\.md|\.windsurf|\.codex|claude_desktop_config|opencode\.json) [!-~]*? ["'] [\x20-~]*? , \s* (?:mode\s*=\s*)? ["'][awx]
                | (?: appendFile(?:Sync)? | writeFile(?:Sync)? | createWriteStream | copyFile(?:Sync)? | shutil\.(?:copy\w*|move) | fs\.promises\.writeFile ) \( [\x20-~]*? (?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.claude\b|\.cursor\b|\.?mcp\.json|copilot-instructions|MEMORY\.md|\.windsurf|\.codex|claude_desktop_config|opencode\.json) [\x20-~]*
                | (?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|settings(?:\.local)?\.json|MEMORY\.md|\.?mcp\.json) ["'] \s* \) \s* \.\s*write_(?:text|bytes)\( )"#,
        },
        // By the agent's own command line.
        Pattern {
            needles: || &[
                "claude mcp add",
                "claude config",
                "codex mcp add",
                "gemini mcp add",
                "claude plugin",
                "dangerously-skip",
                "dangerously_skip",
                "bypasspermissions",
                "defaultmode",
                "--yolo",
                "skipdangerous",
                "dangerously-bypass",
            ],
            regex: r#"(?ix-u) \b(?:claude|codex|gemini|opencode) \s+ mcp \s+ add(?:-json)? \s [\x20-~]+ | \bclaude \s+ config \s+ (?:set|add) [\x20-~]* | --dangerously-(?:skip-permissions|bypass[\w-]*) | ["']?defaultMode["']? \s* : \s* ["']bypassPermissions | \b(?:gemini|codex) \s [\x20-~]*? --yolo\b"#,
        },
        // By a program, in several steps.
        Pattern {
            needles: || &[
                "\"claude.md",
                "'claude.md",
                "\"agents.md",
                "'agents.md",
                "\"settings.json",
                "'settings.json",
                "\"memory.md",
                "mcp.json\"",
                "mcp.json'",
                ".cursorrules\"",
                ".claude.json\"",
                ".claude/settings",
            ],
            regex: r#"(?ix-u) ["'](?:[!-~]*/)?(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|settings(?:\.local)?\.json|MEMORY\.md|\.?mcp\.json|claude_desktop_config\.json|\.cursorrules|\.claude\.json)["']"#,
        },
        // An order in words.
        Pattern {
            needles: || &[
                "claude.md",
                "agents.md",
                "gemini.md",
                ".claude/settings",
                ".cursor/rules",
                ".cursorrules",
                "mcp.json",
                "copilot-instructions.md",
                "memory.md",
                "long-term memory",
                "your memory",
                "persistent memory",
                ".claude/hooks",
                "permissions.allow",
                "global instructions",
                "system instructions",
                "agent's memory",
                "memory file",
                "later session",
                "future session",
                "future conversation",
                "every session",
                "all sessions",
                "next session",
                ".codex/config",
            ],
            regex: r#"(?ix-u) \b(?:update|change|modify|edit|rewrite|overwrite|replace|patch) \s+ (?:the\s+|your\s+|their\s+|project's\s+|project\s+|user's\s+|global\s+|root\s+)? [`*\x22']* (?:~?/?[\w./-]*/)? (?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|\.claude/settings(?:\.local)?\.json|\.cursorrules|copilot-instructions\.md) | \b(?:store|save|remember|write|add|keep|record|persist)\b (?u:[^.\n])*? \bmemory\b (?u:[^.\n])*? \b(?:later|future|every|all|next|subsequent)\ (?:session|conversation|chat|run|task)s?\b | \b(?: add | append | write | insert | put | paste | prepend | inject | store | save | copy | merge | edit | modify | overwrite ) \b (?u:[^.\n])*? \b (?: to | into | in | at\ the\ (?:top|end|start|bottom)\ of ) \s+ (?:the\s+|your\s+|their\s+|its\s+|our\s+|user's\s+|project's\s+|project\s+|global\s+|agent's\s+|root\s+|user\s+|repo's\s+|existing\s+|own\s+|long-term\s+|persistent\s+){0,3} [`*"'\[~/\w$\{\}<>.-]*?
                (?: CLAUDE(?:\.local)?\.md | AGENTS\.md | GEMINI\.md | \.claude/(?:settings|hooks|rules) | \.cursor/rules | \.cursorrules | \.?mcp\.json | copilot-instructions\.md | MEMORY\.md | long-term\ memory | your\ memory | persistent\ memory | memory\ files? | global\ instructions | system\ instructions | permissions\.allow | \.codex/config | memory\b )"#,
        },
    ],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Read `AGENTS.md` first and keep to it.\n"))])],
    bad: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!("```sh\ncat rules.txt >> ~/.claude/CLAUDE.md\n```\n"),
    )])],
    check: Check::File(check),
};

/// Index of the pattern for orders in words.
const WORDS: usize = 4;
/// Indexes of patterns whose matches are examined further.
const CLIENT: usize = 2;
const STEPS: usize = 3;
/// Functions and commands that write.
const SINKS: &[&str] = &[
    "write_text(",
    ".write(",
    "writefilesync(",
    "appendfilesync(",
    "writefile(",
    "json.dump(",
    ", \"w\"",
    ", 'w'",
    ", \"a\"",
    ", 'a'",
    "set-content",
    "add-content",
    "out-file",
];

/// What lets the agent do everything.
const UNASKED: [&str; 3] = ["--dangerously", "--yolo", "bypassPermissions"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let Some(text) = file.text.as_deref() else { return };
    let found: Vec<_> = hits::executable(file, &RULE).filter(|hit| is_written(file, text, hit)).collect();
    let is_unasked = found.first().is_some_and(|hit| {
        UNASKED.iter().any(|word| file.slice(&hit.span).contains(word))
    });
    let is_server = found.first().is_some_and(|hit| file.slice(&hit.span).contains(" mcp add"));
    let what = match (is_unasked, is_server) {
        (true, _) => "lets the agent do everything without asking",
        (false, true) => "adds a server to the agent",
        (false, false) => "changes the agent's instructions",
    };
    let ends = |c: char| c.is_whitespace() || "`\\".contains(c);
    let places = found
        .iter()
        .map(|hit| hit.span.start..hit.span.start + file.slice(&hit.span).trim_end_matches(ends).len())
        // A command begins after the inline code before it on the line.
        .map(|span| span.start + file.slice(&span).rfind('`').map_or(0, |at| at + 1)..span.end);
    let finding = hits::once(report, places, |span| format!("'{}' {what}", one_line(file.slice(span))));
    if let Some(finding) = finding.filter(|_| is_unasked && is_explained(text)) {
        finding.at_most(Confidence::Medium);
    }
}

/// Words that give the reason for an option.
const REASONS: [&str; 9] =
    ["authorizes this", "because", "by design", "issue #", "never gate", "non-interactive", "prevent", "so that", "unattended"];

/// Whether a paragraph names an option that lets the agent do everything, and gives a reason for it.
fn is_explained(text: &str) -> bool {
    text.split("\n\n").filter(|part| UNASKED.iter().any(|option| part.contains(option))).any(|part| {
        let part = part.to_ascii_lowercase();
        REASONS.iter().any(|reason| part.contains(reason))
    })
}

fn is_written(file: &LintFile, text: &str, hit: &PatternHit) -> bool {
    let line = text[context_window::line(text, hit.span.start)].to_ascii_lowercase();
    // Other tools have settings too.
    let is_agent = !line.contains("settings")
        || [".claude", ".gemini", ".cursor", ".codex"].iter().any(|folder| line.contains(folder));
    match code_context::context_at(file, hit.span.start) {
        CodeContext::Prose => hit.pattern == WORDS && code_context::is_order(text, hit.span.start),
        CodeContext::FrontMatterState => false,
        CodeContext::Block(Language::Data) | CodeContext::File(Language::Data) => hit.pattern == CLIENT,
        CodeContext::File(_) if hit.pattern == STEPS => is_agent && flow::reaches(text, &hit.span, SINKS).is_some(),
        CodeContext::Inline | CodeContext::Block(_) | CodeContext::File(_) => hit.pattern < STEPS,
    }
}
