//! Counts events for usage queries, within one snapshot.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::text::{index_key, storable};
use crate::time_span::{SplitSpan, TimeSpan};
use crate::usage_sql::UsageSql;
use skillc_domain::time::{Day, Timestamp};
use skillc_domain::usage::{DayCount, Grouping, Period, SkillFilter, Tally, Usage, UsageQuery};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query as Statement;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Postgres, Row, query};

/// Answers a usage query for an organization.
pub struct CountUsage<'a> {
    pub org: &'a str,
    pub query: &'a UsageQuery,
}

/// The lock precedes the snapshot: after waiting for `init` to move events, the snapshot must not show the old places.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;
    LOCK TABLE skillc.access_event IN ACCESS SHARE MODE";

impl ServerQuery for CountUsage<'_> {
    type Output = Usage;

    async fn run(&self, db: &mut PgConnection) -> Result<Usage, QueryError> {
        let span = TimeSpan::of(&self.query.filter);
        let sql = UsageSql::of(self.query);
        let mut usage = Usage::default();
        let mut transaction = db.begin_with(BEGIN).await?;
        for row in self.statement(sql.counts(), span).fetch_all(&mut *transaction).await? {
            self.add_row(&mut usage, &row)?;
        }
        let flawed = self.statement(sql.flawed_ts(), span).fetch_one(&mut *transaction).await?;
        usage.issues.timestamps = number(&flawed, 0)?;
        if self.query.grouping == Grouping::Summary {
            let row = self.statement(sql.uniques(), span).fetch_one(&mut *transaction).await?;
            usage.summary.unique_sections = number(&row, 0)?;
            usage.summary.unique_files = number(&row, 1)?;
        }
        if let Some(whole_files) = sql.whole_files() {
            let rows = self.statement(whole_files, span).fetch_all(&mut *transaction).await?;
            usage.whole_files = rows.iter().map(tally).collect::<sqlx::Result<_>>()?;
        }
        if let Some(tallies) = sql.tallies() {
            let rows = self.statement(tallies, span).fetch_all(&mut *transaction).await?;
            usage.tallies = rows.iter().map(tally).collect::<sqlx::Result<_>>()?;
        }
        transaction.commit().await?;
        usage.sort();
        Ok(usage)
    }
}

impl CountUsage<'_> {
    /// Binds all parameters. The statement is not cached, since the best plan depends on the time span.
    fn statement(&self, sql: String, span: TimeSpan) -> Statement<'static, Postgres, PgArguments> {
        let filter = &self.query.filter;
        let (skill, path) = match &filter.skill {
            SkillFilter::Any => (None, None),
            SkillFilter::Name(skill) => (Some(index_key(skill).into_owned()), None),
            SkillFilter::Path(path) => (None, Some(storable(path).into_owned())),
        };
        let projects = filter.projects.iter().map(|p| storable(p.trim_end_matches('/')).into_owned());
        let SplitSpan { first_day, last_day, edges: [before, after] } = span.split();
        query(AssertSqlSafe(sql))
            .persistent(false)
            .bind(index_key(self.org).into_owned())
            .bind(skill)
            .bind(filter.machine.as_deref().map(|machine| index_key(machine).into_owned()))
            .bind(path)
            .bind(projects.collect::<Vec<_>>())
            .bind(first_day)
            .bind(last_day)
            .bind(before.map(|edge| edge.0))
            .bind(before.map(|edge| edge.1))
            .bind(after.map(|edge| edge.0))
            .bind(after.map(|edge| edge.1))
            .bind(span.since)
            .bind(span.until)
    }

    fn add_row(&self, usage: &mut Usage, row: &PgRow) -> sqlx::Result<()> {
        let count = number(row, "n")?;
        let (kind, key): (&str, String) = (row.try_get("kind")?, row.try_get("key")?);
        match kind {
            "day" if count > 0 => usage.days.extend(Day::parse(&key).map(|day| DayCount { day, count })),
            "skill" if count > 0 && self.query.filter.skill == SkillFilter::Any => {
                usage.tallies.push(Tally { skill: Some(key), key: Vec::new(), count, without_hit: 0 });
            }
            "command" if count > 0 => {
                usage.tallies.push(Tally { skill: None, key: vec![key], count, without_hit: 0 });
            }
            "total" => self.add_total(usage, row)?,
            _ => {}
        }
        Ok(())
    }

    fn add_total(&self, usage: &mut Usage, row: &PgRow) -> sqlx::Result<()> {
        let (first, last): (Option<String>, Option<String>) = (row.try_get("first")?, row.try_get("last")?);
        let time = |text: Option<String>| Timestamp::parse(&text?);
        usage.period = time(first).zip(time(last)).map(|(start, end)| Period { start, end });
        usage.issues.arguments = number(row, "flawed_args")?;
        if self.query.grouping == Grouping::Summary {
            usage.summary.total_accesses = number(row, "n")?;
            usage.summary.reads = number(row, "reads")?;
            usage.summary.error_count = number(row, "errors")?;
        }
        Ok(())
    }
}

fn tally(row: &PgRow) -> sqlx::Result<Tally> {
    Ok(Tally {
        skill: row.try_get("skill")?,
        key: row.try_get("key")?,
        count: number(row, "n")?,
        without_hit: number(row, "without_hit")?,
    })
}

fn number<I: sqlx::ColumnIndex<PgRow>>(row: &PgRow, column: I) -> sqlx::Result<u64> {
    row.try_get::<i64, _>(column).map(i64::unsigned_abs)
}
