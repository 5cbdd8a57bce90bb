//! What `skc init` writes (RFC-0006:C-INIT).

use crate::name::SkillName;

/// The first SKILL.md of a new skill.
pub fn skill_md(name: &SkillName) -> String {
    format!("---\nname: {name}\ndescription: \"TODO: Add skill description\"\n---\n\n# {}\n", title(name))
}

/// `my-skill` as `My Skill`.
fn title(name: &SkillName) -> String {
    let words = name.as_str().split('-').filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    words.map(capital).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0006:C-INIT
    #[test]
    fn the_first_skill_md_has_its_title_in_capitals() {
        let text = skill_md(&SkillName::for_new("Rust-CLI2").unwrap());
        assert_eq!(
            text,
            "---\nname: rust-cli2\ndescription: \"TODO: Add skill description\"\n---\n\n# Rust Cli2\n"
        );
    }
}
