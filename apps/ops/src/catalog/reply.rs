//! The reply of `skc catalog`.

use crate::render::{Render, View, counted, line, plain, table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::block::{Block, one_line};
use skillc_domain::discovery::budget::{Budget, BudgetedSkill, CountUnit, CutCatalog, CutStatus, cut};
use skillc_domain::discovery::merge::same_names;
use skillc_domain::discovery::skill::{CatalogSkill, LoadError, Location, SameName, SkillCatalog};
use skillc_lint::tokens::tokens;
use std::path::PathBuf;

/// Maximum number of lines in a list without `-v`.
const LISTED_MAX: usize = 10;

/// A client whose limits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClientBudget {
    /// Claude Code: 1 % of its context; drops whole descriptions.
    ClaudeCode,
    /// Codex: 2 % of its context, or 8,000 characters; shortens paths and descriptions, then drops skills.
    Codex,
}

/// A path at which a skill was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CatalogLocation {
    /// Its file, links unresolved.
    pub path: PathBuf,
    /// `repo` or `user`.
    pub scope: String,
    /// `agents`, `skillc`, an agent's id, or the path of a configured folder.
    pub root: String,
    /// Whether the file is the compiled stub.
    pub stub: bool,
}

/// A skill of the catalog.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CatalogEntry {
    /// Sixteen hexadecimal digits, a hash of its path.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its SKILL.md, links resolved.
    pub path: PathBuf,
    /// Its folder.
    pub dir: PathBuf,
    /// `repo` or `user`.
    pub scope: String,
    /// `markdown`, `python` or `builtin`.
    pub kind: String,
    /// Modification time of its file, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
    /// Every path at which it was found.
    pub locations: Vec<CatalogLocation>,
    /// Reasons why a strict client would reject it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<String>,
}

/// A folder that is not a valid skill, or cannot be searched.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CatalogError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub message: String,
}

/// Skills that share a name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SameNameGroup {
    /// The name.
    pub name: String,
    /// Their files.
    pub paths: Vec<PathBuf>,
    /// Whether they are identical.
    pub copies: bool,
}

/// How a client would cut a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CutEntry {
    /// The skill.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// `shortened`, `name-only` or `dropped`.
    #[serde(rename = "fate")]
    pub status: String,
    /// Remaining characters of its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_chars: Option<usize>,
}

/// How a client would cut the catalog.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CutReply {
    /// The client.
    pub client: ClientBudget,
    /// The unit: `characters` or `tokens`.
    pub unit: String,
    /// The limit for its list.
    pub limit: usize,
    /// The size of its list before the cut.
    #[serde(rename = "wanted")]
    pub requested: usize,
    /// Skills listed as they are.
    pub whole: usize,
    /// Skills with a shortened description.
    pub shortened: usize,
    /// Skills with their name only.
    pub name_only: usize,
    /// Skills that are not listed.
    pub dropped: usize,
    /// All skills not listed in full.
    pub cut: Vec<CutEntry>,
}

/// The file to which the catalog was written.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Written")]
pub struct WrittenCatalog {
    /// The file.
    pub path: PathBuf,
    /// `created`, `updated` or `none`; with --check, the change that is due.
    pub change: String,
    /// Whether the check failed.
    #[serde(skip)]
    pub is_out_of_date: bool,
    /// Why the file has no list and gets none.
    #[serde(skip)]
    pub nothing_to_list: Option<&'static str>,
}

/// The listed skills, and a summary of the rest.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CatalogReply {
    /// Repo before user, then by path.
    pub skills: Vec<CatalogEntry>,
    /// By path.
    pub errors: Vec<CatalogError>,
    /// Whether more skills exist than are listed.
    pub truncated: bool,
    /// Skills found.
    pub total: usize,
    /// Bytes of the block.
    pub bytes: usize,
    /// Estimated tokens of the block.
    pub tokens: usize,
    /// Names shared by several skills.
    pub same_names: Vec<SameNameGroup>,
    /// Number of skills in folders of other agents, which `--roots all` includes.
    pub elsewhere: usize,
    /// How a client would cut the skills that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<CutReply>,
    /// The written file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenCatalog>,
    #[serde(skip)]
    xml: String,
    #[serde(skip)]
    markdown: String,
}

impl CatalogReply {
    /// Assembles the reply.
    pub fn new(
        found: &SkillCatalog,
        xml: Block,
        markdown: Block,
        budget: Option<CutReply>,
        written: Option<WrittenCatalog>,
    ) -> Self {
        let total = found.skills.len();
        let same_names = same_names(&found.skills);
        Self {
            skills: found.skills.iter().take(xml.taken).cloned().map(CatalogEntry::from).collect(),
            errors: found.errors.iter().cloned().map(CatalogError::from).collect(),
            truncated: xml.truncated,
            total,
            bytes: xml.text.len(),
            tokens: tokens(&xml.text),
            same_names: same_names.into_iter().map(SameNameGroup::from).collect(),
            elsewhere: found.elsewhere,
            budget,
            written,
            xml: xml.text,
            markdown: markdown.text,
        }
    }
}

impl From<CatalogSkill> for CatalogEntry {
    fn from(skill: CatalogSkill) -> Self {
        Self {
            id: skill.id,
            name: skill.name,
            description: skill.description,
            path: skill.path,
            dir: skill.dir,
            scope: skill.scope.word().to_owned(),
            kind: skill.kind.word().to_owned(),
            mtime_ms: skill.mtime_ms,
            locations: skill.locations.into_iter().map(CatalogLocation::from).collect(),
            flaws: skill.flaws,
        }
    }
}

impl From<Location> for CatalogLocation {
    fn from(Location { path, scope, root, is_stub }: Location) -> Self {
        Self { path, scope: scope.word().to_owned(), root, stub: is_stub }
    }
}

impl From<LoadError> for CatalogError {
    fn from(LoadError { path, message, .. }: LoadError) -> Self {
        Self { path, message }
    }
}

impl From<SameName> for SameNameGroup {
    fn from(SameName { name, paths, are_copies }: SameName) -> Self {
        Self { name, paths, copies: are_copies }
    }
}

impl ClientBudget {
    /// The corresponding domain value.
    pub fn budget(self) -> Budget {
        match self {
            Self::ClaudeCode => Budget::ClaudeCode,
            Self::Codex => Budget::Codex,
        }
    }

    /// How a client with this many tokens of context would cut its list.
    pub fn cut(self, skills: &[BudgetedSkill], context_tokens: Option<u64>) -> CutReply {
        let CutCatalog { unit, limit, requested, statuses } = cut(self.budget(), skills, context_tokens);
        let count = |is: fn(&CutStatus) -> bool| statuses.iter().filter(|status| is(status)).count();
        let entry = |(skill, status): (&BudgetedSkill, &CutStatus)| {
            let (status, description_chars) = match status {
                CutStatus::Whole => return None,
                CutStatus::Shortened(chars) => ("shortened", Some(*chars)),
                CutStatus::NameOnly => ("name-only", None),
                CutStatus::Dropped => ("dropped", None),
            };
            let (name, path) = (skill.name.clone(), PathBuf::from(&skill.path));
            Some(CutEntry { name, path, status: status.to_owned(), description_chars })
        };
        CutReply {
            client: self,
            unit: if unit == CountUnit::Tokens { "tokens" } else { "characters" }.to_owned(),
            limit,
            requested,
            whole: count(|status| *status == CutStatus::Whole),
            shortened: count(|status| matches!(status, CutStatus::Shortened(_))),
            name_only: count(|status| *status == CutStatus::NameOnly),
            dropped: count(|status| *status == CutStatus::Dropped),
            cut: skills.iter().zip(&statuses).filter_map(entry).collect(),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }
}

impl CutReply {
    /// Whether the client reads no skill at all.
    fn is_empty(&self) -> bool {
        self.whole + self.shortened + self.name_only + self.dropped == 0
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let Self { unit, limit, requested, whole, shortened, name_only, dropped, .. } = self;
        if self.is_empty() {
            let client = self.client.word();
            return line(
                out,
                view.strong(format!("{client} reads none of the folders that have skills here")),
            );
        }
        let title = format!("{} lists at most {limit} {unit}; this list has {requested}", self.client.word());
        line(out, view.strong(title));
        line(
            out,
            format!("{whole} whole, {shortened} shortened, {name_only} by name only, {dropped} dropped"),
        );
        let shown = if view.is_verbose { self.cut.len() } else { self.cut.len().min(LISTED_MAX) };
        if shown > 0 {
            let row = |cut: &CutEntry| {
                let left = cut.description_chars.map_or(String::new(), |chars| format!(" to {chars}"));
                vec![plain(&cut.name), format!("{}{left}", cut.status)]
            };
            line(
                out,
                table(view, &["SKILL", "STATUS"], &self.cut[..shown].iter().map(row).collect::<Vec<_>>()),
            );
        }
        if shown < self.cut.len() {
            line(out, format!("… ({} more; -v lists all)", self.cut.len() - shown));
        }
    }
}

impl Render for CatalogReply {
    fn is_content(&self) -> bool {
        self.budget.is_none() && self.written.is_none()
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(budget) = &self.budget {
            return budget.render(view, out);
        }
        match &self.written {
            Some(WrittenCatalog { nothing_to_list: Some(why), path, .. }) => {
                line(out, format!("nothing to list in {}: {why}", view.path(path)));
            }
            Some(written) => {
                let path = view.path(&written.path);
                line(
                    out,
                    match (written.change.as_str(), written.is_out_of_date) {
                        ("none", _) => format!("up to date: {path}"),
                        (_, true) => format!("out of date: {path}"),
                        (change, false) => format!("{change}: {path}"),
                    },
                );
            }
            None => out.extend_from_slice(self.xml.as_bytes()),
        }
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        let Self { total, bytes, tokens, elsewhere, .. } = self;
        let listed = self.skills.len();
        let part = if listed == *total { String::new() } else { format!("{listed} of ") };
        let skills = counted(*total as u64, "skill");
        line(out, view.faint(format!("{part}{skills}, {bytes} bytes, about {tokens} tokens")));
        if *elsewhere > 0 {
            line(
                out,
                view.faint(format!("{elsewhere} more in folders of other agents; --roots all includes them")),
            );
        }
        let errors = self
            .errors
            .iter()
            .map(|e| format!("skipped {}: {}", view.path(&e.path), plain(&one_line(&e.message))));
        print_lines(view, out, errors.collect());
        let names = self.same_names.iter().map(|same| {
            let what = if same.copies { "copies" } else { "skills" };
            let paths: Vec<_> = same.paths.iter().map(|path| view.path(path)).collect();
            format!("name '{}' of {} {what}: {}", plain(&same.name), paths.len(), paths.join(", "))
        });
        print_lines(view, out, names.collect());
    }

    fn has_failed(&self) -> bool {
        self.written.as_ref().is_some_and(|written| written.is_out_of_date)
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        match format {
            "xml" => Some(self.xml.clone().into_bytes()),
            "md" => Some(self.markdown.clone().into_bytes()),
            _ => None,
        }
    }
}

/// Prints the first lines, and the number of remaining ones.
fn print_lines(view: &View, out: &mut Vec<u8>, lines: Vec<String>) {
    let shown = if view.is_verbose { lines.len() } else { lines.len().min(LISTED_MAX) };
    lines[..shown].iter().for_each(|text| line(out, text));
    if shown < lines.len() {
        line(out, format!("… ({} more; -v lists all)", lines.len() - shown));
    }
}
