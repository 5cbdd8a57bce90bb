//! Tables, roles and partitions: made where they are missing, by one at a time.

use crate::directory::fill;
use crate::failure::Trouble;
use crate::link::Work;
use crate::status::Look;
use skillc_domain::team::TeamStatus;
use skillc_ports::ErrorKind;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Connection, Executor, PgConnection, SqlSafeStr, query, query_scalar, raw_sql};

/// The steps by which the tables came to be what they are. One that was once released is never changed.
const MIGRATIONS: [(&str, &str); 4] = [
    ("events", include_str!("../migrations/0001_events.sql")),
    ("rollups", include_str!("../migrations/0002_rollups.sql")),
    ("catalogue", include_str!("../migrations/0003_catalogue.sql")),
    ("search", include_str!("../migrations/0004_search.sql")),
];

/// The version of the tables that this program makes and understands.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Who may do what.
const ROLES: &str = include_str!("../sql/roles.sql");

/// pgvector, where there is one.
const VECTORS: &str = include_str!("../sql/vectors.sql");

/// By which several that set up one database wait for each other: "skillc" in ASCII.
const LOCK: i64 = 0x736b_696c_6c63;

/// Makes or updates everything.
pub struct SetUp;

impl Work for SetUp {
    type Done = TeamStatus;

    const IS_SETUP: bool = true;

    async fn run(&self, db: &mut PgConnection) -> Result<TeamStatus, Trouble> {
        query("SELECT pg_advisory_lock($1)").bind(LOCK).execute(&mut *db).await?;
        demand_utf8(db).await?;
        make_schema(db).await?;
        // `run` is the same, but its future cannot be sent to another thread.
        migrator().run_direct(None, &mut *db, false).await?;
        let mut transaction = db.begin().await?;
        transaction.execute(raw_sql(ROLES)).await?;
        transaction.execute(raw_sql(VECTORS)).await?;
        fill(&mut transaction).await?;
        query("SELECT skillc.place_events(now())").execute(&mut *transaction).await?;
        transaction.commit().await?;
        // The lock ends with the connection.
        Look.run(db).await
    }
}

/// Other encodings cannot hold every text.
async fn demand_utf8(db: &mut PgConnection) -> Result<(), Trouble> {
    let encoding: String = query_scalar("SELECT current_setting('server_encoding')").fetch_one(db).await?;
    match encoding.as_str() {
        "UTF8" => Ok(()),
        other => {
            let found = format!("the database has the encoding '{other}', where UTF8 is needed");
            Err(Trouble::Found(ErrorKind::Failed, found))
        }
    }
}

/// `IF NOT EXISTS` would demand the right to make schemas also of the owner of this one.
async fn make_schema(db: &mut PgConnection) -> Result<(), Trouble> {
    let is_there: bool =
        query_scalar("SELECT to_regnamespace('skillc') IS NOT NULL").fetch_one(&mut *db).await?;
    if !is_there {
        query("CREATE SCHEMA skillc").execute(db).await?;
    }
    Ok(())
}

fn migrator() -> Migrator {
    let steps = MIGRATIONS.iter().zip(1..).map(|((name, sql), version)| {
        Migration::new(version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.dangerous_set_table_name("skillc.migration");
    migrator.set_locking(false);
    migrator
}
