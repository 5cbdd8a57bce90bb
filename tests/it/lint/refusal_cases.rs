//! Skills that a released client rejected, or read differently from what their author meant, as reported in public.
//! Each text is ours and repeats the mistake of a report.
//!
//! Codex 0.169.0 and Gemini CLI 0.61.0 were run over all of them and over `LOAD_CASES`. Gemini lists exactly those
//! that are not `dropped`. Codex lists none of those marked as dropped, except where it quotes a line and tries
//! again. Older builds do not do that, and the verdict is the one that is true of all builds.

use super::load_cases::LoadCase;

/// The outcomes, in the order of the profiles.
macro_rules! standings {
    ($spec:literal, $claude_code:literal, $codex:literal, $vscode:literal, $opencode:literal, $gemini:literal, $cursor:literal) => {
        &[
            ("spec", $spec),
            ("claude-code", $claude_code),
            ("codex", $codex),
            ("vscode", $vscode),
            ("opencode", $opencode),
            ("gemini", $gemini),
            ("cursor", $cursor),
        ]
    };
}

/// A description of 1,086 characters in a folded block.
macro_rules! chars_1086 {
    () => {
        concat!(
            "Shows how to do a thing in one step, and when to leave it: ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "Shows how to do a thing in one step, and when to leave it. ",
            "xxxxxxxxxxxxxxxxxxxxxxxx"
        )
    };
}

/// All cases.
pub const REFUSAL_CASES: &[LoadCase] = &[
    (
        "a name that is a placeholder in braces",
        "demo",
        "---\nname: { setup-name }\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "keywords in a paragraph of their own",
        "demo",
        "---\nname: demo\ndescription: Shows how. Use when asked.\n\n  Keywords: demo, example\nlicense: MIT\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a description that begins with a backtick",
        "demo",
        "---\nname: demo\ndescription: `demo` shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a description that begins with an at sign",
        "demo",
        "---\nname: demo\ndescription: @demo shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a description that begins with an asterisk",
        "demo",
        "---\nname: demo\ndescription: *Always* shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a description that begins with two asterisks",
        "demo",
        "---\nname: demo\ndescription: **Shows** how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a description that begins with a percent sign",
        "demo",
        "---\nname: demo\ndescription: % of a whole. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "words behind a quoted phrase",
        "demo",
        "---\nname: demo\ndescription: \"Shows how\" in one step. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "an apostrophe in single quotation marks",
        "demo",
        "---\nname: demo\ndescription: 'Shows how it's done. Use when asked.'\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "quotation marks that are not closed",
        "demo",
        "---\nname: demo\ndescription: \"Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "a pattern in double quotation marks",
        "demo",
        "---\nname: demo\ndescription: \"Finds \\d+ in a text. Use when asked.\"\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "a path of Windows in double quotation marks",
        "demo",
        "---\nname: demo\ndescription: \"Reads C:\\Users. Use when asked.\"\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "quotation marks within double quotation marks",
        "demo",
        "---\nname: demo\ndescription: \"Shows \"how\" in one step. Use when asked.\"\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "a folded description that is not indented",
        "demo",
        "---\nname: demo\ndescription: >\nShows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "degraded", "dropped"),
    ),
    (
        "a second line that is not indented",
        "demo",
        "---\nname: demo\ndescription: Shows how.\nUse when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a folded description of 1,086 characters",
        "demo",
        concat!("---\nname: demo\ndescription: >-\n  ", chars_1086!(), "\n---\n\n# Demo\n\nShows how.\n"),
        standings!("invalid", "loads", "dropped", "degraded", "dropped", "loads", "loads"),
    ),
    (
        "a list of tools that is not closed",
        "demo",
        "---\nname: demo\ndescription: Shows how. Use when asked.\nallowed-tools: [Read, Write\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a tool with a colon and a blank",
        "demo",
        "---\nname: demo\ndescription: Shows how. Use when asked.\nallowed-tools: Bash(git: *)\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a comment above the front matter",
        "demo",
        "<!-- made by a tool -->\n---\nname: demo\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "front matter in TOML",
        "demo",
        "+++\nname = \"demo\"\ndescription = \"Shows how. Use when asked.\"\n+++\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "front matter in a code block",
        "demo",
        "```yaml\n---\nname: demo\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n```\n",
        standings!("invalid", "loads", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "four hyphens as the last line",
        "demo",
        "---\nname: demo\ndescription: Shows how. Use when asked.\n----\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a rule and a title instead of front matter",
        "demo",
        "---\n\n# Demo\n\nShows how.\n\n---\n\nMore.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "keys with capitals",
        "demo",
        "---\nName: demo\nDescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "a name with a blank",
        "react-effects",
        "---\nname: React Effects\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "loads", "dropped", "dropped", "loads", "degraded"),
    ),
    (
        "a name that is nothing",
        "demo",
        "---\nname: ~\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "loads", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "a second name",
        "demo",
        "---\nname: demo\nname: demo\ndescription: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "degraded", "dropped", "degraded", "degraded"),
    ),
    (
        "a conflict of a merge",
        "demo",
        "---\nname: demo\n<<<<<<< HEAD\ndescription: Shows how. Use when asked.\n=======\ndescription: Shows more. Use when asked.\n>>>>>>> other\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
    (
        "empty front matter",
        "demo",
        "---\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "loads", "dropped", "dropped", "dropped", "dropped", "dropped"),
    ),
    (
        "a key beside the others that is indented by one",
        "demo",
        "---\nname: demo\n description: Shows how. Use when asked.\n---\n\n# Demo\n\nShows how.\n",
        standings!("invalid", "degraded", "dropped", "dropped", "dropped", "loads", "dropped"),
    ),
];
