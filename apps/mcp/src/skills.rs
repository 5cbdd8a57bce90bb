//! Skills as the extension `io.modelcontextprotocol/skills` (SEP-2640) gives them out.

use rmcp::model::{
    CacheScope, GetSkillResult, ListSkillsResult, MetaObject, Skill, SkillFrontmatter, SkillResource,
    SkillResources,
};
use serde_json::Value;
use skillc_domain::fault::Warning;
use skillc_ops::serve::{Entry, Listed};

/// How long an answer about files may be taken for current, in milliseconds: a client that asks again for each task sees
/// every edit, and one that asks in a loop is spared most of it.
pub const TTL_MS: u64 = 5_000;
/// Where the answer tells what is not served, and why.
const LEFT_OUT: &str = "skillc/left-out";

/// A page of skills. What is left out is told beside them, where no client trips over it.
pub fn skill_page(listed: Listed<Entry>) -> ListSkillsResult {
    let skills = listed.page.items.iter().map(skill).collect();
    let mut result =
        ListSkillsResult::with_all_items(skills).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private);
    result.next_cursor = listed.page.next;
    result.meta = left_out(&listed.left_out);
    result
}

/// One skill.
pub fn one_skill(entry: &Entry) -> GetSkillResult {
    GetSkillResult::new(skill(entry)).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private)
}

/// What is not served, as data beside an answer.
pub fn left_out(reasons: &[Warning]) -> Option<MetaObject> {
    if reasons.is_empty() {
        return None;
    }
    let told = reasons.iter().map(|reason| Value::from(format!("warning[{}]: {reason}", reason.code())));
    let mut meta = MetaObject::new();
    meta.0.insert(LEFT_OUT.to_owned(), told.collect());
    Some(meta)
}

fn skill(entry: &Entry) -> Skill {
    let served = &entry.served;
    let named = SkillFrontmatter::new(&served.head.name, &served.head.description);
    let others = served.head.fields.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"));
    let front = others.fold(named, |front, (key, value)| front.with_field(key, value.clone()));
    let files = entry
        .files
        .iter()
        .map(|file| SkillResource::new(served.uri(&file.path), format!("sha256:{}", file.digest), file.size));
    Skill::new(served.skill_uri(), front, SkillResources::Files(files.collect()))
}
