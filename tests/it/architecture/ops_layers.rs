//! The layers inside `apps/ops`: which of its modules may import which.

use super::imports::{Imports, imports};
use std::collections::BTreeMap;

/// Layers from the lowest to the highest. A module imports modules of lower layers, and its own files. An entry is a
/// file or a folder below `apps/ops/src`; if two contain a file, the longer one counts.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "values",
        &[
            "context.rs",
            "diagnostic.rs",
            "failure.rs",
            "harmless.rs",
            "markdown.rs",
            "one_or_many.rs",
            "pattern.rs",
            "refusal.rs",
            "rule_selection.rs",
            "skill.rs",
        ],
    ),
    ("caches", &["cache.rs", "catalog/filter.rs"]),
    ("what a server keeps", &["catalog/inputs.rs", "find/complete_indexes.rs"]),
    ("app", &["app.rs"]),
    ("the context of a call", &["workspace.rs"]),
    ("output", &["render.rs", "source_tree.rs"]),
    (
        "ports at work",
        &[
            "model.rs",
            "present_agents.rs",
            "runtime.rs",
            "settings_file.rs",
            "shipped.rs",
            "source.rs",
            "team.rs",
            "written.rs",
            "approval.rs",
            "git_ignore.rs",
        ],
    ),
    ("arguments and logs", &["paging.rs", "local_logs.rs"]),
    ("policy", &["policy.rs"]),
    ("a run", &["run.rs", "resolve.rs", "similar_paths.rs"]),
    ("calls", &["executor.rs", "replaced.rs"]),
    ("the catalog", &["catalog"]),
    ("first steps", &["elsewhere.rs", "first_steps.rs"]),
    ("skills at work", &["compile", "find", "load"]),
    ("changes of several steps", &["renaming"]),
    ("operations", &["operation.rs"]),
    ("indexes and stores", &["fallback_logs.rs", "fresh_index.rs", "stores.rs", "eval"]),
    ("outlines", &["headings.rs", "matching_words.rs"]),
    (
        "features",
        &["completion.rs", "doctor", "history", "lint", "mentioning.rs", "pack", "serve", "slim", "stats"],
    ),
    ("features on features", &["plugin", "benchmark"]),
    ("verbs", &["verb"]),
    // These measure verbs by calling them.
    ("verbs at work", &["prove"]),
    ("verbs on verbs", &["verb/prove.rs"]),
    ("the list", &["verb/mod.rs", "lib.rs"]),
];

/// The layer of a file, and the entry that contains it.
fn place(file: &str) -> Option<(usize, &'static str)> {
    let holds =
        |entry: &str| file == entry || file.strip_prefix(entry).is_some_and(|rest| rest.starts_with('/'));
    let entries = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, (_, entries))| entries.iter().map(move |entry| (layer, *entry)));
    entries.filter(|(_, entry)| holds(entry)).max_by_key(|(_, entry)| entry.len())
}

/// Violations of the table, one per line.
fn violations(imports: &Imports) -> Vec<String> {
    let mut found = Vec::new();
    for (file, targets) in imports {
        for (target, name) in targets {
            let is_allowed = match (place(file), place(target)) {
                (None, _) | (_, None) => false,
                // Verbs are independent; code that two of them share belongs in a lower layer.
                (Some((_, "verb")), Some((_, "verb"))) => false,
                (Some((from, at)), Some((to, of))) => to < from || at == of,
            };
            if !is_allowed {
                found.push(format!("{file} imports {name} from {target}"));
            }
        }
    }
    found
}

#[test]
fn modules_of_ops_import_lower_layers_only_and_no_verb_imports_a_verb() {
    let folder = super::repository().join("apps/ops/src");
    let found = violations(&imports(&folder));
    assert!(found.is_empty(), "imports that the layers of apps/ops do not allow:\n{}", found.join("\n"));
    let is_missing = |entry: &&&str| !folder.join(entry).exists();
    let missing: Vec<_> = LAYERS.iter().flat_map(|(_, entries)| *entries).filter(is_missing).collect();
    assert!(missing.is_empty(), "these are gone; remove them from the table: {missing:?}");
}

#[test]
fn an_import_that_climbs_or_joins_two_verbs_is_found() {
    let import = |file: &str, target: &str| {
        let target = BTreeMap::from([(target.to_owned(), "x".to_owned())]);
        violations(&BTreeMap::from([(file.to_owned(), target)]))
    };
    assert_eq!(import("verb/list.rs", "verb/sources.rs"), ["verb/list.rs imports x from verb/sources.rs"]);
    assert_eq!(import("run.rs", "lint/fix.rs"), ["run.rs imports x from lint/fix.rs"]);
    assert_eq!(import("render.rs", "verb/mod.rs").len(), 1, "climbs");
    assert_eq!(import("lint/fix.rs", "stats/data.rs").len(), 1, "two modules of one layer");
    assert_eq!(import("unlisted.rs", "app.rs").len(), 1, "a module without a layer");
    assert!(import("verb/list.rs", "run.rs").is_empty());
    assert!(import("lint/fix.rs", "lint/read.rs").is_empty());
    assert!(import("verb/mod.rs", "verb/list.rs").is_empty());
    assert!(import("app.rs", "find/complete_indexes.rs").is_empty());
}
