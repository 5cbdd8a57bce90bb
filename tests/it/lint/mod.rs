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

/// Writes an example of a rule; the rule is on.
///
/// An example without a folder's name is a store: its paths begin with the names of skills.
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

/// The ids of what lint finds in an example of a rule. The rule of a client is tried with every client's fields known.
pub fn found(rule: &Rule, example: &Example) -> Vec<String> {
    let site = Site::new();
    write_example(&site, rule, example);
    let mut line = if example.folder.is_empty() { vec!["lint"] } else { vec!["lint", example.folder] };
    // Examples show what a rule looks for, however sure it is.
    if rule.id.starts_with("SKL5") {
        line.push("--distrust");
    }
    // A rule of a client is about fields that the specification does not know.
    if matches!(rule.origin, Origin::Client(..)) {
        line.extend(["--profile", "all"]);
    }
    let run = site.skc(line.into_iter().chain(["--format", "json"]));
    let reply: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}{}", run.out, run.err));
    let diagnostics = reply["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|d| d["rule"].as_str().unwrap().to_owned()).collect()
}
