//! RFC-0008:C-FORMATS: the same findings for programs, code scanning services and workflows.

use crate::site::{Run, Site, put, skill_md};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Has two flaws: a name in capitals, and a code block without a language.
const FLAWED: &str = "---\nname: Flawed\ndescription: Shows findings. Use when they are needed.\n---\n\n# Flawed\n\n```\nls -l\n```\n";
/// Characters that a file name may contain and that have a meaning in a URI or a workflow command.
const ODD: &str = "a %41,ü:#'\"?.md";

fn flawed() -> Site {
    let site = Site::new();
    site.write("Flawed", "SKILL.md", FLAWED);
    site
}

/// Several skills: one without flaws, one with an oddly named file, one whose `SKILL.md` is not text, and one outside
/// the working directory.
fn many() -> (Site, PathBuf) {
    let site = flawed();
    site.write_skill("fine", "# fine\n");
    site.write(
        "odd",
        "SKILL.md",
        skill_md("odd", "\r\nTitle without a sign\r\n\r\n<!-- skilllint-disable SKL201 -->\r\n"),
    );
    site.write("odd", ODD, "\u{feff}## é \u{1f600}\n\n<!-- skilllint-disable SKL203 -->\n");
    site.write("binary", "SKILL.md", b"---\nname: \xff\n---\n");
    let outside = site.root().join("out side/far");
    put(&outside.join("SKILL.md"), FLAWED.replace("Flawed", "Far"));
    (site, outside)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key}: {value}"))
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key}: {value}"))
}

/// RFC-0008:C-FORMATS
#[test]
fn json_holds_what_the_text_says() {
    let site = flawed();
    site.write("Flawed", "a.md", "# A\n\n<!-- skilllint-disable SKL203 -->\n");
    let (text, run) =
        (site.skc(["lint", "Flawed", "--select", "SKL"]), site.skc(["lint", "Flawed", "--format", "json"]));
    let reply = run.json();
    let line = |d: &Value| {
        let [severity, file, rule, name, message] =
            ["severity", "file", "rule", "name", "message"].map(|key| word(d, key));
        let place = format!(".skillc/skills/Flawed/{file}:{}:{}", d["line"], d["column"]);
        format!("{place}: {severity}[{rule}]: {name}: {message}")
    };
    let found = list(&reply, "diagnostics");
    assert!(found.len() > 3, "{reply}");
    let mut heads: Vec<String> = text.err.lines().filter(|l| l.contains("[SKL")).map(str::to_owned).collect();
    let mut lines = found.iter().map(line).collect::<Vec<_>>();
    heads.sort();
    lines.sort();
    assert_eq!(heads, lines);
    assert_eq!(
        text.err.matches("\n  = fix").count(),
        found.iter().filter(|d| d["fix"].is_object()).count(),
        "{}",
        text.err
    );
    assert!(found.iter().all(|d| ["breaks", "harms", "style"].contains(&word(d, "tier"))));
    assert!(
        text.out.starts_with(&format!("Flawed: {} error, {} warnings", reply["errors"], reply["warnings"]))
    );
    let skill = &list(&reply, "skills")[0];
    let verdict = format!("verdict: spec {}", word(&skill["verdicts"][0], "standing"));
    assert!(text.out.contains(&verdict), "{}", text.out);
    assert_eq!((word(&reply, "skill"), run.err.as_str()), ("Flawed", ""));
    assert_eq!((run.status, text.status), (1, 1));
    site.write_skill("fine", "# fine\n");
    let all = site.skc(["lint", "--format", "json"]).json();
    assert!(all["skill"].is_null() && list(&all, "skills").len() == 2, "{all}");
    assert_eq!(list(&all, "diagnostics"), found);
}

/// RFC-0008:C-FORMATS
#[test]
fn sarif_is_valid_against_its_schema() {
    let (site, outside) = many();
    let clean = checked(&site.skc(["lint", "fine", "--format", "sarif"]).ok());
    assert_eq!((list(&clean, "results").len(), list(&clean["tool"]["driver"], "rules").len()), (0, 0));
    let one = checked(&site.skc(["lint", "binary", "--format", "sarif"]));
    let place = &one["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"], serde_json::json!({ "startLine": 1 }));
    let line =
        ["lint", "Flawed", "odd", "binary", "fine", outside.to_str().unwrap(), "--exit-on", "warnings"];
    let log = checked(&site.skc(line.iter().chain(&["--format", "sarif"])));
    let reply = site.skc(line.iter().chain(&["--format", "json"])).json();
    let (results, found) = (list(&log, "results"), list(&reply, "diagnostics"));
    assert_eq!(results.len(), found.len());
    let paths: BTreeMap<&str, PathBuf> =
        list(&reply, "skills").iter().map(|s| (word(s, "skill"), word(s, "path").into())).collect();
    for (result, found) in results.iter().zip(found) {
        let rule = &log["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((word(rule, "id"), word(result, "ruleId")), (word(found, "rule"), word(found, "rule")));
        assert_eq!(word(result, "level"), word(found, "severity"));
        assert_eq!(word(&result["properties"], "tier"), word(found, "tier"));
        let place = &result["locations"][0]["physicalLocation"];
        let file = paths[word(found, "skill")].join(word(found, "file"));
        assert_eq!(resolved(&site, word(&place["artifactLocation"], "uri")), file);
        let region = &place["region"];
        assert_eq!(region["startLine"], found["line"], "{found}");
        if let Some(column) = region["startColumn"].as_u64() {
            assert_eq!((column, &region["endLine"]), (found["column"].as_u64().unwrap(), &found["end_line"]));
        }
        fixes_agree(&file, result, found);
    }
    let uris: Vec<&str> = results
        .iter()
        .map(|r| word(&r["locations"][0]["physicalLocation"]["artifactLocation"], "uri"))
        .collect();
    assert!(uris.contains(&".skillc/skills/odd/a%20%2541%2C%C3%BC%3A%23%27%22%3F.md"), "{uris:?}");
    let far = uris.iter().find(|uri| uri.ends_with("/out%20side/far/SKILL.md")).unwrap();
    assert!(far.starts_with("file:///") && !far.starts_with("file:////"), "{far}");
    let here = checked(&site.skc_in(&site.skill("odd"), ["lint", ".", "--format", "sarif"]));
    assert_eq!(
        word(&here["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"], "uri"),
        "SKILL.md"
    );
}

/// Validates the log against the schema and returns its single run.
fn checked(run: &Run) -> Value {
    let mut log = run.json();
    let validator = validator();
    let wrong: Vec<String> =
        validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), run.out);
    assert_eq!(list(&log, "runs").len(), 1);
    let taken = log["runs"][0].take();
    log["runs"] = serde_json::json!([{ "tool": { "driver": { "name": "x", "informationUri": "a b" } } }]);
    assert!(!validator.is_valid(&log), "the validator looks at nothing");
    taken
}

fn validator() -> jsonschema::Validator {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/sarif-schema-2.1.0.json");
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    // The validator does not accept the bracket in the schema's pattern. Our log never names a language.
    for named in ["run", "toolComponent"] {
        schema["definitions"][named]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// The file that a URI refers to, relative to the working directory.
fn resolved(site: &Site, uri: &str) -> PathBuf {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).unwrap()
            }
            other => other,
        });
    }
    site.project().join(String::from_utf8(bytes).unwrap())
}

/// Asserts that a fix replaces the same text by line and column in SARIF as by byte offsets in JSON.
#[track_caller]
fn fixes_agree(file: &Path, result: &Value, found: &Value) {
    let replaced = result["fixes"][0]["artifactChanges"][0]["replacements"].as_array();
    let edits = found["fix"]["edits"].as_array();
    assert_eq!(replaced.map(Vec::len), edits.map(Vec::len));
    let text = edits.map(|_| fs::read_to_string(file).unwrap()).unwrap_or_default();
    for (replaced, edit) in replaced.into_iter().flatten().zip(edits.into_iter().flatten()) {
        let region = &replaced["deletedRegion"];
        assert_eq!(
            offset(&text, &region["startLine"], &region["startColumn"]),
            edit["start"].as_u64().unwrap(),
            "{found}"
        );
        assert_eq!(
            offset(&text, &region["endLine"], &region["endColumn"]),
            edit["end"].as_u64().unwrap(),
            "{found}"
        );
        assert_eq!(replaced["insertedContent"]["text"], edit["text"]);
    }
}

/// The byte offset of a 1-based line and column. A byte order mark does not count as a character.
fn offset(text: &str, line: &Value, column: &Value) -> u64 {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let (line, column) = (line.as_u64().unwrap() as usize, column.as_u64().unwrap() as usize);
    let lines: Vec<&str> = text[mark..].split_inclusive('\n').chain([""]).collect();
    let start: usize = lines[..line - 1].iter().map(|line| line.len()).sum();
    let within: usize = lines[line - 1].chars().take(column - 1).map(char::len_utf8).sum();
    (mark + start + within) as u64
}

/// RFC-0008:C-FORMATS
#[test]
fn annotations_of_github_are_one_line_each() {
    let (site, outside) = many();
    let run = site.skc(["lint", "Flawed", "odd", "binary", outside.to_str().unwrap(), "--format", "github"]);
    let reply =
        site.skc(["lint", "Flawed", "odd", "binary", outside.to_str().unwrap(), "--format", "json"]).json();
    let found = list(&reply, "diagnostics");
    assert_eq!((run.out.lines().count(), run.status), (found.len(), 1));
    for (line, found) in run.out.lines().zip(found) {
        let (properties, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (command, properties) = properties.split_once(' ').unwrap();
        let properties: BTreeMap<&str, &str> =
            properties.split(',').map(|property| property.split_once('=').unwrap()).collect();
        assert_eq!(command, word(found, "severity"));
        assert_eq!(properties["line"], found["line"].to_string());
        assert_eq!(properties.contains_key("col"), found["line"] == found["end_line"], "{line}");
        assert_eq!(
            properties["title"],
            format!("{} {} ({})", word(found, "rule"), word(found, "name"), word(found, "tier"))
        );
        let message = message.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%");
        assert!(message.starts_with(word(found, "message")), "{message}");
    }
    let name = ".skillc/skills/odd/a %2541%2Cü%3A#'\"?.md";
    assert!(run.out.contains(&format!("file={name},line=")), "{}", run.out);
    assert!(run.out.contains(&format!("file={}/SKILL.md,", outside.display())), "{}", run.out);
    let first = "::error file=.skillc/skills/Flawed/SKILL.md,line=2,endLine=2,col=7,endColumn=13,title=SKL102 name-format (breaks)::\
                 name 'Flawed' contains uppercase characters%0A";
    assert!(run.out.starts_with(first), "{}", run.out);
    assert_eq!(site.skc(["lint", "fine", "--format", "github"]).ok().out, "");
}
