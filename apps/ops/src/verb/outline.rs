//! `skc outline` (RFC-0002:C-OUTLINE).

use crate::failure::Failure;
use crate::harmless::as_plain;
use crate::headings::{OutlineFile, OutlineHeading, outline_of};
use crate::operation::{Operation, Surface, ToolGroup};
use crate::paging::{Paging, print_dir_and_next_cursor};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::cursor::Whole;
use skillc_domain::fault::Fault;
use skillc_domain::limits::HEADING_LEVEL_MAX;
use skillc_domain::text::excerpt::{Bounds, PageRange, Size, page, tokens};
use std::path::PathBuf;

/// List the headings of all Markdown files of a skill.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutlineRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Only headings down to this level, 1 to 6.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1, max = HEADING_LEVEL_MAX))]
    pub level: Option<u8>,
    /// The part of it that is asked for.
    #[command(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
}

/// The headings of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OutlineReply {
    /// Name of the skill.
    pub skill: String,
    /// Base directory of the skill.
    pub dir: PathBuf,
    /// Markdown files with a listed heading, by the bytes of their paths.
    pub files: Vec<OutlineFile>,
    /// Headings that were cut.
    pub more: usize,
    /// The `cursor` that continues this answer; missing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Estimated tokens of the text form: its bytes divided by four, rounded up.
    pub tokens: u32,
}

/// Implements `skc outline`.
pub struct Outline;

impl Operation for Outline {
    const NAME: &'static str = "outline";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str =
        "skc outline my-skill\nskc outline my-skill --level 2\nskc outline my-skill --format json";
    type Request = OutlineRequest;
    type Reply = OutlineReply;

    async fn run(run: &mut Run<'_>, request: OutlineRequest) -> Result<OutlineReply, Failure> {
        let level_max = level_max(request.level)?;
        let bounds = request.paging.bounds(run.app)?;
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        let files = outline_of(run, &skill, level_max).await?;
        let asked = ["outline", &skill.path.to_string_lossy(), &level_max.to_string()];
        Ok(part(&skill, files, bounds, request.paging.cursor.as_deref(), &asked)?)
    }
}

fn level_max(asked: Option<u8>) -> Result<u8, Fault> {
    let level = asked.unwrap_or(HEADING_LEVEL_MAX);
    if (1..=HEADING_LEVEL_MAX).contains(&level) {
        return Ok(level);
    }
    Err(Fault::invalid_argument("level", format!("must be from 1 to {HEADING_LEVEL_MAX}, got {level}")))
}

/// The headings of this part. If it begins inside a file, the file's path is repeated.
fn part(
    skill: &Skill,
    files: Vec<OutlineFile>,
    bounds: Bounds,
    cursor: Option<&str>,
    asked: &[&str],
) -> Result<OutlineReply, Fault> {
    let all: Vec<(&OutlineFile, usize)> =
        files.iter().flat_map(|file| (0..file.headings.len()).map(move |at| (file, at))).collect();
    let size = |at: usize, from: usize| {
        let (file, heading) = all[at];
        let own = heading_bytes(&file.headings[heading]) + 1;
        match heading == 0 || at == from {
            true => Size { lines: 2, bytes: own + as_plain(&file.file).len() + 1 },
            false => Size { lines: 1, bytes: own },
        }
    };
    let whole = || {
        let plain_view = View::default();
        let lines = all
            .iter()
            .map(|(file, at)| format!("{}\n{}", file.file, heading_line(&plain_view, &file.headings[*at])));
        let lines: Vec<String> = lines.collect();
        Whole::new(asked, lines.iter().map(String::as_bytes))
    };
    let PageRange { from, to, next_cursor } = page(all.len(), bounds, cursor, size, whole)?;
    let shown: usize = (from..to).map(|at| size(at, from).bytes).sum();
    let more = all.len() - to;
    let tokens = tokens(shown + more_headings(more).len());
    Ok(OutlineReply {
        skill: skill.name.clone(),
        dir: skill.path.clone(),
        files: files_in(files, from, to),
        more,
        next_cursor,
        tokens,
    })
}

/// A range of headings, counted over all files.
fn files_in(files: Vec<OutlineFile>, from: usize, to: usize) -> Vec<OutlineFile> {
    let mut at = 0;
    let keep = |mut file: OutlineFile| {
        let count = file.headings.len();
        let (first, last) = (from.saturating_sub(at).min(count), to.saturating_sub(at).min(count));
        at += count;
        file.headings.truncate(last);
        file.headings.drain(..first);
        (!file.headings.is_empty()).then_some(file)
    };
    files.into_iter().filter_map(keep).collect()
}

fn heading_line(view: &View, heading: &OutlineHeading) -> String {
    let level = usize::from(heading.level);
    let (marks, text) = (view.faint("#".repeat(level)), as_plain(&heading.text));
    let indent = 2 * level.saturating_sub(1).max(1);
    let mut line = String::with_capacity(indent + marks.len() + 1 + text.len());
    line.extend(std::iter::repeat_n(' ', indent));
    line.push_str(&marks);
    line.push(' ');
    line.push_str(&text);
    line.truncate(line.trim_end().len());
    line
}

/// The length of the line of a heading without colors.
fn heading_bytes(heading: &OutlineHeading) -> usize {
    let level = usize::from(heading.level);
    let before = 2 * level.saturating_sub(1).max(1) + level;
    match as_plain(&heading.text).trim_end().len() {
        0 if level == 0 => 0,
        0 => before,
        text => before + 1 + text,
    }
}

/// The line after truncated headings; empty if none were cut.
fn more_headings(count: usize) -> String {
    if count == 0 { String::new() } else { format!("... ({count} more headings)\n") }
}

impl Render for OutlineReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for file in &self.files {
            line(out, view.strong(plain(&file.file)));
            for heading in &file.headings {
                line(out, heading_line(view, heading));
            }
        }
        out.extend_from_slice(more_headings(self.more).as_bytes());
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        print_dir_and_next_cursor(view, &self.dir, self.next_cursor.as_deref(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_line_is_known_without_writing_it() {
        for (level, text) in
            [(1, "A"), (2, "B ü"), (6, ""), (1, " "), (3, "tab\tin it "), (4, " C\u{1b}[1m"), (0, "")]
        {
            let heading = OutlineHeading { level, text: text.to_owned(), line: 1 };
            assert_eq!(heading_bytes(&heading), heading_line(&View::default(), &heading).len(), "{text:?}");
        }
    }
}
