//! The composition root: the only file that names adapters.

use crate::config::TomlSettings;
use skillc_disk::{
    DiskNamedFiles, DiskRuntimeStore, DiskSkillEditor, DiskSkillFiles, DiskSkillStores, SystemClock,
};
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_links::LinkDeployer;
use skillc_markdown::MarkdownReader;
use skillc_ops::{App, Environment};
use skillc_ports::Progress;
use skillc_regex::RegexPatternSearch;
use skillc_sqlite::{SqliteAccessLog, SqliteSectionIndex};
use std::sync::Arc;

/// All ports with their adapters on this machine.
pub fn app(places: Places, settings: Settings, environment: Environment, progress: Arc<dyn Progress>) -> App {
    App {
        files: Arc::new(DiskSkillFiles),
        stores: Arc::new(DiskSkillStores),
        runtimes: Arc::new(DiskRuntimeStore),
        index: Arc::new(SqliteSectionIndex),
        log: Arc::new(SqliteAccessLog),
        deployer: Arc::new(LinkDeployer),
        reader: Arc::new(MarkdownReader),
        patterns: Arc::new(RegexPatternSearch),
        editor: Arc::new(DiskSkillEditor),
        named: Arc::new(DiskNamedFiles),
        settings_reader: Arc::new(TomlSettings),
        clock: Arc::new(SystemClock),
        progress,
        places,
        settings,
        environment,
    }
}
