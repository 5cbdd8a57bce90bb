//! Tests of what patterns match, and that no text harms the search.

use super::*;
use proptest::prelude::*;
use skillc_lint::RULES;
use std::sync::LazyLock;

const fn pattern(needles: fn() -> &'static [&'static str], regex: &'static str) -> Pattern {
    Pattern { needles, regex }
}

fn compiled(patterns: &[Pattern]) -> Arc<dyn CompiledPatterns> {
    RegexPatternSearch.compile(patterns).unwrap()
}

/// Each match as the number of its pattern and the matched text.
fn hits<'a>(patterns: &[Pattern], text: &'a str) -> Vec<(usize, &'a str)> {
    compiled(patterns).find(text).into_iter().map(|found| (found.pattern, &text[found.span])).collect()
}

const PIPE: Pattern = pattern(|| &["curl", "wget"], r"(?i)\b(?:curl|wget)\b[^|]*\|\s*sh\b");

#[test]
fn an_expression_is_tried_where_one_of_its_needles_occurs() {
    assert_eq!(hits(&[PIPE], "é CuRL -s x | sh\n"), [(0, "CuRL -s x | sh")]);
    assert_eq!(hits(&[PIPE], "fetch x | sh"), []);
    assert_eq!(hits(&[pattern(|| &["abc"], "b|z")], "zab\n\nabc z b\n\nz"), [(0, "b"), (0, "z"), (0, "b")]);
}

#[test]
fn an_expression_is_tried_on_the_lines_up_to_an_empty_one() {
    assert_eq!(hits(&[PIPE], "curl x\n\n| sh"), []);
    assert_eq!(hits(&[PIPE], "curl x\r\n \t\r\n| sh"), []);
    assert_eq!(
        hits(&[PIPE], "curl x \\\r\n  y \\\r\n | sh\r\n\r\nwget z|sh"),
        [(0, "curl x \\\r\n  y \\\r\n | sh"), (0, "wget z|sh"),]
    );
    assert_eq!(hits(&[pattern(|| &["abc"], r"\Aabc$")], "\nabc\n\nabc\r\n\r\nabc"), [(0, "abc"); 3]);
}

#[test]
fn a_crlf_ends_a_line_as_a_lf_does() {
    for text in ["x abc\nd", "x abc\r\nd", "x abc"] {
        assert_eq!(hits(&[pattern(|| &["abc"], "(?m)c.*$")], text), [(0, "c")], "{text:?}");
    }
}

#[test]
fn the_first_group_is_the_hit_if_it_took_part() {
    let key = pattern(|| &["key"], r#"key(?:=(\w+))?"#);
    assert_eq!(hits(&[key], "key key=é1, keys"), [(0, "key"), (0, "é1"), (0, "key")]);
    assert_eq!(hits(&[pattern(|| &["key"], "(?:key)")], "key"), [(0, "key")]);
}

#[test]
fn matches_come_by_place_and_then_by_pattern() {
    let patterns = [pattern(|| &["c"], "c"), pattern(|| &["ab", "b"], "ab|b"), pattern(|| &["a"], "a.")];
    assert_eq!(
        hits(&patterns, "c ab\n\nabc"),
        [(0, "c"), (1, "ab"), (2, "ab"), (1, "ab"), (2, "ab"), (0, "c")]
    );
}

#[test]
fn needles_within_each_other_are_all_found() {
    let patterns =
        [pattern(|| &["curl -k", "x"], "k"), pattern(|| &["curl"], "c"), pattern(|| &["l -"], "-")];
    assert_eq!(hits(&patterns, "curl -k"), [(1, "c"), (2, "-"), (0, "k")]);
}

#[test]
fn matches_of_a_pattern_do_not_overlap() {
    assert_eq!(hits(&[pattern(|| &["aa", "a"], "aa")], "aaaaa"), [(0, "aa"), (0, "aa")]);
}

#[test]
fn a_text_without_any_needle_has_no_match() {
    assert_eq!(hits(&[PIPE], "日本語 c\u{212a}rl x | sh"), []);
    assert_eq!(hits(&[PIPE], ""), []);
    assert_eq!(hits(&[], "curl x | sh"), []);
}

#[test]
fn an_invalid_expression_is_reported_by_a_check_and_matches_nothing() {
    for broken in ["(", r"\\\p{Greek}", r"(?:\w{50}){50}"] {
        let patterns = [pattern(|| &["abc"], broken), pattern(|| &["abc"], "b")];
        assert_eq!(check(&patterns).unwrap_err().kind, ErrorKind::Failed, "{broken}");
        assert_eq!(hits(&patterns, "abc"), [(1, "b")], "{broken}");
    }
}

#[test]
fn a_pattern_without_a_needle_is_refused() {
    assert!(check(&[pattern(|| &["abc"], r"abc\\path")]).is_ok());
    let without: [fn() -> &'static [&'static str]; 2] = [|| &[], || &["abc", ""]];
    for needles in without {
        let refused = RegexPatternSearch.compile(&[PIPE, pattern(needles, "b")]).err().unwrap();
        assert_eq!(
            refused.to_string(),
            "cannot look for 'b' without a needle: the system reported a failure"
        );
    }
}

#[test]
fn every_expression_of_a_rule_can_be_compiled() {
    for rule in RULES {
        let checked = check(rule.patterns);
        checked.unwrap_or_else(|error| panic!("{}: {error}: {:?}", rule.id, error.source));
    }
}

#[test]
fn a_second_search_after_much_text_finds_the_same() {
    let search = compiled(&[PIPE]);
    let text = "curl x | sh\n\nwget y|sh";
    let few = search.find(text);
    assert_eq!(search.find(&format!("{text}\n\n{}", "long ".repeat(300_000))), few);
    assert_eq!(search.find(text), few);
}

#[test]
fn a_pattern_matches_so_often_and_no_more() {
    let text = "abc ".repeat(1_500) + "\n\nxyz abc";
    let found = hits(&[pattern(|| &["abc"], r"abc(?:[^|]*\|)?"), pattern(|| &["xyz"], "xyz")], &text);
    assert_eq!((found.len(), found[MATCHES_MAX]), (MATCHES_MAX + 1, (1, "xyz")));
}

static SEARCH: LazyLock<Arc<dyn CompiledPatterns>> = LazyLock::new(|| {
    let words = pattern(|| &["ab", "é"], r"(?i)[abé]+\s*(\w)?");
    compiled(&[words, pattern(|| &["c", "日", "\u{fffd}"], r"(?s)c.*|$"), PIPE])
});

proptest! {
    #[test]
    fn matches_lie_in_order_on_characters_of_one_block(
        parts in prop::collection::vec(
            prop::sample::select(vec!["a", "B", "é", "\n", "\r\n", "\n\n", "\r", " ", "\t", "abc", "日", "c", "\u{2028}"]),
            0..60,
        ),
    ) {
        let text = parts.concat();
        let found = SEARCH.find(&text);
        prop_assert!(found.is_sorted_by_key(|found| (found.span.start, found.pattern)));
        for PatternMatch { span, .. } in found {
            let hit = &text[span];
            prop_assert!(!hit.contains("\n\n") && !hit.contains("\n\r\n"));
        }
    }

    #[test]
    fn no_text_makes_the_search_panic(text in any::<String>()) {
        SEARCH.find(&text);
    }
}

/// Compiles all patterns at once. A search compiles them one by one, on first use.
fn check(patterns: &[Pattern]) -> Result<(), PortError> {
    for pattern in patterns {
        let failed = || PortError::new(ErrorKind::Failed, format!("compile '{}'", pattern.regex));
        if needs_tables(pattern.regex) {
            return Err(failed());
        }
        regex(pattern.regex).map_err(|error| failed().caused_by(error))?;
    }
    Compiled::new(patterns).map(drop)
}

/// Whether an expression uses a named Unicode class. Those tables are not compiled in, except in tests, where another
/// crate may enable them.
fn needs_tables(source: &str) -> bool {
    let unescaped = source.replace(r"\\", "");
    unescaped.contains(r"\p") || unescaped.contains(r"\P")
}
