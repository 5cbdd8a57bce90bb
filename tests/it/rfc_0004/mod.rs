//! RFC-0004: search. `contract/index.rs` tests what every index promises.

mod freshness;
mod index;
mod query;
mod unusable;

use crate::contract::machines::block_on;
use crate::site::Site;
use rusqlite::Connection;
use serde_json::Value;
use skillc_domain::config::{Settings, TeamSettings};
use skillc_domain::places::Places;
use skillc_markdown::MarkdownReader;
use skillc_memory::{
    MemoryClock, MemoryDeployer, MemoryLocalLogs, MemoryMachine, MemoryRuntimeStore, MemorySectionIndex,
    MemorySkillFiles, MemorySkillStores, MemoryTeamStore,
};
use skillc_ops::entry_named;
use skillc_ops::{Answer, App, CallContext, Caller, Environment, Ports};
use skillc_ports::{Quiet, SkillIndexes, TeamStore};
use std::sync::Arc;

/// The results of a search as JSON.
#[track_caller]
fn results(site: &Site, query: &str) -> Vec<Value> {
    let reply = site.skc(["search", "demo", query, "--format", "json"]).ok().json();
    reply["results"].as_array().unwrap().clone()
}

/// `file#section` of each result.
#[track_caller]
fn places(site: &Site, query: &str) -> Vec<String> {
    let place = |r: &Value| format!("{}#{}", r["file"].as_str().unwrap(), r["section"].as_str().unwrap());
    results(site, query).iter().map(place).collect()
}

/// The database of the skill `demo`.
fn database(site: &Site) -> Connection {
    Connection::open(site.index("demo")).unwrap()
}

/// Asserts that `show` and `search` refuse to answer, with this code and nothing on stdout.
#[track_caller]
fn refused(site: &Site, code: &str) {
    for line in [&["search", "demo", "marmot"][..], &["show", "demo", "--section", "Top"]] {
        assert_eq!(site.skc(line).fails(code).out, "", "{line:?}");
    }
}

/// Asserts that both answer.
#[track_caller]
fn answered(site: &Site) {
    assert_eq!(places(site, "marmot"), ["SKILL.md#Top"]);
    assert!(site.skc(["show", "demo", "--section", "top"]).ok().out.contains("marmot"));
}

const BODY: &str = "# Top\n\nThe marmot whistles.\n";

/// Runs an operation on an in-memory machine, in the project `/project`.
pub fn in_memory(machine: &MemoryMachine, command: &str, arguments: Value) -> Answer {
    run(&app(machine), command, arguments)
}

/// Like `in_memory`, with a team store.
pub fn in_memory_with_team(
    machine: &MemoryMachine,
    team: &MemoryTeamStore,
    command: &str,
    arguments: Value,
) -> Answer {
    run(&app_with_team(machine, team), command, arguments)
}

/// An app with in-memory ports and a team store.
pub fn app_with_team(machine: &MemoryMachine, team: &MemoryTeamStore) -> App {
    let settings = TeamSettings { org: "acme".into(), machine: "memory".into(), ..TeamSettings::default() };
    let mut app = app(machine);
    app.call.settings.team = Some(settings);
    Arc::make_mut(&mut app.ports).team = Some(Arc::new(team.clone()));
    app
}

/// Runs an operation on an app.
pub fn in_memory_app(app: &App, command: &str, arguments: Value) -> Answer {
    run(app, command, arguments)
}

/// A team store after `init`, as seen from a machine.
pub fn team_of_memory(machine: &MemoryMachine) -> MemoryTeamStore {
    let team = MemoryTeamStore::new(machine);
    block_on(team.init()).unwrap();
    team
}

fn run(app: &App, command: &str, arguments: Value) -> Answer {
    let call = (entry_named(command).unwrap().parse_json)(&arguments).unwrap();
    block_on(call(app))
}

/// An app with in-memory ports, except those that need no machine.
pub fn app(machine: &MemoryMachine) -> App {
    let ports = Ports {
        files: Arc::new(MemorySkillFiles::new(machine)),
        stores: Arc::new(MemorySkillStores::new(machine)),
        scanner: Arc::new(skillc_memory::MemorySkillScanner::new(machine)),
        scans: Arc::new(skillc_memory::MemoryScanCache::default()),
        runtimes: Arc::new(MemoryRuntimeStore::new(machine)),
        index: Arc::new(MemorySectionIndex::new(machine)),
        logs: Arc::new(MemoryLocalLogs::new(machine)),
        journal: Arc::new(skillc_disk::DiskJournal::at("/nowhere/journal".into())),
        histories: Vec::new(),
        bookmarks: Arc::new(skillc_sqlite::SqliteHistoryBookmarks::new("/nowhere/bookmarks.db".into())),
        team: None,
        deployer: Arc::new(MemoryDeployer::new(machine)),
        reader: Arc::new(MarkdownReader),
        patterns: Arc::new(skillc_regex::RegexPatternSearch),
        trash: Arc::new(skillc_disk::DiskTrash::at("/home/.skillc/trash".into())),
        editor: Arc::new(skillc_disk::DiskSkillEditor),
        named: Arc::new(skillc_disk::DiskNamedFiles),
        json: Arc::new(skillc_json::StrictJson),
        inspector: Arc::new(skillc_disk::DiskInspector),
        client_configs: Arc::new(NoSettings),
        archives: Arc::new(skillc_archive::ZipArchives),
        sites: Arc::new(skillc_memory::MemorySiteReader::default()),
        settings_reader: Arc::new(NoSettings),
        settings_editor: Arc::new(NoSettings),
        text_editor: None,
        sessions: Arc::new(skillc_memory::MemorySessions::default()),
        skill_index: skillc_sqlite::SqliteSkillIndexes.open(None),
        skill_indexes: Arc::new(skillc_sqlite::SqliteSkillIndexes),
        embedders: Arc::new(skillc_ports::SameEmbedder::new(skillc_memory::HashEmbedder::default())),
        models: Arc::new(skillc_memory::MemoryModelStore::new(skillc_ports::ModelState::Sound)),
        watcher: None,
        clock: Arc::new(MemoryClock::new(machine)),
    };
    let call = CallContext {
        reader: Default::default(),
        caller: Caller::Program,
        session: None,
        is_cancelled: Arc::default(),
        consent: Arc::new(skillc_ports::NonInteractive),
        progress: Arc::new(Quiet),
        places: Places::new("/home".into(), "/project".into(), Some("/project".into())),
        settings: Settings::default(),
        environment: Environment::default(),
    };
    App { ports: Arc::new(ports), call, state: Arc::default() }
}

/// A source without settings, which these tests do not need.
struct NoSettings;

impl skillc_ports::ClientConfigs for NoSettings {
    fn read(&self) -> Vec<skillc_ports::ClientConfig> {
        Vec::new()
    }
}

impl skillc_ports::SettingsEditor for NoSettings {
    fn changed(&self, _: &str, _: &skillc_ports::SettingsChange) -> Result<Option<String>, String> {
        Ok(None)
    }

    fn assignment(
        &self,
        _: &skillc_ports::SettingsTarget<'_>,
        _: &str,
        _: &str,
    ) -> Result<skillc_ports::SettingsChange, skillc_ports::SettingRefusal> {
        Err(skillc_ports::SettingRefusal::Unknown(String::new()))
    }

    fn disabled(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

impl skillc_ports::SettingsReader for NoSettings {
    fn table(&self, _: &str) -> Result<Vec<(String, skillc_domain::raw_value::RawValue)>, String> {
        Ok(Vec::new())
    }
}
