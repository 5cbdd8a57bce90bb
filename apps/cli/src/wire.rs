//! The composition root: the only file that names adapters.

use crate::config::TomlSettings;
use skillc_disk::{
    DiskNamedFiles, DiskRuntimeStore, DiskSkillEditor, DiskSkillFiles, DiskSkillStores, DiskWatcher,
    SystemClock, WatchedSkillFiles,
};
use skillc_domain::config::{LogStore, Settings};
use skillc_domain::places::Places;
use skillc_links::LinkDeployer;
use skillc_markdown::MarkdownReader;
use skillc_ops::{App, Caller, Environment};
use skillc_ports::{Progress, TeamStore};
use skillc_postgres::{PostgresTeamStore, TeamSettings as TeamServer};
use skillc_regex::RegexPatternSearch;
use skillc_sqlite::{KeptLocalLogs, KeptSectionIndex, SqliteLocalLogs, SqliteSectionIndex};
use std::sync::Arc;
use std::time::Duration;

/// All ports with their adapters on this machine.
pub fn app(places: Places, settings: Settings, environment: Environment, progress: Arc<dyn Progress>) -> App {
    App {
        files: Arc::new(DiskSkillFiles),
        stores: Arc::new(DiskSkillStores),
        runtimes: Arc::new(DiskRuntimeStore),
        index: Arc::new(SqliteSectionIndex),
        logs: Arc::new(SqliteLocalLogs),
        team: team(&settings),
        deployer: Arc::new(LinkDeployer),
        reader: Arc::new(MarkdownReader),
        patterns: Arc::new(RegexPatternSearch),
        editor: Arc::new(DiskSkillEditor),
        named: Arc::new(DiskNamedFiles),
        settings_reader: Arc::new(TomlSettings),
        watcher: Some(Arc::new(DiskWatcher)),
        clock: Arc::new(SystemClock),
        progress,
        caller: Caller::Program,
        places,
        settings,
        environment,
    }
}

/// The same ports for a process that lives on: what they remember between two calls spares the next one its beginning.
pub fn serving(app: App) -> App {
    App {
        files: Arc::new(WatchedSkillFiles::default()),
        index: Arc::new(KeptSectionIndex::default()),
        logs: Arc::new(KeptLocalLogs::default()),
        ..app
    }
}

/// How long a command may wait for the team's server only to leave its event there.
const LOG_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// The team's store, where the user named one. Nothing is connected to before it is used.
fn team(settings: &Settings) -> Option<Arc<dyn TeamStore>> {
    let team = settings.team.as_ref()?;
    let mut server = TeamServer::new(&team.url);
    server.password.clone_from(&team.password);
    if settings.log_store == LogStore::Postgres {
        server.connect_timeout = LOG_CONNECT_TIMEOUT;
    }
    Some(Arc::new(PostgresTeamStore::new(server)))
}
