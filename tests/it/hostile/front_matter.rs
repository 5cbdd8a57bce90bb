//! Random front matter, compared with an independent YAML parser: PyYAML through `tools/read_front_matter.py`.
//!
//! `SKC_FRONT_MATTERS` sets their number (1,000), `SKC_FRONT_MATTER_SEED` the seed (1).

use crate::random::{Random, number};
use serde_json::{Value as Json, json};
use skillc_domain::frontmatter::{Node, Value};
use skillc_markdown::MarkdownReader;
use skillc_ports::DocumentReader;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const WORDS: &[&str] = &[
    "alpha",
    "two words",
    "a: b",
    "x # y",
    "#z",
    "- dash",
    "it's",
    "say \"hi\"",
    "back\\slash",
    "日本",
    "é",
    "😀",
    "123",
    "1.5",
    "true",
    "null",
    "~",
    "yes",
    "0x1F",
    "2026-01-01",
    "@at",
    "`tick`",
    "%pct",
    "a,b",
    "[x",
    "{y",
    "*star",
    "&amp",
    "|",
    ">",
    "?",
    "q?",
    ":",
    "a:b",
    "::",
    "..",
    "...",
    "---",
    "--",
    "trailing ",
    " leading",
    "",
    "$(x)",
    "\u{a0}nbsp",
    "=",
    "<<",
];

/// Characters of YAML, some of which change the meaning of their surroundings.
const PIECES: &[&str] = &[
    ":", ": ", "-", "- ", "#", " #", "'", "\"", "[", "]", "{", "}", ",", "|", ">", "&a ", "*a", "!!str ",
    "%", "@", "`", "\n", "\n  ", " ", "~", "...", "\\", "\\n", "\\x41", "\\u00e9", "''", "é",
];

/// What PyYAML rejects or accepts differently from YAML 1.2, by its message.
const LAX: &[&str] = &[
    // A quoted text that goes on where its key begins (7.3.1).
    "invalid indentation in multiline quoted scalar",
    // "a"# (6.6).
    "comments must be separated from other tokens by whitespace",
    // !a,b (6.8.2).
    "while scanning a tag",
    // A block's | or > in the first column of the next line (8.1).
    "simple key expected ':'",
    // [-] (7.3.3).
    "plain scalar cannot start with",
];

/// A YAML text, mostly valid.
fn front_matter(random: &mut Random) -> String {
    let mut yaml = String::from("name: demo\n");
    for at in 0..1 + random.below(4) {
        yaml += &format!("k{at}:{}\n", value(random, 1));
    }
    for _ in 0..[0, 0, 0, 1, 1, 3][random.below(6)] {
        let places: Vec<usize> = yaml.char_indices().map(|(at, _)| at).collect();
        let at = *random.pick(&places);
        yaml.insert_str(at, random.word(PIECES));
    }
    yaml
}

/// A value with what separates it from its key.
fn value(random: &mut Random, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let word = random.word(WORDS);
    match random.below(if depth < 4 { 10 } else { 5 }) {
        0 => format!(" {word}"),
        1 => format!(" '{}'", word.replace('\'', "''")),
        2 => format!(" {}", json!(word)),
        3 => format!(" plain\n{indent}more {}", random.word(&["words", "of it", "a-b", "c.d"])),
        4 => String::new(),
        5 => block(random, &indent),
        6 => format!(" [{}]", flow(random)),
        7 => format!(" {{a: {}, \"b\": c}}", random.word(&["x", "'y'", "1", "[]", "{}"])),
        8 => (0..2).map(|at| format!("\n{indent}m{at}:{}", value(random, depth + 1))).collect(),
        _ => (0..2).map(|_| format!("\n{indent}-{}", value(random, depth + 1))).collect(),
    }
}

fn flow(random: &mut Random) -> String {
    let items: Vec<&str> =
        (0..random.below(4)).map(|_| random.word(&["a", "'b, c'", "\"d\"", "e f", "[g]", "~"])).collect();
    items.join(", ")
}

fn block(random: &mut Random, indent: &str) -> String {
    let head = random.word(&["|", ">", "|-", ">-", "|+", ">+", "|2"]);
    let head = if head == "|2" { "|" } else { head };
    let lines: Vec<String> = (0..1 + random.below(4))
        .map(|at| match random.below(4) {
            0 if at > 0 => String::new(),
            1 if at > 0 => format!("{indent}   deeper"),
            _ => format!("{indent}{}", random.word(&["line", "a: b", "# no comment", "- x", "é"])),
        })
        .collect();
    format!(" {head}\n{}", lines.join("\n"))
}

/// A node as the script prints it: `null` for nothing, which both report only for plain scalars.
fn shown(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Scalar { text, .. } => json!(text),
        Value::List(items) => json!({ "list": items.iter().map(shown).collect::<Vec<_>>() }),
        Value::Map(fields) => {
            json!({ "map": fields.iter().map(|(k, v)| json!([shown(k), shown(v)])).collect::<Vec<_>>() })
        }
    }
}

/// What the program reads, or why it refuses.
fn read(yaml: &str) -> Result<Json, String> {
    let found =
        MarkdownReader.front_matter(&format!("---\n{yaml}---\nbody\n")).map_err(|flaw| flaw.message)?;
    let fields = found.unwrap_or_default().fields;
    Ok(json!({ "map": fields.iter().map(|(k, v)| json!([shown(k), shown(v)])).collect::<Vec<_>>() }))
}

/// What the script reads for each text; `Err` with its message if it refuses. `None` if PyYAML is not installed.
fn read_independently(texts: &[String]) -> Option<Vec<Result<Json, String>>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join("tools/read_front_matter.py");
    let has_yaml = Command::new("python3").args(["-c", "import yaml"]).stderr(Stdio::null()).status();
    if !has_yaml.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut child =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = json!(texts).to_string();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let answers: Vec<Json> = serde_json::from_slice(&done.stdout).unwrap();
    let answer = |answer: Json| match answer.get("error").and_then(Json::as_str) {
        Some(error) => Err(error.to_owned()),
        None => Ok(answer),
    };
    Some(answers.into_iter().map(answer).collect())
}

/// Decision 12: values are read as YAML defines them.
#[test]
fn random_front_matter_is_read_as_an_independent_reader_reads_it() {
    let (count, seed) = (number("SKC_FRONT_MATTERS", 1_000), number("SKC_FRONT_MATTER_SEED", 1));
    let texts: Vec<String> = (seed..seed + count).map(|seed| front_matter(&mut Random::new(seed))).collect();
    let Some(theirs) = read_independently(&texts) else {
        return eprintln!("NOT CHECKED: python3 has no PyYAML here");
    };
    let (mut both, mut refused, mut lax, mut only_ours, mut wrong) = (0, 0, 0, Vec::new(), Vec::new());
    for (text, theirs) in texts.iter().zip(&theirs) {
        match (read(text), theirs) {
            (Ok(ours), Ok(theirs)) if ours == *theirs => both += 1,
            (Err(_), Err(_)) => refused += 1,
            (Err(why), Ok(_)) if LAX.iter().any(|lax| why.contains(lax)) => lax += 1,
            (Ok(_), Err(why)) => only_ours.push(format!("{text:?}: {why}")),
            (ours, theirs) => wrong.push(format!("{text:?}\n  ours {ours:?}\n  theirs {theirs:?}")),
        }
    }
    println!(
        "{count} from seed {seed}: {both} equal, {refused} refused by both, {lax} by skc alone, {} by PyYAML alone",
        only_ours.len()
    );
    for text in only_ours.iter().take(5) {
        println!("  {text}");
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(both > count / 2, "most of them are sound");
}
