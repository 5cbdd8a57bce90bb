//! `SkillIndex`.

use crate::postgres::cluster::{Cluster, cluster, cluster_with_pgvector};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::limits::EMBEDDING_DIMENSIONS;
use skillc_domain::team::TeamOrigin;
use skillc_memory::MemorySkillIndex;
use skillc_ports::{
    ErrorKind, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillIndexes, SkillVector, TeamStore,
};
use skillc_sqlite::SqliteSkillIndexes;
use std::collections::HashSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

contract!([memory, sqlite] {
    an_inserted_skill_is_recorded_once,
    a_skill_is_found_by_each_of_its_texts,
    the_part_of_the_words_that_a_skill_holds_is_reported,
    a_skill_with_more_of_the_words_comes_first,
    no_word_is_syntax,
    only_those_that_count_are_found,
    a_skill_that_was_taken_out_is_not_found,
    a_changed_skill_is_found_by_its_new_words_only,
    the_nearest_vector_comes_first,
    the_similarity_of_some_skills_is_that_of_a_search,
    a_repeated_question_is_answered_again,
    a_skill_without_a_vector_is_reported,
    a_vector_stays_as_long_as_its_text_does,
    a_vector_of_an_edited_skill_is_not_used,
    a_vector_of_another_text_is_dropped,
    vectors_of_another_model_are_none,
    vectors_of_any_form_find_what_is_nearest,
    a_vector_of_another_model_replaces_one_of_another_form,
    a_vector_of_another_size_is_refused,
});

// A team's catalog does not contain the text of skills, so searches do not match it.
contract!([postgres, pgvector] {
    an_inserted_skill_is_recorded_once,
    a_skill_with_more_of_the_words_comes_first,
    no_word_is_syntax,
    only_those_that_count_are_found,
    a_skill_that_was_taken_out_is_not_found,
    a_changed_skill_is_found_by_its_new_words_only,
    the_nearest_vector_comes_first,
    a_repeated_question_is_answered_again,
    a_skill_without_a_vector_is_reported,
    a_vector_stays_as_long_as_its_text_does,
    a_vector_of_another_text_is_dropped,
    vectors_of_another_model_are_none,
    a_vector_of_another_size_is_refused,
});

struct SkillIndexScene {
    index: Arc<dyn SkillIndex>,
    _folder: Option<TempDir>,
}

fn memory() -> SkillIndexScene {
    SkillIndexScene { index: Arc::new(MemorySkillIndex::default()), _folder: None }
}

fn sqlite() -> SkillIndexScene {
    let folder = TempDir::new().unwrap();
    let index = SqliteSkillIndexes.open(Some(&folder.path().join("home/discovery.db")));
    SkillIndexScene { index, _folder: Some(folder) }
}

fn postgres() -> SkillIndexScene {
    of_team(cluster())
}

fn pgvector() -> SkillIndexScene {
    of_team(cluster_with_pgvector())
}

fn of_team(server: &Cluster) -> SkillIndexScene {
    let origin = TeamOrigin { org: "o".to_owned(), machine: "m".to_owned() };
    let index = server.database("ready").store().skill_index(&origin);
    SkillIndexScene { index: index.into(), _folder: None }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

impl SkillIndexScene {
    fn put(&self, entries: &[IndexedSkill]) {
        wait(self.index.change(entries, &[])).unwrap();
    }

    fn lexical(&self, words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let found = ids(wait(self.index.lexical(&words, 10, None)));
        let mut beside = ids(wait(self.index.lexical_beside_meaning(&words, 10, None)));
        beside.sort_by_key(|id| found.iter().position(|own| own == id));
        assert_eq!(found, beside, "what is found does not depend on its weight");
        found
    }

    fn put_vector(&self, id: &str, meaning: u8, axis: usize) -> Result<(), PortError> {
        let vector = SkillVector { id: id.to_owned(), meaning: Digest([meaning; 32]), vector: toward(axis) };
        wait(self.index.put_vectors("m", &[vector]))
    }

    fn semantic(&self, axis: usize) -> Vec<String> {
        ids(wait(self.index.semantic("m", &toward(axis), 10, None)))
    }

    fn without(&self, model: &str) -> Vec<String> {
        let found = wait(self.index.without_vector(model, 10, None)).unwrap();
        found.into_iter().map(|skill| skill.id).collect()
    }
}

fn ids(found: Result<Vec<ScoredSkill>, PortError>) -> Vec<String> {
    found.unwrap().into_iter().map(|near| near.id).collect()
}

/// A unit vector close to one component, with a bit of all others.
fn toward(axis: usize) -> Vec<f32> {
    let mut vector = vec![0.01; EMBEDDING_DIMENSIONS];
    vector[axis] = 1.0;
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

fn entry(id: &str, description: &str) -> IndexedSkill {
    IndexedSkill {
        id: id.to_owned(),
        path: PathBuf::from(format!("/skills/{id}/SKILL.md")),
        name: format!("{id}-skill"),
        description: description.to_owned(),
        headings: "Usage".to_owned(),
        body: "It whistles.".to_owned(),
        kind: SkillKind::Markdown,
        digest: Digest([u8::try_from(description.len()).unwrap(); 32]),
        meaning: Digest([1; 32]),
    }
}

fn an_inserted_skill_is_recorded_once(at: &SkillIndexScene) {
    assert!(wait(at.index.records()).unwrap().is_empty());
    at.put(&[entry("b", ""), entry("a", "")]);
    at.put(&[IndexedSkill { digest: Digest([2; 32]), ..entry("a", "") }]);
    let records = wait(at.index.records()).unwrap();
    let told: Vec<(&str, u8)> =
        records.iter().map(|record| (record.id.as_str(), record.digest.unwrap().0[0])).collect();
    assert_eq!(told, [("a", 2), ("b", 0)]);
    assert_eq!(records[0].path, PathBuf::from("/skills/a/SKILL.md"));
}

fn a_skill_is_found_by_each_of_its_texts(at: &SkillIndexScene) {
    at.put(&[entry("alpha", "Sends 設定 messages")]);
    for word in ["alpha", "sends", "USAGE", "whistles", "設定"] {
        assert_eq!(at.lexical(&[word]), ["alpha"], "{word}");
    }
    assert!(at.lexical(&["zebra"]).is_empty() && at.lexical(&[]).is_empty());
}

fn the_part_of_the_words_that_a_skill_holds_is_reported(at: &SkillIndexScene) {
    at.put(&[entry("alpha", "Sends messages")]);
    let coverage = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        wait(at.index.lexical(&words, 10, None)).unwrap()[0].coverage.unwrap()
    };
    assert!((coverage(&["sends", "messages"]) - 1.0).abs() < 1e-9, "both are in the description");
    assert!((coverage(&["whistles"]) - 0.5).abs() < 1e-9, "in the text alone");
    assert!((0.4..=0.5).contains(&coverage(&["sends", "zebra"])), "a word that no skill holds counts too");
}

fn a_skill_with_more_of_the_words_comes_first(at: &SkillIndexScene) {
    at.put(&[entry("a", "red"), entry("b", "red green blue"), entry("c", "yellow"), entry("d", "pink")]);
    assert_eq!(at.lexical(&["red", "green", "blue"]), ["b", "a"]);
}

fn no_word_is_syntax(at: &SkillIndexScene) {
    at.put(&[entry("a", "coffee and tea")]);
    for word in ["\"", "*", "(", "-", "NEAR(", "name:x", "^", "\0", "🚀", "\"\"\"", "a\"b"] {
        at.lexical(&[word]);
        assert_eq!(at.lexical(&[word, "coffee"]), ["a"], "{word:?}");
    }
    assert!(at.lexical(&["OR"]).is_empty());
}

fn only_those_that_count_are_found(at: &SkillIndexScene) {
    at.put(&[entry("a", "red"), entry("b", "red"), entry("c", "red")]);
    for (id, axis) in [("a", 1), ("b", 2), ("c", 3)] {
        at.put_vector(id, 1, axis).unwrap();
    }
    let among = HashSet::from(["b", "none"]);
    assert_eq!(ids(wait(at.index.lexical(&["red".into()], 10, Some(&among)))), ["b"]);
    assert_eq!(ids(wait(at.index.semantic("m", &toward(1), 10, Some(&among)))), ["b"]);
    assert_eq!(ids(wait(at.index.semantic("m", &toward(1), 2, None))), ["a", "b"], "ties go by id");
    let without = wait(at.index.without_vector("other", 10, Some(&among))).unwrap();
    assert_eq!(without.len(), 1);
}

fn a_skill_that_was_taken_out_is_not_found(at: &SkillIndexScene) {
    at.put(&[entry("a", "red"), entry("b", "red")]);
    at.put_vector("a", 1, 1).unwrap();
    wait(at.index.change(&[], &["a".to_owned(), "never".to_owned()])).unwrap();
    assert_eq!(at.lexical(&["red"]), ["b"]);
    assert!(at.semantic(1).is_empty());
}

fn a_changed_skill_is_found_by_its_new_words_only(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    at.put(&[entry("a", "green")]);
    assert!(at.lexical(&["red"]).is_empty());
    assert_eq!(at.lexical(&["green"]), ["a"]);
}

fn the_nearest_vector_comes_first(at: &SkillIndexScene) {
    at.put(&[entry("a", ""), entry("b", "")]);
    at.put_vector("a", 1, 1).unwrap();
    at.put_vector("b", 1, 2).unwrap();
    assert_eq!(
        (at.semantic(1), at.semantic(2)),
        (vec!["a".into(), "b".into()], vec!["b".into(), "a".into()])
    );
    let best = wait(at.index.semantic("m", &toward(1), 1, None)).unwrap();
    assert!((best[0].score - 1.0).abs() < 1e-5, "{best:?}");
    assert!(wait(at.index.semantic("m", &toward(1), 0, None)).unwrap().is_empty());
}

fn the_similarity_of_some_skills_is_that_of_a_search(at: &SkillIndexScene) {
    at.put(&[entry("a", ""), entry("b", ""), entry("c", ""), entry("bare", "")]);
    for (id, axis) in [("a", 1), ("b", 2), ("c", 3)] {
        at.put_vector(id, 1, axis).unwrap();
    }
    let some = HashSet::from(["b", "a", "bare", "never"]);
    // Searches in between may have read the vectors into memory.
    for _ in 0..3 {
        let searched = wait(at.index.semantic("m", &toward(2), 10, Some(&some))).unwrap();
        let similar = wait(at.index.similarities("m", &toward(2), &some)).unwrap();
        let similar = skillc_ports::skill_index::best(similar, 10);
        assert_eq!(similar.iter().map(|near| near.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        for (one, other) in similar.iter().zip(&searched) {
            assert!((one.score - other.score).abs() < 1e-5, "{one:?} {other:?}");
        }
    }
    assert!(wait(at.index.similarities("other", &toward(2), &some)).unwrap().is_empty());
    assert!(wait(at.index.similarities("m", &toward(2), &HashSet::new())).unwrap().is_empty());
}

fn a_repeated_question_is_answered_again(at: &SkillIndexScene) {
    let names: Vec<String> = (0..300).map(|i| format!("s{i:03}")).collect();
    at.put(&names.iter().map(|id| entry(id, "")).collect::<Vec<_>>());
    for (axis, id) in names.iter().enumerate() {
        at.put_vector(id, 1, axis).unwrap();
    }
    let among: HashSet<&str> = names.iter().rev().take(5).map(String::as_str).collect();
    let near = |limit, among| wait(at.index.semantic("m", &toward(7), limit, among)).unwrap();
    let (first, few) = (near(50, None), near(3, Some(&among)));
    assert_eq!((first[0].id.as_str(), first.len(), few.len()), ("s007", 50, 3));
    for _ in 0..3 {
        let again = near(50, None);
        assert_eq!(again[0].id, "s007");
        let differ = |(a, b): (&ScoredSkill, &ScoredSkill)| (a.score - b.score).abs() > 1e-5;
        assert!(!first.iter().zip(&again).any(differ), "{first:?} {again:?}");
        assert!(near(3, Some(&among)).iter().all(|near| among.contains(near.id.as_str())));
    }
    wait(at.index.change(&[], &["s007".to_owned()])).unwrap();
    at.put_vector("s200", 1, 7).unwrap();
    for _ in 0..3 {
        assert_eq!(near(1, None)[0].id, "s200", "what has changed counts at once");
    }
}

fn a_skill_without_a_vector_is_reported(at: &SkillIndexScene) {
    at.put(&[entry("a", "red"), entry("b", "")]);
    assert_eq!(at.without("m"), ["a", "b"]);
    at.put_vector("a", 1, 1).unwrap();
    assert_eq!(at.without("m"), ["b"]);
    assert_eq!(wait(at.index.without_vector("m", 0, None)).unwrap(), []);
}

fn a_vector_stays_as_long_as_its_text_does(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    at.put_vector("a", 1, 1).unwrap();
    at.put(&[IndexedSkill { body: "Another.".into(), digest: Digest([9; 32]), ..entry("a", "red") }]);
    assert!(at.without("m").is_empty());
    at.put(&[IndexedSkill { meaning: Digest([2; 32]), ..entry("a", "green") }]);
    assert_eq!(at.without("m"), ["a"]);
}

/// RFC-0011:C-REBUILD
fn a_vector_of_an_edited_skill_is_not_used(at: &SkillIndexScene) {
    at.put(&[entry("a", "red"), entry("b", "blue")]);
    at.put_vector("a", 1, 1).unwrap();
    at.put_vector("b", 1, 2).unwrap();
    at.put(&[IndexedSkill { meaning: Digest([2; 32]), ..entry("a", "green") }]);
    (0..3).for_each(|_| assert_eq!(at.semantic(1), ["b"]));
}

fn a_vector_of_another_text_is_dropped(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    at.put_vector("a", 7, 1).unwrap();
    at.put_vector("never", 1, 1).unwrap();
    assert_eq!(at.without("m"), ["a"]);
    assert!(at.semantic(1).is_empty());
}

fn vectors_of_another_model_are_none(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    at.put_vector("a", 1, 1).unwrap();
    assert_eq!(at.without("other"), ["a"]);
    assert!(wait(at.index.semantic("other", &toward(1), 10, None)).unwrap().is_empty());
}

/// Models whose vectors the index stores in different forms.
const FORMS: [&str; 2] = ["all-MiniLM-L6-v2@0", "skills@0"];
/// How far a score may be from the cosine, whatever the form.
const SCORE_ERROR_MAX: f64 = 0.015;

/// RFC-0011:C-INDEX
fn vectors_of_any_form_find_what_is_nearest(at: &SkillIndexScene) {
    // Forty groups, as skills about the same thing, with differences as small as theirs.
    let vectors: Vec<Vec<f32>> = (0..400).map(|number| scattered(number % 40, number)).collect();
    let names: Vec<String> = (0..400).map(|number| format!("s{number:03}")).collect();
    at.put(&names.iter().map(|id| entry(id, "")).collect::<Vec<_>>());
    for model in FORMS {
        let vector = |(id, vector): (&String, &Vec<f32>)| SkillVector {
            id: id.clone(),
            meaning: Digest([1; 32]),
            vector: vector.clone(),
        };
        let all: Vec<SkillVector> = names.iter().zip(&vectors).map(vector).collect();
        wait(at.index.put_vectors(model, &all)).unwrap();
        assert!(at.without(model).is_empty());
        for query in [0, 7, 39] {
            let asked = scattered(query, 1_000 + query);
            let exact = |id: &str| cosine(&vectors[id[1..].parse::<usize>().unwrap()], &asked);
            let mut best: Vec<f64> = names.iter().map(|id| exact(id)).collect();
            best.sort_by(|a, b| b.total_cmp(a));
            for _ in 0..3 {
                let found = wait(at.index.semantic(model, &asked, 10, None)).unwrap();
                assert_eq!(found.len(), 10);
                for near in &found {
                    assert!((near.score - exact(&near.id)).abs() < SCORE_ERROR_MAX, "{model}: {near:?}");
                    assert!(
                        exact(&near.id) > best[9] - 2.0 * SCORE_ERROR_MAX,
                        "{model}: {near:?} is no near one"
                    );
                }
                let own = wait(at.index.semantic(model, &vectors[query], 1, None)).unwrap();
                assert_eq!(own[0].id, names[query]);
                assert!((own[0].score - 1.0).abs() < 1e-5, "a vector finds itself: {own:?}");
            }
        }
    }
}

/// A unit vector of a group: neighbors of one group have a cosine of about 0.8.
fn scattered(group: usize, number: usize) -> Vec<f32> {
    // Scattered by a multiplication, so that similar numbers yield different components.
    let noise = |seed: usize| {
        let seed = u32::try_from(seed).unwrap().wrapping_mul(2_654_435_761);
        f32::from((seed >> 16) as u16) / 32_768.0 - 1.0
    };
    let component =
        |i: usize| noise(group * 1_009 + i * 7 + 1) + 0.5 * noise(number * 389 + i * 13 + 500_000);
    let raw: Vec<f32> = (0..EMBEDDING_DIMENSIONS).map(component).collect();
    let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
    raw.iter().map(|x| x / length).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>().clamp(0.0, 1.0)
}

/// RFC-0011:C-INDEX, RFC-0013:C-CHOICE
fn a_vector_of_another_model_replaces_one_of_another_form(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    for model in [FORMS, [FORMS[1], FORMS[0]]].concat() {
        let vector = SkillVector { id: "a".into(), meaning: Digest([1; 32]), vector: toward(1) };
        wait(at.index.put_vectors(model, &[vector])).unwrap();
        for other in FORMS {
            let found = wait(at.index.semantic(other, &toward(1), 10, None));
            assert_eq!(ids(found).len(), usize::from(other == model), "{other} after {model}");
            assert_eq!(at.without(other).is_empty(), other == model);
            let similar = wait(at.index.similarities(other, &toward(1), &HashSet::from(["a"])));
            assert_eq!(ids(similar).len(), usize::from(other == model));
        }
    }
}

fn a_vector_of_another_size_is_refused(at: &SkillIndexScene) {
    at.put(&[entry("a", "red")]);
    let short = SkillVector { id: "a".into(), meaning: Digest([1; 32]), vector: vec![1.0; 3] };
    assert_eq!(wait(at.index.put_vectors("m", &[short])).unwrap_err().kind, ErrorKind::Invalid);
    assert_eq!(wait(at.index.semantic("m", &[1.0], 10, None)).unwrap_err().kind, ErrorKind::Invalid);
}

mod versions {
    use super::*;

    #[test]
    fn a_version_tells_each_change_by_whomever() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("discovery.db");
        let [one, other] = [(); 2].map(|()| SqliteSkillIndexes.open(Some(&file)));
        let version = || wait(one.version()).unwrap().unwrap();
        let vector = |axis| SkillVector { id: "a".into(), meaning: Digest([1; 32]), vector: toward(axis) };
        let nearest = || wait(one.semantic("m", &toward(3), 1, None)).unwrap().pop();
        wait(one.change(&[entry("a", "red")], &[])).unwrap();
        wait(one.put_vectors("m", &[vector(1)])).unwrap();
        let mut last = version();
        assert_eq!(version(), last, "a question changes nothing");
        (0..3).for_each(|_| assert!(nearest().unwrap().score < 0.9));
        assert_eq!(version(), last, "nor does a search");
        let mut changes = |what: &str| {
            let now = version();
            assert_ne!(now, last, "{what}");
            last = now;
        };
        wait(one.change(&[entry("b", "green")], &[])).unwrap();
        changes("one's own");
        wait(other.put_vectors("m", &[vector(3)])).unwrap();
        changes("another's");
        assert!(nearest().unwrap().score > 0.9, "and it counts at once");
        std::fs::remove_file(&file).unwrap();
        changes("another file");
        assert_eq!(nearest(), None);
    }
}
