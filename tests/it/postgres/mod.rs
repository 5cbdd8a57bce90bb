//! The team store on a real server: behavior that the contract tests cannot require of every adapter.

mod batches;
mod catalog;
pub mod cluster;
mod cluster_faults;
mod counting;
mod crashes;
mod directory;
mod encryption;
mod failover;
mod faults;
mod find;
mod machines;
mod partitions;
mod rights;
mod setup;
mod versions;

use crate::contract::machines::block_on;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_domain::team::TeamOrigin;
use skillc_domain::time::rfc3339;

/// 2026-01-31T00:00:00Z.
const DAY: i64 = 1_769_817_600;

fn origin(machine: &str) -> TeamOrigin {
    TeamOrigin { org: "acme".to_owned(), machine: machine.to_owned() }
}

/// An event that differs for each number. Its time is that many seconds after `DAY`, unless the number is large.
fn event(number: u64) -> AccessEvent {
    let at = (DAY + number as i64 % 100_000) * 1_000_000_000;
    AccessEvent {
        event_id: EventId::new(at, u128::from(number)),
        timestamp: rfc3339(at).as_str().into(),
        run_id: "20260131T000000Z-0000".to_owned(),
        command: ["show", "search", "open"][number as usize % 3].to_owned(),
        skill: format!("skill-{}", number % 7),
        skill_path: format!("/home/x/skills/skill-{}", number % 7),
        cwd: format!("/home/x/p{}", number % 4),
        args: "{\"query\":\"x\"}".to_owned(),
        error: (number.is_multiple_of(11)).then(|| "error[E020]: section not found: 'x'".to_owned()),
        target: Some(format!("Heading {}", number % 5)),
        file: (number.is_multiple_of(3)).then(|| "SKILL.md".to_owned()),
        section: (number.is_multiple_of(6)).then(|| format!("Heading {}", number % 5)),
        ..AccessEvent::default()
    }
}

/// Counts the rows in which the rollups differ from the events.
const DIFFERENCES: &str = "
    WITH usage AS (
        SELECT org_id, (ts AT TIME ZONE 'UTC')::date AS day, skill, machine, command,
            count(*) FILTER (WHERE flaws & 2 = 0) AS n, count(error) FILTER (WHERE flaws & 2 = 0) AS errors,
            count(*) FILTER (WHERE flaws = 1) AS flawed_args, count(*) FILTER (WHERE flaws & 2 = 2) AS flawed_ts,
            min(ts) FILTER (WHERE flaws & 2 = 0) AS first_ts, max(ts) FILTER (WHERE flaws & 2 = 0) AS last_ts
        FROM skillc.access_event GROUP BY 1, 2, 3, 4, 5
    ), kept AS (
        SELECT org_id, day, skill, machine, command, n, errors, flawed_args, flawed_ts, first_ts, last_ts
        FROM skillc.usage_daily
    ), section AS (
        SELECT org_id, (ts AT TIME ZONE 'UTC')::date AS day, skill, machine, file, section, count(*) AS n
        FROM skillc.access_event WHERE file IS NOT NULL AND flaws & 2 = 0 GROUP BY 1, 2, 3, 4, 5, 6
    ), kept_section AS (
        SELECT org_id, day, skill, machine, file, CASE WHEN has_section THEN section END AS section, n
        FROM skillc.section_daily
    )
    SELECT (SELECT count(*) FROM (TABLE usage EXCEPT TABLE kept) AS a)
        + (SELECT count(*) FROM (TABLE kept EXCEPT TABLE usage) AS b)
        + (SELECT count(*) FROM (TABLE section EXCEPT TABLE kept_section) AS c)
        + (SELECT count(*) FROM (TABLE kept_section EXCEPT TABLE section) AS d)";
