//! The status of a store: versions, sizes and the user's privileges.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::migrations::SCHEMA_VERSION;
use crate::skill_index::PGVECTOR;
use skillc_domain::team::TeamStatus;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, PgConnection, Row, query};

/// Reads the status in one statement.
pub struct ReadStatus;

const STATUS: &str = "
    WITH month AS (
        SELECT replace(substr(c.relname, length('access_event_') + 1), '_', '-') AS name
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'skillc.access_event'::regclass AND c.relname ~ '^access_event_[0-9]{4}_[0-9]{2}$'
    )
    SELECT (SELECT store::text FROM skillc.store) AS store,
        split_part(current_setting('server_version'), ' ', 1) AS server_version,
        (SELECT max(version) FROM skillc.migration WHERE success) AS schema,
        coalesce((SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl), '') AS encryption,
        (SELECT coalesce(sum(n + flawed_ts), 0)::bigint FROM skillc.usage_daily) AS events,
        (SELECT count(*) FROM skillc.access_event_default) AS events_unplaced,
        (SELECT count(*) FROM skillc.catalogue) AS skills,
        (SELECT count(*) FROM skillc.directory_vector) AS vectors,
        coalesce((SELECT extversion FROM ({PGVECTOR}) AS it), '') AS pgvector,
        (SELECT min(name COLLATE \"C\") FROM month) AS first_month,
        (SELECT max(name COLLATE \"C\") FROM month) AS last_month,
        has_table_privilege('skillc.access_event', 'INSERT')
            AND has_table_privilege('skillc.catalogue_version', 'INSERT') AS may_write,
        (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'skillc') AS may_init";

impl ServerQuery for ReadStatus {
    type Output = TeamStatus;

    async fn run(&self, db: &mut PgConnection) -> Result<TeamStatus, QueryError> {
        let sql = STATUS.replace("{PGVECTOR}", PGVECTOR);
        Ok(status(&query(AssertSqlSafe(sql)).fetch_one(db).await?)?)
    }
}

fn status(row: &PgRow) -> sqlx::Result<TeamStatus> {
    let number = |name: &str| row.try_get::<i64, _>(name).map(i64::unsigned_abs);
    let first: Option<String> = row.try_get("first_month")?;
    Ok(TeamStatus {
        store: row.try_get("store")?,
        server_version: row.try_get("server_version")?,
        schema: u32::try_from(number("schema")?).unwrap_or(u32::MAX),
        schema_known: SCHEMA_VERSION as u32,
        encryption: row.try_get("encryption")?,
        events: number("events")?,
        events_unplaced: number("events_unplaced")?,
        skills: number("skills")?,
        vectors: number("vectors")?,
        pgvector: row.try_get("pgvector")?,
        months: first.zip(row.try_get("last_month")?),
        may_write: row.try_get("may_write")?,
        may_init: row.try_get("may_init")?,
    })
}
