//! Links to resources, in the place of what would only fill a client's context.
//!
//! A reply has one where its operation left out bytes that are no text. A text that is cut has none: it goes on by its
//! cursor, and the link would bring back what was cut. Nor have lists: what they name is a word that other tools take.

use rmcp::model::{ContentBlock, Resource};
use serde_json::Value;

/// The link to the file whose bytes a reply leaves out: its `uri`, beside their `media_type` and `size`.
pub fn link(reply: &Value) -> Option<ContentBlock> {
    let text = |key: &str| reply.get(key)?.as_str();
    let name = text("path")?.rsplit('/').next()?;
    let resource = Resource::new(text("uri")?, name)
        .with_mime_type(text("media_type")?)
        .with_size(reply.get("size")?.as_u64()?);
    Some(ContentBlock::resource_link(resource))
}
