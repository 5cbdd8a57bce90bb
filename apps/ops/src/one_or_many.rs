//! A list that may be given as a single value, since other operations take one skill under the same key.

use serde::{Deserialize, Deserializer};

/// Deserializes a text as a list with one element.
///
/// # Errors
/// If the value is neither a text nor a list of texts.
pub fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
        Null(()),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
        OneOrMany::Null(()) => Vec::new(),
    })
}
