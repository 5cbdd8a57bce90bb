//! The index of the semantic discovery document, by the names of its tests.

use crate::site::{put, skill_md};
use skillc_disk::DiskSkillFiles;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_markdown::MarkdownReader;
use skillc_memory::HashEmbedder;
use skillc_ports::{Embedder, SettingsReader, SkillFiles};
use skillc_sqlite::{
    SkillDiscoveryIndex, SkillSources, extract_builtin_skill_text, extract_markdown_skill_text,
    extract_python_skill_text, rebuild_skill_index,
};
use std::path::{Path, PathBuf};
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

    pub fn rebuild(&self) -> usize {
        with_sources(|sources| {
            rebuild_skill_index(sources, &self.index, &self.engine, &self.skills(), &self.python())
        })
        .unwrap()
    }

    pub fn search(&self, query: &str) -> Vec<String> {
        let vector = self.engine.embed(query).unwrap();
        self.index.search(&vector, 5).unwrap().into_iter().map(|found| found.name).collect()
    }
}

/// Does something with the disk, Markdown and TOML.
pub fn with_sources<T>(ask: impl FnOnce(&SkillSources<'_>) -> T) -> T {
    let files: &dyn SkillFiles = &DiskSkillFiles;
    let settings: &dyn SettingsReader = &skillc::TomlSettings;
    ask(&SkillSources { files, reader: &MarkdownReader, settings, builtin: &[] })
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
    let text = with_sources(|s| extract_python_skill_text(s, &scene.python(), "notify"));
    assert_eq!(text, Some(("notify".to_owned(), "Send a message on Discord".to_owned())));
}

/// RFC-0011:C-TEXT
#[test]
fn extract_python_skill_text_missing_manifest_returns_none() {
    let scene = Scene::new();
    put(&scene.python().join("broken/manifest.toml"), "name = [");
    put(&scene.python().join("empty/other.txt"), "");
    for id in ["broken", "empty", "missing", "../python/broken"] {
        assert_eq!(with_sources(|s| extract_python_skill_text(s, &scene.python(), id)), None, "{id}");
    }
}

/// RFC-0011:C-TEXT
#[test]
fn a_blank_name_in_a_manifest_is_as_good_as_none() {
    let scene = Scene::new();
    put(&scene.python().join("notify/manifest.toml"), "id = 'notify'\nname = '  '\ndescription = ' '\n");
    put(&scene.python().join("nameless/manifest.toml"), "id = ' '\nname = ''\ndescription = 'Sends.'\n");
    let text = |id: &str| with_sources(|s| extract_python_skill_text(s, &scene.python(), id));
    assert_eq!(text("notify"), Some(("notify".to_owned(), String::new())));
    assert_eq!(text("nameless"), None);
    assert_eq!(scene.rebuild(), 1);
}

/// RFC-0011:C-TEXT
#[test]
fn extract_markdown_skill_text_from_file() {
    let scene = Scene::new();
    let plain = scene.skills().join("weather.md");
    put(&plain, "# Weather\n\nTells the\nforecast.\n\nMore.\n");
    let headed = scene.skills().join("pdf/SKILL.md");
    put(&headed, skill_md("pdf-forms", "# X\n"));
    let text = |path: &Path| with_sources(|s| extract_markdown_skill_text(s, path));
    assert_eq!(text(&plain), Some(("weather".to_owned(), "Tells the forecast.".to_owned())));
    assert_eq!(text(&headed).unwrap().0, "pdf-forms");
    assert_eq!(text(&scene.skills().join("none.md")), None);
}

/// RFC-0011:C-TEXT
#[test]
fn extract_builtin_skill_text_truncates() {
    let (name, description) = extract_builtin_skill_text("guide", &"é".repeat(600));
    assert_eq!((name.as_str(), description.chars().count()), ("guide", 500));
    assert_eq!(extract_builtin_skill_text("guide", "short").1, "short");
}

/// RFC-0011:C-REBUILD
#[test]
fn rebuild_indexes_python_skills() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    scene.python_skill("resize", "Resize images");
    assert_eq!(scene.rebuild(), 2);
    assert!(scene.index.is_indexed("notify").unwrap());
    assert_eq!(scene.search("images")[0], "resize");
}

/// RFC-0011:C-REBUILD
#[test]
fn rebuild_indexes_markdown_skills() {
    let scene = Scene::new();
    put(&scene.skills().join("weather.md"), "Tells the forecast.\n");
    put(&scene.skills().join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\n");
    assert_eq!(scene.rebuild(), 2);
    assert_eq!(scene.search("forecast")[0], "weather");
    assert_eq!(scene.search("forms")[0], "pdf");
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
            let (skills, python) = (scene.skills(), scene.python());
            threads.spawn(move || {
                with_sources(|s| {
                    rebuild_skill_index(s, &index, &HashEmbedder::default(), &skills, &python).unwrap()
                })
            });
        }
    });
    assert_eq!(scene.index.indexed_count().unwrap(), 20);
    assert_eq!(scene.rebuild(), 0);
}

/// RFC-0011:C-INDEX
#[test]
fn a_damaged_database_is_begun_anew() {
    let scene = Scene::new();
    let path = scene.dir.path().join("discovery.db");
    scene.python_skill("notify", "Send a message");
    assert_eq!(scene.rebuild(), 1);
    drop(scene.index);
    for damage in [&b"no database"[..], &[0; 4096], b"SQLite format 3\0 and then nothing"] {
        std::fs::write(&path, damage).unwrap();
        let index = SkillDiscoveryIndex::open(&path).unwrap();
        assert_eq!(index.indexed_count().unwrap(), 0);
        let engine = HashEmbedder::default();
        let (skills, python) = (path.with_file_name("skills"), path.with_file_name("python"));
        let built = with_sources(|s| rebuild_skill_index(s, &index, &engine, &skills, &python)).unwrap();
        assert_eq!(built, 1);
    }
}
