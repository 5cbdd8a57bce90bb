//! Filling the index of the semantic discovery document from folders of skills (decision in adr/0026).

use super::index::{PythonSkillError, SkillDiscoveryIndex};
use skillc_domain::discovery::extract::{builtin_text, first_paragraph, manifest_text};
use skillc_domain::discovery::find::meaning_text;
use skillc_domain::discovery::scan::PYTHON_SKILL_FILE;
use skillc_domain::frontmatter::{FrontMatterSpan, find_front_matter};
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::SKILL_FILE;
use skillc_ports::{DocumentReader, Embedder, ErrorKind, SettingsReader, SkillFiles, SkillVector};
use std::collections::HashSet;
use std::path::Path;

/// What skills are read with.
pub struct SkillSources<'a> {
    /// Files in folders.
    pub files: &'a dyn SkillFiles,
    /// Markdown and YAML.
    pub reader: &'a dyn DocumentReader,
    /// TOML.
    pub settings: &'a dyn SettingsReader,
    /// Name and text of the skills that are built in.
    pub builtin: &'a [(&'a str, &'a str)],
}

/// Name and description in the manifest of a Python skill; `None` when it is missing, cannot be read or has no name.
pub fn extract_python_skill_text(
    sources: &SkillSources<'_>,
    skills_dir: &Path,
    skill_id: &str,
) -> Option<(String, String)> {
    let file = RelPath::parse(&format!("{skill_id}/{PYTHON_SKILL_FILE}")).ok()?;
    let text = read(sources, skills_dir, &file)?;
    manifest_text(&sources.settings.table(&text).ok()?)
}

/// Name and description of a Markdown skill: those of its front matter, else the name of the file, or of the folder of a
/// SKILL.md, and the first paragraph.
pub fn extract_markdown_skill_text(
    sources: &SkillSources<'_>,
    skill_path: &Path,
) -> Option<(String, String)> {
    let file = RelPath::parse(skill_path.file_name()?.to_str()?).ok()?;
    let text = read(sources, skill_path.parent()?, &file)?;
    let named =
        if file.as_str() == SKILL_FILE { skill_path.parent()?.file_name() } else { skill_path.file_stem() };
    let front = sources.reader.front_matter(&text).ok().flatten().unwrap_or_default();
    let field = |key: &str| front.get(key).and_then(|node| node.text()).map(|text| text.trim().to_owned());
    let body = match find_front_matter(&text) {
        FrontMatterSpan::Block { end, .. } => &text[end..],
        _ => text.as_str(),
    };
    let name = field("name").filter(|name| !name.is_empty());
    let description = field("description").filter(|description| !description.is_empty());
    Some((
        name.or_else(|| Some(named?.to_str()?.to_owned()))?,
        description.unwrap_or_else(|| first_paragraph(body)),
    ))
}

/// The name, and the first 500 characters of a built-in skill's text.
pub fn extract_builtin_skill_text(skill_name: &str, content: &str) -> (String, String) {
    (skill_name.to_owned(), builtin_text(content))
}

/// Brings the index up to the skills of two folders and the built-in ones, and takes out what is gone; how many were
/// indexed now: what is unchanged is not embedded again.
///
/// # Errors
/// `Embedding` when the model cannot be used, `Index`; what was indexed until then stays.
pub fn rebuild_skill_index(
    sources: &SkillSources<'_>,
    index: &SkillDiscoveryIndex,
    engine: &dyn Embedder,
    skills_dir: &Path,
    python_skills_dir: &Path,
) -> Result<usize, PythonSkillError> {
    let model = engine.model().map_err(PythonSkillError::Embedding)?.to_string();
    let known = index.embedded()?;
    let mut found = HashSet::new();
    let mut indexed = 0;
    for skill in all(sources, skills_dir, python_skills_dir)? {
        let text = meaning_text(&skill.name, &skill.description);
        let meaning = sources.files.digest(text.as_bytes());
        if !found.insert(skill.id.clone()) {
            continue;
        }
        if known.get(&skill.id).is_some_and(|(made_by, of)| *made_by == model && *of == meaning) {
            continue;
        }
        let vector = engine.embed(&text).map_err(PythonSkillError::Embedding)?;
        let vector = SkillVector { id: skill.id, meaning, vector };
        index.put(&model, &vector, &skill.name, &skill.description, skill.source)?;
        indexed += 1;
    }
    for gone in known.keys().filter(|id| !found.contains(*id)) {
        index.remove_skill(gone)?;
    }
    Ok(indexed)
}

struct Skill {
    id: String,
    name: String,
    description: String,
    source: &'static str,
}

/// Every skill; Python skills go by their folder's name, others by their kind and name.
fn all(
    sources: &SkillSources<'_>,
    skills_dir: &Path,
    python_skills_dir: &Path,
) -> Result<Vec<Skill>, PythonSkillError> {
    let mut skills = Vec::new();
    for file in files(sources, python_skills_dir)? {
        let Some((id, PYTHON_SKILL_FILE)) = file.rsplit_once('/') else { continue };
        if let Some((name, description)) = extract_python_skill_text(sources, python_skills_dir, id) {
            skills.push(Skill { id: id.to_owned(), name, description, source: "python" });
        }
    }
    for file in files(sources, skills_dir)? {
        if !is_markdown_skill(&file) {
            continue;
        }
        if let Some((name, description)) = extract_markdown_skill_text(sources, &skills_dir.join(&file)) {
            skills.push(Skill { id: format!("markdown:{file}"), name, description, source: "markdown" });
        }
    }
    for (name, text) in sources.builtin {
        let (name, description) = extract_builtin_skill_text(name, text);
        skills.push(Skill { id: format!("builtin:{name}"), name, description, source: "builtin" });
    }
    Ok(skills)
}

/// A SKILL.md anywhere, or a Markdown file that stands directly in the folder.
fn is_markdown_skill(file: &str) -> bool {
    match file.rsplit_once('/') {
        Some((_, name)) => name == SKILL_FILE,
        None => file.ends_with(".md"),
    }
}

/// Paths below a folder; none where there is no folder.
fn files(sources: &SkillSources<'_>, folder: &Path) -> Result<Vec<String>, PythonSkillError> {
    match sources.files.open(folder).and_then(|tree| tree.survey()) {
        Ok(survey) => Ok(survey.files.into_iter().map(|file| file.path.to_string()).collect()),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(PythonSkillError::Read(error)),
    }
}

fn read(sources: &SkillSources<'_>, folder: &Path, file: &RelPath) -> Option<String> {
    let content = sources.files.open(folder).ok()?.read(file, TEXT_BYTES_MAX).ok()?;
    String::from_utf8(content.bytes).ok()
}
