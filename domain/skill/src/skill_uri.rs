//! URIs of served files: `skill://<place>/<path>`, as MCP's skills extension defines them (RFC-0007:C-MCP-SKILLS).

use crate::path::RelPath;
use std::fmt;

/// The prefix of every such URI.
const SCHEME: &str = "skill://";
/// The first segment of the place of a skill whose name is taken.
const ASIDE: &str = "global";

/// Identifies a skill among those that are served: its name, or its name below `global/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPlace(String);

/// A file or folder of a served skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillUri {
    /// The skill that contains it.
    pub place: SkillPlace,
    /// Path in the skill; the root for the skill's own folder.
    pub path: RelPath,
}

impl SkillPlace {
    /// The place of the first skill with a name. `None` for a skill called `global`, since that segment is reserved.
    pub fn of(name: &str) -> Option<Self> {
        (name != ASIDE).then(|| Self(name.to_owned()))
    }

    /// The place of a skill whose name another one has.
    pub fn aside(name: &str) -> Self {
        Self(format!("{ASIDE}/{name}"))
    }

    /// Parses a place as people and completions write it: `demo`, `global/demo`.
    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once('/') {
            Some((ASIDE, name)) if can_be_name(name) => Some(Self::aside(name)),
            None if can_be_name(name) => Self::of(name),
            _ => None,
        }
    }

    /// `demo` or `global/demo`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SkillUri {
    /// The URI of a file or folder in a skill.
    pub fn new(place: &SkillPlace, path: RelPath) -> Self {
        Self { place: place.clone(), path }
    }

    /// Parses a URI from a client. Each segment of the path is decoded once and must then be a plain name.
    ///
    /// `None` for anything but a visible file or folder: another scheme, a query, a fragment, a segment that is
    /// empty, hidden, `.` or `..`, or that contains `/`, `\` or NUL after decoding, and text that is not UTF-8.
    pub fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME).filter(|rest| !rest.contains(['?', '#']))?;
        let mut segments = rest.split('/');
        let place = match segments.next()? {
            ASIDE => SkillPlace::aside(&skill_name(segments.next()?)?),
            segment => SkillPlace(skill_name(segment)?),
        };
        let names = segments.map(name_of).collect::<Option<Vec<String>>>()?;
        Some(Self { place, path: RelPath::parse(&names.join("/")).ok()? })
    }
}

/// The canonical form: everything but letters, digits and `-._~` is percent-encoded.
impl fmt::Display for SkillUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", percent_encoded(self.place.as_str()))?;
        if !self.path.is_root() {
            write!(f, "/{}", encoded(&self.path))?;
        }
        Ok(())
    }
}

/// A path as part of a URI: `/` between segments, and in them everything but letters, digits and `-._~`
/// percent-encoded.
pub fn encoded(path: &RelPath) -> String {
    percent_encoded(path.as_str())
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Decodes the name of a skill, which must be in canonical form.
fn skill_name(segment: &str) -> Option<String> {
    decoded(segment).filter(|name| can_be_name(name) && percent_encoded(name) == segment)
}

/// Whether a skill can be served under a name: the name must be one visible path segment.
pub fn can_be_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// Decodes the name of a file or folder.
fn name_of(segment: &str) -> Option<String> {
    let name = decoded(segment)?;
    // Hidden names are not served, which also excludes `.` and `..`.
    can_be_name(&name).then_some(name)
}

/// Percent-decodes a segment, once.
fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut parts = segment.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        let is_code = code.bytes().all(|byte| byte.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(code, 16).ok().filter(|_| is_code)?);
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(uri: &str) -> Option<(String, String)> {
        SkillUri::parse(uri).map(|uri| (uri.place.to_string(), uri.path.to_string()))
    }

    #[test]
    fn a_name_leads_to_a_place_and_a_path() {
        for (uri, place, path) in [
            ("skill://demo/SKILL.md", "demo", "SKILL.md"),
            ("skill://demo", "demo", ""),
            ("skill://global/demo/a/b.md", "global/demo", "a/b.md"),
            ("skill://global/global", "global/global", ""),
            ("skill://demo/a%20b/%C3%A9.md", "demo", "a b/é.md"),
            ("skill://demo/a b/é.md", "demo", "a b/é.md"),
            ("skill://Demo/x.md", "Demo", "x.md"),
            ("skill://My%20Skill", "My Skill", ""),
            ("skill://global/%C3%A9", "global/é", ""),
        ] {
            assert_eq!(parsed(uri), Some((place.to_owned(), path.to_owned())), "{uri}");
        }
    }

    /// RFC-0007:C-MCP-RESOURCES
    #[test]
    fn a_uri_that_climbs_hides_or_is_no_skills_is_refused() {
        for uri in [
            "",
            "demo/SKILL.md",
            "file:///etc/passwd",
            "SKILL://demo/SKILL.md",
            "skill:///etc/passwd",
            "skill://",
            "skill://global",
            "skill://global/",
            "skill://%64emo/SKILL.md",
            "skill://My Skill/SKILL.md",
            "skill://My%20skill%2Fx/SKILL.md",
            "skill://%2Egit/config",
            "skill://../demo/SKILL.md",
            "skill://demo/",
            "skill://demo//SKILL.md",
            "skill://demo/a/",
            "skill://demo/./SKILL.md",
            "skill://demo/../x",
            "skill://demo/%2e%2e/x",
            "skill://demo/%2E./x",
            "skill://demo/a%2F..%2Fx",
            "skill://demo/%2Fetc/passwd",
            "skill://demo/a%5Cb",
            "skill://demo/a\\b",
            "skill://demo/a%00b",
            "skill://demo/a\0b",
            "skill://demo/.git/config",
            "skill://demo/%2Egit/config",
            "skill://demo/%",
            "skill://demo/%4",
            "skill://demo/%zz",
            "skill://demo/%+1",
            "skill://demo/%é",
            "skill://demo/%ff",
            "skill://demo/SKILL.md?x",
            "skill://demo/SKILL.md#x",
            "skill://demo@host/SKILL.md",
            "skill://demo:80/SKILL.md",
        ] {
            assert_eq!(parsed(uri), None, "{uri:?}");
        }
    }

    /// RFC-0007:C-MCP-RESOURCES
    #[test]
    fn a_uri_is_decoded_once() {
        let twice = "skill://demo/%252e%252e/x";
        assert_eq!(parsed(twice).unwrap().1, "%2e%2e/x");
        assert_eq!(SkillUri::parse(twice).unwrap().to_string(), twice);
    }

    #[test]
    fn a_skill_called_global_moves_aside() {
        assert_eq!(SkillPlace::of("global"), None);
        assert_eq!(SkillPlace::of("demo").unwrap().as_str(), "demo");
        assert_eq!(SkillPlace::aside("global").as_str(), "global/global");
    }

    proptest! {
        #[test]
        fn formatted_values_parse_to_the_same_value(names in prop::collection::vec("[^/\\\\\u{0}.][^/\\\\\u{0}]{0,6}", 1..4)) {
            let uri = SkillUri::new(&SkillPlace::aside("demo"), RelPath::parse(&names.join("/")).unwrap());
            let written = uri.to_string();
            prop_assert!(written.is_ascii());
            prop_assert_eq!(SkillUri::parse(&written), Some(uri));
        }

        #[test]
        fn no_text_leads_out(uri in "(skill://)?(demo|global/x)?(/|%2[eEfF]|%5c|%00|\\.|\\\\|a|%|25|é){0,12}") {
            if let Some(uri) = SkillUri::parse(&uri) {
                prop_assert!(uri.path.as_str().split('/').all(|name| name.is_empty() || !name.starts_with('.')));
                prop_assert!(!uri.path.as_str().contains(['\\', '\0']));
            }
        }
    }

    /// RFC-0007:C-MCP-SKILLS
    #[test]
    fn a_place_is_written_as_a_name_or_below_global() {
        let parsed = |name: &str| SkillPlace::parse(name).map(|place| place.to_string());
        for (name, place) in [
            ("demo", Some("demo")),
            ("global/demo", Some("global/demo")),
            ("global/global", Some("global/global")),
            ("global", None),
            ("other/demo", None),
            ("global/.x", None),
            ("global/", None),
            (".x", None),
            ("", None),
            ("a\\b", None),
        ] {
            assert_eq!(parsed(name).as_deref(), place, "{name}");
        }
        assert_eq!(SkillPlace::of("global"), None);
    }
}
