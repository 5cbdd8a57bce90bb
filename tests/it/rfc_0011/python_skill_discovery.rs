//! The integration tests of the semantic discovery document, with its names.

use super::discovery_index::Scene;
use skillc_ports::Embedder;

/// RFC-0011:C-REBUILD
#[test]
fn index_python_skill_and_search_by_description() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    assert_eq!(scene.rebuild(), 1);
    let vector = scene.engine.embed("message Discord").unwrap();
    let found = scene.index.search(&vector, 5).unwrap();
    let id = &scene.catalog().skills[0].id;
    assert_eq!((&found[0].skill_id, found[0].source.as_str()), (id, "python"));
    assert!(found[0].score > 0.3 && found[0].score <= 1.0, "{found:?}");
}

/// RFC-0011:C-REBUILD
#[test]
fn search_returns_best_match_first() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message on Discord");
    scene.python_skill("mail", "Send a letter");
    scene.python_skill("resize", "Resize images");
    scene.rebuild();
    assert_eq!(scene.search("Send a message")[..2], ["notify", "mail"]);
}

/// RFC-0011:C-REBUILD
#[test]
fn empty_query_returns_empty() {
    let scene = Scene::new();
    scene.python_skill("notify", "Send a message");
    scene.rebuild();
    let vector = scene.engine.embed("message").unwrap();
    assert!(scene.index.search(&vector, 0).unwrap().is_empty());
    let nothing = vec![0.0; vector.len()];
    assert!(scene.index.search(&nothing, 5).unwrap().is_empty(), "a query that says nothing finds nothing");
}

/// RFC-0011:C-REBUILD
#[test]
fn reindex_updates_changed_descriptions() {
    let scene = Scene::new();
    scene.python_skill("tool", "Send a message");
    scene.rebuild();
    scene.python_skill("tool", "Resize images");
    assert_eq!(scene.rebuild(), 1);
    let vector = scene.engine.embed("images").unwrap();
    let found = scene.index.search(&vector, 5).unwrap();
    assert_eq!((found.len(), found[0].description.as_str()), (1, "Resize images"));
}
