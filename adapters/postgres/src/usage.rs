//! Answers to questions about use, all of one moment.

use crate::append::{clean, name};
use crate::failure::Trouble;
use crate::link::Work;
use crate::span::{Parts, Span};
use crate::tally::Sql;
use skillc_domain::usage::{DayCount, Grouping, Period, SkillFilter, Tally, Usage, UsageQuery};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Postgres, Row, query};

/// Counts the events of an organisation.
pub struct Count<'a> {
    /// Whose.
    pub org: &'a str,
    /// What is asked.
    pub query: &'a UsageQuery,
}

/// The lock comes before the moment: who waits for `init` to move events must not look for them where they were.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;
    LOCK TABLE skillc.access_event IN ACCESS SHARE MODE";

impl Work for Count<'_> {
    type Done = Usage;

    async fn run(&self, db: &mut PgConnection) -> Result<Usage, Trouble> {
        let span = Span::of(&self.query.filter)?;
        let sql = Sql::of(self.query);
        let mut usage = Usage::default();
        let mut at = db.begin_with(BEGIN).await?;
        for row in self.ask(sql.counts(), span).fetch_all(&mut *at).await? {
            self.take_count(&mut usage, &row)?;
        }
        let flawed = self.ask(sql.flawed_ts(), span).fetch_one(&mut *at).await?;
        usage.flawed.timestamps = number(&flawed, 0)?;
        if self.query.grouping == Grouping::Summary {
            let row = self.ask(sql.uniques(), span).fetch_one(&mut *at).await?;
            usage.summary.unique_sections = number(&row, 0)?;
            usage.summary.unique_files = number(&row, 1)?;
        }
        if let Some(tallies) = sql.tallies() {
            let rows = self.ask(tallies, span).fetch_all(&mut *at).await?;
            usage.tallies = rows.iter().map(tally).collect::<sqlx::Result<_>>()?;
        }
        at.commit().await?;
        usage.sort();
        Ok(usage)
    }
}

impl Count<'_> {
    /// A statement with all parameters. It is planned for them, and not kept: the plan for one time is none for another.
    fn ask(&self, sql: String, span: Span) -> Query<'static, Postgres, PgArguments> {
        let filter = &self.query.filter;
        let (skill, path) = match &filter.skill {
            SkillFilter::Any => (None, None),
            SkillFilter::Name(skill) => (Some(name(skill).into_owned()), None),
            SkillFilter::Path(path) => (None, Some(clean(path).into_owned())),
        };
        let projects = filter.projects.iter().map(|p| clean(p.trim_end_matches('/')).into_owned());
        let Parts { first_day, last_day, edges: [before, after] } = span.parts();
        query(AssertSqlSafe(sql))
            .persistent(false)
            .bind(name(self.org).into_owned())
            .bind(skill)
            .bind(filter.machine.as_deref().map(|machine| name(machine).into_owned()))
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

    fn take_count(&self, usage: &mut Usage, row: &PgRow) -> sqlx::Result<()> {
        let count = number(row, "n")?;
        let (kind, key): (&str, String) = (row.try_get("kind")?, row.try_get("key")?);
        match kind {
            "day" if count > 0 => usage.days.push(DayCount { day: key, count }),
            "skill" if count > 0 && self.query.filter.skill == SkillFilter::Any => {
                usage.tallies.push(Tally { skill: Some(key), key: Vec::new(), count });
            }
            "command" if count > 0 => usage.tallies.push(Tally { skill: None, key: vec![key], count }),
            "total" => self.take_total(usage, row)?,
            _ => {}
        }
        Ok(())
    }

    fn take_total(&self, usage: &mut Usage, row: &PgRow) -> sqlx::Result<()> {
        let (first, last): (Option<String>, Option<String>) = (row.try_get("first")?, row.try_get("last")?);
        usage.period = first.zip(last).map(|(start, end)| Period { start, end });
        usage.flawed.arguments = number(row, "flawed_args")?;
        if self.query.grouping == Grouping::Summary {
            usage.summary.total_accesses = number(row, "n")?;
            usage.summary.error_count = number(row, "errors")?;
        }
        Ok(())
    }
}

fn tally(row: &PgRow) -> sqlx::Result<Tally> {
    Ok(Tally { skill: row.try_get("skill")?, key: row.try_get("key")?, count: number(row, "n")? })
}

fn number<I: sqlx::ColumnIndex<PgRow>>(row: &PgRow, column: I) -> sqlx::Result<u64> {
    row.try_get::<i64, _>(column).map(i64::unsigned_abs)
}
