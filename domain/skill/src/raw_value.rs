//! Values of a configuration file before interpretation.

/// A value of a configuration file.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValue {
    /// A string, without quotes.
    Word(String),
    /// An integer.
    Number(i128),
    /// A table, in file order.
    Table(Vec<(String, RawValue)>),
    /// Any other value, as written.
    Other(String),
}

impl RawValue {
    /// The value as written, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Word(word) | Self::Other(word) => word.clone(),
            Self::Number(number) => number.to_string(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}
