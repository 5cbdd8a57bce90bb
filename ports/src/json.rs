//! JSON as text that other programs and people edit too.

use skillc_domain::json::{JsonEdit, JsonFlaw, JsonNode, JsonValue};

/// Parses JSON with positions, and edits it without touching the rest.
pub trait JsonDocuments: Send + Sync {
    /// Parses a text. Strict: no comments, trailing commas or byte order mark.
    ///
    /// # Errors
    /// The first error in the text. Values nested deeper than 127 levels are an error.
    fn parse(&self, text: &str) -> Result<JsonNode, JsonFlaw>;

    /// Applies edits to a text, in order. All other bytes stay unchanged; added values follow the indentation and
    /// line breaks of the text.
    ///
    /// # Errors
    /// As `parse`, and for a path that leads through a value that is neither object nor list.
    fn edited(&self, text: &str, edits: &[JsonEdit]) -> Result<String, JsonFlaw>;

    /// Formats a new document, with two spaces per level and a line break at the end.
    fn written(&self, value: &JsonValue) -> String;
}
