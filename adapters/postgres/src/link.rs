//! The one connection of a store: made when it is first needed, kept while it works, and never waited for without end.
//!
//! The driver's pool is left out: it takes a refused connection for a server that is about to start, and tries until the
//! time is up, where a command wants to know at once.

use crate::address::{Target, TeamSettings};
use crate::failure::Trouble;
use crate::setup::SCHEMA_VERSION;
use skillc_ports::{ErrorKind, PortError};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row, raw_sql};
use std::time::Duration;
use tokio::runtime::{Handle, Id};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

/// How long a statement waits for somebody else's lock: others hold one for a batch, which takes less than a second.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a transaction may do nothing before the server ends it, such as that of a machine which fell asleep.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long setting up may take, and wait for another that sets up: rows may have to be moved between partitions.
const SETUP_TIMEOUT: Duration = Duration::from_secs(600);

/// How often something is done in all when the server gives way to others by undoing it.
const TRIES_MAX: u32 = 5;

/// The pause after the first try; later ones are longer by as much each.
const PAUSE: Duration = Duration::from_millis(20);

/// Something to be done on a connection; it may be done again from its beginning.
pub trait Work: Sync {
    /// What comes out.
    type Done: Send;

    /// Whether it makes the tables: then it needs none, and time.
    const IS_SETUP: bool = false;

    /// Does it.
    fn run(&self, db: &mut PgConnection) -> impl Future<Output = Result<Self::Done, Trouble>> + Send;
}

/// The way to a server.
pub struct Link {
    settings: TeamSettings,
    target: Option<Target>,
    idle: Mutex<Option<Idle>>,
}

/// A connection that waits for work, and the runtime that drives it: with another it would only seem to be alive.
struct Idle {
    db: PgConnection,
    runtime: Id,
}

impl Link {
    /// Connects to nothing yet.
    pub fn new(settings: TeamSettings) -> Self {
        Self { target: Target::read(&settings), idle: Mutex::new(None), settings }
    }

    /// Where it leads to.
    pub fn address(&self) -> String {
        self.target
            .as_ref()
            .map_or_else(|| "an address that cannot be read".to_owned(), |t| t.address.clone())
    }

    /// Does some work; `doing` begins with a verb, and the address is added to it.
    pub async fn run<W: Work>(&self, doing: &str, work: &W) -> Result<W::Done, PortError> {
        let Some(target) = &self.target else {
            return Err(PortError::new(ErrorKind::Invalid, format!("{doing}: read its address")));
        };
        let done = timeout(self.patience::<W>(), self.try_often(target, work)).await;
        let done = done.unwrap_or_else(|_| Err(silence()));
        done.map_err(|trouble| trouble.told(doing, target))
    }

    /// The server stops what takes too long; this is for one that no longer says anything.
    fn patience<W: Work>(&self) -> Duration {
        let work = if W::IS_SETUP { SETUP_TIMEOUT } else { self.settings.statement_timeout };
        work + 2 * self.settings.connect_timeout
    }

    async fn try_often<W: Work>(&self, target: &Target, work: &W) -> Result<W::Done, Trouble> {
        let wait = self.settings.connect_timeout;
        let in_use = |_| Trouble::Found(ErrorKind::Busy, "the connection is in use".to_owned());
        let mut idle = timeout(wait, self.idle.lock()).await.map_err(in_use)?;
        let mut tries = 1;
        loop {
            // Whatever fails takes its connection with it, and so its transaction and its locks.
            let mut db = self.connection::<W>(target, idle.take()).await?;
            match work.run(&mut db).await {
                Ok(done) => {
                    *idle = (!W::IS_SETUP).then(|| Idle { db, runtime: Handle::current().id() });
                    return Ok(done);
                }
                Err(trouble) if trouble.is_passing() && tries < TRIES_MAX => sleep(PAUSE * tries).await,
                Err(trouble) => return Err(trouble),
            }
            tries += 1;
        }
    }

    async fn connection<W: Work>(
        &self,
        target: &Target,
        idle: Option<Idle>,
    ) -> Result<PgConnection, Trouble> {
        let is_driven = |idle: &Idle| !W::IS_SETUP && idle.runtime == Handle::current().id();
        if let Some(Idle { mut db, .. }) = idle.filter(is_driven)
            && db.ping().await.is_ok()
        {
            return Ok(db);
        }
        let connecting = async {
            let mut db = PgConnection::connect_with(&target.options).await?;
            self.greet::<W>(&mut db).await?;
            Ok(db)
        };
        timeout(self.settings.connect_timeout, connecting).await.unwrap_or_else(|_| Err(silence()))
    }

    /// Says how long things may take, and asks whether the tables are those that this program knows, in one go.
    async fn greet<W: Work>(&self, db: &mut PgConnection) -> Result<(), Trouble> {
        let (statement, lock) = match W::IS_SETUP {
            true => (SETUP_TIMEOUT, SETUP_TIMEOUT),
            false => (self.settings.statement_timeout, LOCK_TIMEOUT),
        };
        let version = match W::IS_SETUP {
            true => "",
            false => "SELECT coalesce(max(version), 0)::bigint FROM skillc.migration WHERE success",
        };
        let greeting = format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {};
             SET search_path = pg_catalog, pg_temp; SET client_min_messages = warning; {version}",
            statement.as_millis(),
            lock.as_millis(),
            IDLE_TIMEOUT.as_millis(),
        );
        let rows = db.fetch_all(raw_sql(AssertSqlSafe(greeting))).await?;
        match rows.first() {
            Some(row) => expect_known(row.try_get(0)?),
            None => Ok(()),
        }
    }
}

fn expect_known(version: i64) -> Result<(), Trouble> {
    let found = format!("its tables are of version {version}, known is {SCHEMA_VERSION}");
    match version.cmp(&SCHEMA_VERSION) {
        std::cmp::Ordering::Less => Err(Trouble::Found(ErrorKind::NotReady, found)),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Trouble::Found(ErrorKind::Newer, found)),
    }
}

fn silence() -> Trouble {
    Trouble::Found(ErrorKind::Unreachable, "the server did not answer in time".to_owned())
}
