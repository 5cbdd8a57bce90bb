//! The inputs and outputs of the state.

use crate::preview::Preview;
use std::path::PathBuf;

/// An action of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Inserts a character into the query.
    Char(char),
    /// Inserts a text into the query.
    Paste(String),
    /// Deletes the character before the cursor.
    Backspace,
    /// Deletes the character at the cursor.
    Delete,
    /// Deletes the word before the cursor.
    DeleteWord,
    /// Deletes the whole query.
    Clear,
    /// Moves the cursor left.
    Left,
    /// Moves the cursor right.
    Right,
    /// Moves the cursor to the start.
    Home,
    /// Moves the cursor to the end.
    End,
    /// Selects the skill above.
    Up,
    /// Selects the skill below.
    Down,
    /// Moves the selection up by one page.
    PageUp,
    /// Moves the selection down by one page.
    PageDown,
    /// Scrolls the preview up.
    PreviewUp,
    /// Scrolls the preview down.
    PreviewDown,
    /// Shows the next scope.
    NextScope,
    /// Switches the selected skill on or off in a configuration file.
    Switch(SettingsScope),
    /// Picks the selected skill.
    Pick(PickAction),
    /// Ends without a skill.
    Cancel,
}

/// What to do with the picked skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickAction {
    /// Load it, and copy its path.
    CopyPath,
    /// Load it, and copy its text.
    CopyText,
    /// Open its file in the editor.
    Edit,
}

/// The configuration file that a switch changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsScope {
    /// That of the user.
    User,
    /// That of the project.
    Project,
}

/// The result of an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickerEvent {
    /// The paths of skills with a meaning similar to a query, best first; `None` without a model.
    Similar(String, Option<Vec<PathBuf>>),
    /// The preview of a SKILL.md.
    Preview(PathBuf, Preview),
    /// Whether each item is enabled after a switch, or the reason it failed.
    Switched(Result<Vec<bool>, String>),
}

/// Work that the state requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read the preview of this SKILL.md.
    Preview(PathBuf),
    /// Search for skills with a meaning similar to this query.
    Search(String),
    /// Switch a skill on or off.
    Switch {
        /// The name of the skill.
        name: String,
        /// Whether to switch it on.
        is_enabled: bool,
        /// The configuration file to change.
        scope: SettingsScope,
    },
    /// End, with the SKILL.md of the picked skill if there is one, and what to do with it.
    End(Option<(PathBuf, PickAction)>),
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// The position of the item.
    pub at: u32,
    /// Whether only its meaning matches.
    pub is_similar: bool,
}
