//! For a search that finds nothing: the words of its query that some section has together.

use skillc_domain::discovery::words::is_stop_word;
use skillc_domain::query::Query;
use skillc_domain::text::case_fold::fold;
use skillc_ports::{IndexReader, Patience, PortError};

/// Number of words of a query that are considered, since each costs two searches.
const WORDS_MAX: usize = 12;

/// The query without function words and words that no section has, and without one more word if the rest still finds
/// nothing; `None` if that leaves nothing to search for.
///
/// # Errors
/// Those of a search.
pub async fn matching_words(
    index: &dyn IndexReader,
    query: &Query,
    patience: &Patience,
) -> Result<Option<String>, PortError> {
    let mut words = Vec::new();
    for word in query.words().filter(|word| !is_stop_word(&fold(word))).take(WORDS_MAX) {
        if finds(index, word, patience).await? {
            words.push(word);
        }
    }
    let all = words.join(" ");
    if words.is_empty() || finds(index, &all, patience).await? {
        return Ok(Some(all).filter(|all| !all.is_empty()));
    }
    for left_out in (0..words.len()).rev() {
        let others = words.iter().enumerate().filter(|(at, _)| *at != left_out);
        let others = others.map(|(_, word)| *word).collect::<Vec<_>>().join(" ");
        if finds(index, &others, patience).await? {
            return Ok(Some(others));
        }
    }
    Ok(None)
}

async fn finds(index: &dyn IndexReader, words: &str, patience: &Patience) -> Result<bool, PortError> {
    match Query::parse(words) {
        Ok(query) => Ok(!index.search(&query, 1, patience).await?.is_empty()),
        Err(_) => Ok(false),
    }
}
