//! `skc catalog` (RFC-0010:C-CATALOG, C-CONTEXT, C-BUDGET, C-WRITE).

use crate::app::App;
use crate::catalog::client_list::client_list;
use crate::catalog::reply::{CatalogReply, ClientBudget, WrittenCatalog};
use crate::catalog::{CatalogFilter, Roots, catalog, read, read_with_hidden, repository};
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::policy::{has_rules, rules_without_skill};
use crate::resolve::typed;
use crate::run::Run;
use crate::written::{self, Allowed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::config::ProjectSettings;
use skillc_domain::discovery::block::{Block, BlockLimits, Form, block};
use skillc_domain::discovery::marked::{has_marks, with_block};
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::{CatalogSkill, SkillScope};
use skillc_domain::fault::Fault;
use skillc_domain::places::relative;
use skillc_ports::ErrorKind;
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a file that the block is written to: far more than any agent reads as its instructions.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Whose skills are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogScope {
    /// The repository's.
    Repo,
    /// The user's.
    User,
    /// Both.
    All,
}

impl CatalogScope {
    fn scope(self) -> Option<SkillScope> {
        match self {
            Self::Repo => Some(SkillScope::Repo),
            Self::User => Some(SkillScope::User),
            Self::All => None,
        }
    }
}

/// Print the block that tells an agent which skills there are.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogRequest {
    /// The folders of skills to search.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub roots: Roots,
    /// Only skills of this scope [default: all; with --write: repo].
    #[arg(long, value_enum)]
    pub scope: Option<CatalogScope>,
    /// Maximum number of skills, instead of the setting.
    #[arg(long, value_name = "N")]
    pub max_entries: Option<u32>,
    /// Maximum number of bytes, instead of the setting.
    #[arg(long, value_name = "N")]
    pub max_bytes: Option<u32>,
    /// Show what this client's own limits would cut.
    #[arg(long, value_enum)]
    pub budget: Option<ClientBudget>,
    /// Size of that client's context in tokens.
    #[arg(long, value_name = "TOKENS", requires = "budget")]
    pub context: Option<u64>,
    /// Keep the block in this file up to date, between two marker lines; the rest of the file stays.
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Write through a link that leads out of its folder, if the link and the file are yours.
    #[arg(long, requires = "write")]
    #[serde(default)]
    pub follow: bool,
    /// With --write: write nothing; exit with status 1 if the block is out of date.
    #[arg(long, requires = "write")]
    #[serde(default)]
    pub check: bool,
}

/// Implements `skc catalog`.
pub struct Catalog;

impl Operation for Catalog {
    const NAME: &'static str = "catalog";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc catalog\nskc catalog --format json\nskc catalog --roots all --budget codex\n\
                                    skc catalog --write AGENTS.md\nskc catalog --write AGENTS.md --check";
    const FORMATS: &'static [&'static str] = &["text", "json", "xml", "md"];
    type Request = CatalogRequest;
    type Reply = CatalogReply;

    async fn run(run: &mut Run<'_>, request: CatalogRequest) -> Result<CatalogReply, Failure> {
        let ask = filter(&request);
        let for_everybody = is_for_everybody(&request).then(|| with_settings_of_project(run.app));
        let limits = limits(for_everybody.as_ref().unwrap_or(run.app), &request)?;
        let found = match &for_everybody {
            Some(app) => read(app, &ask)?,
            None => catalog(run, &ask)?,
        };
        if run.app.call.settings.skills.enabled && has_rules(run.app) {
            let every =
                read_with_hidden(run.app, CatalogFilter { roots: Which::All, ..CatalogFilter::default() });
            // A rule may name a skill or its folder.
            let places: Vec<String> =
                every.skills.iter().map(|skill| skill.name_of_place().to_string()).collect();
            let names = every.skills.iter().map(|skill| skill.name.as_str());
            let names = names.chain(places.iter().map(String::as_str));
            rules_without_skill(run.app, names).into_iter().for_each(|warning| run.warn(warning));
        }
        let of = |form| block(&found.skills, found.truncated, limits, form);
        let (xml, markdown) = (of(Form::Xml), of(Form::Markdown));
        let written = match &request.write {
            Some(file) => {
                let skills = listed_in(run.app, file, &found.skills);
                let of = |form| block(&skills, found.truncated, limits, form);
                Some(write(run, file, of, &request)?)
            }
            None => None,
        };
        let app = run.app;
        let cut = |client: ClientBudget| client.cut(&client_list(app, client.budget()), request.context);
        let budget = request.budget.map(cut);
        Ok(CatalogReply::new(&found, xml, markdown, budget, written))
    }
}

/// Whether a file lists the repository's skills. Since it may be committed, it must not depend on this machine's
/// agents or its user's settings.
fn is_for_everybody(request: &CatalogRequest) -> bool {
    request.write.is_some() && request.scope.is_none_or(|scope| scope == CatalogScope::Repo)
}

/// The same call with only the settings of the project.
fn with_settings_of_project(app: &App) -> App {
    let mut app = app.clone();
    let settings = &mut app.call.settings;
    let ProjectSettings { skills, is_lenient, permissions } = settings.of_project.clone();
    (settings.skills, settings.permissions, settings.discovery.lenient) = (skills, permissions, is_lenient);
    app
}

/// The skills to list. Unless another scope was given, a file lists the repository's skills, in the folders of every
/// agent.
fn filter(request: &CatalogRequest) -> CatalogFilter {
    let scope = request.scope.or(request.write.as_ref().map(|_| CatalogScope::Repo));
    let roots = match request.roots {
        Roots::Default if is_for_everybody(request) => Which::All,
        roots => roots.which(),
    };
    let scope = scope.and_then(CatalogScope::scope);
    CatalogFilter { roots, scope, counts_elsewhere: true, ..CatalogFilter::default() }
}

/// The skills in the form for a file: paths inside the repository are relative to the file's folder.
fn listed_in(app: &App, file: &Path, skills: &[CatalogSkill]) -> Vec<CatalogSkill> {
    let folder = typed(app, &file.to_string_lossy());
    let folder = app.ports.stores.real_path(folder.parent().unwrap_or(&folder));
    let repository = app.ports.stores.real_path(&repository(app));
    let listed =
        |skill: &CatalogSkill| match [&folder, &skill.path].iter().all(|p| p.starts_with(&repository)) {
            true => CatalogSkill { path: relative(&folder, &skill.path), ..skill.clone() },
            false => skill.clone(),
        };
    skills.iter().map(listed).collect()
}

fn limits(app: &App, request: &CatalogRequest) -> Result<BlockLimits, Fault> {
    let settings = &app.call.settings.skills;
    let number = |asked: Option<u32>, setting: u32, least: u32, option: &str| match asked {
        Some(number) if number < least => {
            Err(Fault::invalid_option(format!("{option} {number} is too small; give {least} or more")))
        }
        asked => Ok(usize::try_from(asked.unwrap_or(setting)).unwrap_or(usize::MAX)),
    };
    Ok(BlockLimits {
        entries_max: number(request.max_entries, settings.max_entries, 1, "--max-entries")?,
        bytes_max: number(request.max_bytes, settings.max_bytes, 1_024, "--max-bytes")?,
    })
}

/// Updates the block in a file: Markdown in a Markdown file, XML otherwise. Without skills, the space between the
/// markers is empty, and no file is created.
fn write(
    run: &Run<'_>,
    file: &Path,
    block_as: impl Fn(Form) -> Block,
    request: &CatalogRequest,
) -> Result<WrittenCatalog, Failure> {
    let is_check = request.check;
    let path = typed(run.app, &file.to_string_lossy());
    let old = match run.app.ports.named.read(&path, FILE_BYTES_MAX) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let is_markdown = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("md") || e == "mdx");
    let block = block_as(if is_markdown { Form::Markdown } else { Form::Xml });
    let before = old.as_deref().unwrap_or_default();
    if block.text.is_empty() && !has_marks(before) {
        let nothing_to_list = Some(match request.scope {
            None | Some(CatalogScope::Repo) => {
                "the repository has no skills; '--scope all' includes those of the user"
            }
            Some(_) => "there are no skills",
        });
        let change = "none".to_owned();
        return Ok(WrittenCatalog { path, change, is_out_of_date: false, nothing_to_list });
    }
    let made = with_block(before, &block.text)
        .map_err(|message| Fault::MarksBroken { path: path.to_path_buf(), message: message.to_owned() })?;
    let change = match &old {
        Some(old) if *old == made => "none",
        Some(_) => "updated",
        None => "created",
    };
    if change != "none" && !is_check {
        let allowed = Allowed { follows: request.follow, is_forced: false };
        // The file is replaced only if it has not changed since it was read.
        written::write(run.app, &path, &made, allowed, &|now| now == before)?;
    }
    let is_out_of_date = is_check && change != "none";
    Ok(WrittenCatalog { path, change: change.to_owned(), is_out_of_date, nothing_to_list: None })
}
