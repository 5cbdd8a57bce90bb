//! Formats a name as the value of a field.

use crate::yaml_type::{YamlType, yaml_1_1, yaml_1_2};
use skillc_domain::name::SkillName;

/// A name that satisfies SKL102 and SKL103, as it is written after `name:`; quoted if it could be read as anything
/// but text. `None` for any other name.
pub fn name_value(name: &str) -> Option<String> {
    SkillName::for_new(name).ok().filter(|allowed| allowed.as_str() == name)?;
    let is_text = yaml_1_1(name) == YamlType::Text && yaml_1_2(name) == YamlType::Text;
    Some(if is_text { name.to_owned() } else { format!("\"{name}\"") })
}

/// A name formatted to replace another value, with the same quotes.
pub fn name_in_place_of(old: &str, name: &str) -> Option<String> {
    let value = name_value(name)?;
    let quote = ['"', '\'']
        .into_iter()
        .find(|quote| old.len() > 1 && old.starts_with(*quote) && old.ends_with(*quote));
    Some(quote.map_or(value, |quote| format!("{quote}{name}{quote}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_plain_text_is_quoted() {
        for (name, value) in [
            ("my-skill", Some("my-skill")),
            ("12", Some("\"12\"")),
            ("null", Some("\"null\"")),
            ("My", None),
            ("a_b", None),
            ("", None),
        ] {
            assert_eq!(name_value(name).as_deref(), value, "{name}");
        }
    }

    #[test]
    fn a_new_name_gets_the_quotes_of_the_old_one() {
        for (old, value) in [
            ("x", "my-skill"),
            ("\"x\"", "\"my-skill\""),
            ("'x'", "'my-skill'"),
            ("'", "my-skill"),
            ("", "my-skill"),
        ] {
            assert_eq!(name_in_place_of(old, "my-skill").as_deref(), Some(value), "{old}");
        }
        assert_eq!(name_in_place_of("x", "12").as_deref(), Some("\"12\""));
        assert_eq!(name_in_place_of("'x'", "My"), None);
    }
}
