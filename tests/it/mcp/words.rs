//! Texts for agents name tools and arguments, not commands and options.

use std::path::{Path, PathBuf};

/// Source files whose texts reach only people: commands that are not tools, statistics pages, and the catalog block,
/// which names both.
const FOR_PEOPLE: &[&str] = &[
    "catalog/reply.rs",
    "discovery/block.rs",
    "lint/baseline.rs",
    "lint/output_file.rs",
    "stats/html/mod.rs",
    "verb/catalog.rs",
    "verb/enable.rs",
    "verb/eval.rs",
    "verb/explain.rs",
    "verb/log.rs",
    "verb/model.rs",
    "verb/remove.rs",
    "verb/rename.rs",
    "verb/sync.rs",
    "verb/team.rs",
    "verb/undeploy.rs",
    "settings_file.rs",
    // Agents without a server read the stub.
    "src/stub.rs",
    // These files have both wordings, or a branch for people.
    "src/fault/errors.rs",
    "src/fault/warnings.rs",
    "src/reader.rs",
    "src/deploy.rs",
];

/// RFC-0007:C-MCP-TOOLS
#[test]
fn no_text_for_agents_is_written_in_words_of_the_command_line() {
    let mut found = Vec::new();
    for folder in ["apps/ops/src", "apps/mcp/src", "domain/skill/src"] {
        for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)) {
            let name = file.to_string_lossy().into_owned();
            if FOR_PEOPLE.iter().any(|known| name.ends_with(known)) || name.contains("/tests") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("\n#[cfg(test)]").next().unwrap();
            found.extend(
                code.lines()
                    .filter(|line| is_for_people(line))
                    .map(|line| format!("{name}: {}", line.trim())),
            );
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// Whether a line of code contains text that names options or commands.
fn is_for_people(line: &str) -> bool {
    let is_shown = !line.trim_start().starts_with("//")
        && !line.contains("EXAMPLES")
        && !line.contains("Reader::Person")
        && !line.contains("\"safe\") =>")
        && !line.trim_start().starts_with("skc ");
    let text: String = line.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    let has_option = text.match_indices("--").any(|(at, _)| {
        text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
            && !text[..at].ends_with(|c: char| c.is_alphanumeric())
    });
    is_shown && (has_option || text.contains("'skc "))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}
