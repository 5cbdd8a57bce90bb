//! Counts the events imported from agents' histories in SQL, with the same results as `domain::history`.

use super::conditions::Conditions;
use super::read::LogSnapshot;
use super::row::{number, text};
use rusqlite::Row;
use skillc_domain::history::order::sort_steps;
use skillc_domain::history::{
    HistoryKind, HistoryTally, ReadingStep, SectionReads, SkillCost, SkillFunnel, TokenUse,
};
use skillc_domain::usage::UsageFilter;

/// Runs a query over the imported events that match a filter; the query refers to them as `imported`. Returns nothing
/// if there is no table.
fn select<T>(
    log: &LogSnapshot,
    filter: &UsageFilter,
    query: &str,
    row: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let Some(rows) = log.rows() else { return Ok(Vec::new()) };
    let conditions = Conditions::of(filter);
    let kinds = HistoryKind::ALL.map(|kind| format!("'{}'", kind.word())).join(", ");
    let sql = format!(
        "WITH imported AS (
             SELECT * FROM (
                 SELECT id, timestamp, run_id, command, skill, skill_path, error, target, file, section, args,
                     json_extract(args, '$.agent') AS agent, flaws & 16 <> 0 AS is_supplement
                 FROM {rows} WHERE {conditions} AND flaws & 1 = 0 AND command IN ({kinds}))
             WHERE typeof(agent) = 'text' AND agent <> '')
         {query}"
    );
    let mut statement = log.db.prepare(&sql)?;
    let found = statement.query_map(conditions.values(), |found| row(found))?;
    found.collect()
}

/// A text column that is never null.
fn always(row: &Row<'_>, at: usize) -> rusqlite::Result<String> {
    Ok(text(row, at)?.unwrap_or_default())
}

/// Tallies, sorted by agent, skill, path and kind.
pub fn tallies(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<HistoryTally>> {
    let query = "
        SELECT agent, skill, skill_path, command, count(*), count(DISTINCT run_id),
            ifnull(sum(json_extract(args, '$.listing_tokens')), 0)
        FROM imported WHERE NOT is_supplement OR command = 'offered'
        GROUP BY agent, skill, skill_path, command";
    let mut tallies: Vec<HistoryTally> = select(log, filter, query, tally)?.into_iter().flatten().collect();
    tallies.sort_by(|one, other| {
        let names = (&one.agent, &one.skill, &one.skill_path, one.kind);
        names.cmp(&(&other.agent, &other.skill, &other.skill_path, other.kind))
    });
    Ok(tallies)
}

fn tally(row: &Row<'_>) -> rusqlite::Result<Option<HistoryTally>> {
    let Some(kind) = HistoryKind::from_word(&always(row, 3)?) else { return Ok(None) };
    Ok(Some(HistoryTally {
        agent: always(row, 0)?,
        skill: always(row, 1)?,
        skill_path: always(row, 2)?,
        kind,
        events: number(row, 4)?,
        sessions: number(row, 5)?,
        listing_tokens: number(row, 6)?,
    }))
}

/// Funnels, sorted by agent, skill and path.
pub fn funnels(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<SkillFunnel>> {
    let query = "
        SELECT agent, skill, skill_path, sum(offered), sum(chosen), sum(was_read),
            sum((chosen OR was_read) AND NOT failed)
        FROM (SELECT agent, skill, skill_path,
                  max(command = 'offered') AS offered,
                  max(error IS NULL AND (command IN ('chosen', 'requested')
                      OR command = 'read' AND target IS 'SKILL.md')) AS chosen,
                  max(error IS NULL AND (command IN ('ran', 'searched')
                      OR command = 'read' AND target IS NOT 'SKILL.md')) AS was_read,
                  max(error IS NOT NULL) AS failed
              FROM imported GROUP BY agent, skill, skill_path, run_id)
        GROUP BY agent, skill, skill_path
        HAVING sum(offered) + sum(chosen) + sum(was_read) > 0
        ORDER BY agent, skill, skill_path";
    select(log, filter, query, |row| {
        Ok(SkillFunnel {
            agent: always(row, 0)?,
            skill: always(row, 1)?,
            skill_path: always(row, 2)?,
            offered: number(row, 3)?,
            chosen: number(row, 4)?,
            read: number(row, 5)?,
            done: number(row, 6)?,
        })
    })
}

/// Costs, sorted by agent, skill, path and model.
pub fn costs(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<SkillCost>> {
    let query = "
        SELECT agent, skill, skill_path, model, sum(has_tokens), sum(ifnull(args ->> '$.tokens.input', 0)),
            sum(ifnull(args ->> '$.tokens.output', 0)), sum(ifnull(args ->> '$.tokens.cache_read', 0)),
            sum(ifnull(args ->> '$.tokens.cache_write', 0)), sum(listing_tokens)
        FROM (SELECT agent, skill, skill_path, args, json_type(args, '$.tokens') IS 'object' AS has_tokens,
                  iif(json_type(args, '$.tokens') IS 'object', ifnull(args ->> '$.model', ''), '') AS model,
                  ifnull(args ->> '$.listing_tokens', 0) AS listing_tokens
              FROM imported WHERE NOT is_supplement OR command = 'offered')
        WHERE has_tokens OR listing_tokens > 0
        GROUP BY agent, skill, skill_path, model ORDER BY agent, skill, skill_path, model";
    select(log, filter, query, |row| {
        Ok(SkillCost {
            agent: always(row, 0)?,
            skill: always(row, 1)?,
            skill_path: always(row, 2)?,
            model: always(row, 3)?,
            messages: number(row, 4)?,
            tokens: TokenUse {
                input: number(row, 5)?,
                output: number(row, 6)?,
                cache_read: number(row, 7)?,
                cache_write: number(row, 8)?,
            },
            listing_tokens: number(row, 9)?,
        })
    })
}

/// Reading steps, in the order of `sort_steps`.
pub fn reading_steps(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<ReadingStep>> {
    let query = "
        SELECT skill, skill_path, before, file, count(*)
        FROM (SELECT skill, skill_path, file, lag(file) OVER (
                  PARTITION BY skill, skill_path, agent, run_id ORDER BY timestamp, id) AS before
              FROM (SELECT id, timestamp, agent, run_id, skill, skill_path,
                        iif(command = 'read', file, 'SKILL.md') AS file
                    FROM imported
                    WHERE command IN ('chosen', 'requested', 'read') AND error IS NULL AND NOT is_supplement)
              WHERE file IS NOT NULL)
        WHERE before IS NOT file GROUP BY skill, skill_path, before, file";
    let mut steps = select(log, filter, query, |row| {
        Ok(ReadingStep {
            skill: always(row, 0)?,
            skill_path: always(row, 1)?,
            from: text(row, 2)?,
            to: always(row, 3)?,
            count: number(row, 4)?,
        })
    })?;
    sort_steps(&mut steps);
    Ok(steps)
}

/// Section reads, sorted by skill, path, file, section and agent.
pub fn section_reads(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<SectionReads>> {
    let query = "
        SELECT skill, skill_path, file, section, agent, count(*)
        FROM imported WHERE command = 'read' AND file IS NOT NULL
        GROUP BY skill, skill_path, file, section, agent ORDER BY skill, skill_path, file, section, agent";
    select(log, filter, query, |row| {
        Ok(SectionReads {
            skill: always(row, 0)?,
            skill_path: always(row, 1)?,
            file: always(row, 2)?,
            section: text(row, 3)?,
            agent: always(row, 4)?,
            count: number(row, 5)?,
        })
    })
}
