//! Files of skills as resources.

use crate::skills::{TTL_MS, left_out};
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, MetaObject, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use skillc_domain::limits::SERVED_PAGE_RESOURCES;
use skillc_domain::media_type::{FOLDER, media_type};
use skillc_domain::path::RelPath;
use skillc_ops::App;
use skillc_ops::failure::Failure;
use skillc_ops::serve::{
    Child, FolderPage, ListPage, ResourceContent, ServedFile, ServedSkill, ServedSkills, listed, skill_file,
};

/// The URI template of every served file: the name of its skill (`demo`, `global/demo`) and its path in the skill.
pub const TEMPLATE: &str = "skill://{+skill}/{+path}";
/// Cache lifetime of responses that never change while the server runs, in milliseconds: an hour.
pub const STATIC_TTL_MS: u64 = 3_600_000;

/// A page with the SKILL.md of each skill. Other files are not listed: SKILL.md refers to them, and all of them would
/// fill the context of a client.
///
/// # Errors
/// As `skillc_ops::serve::entries`.
pub fn skill_files(
    app: &App,
    skills: &ServedSkills,
    cursor: Option<&str>,
) -> Result<ListPage<Resource>, Failure> {
    listed(app, skills, cursor, SERVED_PAGE_RESOURCES, |served| {
        let size = skills
            .files(app, &served)
            .ok()
            .and_then(|(_, survey)| survey.get(&skill_file()).map(|file| file.stamp.size));
        Ok(file(&served, &skill_file(), size.unwrap_or_default()))
    })
}

/// The result for a page of files.
pub fn resource_page(listed: ListPage<Resource>) -> ListResourcesResult {
    let mut result = page(listed.page.items, listed.page.next);
    result.meta = left_out(&listed.left_out);
    result
}

/// The result for a page of a folder.
pub fn folder_page(folder: FolderPage) -> ListResourcesResult {
    let served = &folder.served;
    let resource = |(uri, child): (String, Child)| match child {
        Child::File(path, size) => file(served, &path, size),
        Child::Folder(path) => Resource::new(uri, path.name()).with_mime_type(FOLDER),
    };
    page(folder.page.items.into_iter().map(resource).collect(), folder.page.next)
}

/// The `_meta` key of the base directory of a file's skill.
const DIR: &str = "io.modelcontextprotocol.skills/dir";

/// The result for a file that was read, with the base directory of its skill in `_meta`.
pub fn contents(uri: String, file: ServedFile) -> ReadResourceResult {
    let contents = match file.content {
        ResourceContent::Text(text) => ResourceContents::text(text, uri),
        ResourceContent::Base64(blob) => ResourceContents::blob(blob, uri),
    };
    let dir = file.dir.to_string_lossy().into_owned();
    let mut meta = MetaObject::new();
    meta.0.insert(DIR.to_owned(), dir.into());
    ReadResourceResult::new(vec![contents.with_mime_type(file.media_type).with_meta(meta)])
        .with_ttl_ms(TTL_MS)
        .with_cache_scope(CacheScope::Private)
}

/// The list of URI templates.
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

/// A file as a resource; SKILL.md carries the name and the description of its skill.
fn file(served: &ServedSkill, path: &RelPath, size: u64) -> Resource {
    let name = if *path == skill_file() { &served.metadata.name } else { path.name() };
    let resource = Resource::new(served.uri(path), name).with_mime_type(media_type(path)).with_size(size);
    let has_description = *path == skill_file() && !served.metadata.description.is_empty();
    if has_description { resource.with_description(&served.metadata.description) } else { resource }
}
