//! Each rule's own examples.

use super::found;
use skillc_lint::{Example, RULES, Rule};
use std::collections::BTreeSet;

/// Rules whose examples cannot be written as text files. The comment next to each says which test covers it.
const BY_HAND: &[(&str, &str)] = &[
    ("SKL001", "lint::output::a_compiled_skill_is_skipped_unless_forced"),
    ("SKL525", "lint::output::a_link_that_leads_out_of_the_skill_is_an_error"),
];

/// RFC-0008:C-REGISTRY
#[test]
fn a_good_example_is_clean() {
    let mut wrong = Vec::new();
    for (rule, example) in examples(|rule| rule.good) {
        let found = found(rule, example);
        if !found.is_empty() {
            wrong.push(format!("{}: good example gives {found:?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// RFC-0008:C-REGISTRY
#[test]
fn a_bad_example_gives_its_own_findings_and_no_others() {
    let mut wrong = Vec::new();
    for (rule, example) in examples(|rule| rule.bad) {
        let found: BTreeSet<String> = found(rule, example).into_iter().collect();
        if found != BTreeSet::from([rule.id.to_owned()]) {
            wrong.push(format!("{}: bad example gives {found:?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// RFC-0008:C-REGISTRY
#[test]
fn every_rule_has_an_origin_and_examples_and_says_what_to_do() {
    for rule in RULES {
        assert!(!skillc_lint::explain::origin(rule).trim().is_empty(), "{}", rule.id);
        assert!(rule.why.ends_with('.') && rule.fix.ends_with('.'), "{}: sentences", rule.id);
        assert!(!rule.good.is_empty(), "{}: no good example", rule.id);
        let is_by_hand = BY_HAND.iter().any(|(id, _)| *id == rule.id);
        assert!(!rule.bad.is_empty() || is_by_hand, "{}: no bad example", rule.id);
    }
    assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id), "sorted by id, each once");
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len(), "a name stands twice");
}

fn examples(
    of: fn(&'static Rule) -> &'static [Example],
) -> impl Iterator<Item = (&'static Rule, &'static Example)> {
    RULES.iter().copied().flat_map(move |rule| of(rule).iter().map(move |example| (rule, example)))
}
