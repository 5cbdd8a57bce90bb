//! `skc mentions` (RFC-0010:C-MENTIONS).

use crate::catalog::{CatalogFilter, catalog};
use crate::failure::Failure;
use crate::load::at_path;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line, plain};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::mention::{Mention, MentionForm, mentions};
use skillc_domain::discovery::skill::CatalogSkill;
use skillc_domain::fault::Fault;
use skillc_domain::limits::MENTIONS_BYTES_MAX;
use skillc_ports::{ErrorKind, PortError};
use std::path::PathBuf;

/// List the skills that a text mentions, as $name or by the path of a SKILL.md.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MentionsRequest {
    /// The text, or '-' for standard input.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub text: Option<String>,
    /// Read the text from this file.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// What a mention refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Meaning")]
pub enum MentionKind {
    /// One skill.
    Skill,
    /// One of several skills of this name; the path is needed to choose.
    Ambiguous,
    /// No skill of the catalog.
    Unknown,
}

/// A skill that a mention may refer to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Mentioned {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// `repo` or `user`.
    pub scope: &'static str,
}

/// A mention.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MentionLine {
    /// The text of the mention: a name without its `$`, or a path.
    pub written: String,
    /// Whether it is a path.
    pub is_path: bool,
    /// 1-based line of the first occurrence.
    pub line: u32,
    /// What it refers to.
    pub meaning: MentionKind,
    /// The skills that it may refer to.
    pub skills: Vec<Mentioned>,
}

/// The mentions of a text.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MentionsReply {
    /// Without duplicates, in text order.
    pub mentions: Vec<MentionLine>,
}

/// Implements `skc mentions`.
pub struct Mentions;

impl Operation for Mentions {
    const NAME: &'static str = "mentions";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc mentions 'Use $release-notes for this'\nskc mentions --file prompt.md\nskc mentions - < prompt.md";
    type Request = MentionsRequest;
    type Reply = MentionsReply;

    async fn run(run: &mut Run<'_>, request: MentionsRequest) -> Result<MentionsReply, Failure> {
        let text = text(run, request)?;
        let catalog = catalog(run, &CatalogFilter { with_builtin: true, ..CatalogFilter::default() })?;
        let found = mentions(&text, &catalog.skills, &|path| at_path(run.app, &catalog.skills, path));
        let lines = found.into_iter().map(|mention| mention_line(mention, &catalog.skills)).collect();
        Ok(MentionsReply { mentions: lines })
    }
}

fn text(run: &Run<'_>, request: MentionsRequest) -> Result<String, Failure> {
    let (bytes, source) = match (request.file, request.text) {
        (Some(file), _) => {
            let path = run.app.call.places.cwd.join(&file);
            (run.app.ports.named.read(&path, MENTIONS_BYTES_MAX), file.to_string_lossy().into_owned())
        }
        (None, Some(text)) if text == "-" => (run.app.ports.named.input(MENTIONS_BYTES_MAX), text),
        (None, text) => return Ok(text.unwrap_or_default()),
    };
    let bytes = bytes.map_err(|error| refusal(error, source))?;
    // Bytes that are not text contain no mentions; the rest is still searched.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn refusal(error: PortError, path: String) -> Failure {
    match error.kind {
        ErrorKind::NotFound | ErrorKind::NotAFile => {
            let (skill, suggestions) = (String::new(), String::new());
            Failure::because(Fault::FileNotFound { path, skill, suggestions }, error)
        }
        ErrorKind::TooLarge => Failure::because(Fault::TooLarge { path, limit: MENTIONS_BYTES_MAX }, error),
        _ => error.into(),
    }
}

fn mention_line(mention: Mention, skills: &[CatalogSkill]) -> MentionLine {
    let is_path = matches!(mention.written, MentionForm::Path(_));
    let (MentionForm::Name(written) | MentionForm::Path(written)) = mention.written;
    let meaning = match mention.candidates.len() {
        0 => MentionKind::Unknown,
        1 => MentionKind::Skill,
        _ => MentionKind::Ambiguous,
    };
    let mentioned = |at: &usize| {
        let skill = &skills[*at];
        Mentioned {
            id: skill.id.clone(),
            name: skill.name.clone(),
            path: skill.path.clone(),
            scope: skill.scope.word(),
        }
    };
    let skills = mention.candidates.iter().map(mentioned).collect();
    MentionLine { written, is_path, line: mention.line, meaning, skills }
}

impl Render for MentionsReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for mention in &self.mentions {
            let sign = if mention.is_path { "" } else { "$" };
            let head = view.strong(format!("{sign}{}", plain(&mention.written)));
            let paths: Vec<String> = mention.skills.iter().map(|skill| view.path(&skill.path)).collect();
            match mention.meaning {
                MentionKind::Skill => line(out, format!("{head}  {}", paths.concat())),
                MentionKind::Unknown => line(out, format!("{head}  {}", view.bad("unknown"))),
                MentionKind::Ambiguous => {
                    line(out, format!("{head}  {}", view.careful("ambiguous")));
                    paths.iter().for_each(|path| line(out, format!("  {path}")));
                }
            }
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        if self.mentions.is_empty() {
            line(out, "no skill is mentioned");
        }
    }
}
