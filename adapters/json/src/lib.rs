//! Parses JSON with positions, and edits it without changing the rest. Opens no file.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

mod edit;
mod parse;
mod write;

use skillc_domain::json::{JsonEdit, JsonFlaw, JsonNode, JsonValue};
use skillc_ports::JsonDocuments;

/// JSON through `jsonc-parser`, as strict as `serde_json`.
#[derive(Clone, Copy, Debug, Default)]
pub struct StrictJson;

impl JsonDocuments for StrictJson {
    fn parse(&self, text: &str) -> Result<JsonNode, JsonFlaw> {
        parse::parse(text)
    }

    fn edited(&self, text: &str, edits: &[JsonEdit]) -> Result<String, JsonFlaw> {
        edit::edited(text, edits)
    }

    fn written(&self, value: &JsonValue) -> String {
        write::written(value)
    }
}

#[cfg(test)]
mod tests;
