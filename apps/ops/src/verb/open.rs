//! `skc open` (RFC-0002:C-OPEN).

use crate::context::Caller;
use crate::failure::Failure;
use crate::operation::{Operation, Surface, ToolGroup};
use crate::paging::{Paging, cut_line, print_dir_and_next_cursor};
use crate::policy::admit_file;
use crate::render::{Render, View};
use crate::resolve::resolve;
use crate::run::Run;
use crate::serve::uri_of;
use crate::similar_paths::no_file;
use crate::skill::Skill;
use base64::prelude::{BASE64_STANDARD, Engine};
use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use skillc_domain::fault::Fault;
use skillc_domain::limits::OPEN_BYTES_MAX;
use skillc_domain::media_type::media_type;
use skillc_domain::path::RelPath;
use skillc_domain::text::excerpt::{excerpt, tokens};
use skillc_ports::{ErrorKind, PortError, SkillTree};
use std::path::PathBuf;

/// Read one file of a skill, of any kind.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Path of the file, relative to the skill.
    pub path: String,
    /// The requested part.
    #[command(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
}

/// A file.
#[derive(Debug)]
pub struct OpenReply {
    /// Base directory of the skill.
    pub dir: PathBuf,
    /// Path relative to the skill.
    pub path: String,
    /// Its bytes, or the first lines of them.
    pub bytes: Vec<u8>,
    /// Whether the whole file is UTF-8 text; parts of any other file are in base64.
    is_text: bool,
    /// Lines that were cut.
    pub truncated_lines: u32,
    /// The cursor of the next part; `None` at the end.
    pub next_cursor: Option<String>,
    /// Estimated tokens of the text form: its bytes divided by four, rounded up.
    pub tokens: u32,
    /// Describes bytes that were left out; `bytes` is then empty.
    pub left_out: Option<LeftOut>,
}

/// Binary content that was withheld from an agent, which cannot read it and whose context it would fill.
#[derive(Debug)]
pub struct LeftOut {
    /// Its size in bytes.
    pub size: u64,
    /// Its media type.
    pub media_type: &'static str,
    /// The URI of the file as a resource; `None` for one that is not served.
    pub uri: Option<String>,
}

/// A file in a structured reply.
#[derive(JsonSchema)]
#[schemars(rename = "OpenReply")]
#[allow(dead_code)]
struct OpenReplyShape {
    /// Base directory of the skill.
    dir: PathBuf,
    /// Path relative to the skill.
    path: String,
    /// Its content.
    content: String,
    /// `utf-8`; `base64` for bytes that are not UTF-8 text; `none` for bytes that are withheld from an agent.
    encoding: String,
    /// Lines that were cut.
    truncated_lines: u32,
    /// The `cursor` that continues this answer; missing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// Estimated tokens of the text form: its bytes divided by four, rounded up.
    tokens: u32,
    /// Bytes of the file, if they are withheld: they are not text, and no max_bytes was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// The media type of withheld bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    /// The resource with withheld bytes; missing for a file that is not served.
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
}

/// Implements `skc open`.
pub struct Open;

impl Operation for Open {
    const NAME: &'static str = "open";
    const SURFACE: Surface = Surface::Everywhere;
    const TOOL_GROUP: ToolGroup = ToolGroup::Read;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str =
        "skc open my-skill references/api.md\nskc open my-skill scripts/run.py --max-lines 50";
    type Request = OpenRequest;
    type Reply = OpenReply;

    async fn run(run: &mut Run<'_>, request: OpenRequest) -> Result<OpenReply, Failure> {
        let bounds = request.paging.bounds(run.app)?;
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        run.asks_for(&request.path);
        let path = RelPath::parse(&request.path)?;
        admit_file(run.app, &skill, &path)?;
        let tree = run.app.ports.files.open(&skill.path)?;
        let content = tree
            .read(&path, OPEN_BYTES_MAX)
            .map_err(|error| refusal(run, &skill, tree.as_ref(), error, &request.path))?;
        run.reads(&path.to_string(), None);
        let asks_for_bytes = request.paging.max_bytes.is_some() || request.paging.cursor.is_some();
        let is_agent = matches!(run.app.call.caller, Caller::Agent(_));
        if is_agent && !asks_for_bytes && std::str::from_utf8(&content.bytes).is_err() {
            let size = content.bytes.len() as u64;
            let uri = uri_of(run.app, &skill, &path);
            run.reads_in_part();
            return Ok(OpenReply::without_bytes(skill.path, &path, size, uri));
        }
        let asked = ["open", &skill.path.to_string_lossy(), path.as_str()];
        let part = excerpt(&content.bytes, bounds, request.paging.cursor.as_deref(), &asked)?;
        if part.bytes.len() < content.bytes.len() {
            run.reads_in_part();
        }
        Ok(OpenReply {
            path: path.to_string(),
            truncated_lines: part.lines_cut,
            tokens: tokens(part.bytes.len() + cut_line(part.bytes, part.lines_cut).len()),
            next_cursor: part.next_cursor,
            is_text: std::str::from_utf8(&content.bytes).is_ok(),
            bytes: part.bytes.to_vec(),
            left_out: None,
            dir: skill.path,
        })
    }
}

impl OpenReply {
    fn without_bytes(dir: PathBuf, path: &RelPath, size: u64, uri: Option<String>) -> Self {
        let left_out = LeftOut { size, media_type: media_type(path), uri };
        let tokens = tokens(left_out.text(path.as_str()).len());
        let path = path.to_string();
        Self {
            dir,
            path,
            is_text: false,
            bytes: Vec::new(),
            truncated_lines: 0,
            next_cursor: None,
            tokens,
            left_out: Some(left_out),
        }
    }
}

impl LeftOut {
    fn text(&self, path: &str) -> String {
        let resource = self.uri.iter().map(|uri| format!("; as a resource: {uri}")).collect::<String>();
        let (size, kind) = (self.size, self.media_type);
        format!("'{path}' is not text: {size} bytes, {kind}{resource}; max_bytes returns them in base64\n")
    }
}

fn refusal(run: &Run<'_>, skill: &Skill, tree: &dyn SkillTree, error: PortError, given: &str) -> Failure {
    let path = given.to_owned();
    match error.kind {
        ErrorKind::NotFound | ErrorKind::NotAFile => {
            Failure::because(no_file(run.app, skill, tree, given), error)
        }
        ErrorKind::Escapes => Failure::because(Fault::PathEscapes { path }, error),
        ErrorKind::TooLarge => Failure::because(Fault::TooLarge { path, limit: OPEN_BYTES_MAX }, error),
        _ => error.into(),
    }
}

impl Serialize for OpenReply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (content, encoding) = match std::str::from_utf8(&self.bytes) {
            _ if self.left_out.is_some() => (String::new(), "none"),
            Ok(text) if self.is_text => (text.to_owned(), "utf-8"),
            _ => (BASE64_STANDARD.encode(&self.bytes), "base64"),
        };
        let mut reply = serializer.serialize_struct("OpenReply", 10)?;
        reply.serialize_field("dir", &self.dir)?;
        reply.serialize_field("path", &self.path)?;
        reply.serialize_field("content", &content)?;
        reply.serialize_field("encoding", encoding)?;
        reply.serialize_field("truncated_lines", &self.truncated_lines)?;
        match &self.next_cursor {
            Some(cursor) => reply.serialize_field("next_cursor", cursor)?,
            None => reply.skip_field("next_cursor")?,
        }
        reply.serialize_field("tokens", &self.tokens)?;
        if let Some(left_out) = &self.left_out {
            reply.serialize_field("size", &left_out.size)?;
            reply.serialize_field("media_type", left_out.media_type)?;
            if let Some(uri) = &left_out.uri {
                reply.serialize_field("uri", uri)?;
            }
        }
        reply.end()
    }
}

impl JsonSchema for OpenReply {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OpenReply".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        OpenReplyShape::json_schema(generator)
    }
}

impl Render for OpenReply {
    fn is_content(&self) -> bool {
        true
    }

    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(left_out) = &self.left_out {
            out.extend_from_slice(left_out.text(&self.path).as_bytes());
        }
        view.content(&self.bytes, out);
        out.extend_from_slice(cut_line(&self.bytes, self.truncated_lines).as_bytes());
    }

    fn diagnostics(&self, view: &View, out: &mut Vec<u8>) {
        print_dir_and_next_cursor(view, &self.dir, self.next_cursor.as_deref(), out);
    }
}
