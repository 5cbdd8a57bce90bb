//! Skills that no client loads by themselves: test fixtures, archives, translations of a documentation, and parts of
//! another skill.

use crate::finding::Finding;
use crate::rule::Tier;
use crate::security::evidence;
use skillc_domain::agents::{AGENTS, Agent};

/// Names of folders for test data and examples, for what is no longer used, and for what others wrote.
const FOLDERS: &[&str] = &[
    "__fixtures__",
    "_versions",
    "archive",
    "archived",
    "attic",
    "deprecated",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "test-data",
    "test_data",
    "testdata",
    "third-party",
    "third_party",
    "vendor",
    "vendored",
];
/// Names of folders that contain one folder for each language.
const OF_LANGUAGES: &[&str] = &["docs", "i18n", "l10n", "locales", "translations"];

/// Names of folders for tests. Below a folder of skills, they are subjects: `skills/test/demo`.
const OF_TESTS: &[&str] = &["__tests__", "test", "tests", "tst"];
/// Names of folders for documentation and for templates, which may have a folder of skills.
const OF_TEXTS: &[&str] = &["doc", "docs", "scaffold", "scaffolds", "templates"];

/// Whether a skill at a path, relative to the folder of the run, is set aside: `tests/fixtures/demo`.
pub fn is_set_aside(path: &str) -> bool {
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    let has = |names: &[&str]| above.split('/').any(|folder| names.contains(&folder));
    let mut outside = above.split('/').take_while(|folder| !is_of_skills(folder));
    above.split('/').any(|folder| {
        [folder, folder.trim_start_matches('_')].iter().any(|name| FOLDERS.contains(name))
            || is_of_examples(folder)
    }) || outside.any(|folder| OF_TESTS.contains(&folder))
        || has(OF_TEXTS) && !above.split('/').any(is_of_skills)
        || above.split('/').next().is_some_and(is_hidden_from_clients)
        || is_beside_skills(path)
        || ["example", "examples"].contains(&path)
}

/// Whether a folder is named after examples or tests of something: `example_plugins`, `test-skills`.
fn is_of_examples(folder: &str) -> bool {
    ["example-", "example_", "examples-", "examples_", "test-skill", "test_skill"]
        .iter()
        .any(|beginning| folder.starts_with(beginning))
}

/// Whether a folder is hidden and is not that of a client or a forge: `.cache`.
fn is_hidden_from_clients(folder: &str) -> bool {
    let is_project = |agent: &Agent| agent.project.split('/').next() == Some(folder);
    folder.starts_with('.')
        && ![".", "..", ".github"].contains(&folder)
        && !is_of_skills(folder)
        && !is_of_client(folder)
        && !AGENTS.iter().any(is_project)
}

/// Whether a client or an installer may look for skills in a folder of this name: `skills`, `agent_skills`.
fn is_of_skills(folder: &str) -> bool {
    folder.to_ascii_lowercase().contains("skill")
}

/// Whether no folder of a path is named after skills or a client of them, so that probably none loads the skill:
/// `src/acme/commands/demo`.
pub fn is_unplaced(path: &str) -> bool {
    !path.is_empty() && !path.split('/').any(|folder| is_of_skills(folder) || is_of_client(folder))
}

/// Whether a folder has the name of a client or of its own folder: `claude`, `.claude`, `claude-code`.
fn is_of_client(folder: &str) -> bool {
    let name = folder.trim_start_matches('.');
    ["agents", "plugins"].contains(&name) || is_of_agent(name)
}

/// Whether a name is that of a client: `claude`, `claude-code`.
pub fn is_of_agent(name: &str) -> bool {
    let is_one =
        |id: &str| id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    !name.is_empty() && AGENTS.iter().any(|agent| is_one(agent.id))
}

/// Names of clients after which folders of their variants are named.
const CLIENTS: &[&str] = &[
    "amp",
    "antigravity",
    "claude",
    "claude-code",
    "clawdbot",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "gemini",
    "gemini-cli",
    "goose",
    "kiro",
    "openclaw",
    "opencode",
    "qwen",
    "roo",
    "vscode",
    "windsurf",
];

/// The client that a folder is named after, alone or beside the skill's name: `codex` for `codex` and `codex-demo`.
pub fn client_in_name(folder: &str, name: &str) -> Option<&'static str> {
    let before = || folder.strip_suffix(name)?.strip_suffix('-');
    let after = || folder.strip_prefix(name)?.strip_prefix('-');
    [Some(folder), before(), after()].into_iter().flatten().filter(|client| *client != name).find_map(client)
}

/// The client that is part of a folder's name: `codex` for `acme-codex`.
pub fn client_in_parts(folder: &str) -> Option<&'static str> {
    client(folder).or_else(|| folder.split('-').find_map(client))
}

fn client(name: &str) -> Option<&'static str> {
    CLIENTS.iter().find(|client| **client == name).copied()
}

/// Whether a skill at such a path is part of a translated documentation: `docs/ja-JP/skills/demo`.
pub fn is_translated(path: &str) -> bool {
    let above: Vec<&str> = path.split('/').rev().skip(1).collect();
    above.windows(2).any(|two| is_locale(two[0]) && OF_LANGUAGES.contains(&two[1]))
}

/// Whether a path is in a folder of Claude Code from which it loads no skills: `.claude/hooks`.
fn is_beside_skills(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| *part != ".claude").skip(1);
    parts.next().is_some_and(|folder| !["skills", "plugins"].contains(&folder))
}

/// Whether a skill inside another one is a part of it that no client lists: a folder such as `lib` is between them, but
/// none of skills.
pub fn is_part(inner: &str) -> bool {
    inner.rsplit_once('/').is_some_and(|(between, _)| !between.split('/').any(|folder| folder == "skills"))
}

/// Whether a skill inside another one is a template in it: `assets` or `templates/one`.
pub fn is_template(inner: &str) -> bool {
    inner.split('/').next().is_some_and(|folder| ["assets", "templates"].contains(&folder))
}

/// Lowers the findings of a part of another skill about its front matter and its size.
pub fn weigh_part(findings: &mut [Finding]) {
    lower(findings, |rule| rule.starts_with("SKL1") || is_about_size(rule));
}

/// Lowers the findings about the size of a skill that no client reads.
pub fn weigh_size(findings: &mut [Finding]) {
    lower(findings, is_about_size);
}

/// Lowers the findings of a skill that is set aside, except those about security, unless it is a sample of an attack.
pub fn weigh_set_aside(findings: &mut [Finding], path: &str) {
    let is_attack = is_attack(path);
    lower(findings, |rule| is_attack || rule == BROAD_TOOLS || evidence::of(rule).is_none());
}

/// The rule about tools without limits, which matters where the skill is used.
const BROAD_TOOLS: &str = "SKL521";

/// Words in the names of folders with samples of attacks: `tests/fixtures/malicious-skill`.
const ATTACKS: &[&str] = &[
    "adversarial",
    "attack",
    "backdoor",
    "evil",
    "exfil",
    "hostile",
    "injected",
    "injection",
    "insecure",
    "malicious",
    "malware",
    "poisoned",
    "unsafe",
    "vulnerable",
];

fn is_attack(path: &str) -> bool {
    let mut words = path.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ATTACKS.contains(&word.to_ascii_lowercase().as_str()))
}

fn is_about_size(rule: &str) -> bool {
    ["SKL201", "SKL208"].contains(&rule)
}

fn lower(findings: &mut [Finding], is_concerned: impl Fn(&str) -> bool) {
    for finding in findings.iter_mut().filter(|finding| is_concerned(finding.rule.id)) {
        finding.issue.tier(Tier::Style);
    }
}

/// Whether a name is a language with a region: `ja-JP`, `pt_BR`.
pub fn is_locale(name: &str) -> bool {
    name.split_once(['-', '_']).is_some_and(|(language, region)| {
        language.len() == 2
            && language.bytes().all(|byte| byte.is_ascii_lowercase())
            && region.len() == 2
            && region.bytes().all(|byte| byte.is_ascii_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::{is_attack, is_set_aside, is_translated, is_unplaced};

    #[test]
    fn samples_of_attacks_have_telling_names() {
        for (path, expected) in [
            ("tests/fixtures/malicious-skill", true),
            ("examples/Poisoned_skill", true),
            ("tests/evil/one", true),
            ("tests/devil/one", false),
            ("examples/attacker-profile", false),
        ] {
            assert_eq!(is_attack(path), expected, "{path}");
        }
    }

    #[test]
    fn fixtures_and_archives_are_set_aside() {
        for (path, expected) in [
            ("tests/fixtures/demo", true),
            (".claude/skills/deprecated/demo/lib/one", true),
            ("examples/one/skill", true),
            ("example_plugins/one/skills/demo", true),
            ("skills/example-demo", false),
            ("test-skills/demo", true),
            (".claude/hooks", true),
            (".claude/cfn-extras/skills/demo", true),
            ("tests/demo", true),
            ("docs/contexts/one", true),
            ("tst/data/skills/demo", true),
            ("acme/templates/demo", true),
            ("acme/templates/skills/demo", false),
            ("acme/skills/_versions/demo/1", true),
            ("skills/_deprecated/demo", true),
            (".cache/acme/demo", true),
            (".skillc/skills/demo", false),
            (".goose/skills/demo", false),
            ("tests/skills/demo", true),
            ("skills/test/demo", false),
            (".claude/skills/demo", false),
            ("skills/fixtures", false),
            ("docs/ja-JP/skills/demo", false),
            ("demo", false),
            ("", false),
        ] {
            assert_eq!(is_set_aside(path), expected, "{path}");
        }
    }

    #[test]
    fn a_translation_is_below_a_language_of_a_documentation() {
        for (path, expected) in [
            ("docs/ja-JP/skills/demo", true),
            ("docs/pt_BR/demo", true),
            ("skills/ja-JP/demo", false),
            ("docs/skills/demo", false),
        ] {
            assert_eq!(is_translated(path), expected, "{path}");
        }
    }

    #[test]
    fn a_skill_is_placed_by_a_folder_named_after_skills() {
        for (path, expected) in [
            ("src/acme/commands/demo", true),
            ("acme/_bundled_skills/demo", false),
            ("acme/demo-skill", false),
            ("dist/claude/demo", false),
            ("", false),
        ] {
            assert_eq!(is_unplaced(path), expected, "{path}");
        }
    }
}
