//! `SessionStore`.

use skillc_domain::limits::{SESSION_LOAD_AGE_MAX_S, SESSION_LOADS_MAX};
use skillc_memory::MemorySessions;
use skillc_ports::SessionStore;
use skillc_sqlite::SqliteSessions;
use std::sync::Arc;
use tempfile::TempDir;

contract!([memory, sqlite, sqlite_in_memory] {
    a_version_is_new_to_a_session_once,
    another_version_takes_the_place_of_the_last,
    sessions_do_not_know_of_each_other,
    a_forgotten_load_is_new_again,
    old_loads_are_forgotten,
    the_oldest_load_goes_first,
    only_one_of_many_concurrent_calls_learns_that_it_is_new,
});

struct Scene {
    sessions: Arc<dyn SessionStore>,
    _folder: Option<TempDir>,
}

fn memory() -> Scene {
    Scene { sessions: Arc::new(MemorySessions::default()), _folder: None }
}

fn sqlite() -> Scene {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("home/.skillc/sessions.db");
    Scene { sessions: Arc::new(SqliteSessions::new(file)), _folder: Some(folder) }
}

fn sqlite_in_memory() -> Scene {
    Scene { sessions: Arc::new(SqliteSessions::in_memory()), _folder: None }
}

impl Scene {
    fn is_new(&self, session: &str, path: &str, version: &str, now: i64) -> bool {
        self.sessions.remember(session, path, version, now).unwrap()
    }
}

fn a_version_is_new_to_a_session_once(scene: &Scene) {
    assert!(scene.is_new("s", "/a", "1", 0));
    assert!(!scene.is_new("s", "/a", "1", 1));
    assert!(scene.is_new("s", "/b", "1", 2));
}

fn another_version_takes_the_place_of_the_last(scene: &Scene) {
    assert!(scene.is_new("s", "/a", "1", 0) && scene.is_new("s", "/a", "2", 1));
    assert!(!scene.is_new("s", "/a", "2", 2));
    assert!(scene.is_new("s", "/a", "1", 3), "the first text may stand far above");
}

fn sessions_do_not_know_of_each_other(scene: &Scene) {
    assert!(scene.is_new("s", "/a", "1", 0) && scene.is_new("t", "/a", "1", 0));
    assert!(scene.is_new("", "/a", "1", 0) && scene.is_new("'; --", "/a", "1", 0));
    assert!(!scene.is_new("'; --", "/a", "1", 0));
}

fn a_forgotten_load_is_new_again(scene: &Scene) {
    assert!(scene.is_new("s", "/a", "1", 0) && scene.is_new("s", "/b", "1", 0));
    scene.sessions.forget("s", "/a").unwrap();
    scene.sessions.forget("t", "/b").unwrap();
    assert!(scene.is_new("s", "/a", "1", 1) && !scene.is_new("s", "/b", "1", 1));
}

fn old_loads_are_forgotten(scene: &Scene) {
    let age_ns = SESSION_LOAD_AGE_MAX_S * 1_000_000_000;
    assert!(scene.is_new("s", "/a", "1", 0));
    assert!(!scene.is_new("s", "/a", "1", age_ns), "asking keeps it");
    assert!(scene.is_new("s", "/a", "1", age_ns * 2 + 1));
}

fn the_oldest_load_goes_first(scene: &Scene) {
    let most = i64::from(SESSION_LOADS_MAX);
    for at in 0..=most {
        assert!(scene.is_new(&format!("s{at}"), "/a", "1", at));
    }
    assert!(!scene.is_new("s1", "/a", "1", most + 1));
    assert!(scene.is_new("s0", "/a", "1", most + 2));
}

fn only_one_of_many_concurrent_calls_learns_that_it_is_new(scene: &Scene) {
    let ask = || {
        let sessions = scene.sessions.clone();
        std::thread::spawn(move || sessions.remember("s", "/a", "1", 0).unwrap())
    };
    let asked: Vec<_> = (0..8).map(|_| ask()).collect();
    let new = asked.into_iter().map(|thread| thread.join().unwrap());
    assert_eq!(new.filter(|is_new| *is_new).count(), 1);
}
