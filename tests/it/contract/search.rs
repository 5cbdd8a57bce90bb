//! `IndexReader::search`.

use super::index_scene::{Content, IndexScene, memory, pairs, places, pooled, sqlite};
use super::machines::block_on;
use skillc_domain::config::Tokenizer;
use skillc_domain::limits::QUERY_BYTES_MAX;
use skillc_domain::query::{CJK_SEPARATOR, Query};
use skillc_ports::{ErrorKind, IndexChange, Patience};
use std::sync::Arc;
use std::time::Duration;

contract!([memory, sqlite, pooled] {
    all_words_of_a_query_are_required_in_any_order,
    words_of_a_query_may_be_spread_over_file_heading_and_text,
    letters_are_found_in_any_case,
    fts_syntax_and_punctuation_in_a_query_are_plain_text,
    a_query_of_the_largest_size_is_answered,
    only_ascii_whitespace_separates_words,
    text_after_a_nul_is_found,
    any_two_adjacent_cjk_characters_are_found,
    two_cjk_characters_of_a_file_name_are_found,
    cjk_characters_apart_do_not_match,
    separators_never_show_in_a_snippet,
    a_snippet_marks_its_matches,
    a_snippet_of_a_long_text_is_cut,
    a_snippet_of_many_matches_is_of_the_first_ones,
    words_that_are_no_text_leave_a_snippet_without_marks,
    a_repeated_word_counts_once,
    an_abandoned_search_ends,
    search_returns_at_most_the_limit,
    search_ranks_by_bm25_in_a_fixed_order,
    ties_come_by_file_and_position_however_they_were_written,
    a_heading_that_is_the_query_comes_first_then_headings_that_hold_it_then_the_phrase,
});

mod stemming {
    use super::*;

    contract!([sqlite, pooled] { stemming_follows_the_tokenizer });

    #[test]
    #[ignore = "the index in memory takes words as they are, whatever the tokenizer"]
    fn memory() {}
}

/// RFC-0004:C-QUERY-SYNTAX
fn all_words_of_a_query_are_required_in_any_order(at: &IndexScene) {
    at.replace(&[("a.md", "one and then two"), ("b.md", "one"), ("c.md", "two ones")]);
    assert_eq!(at.files_of("two one"), ["a.md"]);
    assert_eq!(at.files_of("one two"), ["a.md"]);
    assert_eq!(at.files_of("one"), ["b.md", "a.md"]);
    assert!(at.hits("one three").is_empty());
}

fn words_of_a_query_may_be_spread_over_file_heading_and_text(at: &IndexScene) {
    at.replace(&[("guide/install.md", "# Windows\nrun the program\n"), ("other.md", "# Windows\n")]);
    assert_eq!(at.hits("install windows program"), pairs(&[("guide/install.md", "Windows")]));
    assert_eq!(at.hits("guide"), pairs(&[("guide/install.md", "Windows")]));
}

fn letters_are_found_in_any_case(at: &IndexScene) {
    at.replace(&[("a.md", "Configure ПРИВЕТ")]);
    for query in ["configure", "CONFIGURE", "привет", "Привет"] {
        assert_eq!(at.hits(query).len(), 1, "{query}");
    }
}

/// RFC-0004:C-QUERY-SYNTAX
fn fts_syntax_and_punctuation_in_a_query_are_plain_text(at: &IndexScene) {
    at.replace(&[("a.md", "near the content or not, c and section"), ("b.md", "content")]);
    for query in [
        "content NOT near",
        "content AND near",
        "content OR near",
        "NEAR(content)",
        "\"content\" near",
        "content: near",
        "{content} : near",
        "content near*",
        "^content + near",
        "-near content",
        "near' content;--",
        "content near !!! \"\" ()",
    ] {
        let files = at.files_of(query);
        assert!(files.iter().all(|file| file == "a.md"), "{query}: {files:?}");
    }
    for query in ["content near*", "^content near", "-near content", "{content} \"near\" !!! \"\""] {
        assert_eq!(at.files_of(query), ["a.md"], "{query}");
    }
    assert!(at.hits("content AND missing").is_empty());
    for query in ["\"", "*", "( )", "!!!", "\"\" '", "-", "…", "😀"] {
        assert!(at.hits(query).is_empty(), "{query}");
    }
}

fn a_query_of_the_largest_size_is_answered(at: &IndexScene) {
    at.replace(&[("a.md", "x"), ("b.md", "y")]);
    assert_eq!(at.files_of("x ".repeat(QUERY_BYTES_MAX / 2).as_str()), ["a.md"]);
    assert!(at.hits(&"x".repeat(QUERY_BYTES_MAX)).is_empty());
    assert!(at.hits(&"\"".repeat(QUERY_BYTES_MAX)).is_empty());
}

/// RFC-0004:C-QUERY-SYNTAX
fn only_ascii_whitespace_separates_words(at: &IndexScene) {
    at.replace(&[("a.md", "one two"), ("b.md", "two one")]);
    for separator in [" ", "\t", "\n", "\r", "\0"] {
        assert_eq!(at.hits(&format!("one{separator}two")).len(), 2, "{separator:?}");
    }
    for no_separator in ["\u{a0}", "\u{3000}", "\u{2028}"] {
        assert_eq!(at.files_of(&format!("one{no_separator}two")), ["a.md"], "{no_separator:?}");
    }
}

fn text_after_a_nul_is_found(at: &IndexScene) {
    at.replace(&[("a.md", "# He\0ad\nbefore\0after\n")]);
    assert_eq!(at.hits("after"), pairs(&[("a.md", "He\0ad")]));
}

/// RFC-0004:C-CJK
fn any_two_adjacent_cjk_characters_are_found(at: &IndexScene) {
    let sentence = "請使用設定檔來啟動API服務。";
    at.replace(&[("a.md", sentence), ("b.md", "# ランタイム\n한국어 문서\n")]);
    let characters: Vec<char> = sentence.chars().take_while(|c| *c != 'A').collect();
    for two in characters.windows(2) {
        let query: String = two.iter().collect();
        assert_eq!(at.files_of(&query), ["a.md"], "{query}");
    }
    for query in ["タイ", "국어", "文書", "API", "api服務", "動API"] {
        let expected = ["文書"].contains(&query);
        assert_eq!(at.hits(query).is_empty(), expected, "{query}");
    }
}

/// RFC-0004:C-CJK
fn two_cjk_characters_of_a_file_name_are_found(at: &IndexScene) {
    at.replace(&[("手冊/使用設定檔.md", "text"), ("other.md", "text")]);
    assert_eq!(at.files_of("設定"), ["手冊/使用設定檔.md"]);
}

/// RFC-0004:C-CJK
fn cjk_characters_apart_do_not_match(at: &IndexScene) {
    at.replace(&[("a.md", "設備的定義 設a定"), ("b.md", "# 設\n備定\n")]);
    assert!(at.hits("設定").is_empty());
    assert_eq!(at.files_of("定義"), ["a.md"]);
    assert_eq!(at.hits("設 定").len(), 2, "as two words they may stand apart");
}

/// RFC-0004:C-CJK
fn separators_never_show_in_a_snippet(at: &IndexScene) {
    at.replace(&[("a.md", "# 設定檔\n使用設定檔來啟動API服務\n")]);
    let hit = at.search("設定", 1).remove(0);
    assert_eq!(hit.section, "設定檔");
    assert!(!hit.snippet.contains(CJK_SEPARATOR), "{:?}", hit.snippet);
    assert!(hit.snippet.contains("[MATCH]設定[/MATCH]檔來啟動API服務"), "{}", hit.snippet);
}

/// RFC-0004:C-SEARCH
fn a_snippet_marks_its_matches(at: &IndexScene) {
    at.replace(&[("a.md", "first Word, second word and third"), ("word.md", "nothing else")]);
    let snippet = |query| at.search(query, 1).remove(0).snippet;
    assert_eq!(snippet("second"), "first Word, [MATCH]second[/MATCH] word and third");
    let two = snippet("second word");
    assert!(two.starts_with("first [MATCH]Word[/MATCH], [MATCH]second"), "{two}");
    assert_eq!(snippet("word nothing"), "[MATCH]nothing[/MATCH] else");
    assert_eq!(snippet("md else nothing word"), "[MATCH]nothing[/MATCH] [MATCH]else[/MATCH]");
}

fn a_snippet_of_a_long_text_is_cut(at: &IndexScene) {
    let filler = "filler ".repeat(100);
    at.replace(&[("a.md", &format!("{filler}needle {filler}"))]);
    let snippet = at.search("needle", 1).remove(0).snippet;
    assert!(snippet.contains("[MATCH]needle[/MATCH]"), "{snippet}");
    assert!(snippet.starts_with("...") && snippet.ends_with("..."), "{snippet}");
    assert!(snippet.split_whitespace().count() <= 34, "{snippet}");
}

/// D7, RFC-0004:C-SEARCH
fn a_snippet_of_many_matches_is_of_the_first_ones(at: &IndexScene) {
    let filler = "filler ".repeat(500);
    let many = format!("{filler}start needle-pin, {}", "needle pin 設定檔 ".repeat(1_000));
    at.replace(&[("a.md", &many)]);
    for (query, marked) in [
        ("needle", "start [MATCH]needle[/MATCH]-pin"),
        ("pin NEEDLE", "start [MATCH]needle[/MATCH]-[MATCH]pin[/MATCH], "),
        ("needle-pin", "start [MATCH]needle-pin[/MATCH], [MATCH]needle pin[/MATCH] "),
        ("定檔", "設[MATCH]定檔[/MATCH]"),
        ("md needle", "start [MATCH]needle[/MATCH]-pin"),
    ] {
        let snippet = at.search(query, 1).remove(0).snippet;
        assert!(snippet.contains(marked), "{query}: {snippet}");
        assert!(snippet.starts_with("...") && snippet.ends_with("..."), "{query}: {snippet}");
        assert!(snippet.split_whitespace().count() <= 34, "{query}: {snippet}");
        assert!(!snippet.contains(CJK_SEPARATOR), "{query}: {snippet:?}");
    }
}

/// D7, RFC-0004:C-SEARCH
fn words_that_are_no_text_leave_a_snippet_without_marks(at: &IndexScene) {
    let other = "nebula ".repeat(1_000);
    at.replace(&[("needle.md", &other), ("short/needle.md", "nebula one")]);
    let hits = at.search("needle", 2);
    let snippets: Vec<_> = hits.iter().map(|hit| hit.snippet.as_str()).collect();
    assert!(snippets.contains(&"nebula one"), "{snippets:?}");
    let cut = format!("{}...", ["nebula"; 32].join(" "));
    assert!(snippets.contains(&cut.as_str()), "{snippets:?}");
}

/// RFC-0004:C-QUERY-SYNTAX
fn a_repeated_word_counts_once(at: &IndexScene) {
    at.replace(&[("a.md", "one two"), ("b.md", "two one one")]);
    assert_eq!(at.search("one two", 2), at.search("one ONE two One two", 2));
}

/// D7, RFC-0004:C-SEARCH
fn an_abandoned_search_ends(at: &IndexScene) {
    at.replace(&[("a.md", "word")]);
    let reader = at.reader();
    let hour = Duration::from_secs(3_600);
    for patience in
        [Patience::new(hour, Arc::new(true.into())), Patience::new(Duration::ZERO, Arc::default())]
    {
        let ended = block_on(reader.search(&Query::parse("word").unwrap(), 10, &patience));
        assert_eq!(ended.unwrap_err().kind, ErrorKind::OutOfTime);
    }
    drop(reader);
    assert_eq!(at.files_of("word"), ["a.md"], "the index is as good as before");
}

/// RFC-0004:C-SEARCH
fn search_returns_at_most_the_limit(at: &IndexScene) {
    at.replace(&[("a.md", "word word"), ("b.md", "word"), ("c.md", "word"), ("d.md", "no")]);
    for (limit, count) in [(1, 1), (2, 2), (3, 3), (1000, 3)] {
        assert_eq!(at.search("word", limit).len(), count);
    }
    let all = at.hits("word");
    assert_eq!(places(at.search("word", 2)), all[..2], "the best ones");
}

/// RFC-0004:C-SEARCH
fn search_ranks_by_bm25_in_a_fixed_order(at: &IndexScene) {
    at.replace(&[
        ("a.md", "common rare and some more words that make it long"),
        ("b.md", "common rare rare"),
        ("c.md", "common"),
        ("d.md", "common"),
        ("e.md", "other text of a few words"),
        ("f.md", "other text of a few words"),
        ("g.md", "other text of a few words"),
    ]);
    let hits = at.search("rare", 10);
    assert_eq!(hits.iter().map(|hit| hit.file.as_str()).collect::<Vec<_>>(), ["b.md", "a.md"]);
    assert!(hits[0].score > hits[1].score && hits[1].score > 0.0, "{hits:?}");
    assert_eq!(at.search("rare", 10), hits, "the same on every run");
    let files = at.files_of("common");
    assert_eq!(files[..2], ["c.md", "d.md"], "shorter rows are better, and ties come by file");
}

/// RFC-0004:C-SEARCH
fn a_heading_that_is_the_query_comes_first_then_headings_that_hold_it_then_the_phrase(at: &IndexScene) {
    let often = "Best practices, and practices that are best. ".repeat(20);
    at.replace(&[
        ("a.md", &format!("# Practices\n{often}best of all practices\n")),
        ("b.md", "# Notes\nthe practices that we call best\n"),
        ("c.md", "# Notes\nwe collect best practices here, in a text that is longer than others\n"),
        ("d.md", "# Practices that are the best of them all, with many more words\nother text\n"),
        ("e.md", &format!("# Best  Practices\n{}\n", "unrelated text of this section ".repeat(50))),
        ("f.md", "# 設定檔の作成\n手順\n"),
        ("g.md", "# 手順\n設定檔の作成、設定檔の作成、設定檔の作成\n"),
    ]);
    let files = at.files_of("best practices");
    assert_eq!(files[..2], ["e.md", "d.md"], "{files:?}");
    assert_eq!(files.last().unwrap(), "b.md", "{files:?}");
    assert_eq!(files.len(), 5, "{files:?}");
    assert_eq!(at.files_of("設定檔の作成"), ["f.md", "g.md"]);
    let scores: Vec<f64> = at.search("best practices", 10).iter().map(|hit| hit.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(at.search("best practices", 2).len(), 2);
}

fn ties_come_by_file_and_position_however_they_were_written(at: &IndexScene) {
    let twice = "# One\nword\n# Two\nword\n";
    at.replace(&[("b.md", twice), ("c.md", twice)]);
    at.edit(&[("a.md", twice)], &[]);
    at.edit(&[("b.md", "gone")], &[]);
    at.edit(&[("b.md", twice)], &[]);
    let files = ["a.md", "b.md", "c.md"];
    let expected: Vec<_> = files.iter().flat_map(|file| pairs(&[(file, "One"), (file, "Two")])).collect();
    assert_eq!(at.hits("word"), expected);
    assert_eq!(places(at.search("word", 3)), expected[..3], "also where the limit cuts through them");
}

/// RFC-0004:C-QUERY-SYNTAX
fn stemming_follows_the_tokenizer(at: &IndexScene) {
    let files = [("a.md", "configuring connections")];
    for (tokenizer, count) in [(Tokenizer::Ascii, 1), (Tokenizer::Cjk, 0)] {
        at.write(IndexChange::Replace(tokenizer), Content::of(&files)).unwrap();
        assert_eq!(at.hits("configure connection").len(), count);
        assert_eq!(at.hits("configuring").len(), 1);
        at.edit(&[("b.md", "configured")], &[]);
        assert_eq!(at.hits("configure").len(), 2 * count, "an edit keeps the tokenizer");
    }
}
