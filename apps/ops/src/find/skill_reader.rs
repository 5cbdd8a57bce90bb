//! Reads the file of a skill for the index.

use crate::app::App;
use crate::context::BuiltinSkill;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::find::meaning_text;
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind};
use skillc_domain::frontmatter::{Opening, body};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::{DocumentReader, IndexedSkill, PortError, SkillFiles};
use std::sync::Arc;

/// The ports that read skills, on any thread.
pub struct SkillReader {
    files: Arc<dyn SkillFiles>,
    reader: Arc<dyn DocumentReader>,
    builtin: Vec<BuiltinSkill>,
}

impl SkillReader {
    /// A reader with the ports of `app`.
    pub fn of(app: &App) -> Self {
        Self {
            files: app.ports.files.clone(),
            reader: app.ports.reader.clone(),
            builtin: app.call.environment.builtin_skills.clone(),
        }
    }

    /// Reads a skill as the index stores it.
    ///
    /// # Errors
    /// Errors of reading the file; the skill may no longer exist.
    pub fn entry(&self, skill: &CatalogSkill) -> Result<IndexedSkill, PortError> {
        if let Some(builtin) = self.builtin.iter().find(|own| is_builtin(skill, own)) {
            return Ok(self.entry_of(skill, builtin.text, skill.digest));
        }
        // Opens the canonical folder of the catalog; fails if it has become a link since.
        let name = skill.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let file = RelPath::from_walk(name.unwrap_or_default());
        let bytes = self.files.open(&skill.dir)?.read(&file, TEXT_BYTES_MAX)?.bytes;
        let digest = self.files.digest(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        Ok(self.entry_of(skill, &text, digest))
    }

    fn entry_of(&self, skill: &CatalogSkill, text: &str, digest: Digest) -> IndexedSkill {
        let (body, headings) = match skill.kind {
            SkillKind::Python => (text, Vec::new()),
            // Its examples are about anything, so its text does not say what it is for.
            SkillKind::Builtin => ("", Vec::new()),
            SkillKind::Markdown => (body(text), self.headings(body(text))),
        };
        IndexedSkill {
            id: skill.id.clone(),
            path: skill.path.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            headings: headings.join("\n"),
            body: body.to_owned(),
            kind: skill.kind,
            digest,
            meaning: self.files.digest(meaning_text(&skill.name, &skill.description).as_bytes()),
        }
    }

    fn headings(&self, body: &str) -> Vec<String> {
        let headings = self.reader.document(body, Opening::Either).headings;
        headings.into_iter().map(|heading| heading.text).collect()
    }
}

fn is_builtin(skill: &CatalogSkill, builtin: &BuiltinSkill) -> bool {
    skill.kind == SkillKind::Builtin && skill.name == builtin.name
}
