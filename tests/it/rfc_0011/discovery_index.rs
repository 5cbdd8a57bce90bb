//! The index of the semantic discovery document, with its test names: through the catalog, the rebuild and the index
//! that `find` uses.

use crate::contract::machines::block_on;
use crate::site::{put, skill_md};
use skillc_disk::{DiskSkillFiles, DiskSkillScanner, DiskSkillStores};
use skillc_domain::config::Settings;
use skillc_domain::discovery::settings::DiscoverySettings;
use skillc_domain::discovery::skill::SkillCatalog;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_domain::places::Places;
use skillc_memory::{HashEmbedder, MemoryMachine};
use skillc_ops::catalog::{CatalogFilter, read_with_hidden};
use skillc_ops::find::{EmbeddingTime, MeaningModel, rebuild_skill_index};
use skillc_ops::{App, CallContext, Ports};
use skillc_ports::Embedder;
use skillc_sqlite::SkillDiscoveryIndex;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// Two folders of skills, an index, and an embedder of words.
pub struct Scene {
    pub dir: TempDir,
    pub index: SkillDiscoveryIndex,
    pub engine: HashEmbedder,
}

impl Scene {
    pub fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let index = SkillDiscoveryIndex::open(&dir.path().join("discovery.db")).unwrap();
        Self { dir, index, engine: HashEmbedder::default() }
    }

    pub fn skills(&self) -> PathBuf {
        self.dir.path().join("skills")
    }

    pub fn python(&self) -> PathBuf {
        self.dir.path().join("python")
    }

    pub fn python_skill(&self, id: &str, description: &str) {
        let manifest = format!(
            "id = \"{id}\"\nname = \"{id}\"\nversion = \"1.0.0\"\nentry_file = \"main.py\"\ndescription = \"{description}\"\n"
        );
        put(&self.python().join(id).join("manifest.toml"), manifest);
    }

    /// The ports of `find` over both folders.
    pub fn app(&self) -> App {
        let discovery = DiscoverySettings {
            roots: vec![self.skills()],
            python_roots: vec![self.python()],
            markdown_roots: Some(vec![self.skills()]),
            ..DiscoverySettings::default()
        };
        let folder = |name: &str| self.dir.path().join(name);
        let app = crate::rfc_0004::app(&MemoryMachine::new());
        let ports = Ports {
            files: Arc::new(DiskSkillFiles),
            stores: Arc::new(DiskSkillStores),
            scanner: Arc::new(DiskSkillScanner),
            settings_reader: Arc::new(skillc::TomlSettings),
            embedders: Arc::new(skillc_ports::SameEmbedder::new(self.engine.clone())),
            ..Ports::clone(&app.ports)
        };
        let places = Places::new(folder("home"), folder("work"), None);
        let call =
            CallContext { places, settings: Settings { discovery, ..Settings::default() }, ..app.call };
        App { ports: Arc::new(ports), call, state: app.state }
    }

    /// The catalog that `find` searches.
    pub fn catalog(&self) -> Arc<SkillCatalog> {
        read_with_hidden(&self.app(), CatalogFilter::default())
    }

    /// Updates the index as `find` does; returns how many skills were indexed.
    pub fn rebuild(&self) -> usize {
        rebuild(&self.app(), &self.index)
    }

    pub fn search(&self, query: &str) -> Vec<String> {
        let vector = self.engine.embed(query).unwrap();
        self.index.search(&vector, 5).unwrap().into_iter().map(|found| found.name).collect()
    }

    /// The name and description of the skill in a folder; `None` if there is no skill.
    fn text(&self, folder: &str) -> Option<(String, String)> {
        let catalog = self.catalog();
        let skill = catalog.skills.iter().find(|skill| skill.dir.file_name().unwrap() == folder)?;
        Some((skill.name.clone(), skill.description.clone()))
    }

    fn is_indexed(&self, name: &str) -> bool {
        let catalog = self.catalog();
        let skill = catalog.skills.iter().find(|skill| skill.name == name).unwrap();
        self.index.is_indexed(&skill.id).unwrap()
    }
}

pub fn rebuild(app: &App, index: &SkillDiscoveryIndex) -> usize {
    let catalog = read_with_hidden(app, CatalogFilter::default());
    let model = MeaningModel::of(skillc_ops::model::embedder(app)).unwrap();
    let embedding = Some((&model, EmbeddingTime::Unlimited));
    let rebuilt = block_on(rebuild_skill_index(app, index, &catalog.skills, embedding)).unwrap();
    assert_eq!(rebuilt.without_vector, 0);
    rebuilt.indexed
}

fn axis(at: usize) -> Vec<f32> {
    let mut vector = vec![0.0; EMBEDDING_DIMENSIONS];
    vector[at] = 1.0;
    vector
}

/// RFC-0011:C-INDEX
#[test]
fn open_creates_tables() {
    let scene = Scene::new();
    let db = rusqlite::Connection::open(scene.dir.path().join("discovery.db")).unwrap();
    for table in ["skill_embeddings", "skill_metadata"] {
        let found = "SELECT count(*) FROM sqlite_master WHERE name = ?1";
        assert_eq!(db.query_row(found, [table], |row| row.get::<_, i64>(0)), Ok(1), "{table}");
    }
    let sql = "SELECT sql FROM sqlite_master WHERE name = 'skill_embeddings'";
    let sql: String = db.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(sql.contains("vec0") && sql.contains("FLOAT[384]"), "{sql}");
}

/// RFC-0011:C-INDEX
#[test]
fn index_and_search_returns_match() {
    let scene = Scene::new();
    scene.index.index_skill("a", "alpha", "first", "python", &axis(3)).unwrap();
    scene.index.index_skill("b", "beta", "second", "markdown", &axis(4)).unwrap();
    let found = scene.index.search(&axis(3), 5).unwrap();
    assert_eq!((found[0].skill_id.as_str(), found[0].name.as_str()), ("a", "alpha"));
    assert_eq!((found[0].description.as_str(), found[0].source.as_str()), ("first", "python"));
    assert!((found[0].score - 1.0).abs() < 1e-6 && found[1].score.abs() < 1e-6, "{found:?}");
    let far: Vec<f32> = axis(3).iter().map(|x| -x).collect();
    assert!(scene.index.search(&far, 1).unwrap()[0].score >= 0.0, "a score is never below 0");
}

/// RFC-0011:C-INDEX
#[test]
fn remove_skill_deletes_from_index() {
    let scene = Scene::new();
    scene.index.index_skill("a", "alpha", "", "python", &axis(3)).unwrap();
    scene.index.remove_skill("a").unwrap();
    scene.index.remove_skill("never").unwrap();
    assert_eq!(scene.index.indexed_count().unwrap(), 0);
    assert!(scene.index.search(&axis(3), 5).unwrap().is_empty());
}

/// RFC-0011:C-INDEX
#[test]
fn is_indexed_returns_correct_status() {
    let scene = Scene::new();
    assert!(!scene.index.is_indexed("a").unwrap());
    scene.index.index_skill("a", "alpha", "", "python", &axis(3)).unwrap();
    assert!(scene.index.is_indexed("a").unwrap() && !scene.index.is_indexed("b").unwrap());
}

/// RFC-0011:C-INDEX
#[test]
fn search_empty_index_returns_empty() {
    assert!(Scene::new().index.search(&axis(0), 5).unwrap().is_empty());
}

/// RFC-0011:C-INDEX
#[test]
fn indexed_count_tracks_entries() {
    let scene = Scene::new();
    for (id, count) in [("a", 1), ("b", 2), ("a", 2)] {
        scene.index.index_skill(id, id, "", "python", &axis(count)).unwrap();
        assert_eq!(scene.index.indexed_count().unwrap(), count);
    }
    assert!(scene.index.index_skill("c", "c", "", "python", &[1.0; 3]).is_err(), "a vector of another size");
    assert_eq!(scene.index.indexed_count().unwrap(), 2);
}

/// RFC-0011:C-TEXT
#[test]
fn extract_python_skill_text_from_manifest() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    let text = scene.text("notify");
    assert_eq!(text, Some(("notify".to_owned(), "Send a message on Discord".to_owned())));
}

/// RFC-0011:C-TEXT
#[test]
fn extract_python_skill_text_missing_manifest_returns_none() {
    let scene = Scene::new();
    put(&scene.python().join("broken/manifest.toml"), "name = [");
    put(&scene.python().join("empty/other.txt"), "");
    for id in ["broken", "empty", "missing"] {
        assert_eq!(scene.text(id), None, "{id}");
    }
}

/// RFC-0011:C-TEXT
#[test]
fn a_blank_name_in_a_manifest_is_as_good_as_none() {
    let scene = Scene::new();
    put(&scene.python().join("notify/manifest.toml"), "id = 'notify'\nname = '  '\ndescription = ' '\n");
    put(&scene.python().join("nameless/manifest.toml"), "id = ' '\nname = ''\ndescription = 'Sends.'\n");
    assert_eq!(scene.text("notify"), Some(("notify".to_owned(), String::new())));
    assert_eq!(scene.text("nameless"), None);
    assert_eq!(scene.rebuild(), 1);
}

/// RFC-0011:C-TEXT
#[test]
fn extract_markdown_skill_text_from_file() {
    let scene = Scene::new();
    put(&scene.skills().join("weather/SKILL.md"), "# Weather\n\nTells the\nforecast.\n\nMore.\n");
    put(&scene.skills().join("tides/SKILL.md"), "---\nname: tides\n---\n# Tides\n\nTells the tides.\n");
    put(&scene.skills().join("pdf-forms/SKILL.md"), skill_md("pdf-forms", "# X\n\nA text.\n"));
    put(&scene.skills().join("title/SKILL.md"), "# Title\n");
    let text = |name: &str, description: &str| Some((name.to_owned(), description.to_owned()));
    assert_eq!(scene.text("weather"), text("weather", "Tells the forecast."));
    assert_eq!(scene.text("tides"), text("tides", "Tells the tides."));
    assert_eq!(scene.text("pdf-forms"), text("pdf-forms", "Does pdf-forms. Use when testing."));
    for nothing in ["title", "none"] {
        assert_eq!(scene.text(nothing), None, "{nothing}");
    }
}

/// RFC-0011:C-REBUILD
#[test]
fn rebuild_indexes_python_skills() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    scene.python_skill("resize", "Resize images");
    assert_eq!(scene.rebuild(), 2);
    assert!(scene.is_indexed("notify"));
    assert_eq!(scene.search("images")[0], "resize");
}

/// RFC-0011:C-REBUILD, RFC-0010:C-SINGLE
#[test]
fn rebuild_indexes_markdown_skills() {
    let scene = Scene::new();
    put(&scene.skills().join("weather/SKILL.md"), "Tells the forecast.\n");
    put(&scene.skills().join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\n");
    put(&scene.skills().join("whistle.md"), "# A single file\n\nWhistles like a marmot.\n");
    assert_eq!(scene.rebuild(), 3);
    assert_eq!(scene.search("forecast")[0], "weather");
    assert_eq!(scene.search("forms")[0], "pdf");
    assert_eq!(scene.search("marmot")[0], "whistle");
}

/// RFC-0011:C-REBUILD
#[test]
fn rebuild_skips_already_indexed() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message");
    assert_eq!(scene.rebuild(), 1);
    let embedded = scene.engine.embedded();
    assert_eq!(scene.rebuild(), 0);
    assert_eq!(scene.engine.embedded(), embedded, "what is unchanged is not embedded");
    std::fs::remove_dir_all(scene.python()).unwrap();
    assert_eq!(scene.rebuild(), 0);
    assert_eq!(scene.index.indexed_count().unwrap(), 0, "what is gone is taken out");
}

/// RFC-0011:C-REBUILD
#[test]
fn two_rebuilds_at_once_index_each_skill_once() {
    let scene = Scene::new();
    for number in 0..20 {
        scene.python_skill(&format!("skill-{number}"), &format!("does thing {number}"));
    }
    let open = || SkillDiscoveryIndex::open(&scene.dir.path().join("discovery.db")).unwrap();
    std::thread::scope(|threads| {
        for index in [open(), open()] {
            let app = scene.app();
            threads.spawn(move || rebuild(&app, &index));
        }
    });
    assert_eq!(scene.index.indexed_count().unwrap(), 20);
    assert_eq!(scene.rebuild(), 0);
}

/// RFC-0011:C-INDEX
#[test]
fn a_damaged_database_is_replaced() {
    let scene = Scene::new();
    let path = scene.dir.path().join("discovery.db");
    scene.python_skill("notify", "Send a message");
    assert_eq!(scene.rebuild(), 1);
    let app = scene.app();
    drop(scene.index);
    for damage in [&b"no database"[..], &[0; 4096], b"SQLite format 3\0 and then nothing"] {
        std::fs::write(&path, damage).unwrap();
        let index = SkillDiscoveryIndex::open(&path).unwrap();
        assert_eq!(index.indexed_count().unwrap(), 0);
        assert_eq!(rebuild(&app, &index), 1);
    }
}
