//! Which skills of a run a client could offer side by side (SKL403, SKL404).

use crate::set_aside::{client_in_name, client_in_parts, is_of_agent, is_set_aside};
use crate::view::SkillCard;

/// Whether a client could offer both. It does not if they are copies of one text, in the folders of different clients, in
/// different plugins, whose names are prefixes, or if one is set aside.
pub fn compete(one: &SkillCard, other: &SkillCard) -> bool {
    let plugins = || Some((plugin_of(&one.place)?, plugin_of(&other.place)?));
    let are_in_two_plugins = || plugins().is_some_and(|(one, other)| one != other);
    let is_copy = one.first_copy == other.first_copy;
    let is_one_aside = is_set_aside(&one.place) || is_set_aside(&other.place);
    let are_for_one_client =
        client_of(&one.place) == client_of(&other.place) && variant(one) == variant(other);
    !is_copy && !is_one_aside && are_for_one_client && !are_in_two_plugins()
}

/// The folder of a client that a path is in, wherever that is: `.claude` of `acme/.claude/skills/demo`, `codex` of
/// `providers/codex/skills/demo` and of `packages/acme-codex/skills/demo`.
fn client_of(place: &str) -> Option<&str> {
    let above = place.rsplit_once('/').map_or("", |(above, _)| above);
    above.split('/').find_map(|folder| match folder.strip_prefix('.') {
        Some(_) => Some(folder),
        None => client_in_parts(folder).or_else(|| is_of_agent(folder).then_some(folder)),
    })
}

/// The client that a skill's own folder is named after: `codex` for the skill `demo` in `codex-demo`.
fn variant(card: &SkillCard) -> Option<&str> {
    let folder = card.place.rsplit('/').next().unwrap_or_default();
    let name = card.name.as_ref().map(|(name, _)| name.trim())?;
    client_in_name(folder, name)
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
            ("packages/acme-codex/skills/demo", "skills/demo", false),
            ("packages/acme-codex/skills/demo", "codex/skills/demo", true),
            ("packages/github-tools/skills/demo", "skills/demo", true),
            ("plugins/a/skills/demo", "plugins/b/skills/demo", false),
            ("plugins/a/skills/demo", "plugins/a/skills/other", true),
            ("plugins/a/skills/demo", "skills/demo", true),
            ("plugins/demo", "plugins/other", true),
        ] {
            assert_eq!(compete(&card(one, 0), &card(other, 1)), expected, "{one} {other}");
        }
        assert!(!compete(&card("skills/demo", 0), &card("packages/acme/skills/demo", 0)));
        let named = |place: &str, at| SkillCard { name: Some(("demo".into(), 0..0)), ..card(place, at) };
        for (one, other, expected) in [
            ("skills/codex", "skills/claude-code", false),
            ("skills/demo", "skills/codex-demo", false),
            ("skills/demo", "skills/demo-codex", false),
            ("skills/demo", "skills/acme-demo", true),
        ] {
            assert_eq!(compete(&named(one, 0), &named(other, 1)), expected, "{one} {other}");
        }
    }

    fn card(place: &str, first_copy: usize) -> SkillCard {
        SkillCard { shown: place.into(), place: place.into(), first_copy, name: None, description: None }
    }
}
