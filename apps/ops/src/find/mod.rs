//! Finding skills: bringing the directory up to what the catalogue says, and asking it (RFC-0011).

mod ask;
mod beside;
mod entry;
mod meaning;
mod refresh;
mod team;

pub use ask::{Asked, Found, find};
pub use beside::embed_beside;
pub use entry::Reading;
pub use meaning::{Embedding, embed_missing};
pub use refresh::refresh;
pub use team::{TeamAnswer, TeamAsk, TeamHit, find_in_team};
