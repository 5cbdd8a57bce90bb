use super::*;
use crate::discovery::skill::{Location, SkillScope};

#[test]
fn words_that_a_name_or_description_shares_with_the_request_count_once() {
    let skill = CatalogSkill::sample("pdf-merge", "Merges PDF files; a PDF tool.", "/r/pdf-merge");
    let score = |words: &[&str]| overlap(&words.iter().copied().collect(), &skill).map(|found| found.1);
    assert_eq!(score(&["pdf", "merge"]), Some(OVERLAP_MAX));
    assert_eq!(score(&["pdf", "split"]), Some(OVERLAP_MAX / 2.0));
    assert_eq!(score(&["pd", "split"]), None, "parts of words do not count");
    assert_eq!(meaning_text("pdf-merge_all", "Merges."), "pdf merge all: Merges.");
}

fn skill(name: &str, scope: SkillScope) -> CatalogSkill {
    let skill = CatalogSkill::sample(name, &format!("Describes {name}."), &format!("/r/{name}"));
    CatalogSkill { id: name.to_owned(), scope, ..skill }
}

fn of_repository(names: &[&str]) -> Vec<CatalogSkill> {
    names.iter().map(|name| skill(name, SkillScope::Repo)).collect()
}

/// Each result as its name and reason.
fn told(ranked: &[Ranked<'_>]) -> Vec<String> {
    ranked.iter().map(|found| format!("{} {}", found.skill.name, found.reason.word())).collect()
}

/// RFC-0011:C-RULES
#[test]
fn a_path_comes_before_a_name_that_before_its_start_and_that_before_words() {
    let skills = of_repository(&["release", "release-notes", "notes", "Pack-Release"]);
    let ranked = |request: &str| by_rule(request, skills.iter());
    for (request, expected) in [
        ("release", vec!["release exact_name", "release-notes prefix", "Pack-Release token_overlap"]),
        (" $RELEASE ", vec!["release exact_name", "release-notes prefix", "Pack-Release token_overlap"]),
        (
            "pack-release",
            vec!["Pack-Release exact_name", "release token_overlap", "release-notes token_overlap"],
        ),
        ("/r/notes", vec!["notes exact_path", "release-notes token_overlap"]),
        ("/r/notes/SKILL.md", vec!["notes exact_path", "release-notes token_overlap"]),
        ("r/notes", vec!["notes token_overlap", "release-notes token_overlap"]),
        ("weather", vec![]),
        (" ", vec![]),
        ("$", vec![]),
    ] {
        assert_eq!(told(&ranked(request)), expected, "{request}");
    }
    let scores: Vec<f64> = ranked("release").iter().map(|found| found.score).collect();
    assert_eq!(scores, [0.9, 0.8, 0.7]);
    assert!((ranked("/r/notes")[0].score - 1.0).abs() < 1e-12);
}

/// RFC-0011:C-RULES
#[test]
fn a_path_of_any_location_is_that_of_the_skill() {
    let location = |path: &str| Location {
        path: path.into(),
        scope: SkillScope::User,
        root: String::new(),
        is_stub: false,
    };
    let mut linked = skill("a", SkillScope::Repo);
    linked.locations = vec![location("/u/x/SKILL.md"), location("/u/y/SKILL.md")];
    for request in ["/u/x", "/u/y/SKILL.md", "/r/a"] {
        assert_eq!(told(&by_rule(request, [&linked].into_iter())), ["a exact_path"], "{request}");
    }
    assert!(by_rule("/u/z", [&linked].into_iter()).is_empty());
}

/// RFC-0011:C-RULES
#[test]
fn more_words_score_higher_and_ties_are_ordered_by_scope_and_path() {
    let skills = [
        skill("b-one", SkillScope::Repo),
        skill("a-one", SkillScope::User),
        skill("c-one-two", SkillScope::User),
        skill("a-one", SkillScope::Repo),
    ];
    let ranked = by_rule("one two", skills.iter());
    let order: Vec<_> = ranked.iter().map(|found| (&*found.skill.name, found.skill.scope.word())).collect();
    assert_eq!(order, [("c-one-two", "user"), ("a-one", "repo"), ("b-one", "repo"), ("a-one", "user")]);
    assert_eq!(ranked.iter().map(|found| found.score).collect::<Vec<_>>(), [0.7, 0.35, 0.35, 0.35]);
}

fn evidence<'a>(lexical: &[(&'a str, f64)]) -> Evidence<'a> {
    let scale = LexicalScale::Share;
    Evidence { lexical: lexical.to_vec(), coverage: lexical.to_vec(), scale, ..Evidence::default() }
}

fn lexical(request: &str, skills: &[CatalogSkill], evidence: &Evidence<'_>) -> Vec<String> {
    told(&by_evidence(request, SearchMode::Lexical, skills.iter(), evidence))
}

/// RFC-0011:C-RULES
#[test]
fn what_a_request_names_comes_first_and_the_start_of_a_name_only_for_one_word() {
    let skills = of_repository(&["release", "release notes of x", "other"]);
    let found = evidence(&[("other", 0.9), ("release notes of x", 0.5)]);
    let expected = ["release exact_name", "release notes of x prefix", "other lexical"];
    assert_eq!(lexical("release", &skills, &found), expected);
    let several = ["other lexical", "release notes of x lexical"];
    assert_eq!(lexical("release notes", &skills, &found), several);
    let parts = by_evidence("release", SearchMode::Lexical, skills.iter(), &found)[1].parts;
    assert_eq!(parts, ScoreParts { lexical: Some(0.5), coverage: Some(0.5), semantic: None });
}

/// RFC-0011:C-SCORE
#[test]
fn nothing_is_a_result_if_none_reaches_the_floor_and_else_what_reaches_half_of_it() {
    let skills = of_repository(&["a", "b", "c"]);
    let names = |lexical_scores: &[(&str, f64)]| lexical("x y", &skills, &evidence(lexical_scores));
    assert!(names(&[("a", 0.349), ("b", 0.3)]).is_empty());
    assert_eq!(names(&[("a", 0.35), ("b", 0.175), ("c", 0.174)]), ["a lexical", "b lexical"]);
}

/// RFC-0011:C-SCORE
#[test]
fn a_skill_that_is_named_or_has_every_word_is_a_result_at_any_score() {
    let skills = of_repository(&["a", "b", "c"]);
    let with_every_word = ["b"].into_iter().collect();
    let found = Evidence { with_every_word, ..evidence(&[("b", 0.01), ("c", 0.01)]) };
    assert_eq!(lexical("x y", &skills, &found), ["b lexical"]);
    let far = evidence(&[("a", 0.01), ("b", 0.01), ("c", 0.9)]);
    assert_eq!(lexical("a", &skills, &far), ["a exact_name", "c lexical"]);
    let named_alone = evidence(&[("a", 0.9), ("b", 0.3)]);
    assert_eq!(lexical("a", &skills, &named_alone), ["a exact_name"], "its score is not that of another");
    let skills = of_repository(&["ab", "b"]);
    let named_alone = evidence(&[("ab", 0.9), ("b", 0.3)]);
    assert_eq!(lexical("a", &skills, &named_alone), ["ab prefix"]);
}

/// RFC-0011:C-SCORE
#[test]
fn results_of_a_team_are_not_compared_with_a_floor() {
    let skills = of_repository(&["a", "b"]);
    let found = Evidence { scale: LexicalScale::Relative, ..evidence(&[("a", 0.01), ("b", 0.02)]) };
    assert_eq!(lexical("x y", &skills, &found), ["b lexical", "a lexical"]);
}

/// RFC-0011:C-SCORE
#[test]
fn a_skill_without_a_vector_is_compared_by_its_words() {
    let skills = of_repository(&["a", "b"]);
    let scores = evidence(&[("a", 0.2), ("b", 0.2)]);
    let found = Evidence { without_vector: ["a"].into_iter().collect(), ..scores };
    let ranked = by_evidence("x y", SearchMode::Hybrid, skills.iter(), &found);
    assert_eq!(told(&ranked), ["a lexical"], "the meaning of the other is far");
    let semantic = Evidence { semantic: vec![("b", 0.31), ("a", 0.14)], ..evidence(&[]) };
    let ranked = by_evidence("x y", SearchMode::Semantic, skills.iter(), &semantic);
    assert_eq!(told(&ranked), ["b semantic"]);
}

/// RFC-0011:C-FIND
#[test]
fn a_request_is_about_an_invalid_skill_if_it_names_it_or_all_its_words_are_there() {
    let error = LoadError {
        name: "PDF-Merge".into(),
        description: "Joins documents.".into(),
        ..LoadError::new("/r/folder/SKILL.md".into(), "is bad")
    };
    for (request, is_meant) in [
        ("pdf", true),
        ("$pdf-merge", true),
        ("pdf-merge-x", false),
        ("fold", true),
        ("/r/folder", true),
        ("/r/folder/SKILL.md", true),
        ("/r", false),
        ("merge", false),
        ("documents", false),
        ("joins documents", true),
        ("merge the documents", true),
        ("merge pictures", false),
        ("pdf-merge now", false),
        ("", false),
        ("$", false),
    ] {
        assert_eq!(is_about(request, &error), is_meant, "{request}");
    }
}
