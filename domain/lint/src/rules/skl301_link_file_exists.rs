//! SKL301: links to missing files.

use crate::Finding;
use crate::code_text::SEARCHES_MAX;
use crate::fix::Fix;
use crate::link::{OWN_FOLDER, LinkTarget, path_bytes, path_written, place, target};
use crate::link_suggestion::{LinkSuggester, Suggestion, SuggestionKind, encoded, link_between};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::reachability::destination;
use crate::followed_links::followed_links;
use crate::sample_file::is_sample_file;
use crate::view::{LintFile, SkillContext};
use crate::{Issue, IssueLocation, Report, SkillView};
use skillc_domain::markup::{Link, LinkKind};
use skillc_domain::path::RelPath;

pub static RULE: Rule = Rule {
    id: "SKL301",
    name: "link-file-exists",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "An agent that follows the link finds nothing and continues without the information. Links are relative to \
          the file that contains them; links to hidden files and template paths such as '<name>.md' are not \
          checked. In a file that no agent is sent to, such as README.md, a changelog or a file that nothing leads to, it is a \
          warning of the tier 'style'. Of several missing files in a folder that does not exist, one has the number of \
          the others, which are of that tier. A picture of a skill that has no pictures at all is of that tier, too, and so are eight or more links that lack only '.md', as on the site of a documentation.",
    fix: "Correct the path, or add the file.",
    params: &[],
    patterns: &[],
    good: &[
        Example::new(&[
            (
                "SKILL.md",
                crate::skill_md!(
                    "See [more](references/more.md#more), [all](references/) and [x](https://x.org).\n"
                ),
            ),
            (
                "references/more.md",
                "# More\n\nBack to [the skill](../SKILL.md), with [it]({baseDir}/references/more.md).\n",
            ),
        ]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("Write `[x](missing.md)` or [x](<name>.md) or [x](path/to/file.md).\n"),
        )]),
    ],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("See [more](references/missing.md).\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("See [more](references/more.md).\n")),
            ("references/more.md", "# More\n\nBack to [the skill](SKILL.md).\n"),
        ]),
        Example::new(&[(
            "SKILL.md",
            crate::skill_md!("See [more][m] and ![a picture](a.png).\n\n[m]: b.md\n"),
        )]),
    ],
    check: Check::Skill(check),
};

/// Lowers findings about missing files that a program puts into the skill, from the folder above or from another skill.
pub fn weigh_assembled(view: &SkillView<'_>, findings: &mut [Finding], is_assembled: impl Fn(&RelPath) -> bool) {
    let is_shown = |finding: &&mut Finding| finding.rule.id == RULE.id && finding.tier() != Tier::Style;
    let is_at_root = |finding: &&mut Finding| finding.path.folder().is_empty();
    for finding in findings.iter_mut().filter(is_shown).filter(is_at_root).take(SEARCHES_MAX) {
        let target = view.file(&finding.path).map(|file| file.slice(&finding.span()));
        let path = target.and_then(|target| RelPath::parse(target.trim_start_matches("./").trim_end_matches('/')).ok());
        if path.is_some_and(|path| is_assembled(&path)) {
            finding.issue.tier(Tier::Style).hint("it is elsewhere in the project, whose code names it and may put it into the skill");
        }
    }
}

fn check(view: &SkillView<'_>, report: &mut Report<'_>) {
    let broken = broken_links(view);
    if broken.is_empty() {
        return;
    }
    let names = LinkSuggester::of(view.context);
    let is_route = |path: &RelPath| is_route(view.context, path);
    let has_routes = broken.iter().filter(|(_, _, path)| is_route(path)).take(ROUTES_MIN).count() == ROUTES_MIN;
    let has_pictures = view.context.survey.files.iter().any(|file| is_picture(&file.path));
    for (file, link, path) in broken {
        let meant = names.suggest(path_written(link), &file.path);
        let finding = missing((view.context, file), link, meant, report);
        // A mirror of documentation without its pictures, or with the addresses of its site.
        let is_mirrored = link.kind == LinkKind::Image && !has_pictures || has_routes && is_route(&path);
        if let Some(finding) = finding.filter(|_| is_mirrored) {
            finding.tier(Tier::Style);
        }
    }
}

/// Number of links without an extension from which they are the addresses of a documentation site.
const ROUTES_MIN: usize = 8;

/// The links whose targets do not exist, with their files.
fn broken_links<'a>(view: &SkillView<'a>) -> Vec<(&'a LintFile, &'a Link, RelPath)> {
    let links = view.files.iter().flat_map(|file| followed_links(file).map(move |link| (file, link)));
    let links = links.filter(|(file, link)| !is_in_sample(file, link));
    let links = links.filter_map(|(file, link)| match target(&link.target, &file.path) {
        LinkTarget::Inside(path, _) if !may_be_there(view.context, &path) => Some((file, link, path)),
        _ => None,
    });
    links.collect()
}

/// Names of files that stand for any.
const ANY_FILES: [&str; 6] = ["doc.md", "example.md", "file.md", "filename.md", "other.md", "path.md"];

/// Whether a link shows how to write one, in quotation marks and to a name that stands for any: `"See [file.md](file.md)"`.
fn is_in_sample(file: &LintFile, link: &Link) -> bool {
    let name = link.target.rsplit('/').next().unwrap_or_default();
    ANY_FILES.contains(&name) && {
        let start = link.span.start.saturating_sub(SAMPLE_BYTES_MAX);
        let before = file.text.as_deref().and_then(|text| text.get(text.floor_char_boundary(start)..link.span.start));
        let line = before.and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        line.matches('"').count() % 2 == 1
    }
}

/// Number of bytes before a link in which the quotation mark of a sample stands.
const SAMPLE_BYTES_MAX: usize = 200;

/// Whether a path is that of a Markdown file without its extension, as sites have it.
fn is_route(context: &SkillContext, path: &RelPath) -> bool {
    path.extension().is_none()
        && ["md", "mdx"].iter().any(|extension| {
            RelPath::parse(&format!("{path}.{extension}")).is_ok_and(|path| context.has_file(&path))
        })
}

/// Whether a file or folder exists at a path, or could be hidden, since lint does not list hidden ones.
fn may_be_there(context: &SkillContext, path: &RelPath) -> bool {
    context.has_file(path)
        || context.has_folder(path)
        || path.as_str().split('/').any(|segment| segment.starts_with('.'))
}

fn is_picture(path: &RelPath) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif"].contains(&extension.as_str())
}

fn missing<'r>(
    (context, file): (&SkillContext, &LintFile),
    link: &Link,
    meant: Option<Suggestion>,
    report: &'r mut Report<'_>,
) -> Option<&'r mut Issue> {
    let written = path_written(link);
    // A link in a template belongs to a document that is still to be written, unless it may mean a file in a folder of
    // the skill. Files at the root, such as a license, exist in every project.
    let is_own = |meant: &Suggestion| meant.path.as_str().contains('/');
    if is_sample_file(&file.path) && !meant.as_ref().is_some_and(is_own) {
        return None;
    }
    let message = format!("link target not found: '{}'", one_line(written));
    let finding = report.elsewhere(&file.path, IssueLocation::Span(place(link)), message);
    let Some(Suggestion { path: meant, kind }) = meant else { return Some(finding) };
    let better = match OWN_FOLDER.iter().find(|name| written.starts_with(**name)) {
        Some(name) => format!("{name}/{}", encoded(meant.as_str())),
        None => link_between(&file.path, &meant),
    };
    if kind == SuggestionKind::Path && destination(context, written, &file.path).as_ref() == Some(&meant) {
        finding.message = format!(
            "'{}' leads to a file from the skill's folder, but not from '{}', where it stands: write '{better}'",
            one_line(written),
            one_line(file.path.as_str())
        );
    } else {
    finding.hint(match kind {
        SuggestionKind::OtherCase => format!("the file is '{better}'; Linux tells the two apart"),
        SuggestionKind::SameName => format!("'{better}' has the same name, but may be another file"),
        SuggestionKind::Path | SuggestionKind::Slip => format!("did you mean '{better}'?"),
    });
    }
    let bytes = file.text.as_deref().and_then(|text| path_bytes(text, link));
    if let Some(bytes) = bytes.filter(|_| kind != SuggestionKind::SameName) {
        finding.fix(Fix::risky(format!("link to '{better}'"), bytes, better));
    }
    Some(finding)
}
