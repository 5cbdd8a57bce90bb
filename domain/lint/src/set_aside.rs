//! Skills in folders from which no client loads any: test fixtures, archives, translations of a documentation.

use crate::finding::Finding;
use crate::rule::Tier;
use crate::security::evidence;

/// Names of folders for test data and for what is no longer used.
const FOLDERS: &[&str] = &[
    "__fixtures__",
    "_archive",
    "archive",
    "archived",
    "attic",
    "deprecated",
    "fixture",
    "fixtures",
    "test-data",
    "test_data",
    "testdata",
];
/// Names of folders that contain one folder for each language.
const OF_LANGUAGES: &[&str] = &["docs", "i18n", "l10n", "locales", "translations"];

/// Whether a skill at a path, relative to the folder of the run, is set aside: `tests/fixtures/demo`,
/// `docs/ja-JP/skills/demo`.
pub fn is_set_aside(path: &str) -> bool {
    let above: Vec<&str> = path.split('/').rev().skip(1).collect();
    above.iter().any(|folder| FOLDERS.contains(folder))
        || above.windows(2).any(|two| is_locale(two[0]) && OF_LANGUAGES.contains(&two[1]))
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

/// Lowers the findings of a skill that is set aside, except those about security.
pub fn weigh_set_aside(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| evidence::of(finding.rule.id).is_none()) {
        finding.issue.tier(Tier::Style);
    }
}

#[cfg(test)]
mod tests {
    use super::is_set_aside;

    #[test]
    fn fixtures_archives_and_translations_are_set_aside() {
        for (path, expected) in [
            ("tests/fixtures/demo", true),
            (".claude/skills/deprecated/demo/lib/one", true),
            ("docs/ja-JP/skills/demo", true),
            ("docs/pt_BR/demo", true),
            ("skills/fixtures", false),
            ("skills/ja-JP/demo", false),
            ("docs/skills/demo", false),
            ("demo", false),
            ("", false),
        ] {
            assert_eq!(is_set_aside(path), expected, "{path}");
        }
    }
}
