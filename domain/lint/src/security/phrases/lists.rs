//! Word lists that several phrases share.

use crate::security::word_lists::WordLists;

/// The lists. `@name` in a phrase matches one word of the list `name`.
pub static LISTS: WordLists = WordLists::new(include_str!("../../../data/phrases/lists.txt"));
