//! `TeamStore::skill_index` and `published`: searches of a team's catalog.

use super::machines::{block_on, in_memory};
use crate::postgres::cluster::{cluster, cluster_with_pgvector};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::team::{TeamCatalogEntry, TeamCatalogHeading, TeamOrigin};
use skillc_memory::MemoryTeamStore;
use skillc_ports::{
    ErrorKind, IndexedSkill, PortError, ScoredSkill, SkillIndex, SkillVector, TeamStore, UnembeddedSkill,
};
use std::collections::HashSet;
use std::path::PathBuf;

contract!([memory, postgres, pgvector] {
    before_init_a_search_says_that_the_store_is_not_ready,
    a_published_skill_is_found_by_name_description_and_headings,
    the_latest_publication_counts,
    a_word_in_the_name_weighs_more_than_one_in_the_description_and_that_more_than_a_heading,
    a_rare_word_weighs_more_than_a_common_one,
    nothing_in_a_word_is_syntax,
    long_texts_are_accepted,
    words_of_chinese_and_japanese_are_found,
    each_organization_finds_its_own,
    only_what_counts_is_found,
    the_nearest_come_first_and_no_more_than_asked_for,
    vectors_of_another_model_are_never_compared,
    a_vector_goes_with_its_text,
    a_vector_of_what_is_not_there_is_dropped,
    a_vector_of_another_length_is_invalid,
    inserted_skills_are_recorded_and_removed_ones_are_gone,
    a_published_skill_is_found_by_id_and_by_the_beginning_of_its_name,
    a_status_counts_vectors,
});

struct SkillIndexScene {
    store: Box<dyn TeamStore>,
    is_ready: bool,
}

fn memory() -> SkillIndexScene {
    SkillIndexScene { store: Box::new(MemoryTeamStore::new(&in_memory())), is_ready: false }
}

fn postgres() -> SkillIndexScene {
    SkillIndexScene { store: Box::new(cluster().database("ready").store()), is_ready: true }
}

fn pgvector() -> SkillIndexScene {
    SkillIndexScene { store: Box::new(cluster_with_pgvector().database("ready").store()), is_ready: true }
}

impl SkillIndexScene {
    fn index(&self, org: &str) -> Box<dyn SkillIndex> {
        if !self.is_ready {
            block_on(self.store.init()).unwrap();
        }
        self.store.skill_index(&origin(org))
    }

    fn publish(&self, org: &str, entry: &TeamCatalogEntry) {
        self.index(org);
        assert!(block_on(self.store.publish(&origin(org), entry)).unwrap());
    }
}

fn origin(org: &str) -> TeamOrigin {
    TeamOrigin { org: org.to_owned(), machine: "anna".to_owned() }
}

fn entry(skill: &str, description: &str, headings: &[&str]) -> TeamCatalogEntry {
    let heading =
        |text: &&str| TeamCatalogHeading { file: "SKILL.md".to_owned(), level: 1, text: (*text).to_owned() };
    TeamCatalogEntry {
        skill: skill.to_owned(),
        name: skill.to_owned(),
        description: description.to_owned(),
        digest: "a".repeat(64),
        headings: headings.iter().map(heading).collect(),
    }
}

fn ids(found: Result<Vec<ScoredSkill>, PortError>) -> Vec<String> {
    found.unwrap().into_iter().map(|near| near.id).collect()
}

fn lexical(index: &dyn SkillIndex, words: &[&str]) -> Vec<String> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    ids(block_on(index.lexical(&words, 10, None)))
}

/// A unit vector in the plane of two components.
fn vector(degrees: f32) -> Vec<f32> {
    let mut vector = vec![0.0; 384];
    (vector[0], vector[1]) = (degrees.to_radians().cos(), degrees.to_radians().sin());
    vector
}

fn without(index: &dyn SkillIndex, model: &str) -> Vec<UnembeddedSkill> {
    block_on(index.without_vector(model, 100, None)).unwrap()
}

/// Stores vectors of a model for skills, each at an angle.
fn put(index: &dyn SkillIndex, model: &str, angles: &[(&str, f32)]) {
    let lacking = without(index, model);
    let vectors: Vec<SkillVector> = angles
        .iter()
        .map(|(id, degrees)| {
            let meaning = lacking.iter().find(|skill| skill.id == *id).unwrap().meaning;
            SkillVector { id: (*id).to_owned(), meaning, vector: vector(*degrees) }
        })
        .collect();
    block_on(index.put_vectors(model, &vectors)).unwrap();
}

fn semantic(index: &dyn SkillIndex, model: &str) -> Vec<String> {
    ids(block_on(index.semantic(model, &vector(0.0), 10, None)))
}

fn before_init_a_search_says_that_the_store_is_not_ready(at: &SkillIndexScene) {
    if at.is_ready {
        return;
    }
    let index = at.store.skill_index(&origin("o"));
    let kinds = [
        block_on(index.lexical(&["a".to_owned()], 1, None)).unwrap_err().kind,
        block_on(index.semantic("m", &vector(0.0), 1, None)).unwrap_err().kind,
        block_on(index.records()).unwrap_err().kind,
        block_on(at.store.published(&origin("o"), &[], "a")).unwrap_err().kind,
    ];
    assert_eq!(kinds, [ErrorKind::NotReady; 4]);
}

/// RFC-0003:C-TEAM-FIND
fn a_published_skill_is_found_by_name_description_and_headings(at: &SkillIndexScene) {
    at.publish("o", &entry("pdf-tools", "Splits documents, CI/CD and node.js", &["Merging", "Rotate pages"]));
    at.publish("o", &entry("chat", "Sends messages", &["Usage"]));
    let index = at.index("o");
    for word in ["pdf", "tools", "documents", "cd", "js", "node", "merging", "pages"] {
        assert_eq!(lexical(&*index, &[word]), ["pdf-tools"], "{word}");
    }
    assert_eq!(lexical(&*index, &["usage", "nothing"]), ["chat"]);
    assert_eq!(lexical(&*index, &["nothing"]), [""; 0]);
    assert_eq!(lexical(&*index, &[]), [""; 0]);
}

/// RFC-0003:C-TEAM-FIND
fn the_latest_publication_counts(at: &SkillIndexScene) {
    at.publish("o", &entry("x", "first", &[]));
    at.publish("o", &entry("x", "second", &[]));
    let index = at.index("o");
    assert_eq!(lexical(&*index, &["first"]), [""; 0]);
    assert_eq!(lexical(&*index, &["second"]), ["x"]);
    assert_eq!(block_on(index.records()).unwrap().len(), 1);
}

fn a_word_in_the_name_weighs_more_than_one_in_the_description_and_that_more_than_a_heading(
    at: &SkillIndexScene,
) {
    at.publish("o", &entry("a", "some words here", &["Release"]));
    at.publish("o", &entry("b", "release words here", &["Some"]));
    at.publish("o", &entry("c-release", "some words here", &["Some"]));
    let index = at.index("o");
    assert_eq!(lexical(&*index, &["release"]), ["c-release", "b", "a"]);
}

fn a_rare_word_weighs_more_than_a_common_one(at: &SkillIndexScene) {
    for number in 0..8 {
        at.publish("o", &entry(&format!("common-{number}"), "something", &[]));
    }
    at.publish("o", &entry("z", "kubernetes", &[]));
    let index = at.index("o");
    assert_eq!(lexical(&*index, &["something", "kubernetes"])[0], "z");
}

/// RFC-0003:C-TEAM-FIND
fn nothing_in_a_word_is_syntax(at: &SkillIndexScene) {
    at.publish("o", &entry("x", "o'brien writes \" quotes' and 50% more \\ than (that)", &["\0 nul \0"]));
    let index = at.index("o");
    for word in ["'", "&", "|", "!", ":*", "<->", "'; --", "\0", "(", "\\", "\"", "%", "\u{1f600}", "", "''"]
    {
        assert_eq!(lexical(&*index, &[word]), [""; 0], "{word:?}");
        assert_eq!(lexical(&*index, &[word, "quotes"]), ["x"], "{word:?}");
    }
    for word in ["o'brien", "nul\0", "that)", "!writes"] {
        assert_eq!(lexical(&*index, &[word]), ["x"], "{word:?}");
    }
    assert_eq!(lexical(&*index, &["missing & quotes", "a | quotes"]), [""; 0], "a word is a phrase");
}

/// RFC-0003:C-TEAM-FIND
fn long_texts_are_accepted(at: &SkillIndexScene) {
    at.publish(
        "o",
        &entry("x", &format!("start {}", "word ".repeat(30_000)), &["設定".repeat(20_000).as_str()]),
    );
    let index = at.index("o");
    assert_eq!(lexical(&*index, &["start"]), ["x"]);
    assert_eq!(lexical(&*index, &["a".repeat(1_000_000).as_str()]), [""; 0]);
    let many: Vec<String> = (0..300).map(|n| format!("w{n}")).chain(["start".to_owned()]).collect();
    assert_eq!(ids(block_on(index.lexical(&many, 10, None))), ["x"]);
    assert_eq!(lexical(&*index, &["設定"]), ["x"]);
}

/// RFC-0003:C-TEAM-FIND
fn words_of_chinese_and_japanese_are_found(at: &SkillIndexScene) {
    at.publish("o", &entry("deploy", "部署应用到生产环境", &["設定ファイル"]));
    at.publish("o", &entry("other", "环境部", &["ファ"]));
    let index = at.index("o");
    assert_eq!(lexical(&*index, &["部署"]), ["deploy"]);
    assert_eq!(lexical(&*index, &["生产", "nothing"]), ["deploy"]);
    assert_eq!(lexical(&*index, &["ファイ"]), ["deploy"]);
    assert_eq!(lexical(&*index, &["署部"]), [""; 0], "characters stand side by side, in their order");
}

/// RFC-0003:C-TEAM-FIND
fn each_organization_finds_its_own(at: &SkillIndexScene) {
    at.publish("o", &entry("x", "shared word", &[]));
    at.publish("p", &entry("y", "shared word", &[]));
    let (o, p) = (at.index("o"), at.index("p"));
    put(&*o, "m", &[("x", 0.0)]);
    put(&*p, "m", &[("y", 0.0)]);
    assert_eq!((lexical(&*o, &["shared"]), lexical(&*p, &["shared"])), (vec!["x".into()], vec!["y".into()]));
    assert_eq!((semantic(&*o, "m"), semantic(&*p, "m")), (vec!["x".into()], vec!["y".into()]));
    let published = block_on(at.store.published(&origin("p"), &["x".to_owned()], "x")).unwrap();
    assert_eq!(published, []);
    assert_eq!(lexical(&*at.index("q"), &["shared"]), [""; 0]);
}

fn only_what_counts_is_found(at: &SkillIndexScene) {
    for skill in ["a", "b", "c"] {
        at.publish("o", &entry(skill, "word", &[]));
    }
    let index = at.index("o");
    put(&*index, "m", &[("a", 1.0), ("b", 2.0)]);
    let among: HashSet<&str> = ["b", "c", "unknown"].into();
    let words = ["word".to_owned()];
    assert_eq!(ids(block_on(index.lexical(&words, 10, Some(&among)))), ["b", "c"]);
    assert_eq!(ids(block_on(index.semantic("m", &vector(0.0), 10, Some(&among)))), ["b"]);
    let lacking = block_on(index.without_vector("m", 10, Some(&among))).unwrap();
    assert_eq!(lacking.iter().map(|skill| skill.id.as_str()).collect::<Vec<_>>(), ["c"]);
}

fn the_nearest_come_first_and_no_more_than_asked_for(at: &SkillIndexScene) {
    for skill in ["a", "b", "c", "d"] {
        at.publish("o", &entry(skill, "word", &[]));
    }
    let index = at.index("o");
    put(&*index, "m", &[("a", 120.0), ("b", 10.0), ("c", 60.0), ("d", 10.0)]);
    let found = block_on(index.semantic("m", &vector(0.0), 10, None)).unwrap();
    assert_eq!(ids(Ok(found.clone())), ["b", "d", "c", "a"]);
    assert!((found[2].score - 0.5).abs() < 1e-5 && found[3].score == 0.0, "{found:?}");
    assert_eq!(ids(block_on(index.semantic("m", &vector(0.0), 2, None))), ["b", "d"]);
    assert_eq!(ids(block_on(index.lexical(&["word".to_owned()], 2, None))), ["a", "b"]);
    assert_eq!(ids(block_on(index.lexical(&["word".to_owned()], 0, None))), [""; 0]);
    assert_eq!(ids(block_on(index.lexical(&["word".to_owned()], usize::MAX, None))).len(), 4);
    assert_eq!(ids(block_on(index.semantic("m", &vector(0.0), usize::MAX, None))).len(), 4);
}

/// RFC-0003:C-TEAM-FIND
fn vectors_of_another_model_are_never_compared(at: &SkillIndexScene) {
    at.publish("o", &entry("a", "word", &[]));
    at.publish("o", &entry("b", "word", &[]));
    let index = at.index("o");
    put(&*index, "one", &[("a", 0.0)]);
    put(&*index, "two", &[("b", 0.0)]);
    assert_eq!(semantic(&*index, "one"), ["a"]);
    assert_eq!(semantic(&*index, "two"), ["b"]);
    assert_eq!(semantic(&*index, "three"), [""; 0]);
    assert_eq!(without(&*index, "three").len(), 2);
}

/// RFC-0003:C-TEAM-FIND
fn a_vector_goes_with_its_text(at: &SkillIndexScene) {
    at.publish("o", &entry("a", "one", &[]));
    let index = at.index("o");
    let old = without(&*index, "m").remove(0);
    assert_eq!((old.name.as_str(), old.description.as_str()), ("a", "one"));
    put(&*index, "m", &[("a", 0.0)]);
    at.publish("o", &entry("a", "one", &["only a heading is new"]));
    assert_eq!((without(&*index, "m"), semantic(&*index, "m")), (vec![], vec!["a".to_owned()]));
    at.publish("o", &entry("a", "two", &[]));
    assert_eq!((without(&*index, "m").len(), semantic(&*index, "m")), (1, vec![]));
    let late = SkillVector { id: "a".to_owned(), meaning: old.meaning, vector: vector(0.0) };
    block_on(index.put_vectors("m", &[late])).unwrap();
    assert_eq!(semantic(&*index, "m"), [""; 0], "it is that of the old text");
}

fn a_vector_of_what_is_not_there_is_dropped(at: &SkillIndexScene) {
    let index = at.index("o");
    let one = SkillVector { id: "ghost".to_owned(), meaning: Digest([1; 32]), vector: vector(0.0) };
    block_on(index.put_vectors("m", &[one])).unwrap();
    assert_eq!(semantic(&*index, "m"), [""; 0]);
}

fn a_vector_of_another_length_is_invalid(at: &SkillIndexScene) {
    let index = at.index("o");
    for vector in [vec![], vec![1.0; 3], vec![f32::NAN; 384], vec![f32::INFINITY; 384]] {
        let error = block_on(index.semantic("m", &vector, 1, None)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid);
        let one = SkillVector { id: "a".to_owned(), meaning: Digest([1; 32]), vector };
        assert_eq!(block_on(index.put_vectors("m", &[one])).unwrap_err().kind, ErrorKind::Invalid);
    }
}

fn inserted_skills_are_recorded_and_removed_ones_are_gone(at: &SkillIndexScene) {
    let index = at.index("o");
    let put = |id: &str, byte: u8| IndexedSkill {
        id: id.to_owned(),
        path: PathBuf::from(format!("/skills/{id}/SKILL.md")),
        name: id.to_owned(),
        description: "word".to_owned(),
        headings: "First\nSecond".to_owned(),
        body: "secret text".to_owned(),
        kind: SkillKind::Markdown,
        digest: Digest([byte; 32]),
        meaning: Digest([7; 32]),
    };
    block_on(index.change(&[put("b", 1), put("a", 2)], &["unknown".to_owned()])).unwrap();
    block_on(index.change(&[put("b", 3)], &[])).unwrap();
    let records = block_on(index.records()).unwrap();
    let told: Vec<_> =
        records.iter().map(|r| (r.id.as_str(), r.digest.unwrap(), r.path.to_str().unwrap())).collect();
    let expected =
        [("a", Digest([2; 32]), "/skills/a/SKILL.md"), ("b", Digest([3; 32]), "/skills/b/SKILL.md")];
    assert_eq!(told, expected);
    assert_eq!(without(&*index, "m")[0].meaning, Digest([7; 32]));
    assert_eq!(lexical(&*index, &["second"]), ["a", "b"]);
    assert_eq!(lexical(&*index, &["secret"]), [""; 0], "the text is dropped");
    block_on(index.change(&[], &["a".to_owned()])).unwrap();
    assert_eq!(lexical(&*index, &["word"]), ["b"]);
    block_on(index.change(&[], &[])).unwrap();
}

fn a_published_skill_is_found_by_id_and_by_the_beginning_of_its_name(at: &SkillIndexScene) {
    for skill in ["Git-commit", "git", "gitlab", "pdf"] {
        at.publish("o", &entry(skill, "d", &[]));
    }
    let told = |ids: &[&str], name: &str| -> Vec<String> {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let published = block_on(at.store.published(&origin("o"), &ids, name)).unwrap();
        published.into_iter().map(|skill| skill.skill).collect()
    };
    assert_eq!(told(&[], "GIT"), ["Git-commit", "git", "gitlab"]);
    assert_eq!(told(&["pdf", "git", "none"], "gitl"), ["git", "gitlab", "pdf"]);
    assert_eq!(told(&["pdf"], ""), ["pdf"]);
    assert_eq!(told(&[], "%"), [""; 0]);
    assert_eq!(told(&[], "g\0"), [""; 0]);
    let one = block_on(at.store.published(&origin("o"), &["pdf".to_owned()], "")).unwrap().remove(0);
    assert_eq!((one.name.as_str(), one.machine.as_str(), one.digest.len()), ("pdf", "anna", 64));
}

fn a_status_counts_vectors(at: &SkillIndexScene) {
    at.publish("o", &entry("a", "word", &[]));
    put(&*at.index("o"), "m", &[("a", 0.0)]);
    assert_eq!(block_on(at.store.status()).unwrap().vectors, 1);
}
