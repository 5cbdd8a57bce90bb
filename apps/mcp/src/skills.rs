//! Skills in the form of the extension `io.modelcontextprotocol/skills` (SEP-2640).

use rmcp::model::{
    CacheScope, GetSkillResult, ListSkillsResult, MetaObject, Skill, SkillFrontmatter, SkillResource,
    SkillResources,
};
use serde_json::Value;
use skillc_domain::fault::Warning;
use skillc_ops::serve::{ListPage, SkillEntry};

/// Cache lifetime of responses about files, in milliseconds: short enough that each new task sees every edit, long
/// enough to spare a client that asks in a loop.
pub const TTL_MS: u64 = 5_000;
/// The `_meta` key of the skills that are not served, with reasons.
const LEFT_OUT: &str = "skillc/left-out";

/// The result for a page of skills. Skills left out are listed in `_meta`, which every client tolerates.
pub fn skill_page(listed: ListPage<SkillEntry>) -> ListSkillsResult {
    let skills = listed.page.items.iter().map(skill).collect();
    let mut result =
        ListSkillsResult::with_all_items(skills).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private);
    result.next_cursor = listed.page.next;
    result.meta = left_out(&listed.left_out);
    result
}

/// The result for one skill.
pub fn one_skill(entry: &SkillEntry) -> GetSkillResult {
    GetSkillResult::new(skill(entry)).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private)
}

/// The skills that are not served, as `_meta`; `None` if there are none.
pub fn left_out(reasons: &[Warning]) -> Option<MetaObject> {
    if reasons.is_empty() {
        return None;
    }
    let lines = reasons.iter().map(|reason| Value::from(reason.line()));
    let mut meta = MetaObject::new();
    meta.0.insert(LEFT_OUT.to_owned(), lines.collect());
    Some(meta)
}

fn skill(entry: &SkillEntry) -> Skill {
    let served = &entry.served;
    let named = SkillFrontmatter::new(&served.metadata.name, &served.metadata.description);
    let others =
        served.metadata.fields.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"));
    let front = others.fold(named, |front, (key, value)| front.with_field(key, value.clone()));
    let files = entry
        .files
        .iter()
        .map(|file| SkillResource::new(served.uri(&file.path), format!("sha256:{}", file.digest), file.size));
    Skill::new(served.skill_uri(), front, SkillResources::Files(files.collect()))
}
