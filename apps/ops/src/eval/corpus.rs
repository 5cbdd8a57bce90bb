//! A folder of skills to evaluate. Every SKILL.md counts, even an invalid one, since the search is being measured.
//! Skills hidden from an agent are omitted.

use crate::app::App;
use crate::failure::Failure;
use crate::policy::admit_name;
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind, SkillScope};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use std::path::Path;

/// The skills of a folder.
pub struct Corpus {
    /// All skills, sorted by path.
    pub skills: Vec<CatalogSkill>,
    /// Their paths relative to the folder, in the same order.
    pub places: Vec<String>,
}

/// Reads the skills below a folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn corpus(app: &App, folder: &Path) -> Result<Corpus, Failure> {
    let folder = app.ports.stores.real_path(folder);
    let tree = app.ports.files.open(&folder)?;
    let survey = tree.survey()?;
    let mut corpus = Corpus { skills: Vec::new(), places: Vec::new() };
    for file in &survey.files {
        if file.path.as_str().rsplit('/').next() != Some(SKILL_FILE) {
            continue;
        }
        let Ok(content) = tree.read(&file.path, TEXT_BYTES_MAX) else { continue };
        let skill = corpus_skill(app, &folder, &file.path, &content.bytes);
        if admit_name(app, &skill.name).is_err() {
            continue;
        }
        corpus.skills.push(skill);
        corpus.places.push(file.path.to_string());
    }
    Ok(corpus)
}

/// A skill as a catalog would list it if it were valid; `place` is its SKILL.md below a folder.
pub fn corpus_skill(app: &App, folder: &Path, place: &RelPath, bytes: &[u8]) -> CatalogSkill {
    let (digest, text) = (app.ports.files.digest(bytes), String::from_utf8_lossy(bytes));
    let path = folder.join(place.as_str());
    let dir = path.parent().unwrap_or(folder).to_owned();
    let front_matter = app.ports.reader.front_matter(&text).ok().flatten().unwrap_or_default();
    let field = |key: &str| front_matter.get(key).and_then(|node| node.text()).unwrap_or_default().trim();
    let folder_name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if field("name").is_empty() { folder_name } else { field("name").to_owned() };
    CatalogSkill {
        id: app.ports.files.digest(path.to_string_lossy().as_bytes()).hash16(),
        name,
        description: field("description").to_owned(),
        path,
        dir,
        scope: SkillScope::User,
        kind: SkillKind::Markdown,
        mtime_ms: 0,
        digest,
        locations: Vec::new(),
        flaws: Vec::new(),
    }
}
