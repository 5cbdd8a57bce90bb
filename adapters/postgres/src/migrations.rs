//! The versions of the schema.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// All migrations, oldest first. A released one never changes.
const MIGRATIONS: [(&str, &str); 4] = [
    ("events", include_str!("../migrations/0001_events.sql")),
    ("rollups", include_str!("../migrations/0002_rollups.sql")),
    ("catalogue", include_str!("../migrations/0003_catalogue.sql")),
    ("search", include_str!("../migrations/0004_search.sql")),
];

/// The schema version that this program creates and understands.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

pub fn migrator() -> Migrator {
    let steps = MIGRATIONS.iter().zip(1..).map(|((name, sql), version)| {
        Migration::new(version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.dangerous_set_table_name("skillc.migration");
    migrator.set_locking(false);
    migrator
}
