//! PostgreSQL servers for the tests, which are removed when the test process ends, however it ends.
//!
//! A server listens on a socket in its own folder, so servers of different processes never conflict. A guardian
//! process waits for the end of its standard input, which closes with the test process. Then it stops the server and
//! removes the folder.

use super::block_on;
use skillc_ports::TeamStore;
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row, raw_sql};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where the server's programs are, as the build script found them.
pub(super) const PROGRAMS: Option<&str> = option_env!("SKC_POSTGRES_FOUND");

/// Where the programs of a server with pgvector are.
const PGVECTOR: Option<&str> = option_env!("SKC_PGVECTOR_FOUND");

/// A user who needs a password; the password is the same word.
pub const CAREFUL_USER: &str = "careful";
pub const PASSWORD: &str = "correct horse";

/// Fast and unsafe: none of the data has to survive a crash.
const SETTINGS: &str = "
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 200
shared_buffers = 32MB
";

const ACCESS: &str = "
local all careful scram-sha-256
local all all trust
host all all 127.0.0.1/32 trust
";

/// A server.
pub struct Cluster {
    pub(super) programs: &'static Path,
    pub(super) folder: PathBuf,
    pub(super) port: u16,
    /// The size of the folder `small`, which only the server's processes see.
    pub(super) disk_mib: Option<u32>,
    made: AtomicU32,
    making: Mutex<()>,
    /// Waits for the end of its input, which is when this value is dropped.
    guardian: Option<Child>,
}

/// The server that tests share, started by the first that asks.
pub fn cluster() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| {
        let cluster = Cluster::start("");
        cluster.prepare();
        cluster
    })
}

/// The server with pgvector that tests share.
pub fn cluster_with_pgvector() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| {
        let cluster = Cluster::start_with_pgvector("");
        cluster.prepare();
        cluster
    })
}

/// A database without our tables.
pub fn empty_database() -> Database {
    cluster().database("template1")
}

/// A database with our tables and its own identity.
pub fn ready_database() -> Database {
    let database = cluster().database("ready");
    database.run("UPDATE skillc.store SET store = gen_random_uuid()");
    database
}

impl Cluster {
    /// Starts a server with additional settings.
    pub fn start(settings: &str) -> Self {
        Self::start_at(programs(PROGRAMS), 0, settings, |_| {})
    }

    /// Starts a server with pgvector.
    pub fn start_with_pgvector(settings: &str) -> Self {
        Self::start_at(programs(PGVECTOR), 0, settings, |_| {})
    }

    /// Starts a server that also listens on the network, on a port that was free a moment ago.
    pub fn start_with_network(settings: &str, prepare: impl Fn(&Path)) -> Self {
        Self::start_at(
            programs(PROGRAMS),
            free_port(),
            &format!("listen_addresses = '127.0.0.1'\n{settings}"),
            prepare,
        )
    }

    fn start_at(programs: &'static Path, port: u16, settings: &str, prepare: impl Fn(&Path)) -> Self {
        let cluster = Self::new(programs, if port == 0 { 5432 } else { port });
        cluster.init(settings, prepare);
        cluster
    }

    /// A folder for a server, which is removed with this value or the process.
    pub(super) fn new(programs: &'static Path, port: u16) -> Self {
        // A socket path may only have about 100 bytes, which the temporary folder may already use up.
        let folder = tempfile::Builder::new().prefix("skcpg").tempdir_in("/tmp").unwrap().keep();
        let (made, making) = (AtomicU32::new(0), Mutex::new(()));
        let mut cluster = Self { programs, folder, port, disk_mib: None, made, making, guardian: None };
        if as_postgres() {
            sh(&cluster.folder, "chmod 755 . && chown postgres .");
        }
        cluster.guardian = Some(cluster.guard());
        cluster
    }

    pub(super) fn init(&self, settings: &str, prepare: impl Fn(&Path)) {
        self.pg("initdb", &["-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N"]);
        let network = if settings.contains("listen_addresses") { "" } else { "listen_addresses = ''" };
        self.add_settings(&format!("{SETTINGS}\n{network}\n{}\n{settings}\n", self.place()));
        std::fs::write(self.data().join("pg_hba.conf"), ACCESS).unwrap();
        prepare(&self.data());
        self.start_again();
    }

    pub(super) fn place(&self) -> String {
        format!("unix_socket_directories = '{}'\nport = {}\n", self.folder.display(), self.port)
    }

    /// Adds lines to the server's configuration, for its next start; the last one of a setting counts.
    pub(super) fn add_settings(&self, settings: &str) {
        let file = self.data().join("postgresql.conf");
        let known = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, format!("{known}\n{settings}")).unwrap();
    }

    /// Creates the users and the template database.
    fn prepare(&self) {
        let main = Database { url: self.url("postgres") };
        main.run(&format!("CREATE ROLE {CAREFUL_USER} LOGIN SUPERUSER PASSWORD '{PASSWORD}'"));
        main.run("CREATE DATABASE ready");
        let store = Database { url: self.url("ready") }.store();
        block_on(store.init()).unwrap();
        drop(store);
        let end = "ALTER DATABASE ready ALLOW_CONNECTIONS false;
                   SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'ready'";
        main.run(end);
        main.run("CREATE ROLE writer LOGIN IN ROLE skillc_writer");
        main.run("CREATE ROLE reader LOGIN IN ROLE skillc_reader");
    }

    /// A new database of this server.
    pub fn database(&self, template: &str) -> Database {
        // The server makes one copy at a time.
        let _one = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("t{}", self.made.fetch_add(1, Ordering::Relaxed));
        let main = Database { url: self.url("postgres") };
        main.run(&format!("CREATE DATABASE {name} TEMPLATE {template}"));
        Database { url: self.url(&name) }
    }

    /// The address of a database of this server, through the socket.
    pub fn url(&self, database: &str) -> String {
        self.url_of("postgres", database)
    }

    /// The address for another user, optionally with a password.
    pub fn url_of(&self, user: &str, database: &str) -> String {
        let folder = self.folder.display();
        format!("postgres://{user}@localhost:{}/{database}?host={folder}", self.port)
    }

    /// The port. It is the network port if the server listens there.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The folder with the server's files.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Stops the server immediately, as a crash of the machine would.
    pub fn stop(&self) {
        self.pg("pg_ctl", &["-D", "data", "-m", "immediate", "-w", "stop"]);
    }

    /// Starts the server after `stop`.
    pub fn start_again(&self) {
        self.done("pg_ctl", self.starting());
    }

    /// The command that starts the server.
    pub(super) fn starting(&self) -> Command {
        let mut start = self.program("pg_ctl");
        start.args(["-D", "data", "-w", "-t", "60", "-l", "log", "start"]);
        let mut command = match self.disk_mib {
            None => start,
            Some(mib) => {
                // The mount ends with the last process that sees it, the server's.
                let script = format!(
                    "mkdir -p small && mount -t tmpfs -o size={mib}m small small && chown postgres small && exec \"$@\""
                );
                let mut command = Command::new("unshare");
                command.args(["--mount", "sh", "-c", &script, "sh"]).arg(start.get_program());
                command.args(start.get_args()).stdin(Stdio::null());
                command
            }
        };
        command.current_dir(&self.folder);
        command
    }

    /// Runs a PostgreSQL program in the server's folder. As root, runs it as the user `postgres`, since PostgreSQL
    /// refuses to run as root.
    pub(super) fn pg(&self, program: &str, arguments: &[&str]) {
        let mut command = self.program(program);
        command.args(arguments).current_dir(&self.folder);
        self.done(program, command);
    }

    pub(super) fn done(&self, program: &str, mut command: Command) {
        let done = command.output().unwrap();
        let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{program}: {told}{}", log());
    }

    fn program(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = Command::new(if as_postgres() { Path::new("runuser") } else { &path });
        if as_postgres() {
            command.args(["-u", "postgres", "--"]).arg(&path);
        }
        command.stdin(Stdio::null());
        command
    }

    fn guard(&self) -> Child {
        let stop = self.program("pg_ctl");
        let words = std::iter::once(stop.get_program()).chain(stop.get_args());
        let stop: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        let script = format!(
            "trap '' INT TERM HUP; cat >/dev/null; {} -D data -m immediate stop; cd /; rm -rf \"$OLDPWD\"",
            stop.join(" ")
        );
        Command::new("sh")
            .args(["-c", &script])
            .current_dir(&self.folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

pub(super) fn programs(found: Option<&'static str>) -> &'static Path {
    Path::new(found.expect("the build script found a server"))
}

/// Whether this process runs as root, which PostgreSQL refuses.
fn as_postgres() -> bool {
    static AS: OnceLock<bool> = OnceLock::new();
    *AS.get_or_init(|| tempfile::NamedTempFile::new().unwrap().as_file().metadata().unwrap().uid() == 0)
}

/// A port of the network that was free a moment ago.
pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub(super) fn sh(at: &Path, script: &str) {
    assert!(Command::new("sh").args(["-c", script]).current_dir(at).status().unwrap().success(), "{script}");
}

/// A database of a server.
#[derive(Clone)]
pub struct Database {
    /// Its address for the owner.
    pub url: String,
}

impl Database {
    /// A store in this database, as the owner.
    pub fn store(&self) -> PostgresTeamStore {
        PostgresTeamStore::new(PostgresSettings::new(&self.url))
    }

    /// A store in this database, as another user.
    pub fn store_of(&self, user: &str) -> PostgresTeamStore {
        PostgresTeamStore::new(PostgresSettings::new(self.url_of(user)))
    }

    /// Its address for another user.
    pub fn url_of(&self, user: &str) -> String {
        self.url.replacen("postgres@", &format!("{user}@"), 1)
    }

    /// Runs statements.
    pub fn run(&self, sql: &str) {
        self.try_run(sql).unwrap();
    }

    /// Runs statements, which may fail.
    pub fn try_run(&self, sql: &str) -> Result<(), sqlx::Error> {
        block_on(async {
            let mut db = PgConnection::connect(&self.url).await?;
            let done = db.execute(raw_sql(AssertSqlSafe(sql.to_owned()))).await.map(|_| ());
            db.close().await?;
            done
        })
    }

    /// The rows of a statement, each with its columns as text.
    pub fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let rows = block_on(async {
            let mut db = PgConnection::connect(&self.url).await?;
            let rows = db.fetch_all(raw_sql(AssertSqlSafe(sql.to_owned()))).await?;
            db.close().await?;
            Ok::<_, sqlx::Error>(rows)
        });
        let text = |row: &sqlx::postgres::PgRow, at: usize| {
            row.try_get_unchecked::<Option<String>, _>(at).unwrap().unwrap_or_default()
        };
        rows.unwrap().iter().map(|row| (0..row.len()).map(|at| text(row, at)).collect()).collect()
    }

    /// The single number that a statement returns.
    pub fn number(&self, sql: &str) -> u64 {
        self.rows(sql)[0][0].parse().unwrap()
    }
}
