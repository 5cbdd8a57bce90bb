//! Traits for everything outside the process, one per file, with the duties of their implementations.
//!
//! An adapter implements a port. It decides nothing about skills, prints nothing, and reads no setting or environment
//! variable. A port that may have a remote implementation is async and object-safe; one that is always local is
//! blocking.
//!
//! Terms are defined in the [glossary](skillc_domain::glossary).

pub mod archives;
pub mod client_configs;
pub mod clock;
pub mod consent;
pub mod deployer;
pub mod editor;
pub mod embedder;
pub mod error;
pub mod files;
pub mod history;
pub mod index;
pub mod inspection;
pub mod journal;
pub mod json;
pub mod log;
pub mod models;
pub mod named;
pub mod patience;
pub mod patterns;
pub mod progress;
pub mod reader;
pub mod runtime;
pub mod scan;
pub mod sessions;
pub mod settings;
pub mod site;
pub mod skill_index;
pub mod stores;
pub mod team;
pub mod text_editor;
pub mod trash;
pub mod watch;

pub use archives::{Archives, InspectedArchive};
pub use client_configs::{ClientConfig, ClientConfigs, ClientServer};
pub use clock::Clock;
pub use consent::{Consent, ConsentPrompt, NonInteractive};
pub use deployer::Deployer;
pub use editor::SkillEditor;
pub use embedder::{Embedder, Embedders, ModelId, NoModel, SameEmbedder, UnsupportedEmbedder};
pub use error::{ErrorKind, PortError};
pub use files::{FileContent, SkillFiles, SkillTree};
pub use history::{
    ForgottenSpan, HistoryBookmark, HistoryBookmarks, HistoryFile, HistoryFiles, HistoryPosition,
    HistoryRead, HistoryReader, HistorySource,
};
pub use index::{
    IndexChange, IndexReader, IndexWriter, IndexedFile, Publication, PublishedFile, SectionIndex,
};
pub use inspection::{FolderSize, InspectedEntry, InspectedKind, Inspector};
pub use journal::{InterruptedChange, Journal, JournalGuard, JournalRecord};
pub use json::JsonDocuments;
pub use log::{
    AccessLog, EventLabel, Forget, HistoryCounts, LocalLog, LocalLogs, LogPosition, LoggedEvent, RepairedLog,
};
pub use models::{ModelOrigin, ModelState, ModelStore, UnsupportedModelStore};
pub use named::{NamedFiles, ReadSeek, WriteOptions};
pub use patience::Patience;
pub use patterns::{CompiledPatterns, PatternMatch, PatternSearch};
pub use progress::{Progress, Quiet};
pub use reader::DocumentReader;
pub use runtime::{RuntimeFile, RuntimeGuard, RuntimeStore};
pub use scan::{Scan, ScanCache, SkillScanner};
pub use sessions::SessionStore;
pub use settings::{SettingRefusal, SettingsChange, SettingsEditor, SettingsReader, SettingsTarget};
pub use site::{SiteReader, SiteResponse, UnsupportedSiteReader};
pub use skill_index::{
    Candidates, IndexedSkill, ScoredSkill, SkillIndex, SkillIndexVersion, SkillIndexes, SkillRecord,
    SkillVector, UnembeddedSkill,
};
pub use stores::{Found, SkillStores};
pub use team::TeamStore;
pub use text_editor::TextEditor;
pub use trash::{Receipt, ReceiptSummary, Trash, TrashEntry, TrashSlot};
pub use watch::{Changed, Watch, Watcher};
