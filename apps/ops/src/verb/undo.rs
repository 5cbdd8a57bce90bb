//! `skc undo` (RFC-0007:C-UNDO).

use crate::app::App;
use crate::compile::bring_back;
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::policy::is_disabled;
use crate::render::{Render, View, counted, line, plain};
use crate::resolve::resolve_without_policy;
use crate::run::Run;
use crate::runtime::of_name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skillc_domain::deploy::{Occupant, Ownership, ownership};
use skillc_domain::fault::{Fault, TRASH_IS_EMPTY};
use skillc_domain::plugin::PluginManifest;
use skillc_ports::{ErrorKind, TrashEntry};
use std::path::{Path, PathBuf};

/// Restore what a build, an import or 'doctor --fix' replaced.
///
/// Restores the newest entry by default. What skc put in its place is removed; if anything else is there, the command
/// fails.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// Name of the entry, as --list shows it [default: the newest].
    pub id: Option<String>,
    /// Show what can be restored, without changing anything.
    #[arg(long, conflicts_with = "id")]
    #[serde(default)]
    pub list: bool,
}

/// Something that was replaced by force.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplacedItem {
    /// Name of the entry; begins with the time.
    pub id: String,
    /// Where it was; for a receipt, the first of its paths.
    pub path: PathBuf,
    /// The command whose changes a receipt reverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Number of paths in a receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
}

/// The restored entry, or all entries.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct UndoReply {
    /// The restored entry; null with `list`.
    pub restored: Option<ReplacedItem>,
    /// What was restored along with the entry: the runtime of a skill, or the skill of a runtime.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with_it: Vec<PathBuf>,
    /// Where the skill is deployed again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deployed: Vec<PathBuf>,
    /// The entries that remain in the trash, newest first.
    pub trash: Vec<ReplacedItem>,
}

/// Implements `skc undo`.
pub struct Undo;

impl Operation for Undo {
    const NAME: &'static str = "undo";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const EXAMPLES: &'static str = "skc undo\nskc undo --list";
    type Request = UndoRequest;
    type Reply = UndoReply;

    async fn run(run: &mut Run<'_>, request: UndoRequest) -> Result<UndoReply, Failure> {
        let app = run.app;
        let restored = if request.list { None } else { Some(chosen(app, request.id.as_deref())?) };
        let mut reply = UndoReply::default();
        match &restored {
            Some(entry) if entry.receipt.is_some() => restore_receipt(run, entry)?,
            Some(entry) => {
                restore(app, entry)?;
                restore_counterpart(app, &entry.place, &mut reply)?;
            }
            None => {}
        }
        let trash = app.ports.trash.entries()?.into_iter().map(item).collect();
        Ok(UndoReply { restored: restored.map(item), trash, ..reply })
    }
}

fn item(entry: TrashEntry) -> ReplacedItem {
    let (command, places) = entry.receipt.map(|receipt| (receipt.command, receipt.places)).unzip();
    ReplacedItem { id: entry.id, path: entry.place, command, places }
}

/// The entry with an id, or the newest one.
fn chosen(app: &App, id: Option<&str>) -> Result<TrashEntry, Failure> {
    let entry = app.ports.trash.entries()?.into_iter().find(|entry| id.is_none_or(|id| entry.id == id));
    let none = || Fault::NothingToUndo { id: id.unwrap_or(TRASH_IS_EMPTY).to_owned() };
    Ok(entry.ok_or_else(none)?)
}

fn restore(app: &App, entry: &TrashEntry) -> Result<(), Failure> {
    clear(app, &entry.place)?;
    app.ports.trash.restore(entry).map_err(|error| match error.kind {
        ErrorKind::AlreadyExists => blocked(&entry.place, error.into()),
        _ => error.into(),
    })
}

/// Restores all paths of a receipt, with an E054 for each that something else has changed since.
fn restore_receipt(run: &mut Run<'_>, entry: &TrashEntry) -> Result<(), Failure> {
    for path in run.app.ports.trash.restore_receipt(entry)? {
        run.part_failed(Fault::UndoBlocked { path }.into());
    }
    Ok(())
}

/// Restores what belongs together: a removed skill with its build, and a build with its deployments unless the skill is
/// disabled.
fn restore_counterpart(app: &App, place: &Path, reply: &mut UndoReply) -> Result<(), Failure> {
    let Some(name) = place.file_name().map(|name| name.to_string_lossy().into_owned()) else { return Ok(()) };
    for (scope, runtime) in of_name(app, &name) {
        let is_source = app.call.places.scope_of(place) == Some(scope);
        let is_gone = |place: &Path| Ok::<_, Failure>(app.ports.deployer.look(place)? == Occupant::Nothing);
        let counterparts: Vec<TrashEntry> = match (is_source, place == runtime) {
            (true, _) if is_gone(&runtime)? => entries_of(app, |place| place == runtime)?,
            (_, true) => entries_of(app, |place| {
                app.call.places.scope_of(place) == Some(scope) && place.file_name() == runtime.file_name()
            })?,
            _ => continue,
        };
        if let Some(entry) = counterparts.first()
            && is_gone(&entry.place)?
        {
            app.ports.trash.restore(entry)?;
            reply.with_it.push(entry.place.clone());
        }
        if let Ok(skill) = resolve_without_policy(app, &name)
            && !is_disabled(app, &skill)
        {
            reply.deployed.extend(bring_back(app, &skill)?);
        }
    }
    Ok(())
}

fn entries_of(app: &App, is_meant: impl Fn(&Path) -> bool) -> Result<Vec<TrashEntry>, Failure> {
    let mut entries = app.ports.trash.entries()?;
    entries.retain(|entry| is_meant(&entry.place));
    Ok(entries)
}

/// Removes what skc put in the place of the replaced content. A stored skill, a runtime with its log, and a plugin's
/// manifest are moved to the trash.
fn clear(app: &App, place: &Path) -> Result<(), Failure> {
    let occupant = app.ports.deployer.look(place)?;
    let is_manifest = PluginManifest::ALL.iter().any(|manifest| place.ends_with(manifest.path()));
    let is_runtime = app.call.places.is_own_runtime(place);
    let is_stored = app.call.places.scope_of(place).is_some() || (is_manifest && occupant == Occupant::File);
    match ownership(&occupant, place, &app.call.places, |_| true) {
        _ if occupant == Occupant::Nothing => Ok(()),
        _ if is_runtime => Ok(app.ports.trash.put(place).map(drop)?),
        Ownership::Own | Ownership::OtherBuild => Ok(app.ports.deployer.remove(place)?),
        Ownership::Foreign if is_stored => Ok(app.ports.trash.put(place).map(drop)?),
        Ownership::Foreign => Err(Fault::UndoBlocked { path: place.to_path_buf() }.into()),
    }
}

fn blocked(place: &Path, failure: Failure) -> Failure {
    let fault = Fault::UndoBlocked { path: place.to_path_buf() };
    Failure { fault, ..failure }
}

impl Render for UndoReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        if let Some(restored) = &self.restored {
            line(out, format!("{} {}", view.good("Restored"), subject(restored, view)));
            for place in &self.with_it {
                line(out, format!("{} {}", view.good("Restored"), view.path(place)));
            }
            for place in &self.deployed {
                line(out, format!("{} {}", view.good("Deployed"), view.path(place)));
            }
            return;
        }
        if self.trash.is_empty() {
            line(out, "The trash is empty");
        }
        for item in &self.trash {
            line(out, format!("{}  {}", plain(&item.id), subject(item, view)));
        }
    }
}

/// Describes what an entry restores.
fn subject(item: &ReplacedItem, view: &View) -> String {
    match (&item.command, item.places) {
        (Some(command), Some(places)) => {
            format!("what '{}' changed at {}", plain(command), counted(places as u64, "place"))
        }
        _ => view.path(&item.path),
    }
}
