//! How many clients load the skill, according to lint's verdicts.

use super::reply::LoadFigure;
use crate::lint::LintedSkill;
use crate::lint::client_verdicts::{drops, verdicts};
use skillc_domain::proof::share;
use skillc_lint::verdict::{Compatibility, PROFILES, Profile};

/// Counts the clients that offer the skill, even if they drop a part of it.
pub fn loads(linted: &LintedSkill) -> LoadFigure {
    let clients: Vec<&'static Profile> =
        PROFILES.iter().copied().filter(|profile| profile.id != "spec").collect();
    let verdicts = verdicts(linted, &clients);
    let loading = verdicts.iter().filter(|verdict| verdict.is_usable).count();
    let is_degraded = |compatibility: &str| compatibility == Compatibility::Degraded.word();
    let degraded = verdicts.iter().filter(|verdict| is_degraded(verdict.compatibility));
    LoadFigure {
        score: share(loading, clients.len()),
        clients: clients.len(),
        loading,
        degraded: degraded.map(|verdict| verdict.profile.to_owned()).collect(),
        dropped_by: drops(linted, &clients),
    }
}
