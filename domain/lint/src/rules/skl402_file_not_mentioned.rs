//! SKL402: bundled files that nothing in the skill mentions.

use skillc_domain::format::is_markdown;
use crate::code_text::SEARCHES_MAX;
use crate::nested_skill::{is_in_one, nested_folders};
use crate::example_file::is_in_examples;
use crate::installed::cache_folder;
use crate::mentions::{MentionIndex, TEXT_BYTES_MAX};
use crate::path_words::{FileNames, Named};
use crate::reachability::destination;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::LintFile;
use crate::{Finding, IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use skillc_domain::survey::Survey;
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub static RULE: Rule = Rule {
    id: "SKL402",
    name: "file-not-mentioned",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("agnix AS-023, from https://agentskills.io/skill-creation/using-scripts"),
    why: "An agent uses what it knows of: a script or an asset that no text mentions is distributed but unused, and \
          gets rewritten when it is needed. The tier is 'style' for a file that sibling \
          skills also have without mentioning it, for an example, and for a module of a skill whose root is a Python \
          package.",
    fix: "Say in SKILL.md what the file is for and how to use it, or remove it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "Run `scripts/report.py`; pages are in `assets/pages/`. Pictures: ![a plan](a%20plan.svg)\n"
            ),
        ),
        ("LICENSE", "Text.\n"),
        ("a plan.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>\n"),
        ("assets/pages/one.html", "<p>One</p>\n"),
        ("scripts/__init__.py", ""),
        ("scripts/report.py", "from scripts import table\n"),
        ("scripts/table.py", "print('table')\n"),
        ("tests/test_table.py", "assert True\n"),
    ])],
    bad: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run `scripts/report.py`.\n")),
        ("scripts/report.py", "print('report')\n"),
        ("scripts/old.py", "# old.py\nprint('old')\n"),
    ])],
    check: Check::Skill(check),
};

/// Number of files in a folder that are reported individually; with more, the folder is reported once.
const FILES_EACH_MAX: usize = 3;

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let linked = linked(view);
    // Files of a nested skill belong to it.
    let nested = nested_folders(view);
    let is_asked = |file: &LintFile| {
        !is_in_one(&file.path, &nested)
            && !is_markdown(&file.path) && !speaks_for_itself(&file.path) && !linked.contains(&file.path)
    };
    let file_names: Vec<(usize, &LintFile)> =
        view.files.iter().enumerate().filter(|(_, file)| is_asked(file)).collect();
    if file_names.is_empty() {
        return;
    }
    let named = Named::new(&view.context.file_names, view.files.iter().map(|file| file.named.as_slice()));
    let unnamed = file_names.into_iter().filter(|(own, file)| !is_named(&named, &file.path, *own));
    let unnamed: Vec<&LintFile> = unnamed.map(|(_, file)| file).collect();
    let mentioned = mentioned(view, &unnamed);
    let mut silent: BTreeMap<&str, Vec<&LintFile>> = BTreeMap::new();
    for file in unnamed.into_iter().filter(|file| !mentioned.contains(&file.path)) {
        let folder = file.path.folder();
        silent.entry(folder).or_default().push(file);
    }
    for (folder, files) in silent {
        // An example is for readers of the skill; it does little harm if no text leads to it.
        let is_example = files.iter().all(|file| is_in_examples(&file.path));
        let is_minor = is_example || is_of_package(view, folder, &files);
        report_folder(folder, &files, if is_minor { Tier::Style } else { RULE.tier }, report);
    }
}

/// Whether the skill's root is a Python package and the files are its modules, which another program imports.
fn is_of_package(view: &SkillView<'_>, folder: &str, files: &[&LintFile]) -> bool {
    folder.is_empty()
        && files.iter().all(|file| file.path.extension() == Some("py"))
        && view.files.iter().any(|file| file.path.as_str() == "__init__.py")
}

/// The names of the skill's files that a text should mention.
pub fn file_names(survey: &Survey) -> FileNames {
    let is_asked = |path: &&RelPath| !is_markdown(path) && !speaks_for_itself(path);
    FileNames::of(survey.files.iter().map(|file| &file.path).filter(is_asked))
}

/// The numbers of the names that a text mentions.
pub fn named_in(file_names: &FileNames, path: &RelPath, text: &str) -> Vec<u32> {
    if text.len() <= TEXT_BYTES_MAX { file_names.named_in(text, !is_markdown(path)) } else { Vec::new() }
}

/// Files whose names occur in no text, but that a text mentions in another way: by stem, or by a pattern.
fn mentioned<'a>(view: &SkillView<'a>, unnamed: &[&'a LintFile]) -> BTreeSet<&'a RelPath> {
    if unnamed.is_empty() {
        return BTreeSet::new();
    }
    let mut mentions = MentionIndex::of(&view.context.folder, unnamed.iter().map(|file| &file.path));
    let texts = view.files.iter().filter_map(|file| Some((&file.path, file.text.as_deref()?)));
    let texts = texts.filter(|(_, text)| text.len() <= TEXT_BYTES_MAX);
    texts
        .flat_map(|(own, text)| mentions.in_text(own, text))
        .collect()
}

/// The targets of links. Linked Markdown is checked by SKL401.
fn linked(view: &SkillView<'_>) -> HashSet<RelPath> {
    let links = |file: &'_ LintFile| -> Vec<RelPath> {
        let links = file.markup.iter().flat_map(|markup| &markup.links);
        links.filter_map(|link| destination(view.context, &link.target, &file.path)).collect()
    };
    view.files.iter().flat_map(links).filter(|path| !is_markdown(path)).collect()
}

fn report_folder(folder: &str, files: &[&LintFile], tier: Tier, report: &mut Report<'_>) {
    if let [first, _, _, _, ..] = files {
        let (count, folder) = (files.len(), one_line(folder));
        let place = if folder.is_empty() { "the skill's root".to_owned() } else { format!("'{folder}'") };
        let message =
            format!("{count} files in {place} are not mentioned, '{}' first", one_line(first.path.name()));
        report.elsewhere(&first.path, IssueLocation::File, message).tier(tier);
        return;
    }
    debug_assert!(files.len() <= FILES_EACH_MAX);
    for file in files {
        let message = format!("bundled file is not mentioned: '{}'", one_line(file.path.as_str()));
        report.elsewhere(&file.path, IssueLocation::File, message).tier(tier);
    }
}

/// The rule about Markdown files that nothing leads to.
const NO_ORPHANS: &str = "SKL401";

/// Whether a finding is about a file that nothing leads to: of this rule, or of SKL401.
pub fn is_about_file(finding: &Finding) -> bool {
    [RULE.id, NO_ORPHANS].contains(&finding.rule.id)
}

/// Whether such a finding is about a whole folder: its message begins with the number of files.
pub fn is_about_folder(finding: &Finding) -> bool {
    finding.issue.message.starts_with(|c: char| c.is_ascii_digit())
}

/// The files that were reported individually because nothing leads to them.
pub fn files_not_mentioned(findings: &[Finding]) -> BTreeSet<RelPath> {
    findings.iter().filter(|finding| is_about_file(finding)).map(|finding| finding.path.clone()).collect()
}

/// Lowers the tier of findings about files that sibling skills also contain. Such files belong to the collection: its
/// maintainers' tools read them, or they are parts of a library.
pub fn weigh_shared(findings: &mut [Finding], shared: &BTreeSet<RelPath>) {
    let is_shared = |finding: &&mut Finding| is_about_file(finding) && shared.contains(&finding.path);
    for finding in findings.iter_mut().filter(is_shared) {
        finding.issue.tier(Tier::Style).hint("a skill beside this one has it, too");
    }
}

/// Lowers the tier of findings about files that the code of the project names: a program reads them, not an agent.
pub fn weigh_named_in_code(findings: &mut [Finding], is_named: impl Fn(&RelPath) -> bool) {
    let is_shown = |finding: &&mut Finding| is_about_file(finding) && finding.tier() != Tier::Style;
    for finding in findings.iter_mut().filter(is_shown).take(SEARCHES_MAX) {
        if is_named(&finding.path) {
            finding.issue.tier(Tier::Style).hint("code of the project names it");
        }
    }
}

/// Whether a text mentions a file by its name, a parent folder, a matching pattern, or as a module of code.
fn is_named(named: &Named<'_>, path: &RelPath, own: usize) -> bool {
    let name = path.name();
    let mut folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..at]);
    let is_module = path.extension().is_some_and(|extension| CODE.contains(&extension));
    named.has_name(name, own)
        || named.has_ending(name, own)
        || folders.any(|folder| named.has_folder(folder, own))
        || (is_module && named.has_module(name, own))
}

/// Extensions of files that others import by stem.
const CODE: [&str; 20] = [
    "bash", "cjs", "cs", "go", "java", "jl", "js", "jsx", "kt", "lua", "mjs", "php", "pl", "ps1", "py", "r",
    "rb", "rs", "sh", "ts",
];

/// Prefixes of files for people or tools, in any skill; in lower case.
const APART: [&str; 15] = [
    "license",
    "licence",
    "notice",
    "copying",
    "authors",
    "changelog",
    "readme",
    "contributing",
    "codeowners",
    "eval.",
    "evals.",
    "pkg-info",
    "third_party",
    "third-party",
    "security",
];
/// Names of files that tools discover, or that people run before the skill exists.
const FOUND_BY_TOOLS: [&str; 52] = [
    "Cargo.lock",
    "Cargo.toml",
    "Dockerfile",
    "Gemfile",
    "Gemfile.lock",
    "Makefile",
    "Pipfile",
    "Pipfile.lock",
    "SKILL.md",
    "VERSION",
    "__init__.py",
    "__main__.py",
    "_meta.json",
    "bun.lock",
    "bun.lockb",
    "composer.json",
    "composer.lock",
    "conftest.py",
    "deno.json",
    "deno.lock",
    "environment.yaml",
    "environment.yml",
    "go.mod",
    "go.sum",
    "hooks.json",
    "install.bat",
    "install.ps1",
    "install.py",
    "install.sh",
    "justfile",
    "manifest.json",
    "metadata.json",
    "openai.yaml",
    "package-lock.json",
    "package.json",
    "plugin.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pyproject.toml",
    "requirements.txt",
    "run_tests.py",
    "run_tests.sh",
    "setup.cfg",
    "setup.py",
    "skill.json",
    "skill.yaml",
    "skillpack.json",
    "tsconfig.json",
    "uninstall.ps1",
    "uninstall.sh",
    "uv.lock",
    "yarn.lock",
];
/// Folders with files that only maintainers run.
const TESTS: [&str; 12] = [
    "__fixtures__",
    "__tests__",
    "evals",
    "fixtures",
    "spec",
    "specs",
    "test",
    "testdata",
    "tests",
    "snapshots",
    "test-cases",
    "test_cases",
];

/// Words in the names of such folders: `bench_test_cases`, `unit-tests`.
const TEST_WORDS: [&str; 5] = ["test", "tests", "bench", "benchmark", "benchmarks"];

fn is_of_tests(folder: &str) -> bool {
    TESTS.contains(&folder) || folder.split(['_', '-']).any(|word| TEST_WORDS.contains(&word))
}

/// Whether a file has a purpose other than use by the skill.
pub fn speaks_for_itself(path: &RelPath) -> bool {
    let (name, small) = (path.name(), path.name().to_ascii_lowercase());
    let is_test = small.starts_with("test_")
        || small.starts_with("test-")
        || small.strip_suffix(".sh") == Some("test")
        || ["_test.", ".test.", ".spec.", "_spec."].iter().any(|part| small.contains(part))
        || path.as_str().split('/').rev().skip(1).any(is_of_tests);
    is_test
        || cache_folder(path).is_some()
        || small.ends_with(".plugin.json")
        || small.ends_with(".skill")
        || FOUND_BY_TOOLS.contains(&name) || name == "SOURCE" || APART.iter().any(|begin| small.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_tests_and_manifests_speak_for_themselves() {
        for (path, expected) in [
            ("LICENSE", true),
            ("assets/LICENSE-OFL.txt", true),
            ("scripts/tests/data.json", true),
            ("bench_test_cases/one/input.txt", true),
            ("latest/one.txt", false),
            ("scripts/run.test.ts", true),
            ("scripts/test_run.py", true),
            ("scripts/test-run.sh", true),
            ("VERSION", true),
            ("scripts/package.json", true),
            ("agents/openai.yaml", true),
            ("acme.plugin.json", true),
            ("demo.skill", true),
            ("skill.yaml", true),
            ("scripts/__pycache__/run.cpython-312.pyc", true),
            ("scripts/run.py", false),
            ("test", false),
        ] {
            assert_eq!(speaks_for_itself(&RelPath::parse(path).unwrap()), expected, "{path}");
        }
    }
}
