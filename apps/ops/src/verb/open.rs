//! `skc open` (RFC-0002:C-OPEN).

use super::show::more_lines;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line};
use crate::resolve::resolve;
use crate::run::Run;
use base64::prelude::{BASE64_STANDARD, Engine};
use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use skillc_domain::excerpt::{cut, lines_max};
use skillc_domain::fault::Fault;
use skillc_domain::limits::OPEN_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::{ErrorKind, PortError};

/// Read one file of a skill, whatever its kind.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// Name or path of the skill.
    pub skill: String,
    /// Path of the file, relative to the skill.
    pub path: String,
    /// At most so many lines.
    #[arg(long, value_name = "N")]
    pub max_lines: Option<u32>,
}

/// A file.
#[derive(Debug)]
pub struct OpenReply {
    /// Path relative to the skill.
    pub path: String,
    /// Its bytes, or the first lines of them.
    pub bytes: Vec<u8>,
    /// Lines that were cut.
    pub truncated_lines: u32,
}

/// A file as it stands in a structured reply.
#[derive(JsonSchema)]
#[schemars(rename = "OpenReply")]
#[allow(dead_code)]
struct OpenReplyShape {
    /// Path relative to the skill.
    path: String,
    /// Its content.
    content: String,
    /// `utf-8`, or `base64` for bytes that are no UTF-8 text.
    encoding: String,
    /// Lines that were cut.
    truncated_lines: u32,
}

/// The operation.
pub struct Open;

impl Operation for Open {
    const NAME: &'static str = "open";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str =
        "skc open my-skill references/api.md\nskc open my-skill scripts/run.py --max-lines 50";
    type Request = OpenRequest;
    type Reply = OpenReply;

    async fn run(run: &mut Run<'_>, request: OpenRequest) -> Result<OpenReply, Failure> {
        let lines_max = lines_max(request.max_lines)?;
        let skill = resolve(run.app, &request.skill)?;
        run.uses(&skill);
        run.asks_for(&request.path);
        let path = RelPath::parse(&request.path)?;
        let tree = run.app.files.open(&skill.path)?;
        let content = tree.read(&path, OPEN_BYTES_MAX).map_err(|error| refusal(error, &request.path))?;
        run.reads(&path.to_string(), None);
        let excerpt = cut(&content.bytes, lines_max);
        Ok(OpenReply {
            path: path.to_string(),
            truncated_lines: excerpt.lines_cut,
            bytes: excerpt.bytes.to_vec(),
        })
    }
}

fn refusal(error: PortError, given: &str) -> Failure {
    let path = given.to_owned();
    match error.kind {
        ErrorKind::NotFound | ErrorKind::NotAFile => Failure::because(Fault::FileNotFound { path }, error),
        ErrorKind::Escapes => Failure::because(Fault::PathEscapes { path }, error),
        ErrorKind::TooLarge => {
            Failure::because(Fault::TooLarge { path, limit: OPEN_BYTES_MAX.to_string() }, error)
        }
        _ => error.into(),
    }
}

impl Serialize for OpenReply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (content, encoding) = match std::str::from_utf8(&self.bytes) {
            Ok(text) => (text.to_owned(), "utf-8"),
            Err(_) => (BASE64_STANDARD.encode(&self.bytes), "base64"),
        };
        let mut reply = serializer.serialize_struct("OpenReply", 4)?;
        reply.serialize_field("path", &self.path)?;
        reply.serialize_field("content", &content)?;
        reply.serialize_field("encoding", encoding)?;
        reply.serialize_field("truncated_lines", &self.truncated_lines)?;
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
    fn render(&self, _: &View, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
        if self.truncated_lines > 0 {
            line(out, more_lines(self.truncated_lines));
        }
    }
}
