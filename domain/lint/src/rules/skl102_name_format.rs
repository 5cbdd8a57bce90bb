//! SKL102: characters that are not allowed in `name`.

use crate::fix::Fix;
use crate::name_value::name_value;
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::rules::skl209_placeholder::is_unfilled;
use crate::{FileView, Finding, Report};
use skillc_domain::path::RelPath;
use skillc_domain::rule_settings::LintSettings;

pub static RULE: Rule = Rule {
    id: "SKL102",
    name: "name-format",
    severity: Severity::Error,
    tier: Tier::Breaks,
    origin: Origin::Clause("RFC-0008:C-REGISTRY"),
    why: "Clients refuse or silently drop a skill whose name is not lowercase ASCII letters, digits and hyphens. A \
          prefix such as 'acme:' that several skills of a run have is of the tier 'style', and so are underscores that several \
          have like their folders: they were made for a client that allows it, and others still drop the skills. The same holds for a skill with its folder's name \
          in a field 'id'.",
    fix: "Write the name in lower case, with hyphens between words but not at the ends.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[("SKILL.md", crate::skill_md!("Text.\n"))])],
    bad: &[
        Example {
            folder: "My_Demo",
            files: &[(
                "SKILL.md",
                "---\nname: My_Demo\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# My_Demo\n",
            )],
        },
        Example {
            folder: "demo-",
            files: &[(
                "SKILL.md",
                "---\nname: demo-\ndescription: Shows a rule. Use when a rule needs an example.\n---\n\n# demo-\n",
            )],
        },
    ],
    check: Check::File(check),
};

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(node) = view.skill_fields().and_then(|fields| fields.get("name")) else { return };
    let Some(name) = node.text().filter(|name| !name.trim().is_empty()) else { return };
    let Some(flaw) = flaw(name).filter(|_| !is_unfilled(view)) else { return };
    let finding = report.at(node.span.clone(), format!("name '{}' {flaw}", one_line(name)));
    let is_package = || RelPath::parse(PACKAGE_FILE).is_ok_and(|file| view.context.has_file(&file));
    if name == view.context.folder && is_package() {
        finding.tier(Tier::Style).hint("Python imports the folder by this name, so that only a copy can have a valid one");
        return;
    }
    if has_id(view) {
        finding.tier(Tier::Style).hint("the skill has an 'id', by which the project may load it; other clients need a name in lower case with hyphens");
    } else if let Some((better, value)) = better_name(name, &view.context.folder) {
        finding.hint(format!("'{better}' is allowed; the folder has to be called the same"));
        finding.fix(Fix::risky(format!("rename to '{better}'"), node.span.clone(), value));
    }
}

/// Whether the skill has its folder's name in a field `id` of its own, beside a title as its name.
fn has_id(view: &FileView<'_>) -> bool {
    let id = view.skill_fields().and_then(|fields| fields.get("id")?.text());
    id.is_some_and(|id| id == view.context.folder)
}

/// The file that makes a folder a package of Python.
const PACKAGE_FILE: &str = "__init__.py";

fn flaw(name: &str) -> Option<&'static str> {
    let has_uppercase = name.chars().any(|c| c.is_ascii_uppercase());
    let has_others = !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match (has_uppercase, has_others) {
        (true, true) => return Some("contains uppercase characters and others than letters, digits and hyphens"),
        (true, false) => return Some("contains uppercase characters"),
        (false, true) => return Some("contains characters other than a-z, 0-9 and hyphens"),
        (false, false) => {}
    }
    (name.starts_with('-') || name.ends_with('-')).then_some("starts or ends with a hyphen")
}

/// Whether the rule reports a name.
pub fn rejects(name: &str, settings: &LintSettings) -> bool {
    RULE.severity_in(settings) != Severity::Off && flaw(name).is_some()
}

/// The namespace of a name: `acme` for `acme:review`, if both parts are names.
pub fn namespace(name: &str) -> Option<&str> {
    let (space, rest) = name.split_once(':')?;
    (!space.is_empty() && !rest.is_empty() && flaw(space).is_none() && flaw(rest).is_none()).then_some(space)
}

/// What a name has in common with others that were formed alike on purpose: its namespace, or underscores as in the
/// name of its folder.
pub fn convention<'n>(name: &'n str, folder: &str) -> Option<&'n str> {
    let is_snake = name == folder && name.contains('_') && flaw(&name.replace('_', "-")).is_none();
    namespace(name).or(is_snake.then_some("_"))
}

/// Lowers findings about names of a namespace that several skills of a run share, which is no mistake.
pub fn weigh_namespaced<'f>(findings: impl Iterator<Item = &'f mut Finding>) {
    for finding in findings.filter(|finding| finding.rule.id == RULE.id) {
        finding.issue.tier(Tier::Style).hint("other skills here have such names as well, but only some clients load them");
    }
}

/// What to write instead, also formatted as a value: the folder's name if it has the same letters and digits, or all
/// its words are in a title, or else the name's own words.
fn better_name(name: &str, folder: &str) -> Option<(String, String)> {
    let is_title = name.contains(' ') && !folder.is_empty() && words_of(folder).all(|word| words_of(name).any(|other| other == word));
    let of_folder = name_value(folder).filter(|_| is_title || letters(name).eq(letters(folder)));
    of_folder.map(|value| (folder.to_owned(), value)).or_else(|| corrected(below_namespace(name, folder)))
}

/// The words of a name in lower case.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The letters and digits of a name in lower case, without what is between its words.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// The name without a plugin's name before it, if the rest is the folder's name: `team/review` in the folder `review`.
fn below_namespace<'n>(name: &'n str, folder: &str) -> &'n str {
    let rest = name.rsplit(['/', ':']).next().unwrap_or_default();
    if rest == folder { rest } else { name }
}

/// The name in lower case, with hyphens for spaces, underscores and dots, if that makes it valid; also formatted as a
/// value.
fn corrected(name: &str) -> Option<(String, String)> {
    let parts = name.split(['-', '_', '.', ' ']).filter(|part| !part.is_empty());
    let better = parts.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    let value = name_value(&better)?;
    Some((better, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0008:C-REGISTRY
    #[test]
    fn a_name_is_small_letters_digits_and_hyphens_between() {
        for name in ["my-skill", "skill123", "a", "a--b", "1"] {
            assert_eq!(flaw(name), None, "{name}");
        }
        for (name, part) in [
            ("My-Skill", "uppercase"),
            ("-skill", "hyphen"),
            ("skill-", "hyphen"),
            ("skill_name", "other than"),
            ("é", "a-z"),
        ] {
            assert!(flaw(name).unwrap().contains(part), "{name}");
        }
    }

    #[test]
    fn a_namespace_is_a_name_before_a_colon() {
        for (name, expected) in [
            ("acme:review", Some("acme")),
            ("acme/review", None),
            ("acme:Review", None),
            ("acme: review", None),
            ("a:b:c", None),
            (":review", None),
            ("review", None),
        ] {
            assert_eq!(namespace(name), expected, "{name}");
        }
    }

    #[test]
    fn a_title_with_the_letters_of_the_folder_becomes_its_name() {
        for (name, folder, expected) in [
            ("Prompt: the review (part 2)", "prompt-the-review-part-2", Some("prompt-the-review-part-2")),
            ("Data \u{2014} Sources & Uses", "data-sources-uses", Some("data-sources-uses")),
            ("Edition for 5.1", "edition-for-51", Some("edition-for-51")),
            ("team/review", "review", Some("review")),
            ("My_Demo", "My_Demo", Some("my-demo")),
            ("Prompt: review", "other", None),
            ("Memory Bank with Agent DB", "memory-bank-agent-db", Some("memory-bank-agent-db")),
            ("A: b", "a_b", None),
        ] {
            assert_eq!(better_name(name, folder).map(|(better, _)| better).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_name_is_corrected_where_case_and_signs_are_all() {
        for (name, expected) in [
            ("My_Skill", Some("my-skill")),
            ("-a--b- c.", Some("a-b-c")),
            ("naïve", None),
            ("a/b", None),
            ("__", None),
            ("2.0", Some("2-0")),
        ] {
            assert_eq!(corrected(name).as_ref().map(|(better, _)| better.as_str()), expected, "{name}");
        }
    }
}
