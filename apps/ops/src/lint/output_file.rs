//! Writes a report to a file, as SARIF, JSON or text depending on the extension.

use super::reply::LintReply;
use super::sarif::sarif;
use crate::app::App;
use crate::failure::Failure;
use crate::operation::Reply;
use crate::render::{Render, View};
use crate::written::{self, Allowed};
use serde_json::Value;

/// The first line of a text report, which identifies it when it is replaced.
const HEAD: &str = "skc lint\n";

/// Writes the report. An existing file is replaced if it is empty or a report of the same kind.
///
/// # Errors
/// E018 for a link, E052 for a file that is not a report, E999.
pub fn write(app: &App, reply: &LintReply, file: &str, follows: bool) -> Result<(), Failure> {
    let allowed = Allowed { follows, is_forced: false };
    written::write(app, &app.call.places.cwd.join(file), &report(reply, file), allowed, &is_report)
}

fn report(reply: &LintReply, file: &str) -> Vec<u8> {
    let file = file.to_ascii_lowercase();
    if file.ends_with(".sarif") || file.ends_with(".sarif.json") {
        return sarif(reply);
    }
    if file.ends_with(".json") {
        return reply.json_text(true);
    }
    let (view, mut text) = (View::default(), HEAD.as_bytes().to_vec());
    reply.diagnostics(&view, &mut text);
    reply.render(&view, &mut text);
    text
}

fn is_report(old: &[u8]) -> bool {
    if old.starts_with(HEAD.as_bytes()) {
        return true;
    }
    let value: Value = serde_json::from_slice(old).unwrap_or_default();
    value["diagnostics"].is_array() || value["runs"][0]["tool"]["driver"]["name"] == "skillc"
}
