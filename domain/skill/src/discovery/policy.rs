//! The policy: which skills are visible and may be loaded (RFC-0010:C-POLICY).

use crate::discovery::settings::{PermissionRule, Permissions, SkillsSettings};

/// The tool to which rules apply; rules for other tools are ignored.
pub const TOOL: &str = "skill_load";

/// Whether a skill may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyDecision<'a> {
    /// Allowed.
    Allowed,
    /// Denied and hidden.
    Denied(&'a PermissionRule),
    /// Allowed if a person consents.
    Confirm(&'a PermissionRule),
    /// Disabled by name.
    Disabled,
    /// All skills are disabled.
    Off,
}

/// The settings that govern access to skills.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// `[skills]`.
    pub skills: &'a SkillsSettings,
    /// `[permissions]`.
    pub permissions: &'a Permissions,
    /// Matches a glob pattern (first argument) against a name.
    pub takes: &'a dyn Fn(&str, &str) -> bool,
}

impl<'a> Policy<'a> {
    /// Decides about the skill with this name. `deny` outranks `allow`, which outranks `confirm`; without a matching
    /// rule the skill is allowed.
    pub fn verdict(&self, name: &str) -> PolicyDecision<'a> {
        if !self.skills.enabled {
            return PolicyDecision::Off;
        }
        if self.skills.disabled.iter().any(|disabled| disabled == name) {
            return PolicyDecision::Disabled;
        }
        let permissions = self.permissions;
        let first = |rules: &'a [PermissionRule]| rules.iter().find(|rule| self.speaks_of(rule, name));
        if let Some(rule) = first(&permissions.deny) {
            return PolicyDecision::Denied(rule);
        }
        if first(&permissions.allow).is_some() {
            return PolicyDecision::Allowed;
        }
        first(&permissions.confirm).map_or(PolicyDecision::Allowed, PolicyDecision::Confirm)
    }

    /// Whether the skill with this name appears in catalogs and answers, as skills that need consent do.
    pub fn is_visible(&self, name: &str) -> bool {
        matches!(self.verdict(name), PolicyDecision::Allowed | PolicyDecision::Confirm(_))
    }

    fn speaks_of(&self, rule: &PermissionRule, name: &str) -> bool {
        let is_ours = rule.tool.as_deref().is_none_or(|tool| tool == TOOL);
        let takes = |pattern: &str| pattern == name || (self.takes)(pattern, name);
        is_ours && rule.skill_name.as_deref().is_none_or(takes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(tool: Option<&str>, skill_name: Option<&str>) -> PermissionRule {
        PermissionRule { tool: tool.map(str::to_owned), skill_name: skill_name.map(str::to_owned) }
    }

    fn named(names: &[&str]) -> Vec<PermissionRule> {
        names.iter().map(|name| rule(None, Some(name))).collect()
    }

    /// Matches a name; a pattern ending with `*` matches every name with that prefix.
    fn takes(pattern: &str, name: &str) -> bool {
        pattern.strip_suffix('*').is_some_and(|start| name.starts_with(start))
    }

    fn word(permissions: &Permissions, name: &str) -> &'static str {
        let skills = SkillsSettings { disabled: vec!["off".to_owned()], ..SkillsSettings::default() };
        let policy = Policy { skills: &skills, permissions, takes: &takes };
        match policy.verdict(name) {
            PolicyDecision::Allowed => "allowed",
            PolicyDecision::Denied(_) => "denied",
            PolicyDecision::Confirm(_) => "confirm",
            PolicyDecision::Disabled => "disabled",
            PolicyDecision::Off => "off",
        }
    }

    /// RFC-0010:C-POLICY
    #[test]
    fn a_denial_comes_before_a_permission_and_that_before_a_question() {
        let permissions = Permissions {
            allow: named(&["a-*", "b-one"]),
            deny: named(&["a-secret"]),
            confirm: named(&["b-*", "a-*", "c"]),
        };
        for (name, verdict) in [
            ("a-secret", "denied"),
            ("a-other", "allowed"),
            ("b-one", "allowed"),
            ("b-two", "confirm"),
            ("c", "confirm"),
            ("d", "allowed"),
            ("off", "disabled"),
        ] {
            assert_eq!(word(&permissions, name), verdict, "{name}");
        }
    }

    /// RFC-0010:C-POLICY
    #[test]
    fn a_rule_of_another_tool_is_ignored_and_one_without_a_name_takes_all() {
        let others = Permissions { deny: vec![rule(Some("bash"), None)], ..Permissions::default() };
        assert_eq!(word(&others, "x"), "allowed");
        for all in [rule(Some(TOOL), None), rule(None, None), rule(None, Some("*"))] {
            assert_eq!(word(&Permissions { deny: vec![all], ..Permissions::default() }, "x"), "denied");
        }
    }

    #[test]
    fn a_name_with_signs_of_patterns_is_met_by_itself() {
        let permissions = Permissions { deny: named(&["a[b"]), ..Permissions::default() };
        assert_eq!(word(&permissions, "a[b"), "denied");
        assert_eq!(word(&permissions, "ab"), "allowed");
    }

    /// RFC-0010:C-POLICY
    #[test]
    fn a_skill_that_needs_consent_is_visible_and_a_denied_one_is_not() {
        let skills = SkillsSettings::default();
        let permissions =
            Permissions { deny: named(&["a"]), confirm: named(&["b"]), ..Permissions::default() };
        let policy = Policy { skills: &skills, permissions: &permissions, takes: &takes };
        assert_eq!(["a", "b", "c"].map(|name| policy.is_visible(name)), [false, true, true]);
        let off = SkillsSettings { enabled: false, ..SkillsSettings::default() };
        assert!(!Policy { skills: &off, ..policy }.is_visible("c"));
    }
}
