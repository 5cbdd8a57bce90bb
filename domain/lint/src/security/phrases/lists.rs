//! Words that several phrases share.

use crate::security::word_lists::WordLists;

/// `@name` in a phrase is one word of the list `name`.
pub static LISTS: WordLists = WordLists::new(include_str!("../../../data/phrases/lists.txt"));
