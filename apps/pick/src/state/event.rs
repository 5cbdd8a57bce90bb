//! What comes in, and what goes out.

use crate::preview::Preview;
use std::path::PathBuf;

/// What a person does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter.
    Char(char),
    /// A text at once.
    Paste(String),
    /// The letter before the cursor goes.
    Backspace,
    /// The letter at the cursor goes.
    Delete,
    /// The word before the cursor goes.
    DeleteWord,
    /// The whole query goes.
    Clear,
    /// The cursor moves.
    Left,
    /// The cursor moves.
    Right,
    /// The cursor moves to the beginning.
    Home,
    /// The cursor moves to the end.
    End,
    /// The skill above.
    Up,
    /// The skill below.
    Down,
    /// A screen up.
    PageUp,
    /// A screen down.
    PageDown,
    /// The preview moves up.
    PreviewUp,
    /// The preview moves down.
    PreviewDown,
    /// The next scope.
    NextScope,
    /// The selected skill is switched on or off, for this place.
    Switch(Place),
    /// The selected skill it is.
    Enter,
    /// None.
    Cancel,
}

/// Where a skill is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// For the user.
    User,
    /// In the project.
    Project,
}

/// What came from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Skills that mean something near a query, best first; `None` where nobody can tell.
    Near(String, Option<Vec<PathBuf>>),
    /// What a skill holds.
    Preview(PathBuf, Preview),
    /// A switch was made or not: which skills are on now, in the order of the items, or why not.
    Switched(Result<Vec<bool>, String>),
}

/// What is to be done elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Tell what this skill holds.
    Read(PathBuf),
    /// Tell what means something near.
    Ask(String),
    /// Switch the skill of this name.
    Switch {
        /// Its name.
        name: String,
        /// On.
        is_enabled: bool,
        /// Where.
        place: Place,
    },
    /// It is over: the skill, or none.
    End(Option<PathBuf>),
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which item.
    pub at: u32,
    /// Whether it is there for what it means.
    pub is_near: bool,
}
