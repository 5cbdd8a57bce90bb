//! The metadata that the catalog reads from a skill's file, and the validity of the skill.

use crate::digest::Digest;
use crate::discovery::extract::extract_markdown_skill_text;
use crate::fault::Fault;
use crate::frontmatter::{FrontMatter, FrontMatterFlaw, FrontMatterSpan, find_front_matter};
use crate::limits::{SKILL_DESCRIPTION_CHARS_MAX, SKILL_NAME_CHARS_MAX};
use std::path::PathBuf;

/// The metadata in a skill's file. Valid as long as the file's stamp is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillHead {
    /// A skill that at least lenient clients accept.
    Skill {
        /// The name; at most `SKILL_NAME_CHARS_MAX` characters unless `flaws` says otherwise.
        name: String,
        /// The description; empty for some Python skills.
        description: String,
        /// SHA-256 of the file.
        digest: Digest,
        /// Reasons why a strict client rejects it.
        flaws: Vec<String>,
    },
    /// A stub; holds its source's folder.
    Stub(PathBuf),
    /// Not a skill; holds the reason.
    Invalid(String),
}

/// The names that a skill gets from its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceNames<'a> {
    /// The name of its folder, or of its file without `.md`, and the names of links to it.
    pub names: &'a [&'a str],
    /// Whether it is a single-file skill.
    pub is_single_file: bool,
}

/// Reads the head of a skill from its front matter and body.
///
/// Without front matter, the skill is named after its location; a single-file skill also if the front matter has no
/// name. Without a description, the first paragraph of the body is used. A name that is too long or differs from the
/// location's is a problem for strict clients only. A skill without any description or with unreadable front matter
/// is invalid.
pub fn judge(
    front: Result<Option<FrontMatter>, FrontMatterFlaw>,
    body: &str,
    place: PlaceNames<'_>,
    digest: Digest,
) -> SkillHead {
    match try_judge(front, body, place, digest) {
        Ok(head) => head,
        Err(fault) => SkillHead::Invalid(fault.to_string()),
    }
}

/// The text with quotes around each front matter value that contains an unquoted colon, as lenient clients read it
/// (client guide, P1); `None` if no value does.
pub fn requoted(text: &str) -> Option<String> {
    let FrontMatterSpan::Block { yaml: (start, end), .. } = find_front_matter(text) else { return None };
    let mut yaml = String::with_capacity(end - start + 16);
    for line in text[start..end].split_inclusive('\n') {
        let value = line.split_once(": ").filter(|(key, value)| {
            let value = value.trim();
            !key.is_empty()
                && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                && (value.contains(": ") || value.ends_with(':'))
                && !value.starts_with(['"', '\'', '|', '>', '[', '{', '&', '*', '!'])
        });
        match value {
            Some((key, value)) => {
                let escaped = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
                yaml.push_str(&format!("{key}: \"{escaped}\"\n"));
            }
            None => yaml.push_str(line),
        }
    }
    (yaml != text[start..end]).then(|| format!("{}{yaml}{}", &text[..start], &text[end..]))
}

fn try_judge(
    front: Result<Option<FrontMatter>, FrontMatterFlaw>,
    body: &str,
    place: PlaceNames<'_>,
    digest: Digest,
) -> Result<SkillHead, Fault> {
    let front = front?;
    let needs_name = front.is_some() && !place.is_single_file;
    let front = front.unwrap_or_default();
    let own = place.names.first().copied().unwrap_or_default();
    let (name, description) = extract_markdown_skill_text(&front, body, own);
    if description.is_empty() {
        front.required("description")?;
    }
    let mut flaws = Vec::new();
    if needs_name && let Err(fault) = front.required("name") {
        flaws.push(fault.to_string());
    }
    flaws.extend(self::flaws(&name, &description, place));
    Ok(SkillHead::Skill { name, description, digest, flaws })
}

/// The reasons why a strict client rejects a skill with this name and description at this location.
pub fn flaws(name: &str, description: &str, place: PlaceNames<'_>) -> Vec<String> {
    let mut flaws = flaws_of_name(name, place);
    let chars = description.chars().count();
    if chars > SKILL_DESCRIPTION_CHARS_MAX {
        flaws.push(format!(
            "description has {chars} characters, at most {SKILL_DESCRIPTION_CHARS_MAX} are allowed"
        ));
    }
    flaws
}

/// How a name violates the specification (skills specification 5.3); empty if it does not.
fn flaws_of_name(name: &str, place: PlaceNames<'_>) -> Vec<String> {
    let mut flaws = Vec::new();
    let shown: String = name.chars().take(SKILL_NAME_CHARS_MAX).collect();
    let chars = name.chars().count();
    if chars > SKILL_NAME_CHARS_MAX {
        flaws.push(format!("name has {chars} characters, at most {SKILL_NAME_CHARS_MAX} are allowed"));
    }
    if !is_kebab_case(name) {
        flaws.push(format!(
            "name '{shown}' must be lowercase words of letters and digits joined by single hyphens"
        ));
    }
    if !place.names.contains(&name) {
        let own = place.names.first().copied().unwrap_or_default();
        let what = if place.is_single_file { "file" } else { "folder" };
        flaws.push(format!("name '{shown}' differs from the name of its {what}, '{own}'"));
    }
    flaws
}

/// Whether a name matches `^[a-z0-9]+(-[a-z0-9]+)*$`.
fn is_kebab_case(name: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('-').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::{Node, Position, Value};

    #[test]
    fn a_value_with_an_unquoted_colon_is_put_in_quotes() {
        let text = "---\nname: x\ndescription: Use: \"when\" a\\b\nlist: [a: b]\n---\nbody: x: y\n";
        let quoted =
            "---\nname: x\ndescription: \"Use: \\\"when\\\" a\\\\b\"\nlist: [a: b]\n---\nbody: x: y\n";
        assert_eq!(requoted(text).as_deref(), Some(quoted));
        for other in ["---\nname: x\n---\n", "description: a: b", "---\na: b: c"] {
            assert_eq!(requoted(other), None, "{other}");
        }
    }

    #[test]
    fn names_are_lower_case_words_joined_by_single_hyphens() {
        for good in ["a", "a-b", "pdf2text", "0"] {
            assert!(is_kebab_case(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "é", "a b"] {
            assert!(!is_kebab_case(bad), "{bad}");
        }
    }

    /// A front matter with these fields; a value of `-` is a list.
    fn front(fields: &[(&str, &str)]) -> FrontMatter {
        let node = |value| Node { value, at: Position { line: 2, column: 1 }, span: 0..0, tag: None };
        let text = |text: &str| match text {
            "-" => node(Value::List(Vec::new())),
            text => node(Value::Scalar { text: text.to_owned(), is_plain: true }),
        };
        FrontMatter { fields: fields.iter().map(|(key, value)| (text(key), text(value))).collect() }
    }

    /// The name, the description and the flaws, or why it is no skill.
    fn judged(fields: Option<&[(&str, &str)]>, body: &str, is_single_file: bool) -> String {
        let place = PlaceNames { names: &["x", "link"], is_single_file };
        match judge(Ok(fields.map(front)), body, place, Digest([7; 32])) {
            SkillHead::Skill { name, description, digest, flaws } => {
                assert_eq!(digest, Digest([7; 32]));
                format!("{name}|{description}|{}", flaws.join(";"))
            }
            SkillHead::Invalid(message) => format!("invalid: {message}"),
            SkillHead::Stub(_) => unreachable!("only a scan finds stubs"),
        }
    }

    /// RFC-0010:C-CATALOG
    #[test]
    fn a_skill_is_what_its_front_matter_says_and_else_its_place_and_first_paragraph() {
        let named = "name 'y' differs from the name of its folder, 'x'";
        let missing = "invalid: missing frontmatter field 'description' in SKILL.md";
        for (fields, body, expected) in [
            (Some(&[("name", "x"), ("description", "Tests.")][..]), "# T\n\nBody.", "x|Tests.|"),
            (Some(&[("name", "link"), ("description", "Tests.")]), "", "link|Tests.|"),
            (Some(&[("name", "y"), ("description", "Tests.")]), "", &format!("y|Tests.|{named}")),
            (Some(&[("name", "x")]), "# T\n\nBody.", "x|Body.|"),
            (None, "Body.", "x|Body.|"),
            (Some(&[("name", "x")]), "# T", missing),
            (None, "", missing),
        ] {
            assert_eq!(judged(fields, body, false), expected, "{fields:?}");
        }
        assert!(judged(Some(&[("description", "-")]), "", false).contains("description is a list, not text"));
        assert!(judged(Some(&[("description", "Tests.")]), "", false).starts_with("x|Tests.|missing"));
        let flaw = FrontMatterFlaw { message: "is broken".into(), at: None };
        let broken = judge(Err(flaw), "", PlaceNames { names: &[], is_single_file: false }, Digest([7; 32]));
        assert!(matches!(broken, SkillHead::Invalid(message) if message.contains("is broken")));
    }

    /// RFC-0010:C-SINGLE
    #[test]
    fn a_single_file_needs_no_name_but_no_other_one_either() {
        assert_eq!(judged(Some(&[("description", "Tests.")]), "", true), "x|Tests.|");
        let other = judged(Some(&[("name", "y"), ("description", "Tests.")]), "", true);
        assert_eq!(other, "y|Tests.|name 'y' differs from the name of its file, 'x'");
    }

    /// RFC-0010:C-CATALOG
    #[test]
    fn a_name_has_at_most_64_characters_and_a_description_1024() {
        let count = |name: &str, description: &str| {
            flaws(name, description, PlaceNames { names: &[name], is_single_file: false }).len()
        };
        assert_eq!(count(&"a".repeat(64), &"é".repeat(1_024)), 0);
        assert_eq!(count(&"a".repeat(65), ""), 1);
        assert_eq!(count("a", &"é".repeat(1_025)), 1);
        let long = flaws(&"A".repeat(65), "", PlaceNames { names: &[], is_single_file: false });
        assert_eq!(long.len(), 3, "{long:?}");
        assert!(long[0].contains("has 65 characters") && long[1].contains(&format!("'{}'", "A".repeat(64))));
    }

    #[test]
    fn only_an_unquoted_value_of_a_plain_key_is_put_in_quotes() {
        let quoted = |line: &str| requoted(&format!("---\n{line}\n---\n")).is_some();
        for line in ["a: b: c", "a-b_1: Use:", "a: b: \"c\""] {
            assert!(quoted(line), "{line}");
        }
        for line in ["a: b", "a: b:c", "a: 'b: c'", "a: {b: c}", "a b: c: d", ": b: c", "a: |: b", "é: b: c"]
        {
            assert!(!quoted(line), "{line}");
        }
    }
}
