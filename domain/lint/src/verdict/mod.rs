//! Verdicts: how the specification and each client treat a `SKILL.md` (RFC-0008:C-PROFILES).
//!
//! A profile is one file here and one line in [`PROFILES`]. Verdicts are reported next to findings, and change
//! neither severities nor the exit status.

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod lines;
mod name;
mod opencode;
mod profile;
mod reading;
mod restrictions;
mod spec;
mod vscode;

pub use name::NAME_CHARS_MAX;
pub use profile::{Compatibility, Profile, SkillMdFacts, Verdict, VerdictReason};
pub use spec::FIELDS as SPEC_FIELDS;

/// All profiles: the specification, then the clients.
pub static PROFILES: &[&Profile] = &[
    &spec::PROFILE,
    &claude_code::PROFILE,
    &codex::PROFILE,
    &vscode::PROFILE,
    &opencode::PROFILE,
    &gemini::PROFILE,
    &cursor::PROFILE,
];

/// How a name violates the Agent Skills specification. Letters are ASCII, which every receiver of skills accepts.
pub fn name_flaws(name: &str) -> Vec<String> {
    name::flaws(name, name::Letters::Ascii).into_iter().chain(name::hyphen_flaw(name)).collect()
}

/// The profile with this id.
pub fn find(id: &str) -> Option<&'static Profile> {
    PROFILES.iter().copied().find(|profile| profile.id == id)
}

#[cfg(test)]
mod tests;
