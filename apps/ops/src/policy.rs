//! The policy over this run's settings, and whether its patterns can be read.

use crate::app::App;
use glob::Pattern;
use skillc_domain::discovery::policy::Policy;
use skillc_domain::fault::Warning;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Does something with the policy of this run. Patterns are read once.
pub fn with_policy<T>(app: &App, ask: impl FnOnce(&Policy<'_>) -> T) -> T {
    let read: RefCell<BTreeMap<String, Option<Pattern>>> = RefCell::default();
    let takes = |pattern: &str, name: &str| {
        let mut read = read.borrow_mut();
        if !read.contains_key(pattern) {
            read.insert(pattern.to_owned(), Pattern::new(pattern).ok());
        }
        read.get(pattern).and_then(Option::as_ref).is_some_and(|pattern| pattern.matches(name))
    };
    ask(&Policy { skills: &app.settings.skills, permissions: &app.settings.permissions, takes: &takes })
}

/// A warning for each pattern of a rule that is none; it takes the very name that it spells, and no other.
pub fn unreadable_patterns(app: &App) -> Vec<Warning> {
    let permissions = &app.settings.permissions;
    let rules = [&permissions.deny, &permissions.allow, &permissions.confirm].into_iter().flatten();
    let patterns = rules.filter_map(|rule| rule.skill_name.as_ref());
    let unreadable = patterns.filter_map(|pattern| {
        let error = Pattern::new(pattern).err()?;
        Some(Warning::UnreadablePattern { pattern: pattern.clone(), message: error.msg.to_owned() })
    });
    unreadable.collect()
}
