//! Finding skills: bringing the index up to what the catalog says, and asking it (RFC-0011).

mod ask;
mod beside;
mod entry;
mod error;
mod meaning;
mod memo;
mod refresh;
mod reply;
mod search;
mod team;

pub use ask::{Asked, Found, Meaning, by_words, find, ids, rank};
pub use beside::embed_beside;
pub use entry::Reading;
pub use error::SearchError;
pub use meaning::{Embedding, embed_missing};
pub use memo::DirectoryMemo;
pub use refresh::refresh;
pub use reply::{FindInTeam, FindParts, FindReply, FindResult};
pub use search::{Answer, Begun, SearchAsk, Way, search};
pub use team::{TeamAnswer, TeamAsk, TeamHit, find_in_team};
