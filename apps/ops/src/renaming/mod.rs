//! Renames a skill in steps, each of which can be repeated or undone (RFC-0007:C-RENAME).
//!
//! A record in the journal describes the rename in progress. If a step fails, the steps before it are undone. If the
//! process is killed, the next command completes the rename, or undoes it if the folder still has its old name.

mod interrupted;
mod plan;
mod record;

pub use interrupted::{UnfinishedRename, settle_interrupted, unfinished};

use crate::app::App;
use crate::compile::{NameEdit, add_withdrawn, bring_back_to, compile, rename_places, withdraw};
use crate::failure::Failure;
use crate::run::Run;
use crate::runtime::{index_of, manifest, of_name};
use crate::settings_file::change;
use crate::skill::{ImportOrigin, Skill};
use record::{RenameRecord, RuntimeRecord};
use skillc_domain::deploy::Occupant;
use skillc_domain::fault::Fault;
use skillc_domain::listing::Scope;
use skillc_domain::manifest::Manifest;
use skillc_domain::places::log_file;
use skillc_ports::{ErrorKind, EventLabel, PortError, SettingsChange};
use std::path::{Path, PathBuf};

/// A rename that has passed all checks.
pub struct RenamePlan {
    record: RenameRecord,
    /// The skill with its old name and path.
    pub skill: Skill,
    /// The skill with its new name and path.
    pub renamed: Skill,
    /// The edit of SKILL.md, if it was prepared before the folder was renamed.
    edit: Option<NameEdit>,
}

/// What a rename changed.
#[derive(Debug, Default)]
pub struct Renamed {
    /// The builds' new folders.
    pub runtimes: Vec<PathBuf>,
    /// Links and copies deployed under the old name, which were removed.
    pub removed: Vec<PathBuf>,
    /// Links and copies deployed under the new name.
    pub deployed: Vec<PathBuf>,
}

impl RenamePlan {
    /// The new folder in the store.
    pub fn new_place(&self) -> PathBuf {
        self.record.place.with_file_name(&self.record.name)
    }

    /// Performs the rename.
    ///
    /// # Errors
    /// If a step fails. Everything is then as before, or if even that failed, will be after the next command.
    pub async fn carry_out(&self, run: &mut Run<'_>) -> Result<Renamed, Failure> {
        let entry = run.app.ports.journal.begin(&self.record.to_bytes())?;
        let renamed = self.steps(run).await;
        if renamed.is_err() && self.take_back(run).await.is_err() {
            // The record stays for the next command.
            return renamed;
        }
        entry.close()?;
        renamed
    }

    async fn steps(&self, run: &mut Run<'_>) -> Result<Renamed, Failure> {
        let app = run.app;
        for new in self.record.runtimes.iter().map(|runtime| self.renamed_folder(&runtime.folder)) {
            if is_there(app, &new)? {
                app.ports.trash.put(&new)?;
            }
        }
        let removed = if self.record.is_shadowed { Vec::new() } else { withdraw(app, &self.skill)? };
        // Before the folder has the name, so that the skill is not enabled in between.
        for whose in &self.record.switched_off_by {
            change(app, *whose, &SettingsChange::Disable(self.record.name.clone()))?;
        }
        self.rename_source(app)?;
        Ok(Renamed { removed, ..self.complete(run).await? })
    }

    fn rename_source(&self, app: &App) -> Result<(), Failure> {
        let name = &self.record.name;
        app.ports.stores.rename(&self.record.place, name).map_err(|error| match error.kind {
            ErrorKind::AlreadyExists => Failure::because(Fault::SkillExists { skill: name.clone() }, error),
            _ => error.into(),
        })
    }

    /// Performs the steps after renaming the folder. Any of them may already have been done.
    async fn complete(&self, run: &mut Run<'_>) -> Result<Renamed, Failure> {
        let app = run.app;
        match &self.edit {
            Some(edit) => edit.write(app, &self.renamed.path)?,
            None if self.record.edits_name => edit_name(app, &self.renamed.path, &self.record.name)?,
            None => {}
        }
        let (mut runtimes, mut known_places, mut is_built) = (Vec::new(), Vec::new(), false);
        for runtime in &self.record.runtimes {
            let Some(scope) = scope_of(app, &self.skill.name, &runtime.folder) else { continue };
            let new = self.renamed_folder(&runtime.folder);
            is_built |= self.rename_runtime(run, scope, &runtime.folder, &new).await?;
            runtimes.push(new);
            known_places.extend(runtime.deployed.iter().map(|place| self.renamed_folder(&place.path)));
        }
        let is_back = is_built && !self.record.is_off;
        let deployed = if is_back { bring_back_to(app, &self.renamed, &known_places)? } else { Vec::new() };
        Ok(Renamed { runtimes, deployed, removed: Vec::new() })
    }

    /// Renames a runtime with its log, and rebuilds it if it was built.
    async fn rename_runtime(
        &self,
        run: &mut Run<'_>,
        scope: Scope,
        old: &Path,
        new: &Path,
    ) -> Result<bool, Failure> {
        let app = run.app;
        if !is_there(app, new)? {
            rename_places(app, old, &self.renamed.name)?;
            app.ports.stores.rename(old, &self.renamed.name)?;
        }
        relabel(app, new, &self.skill, &self.renamed).await?;
        let is_built = build_again(run, &self.renamed, scope, new).await?;
        // The index is named after the path of the source.
        remove_index(app, &index_of(app, new, &self.skill))?;
        Ok(is_built)
    }

    /// Undoes all steps, whichever were done.
    async fn take_back(&self, run: &mut Run<'_>) -> Result<(), Failure> {
        let app = run.app;
        if self.is_moved(app)? {
            if !self.record.is_shadowed {
                withdraw(app, &self.renamed)?;
            }
            for runtime in &self.record.runtimes {
                self.take_back_runtime(app, &runtime.folder).await?;
            }
            self.take_back_source(app)?;
        }
        for whose in &self.record.switched_off_by {
            change(app, *whose, &SettingsChange::Enable(self.record.name.clone()))?;
        }
        for runtime in &self.record.runtimes {
            self.restore_build(run, runtime).await?;
        }
        let deployed = self.record.runtimes.iter().flat_map(|runtime| &runtime.deployed);
        let known_places: Vec<PathBuf> = deployed.map(|place| place.path.clone()).collect();
        if !self.record.is_off {
            bring_back_to(app, &self.skill, &known_places)?;
        }
        Ok(())
    }

    /// Whether the folder has its new name.
    fn is_moved(&self, app: &App) -> Result<bool, PortError> {
        Ok(!is_there(app, &self.record.place)? && is_there(app, &self.new_place())?)
    }

    async fn take_back_runtime(&self, app: &App, old: &Path) -> Result<(), Failure> {
        let new = self.renamed_folder(old);
        if !is_there(app, old)? && is_there(app, &new)? {
            // If a log could not be relabeled, it still has the old labels.
            let _ = relabel(app, &new, &self.renamed, &self.skill).await;
            rename_places(app, &new, &self.skill.name)?;
            app.ports.stores.rename(&new, &self.skill.name)?;
        }
        Ok(())
    }

    /// Rebuilds the skill if its runtime contains the build of the renamed one, or a part of it, and records what must be
    /// deployed again.
    async fn restore_build(&self, run: &mut Run<'_>, runtime: &RuntimeRecord) -> Result<(), Failure> {
        let (app, folder) = (run.app, &runtime.folder);
        let Some(scope) = scope_of(app, &self.skill.name, folder) else { return Ok(()) };
        let is_renamed = |manifest: Manifest| manifest.source == self.renamed.path_text();
        let is_partial = app.ports.runtimes.pending(folder).is_some();
        if is_partial || manifest(app, folder).is_some_and(is_renamed) {
            build_again(run, &self.skill, scope, folder).await?;
            remove_index(app, &index_of(app, folder, &self.renamed))?;
        }
        if is_there(app, folder)? {
            add_withdrawn(app, folder, &runtime.deployed)?;
        }
        Ok(())
    }

    fn take_back_source(&self, app: &App) -> Result<(), Failure> {
        let restored = match (&self.edit, &self.record.front_name) {
            (Some(edit), _) => edit.write_back(app, &self.renamed.path),
            (None, Some(name)) => edit_name(app, &self.renamed.path, name),
            (None, None) => Ok(()),
        };
        // It fails also if SKILL.md has not been edited yet. If it only cannot be written now, the next command continues.
        let is_for_now = |failure: &Failure| {
            [ErrorKind::DiskFull, ErrorKind::FileSizeLimit, ErrorKind::Failed]
                .iter()
                .any(|kind| failure.is(*kind))
        };
        if let Err(failure) = restored
            && is_for_now(&failure)
        {
            return Err(failure);
        }
        Ok(app.ports.stores.rename(&self.new_place(), &self.skill.name)?)
    }

    fn renamed_folder(&self, folder: &Path) -> PathBuf {
        folder.with_file_name(&self.record.name)
    }
}

fn is_there(app: &App, path: &Path) -> Result<bool, PortError> {
    Ok(app.ports.deployer.look(path)? != Occupant::Nothing)
}

/// The scope of a runtime; `None` for another project's.
fn scope_of(app: &App, name: &str, runtime: &Path) -> Option<Scope> {
    of_name(app, name).find(|(_, folder)| folder == runtime).map(|(scope, _)| scope)
}

/// Writes a name into SKILL.md, unless it already has that name.
fn edit_name(app: &App, folder: &Path, name: &str) -> Result<(), Failure> {
    NameEdit::of(app, folder, name)?.map_or(Ok(()), |edit| edit.write(app, folder))
}

/// Changes the name and path of the events in a runtime's log.
async fn relabel(app: &App, runtime: &Path, from: &Skill, to: &Skill) -> Result<u64, PortError> {
    let skill_path = to.path_text();
    let label = EventLabel { skill: &to.name, skill_path: &skill_path };
    app.ports.logs.at(&log_file(runtime)).relabel(&from.path_text(), label).await
}

/// Rebuilds a skill in a runtime that has a build; returns whether it has one.
async fn build_again(
    run: &mut Run<'_>,
    skill: &Skill,
    scope: Scope,
    runtime: &Path,
) -> Result<bool, Failure> {
    let Some(built) = manifest(run.app, runtime) else { return Ok(false) };
    let origin = built.origin.zip(built.origin_hash).map(|(path, hash)| ImportOrigin { path, hash });
    compile(run, &Skill { origin, ..skill.clone() }, scope).await?;
    Ok(true)
}

fn remove_index(app: &App, index: &Path) -> Result<(), PortError> {
    match app.ports.trash.put(index) {
        Ok(index) => app.ports.trash.delete(&index),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
