//! What builds may put into agents' folders, and replace and remove there.

use super::allowed::{Act, Surface, World, is_in, is_renamed_build, rest};
use super::honest::{HOME, PROJECT};
use super::tree::{Change, Entry, Node, Tree};
use skillc_domain::agents::AGENTS;
use skillc_domain::places::{below, is_runtime};
use std::path::{Path, PathBuf};

/// The folder that a link leads to, judged by its text alone, relative to the machine's root.
fn led_to(path: &str, target: &str, root: &Path) -> Option<String> {
    let folder = root.join(path).parent()?.to_path_buf();
    let led: PathBuf = if target.starts_with('/') { target.into() } else { below(folder, Path::new(target)) };
    Some(led.strip_prefix(root).ok()?.to_string_lossy().into_owned())
}

/// Whether a link leads to one runtime of the project or the home.
fn leads_to_a_runtime(path: &str, entry: &Entry, bases: &[&str], root: &Path) -> bool {
    let Some(led) = entry.link().and_then(|target| led_to(path, target, root)) else { return false };
    bases
        .iter()
        .any(|base| rest(&led, &format!("{base}/.skillc/runtime")).is_some_and(|name| !name.contains('/')))
}

/// Whether an entry is a copy of a build, or in one.
fn is_copy(path: &str, tree: &Tree) -> bool {
    let folders = Path::new(path).ancestors().filter_map(Path::to_str).filter(|folder| !folder.is_empty());
    folders.into_iter().any(|folder| {
        tree.get(&format!("{folder}/.skillc-meta/manifest.json")).is_some_and(|entry| entry.bytes().is_some())
    })
}

/// Whether the content of a path was put there by a build of the project or the user.
pub fn is_deployed(path: &str, tree: &Tree, bases: &[&str], root: &Path) -> bool {
    tree.get(path).is_some_and(|entry| leads_to_a_runtime(path, entry, bases, root)) || is_copy(path, tree)
}

/// Folders in which a deployment never belongs.
fn is_for_deploys(path: &str) -> bool {
    let is_free = |path: &str| [".skillc", ".git"].iter().all(|own| !is_in(path, own));
    rest(path, PROJECT).is_some_and(is_free)
}

/// A folder of the user that belongs to some agent, or a parent of one.
fn is_for_users_deploys(path: &str) -> bool {
    let folders = AGENTS.iter().flat_map(|agent| agent.user).map(|user| {
        // As they are if no variable is set: the part after ':-', or the variable's agent does not exist here.
        let user = user.split_once(":-").map_or((*user).to_owned(), |(_, rest)| rest.replacen('}', "", 1));
        user.replacen('~', HOME, 1)
    });
    let mut folders = folders.filter(|folder| folder.starts_with(HOME));
    folders.any(|folder| is_in(path, &folder) || is_in(&folder, path))
}

/// What a build puts into agents' folders, and what `enable` puts back there after `disable`.
pub fn deployed(change: &Change, act: &Act, world: &World<'_>) -> bool {
    if !["build", "rename", "enable"].contains(&act.verb()) || !change.is_new() {
        return false;
    }
    let bases: &[&str] = if is_for_deploys(&change.path) {
        &[PROJECT, HOME]
    } else if (act.is_for_the_home(world) || is_renamed_build(change, act, world))
        && is_for_users_deploys(&change.path)
    {
        // What every project sees leads to the user's builds, never into a single project.
        &[HOME]
    } else {
        return false;
    };
    let is_ours = |path: &str| is_deployed(path, world.after, bases, world.root);
    // The content of a new folder is judged separately.
    is_ours(&change.path) || change.after.as_ref().is_some_and(Entry::is_folder)
}

/// The result of a build is replaced or removed.
pub fn own_deploy(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_builder = ["build", "undeploy", "disable", "enable", "remove", "rename"].contains(&act.verb());
    // What a build of a skill put into the user's folders is removed with it.
    let is_undone =
        act.verb() != "build" && (world.made.contains(&change.path) || act.is_of_a_global_skill());
    let is_users = (is_undone || act.is_for_the_home(world)) && is_for_users_deploys(&change.path);
    let is_placed = is_for_deploys(&change.path) || is_users;
    let was_ours = is_deployed(&change.path, world.before, &[PROJECT, HOME], world.root);
    let is_ours =
        change.after.is_none() || is_deployed(&change.path, world.after, &[PROJECT, HOME], world.root);
    is_builder && is_placed && !change.is_new() && was_ours && is_ours
}

/// An obstacle is replaced, and kept in the trash.
pub fn forced(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_forced = act.surface == Surface::CommandLine && act.verb() == "build" && act.has("--force");
    let is_placed =
        is_for_deploys(&change.path) || (act.is_for_the_home(world) && is_for_users_deploys(&change.path));
    let is_replaced =
        is_deployed(&change.path, world.after, &[PROJECT, HOME], world.root) || change.after.is_none();
    is_forced
        && is_placed
        && is_replaced
        && change.before.as_ref().is_some_and(|old| is_in_the_trash(old, world.after))
}

/// By force, an agent replaces links created by builds of any project.
pub fn forced_by_an_agent(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let leads_to_any_runtime =
        |entry: &Entry| entry.link().is_some_and(|target| is_runtime(Path::new(target)));
    act.surface == Surface::Mcp
        && act.verb() == "build"
        && act.has("--force")
        && is_for_deploys(&change.path)
        && change.before.as_ref().is_some_and(leads_to_any_runtime)
        && is_deployed(&change.path, world.after, &[PROJECT, HOME], world.root)
}

/// The doctor takes away a link of a build that leads nowhere, and keeps it in the trash.
pub fn dead_link_taken(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let leads_to_a_runtime = |old: &Entry| {
        leads_to_a_runtime(&change.path, old, &[PROJECT, HOME], world.root)
            && is_in_the_trash(old, world.after)
    };
    act.verb() == "doctor"
        && act.has("--fix")
        && (is_for_deploys(&change.path) || is_for_users_deploys(&change.path))
        && change.after.is_none()
        && change.before.as_ref().is_some_and(leads_to_a_runtime)
}

/// Something from the trash is back in its place.
pub fn undone(change: &Change, act: &Act, world: &World<'_>) -> bool {
    let is_kept = change.after.as_ref().is_some_and(|new| is_in_the_trash(new, world.before));
    let was_ours = change.is_new() || is_deployed(&change.path, world.before, &[PROJECT, HOME], world.root);
    let is_in_a_store = rest(&change.path, &format!("{PROJECT}/.skillc/skills")).is_some()
        || rest(&change.path, &format!("{HOME}/.skillc/skills")).is_some();
    let is_placed = is_for_deploys(&change.path) || is_for_users_deploys(&change.path);
    let goes_to_the_trash =
        change.after.is_none() && change.before.as_ref().is_some_and(|old| is_in_the_trash(old, world.after));
    // The build of a removed skill is deployed again.
    let is_deployed_again =
        change.is_new() && is_deployed(&change.path, world.after, &[PROJECT, HOME], world.root);
    // Such as a log of the home into which `doctor --fix` had moved events.
    let was_made = change.after.is_none() && world.made.contains(&change.path);
    act.verb() == "undo"
        && (was_made
            || ((is_kept || goes_to_the_trash) && is_in_a_store)
            || (is_placed && (is_kept || is_deployed_again || change.after.is_none()) && was_ours))
}

/// Whether the old content is kept.
pub fn is_in_the_trash(old: &Entry, tree: &Tree) -> bool {
    let trash = format!("{HOME}/.skillc/trash/");
    let holds =
        |old: &Entry| tree.iter().any(|(path, entry)| path.starts_with(&trash) && entry.node == old.node);
    match old.node {
        Node::Folder => tree.keys().any(|path| path.starts_with(&trash)),
        _ => holds(old),
    }
}
