//! The changes that operations may make, in one table with reasons. Any other change is a fault.

use super::deploys;
use super::honest::{GLOBAL_SKILLS, HOME, PROJECT};
use super::tree::{Change, Entry, Tree};
use skillc::CLIENTS;
use skillc_domain::plugin::PluginManifest;
use std::collections::BTreeSet;
use std::path::Path;

/// The caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The user, on the command line.
    CommandLine,
    /// An agent, through the server.
    Mcp,
    /// A runtime, through the host.
    Host,
}

/// A command or call.
#[derive(Clone, Debug)]
pub struct Act {
    /// Its caller.
    pub surface: Surface,
    /// The verb, then arguments as on the command line.
    pub words: Vec<String>,
}

/// The states before and after an act.
pub struct World<'a> {
    pub before: &'a Tree,
    pub after: &'a Tree,
    /// Paths that earlier acts created.
    pub made: &'a BTreeSet<String>,
    /// The absolute path of the machine's root.
    pub root: &'a Path,
}

/// An allowed change and its reason.
struct Rule {
    why: &'static str,
    permits: fn(&Change, &Act, &World<'_>) -> bool,
}

const RULES: &[Rule] = &[
    Rule {
        why: "the project's runtimes are skc's own: stub, manifest, index, log, locks",
        permits: project_runtime,
    },
    Rule {
        why: "events go to a fallback log where a runtime takes none, and sync takes them away",
        permits: fallback_log,
    },
    Rule {
        why: "the home's folder is skc's own but for what the user wrote and what builds made",
        permits: home_own,
    },
    Rule {
        why: "a build for the user, or of the user's skill, goes to the home's runtime",
        permits: home_runtime,
    },
    Rule {
        why: "init makes the skill of the name that it is given, and its store with a configuration",
        permits: init,
    },
    Rule { why: "a build of a folder outside the stores copies it into the store", permits: import },
    Rule {
        why: "a build puts links to its runtime, or copies of it, into agents' folders; enable puts them back",
        permits: deploys::deployed,
    },
    Rule {
        why: "builds and undeploy replace or remove what a build put there",
        permits: deploys::own_deploy,
    },
    Rule {
        why: "--force on the command line replaces what is in the way, and keeps it in the trash",
        permits: deploys::forced,
    },
    Rule {
        why: "by force an agent replaces links that builds of any project made",
        permits: deploys::forced_by_an_agent,
    },
    Rule {
        why: "doctor --fix removes a build's link that leads nowhere, and keeps it in the trash",
        permits: deploys::dead_link_taken,
    },
    Rule {
        why: "undo puts back what is in the trash, in the place of what a build put there",
        permits: deploys::undone,
    },
    Rule { why: "lint --fix edits the files of the skill", permits: fixed },
    Rule { why: "enable and disable edit one configuration", permits: switched },
    Rule { why: "config set edits one configuration", permits: set },
    Rule { why: "remove takes a skill from its store, with its runtime, to the trash", permits: removed },
    Rule { why: "rename moves a skill within its store, and edits its name", permits: renamed },
    Rule { why: "a folder that is empty once a skill is withdrawn is removed", permits: emptied },
    Rule { why: "mcp config --project edits the client's file of the project", permits: client_file },
    Rule { why: "the file that the command line names", permits: named_file },
];

/// The reason why a change is allowed; `None` if it is not.
pub fn reason(change: &Change, act: &Act, world: &World<'_>) -> Option<&'static str> {
    RULES.iter().find(|rule| (rule.permits)(change, act, world)).map(|rule| rule.why)
}

impl Act {
    /// Whether the command names one of the user's skills, which it refers to if the project has none with that name.
    pub fn is_of_a_global_skill(&self) -> bool {
        self.words.get(1).is_some_and(|name| GLOBAL_SKILLS.contains(&name.as_str()))
    }

    /// The verb.
    pub fn verb(&self) -> &str {
        &self.words[0]
    }

    pub fn has(&self, flag: &str) -> bool {
        self.words.iter().any(|word| word == flag)
    }

    fn value(&self, option: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word == option)?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// Whether it concerns the home's runtime: by flag, by a skill of the home, or without a certain project.
    pub fn is_for_the_home(&self, world: &World<'_>) -> bool {
        // A skill of the project takes precedence over one of the home.
        let is_projects = |name: &str| {
            let text = world.before.get(&format!("{PROJECT}/.skillc/skills/{name}/SKILL.md"));
            text.is_some_and(|entry| entry.bytes().is_some())
        };
        let is_theirs = |word: &String| GLOBAL_SKILLS.contains(&word.as_str()) && !is_projects(word);
        self.has("--global") || self.words[1..].iter().any(is_theirs) || !is_project(world.before)
    }
}

/// Whether the working directory is certainly a project, judged by real folders and files only.
fn is_project(tree: &Tree) -> bool {
    let is = |path: &str, fits: fn(&Entry) -> bool| tree.get(&format!("{PROJECT}/{path}")).is_some_and(fits);
    is(".skillc", Entry::is_folder)
        && (is(".skillc/skills", Entry::is_folder)
            || is(".skillc/config.toml", |entry| entry.bytes().is_some()))
}

/// Whether a path is the folder or below it.
pub fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path below a folder.
pub fn rest<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

fn was_link(change: &Change) -> bool {
    change.before.as_ref().is_some_and(|entry| entry.link().is_some())
}

fn project_runtime(change: &Change, _: &Act, _: &World<'_>) -> bool {
    let own = format!("{PROJECT}/.skillc/runtime");
    // A link or file in place of the runtime folder must remain.
    (change.path == own && change.is_new()) || rest(&change.path, &own).is_some()
}

fn fallback_log(change: &Change, _: &Act, _: &World<'_>) -> bool {
    let own = format!("{PROJECT}/.skillc/logs");
    (change.path == own && !was_link(change)) || rest(&change.path, &own).is_some()
}

fn home_own(change: &Change, _: &Act, _: &World<'_>) -> bool {
    const WRITTEN_BY_THE_USER: [&str; 4] = ["config.toml", "skills", "mcp-token", "team-password"];
    let Some(path) = rest(&change.path, &format!("{HOME}/.skillc")) else { return false };
    let is_precious = WRITTEN_BY_THE_USER.iter().any(|own| is_in(path, own));
    let is_built =
        path.starts_with("runtime/") && !path.contains("/.skillc-meta/logs.db") && !path.ends_with(".lock");
    !is_precious && !is_built
}

fn home_runtime(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_build = act.verb() == "build";
    let mut folders = Path::new(&change.path).ancestors().filter_map(Path::to_str);
    let is_undone = ["undeploy", "disable", "enable", "remove", "rename"].contains(&act.verb())
        && (act.is_of_a_global_skill()
            || (act.has("--all") && !is_project(world.before))
            || folders.any(|folder| world.made.contains(folder)));
    // A log that cannot be opened still creates its parent folders.
    let is_folder = change.is_new() && change.after.as_ref().is_some_and(Entry::is_folder);
    let is_permitted = is_folder
        || is_undone
        || is_renamed_build(change, act, world)
        || (is_build && act.is_for_the_home(world));
    is_permitted && is_in(&change.path, &format!("{HOME}/.skillc/runtime"))
}

fn init(change: &Change, act: &Act, world: &World<'_>) -> bool {
    if act.verb() != "init" || !change.is_new() {
        return false;
    }
    let own = format!("{PROJECT}/.skillc");
    let is_bare =
        change.path == own || [format!("{own}/skills"), format!("{own}/config.toml")].contains(&change.path);
    let name = act.words[1..].iter().find(|word| !word.starts_with("--")).map(|name| name.to_lowercase());
    let is_skill = |store: String| {
        let path = rest(&change.path, &store).and_then(|path| path.split('/').next());
        path.is_some() && path == name.as_deref()
    };
    let is_global = act.is_for_the_home(world) && is_skill(format!("{HOME}/.skillc/skills"));
    // A folder of the project that its configuration makes a store is created too.
    let is_configured = |root: &String| {
        let is_parent = is_in(root, &change.path) && change.after.as_ref().is_some_and(Entry::is_folder);
        is_parent || is_skill(root.clone())
    };
    is_bare
        || is_skill(format!("{own}/skills"))
        || is_global
        || configured_folders(world).iter().any(is_configured)
}

/// The folders of the project that its configuration may name: all of its texts, as far as they lead down.
fn configured_folders(world: &World<'_>) -> Vec<String> {
    let config = world.before.get(&format!("{PROJECT}/.skillc/config.toml")).and_then(Entry::bytes);
    let text = config.map(String::from_utf8_lossy).unwrap_or_default();
    let is_below = |path: &&str| {
        !path.starts_with('/')
            && !path.split('/').any(|part| ["", ".", "..", "~", ".skillc", ".git"].contains(&part))
    };
    let texts = text.split('"').skip(1).step_by(2).filter(is_below);
    texts.map(|path| format!("{PROJECT}/{path}")).collect()
}

fn import(change: &Change, act: &Act, world: &World<'_>) -> bool {
    // The store's folder is created before the skill turns out to be missing.
    let stores = [PROJECT, HOME].map(|base| format!("{base}/.skillc/skills"));
    let is_store = stores.contains(&change.path) && change.after.as_ref().is_some_and(Entry::is_folder);
    if act.verb() == "build" && change.is_new() && is_store {
        return true;
    }
    // Also a folder in the working directory that has the name of a skill.
    let is_folder = |word: &String| world.before.contains_key(&format!("{PROJECT}/{word}/SKILL.md"));
    let is_path = |word: &String| word.starts_with("./") || is_folder(word);
    let is_import = act.verb() == "build" && act.words[1..].iter().any(is_path);
    // MCP calls never replace stored skills.
    let may_replace = act.has("--force") && act.surface == Surface::CommandLine;
    let store = rest(&change.path, &format!("{PROJECT}/.skillc/skills")).is_some()
        || (act.is_for_the_home(world) && rest(&change.path, &format!("{HOME}/.skillc/skills")).is_some());
    let is_kept = || change.before.as_ref().is_some_and(|old| deploys::is_in_the_trash(old, world.after));
    is_import && store && (change.is_new() || (may_replace && is_kept()))
}

fn fixed(change: &Change, act: &Act, _: &World<'_>) -> bool {
    let is_file = |entry: &Option<Entry>| entry.as_ref().is_some_and(|entry| entry.bytes().is_some());
    let is_edited = is_file(&change.before) && is_file(&change.after);
    act.verb() == "lint"
        && act.has("--fix")
        && is_edited
        && is_in(&change.path, &format!("{PROJECT}/.skillc/skills"))
}

fn switched(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_switch = ["enable", "disable"].contains(&act.verb()) && act.surface == Surface::CommandLine;
    // A store that is a link also makes a project, though not a certain one.
    let is_projects = act.has("--project") && change.path == format!("{PROJECT}/.skillc/config.toml");
    let is_users = (!act.has("--project") || !is_project(world.before))
        && change.path == format!("{HOME}/.skillc/config.toml");
    // A disabled skill stays disabled under its new name.
    let is_carried = act.verb() == "rename"
        && [PROJECT, HOME].iter().any(|base| change.path == format!("{base}/.skillc/config.toml"));
    ((is_switch && (is_projects || is_users)) || is_carried) && !was_link(change)
}

fn set(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_set = act.words.starts_with(&["config".to_owned(), "set".to_owned()]);
    let is_projects = !act.has("--global") && change.path == format!("{PROJECT}/.skillc/config.toml");
    let is_users = (act.has("--global") || !is_project(world.before))
        && change.path == format!("{HOME}/.skillc/config.toml");
    is_set && act.surface == Surface::CommandLine && (is_projects || is_users) && !was_link(change)
}

fn removed(change: &Change, act: &Act, _: &World<'_>) -> bool {
    let Some(name) = act.words.get(1).filter(|_| ["remove", "rename"].contains(&act.verb())) else {
        return false;
    };
    let mut places = [PROJECT, HOME]
        .iter()
        .flat_map(|base| ["skills", "runtime"].map(|folder| format!("{base}/.skillc/{folder}/{name}")));
    change.after.is_none() && places.any(|place| change.path == place || is_in(&change.path, &place))
}

fn renamed(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let ("rename", [_, old, new, ..]) = (act.verb(), &act.words[..]) else { return false };
    let moved_from = [PROJECT, HOME].iter().find_map(|base| {
        let store = format!("{base}/.skillc/skills");
        let below = change.path.strip_prefix(&format!("{store}/{new}"))?;
        Some(format!("{store}/{old}{below}"))
    });
    let Some(was) = moved_from.and_then(|path| world.before.get(&path)) else { return false };
    let is_skill_md = change.path.ends_with("/SKILL.md") && was.bytes().is_some();
    let is_same = change.after.as_ref().is_some_and(|now| now.node == was.node);
    change.is_new() && (is_same || is_skill_md)
}

/// Whether a path is at, or below, the new name of something that an earlier build put there under the old one.
pub fn is_renamed_build(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let ("rename", [_, old, new, ..]) = (act.verb(), &act.words[..]) else { return false };
    let mut folders = Path::new(&change.path).ancestors();
    let renamed = folders.find(|path| path.file_name().is_some_and(|name| name == new.as_str()));
    let was = renamed.map(|path| path.with_file_name(old).to_string_lossy().into_owned());
    // A global build of the project's skill takes over the place of the user's skill with the same name.
    let manifest = world.before.get(&format!("{HOME}/.skillc/runtime/{old}/.skillc-meta/manifest.json"));
    let source = format!("{PROJECT}/.skillc/skills/{old}\"");
    let is_of_project =
        manifest.and_then(Entry::bytes).is_some_and(|bytes| String::from_utf8_lossy(bytes).contains(&source));
    was.is_some_and(|was| (is_of_project || world.made.contains(&was)) && !world.after.contains_key(&was))
}

fn emptied(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_withdrawal = ["disable", "undeploy", "remove", "rename"].contains(&act.verb());
    let was_folder = change.before.as_ref().is_some_and(Entry::is_folder) && change.after.is_none();
    let inside = format!("{}/", change.path);
    let mut held = world.before.keys().filter(|path| path.starts_with(&inside));
    is_withdrawal
        && was_folder
        && held.all(|path| deploys::is_deployed(path, world.before, &[PROJECT, HOME], world.root))
}

fn client_file(change: &Change, act: &Act, _: &World<'_>) -> bool {
    if !act.words.starts_with(&["mcp".to_owned(), "config".to_owned()]) || !act.has("--project") {
        return false;
    }
    let client = CLIENTS.iter().find(|client| client.id == act.words[2]);
    let Some(file) = client.and_then(|client| client.project) else { return false };
    let Some(path) = rest(&change.path, PROJECT) else { return false };
    // Its folder may be created, but never replaced.
    (path == file && !was_link(change)) || (change.is_new() && is_in(file, path))
}

fn named_file(change: &Change, act: &Act, world: &World<'_>) -> bool {
    if act.surface != Surface::CommandLine {
        return false;
    }
    let Some(path) = rest(&change.path, PROJECT) else { return false };
    let is = |option: &str| act.value(option).is_some_and(|file| file == path);
    // SQLite's files next to a database belong to it.
    let is_beside = act.value("--index").is_some_and(|file| path.starts_with(&format!("{file}-")));
    let is_file = change.before.as_ref().is_some_and(|old| old.bytes().is_some());
    let is_made = change.is_new() || world.made.contains(&change.path) || (act.has("--force") && is_file);
    match act.verb() {
        // Through a link inside its folder, the file that the link leads to.
        "catalog" => {
            (is("--write") && is_made) || (act.has("--write") && !path.contains('/') && is_block(change))
        }
        "stats" => is("--html") && is_made,
        "eval" => (is("--index") || is_beside) && is_made,
        "lint" => is("--baseline") && is_made,
        "prove" => is("--badge") && is_made,
        "publish" => is_published(path, act) && (is_made || is_folder(&change.after)),
        "pack" => (is("--output") || is_archive(path)) && is_made,
        "plugin" => {
            let is_edited = act.has("sync") || path == ".skillc/config.toml";
            is_of_plugin(path, act, change) && (is_made || is_folder(&change.after) || is_edited)
        }
        _ => false,
    }
}

fn is_folder(entry: &Option<Entry>) -> bool {
    entry.as_ref().is_some_and(Entry::is_folder)
}

/// Whether a path is that of a manifest, of a folder for one, or of the description written by `plugin init`.
fn is_of_plugin(path: &str, act: &Act, change: &Change) -> bool {
    let is_description = act.has("init") && path == ".skillc/config.toml" && !was_link(change);
    let is_manifest = |manifest: &PluginManifest| path == manifest.path() || is_in(manifest.path(), path);
    (is_description || PluginManifest::ALL.iter().any(is_manifest)) && !was_link(change)
}

/// Whether a path is in the folder of an index below the named folder, or one of the folders above it.
fn is_published(path: &str, act: &Act) -> bool {
    let root = act.value("--well-known").unwrap_or_default().trim_start_matches('.');
    let folder = format!("{root}/.well-known/agent-skills");
    let folder = folder.trim_start_matches('/');
    is_in(path, folder) || is_in(folder, path)
}

/// Whether a path is one that `pack` chooses itself: in the working directory, named after a skill.
fn is_archive(path: &str) -> bool {
    !path.contains('/') && [".skill", ".zip"].iter().any(|end| path.ends_with(end))
}

/// Whether the old text is complete, with only a block added.
fn is_block(change: &Change) -> bool {
    let text = |entry: &Option<Entry>| {
        entry.as_ref().and_then(Entry::bytes).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let (Some(old), Some(new)) = (text(&change.before), text(&change.after)) else { return false };
    let kept: BTreeSet<&str> = new.lines().collect();
    old.lines().take_while(|line| !line.contains("<!--")).all(|line| kept.contains(line))
}
