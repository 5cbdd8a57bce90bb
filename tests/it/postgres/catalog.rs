//! The shared catalog.

use super::cluster::ready_database;
use super::origin;
use crate::contract::machines::block_on;
use skillc_domain::team::{TeamCatalogEntry, TeamCatalogHeading};
use skillc_ports::TeamStore;
use std::thread;

fn entry(description: &str) -> TeamCatalogEntry {
    let heading =
        |text: &str| TeamCatalogHeading { file: "SKILL.md".to_owned(), level: 1, text: text.to_owned() };
    TeamCatalogEntry {
        skill: "pdf".to_owned(),
        name: "PDF tools".to_owned(),
        description: description.to_owned(),
        digest: "a".repeat(64),
        headings: vec![heading("Merging \"files\" \\ \0"), heading("設定")],
    }
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn an_unchanged_skill_is_not_published_again_and_versions_stay() {
    let database = ready_database();
    let store = database.store();
    let publish =
        |machine: &str, text: &str| block_on(store.publish(&origin(machine), &entry(text))).unwrap();
    assert!(publish("a", "one") && !publish("a", "one") && !publish("b", "one"));
    assert!(publish("b", "two") && publish("a", "one") && !publish("a", "one"));
    assert_eq!(block_on(store.status()).unwrap().skills, 1);
    assert_eq!(database.number("SELECT count(*) FROM skillc.catalogue_version"), 3);
    let newest = database.rows("SELECT description, machine, headings #>> '{0,text}' FROM skillc.catalogue");
    assert_eq!(newest, [["one", "a", "Merging \"files\" \\ \u{fffd}"]]);
    let other = entry("one");
    let org = skillc_domain::team::TeamOrigin { org: "other".to_owned(), machine: "a".to_owned() };
    assert!(block_on(store.publish(&org, &other)).unwrap(), "each organization has its own");
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn only_one_of_many_concurrent_publications_changes_something() {
    let database = ready_database();
    let changed: usize = thread::scope(|scope| {
        let publish = || block_on(database.store().publish(&origin("a"), &entry("one"))).unwrap();
        let all: Vec<_> = (0..8).map(|_| scope.spawn(publish)).collect();
        all.into_iter().map(|one| usize::from(one.join().unwrap())).sum()
    });
    assert_eq!(changed, 1);
}

#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_skill_is_found_by_the_words_of_name_description_and_headings() {
    let database = ready_database();
    let huge = "word ".repeat(500_000);
    block_on(database.store().publish(&origin("a"), &entry(&huge))).unwrap();
    block_on(database.store().publish(&origin("a"), &entry("splits documents"))).unwrap();
    for word in ["pdf", "document", "merge", "設 定"] {
        let sql =
            format!("SELECT count(*) FROM skillc.directory WHERE words @@ skillc.any_of(ARRAY['{word}'])");
        assert_eq!(database.number(&sql), 1, "{word}");
    }
}
