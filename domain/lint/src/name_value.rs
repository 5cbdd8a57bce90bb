//! A name as the value of a field.

use crate::yaml_type::{YamlType, yaml_1_1, yaml_1_2};
use skillc_domain::name::SkillName;

/// A name of the format of SKL102 and SKL103 as it is written behind `name:`, in quotes where it could be read as
/// anything else than text; `None` for any other name.
pub fn name_value(name: &str) -> Option<String> {
    SkillName::for_new(name).ok().filter(|allowed| allowed.as_str() == name)?;
    let is_text = yaml_1_1(name) == YamlType::Text && yaml_1_2(name) == YamlType::Text;
    Some(if is_text { name.to_owned() } else { format!("\"{name}\"") })
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
}
