//! Scores of a hybrid search, and which skills fit (RFC-0011:C-SCORE).

use crate::contract::machines::block_on;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::find::{Evidence, LexicalScale, SearchMode, by_evidence};
use skillc_domain::discovery::skill::{CatalogSkill, SkillKind, SkillScope};
use skillc_domain::limits::{EMBEDDING_DIMENSIONS, FIND_CANDIDATES};
use skillc_ops::find::{FindQuery, QueryVector, find};
use skillc_ports::{IndexedSkill, SkillIndex, SkillIndexes, SkillVector};
use skillc_sqlite::SqliteSkillIndexes;
use std::path::PathBuf;
use std::sync::Arc;

fn catalog_skill(id: &str) -> CatalogSkill {
    CatalogSkill {
        id: id.into(),
        name: id.into(),
        description: String::new(),
        path: PathBuf::from(format!("/skills/{id}/SKILL.md")),
        dir: PathBuf::from(format!("/skills/{id}")),
        scope: SkillScope::User,
        kind: SkillKind::Markdown,
        mtime_ms: 0,
        digest: Digest([0; 32]),
        locations: Vec::new(),
        flaws: Vec::new(),
    }
}

fn indexed(id: &str, description: &str) -> IndexedSkill {
    IndexedSkill {
        id: id.into(),
        path: PathBuf::from(format!("/skills/{id}/SKILL.md")),
        name: id.into(),
        description: description.into(),
        headings: String::new(),
        body: String::new(),
        kind: SkillKind::Markdown,
        digest: Digest([0; 32]),
        meaning: Digest([0; 32]),
    }
}

/// A unit vector whose cosine with that of the request is this.
fn vector(cosine: f32) -> Vec<f32> {
    let mut vector = vec![0.0; EMBEDDING_DIMENSIONS];
    (vector[0], vector[1]) = (cosine, (1.0 - cosine * cosine).sqrt());
    vector
}

/// More skills than words contribute say little but the word of the request, and as many others mean it.
fn index(ids: &[String]) -> Arc<dyn SkillIndex> {
    let index = SqliteSkillIndexes.open(None);
    let is_meant = |id: &str| id.starts_with("meant");
    let long = "walrus among many other words that make a description long and each of its words count less";
    let description = |id: &str| if is_meant(id) { long } else { "walrus" };
    let skills: Vec<_> = ids.iter().map(|id| indexed(id, description(id))).collect();
    let vector_of = |id: &String| {
        let vector = vector(if is_meant(id) { 0.8 } else { 0.2 });
        SkillVector { id: id.clone(), meaning: Digest([0; 32]), vector }
    };
    block_on(index.change(&skills, &[])).unwrap();
    block_on(index.put_vectors("m", &ids.iter().map(vector_of).collect::<Vec<_>>())).unwrap();
    index
}

/// RFC-0011:C-SCORE
#[test]
fn a_skill_that_words_or_meaning_contribute_has_both_scores() {
    let numbers = 0..FIND_CANDIDATES + 20;
    let ids: Vec<String> =
        numbers.flat_map(|at| [format!("said-{at:03}"), format!("meant-{at:03}")]).collect();
    let (index, skills) = (index(&ids), ids.iter().map(|id| catalog_skill(id)).collect::<Vec<_>>());
    let query = FindQuery { text: "a walrus", mode: SearchMode::Hybrid };
    let (model, vector) = ("m", &vector(1.0)[..]);
    // The first search asks the file, the third one a matrix in memory.
    for _ in 0..3 {
        let asked = QueryVector { model, vector, all_have_vectors: true };
        let found = block_on(find(index.as_ref(), &skills, &query, Some(asked))).unwrap();
        assert_eq!(found.len(), 2 * FIND_CANDIDATES, "each contributes its first ones");
        for ranked in &found {
            let (lexical, semantic) = (ranked.parts.lexical.unwrap(), ranked.parts.semantic.unwrap());
            let cosine = if ranked.skill.id.starts_with("meant") { 0.8 } else { 0.2 };
            assert!((semantic - cosine).abs() < 1e-3, "{semantic}");
            assert!((ranked.score - (0.4 * lexical + 0.6 * semantic)).abs() < 1e-9, "{ranked:?}");
        }
        assert!(found[0].skill.id.starts_with("meant") && found[0].parts.lexical.unwrap() > 0.0);
    }
}

/// RFC-0011:C-SCORE
#[test]
fn words_without_meaning_do_not_fit() {
    let skills = ["said", "meant"].map(catalog_skill);
    let found = |semantic| {
        let lexical = vec![("said", 0.6)];
        let evidence = Evidence { lexical, semantic, scale: LexicalScale::Share, ..Evidence::default() };
        let ranked = by_evidence("a request", SearchMode::Hybrid, skills.iter(), &evidence);
        ranked.into_iter().map(|ranked| (ranked.skill.id.clone(), ranked.score)).collect::<Vec<_>>()
    };
    assert_eq!(found(vec![("said", 0.1)]), [], "a score of 0.3, most of it by words");
    let both = found(vec![("said", 0.1), ("meant", 0.36)]);
    assert_eq!(both.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["said", "meant"]);
    assert!((both[1].1 - 0.216).abs() < 1e-9, "{both:?}");
}
