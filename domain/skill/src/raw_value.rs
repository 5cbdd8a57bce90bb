//! A value of a configuration file before it is interpreted.

/// A value of a configuration file.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValue {
    /// A string, without its quotes.
    Word(String),
    /// A whole number.
    Number(i128),
    /// A table, in the order of the file.
    Table(Vec<(String, RawValue)>),
    /// Anything else, as it is written.
    Other(String),
}

impl RawValue {
    /// As it is written, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Word(word) | Self::Other(word) => word.clone(),
            Self::Number(number) => number.to_string(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}
