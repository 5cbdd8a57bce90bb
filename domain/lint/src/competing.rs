//! Which skills of a run a client could offer side by side (SKL403, SKL404).

use crate::set_aside::{is_of_agent, is_set_aside};
use crate::view::SkillCard;

/// Whether a client could offer both. It does not if they are copies of one text, in the folders of different clients, in
/// different plugins, whose names are prefixes, or if one is set aside.
pub fn compete(one: &SkillCard, other: &SkillCard) -> bool {
    let plugins = || Some((plugin_of(&one.place)?, plugin_of(&other.place)?));
    let are_in_two_plugins = || plugins().is_some_and(|(one, other)| one != other);
    let is_copy = one.first_copy == other.first_copy;
    let is_one_aside = is_set_aside(&one.place) || is_set_aside(&other.place);
    !is_copy && !is_one_aside && client_of(&one.place) == client_of(&other.place) && !are_in_two_plugins()
}

/// The folder of a client that a path is in, wherever that is: `.claude` of `acme/.claude/skills/demo`, `codex` of
/// `providers/codex/skills/demo`.
fn client_of(place: &str) -> Option<&str> {
    let above = place.rsplit_once('/').map_or("", |(above, _)| above);
    above.split('/').find(|folder| folder.starts_with('.') || is_of_agent(folder))
}

/// The plugin that a path is in: `acme` of `plugins/acme/skills/demo`.
fn plugin_of(place: &str) -> Option<&str> {
    let mut folders = place.split('/').skip_while(|folder| *folder != "plugins").skip(1);
    // What follows is a skill of the folder itself otherwise.
    folders.next().filter(|_| folders.next().is_some())
}

#[cfg(test)]
mod tests {
    use super::compete;
    use crate::view::SkillCard;

    #[test]
    fn skills_of_one_client_and_plugin_compete() {
        for (one, other, expected) in [
            ("skills/demo", "skills/other", true),
            ("skills/demo", "packages/acme/skills/demo", true),
            (".claude/skills/demo", ".claude/skills/other", true),
            (".claude/skills/demo", "acme/.claude/skills/demo", true),
            ("skills/demo", ".claude/skills/demo", false),
            ("providers/codex/skills/demo", "providers/claude/skills/demo", false),
            ("skills/codex", "skills/claude", true),
            (".codex/skills/demo", ".claude/skills/demo", false),
            ("plugins/a/skills/demo", "plugins/b/skills/demo", false),
            ("plugins/a/skills/demo", "plugins/a/skills/other", true),
            ("plugins/a/skills/demo", "skills/demo", true),
            ("plugins/demo", "plugins/other", true),
        ] {
            assert_eq!(compete(&card(one, 0), &card(other, 1)), expected, "{one} {other}");
        }
        assert!(!compete(&card("skills/demo", 0), &card("packages/acme/skills/demo", 0)));
    }

    fn card(place: &str, first_copy: usize) -> SkillCard {
        SkillCard { shown: place.into(), place: place.into(), first_copy, name: None, description: None }
    }
}
