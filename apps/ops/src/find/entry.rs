//! A skill's file as an entry of the index.

use crate::app::App;
use crate::context::BuiltinSkill;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::find::meaning_text;
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind};
use skillc_domain::frontmatter::{FrontMatterSpan, Opening, find_front_matter};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::{DocumentReader, IndexedSkill, PortError, SkillFiles};
use std::sync::Arc;

/// What is needed to read skills, wherever that is done.
#[derive(Clone)]
pub struct Reading {
    files: Arc<dyn SkillFiles>,
    reader: Arc<dyn DocumentReader>,
    builtin: Vec<BuiltinSkill>,
}

impl Reading {
    /// With the ports of an app.
    pub fn of(app: &App) -> Self {
        Self {
            files: app.ports.files.clone(),
            reader: app.ports.reader.clone(),
            builtin: app.call.environment.builtin_skills.clone(),
        }
    }

    /// Reads the file of a skill.
    ///
    /// # Errors
    /// Those of reading: the skill may have vanished.
    pub fn entry(&self, skill: &CatalogSkill) -> Result<IndexedSkill, PortError> {
        if let Some(builtin) = self.builtin.iter().find(|own| is_builtin(skill, own)) {
            return Ok(self.entry_of(skill, builtin.text, skill.digest));
        }
        // Through the folder that the catalog saw, which may have become a link since.
        let name = skill.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let file = RelPath::from_walk(name.unwrap_or_default());
        let bytes = self.files.open(&skill.dir)?.read(&file, TEXT_BYTES_MAX)?.bytes;
        let digest = self.files.digest(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        Ok(self.entry_of(skill, &text, digest))
    }

    fn entry_of(&self, skill: &CatalogSkill, text: &str, digest: Digest) -> IndexedSkill {
        let body = match (skill.kind, find_front_matter(text)) {
            (SkillKind::Markdown | SkillKind::Builtin, FrontMatterSpan::Block { end, .. }) => &text[end..],
            _ => text,
        };
        let headings: Vec<String> = match skill.kind {
            SkillKind::Python => Vec::new(),
            SkillKind::Markdown | SkillKind::Builtin => self
                .reader
                .document(body, Opening::Either)
                .headings
                .into_iter()
                .map(|heading| heading.text)
                .collect(),
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
}

fn is_builtin(skill: &CatalogSkill, builtin: &BuiltinSkill) -> bool {
    skill.kind == SkillKind::Builtin && skill.name == builtin.name
}
