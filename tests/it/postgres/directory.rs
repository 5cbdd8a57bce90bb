//! Searches in the team's catalog that depend on PostgreSQL itself.

use super::cluster::{Cluster, Database, cluster, cluster_with_pgvector, ready_database};
use super::origin;
use crate::contract::machines::block_on;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::{TeamCatalogEntry, TeamCatalogHeading, TeamOrigin};
use skillc_ports::{ErrorKind, IndexedSkill, SkillIndex, SkillVector, TeamStore};
use std::collections::HashSet;
use std::path::PathBuf;

fn entry(skill: &str, description: &str) -> TeamCatalogEntry {
    let heading = |text: &str| TeamCatalogHeading { file: "SKILL.md".into(), level: 1, text: text.into() };
    TeamCatalogEntry {
        skill: skill.to_owned(),
        name: skill.to_owned(),
        description: description.to_owned(),
        digest: "a".repeat(64),
        headings: vec![heading("Usage"), heading("設定")],
    }
}

fn of_number(number: usize) -> IndexedSkill {
    IndexedSkill {
        id: format!("s{number:05}"),
        path: PathBuf::new(),
        name: format!("skill {number}"),
        description: "word".to_owned(),
        headings: String::new(),
        body: String::new(),
        kind: SkillKind::Markdown,
        digest: Digest([1; 32]),
        meaning: Digest([1; 32]),
    }
}

fn lexical(directory: &dyn SkillIndex, words: &[&str]) -> Vec<String> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let found = block_on(directory.lexical(&words, 10, None)).unwrap();
    found.into_iter().map(|near| near.id).collect()
}

/// A unit vector close to one of forty centers, different for each number and derived from it with xorshift.
fn vector(number: usize) -> Vec<f32> {
    let draw = |seed: usize, spread: f32| -> Vec<f32> {
        let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 2_000_001) as f32 / 1_000_000.0 - 1.0
        };
        (0..384).map(|_| next() * spread).collect()
    };
    let (center, noise) = (draw(number % 40, 1.0), draw(number + 1_000, 0.7));
    let sum: Vec<f32> = center.iter().zip(noise).map(|(a, b)| a + b).collect();
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    sum.iter().map(|x| x / length).collect()
}

fn fill(directory: &dyn SkillIndex, numbers: std::ops::Range<usize>) {
    let entries: Vec<IndexedSkill> = numbers.clone().map(of_number).collect();
    block_on(directory.change(&entries, &[])).unwrap();
    let vectors: Vec<SkillVector> = numbers
        .map(|n| SkillVector { id: format!("s{n:05}"), meaning: Digest([1; 32]), vector: vector(n) })
        .collect();
    vectors.chunks(100).for_each(|some| block_on(directory.put_vectors("m", some)).unwrap());
}

fn nearest(directory: &dyn SkillIndex, to: usize) -> Vec<String> {
    let found = block_on(directory.semantic("m", &vector(to), 10, None)).unwrap();
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
    found.into_iter().map(|near| near.id).collect()
}

/// The nearest vectors, by comparing each one.
fn truly_nearest(numbers: std::ops::Range<usize>, to: usize) -> HashSet<String> {
    let asked = vector(to);
    let cosine = |n: usize| -> f32 { vector(n).iter().zip(&asked).map(|(a, b)| a * b).sum() };
    let mut all: Vec<(f32, usize)> = numbers.map(|n| (cosine(n), n)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().take(10).map(|(_, n)| format!("s{n:05}")).collect()
}

fn hits(directory: &dyn SkillIndex, numbers: std::ops::Range<usize>, asked: usize) -> usize {
    let of_one = |to: usize| {
        let true_ones = truly_nearest(numbers.clone(), to);
        nearest(directory, to).iter().filter(|id| true_ones.contains(*id)).count()
    };
    (5_000..5_000 + asked).map(of_one).sum()
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn words_are_compared_by_stem_without_accents_case_and_stop_words() {
    let database = ready_database();
    let store = database.store();
    block_on(store.publish(&origin("a"), &entry("deploy", "Déploying e\u{301}clairs to THE clouds")))
        .unwrap();
    let directory = store.skill_index(&origin("a"));
    for word in ["deployed", "DEPLOYS", "deploying", "éclair", "ECLAIRS", "cloud", "to", "設定", "usage"] {
        assert_eq!(lexical(&*directory, &[word]), ["deploy"], "{word}");
    }
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn without_pgvector_arrays_find_the_nearest() {
    let database = cluster().database("ready");
    let store = database.store();
    assert_eq!(block_on(store.status()).unwrap().pgvector, "");
    let directory = store.skill_index(&origin("a"));
    fill(&*directory, 0..300);
    assert_eq!(hits(&*directory, 0..300, 5), 50, "few are compared each");
    fill(&*directory, 300..1_500);
    assert!(hits(&*directory, 0..1_500, 10) >= 90);
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_pgvector), ignore = "SKC_TEST_PGVECTOR names no PostgreSQL server with pgvector")]
fn with_pgvector_it_finds_the_nearest_and_without_it_arrays_go_on() {
    let database = cluster_with_pgvector().database("ready");
    let store = database.store();
    let status = block_on(store.status()).unwrap();
    assert!(status.pgvector.starts_with("0."), "{status:?}");
    let directory = store.skill_index(&origin("a"));
    fill(&*directory, 0..1_500);
    assert!(hits(&*directory, 0..1_500, 10) >= 90);
    let as_reader = database.store_of("reader").skill_index(&origin("a"));
    assert_eq!(nearest(&*as_reader, 3), nearest(&*directory, 3));
    // The next search does without the extension, and the next `init` restores it.
    database.run("DROP EXTENSION vector CASCADE");
    assert!(hits(&*directory, 0..1_500, 10) >= 90);
    assert_eq!(block_on(store.status()).unwrap().pgvector, "");
    assert_eq!(block_on(store.init()).unwrap().pgvector, status.pgvector);
    assert!(hits(&*directory, 0..1_500, 10) >= 90);
}

/// An index over all organizations visits the vectors of others first.
#[test]
#[cfg_attr(not(has_pgvector), ignore = "SKC_TEST_PGVECTOR names no PostgreSQL server with pgvector")]
fn a_small_organization_beside_a_large_one_finds_all_its_skills() {
    let store = cluster_with_pgvector().database("ready").store();
    let small = TeamOrigin { org: "small".to_owned(), machine: "a".to_owned() };
    fill(&*store.skill_index(&origin("a")), 0..1_500);
    let directory = store.skill_index(&small);
    fill(&*directory, 0..12);
    assert_eq!(hits(&*directory, 0..12, 5), 50);
}

/// An extension that is already installed in another schema is used as well.
#[test]
#[cfg_attr(not(has_pgvector), ignore = "SKC_TEST_PGVECTOR names no PostgreSQL server with pgvector")]
fn pgvector_is_taken_wherever_it_stands_and_done_without_where_it_may_not_be_made() {
    let cluster = Cluster::start_with_pgvector("");
    let database = cluster.database("template1");
    database.run("CREATE SCHEMA \"of \"\"others\"; CREATE EXTENSION vector SCHEMA \"of \"\"others\"");
    let store = database.store();
    assert!(!block_on(store.init()).unwrap().pgvector.is_empty());
    let directory = store.skill_index(&origin("a"));
    fill(&*directory, 0..30);
    assert_eq!(hits(&*directory, 0..30, 3), 30);
    let plain = cluster.database("template0");
    plain.run("CREATE ROLE plain LOGIN; CREATE SCHEMA skillc AUTHORIZATION plain");
    let store = plain.store_of("plain");
    assert_eq!(block_on(store.init()).unwrap().pgvector, "");
    let directory = store.skill_index(&origin("a"));
    fill(&*directory, 0..30);
    assert_eq!(hits(&*directory, 0..30, 3), 30);
}

/// RFC-0003:C-TEAM-FIND
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn skills_published_before_there_was_a_search_are_found_after_init() {
    let database = ready_database();
    let store = database.store();
    for number in 0..3 {
        block_on(store.publish(&origin("a"), &entry(&format!("s{number}"), "something else"))).unwrap();
    }
    database.run("DELETE FROM skillc.directory");
    let directory = store.skill_index(&origin("a"));
    assert_eq!(lexical(&*directory, &["something"]), [""; 0]);
    block_on(store.init()).unwrap();
    assert_eq!(lexical(&*directory, &["something"]), ["s0", "s1", "s2"]);
    assert_eq!(lexical(&*directory, &["設定"]).len(), 3);
    database.run("DELETE FROM skillc.directory");
    assert!(!block_on(store.publish(&origin("a"), &entry("s1", "something else"))).unwrap());
    assert_eq!(lexical(&*directory, &["something"]), ["s1"], "so does publishing it again");
}

/// RFC-0003:C-TEAM
#[test]
#[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
fn a_reader_searches_and_a_writer_adds_and_neither_changes_the_directory() {
    let database = ready_database();
    let (writer, reader) = (database.store_of("writer"), database.store_of("reader"));
    let written = writer.skill_index(&origin("a"));
    fill(&*written, 0..3);
    let read = reader.skill_index(&origin("a"));
    assert_eq!(lexical(&*read, &["word"]).len(), 3);
    assert_eq!(nearest(&*read, 1).len(), 3);
    assert_eq!(block_on(reader.published(&origin("a"), &[], "skill")).unwrap().len(), 3);
    assert_eq!(block_on(read.change(&[of_number(1)], &[])).unwrap_err().kind, ErrorKind::Denied);
    let one = SkillVector { id: "s00001".into(), meaning: Digest([1; 32]), vector: vector(1) };
    assert_eq!(block_on(read.put_vectors("m", &[one])).unwrap_err().kind, ErrorKind::Denied);
    let as_writer = Database { url: database.url_of("writer") };
    for table in ["directory", "directory_vector"] {
        for sql in [
            format!("INSERT INTO skillc.{table} SELECT * FROM skillc.{table}"),
            format!("UPDATE skillc.{table} SET org_id = org_id"),
            format!("DELETE FROM skillc.{table}"),
            format!("UPDATE skillc.{table}_change SET org_id = org_id"),
            format!("TRUNCATE skillc.{table}"),
        ] {
            let error = as_writer.try_run(&sql).expect_err(&sql);
            assert_eq!(error.as_database_error().and_then(|e| e.code()).as_deref(), Some("42501"), "{sql}");
        }
    }
}
