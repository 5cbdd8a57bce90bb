//! Files of skills as plain resources.

use crate::skills::{TTL_MS, left_out};
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use skillc_domain::limits::SERVED_PAGE_RESOURCES;
use skillc_domain::media_type::{FOLDER, media_type};
use skillc_domain::path::RelPath;
use skillc_ops::App;
use skillc_ops::failure::Failure;
use skillc_ops::serve::{Child, Content, Directory, Listed, Served, ServedFile, Shelf, listed, skill_file};

/// The names of all files that are served: of a skill (`demo`, `global/demo`) and of a file in it.
pub const TEMPLATE: &str = "skill://{+skill}/{+path}";
/// How long what never changes while the server runs may be taken for current, in milliseconds: an hour.
pub const STATIC_TTL_MS: u64 = 3_600_000;

/// A page of the SKILL.md of each skill: it leads to the other files, and a list of all would fill a client's room.
///
/// # Errors
/// As `skillc_ops::serve::entries`.
pub fn skill_files(app: &App, shelf: &Shelf, cursor: Option<&str>) -> Result<Listed<Resource>, Failure> {
    listed(app, shelf, cursor, SERVED_PAGE_RESOURCES, |served| {
        let (_, survey) = shelf.files(app, &served)?;
        let size = survey.get(&skill_file()).map_or(0, |file| file.stamp.size);
        Ok(file(&served, &skill_file(), size))
    })
}

/// That page as a result.
pub fn resource_page(listed: Listed<Resource>) -> ListResourcesResult {
    let mut result = page(listed.page.items, listed.page.next);
    result.meta = left_out(&listed.left_out);
    result
}

/// What stands directly in a folder.
pub fn directory_page(directory: Directory) -> ListResourcesResult {
    let served = &directory.served;
    let resource = |(uri, child): (String, Child)| match child {
        Child::File(path, size) => file(served, &path, size),
        Child::Folder(path) => Resource::new(uri, path.name()).with_mime_type(FOLDER),
    };
    page(directory.page.items.into_iter().map(resource).collect(), directory.page.next)
}

/// A file that was read.
pub fn contents(uri: String, file: ServedFile) -> ReadResourceResult {
    let contents = match file.content {
        Content::Text(text) => ResourceContents::text(text, uri),
        Content::Base64(blob) => ResourceContents::blob(blob, uri),
    };
    ReadResourceResult::new(vec![contents.with_mime_type(file.media_type)])
        .with_ttl_ms(TTL_MS)
        .with_cache_scope(CacheScope::Private)
}

/// The one template.
pub fn templates() -> ListResourceTemplatesResult {
    let template =
        ResourceTemplate::new(TEMPLATE, "skill-file").with_title("File of a skill").with_description(
            "A file of a skill: 'skill' is the skill's name, 'path' the file's path in it, such as SKILL.md",
        );
    ListResourceTemplatesResult::with_all_items(vec![template])
        .with_ttl_ms(STATIC_TTL_MS)
        .with_cache_scope(CacheScope::Public)
}

fn page(resources: Vec<Resource>, next: Option<String>) -> ListResourcesResult {
    let mut result = ListResourcesResult::with_all_items(resources)
        .with_ttl_ms(TTL_MS)
        .with_cache_scope(CacheScope::Private);
    result.next_cursor = next;
    result
}

/// A file; SKILL.md has the name and the description of its skill.
fn file(served: &Served, path: &RelPath, size: u64) -> Resource {
    let name = if *path == skill_file() { &served.head.name } else { path.name() };
    let resource = Resource::new(served.uri(path), name).with_mime_type(media_type(path)).with_size(size);
    if *path == skill_file() { resource.with_description(&served.head.description) } else { resource }
}
