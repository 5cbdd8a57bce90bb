//! Counts of the events that were imported from agents' histories.

use super::conditions::Conditions;
use super::read::LogSnapshot;
use super::row::{number, text};
use rusqlite::Row;
use skillc_domain::history::{HistoryKind, HistoryTally};
use skillc_domain::usage::UsageFilter;

/// Tallies in the order of agent, skill, path and kind.
pub fn tallies(log: &LogSnapshot, filter: &UsageFilter) -> rusqlite::Result<Vec<HistoryTally>> {
    let Some(rows) = log.rows() else { return Ok(Vec::new()) };
    let conditions = Conditions::of(filter);
    let kinds = HistoryKind::ALL.map(|kind| format!("'{}'", kind.word())).join(", ");
    let offered = HistoryKind::Offered.word();
    let sql = format!(
        "SELECT agent, skill, skill_path, command, count(*), count(DISTINCT run_id), ifnull(sum(tokens), 0)
         FROM (SELECT skill, skill_path, command, run_id, json_extract(args, '$.agent') AS agent,
                   json_extract(args, '$.listing_tokens') AS tokens
               FROM {rows}
               WHERE {conditions} AND flaws & 1 = 0 AND command IN ({kinds})
                   AND (flaws & 16 = 0 OR command = '{offered}'))
         WHERE typeof(agent) = 'text' AND agent <> ''
         GROUP BY agent, skill, skill_path, command"
    );
    let mut statement = log.db.prepare(&sql)?;
    let found = statement.query_map(conditions.values(), tally)?;
    let mut tallies: Vec<HistoryTally> = found.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    tallies.sort_by(|one, other| key(one).cmp(&key(other)));
    Ok(tallies)
}

fn tally(row: &Row<'_>) -> rusqlite::Result<Option<HistoryTally>> {
    let always = |at| Ok::<_, rusqlite::Error>(text(row, at)?.unwrap_or_default());
    let Some(kind) = HistoryKind::from_word(&always(3)?) else { return Ok(None) };
    Ok(Some(HistoryTally {
        agent: always(0)?,
        skill: always(1)?,
        skill_path: always(2)?,
        kind,
        events: number(row, 4)?,
        sessions: number(row, 5)?,
        listing_tokens: number(row, 6)?,
    }))
}

fn key(tally: &HistoryTally) -> (&str, &str, &str, HistoryKind) {
    (&tally.agent, &tally.skill, &tally.skill_path, tally.kind)
}
