//! Edits `name` in the SKILL.md of a skill whose folder is renamed (RFC-0007:C-RENAME).

use super::skill_file::read_text;
use crate::app::App;
use crate::failure::Failure;
use crate::source::skill_file;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::{FrontMatterFlaw, Node};
use skillc_lint::name_value::name_in_place_of;
use std::path::Path;

/// A SKILL.md before and after the edit. Only the value of `name` differs.
#[derive(Debug, PartialEq, Eq)]
pub struct NameEdit {
    old: String,
    new: String,
    /// The previous name in SKILL.md; `None` if it was not text.
    pub old_name: Option<String>,
}

impl NameEdit {
    /// The edit that gives the skill in a folder this name; `None` if its front matter has no other name.
    ///
    /// # Errors
    /// E010, E012, E013 if SKILL.md cannot be read, or the name cannot be replaced.
    pub fn of(app: &App, folder: &Path, name: &str) -> Result<Option<Self>, Failure> {
        let old = read_text(app, app.ports.files.open(folder)?.as_ref(), folder)?;
        let Some(front) = app.ports.reader.front_matter(&old).map_err(Fault::from)? else { return Ok(None) };
        let Some(node) = front.get("name").filter(|node| node.text() != Some(name)) else { return Ok(None) };
        let new = edited(&old, node, name).filter(|new| {
            let read = app.ports.reader.front_matter(new).ok().flatten().unwrap_or_default();
            read.get("name").and_then(Node::text) == Some(name) && read.fields.len() == front.fields.len()
        });
        let old_name = node.text().map(str::to_owned);
        match new {
            Some(new) => Ok(Some(Self { old, new, old_name })),
            None => Err(irreplaceable(node).into()),
        }
    }

    /// Restores the old text.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_back(&self, app: &App, folder: &Path) -> Result<(), Failure> {
        Ok(app.ports.editor.replace(folder, &skill_file(), self.new.as_bytes(), self.old.as_bytes())?)
    }

    /// Writes the new text. The skill may have been moved to another folder in the meantime.
    ///
    /// # Errors
    /// If SKILL.md is a link, is write-protected, has changed, or cannot be written; it is then unchanged.
    pub fn write(&self, app: &App, folder: &Path) -> Result<(), Failure> {
        Ok(app.ports.editor.replace(folder, &skill_file(), self.old.as_bytes(), self.new.as_bytes())?)
    }
}

fn edited(old: &str, node: &Node, name: &str) -> Option<String> {
    let value = name_in_place_of(old.get(node.span.clone())?, name)?;
    Some([&old[..node.span.start], &value, &old[node.span.end..]].concat())
}

fn irreplaceable(node: &Node) -> Fault {
    let message = "the value of 'name' is written in a form that cannot be edited".to_owned();
    FrontMatterFlaw { message, at: Some(node.at) }.into()
}
