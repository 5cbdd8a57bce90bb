//! The SQL of usage queries: reads the rollups where they suffice, else the rows.
//!
//! Parameters: $1 organization, $2 skill, $3 machine, $4 path of the skill, $5 projects, $6 and $7 first and last whole
//! day since 1970, $8 to $11 the seconds of the partial days at both ends, $12 and $13 first and last second. Absent
//! filters are NULL.

use skillc_domain::event::READ_COMMANDS;
use skillc_domain::usage::count::belongs_to_a_skill;
use skillc_domain::usage::{Grouping, SkillFilter, UsageQuery};

/// The filters that rollups support.
const SCOPE: &str = "org_id = $1 AND ($2 IS NULL OR skill = $2) AND ($3 IS NULL OR machine = $3)";

/// All filters; rollups record neither skill paths nor working directories.
const ROW_SCOPE: &str = "org_id = $1 AND ($2 IS NULL OR skill = $2) AND ($3 IS NULL OR machine = $3)
    AND ($4 IS NULL OR skill_path = $4)
    AND (cardinality($5) = 0
        OR EXISTS (SELECT FROM unnest($5) AS base WHERE cwd = base OR starts_with(cwd, base || '/')))";

const WHOLE_DAYS: &str =
    "($6 IS NULL OR day >= date '1970-01-01' + $6) AND ($7 IS NULL OR day <= date '1970-01-01' + $7)";

const EDGES: &str = "(ts >= to_timestamp($8) AND ts <= to_timestamp($9)
    OR ts >= to_timestamp($10) AND ts <= to_timestamp($11))";

const ALL_THE_TIME: &str =
    "($12 IS NULL OR ts >= to_timestamp($12)) AND ($13 IS NULL OR ts <= to_timestamp($13))";

/// Columns of the daily rollup, computed from an event.
const AS_DAY: &str =
    "(ts AT TIME ZONE 'UTC')::date AS day, skill, command, 1 AS n, (error IS NOT NULL)::int AS errors,
    flaws & 1 AS flawed_args, ts AS first_ts, ts AS last_ts";

/// Columns of the section rollup, computed from an event.
const AS_SECTION: &str =
    "skill, file, coalesce(section, '') AS section, section IS NOT NULL AS has_section, 1 AS n";

/// The statements of one usage query.
pub struct UsageSql<'q> {
    query: &'q UsageQuery,
}

impl<'q> UsageSql<'q> {
    pub fn of(query: &'q UsageQuery) -> Self {
        Self { query }
    }

    /// Whether the rollups support all filters of the query.
    fn uses_rollups(&self) -> bool {
        self.query.filter.projects.is_empty() && !matches!(self.query.filter.skill, SkillFilter::Path(_))
    }

    /// Counts by `kind`: `total`, `day`, `skill` or `command`.
    pub fn counts(&self) -> String {
        let (kind, key, sets) = match self.query.grouping {
            Grouping::Summary => (
                "CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(skill) = 0 THEN 'skill' ELSE 'total' END",
                "coalesce(to_char(day, 'YYYY-MM-DD'), skill, '')",
                "(), (day), (skill)",
            ),
            Grouping::Commands => (
                "CASE WHEN grouping(command) = 0 THEN 'command' ELSE 'total' END",
                "coalesce(command, '')",
                "(), (command)",
            ),
            _ => ("'total'", "''", "()"),
        };
        let days = self.days();
        let reads = READ_COMMANDS.map(|command| format!("'{command}'")).join(", ");
        format!(
            "SELECT {kind} AS kind, {key} AS key, coalesce(sum(n), 0)::bigint AS n,
                 coalesce(sum(errors), 0)::bigint AS errors, coalesce(sum(flawed_args), 0)::bigint AS flawed_args,
                 coalesce(sum(n) FILTER (WHERE command IN ({reads})), 0)::bigint AS reads,
                 {} AS first, {} AS last
             FROM ({days}) AS counted GROUP BY GROUPING SETS ({sets})",
            rfc3339("min(first_ts)"),
            rfc3339("max(last_ts)"),
        )
    }

    /// Counts events with an invalid timestamp.
    pub fn flawed_ts(&self) -> String {
        if self.uses_rollups() {
            format!(
                "SELECT coalesce(sum(flawed_ts), 0)::bigint FROM skillc.usage_daily WHERE {SCOPE} AND flawed_ts > 0"
            )
        } else {
            format!("SELECT count(*) FROM skillc.access_event WHERE {ROW_SCOPE} AND flaws & 2 = 2")
        }
    }

    /// Counts the distinct sections and files.
    pub fn uniques(&self) -> String {
        format!(
            "WITH once AS MATERIALIZED (
                 SELECT skill, file, section, has_section FROM ({}) AS counted GROUP BY 1, 2, 3, 4
             )
             SELECT (SELECT count(*) FROM once WHERE has_section) AS sections,
                 (SELECT count(*) FROM (SELECT FROM once GROUP BY skill, file) AS file) AS files",
            self.sections()
        )
    }

    /// Counts by the keys of the grouping; `None` if `counts` includes them.
    pub fn tallies(&self) -> Option<String> {
        let events =
            || self.events("skill, command, cwd, target, error, 1 AS n, (flaws & 8 = 8)::int AS without_hit");
        let (from, keys, condition) = match self.query.grouping {
            Grouping::Summary | Grouping::Commands => return None,
            Grouping::Sections => (self.sections(), &["file", "section"][..], "has_section"),
            Grouping::Files => (self.sections(), &["file"][..], "true"),
            Grouping::Projects => (events(), &["cwd"][..], "true"),
            Grouping::Errors => {
                (events(), &["coalesce(target, '')", "command", "error"][..], "error IS NOT NULL")
            }
            Grouping::Search => (events(), &["target"][..], "command = 'search' AND target IS NOT NULL"),
        };
        let keys = keys.join(", ");
        let skill = if self.names_skill() { "skill" } else { "NULL" };
        let is_search = self.query.grouping == Grouping::Search;
        let without_hit = if is_search { "sum(without_hit)" } else { "0" };
        Some(format!(
            "SELECT {skill}::text AS skill, ARRAY[{keys}] AS key, sum(n)::bigint AS n,
                 {without_hit}::bigint AS without_hit FROM ({from}) AS counted
             WHERE {condition} GROUP BY {skill}::text, {keys}"
        ))
    }

    /// Counts events that returned a whole file. Rollups do not distinguish them from those that returned a part.
    pub fn whole_files(&self) -> Option<String> {
        if !matches!(self.query.grouping, Grouping::Summary | Grouping::Sections) {
            return None;
        }
        let events = self.events("skill, file, section, command, flaws");
        let skill = if self.query.filter.skill == SkillFilter::Any { "skill" } else { "NULL" };
        Some(format!(
            "SELECT {skill}::text AS skill, ARRAY[file] AS key, count(*) AS n, 0::bigint AS without_hit
             FROM ({events}) AS counted
             WHERE file IS NOT NULL AND section IS NULL AND command <> 'show' AND flaws & 4 = 0
             GROUP BY {skill}::text, file"
        ))
    }

    /// Whether each tally includes its skill.
    fn names_skill(&self) -> bool {
        self.query.filter.skill == SkillFilter::Any && belongs_to_a_skill(self.query.grouping)
    }

    fn days(&self) -> String {
        if !self.uses_rollups() {
            return self.events(AS_DAY);
        }
        format!(
            "SELECT day, skill, command, n, errors, flawed_args, first_ts, last_ts
             FROM skillc.usage_daily WHERE {SCOPE} AND {WHOLE_DAYS}
             UNION ALL SELECT {AS_DAY} FROM skillc.access_event WHERE {SCOPE} AND {EDGES} AND flaws & 2 = 0"
        )
    }

    fn sections(&self) -> String {
        if !self.uses_rollups() {
            let all = self.events(AS_SECTION);
            return format!("{all} AND file IS NOT NULL");
        }
        format!(
            "SELECT skill, file, section, has_section, n
             FROM skillc.section_daily WHERE {SCOPE} AND {WHOLE_DAYS}
             UNION ALL SELECT {AS_SECTION} FROM skillc.access_event
             WHERE {SCOPE} AND {EDGES} AND flaws & 2 = 0 AND file IS NOT NULL"
        )
    }

    fn events(&self, columns: &str) -> String {
        format!(
            "SELECT {columns} FROM skillc.access_event WHERE {ROW_SCOPE} AND {ALL_THE_TIME} AND flaws & 2 = 0"
        )
    }
}

/// Formats a timestamp as in events.
fn rfc3339(ts: &str) -> String {
    format!("to_char({ts} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
}
