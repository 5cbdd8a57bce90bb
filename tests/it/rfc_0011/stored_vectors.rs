//! RFC-0011:C-INDEX: the two forms in which vectors are stored, and what becomes of files that hold something else.

use super::discovery_index::{Scene, rebuild};
use crate::contract::machines::block_on;
use rusqlite::Connection;
use skillc_memory::HashEmbedder;
use skillc_ops::App;
use skillc_ports::{Embedder, ModelId, PortError, SameEmbedder, SkillIndex};
use skillc_sqlite::SkillDiscoveryIndex;
use std::path::PathBuf;
use std::sync::Arc;

/// An embedder of words under the name of the model whose vectors are stored as codes.
struct Ours(HashEmbedder);

impl Embedder for Ours {
    fn model(&self) -> Result<ModelId, PortError> {
        Ok(ModelId { name: "skills".to_owned(), ..self.0.model()? })
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.0.embed(text)
    }
}

/// Two skills that are indexed by `skills`, and the file of the index, which is closed.
fn scene() -> (Scene, App, PathBuf) {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    scene.python_skill("resize", "Resize images");
    let mut app = scene.app();
    let embedder = SameEmbedder::new(Ours(scene.engine.clone()));
    Arc::make_mut(&mut app.ports).embedders = Arc::new(embedder);
    let file = scene.dir.path().join("discovery.db");
    assert_eq!(rebuild(&app, &SkillDiscoveryIndex::open(&file).unwrap()), 2);
    (scene, app, file)
}

fn found(app: &App, index: &SkillDiscoveryIndex, query: &str) -> Vec<(f64, String)> {
    let embedder = skillc_ops::model::embedder(app);
    let (model, vector) = (embedder.model().unwrap().to_string(), embedder.embed(query).unwrap());
    let found = block_on(index.semantic(&model, &vector, 5, None)).unwrap();
    found.into_iter().map(|near| (near.score, near.id)).collect()
}

/// RFC-0011:C-INDEX
#[test]
fn vectors_of_skills_are_codes_and_take_a_sixth_of_the_bytes() {
    let (_scene, app, file) = scene();
    let db = Connection::open(&file).unwrap();
    let stored = "SELECT count(*), min(length(codes)), max(length(codes)) FROM skill_vectors";
    let stored: (i64, i64, i64) =
        db.query_row(stored, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    assert_eq!(stored, (2, 244, 244), "a scale and 384 times five bits");
    let floats = db.query_row("SELECT count(*) FROM skill_embeddings_rowids", [], |row| row.get::<_, i64>(0));
    assert_eq!(floats, Ok(0));
    drop(db);
    let index = SkillDiscoveryIndex::open(&file).unwrap();
    let near = found(&app, &index, "resize: Resize images");
    assert!((near[0].0 - 1.0).abs() < 1e-5 && near[1].0 < 0.5, "{near:?}");
}

/// RFC-0011:C-INDEX
#[test]
fn an_index_of_an_earlier_version_is_made_again() {
    let (_scene, app, file) = scene();
    let db = Connection::open(&file).unwrap();
    db.execute_batch("ALTER TABLE skill_vectors DROP COLUMN codes; PRAGMA user_version = 4;").unwrap();
    drop(db);
    let index = SkillDiscoveryIndex::open(&file).unwrap();
    assert!(found(&app, &index, "Resize images").is_empty());
    assert_eq!(rebuild(&app, &index), 2);
    assert_eq!(found(&app, &index, "Resize images").len(), 2);
}

/// RFC-0011:C-INDEX
#[test]
fn an_index_with_a_damaged_vector_is_replaced() {
    for damage in ["substr(codes, 2)", "codes || x'00'", "NULL", "'text'", "7"] {
        let (_scene, app, file) = scene();
        let db = Connection::open(&file).unwrap();
        db.execute(&format!("UPDATE skill_vectors SET codes = {damage}"), []).unwrap();
        drop(db);
        let index = SkillDiscoveryIndex::open(&file).unwrap();
        assert!(found(&app, &index, "Resize images").is_empty(), "{damage}: no error");
        assert_eq!(rebuild(&app, &index), 2, "{damage}");
        assert_eq!(found(&app, &index, "Resize images").len(), 2, "{damage}");
    }
}
