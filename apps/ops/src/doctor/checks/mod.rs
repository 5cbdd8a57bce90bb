//! The checks, one per file. A new one takes its file and a line in `CHECKS`.

mod broken_logs;
mod budgets;
mod clients;
mod configuration;
mod copies;
mod dead_links;
mod dropped_skills;
mod fallback_logs;
mod left_out_skills;
mod leftovers;
mod link_loops;
mod lost_sources;
mod model;
mod renames;
mod rules;
mod same_names;
mod servers;
mod stale_builds;
mod trash;
mod unreadable_folders;
mod writable_folders;

use super::check::HealthCheck;

/// All checks, in the order of findings with the same severity.
pub static CHECKS: &[&HealthCheck] = &[
    &configuration::CHECK,
    &writable_folders::CHECK,
    &dead_links::CHECK,
    &link_loops::CHECK,
    &lost_sources::CHECK,
    &dropped_skills::CHECK,
    &left_out_skills::CHECK,
    &same_names::CHECK,
    &budgets::CHECK,
    &stale_builds::CHECK,
    &copies::CHECK,
    &servers::CHECK,
    &clients::CHECK,
    &broken_logs::CHECK,
    &fallback_logs::CHECK,
    &model::CHECK,
    &rules::CHECK,
    &renames::CHECK,
    &unreadable_folders::CHECK,
    &leftovers::CHECK,
    &trash::CHECK,
];
