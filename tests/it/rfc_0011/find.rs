//! `skc find`.

use crate::mcp::{Client, Lifecycle};
use crate::site::{Site, put};
use serde_json::{Value, json};

/// A repository and a home with skills.
fn scene() -> Site {
    let site = Site::new();
    skill(
        &site.project(),
        "release-notes",
        "Draft release notes from commits.",
        "# Notes\n\nThe marmot whistles.\n",
    );
    skill(&site.project(), "repo-review", "Review a pull request with a checklist.", "# Review\n");
    skill(&site.home(), "discord-message", "Send a message on Discord.", "# Send\n");
    skill(&site.home(), "naive-cafe", "Brew coffee, naïve café style, 設定檔.", "# Brew\n");
    site
}

fn skill(base: &std::path::Path, name: &str, description: &str, body: &str) {
    let text = format!("---\nname: {name}\ndescription: \"{description}\"\n---\n\n{body}");
    put(&base.join(".agents/skills").join(name).join("SKILL.md"), text);
}

#[track_caller]
fn find(site: &Site, args: &[&str]) -> Value {
    site.skc([&["find"], args, &["-o", "json"]].concat()).ok().json()
}

fn names(reply: &Value) -> Vec<&str> {
    let results = reply["results"].as_array().unwrap();
    results.iter().map(|result| result["name"].as_str().unwrap()).collect()
}

/// RFC-0011:C-FIND
#[test]
fn skills_are_found_by_what_is_to_be_done() {
    let site = scene();
    let reply = find(&site, &["send something on discord"]);
    assert_eq!(names(&reply)[0], "discord-message");
    let first = &reply["results"][0];
    assert_eq!((first["scope"].as_str(), first["reason"].as_str()), (Some("user"), Some("lexical")));
    assert_eq!(first["dir"], json!(site.home().join(".agents/skills/discord-message")));
    assert_eq!(first["path"], json!(site.home().join(".agents/skills/discord-message/SKILL.md")));
    assert_eq!(first["id"].as_str().unwrap().len(), 16);
    assert_eq!(names(&find(&site, &["marmot"])), ["release-notes"], "the text counts too");
    assert_eq!(reply["count"], json!(reply["results"].as_array().unwrap().len()));
}

/// RFC-0011:C-FIND
#[test]
fn release_finds_candidates_by_name_and_description() {
    let site = scene();
    for mode in ["auto", "rule", "lexical"] {
        let reply = find(&site, &["release", "--mode", mode]);
        assert_eq!(names(&reply)[0], "release-notes", "{mode}");
        assert_eq!(reply["results"][0]["reason"], "prefix", "{mode}");
    }
}

/// RFC-0011:C-RULES
#[test]
fn a_path_comes_before_a_name_and_a_name_before_all_else() {
    let site = scene();
    skill(&site.home(), "repo", "Repository things, review included.", "# Repo\n");
    skill(&site.home(), "repo-review", "The same name.", "# Repo\n");
    let path = site.home().join(".agents/skills/repo-review/SKILL.md");
    for mode in ["auto", "rule", "lexical"] {
        let by_path = find(&site, &[path.to_str().unwrap(), "--mode", mode]);
        assert_eq!(by_path["results"][0]["path"], json!(path), "{mode}");
        assert_eq!(by_path["results"][0]["reason"], "exact_path");
        let by_name = find(&site, &["repo-review", "--mode", mode]);
        let scopes: Vec<&Value> =
            by_name["results"].as_array().unwrap().iter().map(|r| &r["scope"]).collect();
        assert_eq!(scopes[..2], ["repo", "user"], "{mode}: of equals the repository's comes first");
        assert_eq!(by_name["results"][1]["reason"], "exact_name");
        let prefix = find(&site, &["repo", "--mode", mode]);
        assert_eq!(names(&prefix)[..3], ["repo", "repo-review", "repo-review"], "{mode}");
    }
}

/// RFC-0011:C-FIND
#[test]
fn scope_and_limit_narrow_the_results() {
    let site = scene();
    let of_user = find(&site, &["discord review", "--scope", "user"]);
    assert_eq!(names(&of_user)[0], "discord-message");
    assert!(of_user["results"].as_array().unwrap().iter().all(|result| result["scope"] == "user"));
    let one = find(&site, &["discord review", "--limit", "1"]);
    assert_eq!((one["count"].as_u64(), one["truncated"].as_bool()), (Some(1), Some(true)));
    for limit in ["0", "51"] {
        site.skc(["find", "x", "--limit", limit]).fails("E080");
    }
}

/// RFC-0011:C-FIND
#[test]
fn operators_emoji_and_cjk_are_words() {
    let site = scene();
    for query in ["AND OR NEAR", "NEAR(a b", "coffee* OR", "🚀", "col:umn", "^x", "a\u{1b}[2J"] {
        site.skc(["find", query]).ok();
    }
    assert_eq!(names(&find(&site, &["設定"])), ["naive-cafe"]);
    assert_eq!(
        names(&find(&site, &["coffee\" 🚀 (NAIVE"])),
        ["naive-cafe"],
        "accents and case do not matter"
    );
}

/// RFC-0011:C-FIND
#[test]
fn an_empty_or_huge_query_is_refused() {
    let site = scene();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    for query in
        ["", "  ", "\t", "\u{a0}", "\u{3000}\u{2003}", "\u{200b}", "\"", "*", "-", "?!", "…", "。、", "«»"]
    {
        site.skc(["find", "--", query]).fails("E004");
        let refused = client.call("skill_search", json!({ "query": query }));
        assert!(refused.to_string().contains("E004"), "{query:?}: {refused}");
    }
    let huge = "x ".repeat(100_000);
    site.skc(["find".to_owned(), huge[..18_000].to_owned()]).fails("E100");
    let refused = client.call("skill_search", json!({ "query": huge }));
    assert!(refused.to_string().contains("E100"), "{refused}");
}

/// RFC-0011:C-FIND
#[test]
fn without_a_model_it_is_said_once_and_words_are_enough() {
    let site = scene();
    let run = site.skc(["find", "discord"]).ok();
    assert_eq!(run.err.matches("words only").count(), 1, "{}", run.err);
    assert!(!run.out.contains("words only"));
    let reply = find(&site, &["discord"]);
    assert_eq!(reply["mode"], "lexical");
    assert!(reply["note"].as_str().unwrap().contains("skc model install"));
    assert!(find(&site, &["discord", "--mode", "lexical"])["note"].is_null());
}

/// RFC-0011:C-FIND
#[test]
fn changed_skills_are_found_at_once_and_deleted_ones_are_not() {
    let site = scene();
    assert_eq!(names(&find(&site, &["walrus"])), [""; 0]);
    skill(&site.home(), "discord-message", "Send a walrus.", "# Send\n");
    assert_eq!(names(&find(&site, &["walrus"])), ["discord-message"]);
    std::fs::remove_dir_all(site.home().join(".agents/skills/discord-message")).unwrap();
    assert_eq!(names(&find(&site, &["walrus"])), [""; 0]);
}

/// RFC-0011:C-FIND
#[test]
fn skills_that_were_switched_off_are_not_found() {
    let site = scene();
    put(&site.home().join(".skillc/config.toml"), "[skills]\ndisabled = [\"discord-message\"]\n");
    assert_eq!(names(&find(&site, &["discord"])), [""; 0]);
    put(&site.home().join(".skillc/config.toml"), "[skills]\nenabled = false\n");
    assert!(find(&site, &["release"])["note"].as_str().unwrap().contains("switched off"));
}

/// RFC-0011:C-SCORE
#[test]
fn a_query_without_a_match_has_no_results() {
    let site = scene();
    for query in ["replace the timing belt of a Honda", "tune a violin by ear", "怎么给婴儿换尿布"] {
        for mode in ["auto", "lexical"] {
            let run = site.skc(["find", query, "--mode", mode]).ok();
            assert!(run.out.contains("No skill fits"), "{query}, {mode}: {}", run.out);
        }
        let mut client = Client::start(&site, Lifecycle::Stateless);
        let reply = client.call("skill_search", json!({ "query": query }));
        assert!(reply["content"][0]["text"].as_str().unwrap().contains("No skill fits"), "{reply}");
    }
    assert_eq!(names(&find(&site, &["marmot"])), ["release-notes"], "every word stands in it");
}

/// RFC-0011:C-SCORE, RFC-0011:C-TEXT
#[test]
fn in_a_home_without_skills_the_built_in_one_answers_only_what_is_about_skc() {
    let site = Site::new();
    let found = |query: &str| {
        let reply = find(&site, &[query, "--mode", "lexical"]);
        names(&reply).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for query in [
        "review an api design",
        "write release notes from commits",
        "send a message",
        "api style",
        "search my photos",
    ] {
        assert_eq!(found(query), [""; 0], "{query}");
    }
    for query in ["how do I lint a skill", "error[E002]", "deploy a skill to an agent's folder", "using-skc"]
    {
        assert_eq!(found(query), ["using-skc"], "{query}");
    }
}

/// RFC-0011:C-SCORE
#[test]
fn a_few_of_the_words_are_no_answer_however_often_they_occur() {
    let site = scene();
    skill(&site.home(), "tuning", "Tune, tuning and tuned: tune a tune.", "# Tune\n\nTune by tune.\n");
    let reply = find(&site, &["tune the strings of a violin by ear", "--mode", "lexical"]);
    assert_eq!(names(&reply), [""; 0], "one of four words");
    let reply = find(&site, &["tune release violin notes", "--mode", "lexical", "--explain"]);
    assert_eq!(names(&reply)[0], "release-notes", "two of four");
    let coverage = reply["results"][0]["parts"]["coverage"].as_f64().unwrap();
    assert!((0.35..0.6).contains(&coverage), "{coverage}");
}

/// RFC-0011:C-SCORE
#[test]
fn a_long_request_is_answered_by_a_skill_with_a_third_of_its_words() {
    let site = scene();
    let query = "yesterday the release went out late again because Olga had to draft the notes from every commit by hand";
    let reply = find(&site, &[query, "--mode", "lexical", "--explain"]);
    assert_eq!(names(&reply), ["release-notes"]);
    let coverage = reply["results"][0]["parts"]["coverage"].as_f64().unwrap();
    assert!((0.2..0.35).contains(&coverage), "{coverage}");
}

/// RFC-0011:C-SCORE
#[test]
fn common_words_alone_need_half_of_the_request() {
    let site = Site::new();
    skill(&site.home(), "notes", "Write notes and check files.", "# N\n");
    for (query, is_found) in [
        ("write poems", false),
        ("check the oil", false),
        ("write and check haikus", true),
        ("check files", true),
        ("write", true),
    ] {
        let reply = find(&site, &[query, "--mode", "lexical"]);
        assert_eq!(!names(&reply).is_empty(), is_found, "{query}: {reply}");
    }
}

/// RFC-0011:C-SCORE
#[test]
fn a_score_means_the_same_from_query_to_query() {
    let site = scene();
    let score = |query: &str| find(&site, &[query, "--mode", "lexical"])["results"][0]["score"].as_f64();
    let (whole, half) = (score("send it on Discord").unwrap(), score("send it on Mattermost").unwrap());
    assert!(half < whole && half > 0.0 && whole <= 1.0, "{half} {whole}");
    let before = score("send it on Discord").unwrap();
    (0..20).for_each(|at| skill(&site.home(), &format!("other-{at}"), "Paint a fence.", "# X\n"));
    let after = score("send it on Discord").unwrap();
    assert!((before - after).abs() < 0.1, "further skills change little: {before} {after}");
}

/// RFC-0011:C-INDEX
#[test]
fn a_discovery_database_that_is_damaged_or_cannot_be_made_costs_time_only() {
    let site = scene();
    let database = site.home().join(".skillc/discovery.db");
    find(&site, &["release"]);
    std::fs::write(&database, "no database").unwrap();
    assert_eq!(names(&find(&site, &["release"]))[0], "release-notes");
    std::fs::remove_file(&database).unwrap();
    let _ = std::fs::remove_file(site.home().join(".skillc/discovery.db-wal"));
    std::fs::create_dir_all(&database).unwrap();
    let run = site.skc(["find", "release"]).ok();
    assert!(run.err.contains("warning[W053]") && run.out.contains("release-notes"), "{}", run.err);
}

/// RFC-0011:C-FIND
#[test]
fn the_tool_answers_as_the_command_does() {
    let site = scene();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let reply = client.call("skill_search", json!({ "query": "send a message", "explain": true }));
    let own = &reply["structuredContent"];
    assert_eq!(own["results"][0]["name"], "discord-message");
    assert!(own["results"][0]["parts"]["lexical"].is_number());
    assert_eq!(own["results"], find(&site, &["send a message", "--explain"])["results"]);
}

/// RFC-0011:C-FIND
#[test]
fn two_searches_at_once_index_together() {
    let site = scene();
    for number in 0..40 {
        skill(&site.home(), &format!("skill-{number}"), "Says walrus.", "# X\n");
    }
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| assert_eq!(find(&site, &["walrus", "--limit", "50"])["count"], 40));
        }
    });
}

/// RFC-0011:C-TEXT
#[test]
fn a_skill_without_a_description_is_found_by_what_its_text_says() {
    let site = Site::new();
    let folder = site.project().join(".agents/skills/weather");
    put(&folder.join("SKILL.md"), "# Weather\n\nWhistles like\na marmot.\n\nMore.\n");
    let reply = find(&site, &["marmot", "--mode", "rule"]);
    assert_eq!(names(&reply), ["weather"]);
    assert_eq!(reply["results"][0]["description"], "Whistles like a marmot.");
    site.skc(["load", "weather"]).ok();
    let builtin = &find(&site, &["using-skc"])["results"][0];
    let description = builtin["description"].as_str().unwrap();
    assert!(description.starts_with("Author, lint, build"), "its own description: {description}");
}

/// RFC-0011:C-FIND
#[test]
fn a_misspelled_request_is_answered_with_a_note() {
    let site = scene();
    let reply = find(&site, &["relaese noets"]);
    assert_eq!(names(&reply), ["release-notes"]);
    let note = reply["note"].as_str().unwrap();
    assert!(note.starts_with("no skill fits the query as written; these fit 'release notes'"), "{note}");
    assert!(!find(&site, &["release notes"])["note"].as_str().unwrap().contains("as written"));
    assert_eq!(names(&find(&site, &["walrus husbandry"])), [""; 0]);
}
