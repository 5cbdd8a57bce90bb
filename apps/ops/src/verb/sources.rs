//! `skc sources` (RFC-0002:C-SOURCES).

use crate::failure::Failure;
use crate::operation::{Operation, Surface, ToolGroup};
use crate::paging::{bounds, print_dir_and_next_cursor};
use crate::pattern::parse_pattern;
use crate::policy::{admit_file, file_filter};
use crate::render::{Render, View, line, plain};
use crate::resolve::resolve;
use crate::run::Run;
use crate::similar_paths::no_folder;
use crate::skill::Skill;
use crate::source::current_listing;
use crate::source_tree::{TreeEntry, depth, draw, drawn_bytes_max, tree};
use glob::Pattern;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::cursor::Whole;
use skillc_domain::fault::Fault;
use skillc_domain::limits::SOURCES_LIMIT;
use skillc_domain::path::RelPath;
use skillc_domain::text::excerpt::{PageRange, Size, page, tokens};
use skillc_ports::{ErrorKind, SkillTree};
use std::path::PathBuf;

/// List the files of a skill as a tree.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcesRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Number of levels to show; deeper folders show their number of files.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub depth: Option<u32>,
    /// Only this folder of the skill.
    #[arg(long, value_name = "PATH")]
    pub dir: Option<String>,
    /// Maximum number of entries.
    #[arg(short, long, value_name = "N", default_value_t = SOURCES_LIMIT)]
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1))]
    pub limit: u32,
    /// Only files whose path or name matches this glob pattern.
    #[arg(short, long, value_name = "GLOB")]
    pub pattern: Option<String>,
    /// Maximum number of bytes of text, cut at the end of a line.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub max_bytes: Option<u32>,
    /// The next_cursor of an earlier answer: continue where it ended.
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

fn default_limit() -> u32 {
    SOURCES_LIMIT
}

/// A file or folder.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SourceEntry {
    /// Path relative to the skill.
    pub path: String,
    /// `file` or `directory`.
    pub r#type: String,
    /// Of a folder whose entries are not listed: the files below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
}

/// The files of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SourcesReply {
    /// Base directory of the skill.
    pub dir: PathBuf,
    /// Folders before files at each level; a folder's entries follow it.
    pub entries: Vec<SourceEntry>,
    /// Entries that were cut.
    pub more: usize,
    /// The `cursor` that continues this answer; missing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Estimated tokens of the text form: its bytes divided by four, rounded up.
    pub tokens: u32,
    #[serde(skip)]
    root: String,
    #[serde(skip)]
    #[schemars(skip)]
    drawing: Vec<String>,
    /// The pattern, if no file matches it.
    #[serde(skip)]
    unmatched: Option<String>,
}

/// Implements `skc sources`.
pub struct Sources;

impl Operation for Sources {
    const NAME: &'static str = "sources";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc sources my-skill\nskc sources my-skill --depth 1\nskc sources my-skill --dir references --pattern '*.md'";
    type Request = SourcesRequest;
    type Reply = SourcesReply;

    async fn run(run: &mut Run<'_>, request: SourcesRequest) -> Result<SourcesReply, Failure> {
        let depth = depth(request.depth)?;
        if request.limit == 0 {
            return Err(Fault::invalid_argument("limit", "must be at least 1, got 0").into());
        }
        let bounds = bounds(run.app, Some(request.limit), request.max_bytes)?;
        let pattern = request.pattern.as_deref().map(parse_pattern).transpose()?;
        let given_dir = request.dir.unwrap_or_default();
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        let folder = RelPath::parse(&given_dir)?;
        admit_file(run.app, &skill, &folder)?;
        let files = run.app.ports.files.open(&skill.path)?;
        must_be_folder(run, &skill, files.as_ref(), &folder, &given_dir)?;
        let listing = current_listing(files.as_ref())?;
        listing.warnings.into_iter().for_each(|warning| run.warn(warning));
        let is_selected = |path: &&RelPath| pattern.as_ref().is_none_or(|pattern| matches(pattern, path));
        let mut is_admitted = file_filter(run.app, &skill);
        let paths = listing.files.iter().filter(is_selected);
        let paths: Vec<&RelPath> = paths.filter(|path| is_admitted(path)).collect();
        drop(is_admitted);
        let root = if folder.is_root() { skill.name.clone() } else { format!("{}/{folder}", skill.name) };
        let entries = tree(&paths, &folder, depth);
        let size = |at: usize, _| Size { lines: 1, bytes: drawn_bytes_max(&entries[at], &folder) };
        let unmatched = request.pattern.clone().filter(|_| entries.is_empty());
        let asked = [
            "sources",
            &skill.path.to_string_lossy(),
            folder.as_str(),
            &depth.map(|depth| depth.to_string()).unwrap_or_default(),
            &request.pattern.unwrap_or_default(),
        ];
        let whole = || Whole::new(&asked, entries.iter().map(|entry| entry.path().as_bytes()));
        let page = page(entries.len(), bounds, request.cursor.as_deref(), size, whole)?;
        Ok(SourcesReply { dir: skill.path, unmatched, ..reply(entries, page, &folder, root) })
    }
}

fn must_be_folder(
    run: &Run<'_>,
    skill: &Skill,
    files: &dyn SkillTree,
    folder: &RelPath,
    given: &str,
) -> Result<(), Failure> {
    let path = given.to_owned();
    match files.is_folder(folder) {
        Ok(true) => Ok(()),
        Ok(false) => Err(no_folder(run.app, skill, files, given).into()),
        Err(error) if error.kind == ErrorKind::Escapes => {
            Err(Failure::because(Fault::PathEscapes { path }, error))
        }
        Err(error) if error.kind == ErrorKind::NotFound => {
            Err(Failure::because(no_folder(run.app, skill, files, given), error))
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether a pattern matches: one with a `/` is compared with the path, one without also with the name.
fn matches(pattern: &Pattern, path: &RelPath) -> bool {
    pattern.matches(path.as_str()) || pattern.matches(path.name())
}

fn reply(entries: Vec<TreeEntry>, page: PageRange, folder: &RelPath, root: String) -> SourcesReply {
    let drawing = draw(&entries, page.from..page.to, folder);
    let shown: usize = drawing.iter().map(|drawn| plain(drawn).len() + 1).sum();
    let more = entries.len() - page.to;
    let entry = |entry: TreeEntry| match entry {
        TreeEntry::File { path } => SourceEntry { path, r#type: "file".to_owned(), files: None },
        TreeEntry::Folder { path, files, is_expanded } => {
            SourceEntry { path, r#type: "directory".to_owned(), files: (!is_expanded).then_some(files) }
        }
    };
    let shown_entries = entries.into_iter().take(page.to).skip(page.from);
    SourcesReply {
        dir: PathBuf::new(),
        entries: shown_entries.map(entry).collect(),
        more,
        next_cursor: page.next_cursor,
        tokens: tokens(plain(&root).len() + 2 + shown),
        root,
        drawing,
        unmatched: None,
    }
}

impl Render for SourcesReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        line(out, view.strong(format!("{}/", plain(&self.root))));
        self.drawing.iter().for_each(|drawn| line(out, plain(drawn)));
        if let Some(pattern) = &self.unmatched {
            line(out, format!("No file matches '{}'", plain(pattern)));
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        print_dir_and_next_cursor(view, &self.dir, self.next_cursor.as_deref(), out);
    }
}
