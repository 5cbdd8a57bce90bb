//! Links to resources, replacing content that would only fill a client's context.
//!
//! A reply has a link if its operation omitted bytes that are not text. Truncated text has none, because it continues
//! with its cursor; lists have none, because other tools accept the names in them.

use rmcp::model::{ContentBlock, Resource};
use serde_json::Value;

/// The link to the file whose bytes a reply omitted, from the fields `uri`, `media_type` and `size`.
pub fn link(reply: &Value) -> Option<ContentBlock> {
    let text = |key: &str| reply.get(key)?.as_str();
    let name = text("path")?.rsplit('/').next()?;
    let resource = Resource::new(text("uri")?, name)
        .with_mime_type(text("media_type")?)
        .with_size(reply.get("size")?.as_u64()?);
    Some(ContentBlock::resource_link(resource))
}
