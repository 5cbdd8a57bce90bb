//! RFC-0007:C-COMMANDS: compares the table in the RFC with the code.

use crate::site::Site;
use skillc_domain::agents;
use skillc_ops::{Surface, entry_named};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The rows of the table that begins with these columns, without backticks.
fn table(head: &str) -> Vec<Vec<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("rfc/0007-cli.md");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let cells = |row: &str| row.trim_matches('|').split('|').map(|c| c.trim().replace('`', "")).collect();
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn parameters() -> Vec<Vec<String>> {
    table("| Command | Parameter |")
}

/// An argument as clap knows it, in the words of the table. `type` is only given where it is not a single word.
fn known(arg: &clap::Arg) -> [String; 4] {
    let name = arg.get_long().map_or_else(|| arg.get_id().to_string(), |long| format!("--{long}"));
    let kind = if !arg.get_action().takes_values() {
        "flag".to_owned()
    } else if arg.get_value_delimiter() == Some(',') {
        "list".to_owned()
    } else {
        arg.get_possible_values().iter().map(|v| v.get_name()).collect::<Vec<_>>().join(", ")
    };
    let defaults: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
    let default = match (arg.is_required_set(), arg.get_action().takes_values()) {
        (true, _) => "required".to_owned(),
        (false, true) => defaults.join(","),
        (false, false) => "off".to_owned(),
    };
    [name, arg.get_short().map(|short| format!("-{short}")).unwrap_or_default(), kind, default]
}

/// A row of the RFC in the same form; a placeholder for nothing becomes empty.
fn promised(row: &[String]) -> [String; 4] {
    let word = |cell: &str, none: &[&str]| if none.contains(&cell) { String::new() } else { cell.to_owned() };
    [
        row[1].trim_matches(['[', ']', '<', '>']).to_owned(),
        row[2].clone(),
        word(
            &row[3],
            &[
                "string",
                "path",
                "number",
                "glob",
                "1 to 6",
                "0 to 1",
                "time",
                "list of paths",
                "list of strings",
                "grouping",
                "address with port",
                "tokens",
                "1,024 or more",
            ],
        ),
        word(
            &row[4],
            &[
                "none",
                "no limit",
                "all files",
                "the skill",
                "every agent",
                "any",
                "every one",
                "working directory",
                "both",
                "configured",
                "memory",
                "as the client has it",
                "[skills.initial] max_entries",
                "[skills.initial] max_bytes",
            ],
        ),
    ]
}

/// RFC-0007:C-COMMANDS
#[test]
fn the_commands_are_those_of_the_rfc() {
    let command = skillc::full_command();
    let rows = table("| Command | CLI |");
    let there: Vec<&str> = rows.iter().filter(|row| row[1] == "yes").map(|row| row[0].as_str()).collect();
    let built: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
    assert_eq!(built, there);
    for row in &rows {
        let tool = entry_named(&row[0]).filter(|entry| entry.surface == Surface::Everywhere);
        // A tool with its own name has that after the `yes`.
        let said = tool.map_or_else(
            || "no".to_owned(),
            |tool| match tool.tool_name() {
                name if name == format!("skc_{}", tool.name) => "yes".to_owned(),
                name => format!("yes, as {name}"),
            },
        );
        assert_eq!(row[2], said, "{}", row[0]);
    }
    let mut shorts: BTreeMap<char, String> = BTreeMap::new();
    for sub in command.get_subcommands() {
        let name = sub.get_name();
        let mut wanted: Vec<_> =
            parameters().iter().filter(|row| row[0] == name).map(|row| promised(row)).collect();
        // `the_table_of_build_holds` tests what clap cannot express.
        wanted.iter_mut().filter(|_| name == "build").for_each(|row| match row[0].as_str() {
            "skill" | "--target" => row[3].clear(),
            _ => {}
        });
        let own = sub.get_arguments().filter(|argument| !argument.is_global_set());
        assert_eq!(own.map(known).collect::<Vec<_>>(), wanted, "{name}");
    }
    for arg in command.get_subcommands().chain([&command]).flat_map(|c| c.get_arguments()) {
        let (Some(short), long) = (arg.get_short(), arg.get_long().unwrap_or_default()) else { continue };
        assert_eq!(shorts.entry(short).or_insert_with(|| long.to_owned()), long, "-{short}");
    }
}

/// RFC-0007:C-COMMANDS
#[test]
fn every_command_takes_the_options_of_the_program() {
    let command = skillc::full_command();
    let global: Vec<_> = command.get_arguments().filter(|arg| arg.is_global_set()).map(known).collect();
    let expected = [
        ["--format", "-o", "text, json, sarif, github, markdown, csv, xml, md", "text"],
        ["--verbose", "-v", "flag", "off"],
        ["--color", "", "auto, always, never", "auto"],
        ["--no-pager", "", "flag", "off"],
    ];
    assert_eq!(global, expected);
    for name in command.get_subcommands().map(|sub| sub.get_name()) {
        let line = ["skc", name, "--format", "json", "-v", "--color", "never", "--help"];
        let asked = skillc::full_command().try_get_matches_from(line).unwrap_err();
        assert_eq!(asked.kind(), clap::error::ErrorKind::DisplayHelp, "{name}");
    }
}

/// RFC-0007:C-COMMANDS
#[test]
fn the_table_of_build_holds() {
    let row = |name: &str| parameters().into_iter().find(|row| row[0] == "build" && row[1] == name).unwrap();
    assert_eq!(row("<skill>")[4], "required unless --all");
    let takes = |line: &[&str]| skillc::full_command().try_get_matches_from(line).is_ok();
    assert!(!takes(&["skc", "build"]) && takes(&["skc", "build", "--all"]) && takes(&["skc", "build", "x"]));
    let site = Site::new();
    site.write_skill("x", "# X\n");
    let reply = site.skc(["build", "x", "-o", "json"]).ok().json();
    let id = agents::agent(&row("--target")[4]).unwrap().id;
    assert_eq!(reply["built"][0]["deployed"][0]["target"], id);
    assert_eq!(reply["built"][0]["deployed"].as_array().unwrap().len(), 1);
}

/// RFC-0007:C-COMMANDS
#[test]
fn a_number_out_of_range_is_refused() {
    let site = Site::built("x", "# X\n");
    let rows = parameters();
    let numbers: Vec<_> = rows.iter().filter(|row| ["number", "1 to 6"].contains(&row[3].as_str())).collect();
    assert_eq!(numbers.len(), 15);
    for row in numbers {
        let mut line = vec![row[0].as_str()];
        line.extend(match row[0].as_str() {
            "list" | "catalog" => &[][..],
            "show" => &["x", "--section", "X"],
            "open" => &["x", "SKILL.md"],
            "search" => &["x", "X"],
            _ => &["x"],
        });
        site.skc(line.iter().copied().chain([row[1].as_str(), "1"])).ok();
        let above = if row[3] == "number" { "99999999999" } else { "7" };
        for wrong in ["0", above, "x"] {
            // A limit on results has its own code.
            let code = if (row[0].as_str(), wrong) == ("find", "0") { "E080" } else { "E100" };
            site.skc(line.iter().copied().chain([row[1].as_str(), wrong])).fails(code);
        }
        site.skc(line.iter().map(|s| s.to_string()).chain([format!("{}=-1", row[1])])).fails("E100");
    }
}
