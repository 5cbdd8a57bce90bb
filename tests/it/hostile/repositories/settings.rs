//! Configurations with every key of RFC-0009: out of range, of a wrong type, huge, or leading out.

use super::features::Ground;
use skillc_domain::agents::AGENTS;

/// The reference of settings, so that new ones are covered.
const RFC: &str = include_str!("../../../../rfc/0009-configuration.md");

/// Values that lead out of the project or attempt to.
const WAYS_OUT: &[&str] = &[
    "~",
    "~/",
    "~/.ssh",
    "~/.claude/skills",
    "~/docs",
    "..",
    "../neighbor",
    "../neighbor/.claude/skills",
    "../../home/.ssh",
    "{root}/home/.claude/skills",
    "{root}/home/docs",
    "/proc/self/root{root}/home/docs",
    "$HOME/.ssh",
    "${HOME}/.ssh",
    "%HOME%",
    "src/../../neighbor",
    "~me/.ssh",
    "file://{root}/home/.ssh",
];

/// Paths inside the project that are unsuitable.
const ODD_INSIDE: &[&str] =
    &["", ".", "./", ".skillc", ".skillc/skills", ".skillc/runtime", ".git", "src", "AGENTS.md", "none/deep"];

/// TOML values that are not paths.
const ODD_VALUES: &[&str] = &[
    "0",
    "-1",
    "18446744073709551616",
    "9223372036854775807",
    "4294967296",
    "100001",
    "1e308",
    "nan",
    "-inf",
    "true",
    "false",
    "[]",
    "{}",
    "[[], [[]]]",
    "[1, \"a\", {}]",
    "{ tool = 1 }",
    "[{ tool = \"*\", skill_name = \"*\" }]",
    "[\"*\"]",
    "[\"[\", \"**\", \"*a*a*a*a*a*a*a*a*b\"]",
    "1979-05-27T07:32:00Z",
    "\"\\u0000\"",
    "\"\\u001b[2J\\u202e\"",
    "\"postgres\"",
    "\"rebuild\"",
    "\"cjk\"",
    "\"postgres://x@127.0.0.1:1/x\"",
    "\"http://127.0.0.1:9\"",
];

/// Writes a hostile configuration; returns its path and description, if any.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let place = ".skillc/config.toml".to_owned();
    let (what, text) = if ground.random.percent(12) { whole_file(ground) } else { some_keys(ground) };
    ground.put(&place, text)?;
    Some((place, what))
}

fn some_keys(ground: &mut Ground<'_>) -> (String, Vec<u8>) {
    let count = 1 + ground.random.below(3);
    let lines: Vec<String> = (0..count).map(|_| line(ground)).collect();
    let shown: Vec<String> = lines.iter().map(|line| line.chars().take(120).collect()).collect();
    (format!("settings {}", shown.join("; ")), (lines.join("\n") + "\n").into_bytes())
}

/// One setting as a dotted key, which TOML allows in any order.
fn line(ground: &mut Ground<'_>) -> String {
    let keys = keys();
    // Targets are the most dangerous.
    let mut key = if ground.random.percent(25) {
        "targets.<name>".to_owned()
    } else {
        ground.random.pick(&keys).clone()
    };
    let name = match ground.random.below(6) {
        0 => "claude".to_owned(),
        1 => ground.random.pick(AGENTS).id.to_owned(),
        2 => "my-agent".to_owned(),
        3 => "\"../../x\"".to_owned(),
        _ => "claude-code".to_owned(),
    };
    key = key
        .replace("<name>", &name)
        .replace("<rule>", ["SKL108", "SKL401", "SKL999", "all"][ground.random.below(4)]);
    if ground.random.percent(3) {
        key += ".deeper.and_unknown";
    }
    format!("{key} = {}", value(ground))
}

fn value(ground: &mut Ground<'_>) -> String {
    let root = ground.sandbox.root().to_string_lossy().into_owned();
    let quoted = |text: &str| format!("\"{}\"", text.replace("{root}", &root));
    match ground.random.below(100) {
        0..35 => quoted(ground.random.word(WAYS_OUT)),
        35..50 => format!("[{}]", quoted(ground.random.word(WAYS_OUT))),
        50..58 => quoted(ground.random.word(ODD_INSIDE)),
        58..62 => format!("[{}]", quoted(ground.random.word(ODD_INSIDE))),
        62..65 => format!("\"{}\"", "x".repeat(100_000)),
        65..68 => format!("{}{}", "[".repeat(3_000), "]".repeat(3_000)),
        68..71 => format!("[{}]", (0..3_000).map(|n| format!("\"src/r{n}\"")).collect::<Vec<_>>().join(", ")),
        _ => ground.random.pick(ODD_VALUES).to_string(),
    }
}

/// A file that is not a configuration.
fn whole_file(ground: &mut Ground<'_>) -> (String, Vec<u8>) {
    let (what, bytes): (&str, Vec<u8>) = match ground.random.below(7) {
        0 => ("no TOML", b"not = [toml".to_vec()),
        1 => ("no UTF-8", b"\xff\xfe version = 1".to_vec()),
        // Larger than the limit, with content that messages must not quote.
        2 => ("3 MiB of NUL", vec![0; 3 << 20]),
        3 => ("2 MiB of one line", vec![b'a'; 2 << 20]),
        4 => ("broken behind a denial", b"[permissions]\ndeny = [\"*\"]\nx = \n".to_vec()),
        5 => ("a newer version", b"version = 99999999999\n[search]\ntokenizer = \"cjk\"\n".to_vec()),
        _ => ("comments of 1.2 MiB", b"# a long one that says nothing\n".repeat(40_000)),
    };
    (format!("settings: {what}"), bytes)
}

/// The dotted keys of the table in RFC-0009:C-RESOLUTION.
pub fn keys() -> Vec<String> {
    let rows = RFC.lines().filter(|line| line.starts_with("| `"));
    let mut keys = Vec::new();
    for row in rows {
        let cell = row.trim_start_matches('|').split(" | ").next().unwrap_or_default();
        let mut section = "";
        for name in cell.split('`').skip(1).step_by(2) {
            let (own, key) = match name.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
                Some((own, key)) => (own, key),
                None => (section, name),
            };
            section = own;
            let is_variable = key.starts_with(|c: char| c.is_ascii_uppercase());
            if !is_variable {
                keys.push(if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") });
            }
        }
    }
    keys
}
