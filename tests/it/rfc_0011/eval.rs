//! `skc eval discovery`.

use crate::site::{Site, put};

fn corpus() -> Site {
    let site = Site::without_project();
    for (number, name, description) in [
        (0, "discord-message", "Send a message on Discord."),
        (1, "release-notes", "Draft release notes."),
        (2, "pdf-forms", "Fill forms in PDF files."),
    ] {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n# X\n");
        put(&site.root().join(format!("corpus/{number}/{name}/SKILL.md")), text);
    }
    site
}

fn eval(site: &Site, queries: &str, args: &[&str]) -> crate::site::Run {
    put(&site.root().join("queries"), queries);
    let root = site.root();
    let (queries, corpus) = (root.join("queries"), root.join("corpus"));
    let line =
        ["eval", "discovery", "--queries", queries.to_str().unwrap(), "--corpus", corpus.to_str().unwrap()];
    site.skc([&line, args].concat())
}

/// RFC-0011:C-EVAL
#[test]
fn every_mode_is_measured_for_all_queries_and_each_kind() {
    let site = corpus();
    let queries = "{\"query\":\"message discord\",\"relevant\":[0],\"kind\":\"easy\"}\n{\"query\":\"pdf\",\"relevant\":[\"pdf-forms\"],\"kind\":\"hard\"}\n{\"query\":\"zebra\",\"relevant\":[\"1/release-notes\"],\"kind\":\"hard\"}\n";
    let reply = eval(&site, queries, &["-o", "json"]).ok().json();
    let rows: Vec<(String, String)> = reply["modes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["mode"].as_str().unwrap().to_owned(), row["kind"].as_str().unwrap().to_owned()))
        .collect();
    let of = |mode: &str| ["all", "easy", "hard"].map(|kind| (mode.to_owned(), kind.to_owned()));
    assert_eq!(rows, [of("rule"), of("lexical")].concat(), "without a model two modes can be measured");
    let lexical = &reply["modes"][3];
    assert!((lexical["hit_at_1"]["mean"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9, "{lexical}");
    assert!(lexical["ndcg_at_10"]["low"].as_f64() <= lexical["ndcg_at_10"]["mean"].as_f64());
    let silent = |row: usize| reply["modes"][row]["silent"].as_f64().unwrap();
    assert!((silent(3) - 1.0 / 3.0).abs() < 1e-9 && silent(4) < 1e-9, "nothing fits a zebra: {reply}");
    assert!(reply["note"].as_str().unwrap().contains("skc model install"));
    assert!(eval(&site, queries, &[]).ok().out.contains("NDCG@10"));
    assert!(!site.home().join(".skillc/discovery.db").exists(), "the user's own index is left alone");
}

/// RFC-0011:C-EVAL
#[test]
fn a_query_that_misses_names_what_won_instead() {
    let site = corpus();
    let queries = "{\"query\":\"fill pdf\",\"relevant\":[\"release-notes\"]}\n{\"query\":\"zebra\",\"relevant\":[2]}\n{\"query\":\"discord message\",\"relevant\":[0]}\n";
    let args = ["--mode", "lexical"];
    let reply = eval(&site, queries, &[&args[..], &["-o", "json"]].concat()).ok().json();
    let expected = serde_json::json!([
        {"mode": "lexical", "query": "fill pdf", "relevant": ["release-notes"], "rank": null, "first": "pdf-forms"},
        {"mode": "lexical", "query": "zebra", "relevant": ["2"], "rank": null, "first": null},
    ]);
    assert_eq!(reply["misses"], expected);
    let text = eval(&site, queries, &args).ok().out;
    assert!(
        text.contains("lexical: 2 missed\n  'fill pdf': won by pdf-forms; release-notes not found\n"),
        "{text}"
    );
}

/// RFC-0011:C-EVAL
#[test]
fn an_answer_that_names_no_skill_is_refused() {
    let site = corpus();
    let right = "{\"query\":\"a\",\"relevant\":[\"1/release-notes\"]}\n";
    for (wrong, hint) in [("\"release-note\"", "  - release-notes"), ("7", "name a skill of the corpus")] {
        let queries = format!("{right}\n{{\"query\":\"b\",\"relevant\":[0,{wrong}]}}\n");
        let refused = eval(&site, &queries, &[]).fails("E081");
        assert!(refused.err.contains("in 'relevant' is not a skill of the corpus"), "{}", refused.err);
        assert!(refused.err.contains(hint), "{}", refused.err);
    }
}

/// RFC-0011:C-EVAL
#[test]
fn a_trigger_that_misses_names_the_skill_that_won() {
    let site = corpus();
    let queries = "[{\"query\":\"release notes\",\"should_trigger\":true},{\"query\":\"fill pdf\",\"should_trigger\":true},{\"query\":\"discord\",\"should_trigger\":false}]";
    let args = ["--skill", "release-notes", "--mode", "lexical"];
    let reply = eval(&site, queries, &[&args[..], &["-o", "json"]].concat()).ok().json();
    let won: Vec<(bool, &str)> = reply["triggers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trial| (trial["has_triggered"].as_bool().unwrap(), trial["first"].as_str().unwrap()))
        .collect();
    assert_eq!(won, [(true, "release-notes"), (false, "pdf-forms"), (false, "discord-message")]);
    let text = eval(&site, queries, &args).ok().out;
    assert!(
        text.contains("2 of 3") && text.contains("won by pdf-forms") && text.contains("represents"),
        "{text}"
    );
}

/// RFC-0011:C-EVAL
#[test]
fn queries_that_cannot_be_read_are_refused_with_their_line() {
    let site = corpus();
    let refused = eval(&site, "{\"query\":\"a\",\"relevant\":[1]}\nnope\n", &[]).fails("E081");
    assert!(refused.err.contains("line 2"), "{}", refused.err);
    eval(&site, "[{\"query\":\"a\",\"should_trigger\":true}]", &[]).fails("E100");
    site.skc(["eval", "discovery", "--queries", "none", "--corpus", "corpus"]).fails("E081");
}
