//! SKL537: packages whose names resemble those of popular ones.

use crate::security::code_context::{self, CodeContext};
use crate::security::context_window;
use crate::security::packages::{self, Registry};
use crate::security::popular::taken_for;
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::LintFile;
use crate::{FileView, Report};
use crate::security::hits;
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL537",
    name: "typosquat",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector SC6"),
    why: "Attackers publish packages whose names are one typo away from a popular one; installing one runs their code.",
    fix: "Correct the name; if this package is intended, say so with a directive.",
    params: &[],
    patterns: &[
        packages::PATTERN,
        // As programs write it: `["pip", "install", "name"]`.
        Pattern {
            needles: || &["\"install\"", "'install'", "\"add\"", "'add'"],
            regex: r#"(?x-u) ["'] ( (?:pip3?|npm|pnpm|yarn|bun|uv|cargo|gem) ["'] \s*,\s* ["'](?:install|add)["'] (?: \s*,\s* ["'][\x20-!\#-&(-~]*["'] )+ )"#,
        },
    ],
    good: &[Example::new(&[(
        "SKILL.md",
        crate::skill_md!(
            "```sh\npip install requests==2.32.3 scapy==2.6.1\nnpm install preact@10.24.0\n```\n"
        ),
    )])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\npip install reqeusts==2.32.3\n```\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Run `scripts/set_up.py`.\n")),
            (
                "scripts/set_up.py",
                "import subprocess\nsubprocess.check_call(['pip', 'install', 'colourama==0.4.6'])\n",
            ),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Install what `requirements.txt` names.\n")),
            ("requirements.txt", "numpy==2.1.0\npandsa==2.2.3\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Number of lines of a requirements list that are examined.
const NAMES_MAX: usize = 100;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(text) = view.file.text.as_deref() else { return };
    for hit in hits::executable(view.file, &RULE) {
        let is_command = matches!(
            code_context::context_at(view.file, hit.span.start),
            CodeContext::File(_) | CodeContext::Block(_) | CodeContext::Inline
        );
        if is_command && !speaks_of_squats(text, hit.span.start) {
            for package in packages::packages(text, &hit.span) {
                let end = package.span.end.min(package.span.start + package.name.len());
                judge(text, package.registry, package.span.start..end, report);
            }
        }
    }
    if view.file.path.name() == "package.json" {
        dependencies(text).into_iter().for_each(|name| judge(text, Registry::Npm, name, report));
    }
    if is_requirements(view.file) {
        requirements(text).into_iter().for_each(|name| judge(text, Registry::PyPi, name, report));
    }
}

fn judge(text: &str, registry: Registry, name: Range<usize>, report: &mut Report<'_>) {
    let Some(written) = text.get(name.clone()) else { return };
    // Only npm distinguishes names by case, and all of its names are lower case.
    let Some(meant) = taken_for(registry, &written.to_ascii_lowercase()) else { return };
    report
        .at(name.clone(), format!("package '{}' can be taken for '{meant}'", one_line(written)))
        .hint(format!("did you mean '{meant}'?"));
}

fn speaks_of_squats(text: &str, at: usize) -> bool {
    let line = text[context_window::line(text, at)].to_ascii_lowercase();
    line.contains("typo") || line.contains("squat")
}

fn is_requirements(file: &LintFile) -> bool {
    let name = file.path.name();
    name.starts_with("requirements") && matches!(file.path.extension(), Some("txt" | "in"))
}

/// Package names at the starts of lines.
fn requirements(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n').take(NAMES_MAX) {
        let end = line.find(|c: char| !(c.is_alphanumeric() || "-_.".contains(c))).unwrap_or(line.len());
        found.push(start..start + end);
        start += line.len();
    }
    found
}

/// Keys in a `package.json` whose values are versions.
fn dependencies(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for part in text.split_inclusive([',', '{', '\n']).take(NAMES_MAX * 10) {
        let key = part.find('"').map(|quote| quote + 1);
        let name = key.and_then(|key| Some(key..key + part[key..].find('"')?));
        let value = name.as_ref().and_then(|name| part[name.end + 1..].trim_start().strip_prefix(':'));
        let value = value.and_then(|value| value.trim_start().strip_prefix('"')).unwrap_or_default();
        if value.starts_with(|c: char| c.is_ascii_digit() || "^~*><=".contains(c))
            || value.starts_with("latest")
        {
            found.extend(name.map(|name| start + name.start..start + name.end));
        }
        start += part.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_the_starts_of_lines_and_before_versions() {
        let manifest = "{\"name\": \"axio\", \"dependencies\": {\"é\": \"^1.0\",\n\"b\":\"latest\"}}";
        let found: Vec<_> = dependencies(manifest).into_iter().map(|span| &manifest[span]).collect();
        assert_eq!(found, ["é", "b"]);
        assert_eq!(requirements("é==1\n\n# x\nb"), [0..2, 6..6, 7..7, 11..12]);
    }
}
