//! `skc load` (RFC-0010:C-LOAD).

use crate::app::App;
use crate::catalog::Roots;
use crate::failure::Failure;
use crate::load::{SkillSelector, SkillText, choose, files_of, is_held, permitted, text_of};
use crate::operation::{Operation, Surface, ToolGroup};
use crate::policy::{Purpose, admit, unreadable_patterns};
use crate::render::{Render, View, line};
use crate::resolve::{resolve_without_policy, single_file};
use crate::run::Run;
use crate::skill::Skill;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::discovery::load::{Loaded, SkillRef, context, harmless, reminder};
use skillc_domain::discovery::roots::Which;
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind};
use skillc_domain::fault::{Fault, Warning};
use std::borrow::Cow;
use std::path::PathBuf;

/// Load a skill into context: its whole text, base directory and files.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadRequest {
    /// Name of the skill, or its path.
    pub name: Option<String>,
    /// Its SKILL.md or folder; takes precedence over the name.
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// Where a name is looked up.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub roots: Roots,
    /// The ref of an earlier load: the same bytes again, or an error.
    #[arg(long = "ref", id = "ref", value_name = "REF", conflicts_with_all = ["name", "path"])]
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Send the text again even if the session has it.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

/// A loaded skill.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LoadReply {
    /// The `<skill_context>`, or a reminder if the session already has it.
    pub text: String,
    /// Id of the skill.
    pub skill_id: String,
    /// Its name.
    pub name: String,
    /// Its SKILL.md.
    pub path: PathBuf,
    /// Its base directory.
    pub dir: PathBuf,
    /// Modification time of its SKILL.md, milliseconds since 1970 UTC.
    pub mtime_ms: i64,
    /// `load` with this `ref` returns the same bytes again.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Whether the text was left out because the session has it.
    pub suppressed: bool,
    /// Whether there are more files than are listed.
    pub files_truncated: bool,
}

/// Implements `skc load`.
pub struct Load;

impl Operation for Load {
    const NAME: &'static str = "load";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc load release-notes\nskc load .agents/skills/release-notes/SKILL.md --force\nskc load --ref skill:0123456789abcdef@0123456789abcdef";
    type Request = LoadRequest;
    type Reply = LoadReply;

    async fn run(run: &mut Run<'_>, request: LoadRequest) -> Result<LoadReply, Failure> {
        let selector = SkillSelector::of(
            request.name.as_deref(),
            request.path.as_deref(),
            request.reference.as_deref(),
        )?;
        unreadable_patterns(run.app).into_iter().for_each(|warning| run.warn(warning));
        let (skill, text) = found(run, &selector, request.roots.which())?;
        let reference = SkillRef::new(&skill.id, &text.digest);
        if let SkillSelector::Reference(asked) = &selector
            && *asked != reference
        {
            let message = "its SKILL.md was changed".to_owned();
            return Err(Fault::ReferenceBroken { reference: asked.to_string(), message }.into());
        }
        run.note("version", reference.version.as_str());
        // A caller that passes a reference has lost the text, so it is sent again.
        let is_again = is_held(run.app, &skill, &reference);
        let is_requested_again = request.force || matches!(selector, SkillSelector::Reference(_));
        Ok(match is_again && !is_requested_again {
            true => held_back(&skill, &text, &reference),
            false => sent(run, &skill, &text, &reference),
        })
    }
}

/// Finds the selected skill, if it may be loaded, and reads its text. If it changed after the catalog was read, it is
/// looked up again, since it may have another name now.
fn found(
    run: &mut Run<'_>,
    selector: &SkillSelector,
    roots: Which,
) -> Result<(CatalogSkill, SkillText), Failure> {
    let skill = choose(run.app, selector, roots, false)?;
    uses(run, selector, &skill);
    permitted(run, &skill)?;
    if let Some(used) = of_disk(run.app, &skill) {
        admit(run.app, &used, Purpose::Use)?;
    }
    let text = text_of(run.app, &skill)?;
    if text.digest == skill.digest {
        return Ok((skill, text));
    }
    let again = choose(run.app, selector, roots, true)?;
    if again.name != skill.name {
        permitted(run, &again)?;
    }
    let text = text_of(run.app, &again)?;
    match text.digest == again.digest {
        true => Ok((again, text)),
        false => {
            let path = again.path.to_path_buf();
            Err(Fault::SkillUnreadable { path, message: "it is being changed".to_owned() }.into())
        }
    }
}

/// Records the use. A built-in skill has no log of its own.
fn uses(run: &mut Run<'_>, selector: &SkillSelector, skill: &CatalogSkill) {
    if let Some(used) = of_disk(run.app, skill) {
        run.loads(&used);
        run.asks_for(&selector.text());
        run.reads(&skill.path.file_name().unwrap_or_default().to_string_lossy(), None);
    }
}

fn of_disk(app: &App, skill: &CatalogSkill) -> Option<Skill> {
    match skill.kind {
        SkillKind::Builtin => None,
        _ if skill.is_single_file() => single_file(app, &skill.path).ok(),
        _ => resolve_without_policy(app, &skill.dir.to_string_lossy()).ok(),
    }
}

fn sent(run: &mut Run<'_>, skill: &CatalogSkill, text: &SkillText, reference: &SkillRef) -> LoadReply {
    if matches!(harmless(&text.text), Cow::Owned(_)) {
        run.warn(Warning::ForgedMarkup { path: skill.path.clone() });
    }
    let (files, is_truncated) = files_of(skill, text);
    let whole = context(&Loaded {
        name: &skill.name,
        path: &skill.path,
        dir: &skill.dir,
        content: &text.text,
        files: &files,
        is_truncated,
    });
    LoadReply { files_truncated: is_truncated, ..reply(whole, skill, text.mtime_ms, reference) }
}

fn held_back(skill: &CatalogSkill, text: &SkillText, reference: &SkillRef) -> LoadReply {
    let short = reminder(&skill.name, &skill.path, reference);
    LoadReply { suppressed: true, ..reply(short, skill, text.mtime_ms, reference) }
}

fn reply(text: String, skill: &CatalogSkill, mtime_ms: i64, reference: &SkillRef) -> LoadReply {
    LoadReply {
        text,
        skill_id: skill.id.clone(),
        name: skill.name.clone(),
        path: skill.path.clone(),
        dir: skill.dir.clone(),
        mtime_ms,
        reference: reference.to_string(),
        suppressed: false,
        files_truncated: false,
    }
}

impl Render for LoadReply {
    fn is_content(&self) -> bool {
        true
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        view.content(self.text.as_bytes(), out);
    }

    fn text_field(&self) -> Option<&'static str> {
        Some("text")
    }

    fn not_delivered(&self, app: &App) {
        if let Some(session) = app.call.session.as_ref().filter(|_| !self.suppressed) {
            // At worst the text is withheld once, and its reminder says how to get it.
            let _ = app.ports.sessions.forget(session, &self.path.to_string_lossy());
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        line(out, format!("ref {}", self.reference));
    }
}
