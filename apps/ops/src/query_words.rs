//! The words of a query: several arguments on the command line, which need no quotes; one text everywhere else.

use serde::{Deserialize, Deserializer, Serializer};

/// Serializes the words as one text.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(words: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&words.join(" "))
}

/// Deserializes a text as a query of one argument.
///
/// # Errors
/// If the value is not a text.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    String::deserialize(deserializer).map(|text| vec![text])
}
