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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_as_written_and_a_table_by_its_kind() {
        let word = |text: &str| RawValue::Word(text.to_owned());
        let values =
            [word("a"), RawValue::Number(-7), RawValue::Other("1.5".into()), RawValue::Table(Vec::new())];
        assert_eq!(values.map(|value| value.shown()), ["a", "-7", "1.5", "a table"]);
    }
}
