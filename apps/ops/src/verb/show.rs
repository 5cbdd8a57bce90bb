//! `skc show` (RFC-0002:C-SHOW).

use crate::failure::Failure;
use crate::fresh_index::{self, FreshIndex, unusable};
use crate::operation::{Operation, Surface, ToolGroup};
use crate::paging::{Paging, cut_line, print_dir_and_next_cursor, print_next_cursor};
use crate::policy::{admit_file, file_filter};
use crate::render::{Render, View, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::similar_paths::no_file;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::limits::{SUGGESTIONS_MAX, TEXT_BYTES_MAX};
use skillc_domain::linked_files::names_other_file;
use skillc_domain::lookup::{FoundHeading, QualifiedHeading, choose, not_found, readings};
use skillc_domain::path::RelPath;
use skillc_domain::reader::Reader;
use skillc_domain::suggest::{headings, list};
use skillc_domain::text::excerpt::{Bounds, excerpt, lines, tokens};
use skillc_domain::text::lines::is_ended;
use skillc_ports::ErrorKind;
use std::path::PathBuf;

/// Show one section of a skill, with the sections below it.
///
/// The heading is matched in any case of letters. It may be copied as it was read: with its description from an
/// outline, or with its file and line from a search.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// The section's heading.
    #[arg(short, long, value_name = "HEADING")]
    pub section: String,
    /// Only in this file of the skill.
    #[arg(long, value_name = "PATH")]
    pub file: Option<String>,
    /// The part of it that is asked for.
    #[command(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
}

/// A section.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowReply {
    /// Name of the skill.
    pub skill: String,
    /// Path of the file, relative to the skill.
    pub file: String,
    /// Base directory of the skill.
    pub dir: PathBuf,
    /// The heading as written in the file.
    pub section: String,
    /// 1 to 6.
    pub level: u8,
    /// 1-based line of the heading.
    pub start_line: u32,
    /// 1-based line after the section.
    pub end_line: u32,
    /// The text of the section.
    pub content: String,
    /// Lines that were cut.
    pub truncated_lines: u32,
    /// The `cursor` that continues this answer; missing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Estimated tokens of the text form: its bytes divided by four, rounded up.
    pub tokens: u32,
    /// Whether the text names a file that is run or opened in place.
    #[serde(skip)]
    pub needs_dir: bool,
}

/// Implements `skc show`.
pub struct Show;

impl Operation for Show {
    const NAME: &'static str = "show";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc show my-skill --section \"Getting Started\"\nskc show my-skill -s Usage --file references/api.md\nskc show my-skill -s Usage --max-bytes 8000";
    type Request = ShowRequest;
    type Reply = ShowReply;

    async fn run(run: &mut Run<'_>, request: ShowRequest) -> Result<ShowReply, Failure> {
        let bounds = request.paging.bounds(run.app)?;
        let readings = readings(&request.section)?;
        let file = request.file.as_deref().map(RelPath::parse).transpose()?;
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        run.asks_for(&request.section);
        let fresh = fresh_index::open(run, &skill).await?;
        if let Some(file) = &file {
            must_be_there(run, &skill, &fresh, file, request.file.as_deref().unwrap_or_default())?;
        }
        let found = look_up(run, &skill, &fresh, &readings, &request.section, file.as_ref()).await?;
        let path = indexed_path(&skill, &found.file)?;
        admit_file(run.app, &skill, &path)?;
        run.note("file", found.file.clone());
        run.reads(&found.file, Some(&found.text));
        section(&skill, &fresh, found, &path, bounds, request.paging.cursor.as_deref())
    }
}

/// E021 for a file that the skill does not contain, E012 for one behind a link that leads out.
fn must_be_there(
    run: &Run<'_>,
    skill: &Skill,
    fresh: &FreshIndex,
    file: &RelPath,
    given: &str,
) -> Result<(), Failure> {
    if fresh.survey.get(file).is_some() {
        return Ok(());
    }
    let path = given.to_owned();
    match fresh.tree.digest(file) {
        Err(error) if error.kind == ErrorKind::Escapes => {
            Err(Failure::because(Fault::PathEscapes { path }, error))
        }
        // A hidden file exists, but has no sections.
        _ => Err(no_file(run.app, skill, fresh.tree.as_ref(), given).into()),
    }
}

async fn look_up(
    run: &mut Run<'_>,
    skill: &Skill,
    fresh: &FreshIndex,
    readings: &[String],
    section: &str,
    file: Option<&RelPath>,
) -> Result<FoundHeading, Failure> {
    for reading in readings {
        let found = fresh.index.headings(reading, file).await.map_err(|e| unusable(skill, e))?;
        if let Some((first, others)) = choose(found) {
            if !others.is_empty() {
                let candidates = candidates(run, skill, &first, &others);
                run.warn(Warning::MultipleMatches { section: section.to_owned(), candidates });
            }
            return Ok(first);
        }
    }
    if let Some(named) = look_up_by_name(skill, fresh, section, file).await? {
        return Ok(named);
    }
    let all = fresh.index.all_headings().await.map_err(|e| unusable(skill, e))?;
    let mut is_admitted = file_filter(run.app, skill);
    let in_file = |heading: &&FoundHeading| {
        file.is_none_or(|file| heading.file == file.as_str())
            && RelPath::parse(&heading.file).is_ok_and(|file| is_admitted(&file))
    };
    let pairs = all.iter().filter(in_file).map(|h| (h.text.as_str(), h.file.as_str()));
    // Each candidate is on its own line, which a line break in a file name must not end.
    let suggested: Vec<_> =
        headings(readings, pairs).iter().map(|(text, file)| (plain(text), plain(file))).collect();
    Err(not_found(section, &plain(&skill.given), &suggested).into())
}

/// The lines with the names of several matches, by which each can be shown; those in files that the caller may not see
/// are left out.
fn candidates(run: &Run<'_>, skill: &Skill, first: &FoundHeading, others: &[FoundHeading]) -> String {
    let mut is_admitted = file_filter(run.app, skill);
    let all = std::iter::once(first).chain(others);
    let names = all
        .filter(|heading| RelPath::parse(&heading.file).is_ok_and(|file| is_admitted(&file)))
        .map(|heading| plain(&heading.qualified()));
    let names: Vec<String> = names.collect();
    let listed = list(names.iter().take(SUGGESTIONS_MAX));
    match names.len().checked_sub(SUGGESTIONS_MAX) {
        None | Some(0) => listed,
        Some(more) => format!("{listed}\n  … ({more} more)"),
    }
}

/// The section with the name under which a search returned it. If the heading has moved since, the first one in its
/// file.
async fn look_up_by_name(
    skill: &Skill,
    fresh: &FreshIndex,
    section: &str,
    file: Option<&RelPath>,
) -> Result<Option<FoundHeading>, Failure> {
    let is_file = |path: &str| RelPath::parse(path).is_ok_and(|path| fresh.survey.get(&path).is_some());
    let name = QualifiedHeading::parse(section, is_file);
    if name.file.is_none() && name.line.is_none() || name.heading.trim().is_empty() {
        return Ok(None);
    }
    let named = name.file.map(RelPath::parse).transpose()?;
    for reading in readings(name.heading)? {
        let found = fresh.index.headings(&reading, file.or(named.as_ref())).await;
        let found = found.map_err(|error| unusable(skill, error))?;
        let at_line = found.iter().find(|heading| Some(heading.start_line) == name.line).cloned();
        if let Some(heading) = at_line.or_else(|| choose(found).map(|(first, _)| first)) {
            return Ok(Some(heading));
        }
    }
    Ok(None)
}

/// The path of a file according to an index, which may be forged.
///
/// # Errors
/// E002 for one that leads out of the skill.
fn indexed_path(skill: &Skill, file: &str) -> Result<RelPath, Fault> {
    RelPath::parse(file).map_err(|_| skill.unusable("it names a file outside the skill"))
}

/// Reads the lines from the file against which the index was checked.
fn section(
    skill: &Skill,
    fresh: &FreshIndex,
    found: FoundHeading,
    path: &RelPath,
    bounds: Bounds,
    cursor: Option<&str>,
) -> Result<ShowReply, Failure> {
    let content = fresh.tree.read(path, TEXT_BYTES_MAX).map_err(|e| unusable(skill, e))?;
    if fresh.survey.get(path).is_none_or(|file| file.stamp != content.stamp) {
        return Err(skill.unusable("the index has lines that the file does not have").into());
    }
    let text = lines(&content.bytes, found.start_line, found.end_line);
    let asked = ["show", &skill.path.to_string_lossy(), &found.file, &found.text];
    let part = excerpt(text, bounds, cursor, &asked)?;
    let content = String::from_utf8_lossy(part.bytes).into_owned();
    Ok(ShowReply {
        skill: skill.name.clone(),
        dir: skill.path.clone(),
        file: found.file,
        section: found.text,
        level: found.level,
        start_line: found.start_line,
        end_line: found.end_line,
        needs_dir: names_other_file(&content, &fresh.survey),
        tokens: tokens(content.len() + ending(&content, part.lines_cut).len()),
        content,
        truncated_lines: part.lines_cut,
        next_cursor: part.next_cursor,
    })
}

/// The text form of the section always ends with a line break.
fn ending(content: &str, lines_cut: u32) -> String {
    match cut_line(content.as_bytes(), lines_cut) {
        none if none.is_empty() && !is_ended(content.as_bytes()) => "\n".to_owned(),
        line => line,
    }
}

impl Render for ShowReply {
    fn is_content(&self) -> bool {
        true
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        view.content(self.content.as_bytes(), out);
        out.extend_from_slice(ending(&self.content, self.truncated_lines).as_bytes());
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        match view.reader {
            Reader::Agent(_) if !self.needs_dir => {
                print_next_cursor(view, self.next_cursor.as_deref(), out);
            }
            _ => print_dir_and_next_cursor(view, &self.dir, self.next_cursor.as_deref(), out),
        }
    }
}
