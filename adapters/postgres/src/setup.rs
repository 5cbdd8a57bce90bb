//! Creates or updates the schema, roles and partitions; one process at a time.

use crate::connection::ServerQuery;
use crate::error::QueryError;
use crate::migrations::migrator;
use crate::skill_index::fill;
use crate::status::ReadStatus;
use skillc_domain::team::TeamStatus;
use skillc_ports::ErrorKind;
use sqlx::{Connection, Executor, PgConnection, query, query_scalar, raw_sql};

/// Roles and their privileges.
const ROLES: &str = include_str!("../sql/roles.sql");

/// The parts that need the pgvector extension; they have no effect on a server without it.
const VECTORS: &str = include_str!("../sql/vectors.sql");

/// Key of the advisory lock that serializes setups of one database: "skillc" in ASCII.
const LOCK: i64 = 0x736b_696c_6c63;

/// Brings the schema, roles and partitions up to date.
pub struct SetUp;

impl ServerQuery for SetUp {
    type Output = TeamStatus;

    const IS_SETUP: bool = true;

    async fn run(&self, db: &mut PgConnection) -> Result<TeamStatus, QueryError> {
        query("SELECT pg_advisory_lock($1)").bind(LOCK).execute(&mut *db).await?;
        require_utf8(db).await?;
        create_schema(db).await?;
        // `run` does the same, but its future is not `Send`.
        migrator().run_direct(None, &mut *db, false).await?;
        let mut transaction = db.begin().await?;
        transaction.execute(raw_sql(ROLES)).await?;
        transaction.execute(raw_sql(VECTORS)).await?;
        fill(&mut transaction).await?;
        query("SELECT skillc.place_events(now())").execute(&mut *transaction).await?;
        transaction.commit().await?;
        // The lock is released with the connection.
        ReadStatus.run(db).await
    }
}

/// Other encodings cannot hold every text.
async fn require_utf8(db: &mut PgConnection) -> Result<(), QueryError> {
    let encoding: String = query_scalar("SELECT current_setting('server_encoding')").fetch_one(db).await?;
    match encoding.as_str() {
        "UTF8" => Ok(()),
        other => {
            let message = format!("the database encoding must be UTF8, got '{other}'");
            Err(QueryError::Other(ErrorKind::Failed, message))
        }
    }
}

/// `IF NOT EXISTS` would require the privilege to create schemas even from the owner of an existing one.
async fn create_schema(db: &mut PgConnection) -> Result<(), QueryError> {
    let exists: bool =
        query_scalar("SELECT to_regnamespace('skillc') IS NOT NULL").fetch_one(&mut *db).await?;
    if !exists {
        query("CREATE SCHEMA skillc").execute(db).await?;
    }
    Ok(())
}
