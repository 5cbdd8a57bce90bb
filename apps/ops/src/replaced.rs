//! What `--force` replaces: named to the user, and kept in the trash until `skc undo`.

use crate::app::App;
use crate::failure::Failure;
use crate::run::Run;
use skillc_domain::deploy::Occupant;
use skillc_domain::fault::Warning;
use skillc_ports::TrashSlot;
use std::path::Path;

/// What is about to be replaced, with its place in the trash. Nothing where nothing is there, or it may not be replaced.
pub struct Replaced(Option<TrashSlot>);

impl Replaced {
    /// Nothing.
    pub const NOTHING: Self = Self(None);

    /// Reserves a place in the trash for what is at a path, if the user forces its replacement. An agent cannot: what people made
    /// stays.
    ///
    /// # Errors
    /// Where the trash cannot be written; then nothing may be replaced.
    pub fn reserve(app: &App, place: &Path, is_forced: bool) -> Result<Self, Failure> {
        if !is_forced || app.call.is_agent() || app.ports.deployer.look(place)? == Occupant::Nothing {
            return Ok(Self::NOTHING);
        }
        Ok(Self(Some(app.ports.trash.reserve(place)?)))
    }

    /// The name beside its place under which it is kept until the trash takes it.
    pub fn aside(&self) -> Option<&str> {
        self.0.as_ref().map(|slot| slot.aside.as_str())
    }

    /// Moves it into the trash, and names it to the user.
    ///
    /// # Errors
    /// Where the trash cannot be written; it is then still beside its place.
    pub fn take(self, run: &mut Run<'_>) -> Result<(), Failure> {
        let Some(slot) = self.0 else { return Ok(()) };
        run.app.ports.trash.take(&slot)?;
        let path = slot.place.to_string_lossy().into_owned();
        run.warn(Warning::MovedToTrash { path, id: slot.id });
        Ok(())
    }
}
