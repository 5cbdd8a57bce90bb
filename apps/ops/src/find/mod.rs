//! Finds skills (RFC-0011): updates the skill index from the catalog, and searches it.

mod background;
mod complete_indexes;
mod embedding;
mod error;
mod matches;
mod mode;
mod rebuild;
mod refresh;
mod reply;
mod search;
mod skill_reader;
mod strategy;
mod team;

pub use complete_indexes::{CompleteIndex, CompleteIndexes};
pub use embedding::{EmbeddingProgress, embed_missing};
pub use error::SearchError;
pub use matches::{FindQuery, QueryVector, find};
pub use mode::FindMode;
pub use rebuild::{EmbeddingTime, Rebuilt, rebuild_skill_index};
pub use refresh::refresh;
pub use reply::{FindInTeam, FindParts, FindReply, FindResult, invalid};
pub use search::{CatalogSearch, PendingSearch, SearchOutcome, search};
pub use strategy::{MeaningModel, Strategy};
pub use team::{TeamHit, TeamOutcome, TeamQuery, find_in_team};
