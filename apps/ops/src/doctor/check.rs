//! The definition of a check.

use super::finding::HealthFinding;
use super::scene::HealthScene;

/// A check of the machine.
pub struct HealthCheck {
    /// Stable id, as in output.
    pub id: &'static str,
    /// Title for its findings, in the plural.
    pub title: &'static str,
    /// Why a finding matters.
    pub why: &'static str,
    /// Returns the findings. Changes nothing.
    pub find: fn(&HealthScene) -> Vec<HealthFinding>,
}
