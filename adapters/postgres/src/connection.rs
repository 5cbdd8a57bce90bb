//! The single connection of a store, opened on first use and reused while it works; every wait has a limit.
//!
//! The driver's pool is not used: it treats a refused connection as a server that is starting and retries until the
//! timeout, where a command should fail at once.

use crate::address::{PostgresSettings, ServerAddress};
use crate::error::QueryError;
use crate::migrations::SCHEMA_VERSION;
use skillc_ports::{ErrorKind, PortError};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row, raw_sql};
use std::time::Duration;
use tokio::runtime::{Handle, Id};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

/// Limit for a statement that waits for a lock. Other clients hold one for a batch, which takes less than a second.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a transaction may be idle before the server ends it, such as that of a machine that went to sleep.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Limit for a setup and for waiting for another one: rows may have to move between partitions.
const SETUP_TIMEOUT: Duration = Duration::from_secs(600);

/// Total number of attempts if the server aborts a query in favor of others.
const TRIES_MAX: u32 = 5;

/// The pause after the first attempt, and the amount by which it grows with each further one.
const PAUSE: Duration = Duration::from_millis(20);

/// A request to the server; it may run several times, each time from its beginning.
pub trait ServerQuery: Sync {
    type Output: Send;

    /// Whether this creates the schema: it then runs without one, on a connection of its own, with a longer timeout.
    const IS_SETUP: bool = false;

    /// Runs on an open connection, which is dropped on errors together with its transaction and locks.
    fn run(&self, db: &mut PgConnection) -> impl Future<Output = Result<Self::Output, QueryError>> + Send;
}

/// A server address with at most one open connection.
pub struct ServerConnection {
    settings: PostgresSettings,
    address: Option<ServerAddress>,
    idle: Mutex<Option<IdleConnection>>,
}

/// An unused connection and the runtime that drives it; on any other runtime it would hang.
struct IdleConnection {
    db: PgConnection,
    runtime: Id,
}

impl ServerConnection {
    /// Does not connect yet.
    pub fn new(settings: PostgresSettings) -> Self {
        Self { address: ServerAddress::parse(&settings), idle: Mutex::new(None), settings }
    }

    /// The address for messages.
    pub fn address(&self) -> String {
        self.address.as_ref().map_or_else(|| "an invalid address".to_owned(), |server| server.address.clone())
    }

    /// Runs a query; `doing` begins with a verb, and errors append the address to it.
    pub async fn run<Q: ServerQuery>(&self, doing: &str, query: &Q) -> Result<Q::Output, PortError> {
        let Some(server) = &self.address else {
            return Err(PortError::new(ErrorKind::Invalid, format!("{doing}: parse its address")));
        };
        // The server stops slow statements; this limit is for one that has gone silent.
        let work = if Q::IS_SETUP { SETUP_TIMEOUT } else { self.settings.statement_timeout };
        let limit = work + 2 * self.settings.connect_timeout;
        let output = timeout(limit, self.run_with_retries(server, query)).await;
        output.unwrap_or_else(|_| Err(no_answer())).map_err(|error| error.into_port_error(doing, server))
    }

    async fn run_with_retries<Q: ServerQuery>(
        &self,
        server: &ServerAddress,
        query: &Q,
    ) -> Result<Q::Output, QueryError> {
        let in_use = |_| QueryError::Other(ErrorKind::Busy, "the connection is in use".to_owned());
        let mut idle = timeout(self.settings.connect_timeout, self.idle.lock()).await.map_err(in_use)?;
        let mut tries = 1;
        loop {
            let mut db = self.connection::<Q>(server, idle.take()).await?;
            match query.run(&mut db).await {
                Ok(output) => {
                    *idle = (!Q::IS_SETUP).then(|| IdleConnection { db, runtime: Handle::current().id() });
                    return Ok(output);
                }
                Err(error) if error.is_retryable() && tries < TRIES_MAX => sleep(PAUSE * tries).await,
                Err(error) => return Err(error),
            }
            tries += 1;
        }
    }

    async fn connection<Q: ServerQuery>(
        &self,
        server: &ServerAddress,
        idle: Option<IdleConnection>,
    ) -> Result<PgConnection, QueryError> {
        let is_usable = |idle: &IdleConnection| !Q::IS_SETUP && idle.runtime == Handle::current().id();
        if let Some(IdleConnection { mut db, .. }) = idle.filter(is_usable)
            && db.ping().await.is_ok()
        {
            return Ok(db);
        }
        let connecting = async {
            let mut db = PgConnection::connect_with(&server.options).await?;
            self.prepare::<Q>(&mut db).await?;
            Ok(db)
        };
        timeout(self.settings.connect_timeout, connecting).await.unwrap_or_else(|_| Err(no_answer()))
    }

    /// Sets timeouts and checks the schema version in one round trip.
    async fn prepare<Q: ServerQuery>(&self, db: &mut PgConnection) -> Result<(), QueryError> {
        let (statement, lock) = match Q::IS_SETUP {
            true => (SETUP_TIMEOUT, SETUP_TIMEOUT),
            false => (self.settings.statement_timeout, LOCK_TIMEOUT),
        };
        let version = match Q::IS_SETUP {
            true => "",
            false => "SELECT coalesce(max(version), 0)::bigint FROM skillc.migration WHERE success",
        };
        let statements = format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {};
             SET search_path = pg_catalog, pg_temp; SET client_min_messages = warning; {version}",
            statement.as_millis(),
            lock.as_millis(),
            IDLE_TIMEOUT.as_millis(),
        );
        let rows = db.fetch_all(raw_sql(AssertSqlSafe(statements))).await?;
        match rows.first() {
            Some(row) => check_version(row.try_get(0)?),
            None => Ok(()),
        }
    }
}

fn check_version(version: i64) -> Result<(), QueryError> {
    let kind = match version.cmp(&SCHEMA_VERSION) {
        std::cmp::Ordering::Less => ErrorKind::NotReady,
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Greater => ErrorKind::Newer,
    };
    Err(QueryError::Other(kind, format!("its schema version is {version}, expected {SCHEMA_VERSION}")))
}

fn no_answer() -> QueryError {
    QueryError::Other(ErrorKind::Unreachable, "the server did not answer in time".to_owned())
}
