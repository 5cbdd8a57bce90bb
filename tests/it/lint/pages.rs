//! The pages of the rules, and their table in the RFC, are generated from the code.
//!
//! `SKC_BLESS=1 cargo test` rewrites them; read the difference before you commit it.

use skillc_lint::RULES;
use skillc_lint::explain::{page, rule_table};
use skillc_lint::plugin::{PLUGIN_RULES, plugin_rule_page, plugin_rule_table};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn rfc(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rfc").join(path)
}

fn is_blessing() -> bool {
    std::env::var_os("SKC_BLESS").is_some()
}

fn plugin_pages() -> impl Iterator<Item = (String, String)> {
    PLUGIN_RULES.iter().map(|rule| (format!("{}.md", rule.id), plugin_rule_page(rule)))
}

/// RFC-0008:C-REGISTRY, RFC-0015:C-PLUGIN-RULES
#[test]
fn the_pages_of_rules_are_those_of_the_program() {
    let pages: BTreeMap<String, String> =
        RULES.iter().map(|rule| (format!("{}.md", rule.id), page(rule))).chain(plugin_pages()).collect();
    let folder = rfc("rules");
    if is_blessing() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        pages.iter().for_each(|(name, page)| fs::write(folder.join(name), page).unwrap());
        return;
    }
    let found: BTreeMap<String, String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&pages), "pages and rules; SKC_BLESS=1 rewrites them");
    for (name, page) in &pages {
        assert_eq!(
            &found[name], page,
            "rfc/rules/{name} is not what the program says; SKC_BLESS=1 rewrites it"
        );
    }
}

/// RFC-0008:C-REGISTRY
#[test]
fn the_table_of_rules_is_that_of_the_program() {
    compare_table("0008-authoring.md", &rule_table(RULES));
}

/// RFC-0015:C-PLUGIN-RULES
#[test]
fn the_table_of_rules_about_plugins_is_that_of_the_program() {
    compare_table("0015-packing.md", &plugin_rule_table(PLUGIN_RULES));
}

/// Compares a table of an RFC with the one that the code generates.
fn compare_table(file: &str, table_of_program: &str) {
    let file = rfc(file);
    let text = fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once("<!-- rules -->\n").expect("where the table begins");
    let (table, after) = rest.split_once("<!-- /rules -->").expect("where the table ends");
    let expected = format!("\n{table_of_program}\n");
    if is_blessing() {
        fs::write(&file, format!("{before}<!-- rules -->\n{expected}<!-- /rules -->{after}")).unwrap();
        return;
    }
    assert!(table == expected, "the table of rules is not the program's; SKC_BLESS=1 rewrites it");
}
