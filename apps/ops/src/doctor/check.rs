//! What a check is.

use super::finding::HealthFinding;
use super::scene::HealthScene;

/// A check.
pub struct HealthCheck {
    /// Its id.
    pub id: &'static str,
    /// What it finds, in the plural.
    pub title: &'static str,
    /// Why a finding hurts.
    pub why: &'static str,
    /// Looks for it. Changes nothing.
    pub find: fn(&HealthScene) -> Vec<HealthFinding>,
}
