//! The composition root: the only file that names adapters.

use crate::config::{TomlEditor, TomlSettings};
use crate::consent::TerminalConsent;
use skillc_disk::{
    DiskNamedFiles, DiskRuntimeStore, DiskSkillEditor, DiskSkillFiles, DiskSkillScanner, DiskSkillStores,
    DiskTrash, DiskWatcher, SystemClock, WatchedSkillFiles, WatchedSkillScanner,
};
use skillc_domain::config::{LogStore, Settings};
use skillc_domain::places::Places;
use skillc_embed::{DiskModelStore, HUB, MiniLmEmbedder};
use skillc_links::LinkDeployer;
use skillc_markdown::MarkdownReader;
use skillc_memory::{MemorySessions, ProcessScanCache};
use skillc_ops::{App, Caller, Environment};
use skillc_ports::{ModelStore, Nobody, Progress, TeamStore};
use skillc_postgres::{PostgresSettings, PostgresTeamStore};
use skillc_regex::RegexPatternSearch;
use skillc_sqlite::{
    PooledLocalLogs, SqliteLocalLogs, SqliteSectionIndex, SqliteSessions, SqliteSkillIndex,
    SqliteSkillIndexes,
};
use std::sync::Arc;
use std::time::Duration;

/// All ports with their adapters on this machine.
pub fn app(places: Places, settings: Settings, environment: Environment, progress: Arc<dyn Progress>) -> App {
    let discovery = Arc::new(SqliteSkillIndex::at(&places.discovery()));
    let models = DiskModelStore::new(&places.models(), settings.model_url.as_deref().unwrap_or(HUB));
    App {
        files: Arc::new(DiskSkillFiles),
        stores: Arc::new(DiskSkillStores),
        scanner: Arc::new(DiskSkillScanner),
        scans: Arc::new(discovery.scans()),
        catalogs: Arc::default(),
        runtimes: Arc::new(DiskRuntimeStore),
        index: Arc::new(SqliteSectionIndex::default()),
        skill_index: discovery,
        skill_indexes: Arc::new(SqliteSkillIndexes),
        directory_memo: Arc::default(),
        is_embedding: Arc::default(),
        logs: Arc::new(SqliteLocalLogs),
        team: team(&settings),
        trash: Arc::new(DiskTrash::at(places.trash())),
        deployer: Arc::new(LinkDeployer),
        reader: Arc::new(MarkdownReader),
        patterns: Arc::new(RegexPatternSearch),
        editor: Arc::new(DiskSkillEditor),
        named: Arc::new(DiskNamedFiles),
        settings_reader: Arc::new(TomlSettings),
        settings_editor: Arc::new(TomlEditor),
        sessions: Arc::new(SqliteSessions::new(places.sessions())),
        gone: Arc::default(),
        session: environment.run_id.as_ref().map(|id| format!("run {id}")),
        consent: Arc::new(TerminalConsent),
        embedder: Arc::new(MiniLmEmbedder::new(models.folder())),
        models: Arc::new(models),
        watcher: Some(Arc::new(DiskWatcher)),
        clock: Arc::new(SystemClock),
        progress,
        caller: Caller::Program,
        places,
        settings,
        environment,
    }
}

/// The ports of a long-running server: caches that live between calls, sessions in memory, and no interactive user.
pub fn serving(app: App) -> App {
    App {
        files: Arc::new(WatchedSkillFiles::default()),
        scanner: Arc::new(WatchedSkillScanner::default()),
        scans: Arc::new(ProcessScanCache::before(app.scans)),
        index: Arc::new(SqliteSectionIndex::pooled()),
        logs: Arc::new(PooledLocalLogs::default()),
        sessions: Arc::new(MemorySessions::default()),
        session: None,
        consent: Arc::new(Nobody),
        ..app
    }
}

/// Timeout for connecting to the team's server only to append an event.
const LOG_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// The team's store, if one is configured. It connects on first use.
fn team(settings: &Settings) -> Option<Arc<dyn TeamStore>> {
    let team = settings.team.as_ref()?;
    let mut server = PostgresSettings::new(&team.url);
    server.password.clone_from(&team.password);
    if settings.log_store == LogStore::Postgres {
        server.connect_timeout = LOG_CONNECT_TIMEOUT;
    }
    Some(Arc::new(PostgresTeamStore::new(server)))
}
