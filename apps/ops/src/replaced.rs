//! Moves what `--force` replaces to the trash, from which `skc undo` restores it, and reports it.

use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::deploy::Occupant;
use skillc_domain::fault::Warning;
use skillc_ports::TrashSlot;
use std::path::Path;

/// A pending replacement with its slot in the trash; `None` if nothing is replaced, or replacing is not permitted.
pub struct Replaced(Option<TrashSlot>);

impl Replaced {
    /// A replacement of nothing.
    pub const NOTHING: Self = Self(None);

    /// Reserves a slot in the trash for the content of a path, if the user forces its replacement. Agents cannot
    /// force this, since they may not replace what people created.
    ///
    /// # Errors
    /// If the trash cannot be written to; nothing may then be replaced.
    pub fn reserve(app: &App, place: &Path, is_forced: bool) -> Result<Self, Failure> {
        if !is_forced || app.call.is_agent() || app.ports.deployer.look(place)? == Occupant::Nothing {
            return Ok(Self::NOTHING);
        }
        Ok(Self(Some(app.ports.trash.reserve(place)?)))
    }

    /// Reserves a slot in the trash for something that skc itself replaces, for any caller.
    ///
    /// # Errors
    /// If the trash cannot be written to; nothing may then be replaced.
    pub fn keep(app: &App, place: &Path) -> Result<Self, Failure> {
        Ok(Self(Some(app.ports.trash.reserve(place)?)))
    }

    /// The name in the same folder for the old content until it is moved to the trash.
    pub fn aside(&self) -> Option<&str> {
        self.0.as_ref().map(|slot| slot.aside.as_str())
    }

    /// Moves the old content to the trash without a warning.
    ///
    /// # Errors
    /// If the trash cannot be written to; the content is then still next to its original path.
    pub fn take_quietly(self, app: &App) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |slot| Ok(app.ports.trash.take(&slot)?))
    }

    /// Moves the old content to the trash and reports it to the user.
    ///
    /// # Errors
    /// If the trash cannot be written; the content is then still next to its original path.
    pub fn take(self, run: &mut Run<'_>) -> Result<(), Failure> {
        let Some(slot) = self.0 else { return Ok(()) };
        run.app.ports.trash.take(&slot)?;
        run.warn(Warning::MovedToTrash { path: slot.place.clone(), id: slot.id });
        Ok(())
    }
}
