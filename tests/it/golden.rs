//! Outputs that are documents: the command line's reference, the schemas of all operations, the tour.
//!
//! `SKC_BLESS=1 cargo test` rewrites them; differences are reviewed.

use crate::site::Site;
use serde_json::{Value, json};
use skillc_ops::OPS;
use std::fs;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// Compares a text with a golden file.
#[track_caller]
pub fn check(name: &str, actual: &str) {
    let file = golden(name);
    if std::env::var_os("SKC_BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(actual, expected, "{} is not what the program says; SKC_BLESS=1 rewrites it", file.display());
}

#[test]
fn the_command_line_reference_is_the_help_of_every_command() {
    let mut command = skillc::full_command().term_width(100);
    let mut text = String::from("# Command line reference\n\nMade from the program's own help.\n");
    text += &format!("\n## skc\n\n```text\n{}```\n", command.render_long_help());
    command.build();
    for sub in command.get_subcommands_mut().filter(|sub| sub.get_name() != "help") {
        let help = sub.clone().term_width(100).render_long_help().to_string();
        text += &format!("\n## skc {}\n\n```text\n{help}```\n", sub.get_name());
        for below in sub.get_subcommands() {
            let help = below.clone().term_width(100).render_long_help().to_string();
            text += &format!("\n## skc {} {}\n\n```text\n{help}```\n", sub.get_name(), below.get_name());
        }
    }
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = text.join("\n") + "\n";
    assert!(!text.contains("RFC-"), "help speaks to users");
    check("cli.md", &text);
}

#[test]
fn every_operation_has_a_schema_for_its_arguments_and_its_reply() {
    let schema = |entry: &skillc_ops::OperationEntry| {
        let (request, reply) = ((entry.request_schema)().to_value(), (entry.reply_schema)().to_value());
        assert_eq!(request["type"], "object", "{}", entry.name);
        assert_eq!(reply["type"], "object", "{}", entry.name);
        assert_eq!(request["additionalProperties"], json!(false), "{} takes unknown fields", entry.name);
        json!({ "name": entry.name, "readOnly": entry.is_read_only, "request": request, "reply": reply })
    };
    let all: Vec<Value> = OPS.iter().map(schema).collect();
    check("operations.json", &(serde_json::to_string_pretty(&all).unwrap() + "\n"));
}

/// The same names, defaults and requiredness on both surfaces, since both are derived from one request type.
#[test]
fn the_command_line_and_the_schema_of_an_operation_agree() {
    for entry in OPS {
        let command = (entry.augment)(clap::Command::new(entry.name));
        let schema = (entry.request_schema)().to_value();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let mut arguments: Vec<String> = command.get_arguments().map(|a| a.get_id().to_string()).collect();
        let mut fields: Vec<String> = properties.keys().cloned().collect();
        arguments.sort();
        fields.sort();
        assert_eq!(arguments, fields, "{}", entry.name);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            assert_eq!(argument.is_required_set(), required.iter().any(|r| r == id), "{} {id}", entry.name);
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let described = properties[id]["description"].as_str().unwrap_or_default().trim_end_matches('.');
            assert!(
                !help.is_empty() && described.starts_with(help.trim_end_matches('.')),
                "{} {id}",
                entry.name
            );
        }
    }
}

#[test]
fn the_tour_prints_what_it_printed() {
    let run = Site::without_project().skc(["try"]).ok();
    check("try.txt", &run.out);
}

#[test]
fn the_readme_shows_the_real_output_of_its_first_command() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap_or_default();
    let tour = fs::read_to_string(golden("try.txt")).unwrap_or_default();
    let shown =
        readme.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let shown = shown.trim_start_matches("$ cargo run --release --no-default-features try\n");
    for part in shown.split("…\n").map(str::trim).filter(|part| !part.is_empty()) {
        assert!(tour.contains(part), "the README shows what `skc try` does not print:\n{part}");
    }
    assert!(shown.lines().count() > 10, "the README shows the tour");
}

/// Files that ship in the program are all the files of the skill's folder.
#[test]
fn the_shipped_skill_is_the_whole_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/cli/skill/using-skc");
    let found: Vec<String> = crate::site::snapshot(&folder)
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| !path.ends_with('/'))
        .collect();
    let shipped: Vec<&str> = skillc::SHIPPED_SKILL.iter().map(|(path, _)| *path).collect();
    assert_eq!(found, shipped);
}
