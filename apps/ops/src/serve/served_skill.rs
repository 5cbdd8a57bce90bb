//! A skill that is served, and its files.

use super::metadata::ServedMetadata;
use crate::skill::Skill;
use crate::source::skill_file;
use crate::stores::skipped;
use skillc_domain::digest::Digest;
use skillc_domain::fault::Warning;
use skillc_domain::path::RelPath;
use skillc_domain::skill_uri::{SkillPlace, SkillUri};
use std::sync::Arc;

/// A skill that is served.
#[derive(Clone, Debug)]
pub struct ServedSkill {
    /// Its place in resource URIs: `demo` or `global/demo`.
    pub place: SkillPlace,
    /// The resolved skill.
    pub skill: Skill,
    /// The digest of its SKILL.md.
    pub skill_md: Digest,
    /// The front matter of its SKILL.md.
    pub metadata: Arc<ServedMetadata>,
}

/// A served skill with all its files.
#[derive(Debug)]
pub struct SkillEntry {
    /// The skill.
    pub served: ServedSkill,
    /// Every file, sorted by the bytes of its path.
    pub files: Vec<ListedFile>,
}

/// A file of a served skill. The target of a link inside the skill is listed under the link's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Relative to the skill.
    pub path: RelPath,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// Size in bytes.
    pub size: u64,
}

impl ServedSkill {
    /// The URI of one of its files.
    pub fn uri(&self, path: &RelPath) -> String {
        SkillUri::new(&self.place, path.clone()).to_string()
    }

    /// The URI of its SKILL.md.
    pub fn skill_uri(&self) -> String {
        self.uri(&skill_file())
    }

    /// Why the extension's index omits it: a strict client would refuse it, or its name is not that of its place.
    pub fn refusal(&self) -> Option<String> {
        let is_taken = self.place.as_str().rsplit('/').next() != Some(self.metadata.name.as_str());
        let taken = || is_taken.then(|| format!("the name '{}' is taken", self.metadata.name));
        self.metadata.refusal.clone().or_else(taken)
    }

    /// A W024 with this reason.
    pub fn left_out(&self, message: impl Into<String>) -> Warning {
        skipped(&self.skill.path, message)
    }
}
