//! Writes the missing manifests of a plugin.

use super::opened::OpenedPlugin;
use super::reply::{PluginManifestState, PluginReply, finding};
use super::settings::{adopted, set};
use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::plugin::{MANIFEST_WORDS, PluginManifest};
use skillc_lint::plugin::{DocumentState, ManifestDocument, PluginEffect, differences, issues, name_flaw};
use skillc_ports::WriteOptions;
use std::path::Path;

/// The options for starting a plugin.
pub struct PluginStart<'a> {
    /// The manifests to write; by default those of `[plugin]`, otherwise all except Codex's own.
    pub manifests: &'a [String],
    /// The plugin's name; by default that of `[plugin]`, of a manifest or of the folder.
    pub name: Option<&'a str>,
    /// Whether to replace manifests with other content.
    pub is_forced: bool,
}

/// The manifests that most clients need: Codex reads those of Agent Plugins and of Claude Code.
const DEFAULT_WORDS: [&str; 4] = ["agent-plugins", "claude", "marketplace", "gemini"];
/// The version of a plugin that has none yet.
const FIRST_VERSION: &str = "0.1.0";

/// Describes the plugin in the project's configuration, and writes its manifests. Nothing is written if a client
/// would refuse one.
///
/// # Errors
/// E100 outside a project and for a name that no client accepts, E105, E018, E999.
pub fn init(run: &mut Run<'_>, start: &PluginStart<'_>) -> Result<PluginReply, Failure> {
    let app = run.app;
    if app.call.places.project.is_none() {
        let advice = "run 'skc init' to create one, or 'skc init --in-place' in a repository of skills";
        return Err(Fault::refused_option("there is no project here", advice).into());
    }
    let mut plugin = OpenedPlugin::open(app, None)?;
    let before = app.call.settings.plugin.clone();
    if before.manifests.is_empty() {
        plugin.source.settings.manifests = with_defaults(&plugin.source.settings.manifests);
    }
    complete(&mut plugin, start)?;
    let manifests = plugin.source.manifests();
    // Agents may not replace what people wrote.
    let is_forced = start.is_forced && !app.call.is_agent();
    let (new, current) = documents(run, &plugin, &manifests, is_forced);
    let mut reply = PluginReply::of(&plugin);
    reply.findings = refusals(app, &mut plugin, &new);
    if !reply.findings.is_empty() {
        return Ok(reply);
    }
    let settings = &plugin.source.settings;
    for (key, old, value) in [
        ("plugin.name", &before.name, &settings.name),
        ("plugin.version", &before.version, &settings.version),
    ] {
        if let Some(value) = value.as_ref().filter(|value| Some(*value) != old.as_ref()) {
            set(app, key, value)?;
        }
    }
    if before.manifests != settings.manifests {
        set(app, "plugin.manifests", &settings.manifests.join(","))?;
    }
    for document in &new {
        write(run, &plugin.root, document)?;
    }
    reply.manifests = states(&new, &current);
    Ok(reply)
}

/// Completes the description of a plugin.
fn complete(plugin: &mut OpenedPlugin, start: &PluginStart<'_>) -> Result<(), Fault> {
    let unknown = |word: &&String| !MANIFEST_WORDS.contains(&word.as_str());
    if let Some(word) = start.manifests.iter().find(unknown) {
        let message = format!("must be some of: {}; got '{word}'", MANIFEST_WORDS.join(", "));
        return Err(Fault::invalid_argument("for", message));
    }
    let name = start.name.map(str::to_owned).or_else(|| plugin.source.settings.name.clone());
    let name = name.or_else(|| adopted(&plugin.documents, "name")).unwrap_or_else(|| slug(plugin.folder()));
    if let Some(flaw) = name_flaw(&name) {
        return Err(Fault::invalid_argument("name", format!("must be a valid plugin name: {flaw}")));
    }
    let version = adopted(&plugin.documents, "version").unwrap_or_else(|| FIRST_VERSION.to_owned());
    let settings = &mut plugin.source.settings;
    settings.version.get_or_insert(version);
    settings.name = Some(name);
    if !start.manifests.is_empty() {
        settings.manifests = start.manifests.to_vec();
    }
    Ok(())
}

/// The existing manifests, and those that most clients need.
fn with_defaults(present: &[String]) -> Vec<String> {
    let is_meant = |word: &&&str| DEFAULT_WORDS.contains(word) || present.iter().any(|one| one == **word);
    MANIFEST_WORDS.iter().filter(is_meant).map(|word| (*word).to_owned()).collect()
}

/// Converts the name of a folder to one for a plugin.
fn slug(folder: &str) -> String {
    let lower = folder.to_lowercase();
    let is_alphanumeric = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let words = lower.split(|c| !is_alphanumeric(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The manifests to write, and those that are up to date. One with other content stays and is reported as an E059.
fn documents(
    run: &mut Run<'_>,
    plugin: &OpenedPlugin,
    manifests: &[PluginManifest],
    is_forced: bool,
) -> (Vec<ManifestDocument>, Vec<PluginManifest>) {
    let app = run.app;
    let (mut new, mut current) = (Vec::new(), Vec::new());
    for manifest in manifests {
        let old = plugin.documents.iter().find(|document| document.manifest == *manifest);
        let is_current = old.is_some_and(|old| match &old.state {
            DocumentState::Parsed(root) => plugin
                .with_view(app, |view| differences(&plugin.source, *manifest, root, view.look).is_empty()),
            _ => false,
        });
        match old {
            Some(_) if is_current => current.push(*manifest),
            Some(_) if !is_forced => {
                let path = plugin.root.join(manifest.path());
                let message = "it exists and has other content".to_owned();
                let advice = "'skc plugin sync' updates it and keeps the rest of it; '--force' moves it to the trash and replaces it".to_owned();
                run.part_failed(Fault::PluginManifestUnchanged { path, message, advice }.into());
            }
            _ => {
                let text = app.ports.json.written(&plugin.source.document(*manifest));
                let state =
                    app.ports.json.parse(&text).map_or_else(DocumentState::Broken, DocumentState::Parsed);
                new.push(ManifestDocument { manifest: *manifest, text, state });
            }
        }
    }
    (new, current)
}

/// Reasons why clients would refuse the new manifests.
fn refusals(
    app: &App,
    plugin: &mut OpenedPlugin,
    new: &[ManifestDocument],
) -> Vec<super::reply::PluginFinding> {
    plugin.documents.retain(|old| new.iter().all(|new| new.manifest != old.manifest));
    plugin.documents.extend(new.iter().cloned());
    plugin.documents.sort_by_key(|document| document.manifest);
    plugin.with_view(app, |view| {
        let is_fatal = |issue: &&skillc_lint::plugin::PluginIssue| {
            issue.rule.effect == PluginEffect::Refused && new.iter().any(|new| new.manifest == issue.manifest)
        };
        let issues = issues(view, &plugin.source);
        let fatal = issues.iter().filter(is_fatal);
        fatal.map(|issue| finding(issue, issue.rule.severity(), view.document(issue.manifest))).collect()
    })
}

fn write(run: &mut Run<'_>, root: &Path, document: &ManifestDocument) -> Result<(), Failure> {
    let app = run.app;
    let path = root.join(document.manifest.path());
    let folder = path.parent().unwrap_or(root);
    app.ports.runtimes.refuse_links(folder)?;
    app.ports.stores.create_folder(folder)?;
    // An existing file is replaced only by force, and goes to the trash.
    match app.ports.trash.put(&path) {
        Ok(entry) => run.warn(Warning::MovedToTrash { path: path.clone(), id: entry.id }),
        Err(error) if error.kind == skillc_ports::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let options = WriteOptions { root: Some(root), follows: false, may_replace: &|_| false };
    Ok(app.ports.named.write(&path, document.text.as_bytes(), &options)?)
}

fn states(new: &[ManifestDocument], current: &[PluginManifest]) -> Vec<PluginManifestState> {
    let state = |manifest: PluginManifest, state| PluginManifestState {
        path: manifest.path(),
        state,
        changes: Vec::new(),
    };
    let written = new.iter().map(|document| state(document.manifest, "written"));
    written.chain(current.iter().map(|manifest| state(*manifest, "unchanged"))).collect()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn the_name_of_a_folder_becomes_that_of_a_plugin() {
        for (folder, name) in
            [("My Skills", "my-skills"), ("acme_tools.v2", "acme-tools-v2"), ("-x-", "x"), ("技能", "")]
        {
            assert_eq!(slug(folder), name, "{folder}");
        }
    }
}
