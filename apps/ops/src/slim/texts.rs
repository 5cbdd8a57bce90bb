//! The files of a skill that were read, in the form that proposals need.

use super::recorded::RecordedReads;
use crate::app::App;
use crate::failure::Failure;
use crate::skill::Skill;
use crate::source::survey;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::section::Heading;
use skillc_domain::slim::ReadMarkdown;
use std::collections::BTreeSet;

/// The Markdown files of a skill that were read.
pub struct SkillTexts {
    /// Paths of all files of the skill.
    pub files: BTreeSet<String>,
    /// The files that were read, sorted by path.
    pub read: Vec<ReadMarkdown>,
}

impl SkillTexts {
    /// Reads the Markdown files that were read in a recorded session.
    ///
    /// # Errors
    /// If the skill's folder cannot be read.
    pub fn of(app: &App, skill: &Skill, recorded: &RecordedReads) -> Result<Self, Failure> {
        let tree = app.ports.files.open(&skill.path)?;
        let files = survey(tree.as_ref())?.files.into_iter().map(|file| file.path.to_string()).collect();
        let markdown = recorded.files.iter().filter(|(file, _)| file.to_lowercase().ends_with(".md"));
        let read = markdown.filter_map(|(file, reads)| {
            let path = RelPath::parse(file).ok()?;
            let text = String::from_utf8(tree.read(&path, TEXT_BYTES_MAX).ok()?.bytes).ok()?;
            let headings = headings(app, &path, &text);
            Some(ReadMarkdown { file: file.clone(), text, headings, reads: reads.clone() })
        });
        let read = read.collect();
        Ok(Self { files, read })
    }

    /// A file that was read.
    pub fn file(&self, path: &str) -> Option<&ReadMarkdown> {
        self.read.iter().find(|text| text.file == path)
    }
}

/// The headings of a text.
pub fn headings(app: &App, path: &RelPath, text: &str) -> Vec<Heading> {
    app.ports.reader.document(text, Opening::of(path)).headings
}
