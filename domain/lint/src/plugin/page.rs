//! Texts about rules for plugins: a page for each, and the table of all of them.

use super::rule::{PluginEffect, PluginFiles, PluginRule};

/// The Markdown page of a rule.
pub fn plugin_rule_page(rule: &PluginRule) -> String {
    let PluginRule { id, name, effect, why, fix, source, .. } = rule;
    let mut page = format!(
        "# {id} {name}\n\nEffect: {}. Source: {source}.\n\n{why}\n\n## What to do\n\n{fix}\n",
        effect_words(*effect)
    );
    for (title, files) in [("Found", rule.bad), ("Not found", rule.good)] {
        page += &format!("\n## {title}\n{}", blocks(files));
    }
    page
}

/// A client's reaction as a phrase.
pub fn effect_words(effect: PluginEffect) -> &'static str {
    match effect {
        PluginEffect::Refused => "clients refuse the plugin",
        PluginEffect::PartDropped => "clients load the plugin without a part of it",
        PluginEffect::Ignored => "clients ignore the field",
        PluginEffect::Nothing => "clients load the plugin; this is advice",
        PluginEffect::Drift => "the manifest differs from the plugin",
    }
}

fn blocks(files: PluginFiles) -> String {
    let block = |(path, text): &(&str, &str)| {
        let language = path.rsplit_once('.').map_or("text", |(_, extension)| extension);
        format!("\n`{path}`:\n\n```{language}\n{}\n```\n", text.trim_end())
    };
    files.iter().map(block).collect()
}

/// Files as text: each path, followed by its lines.
pub fn files_text(files: PluginFiles) -> String {
    let text = |(path, text): &(&str, &str)| {
        let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
        format!("{path}\n{}", lines.join("\n"))
    };
    files.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// The table of the rules, in Markdown.
pub fn plugin_rule_table(rules: &[&PluginRule]) -> String {
    let mut table = "| Rule | Name | Effect | Source |\n|---|---|---|---|\n".to_owned();
    for PluginRule { id, name, effect, source, .. } in rules {
        table += &format!("| [{id}](rules/{id}.md) | {name} | {} | {source} |\n", effect.word());
    }
    table
}
