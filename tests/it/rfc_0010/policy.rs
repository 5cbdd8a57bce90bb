//! RFC-0010:C-POLICY: which skills may be seen and loaded.

use super::scene::{configure, configure_project, repo, user, write};
use crate::rfc_0007::terminal::{on_terminal, typed_on_terminal};
use crate::site::{Site, put};
use serde_json::Value;
use std::fs;

fn names(site: &Site) -> Vec<String> {
    let reply = site.skc(["find", "marmot", "--mode", "lexical", "--format", "json"]).ok().json();
    let name = |result: &Value| result["name"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = reply["results"].as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

fn three() -> Site {
    let site = Site::new();
    for name in ["open", "secret-a", "ask-a"] {
        write(&repo(&site, name), "# Marmot\n\nmarmot\n");
    }
    site
}

/// Skills specification 8.1. RFC-0010:C-POLICY
#[test]
fn a_denied_skill_is_neither_seen_nor_loaded() {
    let site = three();
    assert_eq!(names(&site), ["ask-a", "open", "secret-a"]);
    let rules = "[permissions]\nallow = ['secret-a']\ndeny = [{ tool = 'skill_load', skill_name = 'secret-*' }, { tool = 'bash' }]\n";
    configure(&site, rules);
    assert_eq!(names(&site), ["ask-a", "open"]);
    let refused = site.skc(["load", "secret-a"]).fails("E072");
    assert!(refused.err.contains("'skill_load:secret-*'"), "{}", refused.err);
    site.skc(["load", ".agents/skills/secret-a"]).fails("E072");
    site.skc(["load", "open"]).ok();
    let mentions = site.skc(["mentions", "$secret-a $open", "--format", "json"]).ok().json();
    assert_eq!(mentions["mentions"][0]["meaning"], "unknown");
    assert_eq!(mentions["mentions"][1]["meaning"], "skill");
}

/// RFC-0010:C-POLICY
#[test]
fn a_project_denies_and_asks_and_never_allows() {
    let site = three();
    configure_project(&site, "[permissions]\nallow = ['ask-a']\ndeny = ['open']\nconfirm = ['ask-*']\n");
    site.skc(["load", "open"]).fails("E072");
    site.skc(["load", "ask-a"]).fails("E074");
    configure(&site, "[permissions]\nallow = ['open', 'ask-a']\n");
    site.skc(["load", "open"]).fails("E072");
    site.skc(["load", "ask-a"]).ok();
}

/// RFC-0010:C-POLICY
#[test]
fn without_a_person_consent_is_refused_with_the_command_that_gives_it() {
    let site = three();
    configure(&site, "[permissions]\nconfirm = ['ask-*']\n");
    assert_eq!(names(&site), ["ask-a", "open", "secret-a"], "it is seen all the same");
    let refused = site.skc(["load", "ask-a"]).fails("E074");
    assert!(refused.out.is_empty() && refused.err.contains("skc enable --allow ask-a"), "{}", refused.err);
    site.skc(["enable", "ask-a", "--allow"]).ok();
    site.skc(["load", "ask-a"]).ok();
}

/// RFC-0010:C-POLICY
#[test]
fn a_pattern_that_is_none_is_reported_and_taken_as_a_name() {
    let site = three();
    configure(&site, "[permissions]\ndeny = ['[', 'open']\n");
    let refused = site.skc(["load", "open"]).fails("E072");
    assert!(refused.err.contains("warning[W058]: "), "{}", refused.err);
}

/// RFC-0010:C-POLICY
#[test]
fn switched_off_as_a_whole_nothing_is_found_or_loaded() {
    let site = three();
    configure(&site, "[skills]\nenabled = false\n");
    assert_eq!(names(&site), Vec::<String>::new());
    let refused = site.skc(["load", "open"]).fails("E073");
    assert!(refused.err.contains("skills.enabled = false"), "{}", refused.err);
}

/// RFC-0010:C-POLICY
#[test]
fn on_a_terminal_the_user_is_asked_and_a_permanent_answer_is_stored() {
    let site = three();
    let before = "# mine\n[permissions]\nconfirm = ['ask-*'] # careful\n";
    configure(&site, before);
    let config = || fs::read_to_string(site.home().join(".skillc/config.toml")).unwrap();
    let line = "$SKC load ask-a";
    let no = typed_on_terminal(&site, line, "n\n");
    assert!(no.contains("[y]es, [n]o, [a]lways") && no.contains("E074"), "{no}");
    assert!(typed_on_terminal(&site, line, "y\n").contains("<skill_context"));
    assert_eq!(config(), before, "once is not for good");
    assert!(typed_on_terminal(&site, line, "a\n").contains("<skill_context"));
    let rule = "[permissions]\nallow = [{ tool = \"skill_load\", skill_name = \"ask-a\" }]\n";
    assert_eq!(config(), before.replace("[permissions]\n", rule));
    assert!(site.skc(["load", "ask-a"]).ok().out.contains("marmot"));
}

/// RFC-0010:C-POLICY
#[test]
fn a_skill_cannot_move_the_cursor_of_who_loads_it_on_a_terminal() {
    let site = Site::new();
    write(&user(&site, "odd"), "# Odd\n\n\u{1b}[2J\u{1b}]0;x\u{7}end\n");
    let shown = on_terminal(&site, &[("NO_COLOR", "1")], "$SKC load odd");
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains('\u{1b}'), "{shown:?}");
    assert!(site.skc(["load", "odd"]).ok().out.contains('\u{1b}'), "a pipe gets every byte");
}

/// RFC-0010:C-POLICY
#[test]
fn a_name_that_a_shell_would_run_is_quoted_in_the_command_that_allows_it() {
    let site = Site::new();
    let file = repo(&site, "odd").join("SKILL.md");
    put(&file, "---\nname: \"x; touch pwned $(id)\"\ndescription: Odd.\n---\n");
    configure(&site, "[discovery]\nlenient = true\n[permissions]\nconfirm = ['*']\n");
    let refused = site.skc(["load", ".agents/skills/odd"]).fails("E074");
    assert!(refused.err.contains("skc enable --allow 'x; touch pwned $(id)'"), "{}", refused.err);
    site.skc(["enable", "x; touch pwned $(id)", "--allow"]).ok();
    site.skc(["load", ".agents/skills/odd"]).ok();
}

/// RFC-0010:C-POLICY
#[test]
fn an_answer_for_a_name_with_signs_of_patterns_is_for_that_name_alone() {
    let site = Site::new();
    for name in ["a*", "ab", "[x]"] {
        let file = repo(&site, name).join("SKILL.md");
        put(&file, format!("---\nname: \"{name}\"\ndescription: Odd.\n---\n"));
    }
    configure(&site, "[discovery]\nlenient = true\n[permissions]\nconfirm = ['*']\n");
    for name in ["a*", "[x]"] {
        site.skc(["enable", name, "--allow"]).ok();
        site.skc(["load", name]).ok();
    }
    site.skc(["load", "ab"]).fails("E074");
}
