//! Applies a proposal. The old skill is moved to the trash, from which `skc undo` restores it.

use super::proposal::{FileEdit, SlimChange, SlimProposal, present};
use crate::app::App;
use crate::compile::withdraw;
use crate::failure::Failure;
use crate::replaced::Replaced;
use crate::resolve::place_in_store;
use crate::settings_file::{Whose, change};
use crate::skill::Skill;
use skillc_domain::fault::Fault;
use skillc_ports::{SettingsChange, WriteOptions};
use std::path::Path;

/// Applies a proposal.
///
/// # Errors
/// E100 for one that cannot be applied; errors of the configuration or the store. A skill is changed completely or
/// not at all.
pub fn apply(app: &App, proposal: &SlimProposal) -> Result<(), Failure> {
    let refused =
        |why: &str| Failure::from(Fault::invalid_option(format!("cannot apply '{}': {why}", proposal.id)));
    if let Some(obstacle) = &proposal.obstacle {
        return Err(refused(obstacle));
    }
    let skill = present(app, &proposal.skill_path).ok_or_else(|| refused("the skill no longer exists"))?;
    match &proposal.change {
        SlimChange::Disable => {
            change(app, Whose::User, &SettingsChange::Disable(skill.name.clone()))?;
            withdraw(app, &skill).map(drop)
        }
        SlimChange::Edit(edits) => {
            let place = place_in_store(app, &skill).ok_or_else(|| refused("the skill is not in a store"))?;
            edit(app, &skill, &place, edits)
        }
        SlimChange::Nothing => Err(refused("there is nothing to change")),
    }
}

/// Edits a copy of the skill, which then replaces the old one.
fn edit(app: &App, skill: &Skill, place: &Path, edits: &[FileEdit]) -> Result<(), Failure> {
    let replaced = Replaced::keep(app, place)?;
    app.ports.stores.import(&skill.path, place, replaced.aside())?;
    let edited = edits.iter().try_for_each(|edit| write(app, place, edit));
    replaced.take_quietly(app)?;
    if edited.is_err()
        && let Some(entry) = app.ports.trash.entries()?.into_iter().find(|entry| entry.place == place)
    {
        app.ports.trash.put(place).and_then(|half| app.ports.trash.delete(&half))?;
        app.ports.trash.restore(&entry)?;
    }
    edited
}

fn write(app: &App, root: &Path, edit: &FileEdit) -> Result<(), Failure> {
    match &edit.old {
        Some(old) => Ok(app.ports.editor.replace(root, &edit.path, old.as_bytes(), edit.new.as_bytes())?),
        None => {
            let path = root.join(edit.path.as_str());
            app.ports.stores.create_folder(path.parent().unwrap_or(root))?;
            let options = WriteOptions { root: Some(root), follows: false, may_replace: &|_| false };
            Ok(app.ports.named.write(&path, edit.new.as_bytes(), &options)?)
        }
    }
}
