//! Lint: reads the files of a skill once, in parallel, runs every rule, and collects the findings (RFC-0008).

pub mod baseline;
pub mod chosen;
pub mod client_verdicts;
pub mod collection;
pub mod copies;
pub mod digest;
mod eval_file;
pub mod fix;
pub mod fix_pass;
pub mod foreign;
pub mod github;
pub mod outcome;
pub mod output_file;
mod project_code;
pub mod read;
pub mod reply;
pub mod sarif;
pub mod selection;
pub mod settings;
pub mod show;
pub mod show_finding;
pub mod skill;
pub mod store;
mod surroundings;
pub mod unchosen;

pub use read::{Engine, Overlay};
pub use skill::{LintedSkill, lint_skill};
