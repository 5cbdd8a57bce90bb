//! No command prints a control sequence to a terminal.

use crate::rfc_0007::terminal::bytes_on_terminal;
use crate::site::{Site, put, skill_md};
use skillc_ops::OPS;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Sequences that a terminal would act on: setting the title, writing the clipboard, colors, a new line, the C1 forms
/// of these, and bidirectional controls. The second color is one that `skc` itself uses.
const EVIL: &str = "\u{1b}]0;t\u{7}\u{1b}]52;c;eA==\u{7}\u{1b}[2J\u{1b}[1mx\u{8}\u{7f}\u{9b}1m\u{9d}0;t\u{9c}\u{202e}\u{2066}\u{200f}\u{85}";

/// Further command lines for verbs that print more when they get other arguments than a skill's name. Every verb also
/// runs with its lines in `lines`.
const MORE: &[(&str, &[&str])] = &[
    ("init", &["init \"x$EVIL\""]),
    (
        "lint",
        &[
            "lint demo --diff",
            "lint demo --explain-load",
            "lint --distrust",
            "lint \"./$EVIL\"",
            "lint demo --fix",
        ],
    ),
    ("build", &["build --all", "build \"./$EVIL\""]),
    ("list", &["list --check-obsolete", "list --pattern \"$EVIL\""]),
    (
        "show",
        &[
            "show demo -s Plain",
            "show demo -s \"Head\"",
            "show demo -s \"$EVIL\"",
            "show demo -s Plain --file \"$EVIL\"",
            "show demo -s Plain --max-lines 3",
        ],
    ),
    (
        "open",
        &[
            "open demo SKILL.md",
            "open demo bytes.bin",
            "open demo \"$EVIL\"",
            "open demo \"references/$EVIL.md\"",
            "open demo SKILL.md --max-bytes 40",
        ],
    ),
    ("sources", &["sources demo --dir references", "sources demo --dir \"$EVIL\""]),
    ("search", &["search demo marmot", "search demo \"$EVIL\"", "search demo '\"'"]),
    ("find", &["find marmot --explain --roots all", "find \"$EVIL\"", "find --index x", "find x --team"]),
    ("load", &["load demo --force", "load \"$EVIL\"", "load --path \"$EVIL\"", "load --ref \"$EVIL\""]),
    (
        "mentions",
        &["mentions \"use \\$demo and [x](./$EVIL)\"", "mentions \"\\$$EVIL\"", "mentions --file \"$EVIL\""],
    ),
    ("enable", &["enable demo --project", "enable \"$EVIL\" --project", "enable demo --allow"]),
    ("disable", &["disable \"$EVIL\""]),
    (
        "eval",
        &[
            "eval discovery --queries queries.jsonl --corpus .skillc/skills",
            "eval discovery --queries \"$EVIL\" --corpus x",
        ],
    ),
    (
        "stats",
        &[
            "stats demo --group-by sections",
            "stats demo --group-by files",
            "stats --all",
            "stats demo --since \"$EVIL\"",
            "stats --project \"$EVIL\"",
            "stats demo --html \"out$EVIL.html\"",
            "stats demo --group-by errors",
            "stats demo --group-by projects",
            "stats demo --group-by search",
        ],
    ),
    ("slim", &["slim", "slim \"$EVIL\"", "slim --apply \"$EVIL\""]),
    ("sync", &["sync", "sync --dry-run", "sync --project \"$EVIL\""]),
    ("log", &["log forget \"$EVIL\"", "log forget demo --before \"$EVIL\""]),
    ("team", &["team status", "team publish --all"]),
    ("model", &["model status", "model install --from \"$EVIL\""]),
    ("pack", &["pack demo", "pack demo --output \"x$EVIL.zip\"", "pack --check \"$EVIL\"", "pack \"$EVIL\""]),
    ("publish", &["publish demo --well-known \"x$EVIL\"", "publish \"$EVIL\" --well-known public"]),
    (
        "plugin",
        &[
            "plugin check",
            "plugin check \"$EVIL\" --explain-load",
            "plugin init --name \"$EVIL\"",
            "plugin sync",
        ],
    ),
    ("prove", &["prove demo", "prove demo --badge \"x$EVIL.svg\"", "prove \"$EVIL\""]),
    ("undeploy", &["undeploy demo --target \"$EVIL\"", "undeploy demo"]),
    (
        "catalog",
        &[
            "catalog --roots all",
            "catalog --write \"x$EVIL.md\"",
            "catalog --write \"x$EVIL.md\" --check",
            "catalog --max-entries 1",
        ],
    ),
    ("explain", &["explain SKL100", "explain \"$EVIL\""]),
    ("doctor", &["doctor", "doctor --roots all", "doctor --fix"]),
];

/// Commands that are not operations.
const OTHERS: &[&str] = &[
    "try",
    "\"$EVIL\"",
    "--\"$EVIL\"",
    "--help",
    "list --help",
    "--version",
    "--format \"$EVIL\" list",
    "mcp config cursor",
    "mcp config \"$EVIL\"",
    "mcp config codex --write --project",
    "mcp --http \"$EVIL\"",
    "mcp --socket \"/nonexistent/$EVIL\"",
    "pick \"$EVIL\" --scope \"$EVIL\"",
    "mcp < requests",
    "host < requests",
];

/// Verbs whose output is the same in every run, so that two runs can be compared.
const STEADY: &[&str] =
    &["outline", "show", "open", "sources", "search", "load", "explain", "targets", "config"];

/// A project in which every name and every text is hostile.
fn hostile_site() -> Site {
    let site = Site::new();
    let escaped: String = EVIL.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let head = format!("---\nname: demo\ndescription: \"Use when {escaped}.\"\nextra: \"{escaped}\"\n---\n");
    let body = format!(
        "# Plain\n\nmarmot {EVIL} text   \n\n## Head {EVIL}\n\n[a](references/{EVIL}.md) [b]({EVIL}) \u{200b}x\r\r\ny\n"
    );
    site.write("demo", "SKILL.md", head + &body);
    site.write(
        "demo",
        &format!("references/{EVIL}.md"),
        format!("---\ndescription: \"{escaped}\"\n---\n# T {EVIL}\n\nmarmot {EVIL}\n"),
    );
    site.write("demo", &format!("{EVIL}/{EVIL}.txt"), EVIL);
    site.write("demo", "bytes.bin", b"\x9b1m\xff\x1b[2J\x00\x9d0;t\x9c");
    put(&site.skill("demo").join(OsStr::from_bytes(b"\x9b1m\xff.md")), "# x\n");
    site.write(EVIL, "SKILL.md", skill_md("other", &format!("# {EVIL}\n")));
    site.write("broken", "SKILL.md", format!("---\n{EVIL}: [\n---\n# x\n"));
    let project = site.project();
    put(
        &project.join(EVIL).join("SKILL.md"),
        format!("---\nname: \"{escaped}\"\ndescription: \"{escaped}\"\n---\n# {EVIL}\n"),
    );
    put(&project.join("queries.jsonl"), format!("{{\"query\": \"{escaped}\", \"skill\": \"{escaped}\"}}\n"));
    put(&project.join("requests"), requests(&escaped));
    let config = format!(
        "\"{escaped}\" = 1\n[search]\ntokenizer = \"{escaped}\"\n[targets]\n\"{escaped}\" = \"{escaped}\"\n\
         [discovery]\nroots = [\"{escaped}\"]\n[permissions]\nconfirm = [{{ tool = \"{escaped}\", skill_name = \"[{escaped}\" }}]\n"
    );
    put(&project.join(".skillc/config.toml"), config);
    put(
        &site.home().join(".skillc/config.toml"),
        format!("[lint]\nprofile = \"{escaped}\"\n\"{escaped}\" = 2\n"),
    );
    fs::create_dir_all(site.home().join(".claude")).unwrap();
    site.skc(["build", "demo", "--force"]);
    for line in [["search", "demo", EVIL], ["open", "demo", EVIL], ["open", "demo", "SKILL.md"]] {
        site.skc(line);
    }
    site.skc(["show", "demo", "--section", &format!("Head {EVIL}")]);
    site
}

fn requests(escaped: &str) -> String {
    let list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\"}\n";
    list.to_owned()
        + &format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{escaped}\",\"method\":\"{escaped}\"}}\n{EVIL}\n")
}

fn lines(verb: &str) -> Vec<String> {
    let own =
        [format!("{verb} demo"), format!("{verb} \"$EVIL\""), verb.to_owned(), format!("{verb} --\"$EVIL\"")];
    let more = MORE.iter().filter(|(of, _)| *of == verb).flat_map(|(_, lines)| lines.iter());
    own.into_iter().chain(more.map(|line| (*line).to_owned())).collect()
}

/// Runs a command line on a terminal and returns the output. Fails if it contains a control sequence other than the
/// program's colors.
#[track_caller]
fn harmless(site: &Site, line: &str) -> String {
    let vars = [("EVIL", EVIL), ("SKILLC_TEAM", "")];
    // The `echo` makes sure that the terminal receives something.
    let bytes = bytes_on_terminal(site, &vars, &format!("echo; $SKC {line}"));
    let text = String::from_utf8(bytes).unwrap_or_else(|error| panic!("{line}: {error}"));
    let mut seen = text.replace("\r\n", "\n");
    for color in ["0", "1", "2", "4", "31", "32", "33", "36"] {
        seen = seen.replace(&format!("\u{1b}[{color}m"), "");
    }
    let is_bidi =
        |c: char| matches!(u32::from(c), 0x61c | 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069);
    let obeyed: Vec<char> =
        seen.chars().filter(|c| (c.is_control() && !"\n\t".contains(*c)) || is_bidi(*c)).collect();
    assert!(obeyed.is_empty(), "{line}: {obeyed:?} in {text:?}");
    assert!(!text.contains("skc panicked"), "{line}: {text}");
    text
}

/// L1, RFC-0007:C-OUTPUT
#[test]
fn no_command_prints_an_order_to_the_terminal() {
    let site = hostile_site();
    let mut commands = 0;
    for entry in OPS {
        for line in lines(entry.name) {
            for format in entry.formats {
                commands += 1;
                let shown =
                    |color: &str| harmless(&site, &format!("{line} --format {format} -v --color {color}"));
                let plain = shown("never");
                assert!(!plain.contains('\u{1b}'), "{line}: {plain:?}");
                if *format != "text" {
                    continue;
                }
                let colored = shown("always");
                if STEADY.contains(&entry.name) {
                    // One of our color sequences within their text is escaped like any other.
                    let escaped = |text: &str| text.matches("u{1b}[1m").count();
                    assert_eq!(escaped(&plain), escaped(&colored), "{line}");
                }
            }
        }
    }
    OTHERS.iter().for_each(|line| drop(harmless(&site, line)));
    eprintln!("{} command lines on a terminal, {} of them of operations", commands + OTHERS.len(), commands);
}

/// L1, RFC-0002:C-OPEN, RFC-0007:C-OUTPUT
#[test]
fn open_and_show_escape_for_a_terminal_and_are_raw_in_a_pipe() {
    let site = hostile_site();
    let file = fs::read(site.skill("demo").join("SKILL.md")).unwrap();
    assert_eq!(site.skc(["open", "demo", "SKILL.md"]).ok().bytes, file);
    let shown = site.skc(["show", "demo", "--section", "Plain"]).ok().bytes;
    assert!(file.ends_with(&shown) && shown.starts_with(b"# Plain"));
    for line in ["open demo SKILL.md", "show demo -s Plain", "load demo --force", "lint demo --diff"] {
        assert!(harmless(&site, line).contains("\\u{1b}]52;c;eA=="), "{line}");
    }
    assert!(harmless(&site, "open demo bytes.bin").contains("\\x9b1m\\xff\\u{1b}[2J"));
}

/// L1: only one file writes text to the streams. Any other file that names them asks whether they are terminals,
/// draws its own progress bar, asks a question whose text was escaped, or writes to the pager.
#[test]
fn one_file_of_the_program_writes_to_its_streams() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/cli/src");
    let allowed = ["terminal.rs", "consent.rs", "pager.rs"];
    for file in crate::architecture::rust_files(&folder) {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let writes = ["println!", "print!(", "stdout().lock", "stderr().lock", "io::Write", "Write}"];
        let found: Vec<_> = writes.iter().filter(|word| text.contains(**word)).collect();
        assert!(found.is_empty() || allowed.contains(&name.as_str()), "{name}: {found:?}");
    }
}
