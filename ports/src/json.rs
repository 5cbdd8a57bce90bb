//! JSON as text that other programs and people edit too.

use skillc_domain::json::{JsonEdit, JsonFlaw, JsonNode, JsonValue};

/// Reads JSON with its places, and changes it without touching the rest.
pub trait JsonDocuments: Send + Sync {
    /// The value of a text. Strict: no comments, no commas at the end, no byte order mark.
    ///
    /// # Errors
    /// The first error in the text, also for values that are nested deeper than 127 levels.
    fn parse(&self, text: &str) -> Result<JsonNode, JsonFlaw>;

    /// The text with some values changed, added or removed, in this order. Each other byte stays; what is added takes over the
    /// indentation and line breaks of the text.
    ///
    /// # Errors
    /// As `parse`, and for a way that leads through a value that is neither object nor list.
    fn edited(&self, text: &str, edits: &[JsonEdit]) -> Result<String, JsonFlaw>;

    /// A new document: two blanks for each level, and a line break at the end.
    fn written(&self, value: &JsonValue) -> String;
}
