//! A well-known index: what clients do with it, before and after they read the files that it lists.

use super::metadata::PackedMetadata;
use crate::verdict::name_flaws;
use skillc_domain::limits::SKILL_DESCRIPTION_CHARS_MAX;

/// The `$schema` of the version that clients read.
pub const INDEX_SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// The `type` of a skill that is only a SKILL.md.
pub const SKILL_MD_TYPE: &str = "skill-md";
/// The `type` of a skill that is an archive.
pub const ARCHIVE_TYPE: &str = "archive";

/// A skill as listed in an index. A field is `None` if it is missing or not text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedArtifact {
    /// `name`.
    pub name: Option<String>,
    /// `type`.
    pub r#type: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `url`.
    pub url: Option<String>,
    /// `digest`.
    pub digest: Option<String>,
}

/// Why clients do not use a listed skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscoveryFlaw {
    /// The fact, in lower case.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

impl DiscoveryFlaw {
    /// Makes a flaw.
    pub fn new(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { message: message.into(), advice: advice.into() }
    }
}

const PUBLISH: &str =
    "run 'skc publish --well-known' again, and upload the index with the files of the skills";

/// Why clients do not read an index with this `$schema`.
pub fn schema_flaw(schema: Option<&str>) -> Option<DiscoveryFlaw> {
    match schema {
        Some(INDEX_SCHEMA) => None,
        Some(other) => Some(DiscoveryFlaw::new(
            format!("its $schema is '{}', and skc reads '{INDEX_SCHEMA}'", excerpt(other)),
            "clients of version 0.2.0 ignore an index of another version; publish one of 0.2.0, or update skc",
        )),
        None => {
            Some(DiscoveryFlaw::new("it has no $schema, as in version 0.1, which has no digests", PUBLISH))
        }
    }
}

/// Flaws of an entry that the index alone reveals.
pub fn listing_flaws(skill: &ListedArtifact) -> Vec<DiscoveryFlaw> {
    let flaw = |message: String| DiscoveryFlaw::new(message, PUBLISH);
    let fields = [
        ("name", &skill.name),
        ("type", &skill.r#type),
        ("description", &skill.description),
        ("url", &skill.url),
        ("digest", &skill.digest),
    ];
    let is_missing = |value: &&Option<String>| value.as_deref().is_none_or(|text| text.trim().is_empty());
    let mut found: Vec<DiscoveryFlaw> = fields
        .iter()
        .filter(|(_, value)| is_missing(value))
        .map(|(key, _)| flaw(format!("the index has no {key} for it, or the {key} is not text")))
        .collect();
    found.extend(skill.name.iter().flat_map(|name| name_flaws(name)).map(flaw));
    let is_known = |kind: &&String| matches!(kind.as_str(), SKILL_MD_TYPE | ARCHIVE_TYPE);
    let unknown = skill.r#type.iter().find(|kind| !is_known(kind));
    found.extend(
        unknown.map(|kind| flaw(format!("type '{}' is neither 'skill-md' nor 'archive'", excerpt(kind)))),
    );
    let chars = skill.description.as_ref().map_or(0, |description| description.chars().count());
    if chars > SKILL_DESCRIPTION_CHARS_MAX {
        found.push(flaw(format!(
            "description has {chars} characters, more than {SKILL_DESCRIPTION_CHARS_MAX}"
        )));
    }
    let unreadable = skill.digest.iter().find(|digest| !is_digest(digest));
    found.extend(unreadable.map(|digest| {
        flaw(format!("digest '{}' is not 'sha256:' and 64 digits from 0 to 9 and a to f", excerpt(digest)))
    }));
    found
}

/// The beginning of a text from the site, which may be long.
fn excerpt(text: &str) -> String {
    const CHARS_MAX: usize = 100;
    text.chars().take(CHARS_MAX).collect()
}

fn is_digest(text: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.strip_prefix("sha256:").is_some_and(|hex| hex.len() == 64 && hex.bytes().all(is_hex))
}

/// Differences between the index and the SKILL.md that was read.
pub fn differences(skill: &ListedArtifact, read: &PackedMetadata) -> Vec<DiscoveryFlaw> {
    let pairs = [("name", &skill.name, &read.name), ("description", &skill.description, &read.description)];
    let differs = |listed: &Option<String>, read: &Option<String>| match (listed, read) {
        (Some(listed), Some(read)) => listed.trim() != read.trim(),
        _ => false,
    };
    pairs
        .iter()
        .filter(|(_, listed, read)| differs(listed, read))
        .map(|(key, ..)| DiscoveryFlaw::new(format!("its SKILL.md and the index differ in {key}"), PUBLISH))
        .collect()
}

/// A mismatch between the index's digest and that of the file that was read.
pub fn digest_flaw(skill: &ListedArtifact, digest: &str) -> Option<DiscoveryFlaw> {
    let listed = skill.digest.as_deref().filter(|listed| is_digest(listed) && *listed != digest)?;
    let message = format!("its file has the digest {digest}, but the index has {listed}");
    Some(DiscoveryFlaw::new(message, "upload index and files together, and clear caches between them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill() -> ListedArtifact {
        let text = |text: &str| Some(text.to_owned());
        ListedArtifact {
            name: text("demo"),
            r#type: text("archive"),
            description: text("Does it."),
            url: text("demo.zip"),
            digest: Some(format!("sha256:{}", "0a".repeat(32))),
        }
    }

    fn messages(flaws: Vec<DiscoveryFlaw>) -> Vec<String> {
        flaws.into_iter().map(|flaw| flaw.message).collect()
    }

    /// RFC-0015:C-PUBLISH-CHECK
    #[test]
    fn each_field_of_an_index_is_checked() {
        assert_eq!(listing_flaws(&skill()), []);
        assert_eq!(listing_flaws(&ListedArtifact::default()).len(), 5);
        let text = |text: &str| Some(text.to_owned());
        for (bad, expected) in [
            (ListedArtifact { name: text("Demo"), ..skill() }, "uppercase"),
            (ListedArtifact { name: text(" "), ..skill() }, "no name"),
            (ListedArtifact { r#type: text("zip"), ..skill() }, "type 'zip'"),
            (ListedArtifact { description: Some("x".repeat(1_025)), ..skill() }, "1025 characters"),
            (ListedArtifact { url: None, ..skill() }, "no url"),
            (ListedArtifact { digest: text("sha256:00"), ..skill() }, "digest 'sha256:00'"),
            (ListedArtifact { digest: Some("sha256:".to_owned() + &"0A".repeat(32)), ..skill() }, "digest"),
        ] {
            let found = messages(listing_flaws(&bad));
            assert!(found.iter().any(|message| message.contains(expected)), "{expected}: {found:?}");
        }
        for (schema, expected) in [
            (Some(INDEX_SCHEMA), None),
            (Some("https://schemas.agentskills.io/discovery/0.3.0/schema.json"), Some("0.3.0")),
            (None, Some("no $schema")),
        ] {
            let found = schema_flaw(schema).map(|flaw| flaw.message);
            assert_eq!(found.is_some(), expected.is_some());
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
    }

    /// RFC-0015:C-PUBLISH-CHECK
    #[test]
    fn the_files_read_are_compared_with_the_index() {
        let text = |text: &str| Some(text.to_owned());
        let read =
            PackedMetadata { name: text("demo"), description: text("Does it.\n"), ..Default::default() };
        assert_eq!(differences(&skill(), &read), []);
        let read = PackedMetadata { name: text("other"), description: text("No."), ..Default::default() };
        assert_eq!(differences(&skill(), &read).len(), 2);
        assert_eq!(digest_flaw(&skill(), &skill().digest.unwrap()), None);
        assert!(digest_flaw(&skill(), "sha256:00").is_some());
    }
}
