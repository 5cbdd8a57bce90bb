//! The headings of a skill's Markdown files.

use crate::failure::Failure;
use crate::fresh_index;
use crate::policy::file_filter;
use crate::run::Run;
use crate::skill::Skill;
use crate::source::current_survey;
use schemars::JsonSchema;
use serde::Serialize;
use skillc_domain::fault::Warning;
use skillc_domain::format::is_markdown;
use skillc_domain::freshness::SummarizedSurvey;
use skillc_domain::frontmatter::Opening;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::lookup::FoundHeading;
use skillc_domain::path::RelPath;
use skillc_domain::survey::SurveyedFile;
use skillc_ports::{DocumentReader, ErrorKind, SkillTree};
use std::iter::Peekable;

/// Size of Markdown in bytes up to which parsing is as fast as opening the index.
const PARSED_BYTES_MAX: u64 = 96 * 1024;

/// A heading.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OutlineHeading {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: String,
    /// 1-based line.
    pub line: u32,
}

/// A file with its headings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OutlineFile {
    /// Path relative to the skill.
    pub file: String,
    /// In document order.
    pub headings: Vec<OutlineHeading>,
}

/// The headings of a skill's Markdown files down to a level. They come from the index if it is fresh. A file without
/// headings in it is read, since it may need a warning.
///
/// # Errors
/// E016, and if the skill cannot be walked. A file that cannot be read becomes a warning.
pub async fn outline_of(
    run: &mut Run<'_>,
    skill: &Skill,
    level_max: u8,
) -> Result<Vec<OutlineFile>, Failure> {
    let tree = run.app.ports.files.open(&skill.path)?;
    let survey = current_survey(tree.as_ref())?;
    survey.warnings.iter().cloned().for_each(|warning| run.warn(warning));
    let indexed = indexed_headings(run, skill, tree.as_ref(), &survey).await;
    let mut indexed = indexed.into_iter().peekable();
    let mut files = Vec::new();
    let mut is_admitted = file_filter(run.app, skill);
    let is_read = |file: &&SurveyedFile| is_markdown(&file.path) && is_admitted(&file.path);
    for file in survey.files.iter().filter(is_read) {
        let headings = match headings_in(&mut indexed, &file.path, level_max) {
            Some(headings) => Ok(headings),
            None => headings(run.app.ports.reader.as_ref(), tree.as_ref(), &file.path, level_max),
        };
        match headings {
            Ok(headings) if headings.is_empty() => {}
            Ok(headings) => files.push(OutlineFile { file: file.path.to_string(), headings }),
            Err(warning) => run.warn(warning),
        }
    }
    Ok(files)
}

/// All headings of the index, by file and line; none if it is not fresh, or if parsing the files is as fast.
async fn indexed_headings(
    run: &Run<'_>,
    skill: &Skill,
    tree: &dyn SkillTree,
    survey: &SummarizedSurvey,
) -> Vec<FoundHeading> {
    let markdown = survey.files.iter().filter(|file| is_markdown(&file.path));
    if markdown.map(|file| file.stamp.size).sum::<u64>() <= PARSED_BYTES_MAX {
        return Vec::new();
    }
    match fresh_index::for_survey(run.app, skill, tree, survey).await {
        Some(index) => index.all_headings().await.unwrap_or_default(),
        None => Vec::new(),
    }
}

/// The headings of one file down to a level, selected from those of all files; `None` if there are none. Files must
/// be requested in path order.
fn headings_in(
    indexed: &mut Peekable<impl Iterator<Item = FoundHeading>>,
    file: &RelPath,
    level_max: u8,
) -> Option<Vec<OutlineHeading>> {
    while indexed.next_if(|heading| heading.file.as_str() < file.as_str()).is_some() {}
    indexed.peek().filter(|next| next.file == file.as_str())?;
    let of_file = std::iter::from_fn(|| indexed.next_if(|heading| heading.file == file.as_str()));
    let shown = of_file.filter(|heading| heading.level <= level_max);
    Some(shown.map(|h| OutlineHeading { level: h.level, text: h.text, line: h.start_line }).collect())
}

fn headings(
    reader: &dyn DocumentReader,
    tree: &dyn SkillTree,
    path: &RelPath,
    level_max: u8,
) -> Result<Vec<OutlineHeading>, Warning> {
    let bytes = match tree.read(path, TEXT_BYTES_MAX) {
        Ok(content) => content.bytes,
        Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Escapes) => {
            return Ok(Vec::new());
        }
        Err(error) if error.kind == ErrorKind::TooLarge => {
            return Err(Warning::FileTooLarge { path: path.to_string(), limit: TEXT_BYTES_MAX });
        }
        Err(error) => {
            let message = error.reason().to_owned();
            return Err(Warning::FileUnreadable { path: path.to_string(), message });
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Warning::FileNotUtf8 { path: path.to_string() });
    };
    let all = reader
        .document(&text, Opening::of(path))
        .headings
        .into_iter()
        .filter(|heading| heading.level <= level_max);
    Ok(all.map(|h| OutlineHeading { level: h.level, text: h.text, line: h.line }).collect())
}
