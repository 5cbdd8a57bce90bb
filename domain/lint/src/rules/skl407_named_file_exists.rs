//! SKL407: files that SKILL.md mentions in code but that do not exist.

use crate::bundled_path::{BundledPath, bundled_paths};
use crate::link_suggestion::{LinkSuggester, Suggestion, SuggestionKind};
use crate::one_line::one_line;
use crate::project_path::names_project;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::report::Issue;
use crate::{FileView, Finding, Report, SkillView};
use skillc_domain::path::RelPath;
use skillc_domain::text::lines;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    id: "SKL407",
    name: "named-file-exists",
    severity: Severity::Warning,
    tier: Tier::Breaks,
    origin: Origin::Specification("file references"),
    why: "An agent that is told to read or run the file finds nothing, and continues without it or makes something up. \
          The rule checks paths below 'references', 'scripts', 'assets' and similar folders, in backticks and in commands of shell blocks; it does not report a path that the text creates, forbids, shows as an example or ascribes to a project or another skill. A script is probably one of the user's project, so that its tier is 'style', if the skill has no folder 'scripts', or if the paragraph or list also names 'src/', 'tests/' or other parts of a project. So is any other path than one in 'references' whose folder the skill does not have, unless \
          a file with a similar name exists. Of several missing files in a folder that does not exist, one has the number of \
          the others, which are of that tier; if links lead there, SKL301 reports it.",
    fix: "Add the file, or correct or remove the path.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!(
                "Read `references/more.md` and start from `assets/page.ts.template`. Never run `scripts/deploy.sh`. \
                 Save the result as `assets/result.json`. Report places as `scripts/tool.py:15`.\n\n\
                 ```sh\npython3 scripts/run.py assets/result.json\n```\n"
            ),
        ),
        ("references/more.md", "# More\n\nText.\n"),
        ("assets/page.ts.template", "text\n"),
        ("scripts/run.py", "print('run')\n"),
    ])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("Load `references/tables.md` when the form has tables.\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Run `scripts/run.py`, then:\n\n```sh\npython3 scripts/fill.py a.pdf\n```\n")),
            ("scripts/run.py", "print('run')\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Folders that always belong to the skill; others may belong to the user's project.
const OWN_FOLDERS: &[&str] = &["references", "reference", "assets"];

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some((text, markup)) = view.skill_md() else { return };
    if is_about_skills(view) {
        return;
    }
    let mut names: Option<LinkSuggester<'_>> = None;
    let (mut seen, paths) = (BTreeSet::new(), bundled_paths(text, markup));
    let foreign: BTreeSet<&RelPath> = paths.iter().filter(|found| found.is_foreign).map(|found| &found.path).collect();
    for found in paths.iter().filter(|found| found.is_used && !foreign.contains(&found.path)) {
        if !is_missing(view, found) || seen.len() < WHOLE_MAX && is_given_whole(view, text, found) || !seen.insert(&found.path) {
            continue;
        }
        let names = names.get_or_insert_with(|| LinkSuggester::of(view.context));
        let meant = names.suggest(found.path.as_str(), &RelPath::default());
        // A name in another case is reported by SKL406.
        if !meant.as_ref().is_some_and(|meant| meant.kind == SuggestionKind::OtherCase) {
            let is_near = meant.as_ref().is_some_and(|meant| meant.kind != SuggestionKind::SameName);
            let finding = missing(found, meant, report);
            let is_left_out = !is_near && !has_folder_of(view, &found.path);
            if is_left_out || is_example(text, found.span.start) || is_of_project(view, text, found) || is_of_other_folder(view, text, found) {
                finding.tier(Tier::Style);
            }
        }
    }
}

/// Whether the skill has the folder of a path, or the path is one of a reference, which always belongs to the skill. If
/// not, what the text names is often elsewhere: in another repository, or in a part of the collection that is not
/// shipped.
fn has_folder_of(view: &FileView<'_>, path: &RelPath) -> bool {
    let is_reference = ["references/", "reference/"].iter().any(|folder| path.as_str().starts_with(folder));
    is_reference || RelPath::parse(path.folder()).is_ok_and(|folder| view.context.has_folder(&folder))
}

/// Whether a path is given as an example in brackets: "a path there (e.g. `references/a.md`)".
fn is_example(text: &str, at: usize) -> bool {
    let before = text[..at].rsplit("\n\n").next().unwrap_or_default();
    let inside = before.rsplit_once('(').map(|(_, inside)| inside).filter(|inside| !inside.contains(')'));
    inside.is_some_and(|inside| ["e.g.", "for example", "such as"].iter().any(|word| inside.contains(word)))
}

fn is_missing(view: &FileView<'_>, found: &BundledPath) -> bool {
    let folder = found.path.as_str().split('/').next().unwrap_or_default();
    let is_own = found.is_rooted
        || OWN_FOLDERS.contains(&folder)
        || view.context.survey.files.len() > 1;
    // SKL525 reports a link that leads out of the skill.
    let is_link = view.context.survey.escaping.contains(&found.path);
    is_own && !is_link && !view.context.has_file(&found.path) && !view.context.has_folder(&found.path)
}

/// Whether a script probably belongs to a project: the skill has no folder of scripts, or the text around it speaks of
/// other parts of one.
fn is_of_project(view: &FileView<'_>, text: &str, found: &BundledPath) -> bool {
    let has_scripts = || RelPath::parse("scripts").is_ok_and(|folder| view.context.has_folder(&folder));
    !found.is_rooted
        && found.path.as_str().starts_with("scripts/")
        && (!has_scripts() || names_project(text, found.span.start, |path| view.context.has_file(path) || view.context.has_folder(path)))
}

/// Maximum number of missing paths whose whole form is looked for, since each costs a pass over the text.
const WHOLE_MAX: usize = 64;

/// Whether the text also gives the path from another folder: `.agents/skills/references/a.md` for `references/a.md`, or
/// names the folder of the skill that contains it: `assets/examples/` for `assets/examples/references/a.md`.
fn is_given_whole(view: &FileView<'_>, text: &str, found: &BundledPath) -> bool {
    let path = found.path.as_str();
    let is_longer = |(at, _): (usize, &str)| {
        let before = &text[..at];
        let name = before.rsplit(|c: char| !(c.is_alphanumeric() || "-_.".contains(c))).next().unwrap_or_default();
        before.ends_with(|c: char| c.is_alphanumeric()) && name != view.context.folder
    };
    let is_held = || {
        let files = view.context.survey.files.iter().map(|file| file.path.as_str());
        let folders = files.filter_map(|file| file.strip_suffix(path).filter(|folder| folder.ends_with('/')));
        folders.into_iter().any(|folder| text.contains(folder))
    };
    !found.is_rooted && (text.match_indices(&format!("/{path}")).any(is_longer) || is_held())
}

/// Whether the text says that files of the path's folder are in another one: "installed at `shared/references/`".
fn is_of_other_folder(view: &FileView<'_>, text: &str, found: &BundledPath) -> bool {
    let folder = found.path.as_str().split('/').next().unwrap_or_default();
    let is_other = |at: usize| {
        let before = &text[..at];
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).map_or(0, |at| at + 1);
        let (other, quote) = (&before[start..], before[..start].chars().next_back());
        let is_held = || RelPath::parse(other).is_ok_and(|path| view.context.has_folder(&path));
        quote == Some('`') && !other.is_empty() && other != view.context.folder && !is_held()
    };
    !found.is_rooted && text.match_indices(&format!("/{folder}/")).any(|(at, _)| is_other(at))
}

fn missing<'r>(found: &BundledPath, meant: Option<Suggestion>, report: &'r mut Report<'_>) -> &'r mut Issue {
    let message = format!("SKILL.md names '{}', but the skill has no such file", one_line(found.path.as_str()));
    let finding = report.at(found.span.clone(), message);
    match meant {
        Some(Suggestion { path, kind: SuggestionKind::SameName }) => {
            finding.hint(format!("'{}' has the same name, but may be another file", one_line(path.as_str())));
        }
        Some(Suggestion { path, .. }) => {
            finding.hint(format!("did you mean '{}'?", one_line(path.as_str())));
        }
        None => {}
    }
    finding
}

/// A file that `SKILL.md` mentions but the skill does not contain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingFile {
    /// Relative to the skill's folder, as written.
    pub path: RelPath,
    /// Names on the same line and the lines above, which may be those of sibling skills.
    pub other_skills: Vec<String>,
}

/// Where a missing file was found instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundElsewhere {
    /// In a sibling skill that the line names.
    OtherSkill,
    /// In a folder above the skill.
    Project,
    /// Nowhere yet, but code of the project writes it.
    Code,
}

/// The files that findings of this rule are about.
pub fn missing_files(view: &SkillView<'_>, findings: &[Finding]) -> BTreeSet<MissingFile> {
    findings.iter().filter_map(|finding| missing_file(view, finding)).collect()
}

fn missing_file(view: &SkillView<'_>, finding: &Finding) -> Option<MissingFile> {
    let file = view.file(&finding.path).filter(|_| finding.rule.id == RULE.id)?;
    let path = RelPath::parse(file.slice(&finding.span())).ok()?;
    let text = file.text.as_deref()?;
    let line = lines::around(text, finding.span().start);
    let above = text[..line.start].lines().rev().take(LINES_ABOVE);
    let names = names_in(file.slice(&line)).chain(above.flat_map(names_in));
    let mut other_skills = Vec::new();
    for name in names {
        if other_skills.len() < NAMES_MAX && !other_skills.iter().any(|other| other == name) {
            other_skills.push(name.to_owned());
        }
    }
    Some(MissingFile { path, other_skills })
}

/// Number of lines above a path that may name the skill whose file it is: "load `other` now".
const LINES_ABOVE: usize = 10;
/// Maximum number of sibling names that are looked up for one missing file.
const NAMES_MAX: usize = 16;

/// Names in code that may be those of skills: `other`, `plugin:other`, `<plugin>/skills/other/`.
fn names_in(line: &str) -> impl Iterator<Item = &str> {
    let is_name = |name: &&str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    line.split('`').skip(1).step_by(2).flat_map(|code| code.split(['/', ':'])).filter(is_name)
}

/// Drops findings about files that another skill contains. If the project contains the file, says that it is missing
/// only elsewhere.
pub fn weigh_missing(
    view: &SkillView<'_>,
    findings: &mut Vec<Finding>,
    found: impl Fn(&MissingFile) -> Option<FoundElsewhere>,
) {
    findings.retain_mut(|finding| match missing_file(view, finding).and_then(|file| found(&file)) {
        None => true,
        Some(FoundElsewhere::OtherSkill) => false,
        Some(FoundElsewhere::Project) => {
            finding.issue.tier(Tier::Style).hint("it is in the project around the skill, and missing wherever else the skill is installed");
            true
        }
        Some(FoundElsewhere::Code) => {
            finding.issue.tier(Tier::Style).hint("code of the project names it, and may write it");
            true
        }
    });
}

/// Whether the skill is about skills or plugins, and so mentions files that these usually contain.
fn is_about_skills(view: &FileView<'_>) -> bool {
    let description = view.skill_fields().and_then(|fields| fields.get("description")?.text());
    let description = description.unwrap_or_default().to_ascii_lowercase();
    let folder = view.context.folder.to_ascii_lowercase();
    folder.contains("skill")
        || folder.contains("plugin")
        || ["skill.md", "agent skill", "create skill", "creating skill", "creating new skill", "new skill", "write skill", "writing skill"]
            .iter()
            .any(|words| description.contains(words))
}
