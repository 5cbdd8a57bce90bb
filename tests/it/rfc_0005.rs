//! RFC-0005: diagnostics as users see them.

use crate::site::{Run, Site, put, skill_md};
use skillc_domain::fault::{FAULTS, Row, WARNINGS};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

const BODY: &str = "# Top\n\nmarmot\n";

/// RFC-0005:C-OVERVIEW
#[test]
fn diagnostics_go_to_stderr() {
    let site = Site::built("demo", "# Top\n\nmarmot\n\n## Top\n");
    put(&site.home().join(".skillc/config.toml"), "colour = 1\n");
    let shown = site.skc(["show", "demo", "--section", "Top"]).ok();
    assert_eq!(codes(&shown.err), ["W030", "W001"]);
    assert_eq!(codes(&shown.out), [""; 0]);
    for line in
        [&["show", "demo", "--section", "No"][..], &["search", "demo", ""], &["bogus"], &["build", "none"]]
    {
        let failed = site.skc(line);
        assert_eq!((failed.status, failed.out.as_str()), (1, ""), "{line:?}");
        assert!(!failed.err.is_empty());
        let as_json = [line, &["--format", "json"]].concat();
        assert_eq!(site.skc(as_json).out, "", "{line:?}");
    }
    site.write("bad", "SKILL.md", "no front matter\n");
    let partly = site.skc(["build", "--all"]).fails("E011");
    assert!(partly.out.contains("1 failed"), "the reply stays on stdout: {}", partly.out);
}

/// RFC-0005:C-OVERVIEW
#[test]
fn every_error_ends_with_status_one() {
    for scene in SCENES.iter().filter(|scene| scene.0.starts_with('E')) {
        let (code, run) = play(scene);
        // A broken configuration file is reported, and the command continues.
        let expected = if code == "E101" { 0 } else { 1 };
        assert_eq!(run.status, expected, "{code}: {}", run.err);
    }
}

/// RFC-0005:C-OVERVIEW
#[test]
fn warnings_leave_the_status_zero() {
    for scene in SCENES.iter().filter(|scene| scene.0.starts_with('W')) {
        let (code, run) = play(scene);
        assert_eq!(run.status, 0, "{code}: {}", run.err);
        assert!(!run.out.is_empty(), "{code}: the command did its work");
    }
}

/// RFC-0005:C-CODES
#[test]
fn a_diagnostic_has_the_form_of_the_register() {
    for scene in SCENES {
        let (code, run) = play(scene);
        let row = FAULTS.iter().chain(WARNINGS).find(|row| row.code == code).unwrap();
        let kind = if code.starts_with('E') { "error" } else { "warning" };
        let begin = format!("{kind}[{code}]: ");
        if code.ends_with("300") {
            // A finding has the form of RFC-0008:C-DIAGNOSTICS.
            assert!(run.err.contains(&format!(": {kind}[SKL")), "{code} in: {}", run.err);
            continue;
        }
        let told: Vec<&str> = run.err.lines().filter_map(|line| line.strip_prefix(&begin)).collect();
        assert!(!told.is_empty(), "{code} in: {}", run.err);
        assert!(told.iter().all(|message| has_form(message, row.message)), "{}: {told:?}", row.message);
        assert!(codes(&run.err).iter().all(|c| !c.is_empty()), "{}", run.err);
    }
}

/// Whether a message is a template with its `<placeholders>` filled.
fn has_form(message: &str, template: &str) -> bool {
    let mut parts = template.split('<').map(|part| part.split_once('>').map_or(part, |(_, after)| after));
    let Some(mut rest) = message.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let between: Vec<&str> = parts.collect();
    let Some((last, inner)) = between.split_last() else { return rest.is_empty() };
    for part in inner {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// RFC-0005:C-CODES
#[test]
fn a_wrong_option_is_refused_with_its_code() {
    let site = Site::built("demo", BODY);
    let lines: [&[&str]; 21] = [
        &["bogus"],
        &["--bogus"],
        &["build"],
        &["build", "demo", "--all"],
        &["build", "demo", "--bogus"],
        &["build", "demo", "--target"],
        &["build", "demo", "--target", "no-such-agent"],
        &["build", "demo", "--copy=yes"],
        &["show", "demo"],
        &["show", "demo", "--section"],
        &["show", "demo", "--section", "Top", "--max-lines", "0"],
        &["show", "demo", "--section", "Top", "--max-lines", "-1"],
        &["open", "demo"],
        &["outline", "demo", "--level", "7"],
        &["outline", "demo", "--level", "x"],
        &["outline", "demo", "--format", "xml"],
        &["sources", "demo", "--depth", "0"],
        &["sources", "demo", "--pattern", "["],
        &["search", "demo", "marmot", "--limit", "99999999999"],
        &["list", "--scope", "nowhere"],
        &["explain", "E9999"],
    ];
    for line in lines {
        let refused = site.skc(line).fails("E100");
        assert_eq!(refused.out, "", "{line:?}");
        let first = refused.err.lines().next().unwrap();
        assert!(first.starts_with("error[E100]: ") && first.len() > 20, "{line:?}: {first}");
    }
}

/// RFC-0005:C-CODES
#[test]
fn help_and_version_end_with_status_zero() {
    let site = Site::without_project();
    for line in [&["--help"][..], &["-h"], &["--version"], &["-V"], &["build", "--help"], &["show", "-h"]] {
        let told = site.skc(line).ok();
        assert_eq!(told.err, "", "{line:?}");
        assert!(!told.out.is_empty(), "{line:?}");
    }
    for entry in skillc_ops::OPS {
        assert!(site.skc([entry.name, "--help"]).ok().out.contains("Usage: skc"), "{}", entry.name);
    }
}

/// RFC-0005:C-USAGE
#[test]
fn every_raised_code_has_a_test() {
    let raised = |row: &&Row| !not_yet_raised().contains(row.code);
    let expected: BTreeSet<&str> = FAULTS
        .iter()
        .chain(WARNINGS)
        .filter(raised)
        .map(|row| row.code)
        .filter(|c| !BY_HAND.contains(c))
        .collect();
    let produced: BTreeSet<&str> = SCENES.iter().map(|(code, _)| *code).collect();
    assert_eq!(produced, expected);
    assert_eq!(produced.len(), SCENES.len(), "a code has one scene");
    for scene in SCENES {
        let (code, run) = play(scene);
        // A finding shows its rule instead of E300 and W300.
        let is_raised = codes(&run.err).contains(&code) || code.ends_with("300") && run.err.contains("[SKL");
        assert!(is_raised, "{code} in: {}{}", run.out, run.err);
    }
}

/// Codes whose scene cannot be set up here, and where they are tested instead.
///
/// W040 needs a folder that accepts copies and no links, which no system offers on demand:
/// `a_link_that_cannot_be_made_becomes_a_copy_with_a_warning`, and so does W046:
/// `a_link_next_to_the_stub_that_cannot_be_made_is_a_warning`. E045 to E048 need a server:
/// `each_fault_of_the_server_has_its_code`. E078 and E079 need minutes:
/// `an_install_that_waits_in_vain_and_one_that_stalls_have_their_codes`. W010 needs a folder without permission:
/// `a_log_that_cannot_be_deleted_is_reported`. E005 needs ten seconds: `rfc_0004::query`. E110 needs a program
/// without features: `light`.
const BY_HAND: &[&str] =
    &["E005", "E045", "E046", "E047", "E048", "E078", "E079", "E110", "W010", "W040", "W046"];

/// The codes that RFC-0005:C-CODES marks as not yet raised.
fn not_yet_raised() -> BTreeSet<String> {
    let rfc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rfc/0005-diagnostics.md");
    let text = fs::read_to_string(rfc).unwrap();
    let rows = text.lines().filter(|line| line.contains("| not yet raised:"));
    rows.map(|line| line.trim_start_matches("| ")[..4].to_owned()).collect()
}

/// The codes at the start of diagnostics; empty for a line that looks like a diagnostic and has no code.
fn codes(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("error").or(line.strip_prefix("warning")));
    heads.map(|rest| rest.strip_prefix('[').and_then(|rest| rest.get(..4)).unwrap_or_default()).collect()
}

type Scene = (&'static str, fn(&Site) -> Run);

/// Runs a scene on a site with the built skill `demo`.
fn play(scene: &Scene) -> (&'static str, Run) {
    (scene.0, scene.1(&Site::built("demo", BODY)))
}

fn damage_log(site: &Site) {
    let log = site.runtime("demo").join(".skillc-meta/logs.db");
    put(&log, [7; 4096]);
    // A leftover write-ahead log would be applied to the new file.
    let _ = fs::remove_file(log.with_file_name("logs.db-wal"));
}

/// A scene for each code that provokes it.
#[rustfmt::skip]
const SCENES: &[Scene] = &[
    ("E001", |site| site.skc(["show", "none", "--section", "Top"])),
    ("E002", |site| { site.write_skill("demo", "# Changed\n"); site.skc(["search", "demo", "marmot"]) }),
    ("E003", |site| { claim_index(site); site.skc(["search", "demo", "marmot"]) }),
    ("E004", |site| site.skc(["search", "demo", "  "])),
    ("E010", |site| { fs::create_dir(site.skill("hollow")).unwrap(); site.skc(["build", "hollow"]) }),
    ("E011", |site| { site.write("bad", "SKILL.md", "---\nname: bad\n---\n"); site.skc(["build", "bad"]) }),
    ("E012", |site| site.skc(["open", "demo", "../x"])),
    ("E013", |site| { site.write("bad", "SKILL.md", "---\nname: [\n---\n"); site.skc(["build", "bad"]) }),
    ("E014", |site| { put(&site.project().join("out/demo/x"), ""); site.skc(["build", "demo", "--target", "./out"]) }),
    ("E015", |site| { put(&site.project().join("new/SKILL.md"), skill_md("demo", "")); site.skc(["build", "./new"]) }),
    ("E016", |site| { multiply_files(&site.skill("demo")); site.skc(["build", "demo"]) }),
    ("E017", |site| site.skc(["build", "--all", "--global"])),
    ("E018", |site| { std::os::unix::fs::symlink(site.home(), site.project().join(".claude")).or_else(|_| { fs::remove_dir_all(site.project().join(".claude"))?; std::os::unix::fs::symlink(site.home(), site.project().join(".claude")) }).unwrap(); site.skc(["build", "demo"]) }),
    ("E019", |site| { put(&site.project().join(".skillc/config.toml"), ""); site.skc(["build", "--all", "--force"]) }),
    ("E020", |site| site.skc(["show", "demo", "--section", "None"])),
    ("E021", |site| site.skc(["open", "demo", "none.md"])),
    ("E022", |site| site.skc(["sources", "demo", "--dir", "none"])),
    ("E023", |site| {
        let big = std::fs::File::create(site.skill("demo").join("big.bin")).unwrap();
        big.set_len(skillc_domain::limits::OPEN_BYTES_MAX + 1).unwrap();
        site.skc(["open", "demo", "big.bin"])
    }),
    ("E030", |site| site.skc(["stats", "demo", "--group-by", "mood"])),
    ("E031", |site| site.skc(["stats", "demo", "--since", "yesterday"])),
    ("E032", |site| { damage_log(site); site.skc(["stats", "demo"]) }),
    ("E040", |site| site.skc(["sync", "demo"])),
    ("E041", |site| { leave_fallback(site); site.skc(["sync"]) }),
    ("E042", |site| { put(&fallback(site), [7; 4096]); site.skc(["sync"]) }),
    ("E043", |site| site.skc(["team", "status"])),
    ("E044", |site| site.skc_with(&[("SKILLC_TEAM_URL", "postgres:///x?host=/no/such/folder")], ["team", "status"])),
    ("E049", |site| site.skc_with(&[("SKILLC_TEAM_URL", "no address")], ["team", "status"])),
    ("E050", |site| site.skc(["init", "demo"])),
    ("E051", |site| site.skc(["init", "../demo"])),
    ("E052", |site| { put(&site.project().join("notes.txt"), "mine"); site.skc(["stats", "demo", "--html", "notes.txt"]) }),
    ("E053", |site| site.skc(["undo"])),
    ("E054", |site| {
        put(&site.project().join("out/demo/x"), "");
        site.skc(["build", "demo", "--target", "./out", "--force"]).ok();
        fs::remove_file(site.project().join("out/demo")).unwrap();
        put(&site.project().join("out/demo/y"), "");
        site.skc(["undo"])
    }),
    ("E055", |site| {
        put(&site.project().join(".skillc/config.toml"), "[sources]\nroots = ['skills']\n");
        put(&site.project().join("skills/demo/SKILL.md"), skill_md("demo", ""));
        site.skc(["build", "skills/demo"])
    }),
    ("E056", |site| {
        let origin = site.project().join("new/SKILL.md");
        put(&origin, skill_md("new", ""));
        site.skc(["build", "./new"]).ok();
        put(&origin, skill_md("new", "# One\n"));
        site.write_skill("new", "# Other\n");
        site.skc(["build", "./new"])
    }),
    ("E057", |site| { site.write("Bad", "SKILL.md", skill_md("bad", "")); site.skc(["pack", "Bad", "--for", "api"]) }),
    ("E058", |site| { put(&site.project().join("x.zip"), "no archive"); site.skc(["pack", "--check", "x.zip"]) }),
    ("E059", |site| { put(&site.project().join("plugin.json"), "{}"); site.skc(["plugin", "init", "--for", "agent-plugins"]) }),
    ("E060", |site| site.skc(["find", "marmots", "--mode", "semantic"])),
    ("E061", |site| { put(&site.home().join(".skillc/models/all-MiniLM-L6-v2/config.json"), "{}"); site.skc(["model", "status"]) }),
    ("E062", |site| site.skc(["model", "install", "--from", "nowhere"])),
    ("E063", |site| site.skc_with(&[("SKILLC_MODEL_URL", "http://127.0.0.1:9")], ["model", "install"])),
    ("E064", |site| site.skc(["model", "use", "skills"])),
    ("E065", |site| site.skc(["publish", "--check", "http://127.0.0.1:9"])),
    ("E066", crate::rfc_0015::refused_site),
    ("E070", |site| { ["a/twin", "b/twin"].iter().for_each(|at| agents_skill(site, at, "# T\n")); site.skc(["load", "twin"]) }),
    ("E071", |site| site.skc(["load", "no-such-skill"])),
    ("E072", |site| { configure(site, "[permissions]\ndeny = ['demo']\n"); site.skc(["load", "demo"]) }),
    ("E073", |site| { site.skc(["disable", "demo"]).ok(); site.skc(["load", "demo"]) }),
    ("E074", |site| { configure(site, "[permissions]\nconfirm = ['*']\n"); site.skc(["load", "demo"]) }),
    ("E075", |site| site.skc(["load", "--ref", "skill:0123456789abcdef@0123456789abcdef"])),
    ("E076", |site| { agents_skill(site, "big", &"x\n".repeat(600_000)); site.skc(["load", "big"]) }),
    ("E077", |site| { put(&site.project().join("A.md"), "<!-- skc:catalog begin -->\n"); site.skc(["catalog", "--write", "A.md"]) }),
    ("E080", |site| site.skc(["find", "x", "--limit", "51"])),
    ("E081", |site| site.skc(["eval", "discovery", "--queries", "none", "--corpus", "."])),
    ("E082", |site| { agents_skill(site, "Odd", "x\n"); site.skc(["load", "Odd"]) }),
    ("E085", |site| site.skc_with(&[("TERM", "dumb")], ["pick"])),
    ("E086", |site| { configure(site, "[permissions]\ndeny = 'demo'\n"); site.skc(["load", "demo"]) }),
    ("W053", |site| {
        fs::create_dir_all(site.home().join(".skillc/discovery.db")).unwrap();
        site.skc(["find", "x"])
    }),
    ("E100", |site| site.skc(["outline", "demo", "--level", "9"])),
    ("E101", |site| { put(&site.home().join(".skillc/config.toml"), "["); site.skc(["outline", "demo"]) }),
    ("E102", |site| { put(&site.home().join(".skillc/mcp-token"), ""); site.skc(["mcp", "--http", "127.0.0.1:0"]) }),
    ("E103", |site| site.skc(["mcp", "--socket", "."])),
    ("E104", |site| { put(&site.home().join(".cursor/mcp.json"), "["); site.skc(["mcp", "config", "cursor", "--write"]) }),
    ("E105", |site| { configure(site, "[skills]\ndisabled = 'x'\n"); site.skc(["disable", "demo"]) }),
    #[cfg(unix)]
    ("E106", |site| in_shell(site, "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" list")),
    #[cfg(unix)]
    ("E107", |site| in_shell(site, "exec \"$0\" list > /dev/full")),
    #[cfg(unix)]
    ("E108", |site| in_shell(site, "ulimit -n 6; exec \"$0\" mcp")),
    #[cfg(unix)]
    ("E109", |site| { site.write_skill("demo", "# New\n"); in_shell(site, "ulimit -f 0; exec \"$0\" build demo") }),
    ("E300", |site| { site.write("Bad", "SKILL.md", skill_md("Bad", "")); site.skc(["lint", "Bad"]) }),
    ("E999", |site| { block_runtime(site, "other"); site.skc(["build", "other"]) }),
    ("W001", |site| { site.write("demo", "a.md", "# Top\n"); site.skc(["build", "demo"]).ok(); site.skc(["show", "demo", "-s", "Top"]) }),
    ("W002", |site| { block_runtime(site, "other"); put(&site.project().join(".skillc/logs"), ""); site.skc(["outline", "other"]) }),
    ("W003", |site| { leave_old_fallback(site); site.skc(["outline", "demo"]) }),
    ("W011", |site| { damage_log(site); site.skc(["outline", "demo"]) }),
    ("W012", |site| {
        put(&site.home().join(".local/share/opencode/opencode.db"), "no database");
        site.skc(["history", "import"])
    }),
    ("W020", |site| { site.write("demo", "latin1.txt", b"caf\xe9"); site.skc(["build", "demo"]) }),
    ("W021", |site| { put(&site.skill("demo").join(not_utf8()), ""); site.skc(["build", "demo"]) }),
    ("W022", |site| { let big = site.write("demo", "big.txt", ""); enlarge(&big); site.skc(["build", "demo"]) }),
    ("W023", |site| { dig_too_deep(&site.skill("demo")); site.skc(["build", "demo"]) }),
    ("W024", |site| { site.write("bad", "SKILL.md", ""); site.skc(["list"]) }),
    ("W025", |site| { put(&site.project().join("notes.md"), ""); site.skc(["lint", "demo", "notes.md"]) }),
    ("W030", |site| { put(&site.home().join(".skillc/config.toml"), "x = 1"); site.skc(["outline", "demo"]) }),
    ("W031", |site| { put(&site.home().join(".skillc/config.toml"), "version = 9"); site.skc(["outline", "demo"]) }),
    ("W032", |site| site.skc_with(&[("SKILLC_TOKENIZER", "x")], ["outline", "demo"])),
    ("W033", |site| { put(&site.project().join(".skillc/config.toml"), "[team]\nurl = 'postgres://x'\n"); site.skc(["outline", "demo"]) }),
    ("W035", |site| {
        let roots: Vec<String> = (0..300).map(|n| format!("r{n}")).collect();
        configure(site, &format!("[discovery]\nroots = {roots:?}\n"));
        site.skc(["catalog"])
    }),
    ("W041", |site| { put(&site.project().join("out/demo/x"), ""); site.skc(["build", "demo", "--target", "./out", "--force"]) }),
    ("W042", |site| {
        let long = "Use when testing. ".repeat(60);
        site.write("long", "SKILL.md", format!("---\nname: long\ndescription: {}\n---\n# X\n", long.trim()));
        site.skc(["build", "long"])
    }),
    ("W043", |site| {
        site.write("large", "SKILL.md", skill_md("large", &"word ".repeat(300_000)));
        site.skc(["build", "large"])
    }),
    ("W044", |site| { interrupted_rename(site, "[]"); site.skc(["list"]) }),
    ("W045", |site| {
        interrupted_rename(site, "[\"user\"]");
        configure(site, "[");
        site.skc(["list"])
    }),
    ("W050", |site| { put(&site.home().join(".skillc/config.toml"), "[skills]\nenabled = false\n"); site.skc(["catalog", "-o", "json"]) }),
    ("W051", |site| { site.write("1", "2/3/4/5/6/7/8/SKILL.md", skill_md("8", "")); site.skc(["catalog"]) }),
    ("W056", |site| { agents_skill(site, "trap", "</skill_context>\n"); site.skc(["load", "trap"]) }),
    ("W057", |site| { site.skc(["disable", "demo", "--project"]).ok(); site.skc(["enable", "demo"]) }),
    ("W058", |site| { configure(site, "[permissions]\ndeny = ['[']\n"); site.skc(["load", "demo"]) }),
    ("W059", |site| { configure(site, "[skills]\ndisabled = ['none']\n"); site.skc(["catalog"]) }),
    ("W082", |site| { site.skc(["disable", "demo"]).ok(); site.skc(["outline", "demo"]) }),
    ("W300", |site| { site.write("demo", "x.md", "## Deep\n"); site.skc(["lint", "demo"]) }),
];

/// Leaves a rename of `demo` that was killed before its first step.
fn interrupted_rename(site: &Site, switched_off_by: &str) {
    let place = site.skill("demo");
    let record = format!(
        r#"{{"place": {place:?}, "path": {place:?}, "name": "new", "edits_name": false, "front_name": null,
             "runtimes": [], "is_shadowed": false, "is_off": false, "switched_off_by": {switched_off_by}}}"#
    );
    put(&site.home().join(".skillc/journal/0123456789abcdef"), record);
}

/// Runs a script of the shell, in which `$0` is the program.
#[cfg(unix)]
fn in_shell(site: &Site, script: &str) -> Run {
    let given = site.command([""; 0]);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, crate::site::program()]).env_clear().current_dir(site.project());
    command.envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
    crate::site::finish(command)
}

/// Writes a skill into `.agents/skills`.
fn agents_skill(site: &Site, place: &str, body: &str) {
    let folder = site.project().join(".agents/skills").join(place);
    put(&folder.join("SKILL.md"), skill_md(&folder.file_name().unwrap().to_string_lossy(), body));
}

fn configure(site: &Site, toml: &str) {
    put(&site.home().join(".skillc/config.toml"), toml);
}

fn claim_index(site: &Site) {
    let db = rusqlite::Connection::open(site.index("demo")).unwrap();
    db.execute("UPDATE index_meta SET value = '/elsewhere' WHERE key = 'skill_path'", []).unwrap();
}

/// Creates more than 100,000 files, most of them the same ones through links.
fn multiply_files(skill: &Path) {
    (0..320).for_each(|n| put(&skill.join(format!("real/{n}")), ""));
    for n in 0..320 {
        #[cfg(unix)]
        std::os::unix::fs::symlink("real", skill.join(format!("link-{n}"))).unwrap();
        #[cfg(not(unix))]
        (0..320).for_each(|m| put(&skill.join(format!("link-{n}/{m}")), ""));
    }
}

/// Puts a file in place of a skill's runtime, so that it cannot be created.
fn block_runtime(site: &Site, name: &str) {
    site.write_skill(name, BODY);
    put(&site.runtime(name), "");
}

fn fallback(site: &Site) -> std::path::PathBuf {
    site.project().join(".skillc/logs/demo/.skillc-meta/logs.db")
}

/// Puts a folder in place of the log of `demo`.
fn block_log(site: &Site) {
    let log = site.runtime("demo").join(".skillc-meta/logs.db");
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", log.display()));
    }
    fs::create_dir_all(&log).unwrap();
}

/// Leaves an event in the fallback log, and its destination unwritable.
fn leave_fallback(site: &Site) {
    block_log(site);
    site.skc(["outline", "demo"]).ok();
}

fn leave_old_fallback(site: &Site) {
    let log = fallback(site);
    put(&log, "");
    let two_hours_ago = SystemTime::now() - Duration::from_secs(7_200);
    fs::File::options().write(true).open(log).unwrap().set_modified(two_hours_ago).unwrap();
}

/// Makes a file larger than the 64 MiB that are indexed. It is sparse where the file system supports that.
fn enlarge(file: &Path) {
    fs::File::options().write(true).open(file).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
}

#[cfg(unix)]
fn not_utf8() -> &'static std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(b"caf\xe9.md")
}

/// Nests folders until no path reaches the innermost one, which not even root can read.
fn dig_too_deep(skill: &Path) {
    let dig = "d=$(printf 'd%.0s' $(seq 200)); for n in $(seq 25); do mkdir $d && cd -P $d || exit 1; done; echo x > x.md";
    assert!(Command::new("sh").args(["-c", dig]).current_dir(skill).status().unwrap().success());
}
