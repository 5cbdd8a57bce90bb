//! SKL401: Markdown files that no link leads to.

use skillc_domain::format::is_markdown;
use crate::example_file::is_shown_result;
use crate::mentions::{MentionIndex, TEXT_BYTES_MAX, stem};
use crate::nested_skill::is_in_one;
use crate::one_line::one_line;
use crate::set_aside::is_locale;
use crate::reachability::{destination, files_at, reached};
use crate::rules::skl402_file_not_mentioned::speaks_for_itself;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::view::{LintFile, SkillContext};
use crate::{IssueLocation, Report, SkillView};
use skillc_domain::path::RelPath;
use std::collections::{BTreeMap, BTreeSet};

/// Names of files for the skill's maintainers; compared ignoring case.
const APART: &[&str] = &[
    "LICENSE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "CODE_OF_CONDUCT.md",
    "ATTRIBUTION.md",
    "CREDITS.md",
    "EVAL.md",
    "EVALS.md",
    "GENERATION.md",
    "HISTORY.md",
    "ROADMAP.md",
    "SOURCE.md",
    "SOURCES.md",
    "SOURCE_SUMMARY.md",
    "SPEC.md",
    "SYNC.md",
    "TODO.md",
    "PROVENANCE.md",
    "UPSTREAM.md",
    "UPDATE.md",
    "CREATION-LOG.md",
];
/// Names of files for people if they are in capitals and in the skill's folder; elsewhere they may be topics.
const APART_IN_CAPITALS: &[&str] = &[
    "ACKNOWLEDGEMENTS",
    "ACKNOWLEDGMENTS",
    "BACKLOG",
    "CARD",
    "CITATION",
    "ARCHITECTURE",
    "CONTRIBUTORS",
    "DESIGN",
    "DISCLAIMER",
    "DISTRIBUTION",
    "FEEDBACK",
    "INSTALL",
    "INSTALLATION",
    "MAINTAINERS",
    "MAINTENANCE",
    "MARKETPLACE",
    "MODEL_CARD",
    "PRIVACY",
    "PUBLISHING",
    "QUICKSTART",
    "QUICK_START",
    "RELEASE",
    "RELEASES",
    "RELEASE_NOTES",
    "SKILL-CARD",
    "SKILL_CARD",
    "SUPPORT",
    "UPGRADING",
];
/// Folders of a plugin in which clients discover commands and agents.
const OF_PLUGINS: [&str; 2] = ["agents/", "commands/"];

pub static RULE: Rule = Rule {
    id: "SKL401",
    name: "no-orphans",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent reads files that SKILL.md leads it to. A file that nothing leads to is distributed but never read, or \
          was forgotten. A file is reached by a link, or by a mention of its path, name, stem, folder or pattern in a reached text or script. A file that sibling skills also have without mentioning it is of the tier 'style'. More than three files of a folder are reported once, and a skill below a folder 'skills', which is part of a collection, is of the tier 'style', too.",
    fix: "Mention the file in SKILL.md or in a file that SKILL.md leads to, or remove it.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "See [more](references/more.md), which builds on `references/deep.md`, and the [guides](guides/).\n"
            ),
        ),
        ("references/more.md", "# More\n\nSee [deep](deep.md).\n"),
        ("references/deep.md", "# Deep\n\nText.\n"),
        ("guides/one.md", "# One\n\nText.\n"),
        ("CHANGELOG.md", "# Changes\n\nText.\n"),
    ]), Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "Read `references/more.md`, one of `{lang}/api.md` and, for speed, async-parallel. Prompts are in the \
                 `prompts` folder.\n"
            ),
        ),
        ("references/more.md", "# More\n\nText.\n"),
        ("go/api.md", "# Go\n\nText.\n"),
        ("rules/async-parallel.md", "# Parallel\n\nText.\n"),
        ("prompts/first.md", "# First\n\nText.\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("old-notes.md", "# Old notes\n\nText.\n"),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Text.\n")),
            ("other/SKILL.md", "---\nname: other\ndescription: Shows nesting. Use when needed.\n---\n\n# Other\n"),
        ]),
    ],
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    if view.files.iter().all(|file| !file.is_skill_md() || file.text.is_none()) {
        return;
    }
    let reached = reached(view);
    let is_asked = |file: &&LintFile| is_markdown(&file.path) && !is_apart(&file.path);
    let unlinked = view.files.iter().filter(is_asked).filter(|file| !reached.contains(&file.path));
    let unlinked: BTreeSet<&RelPath> = unlinked.map(|file| &file.path).collect();
    if unlinked.is_empty() {
        return;
    }
    let mentioned = mentioned(view, &reached, &unlinked);
    let orphans: Vec<&LintFile> =
        view.files.iter().filter(|file| unlinked.contains(&file.path) && !mentioned.contains(&file.path)).collect();
    let topics = if orphans.is_empty() { String::new() } else { topics_of(view) };
    // Files of a nested skill belong to it: the nested `SKILL.md` is reported, and nothing else below it.
    let nested: BTreeSet<&str> = orphans.iter().filter(|file| file.path.name() == "SKILL.md").map(|file| file.path.folder()).collect();
    let mut by_folder: BTreeMap<&str, Vec<&LintFile>> = BTreeMap::new();
    for (at, file) in orphans.iter().enumerate() {
        let is_nested = file.path.name() != "SKILL.md" && is_in_one(&file.path, &nested);
        let is_topic = at < TOPICS_MAX && is_topic(&topics, &file.path);
        if !is_nested && !is_topic && !is_for_people(view, &file.path) {
            by_folder.entry(file.path.folder()).or_default().push(file);
        }
    }
    let is_led_to = |folder: &str| reached.iter().chain(&mentioned).any(|path| path.folder() == folder);
    for (folder, files) in by_folder {
        match files.len() > FILES_EACH_MAX && !folder.is_empty() && !is_led_to(folder) {
            true => report_folder(folder, &files, report),
            false => files.iter().for_each(|file| report_file(view.context, file, report)),
        }
    }
}

/// Number of files in a folder that are reported individually; a folder with more, of which none is reached, is reported
/// once.
const FILES_EACH_MAX: usize = 3;

/// What the message about several files of a folder contains.
pub const ORPHANED_FOLDER: &str = "orphaned files in";

fn report_folder(folder: &str, files: &[&LintFile], report: &mut Report<'_>) {
    let first = files[0];
    let (count, folder) = (files.len(), one_line(folder));
    let message = format!("{count} {ORPHANED_FOLDER} '{folder}', '{}' first", one_line(first.path.name()));
    let finding = report.elsewhere(&first.path, IssueLocation::File, message);
    finding.hint("no link, no text that is reached and no script mentions one of them");
    if files.iter().all(|file| is_shown_result(&file.path)) {
        finding.tier(Tier::Style);
    }
}

fn report_file(context: &SkillContext, file: &LintFile, report: &mut Report<'_>) {
    let place = match file.text {
        Some(_) => IssueLocation::Whole(file.line_at(0)),
        None => IssueLocation::File,
    };
    let message = format!("orphaned file: '{}'", one_line(file.path.as_str()));
    let finding = report.elsewhere(&file.path, place, message);
    finding.hint("no link, no text that is reached and no script mentions it");
    if is_shown_result(&file.path) || is_in_collection(context, &file.path) || is_for_maintainers(file) {
        finding.tier(Tier::Style);
    }
}

/// What a file says at its start if it is not for the agent.
const FOR_MAINTAINERS: &[&str] = &["for maintainers", "for contributors", "maintainers only", "not for agents"];
/// Number of lines at the start of a file that may say so.
const FIRST_LINES: usize = 6;

/// Whether a file says at its start that it is for those who maintain the skill.
fn is_for_maintainers(file: &LintFile) -> bool {
    let mut first = file.text.as_deref().unwrap_or_default().lines().take(FIRST_LINES);
    first.any(|line| FOR_MAINTAINERS.iter().any(|words| line.to_ascii_lowercase().contains(words)))
}

/// Whether a nested skill is one of a collection, `skills/x/SKILL.md`, from which installers copy it.
fn is_in_collection(context: &SkillContext, path: &RelPath) -> bool {
    let above = path.folder().rsplit_once('/').map_or(context.folder.as_str(), |(above, _)| above);
    path.name() == "SKILL.md" && (above == "skills" || above.ends_with("/skills"))
}

/// Maximum number of orphans whose names are searched for among topics, since each costs a pass over the text.
const TOPICS_MAX: usize = 64;

/// Stems of guides for people, if README.md mentions them; the same holds for files in `docs` and for other names in
/// capitals next to it.
const FOR_PEOPLE: &[&str] = &["quickstart", "traceability", "installation", "faq"];

fn is_for_people(view: &SkillView<'_>, path: &RelPath) -> bool {
    let stem = stem(path.name());
    let readme = || view.files.iter().find(|file| file.path.as_str().eq_ignore_ascii_case("README.md"));
    let is_in_capitals = path.folder().is_empty() && !stem.contains(char::is_lowercase);
    let is_manual = path.folder() == "docs";
    (is_in_capitals || is_manual || FOR_PEOPLE.iter().any(|guide| guide.eq_ignore_ascii_case(stem)))
        && readme().and_then(|file| file.text.as_deref()).is_some_and(|text| text.contains(path.name()))
}

/// The topics of references that `SKILL.md` lists, normalized by [`words_of`]: cells of its tables, and lines that
/// mention references.
fn topics_of(view: &SkillView<'_>) -> String {
    let file = view.files.iter().find(|file| file.is_skill_md());
    let Some((text, markup)) = file.and_then(|file| Some((file.text.as_deref()?, file.markup.as_ref()?))) else {
        return String::new();
    };
    let body = text.get(markup.body_start()..).filter(|text| text.len() <= TEXT_BYTES_MAX).unwrap_or_default();
    let lower = body.to_lowercase();
    if !lower.contains("reference") && !lower.contains("topic") {
        return String::new();
    }
    let mut topics = String::new();
    for line in lower.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if line.starts_with('|') {
            // Each cell separately, since a topic must fill it.
            line.split('|').for_each(|cell| topics += &cell_of(cell));
        } else if line.contains("reference") {
            topics += &(words_of(line) + "\n");
        }
    }
    topics
}

/// The words of a text in lower case, each surrounded by single spaces, without `and`: `Layout & fonts` becomes `
/// layout fonts `.
fn words_of(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "and");
    words.fold(String::from(" "), |all, word| all + word + " ")
}

/// A topic that fills a whole cell. Its spaces are doubled, so that no part of it matches as the topic of a line.
fn cell_of(text: &str) -> String {
    words_of(text).replace(' ', "  ") + "\n"
}

/// Whether the topics include that of a file: `Async patterns` for `async-patterns.md`.
fn is_topic(topics: &str, path: &RelPath) -> bool {
    let stem = stem(path.name());
    let words = words_of(stem);
    let cell = cell_of(stem);
    let is_cell = || topics.split_inclusive('\n').any(|topic| topic == cell);
    words.trim().contains(' ') && (topics.contains(&words) || is_cell())
}

/// The unlinked files that a reachable text or a script mentions, and the files that those lead to.
fn mentioned<'a>(
    view: &SkillView<'a>,
    reached: &BTreeSet<&'a RelPath>,
    unlinked: &BTreeSet<&'a RelPath>,
) -> BTreeSet<&'a RelPath> {
    let mut mentions = MentionIndex::of(&view.context.folder, unlinked.iter().copied());
    let is_first = |file: &&LintFile| reached.contains(&file.path) || !is_markdown(&file.path);
    let mut open: Vec<&LintFile> = view.files.iter().filter(is_first).collect();
    let mut found = BTreeSet::new();
    while let Some(file) = open.pop() {
        let text = file.text.as_deref().filter(|text| text.len() <= TEXT_BYTES_MAX).unwrap_or_default();
        let links = file.markup.iter().flat_map(|markup| &markup.links);
        let linked = links
            .filter(|_| found.contains(&file.path))
            .filter_map(|link| destination(view.context, &link.target, &file.path))
            .flat_map(|path| files_at(view, &path))
            .map(|file| &file.path);
        let all: Vec<&RelPath> = linked.chain(mentions.in_text(&file.path, text)).collect();
        for path in all {
            if *path != file.path && unlinked.contains(path) && found.insert(path) {
                open.extend(view.file(path));
            }
        }
    }
    found
}

/// Whether a file is for people, or discovered by tools. A nested `SKILL.md` is not.
pub fn is_apart(path: &RelPath) -> bool {
    let is_own = path.as_str() == "SKILL.md" || APART.iter().any(|name| name.eq_ignore_ascii_case(path.name()));
    // `_template.md`, `_sections.md`: for authors of further files.
    let is_for_authors = ["_template", "_sections", "_contributing", "_readme"].iter().any(|stem| path.name().strip_suffix(".md") == Some(stem));
    let is_about = path.folder().is_empty() && APART_IN_CAPITALS.contains(&stem(path.name()));
    // `SERVER_README.md`: the README of a part.
    let is_readme = path.name().ends_with("_README.md") || path.name().ends_with("-README.md");
    // `setup.SKILL.md`: what an installer makes another skill of.
    let is_source = path.name().ends_with(".SKILL.md");
    is_own || is_about || is_readme || is_source || is_for_authors || is_of_plugin(path) || speaks_for_itself(path) && !path.name().eq_ignore_ascii_case("SKILL.md") || is_translation(path.name())
}

/// Whether clients discover a file by themselves and agents read it.
pub fn is_of_plugin(path: &RelPath) -> bool {
    OF_PLUGINS.iter().any(|folder| path.as_str().starts_with(folder))
}

/// Whether a file is a translation for people, such as `SKILL.ja.md`, `SKILL-zh-CN.md` or `guide.zh-CN.md`.
fn is_translation(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".md") else { return false };
    let of_skill = stem.strip_prefix("SKILL").and_then(|rest| rest.strip_prefix(['.', '-', '_']));
    let of_any = stem.rsplit_once('.').map(|(_, language)| language);
    of_skill.is_some_and(|language| matches!(language.len(), 2 | 5)) || of_any.is_some_and(is_locale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_in_another_language_is_for_people() {
        for (name, expected) in
            [("SKILL.ja.md", true), ("SKILL-zh-CN.md", true), ("SKILL.md", false), ("SKILLS.md", false), ("guide.zh-CN.md", true), ("guide.v2.md", false)]
        {
            assert_eq!(is_translation(name), expected, "{name}");
        }
    }
}
