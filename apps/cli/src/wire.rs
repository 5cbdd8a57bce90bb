//! The composition root: the only file that names adapters.

use crate::clients::FileClientConfigs;
use crate::config::{TomlEditor, TomlSettings};
use crate::consent::TerminalConsent;
use crate::text_editor::editor_of_environment;
use skillc_archive::ZipArchives;
use skillc_disk::{
    DiskInspector, DiskJournal, DiskNamedFiles, DiskRuntimeStore, DiskSkillEditor, DiskSkillFiles,
    DiskSkillScanner, DiskSkillStores, DiskTrash, DiskWatcher, SystemClock, WatchedSkillFiles,
    WatchedSkillScanner,
};
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_domain::reader::Reader;
use skillc_json::StrictJson;
use skillc_links::LinkDeployer;
use skillc_markdown::MarkdownReader;
use skillc_ops::{App, CallContext, Caller, Environment, Ports};
use skillc_ports::{Embedders, HistorySource, ModelStore, NonInteractive, Progress, SiteReader, TeamStore};
use skillc_regex::RegexPatternSearch;
use skillc_sqlite::{
    OpenCodeHistory, SkillDiscoveryIndex, SqliteHistoryBookmarks, SqliteLocalLogs, SqliteSectionIndex,
    SqliteSessions, SqliteSkillIndexes,
};
use std::sync::Arc;

/// The ports of a single command on this machine.
pub fn app(places: Places, settings: Settings, environment: Environment, progress: Arc<dyn Progress>) -> App {
    App {
        ports: Arc::new(ports(&places, &settings, &environment)),
        call: CallContext {
            caller: Caller::Program,
            reader: Reader::Person,
            session: environment.run_id.as_ref().map(|id| format!("run {id}")),
            is_cancelled: Arc::default(),
            consent: Arc::new(TerminalConsent),
            progress,
            places,
            settings,
            environment,
        },
        state: Arc::default(),
    }
}

fn ports(places: &Places, settings: &Settings, environment: &Environment) -> Ports {
    let named = Arc::new(DiskNamedFiles);
    let discovery = Arc::new(SkillDiscoveryIndex::at(&places.discovery()));
    let (embedders, models) = meaning(places, settings);
    Ports {
        files: Arc::new(DiskSkillFiles),
        stores: Arc::new(DiskSkillStores),
        scanner: Arc::new(DiskSkillScanner),
        scans: Arc::new(discovery.scans()),
        runtimes: Arc::new(DiskRuntimeStore),
        index: Arc::new(SqliteSectionIndex::default()),
        skill_index: discovery,
        skill_indexes: Arc::new(SqliteSkillIndexes),
        logs: Arc::new(SqliteLocalLogs::default()),
        histories: histories(),
        bookmarks: Arc::new(SqliteHistoryBookmarks::new(places.history_bookmarks())),
        team: team(settings),
        trash: Arc::new(DiskTrash::at(places.trash())),
        journal: Arc::new(DiskJournal::at(places.journal())),
        deployer: Arc::new(LinkDeployer),
        reader: Arc::new(MarkdownReader),
        patterns: Arc::new(RegexPatternSearch),
        editor: Arc::new(DiskSkillEditor),
        json: Arc::new(StrictJson),
        named: named.clone(),
        inspector: Arc::new(DiskInspector),
        client_configs: Arc::new(FileClientConfigs {
            places: places.clone(),
            variables: environment.agent_vars.clone(),
            named,
        }),
        archives: Arc::new(ZipArchives),
        sites: sites(),
        settings_reader: Arc::new(TomlSettings),
        settings_editor: Arc::new(TomlEditor),
        text_editor: editor_of_environment(),
        sessions: Arc::new(SqliteSessions::new(places.sessions())),
        embedders,
        models,
        watcher: Some(Arc::new(DiskWatcher)),
        clock: Arc::new(SystemClock),
    }
}

/// The histories of all agents.
fn histories() -> Vec<Arc<dyn HistorySource>> {
    let mut sources = skillc_history::sources();
    sources.push(Arc::new(OpenCodeHistory));
    sources
}

/// The ports of a long-running server: caches that live between calls, sessions in memory, and no interactive user.
pub fn serving(app: App) -> App {
    let ports = Ports {
        files: Arc::new(WatchedSkillFiles::default()),
        scanner: Arc::new(WatchedSkillScanner::default()),
        index: Arc::new(SqliteSectionIndex::pooled()),
        logs: Arc::new(SqliteLocalLogs::pooled()),
        sessions: Arc::new(SqliteSessions::in_memory()),
        ..Ports::clone(&app.ports)
    };
    let call = CallContext { session: None, consent: Arc::new(NonInteractive), ..app.call };
    App { ports: Arc::new(ports), call, state: app.state }
}

/// The embedding models of this machine.
#[cfg(feature = "meaning")]
fn meaning(places: &Places, settings: &Settings) -> (Arc<dyn Embedders>, Arc<dyn ModelStore>) {
    use skillc_embed::{DiskEmbedders, DiskModelStore, HUB};
    let models = DiskModelStore::new(&places.models(), settings.model_url.as_deref().unwrap_or(HUB));
    (Arc::new(DiskEmbedders::new(&places.models())), Arc::new(models))
}

/// Placeholders for the models: skills are found by words alone.
#[cfg(not(feature = "meaning"))]
fn meaning(places: &Places, _: &Settings) -> (Arc<dyn Embedders>, Arc<dyn ModelStore>) {
    let models = skillc_ports::UnsupportedModelStore { folder: places.models() };
    (Arc::new(skillc_ports::SameEmbedder::new(skillc_ports::UnsupportedEmbedder)), Arc::new(models))
}

/// Reads web sites.
#[cfg(feature = "http")]
fn sites() -> Arc<dyn SiteReader> {
    Arc::new(skillc_web::HttpSiteReader::default())
}

/// Fails with E110: this program was built without HTTP.
#[cfg(not(feature = "http"))]
fn sites() -> Arc<dyn SiteReader> {
    Arc::new(skillc_ports::UnsupportedSiteReader)
}

/// The team's store, if one is configured. It connects on first use.
#[cfg(feature = "team")]
fn team(settings: &Settings) -> Option<Arc<dyn TeamStore>> {
    use skillc_postgres::{PostgresSettings, PostgresTeamStore};
    /// Timeout for connecting to the team's server only to append an event.
    const LOG_CONNECT_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(1);

    let team = settings.team.as_ref()?;
    let mut server = PostgresSettings::new(&team.url);
    server.password.clone_from(&team.password);
    if settings.log_store == skillc_domain::config::LogStore::Postgres {
        server.connect_timeout = LOG_CONNECT_TIMEOUT;
    }
    Some(Arc::new(PostgresTeamStore::new(server)))
}

/// Returns none, so that commands that need a team's store fail with E110.
#[cfg(not(feature = "team"))]
fn team(_: &Settings) -> Option<Arc<dyn TeamStore>> {
    None
}
