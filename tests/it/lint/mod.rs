//! RFC-0008: lint, through the whole engine.

mod at_80_columns;
mod confidence;
mod elsewhere;
mod examples;
mod fixes;
mod formats;
mod hostile;
mod load;
mod load_cases;
mod output;
mod pages;
mod refusal_cases;
mod shown;
mod truth;

use crate::site::Site;
use serde_json::Value;
use skillc_lint::rule::{Origin, Severity};
use skillc_lint::{Example, Rule};

/// Writes an example of a rule and enables the rule.
///
/// An example without a folder name is a store: its paths begin with the names of skills.
pub fn write_example(site: &Site, rule: &Rule, example: &Example) {
    for (path, text) in example.files {
        let (skill, path) = match example.folder {
            "" => path.split_once('/').expect("a path in a store"),
            folder => (folder, *path),
        };
        site.write(skill, path, text);
    }
    if rule.severity == Severity::Off {
        site.write(example.folder, ".skilllint.toml", format!("[rules]\n{} = \"warning\"\n", rule.id));
    }
}

/// The ids of the rules that report something in an example. For a rule about one client, the fields of every client
/// are known.
pub fn found(rule: &Rule, example: &Example) -> Vec<String> {
    let site = Site::new();
    write_example(&site, rule, example);
    let mut line = if example.folder.is_empty() { vec!["lint"] } else { vec!["lint", example.folder] };
    // The examples cover findings of every confidence.
    if rule.id.starts_with("SKL5") {
        line.push("--distrust");
    }
    // A rule about one client concerns fields that the specification does not define.
    if matches!(rule.origin, Origin::Client(..)) {
        line.extend(["--profile", "all"]);
    }
    let run = site.skc(line.into_iter().chain(["--format", "json"]));
    let reply: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}{}", run.out, run.err));
    let diagnostics = reply["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|d| d["rule"].as_str().unwrap().to_owned()).collect()
}
