//! `skc explain` (RFC-0007:C-EXPLAIN).

use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, line};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::explain::explain;

/// Explain a code: what it means, what to do, an example.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The code, such as E002, or its name, such as index-unusable.
    pub code: String,
}

/// An explanation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainReply {
    /// The code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The message with `<placeholders>`.
    pub message: String,
    /// When it occurs.
    pub meaning: String,
    /// What to do about it.
    pub remedy: String,
    /// A command line or a piece of a file.
    pub example: String,
}

/// The operation.
pub struct Explain;

impl Operation for Explain {
    const NAME: &'static str = "explain";
    const SURFACE: Surface = Surface::Everywhere;
    const IS_READ_ONLY: bool = true;
    const EXAMPLES: &'static str = "skc explain E002\nskc explain path-escapes";
    type Request = ExplainRequest;
    type Reply = ExplainReply;

    async fn run(_: &mut Run<'_>, request: ExplainRequest) -> Result<ExplainReply, Failure> {
        let row = explain(&request.code)?;
        Ok(ExplainReply {
            code: row.code.to_owned(),
            name: row.name.to_owned(),
            message: row.message.to_owned(),
            meaning: row.meaning.to_owned(),
            remedy: row.remedy.to_owned(),
            example: row.example.to_owned(),
        })
    }
}

impl Render for ExplainReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        line(out, format!("{} {}", view.strong(&self.code), self.name));
        line(out, format!("  Message  {}", self.message));
        line(out, format!("  Meaning  {}", self.meaning));
        line(out, format!("  Remedy   {}", self.remedy));
        let mut example = self.example.lines();
        line(out, format!("  Example  {}", example.next().unwrap_or_default()));
        example.for_each(|more| line(out, format!("           {more}")));
    }
}
