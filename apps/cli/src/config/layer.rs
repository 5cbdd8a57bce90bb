//! The values of one source, as a layer of figment.

use super::schema::{CHOICES, TEXTS};
use figment::value::{Dict, Map, Value};
use figment::{Metadata, Profile, Provider};
use skillc_domain::limits::CONFIG_VERSION;

/// The name of the source of defaults.
pub const DEFAULT: &str = "default";

/// The known settings of one source.
#[derive(Clone)]
pub struct Layer {
    name: String,
    values: Dict,
}

impl Layer {
    /// A layer named after its source, the origin of its values.
    pub fn new(name: impl Into<String>, values: Dict) -> Self {
        Self { name: name.into(), values }
    }

    /// A layer with one setting.
    pub fn of_one(name: &str, section: &str, key: &str, value: &str) -> Self {
        let mut values = Dict::new();
        put(&mut values, section, key, value);
        Self::new(name, values)
    }

    /// The default of every setting.
    pub fn defaults() -> Self {
        let mut values = Dict::from([("version".to_owned(), Value::from(CONFIG_VERSION))]);
        for choice in CHOICES {
            put(&mut values, choice.section, choice.key, choice.default);
        }
        for text in TEXTS {
            put(&mut values, text.section, text.key, text.default);
        }
        Self::new(DEFAULT, values)
    }

    /// Whether the source sets nothing.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from([(Profile::Default, self.values.clone())]))
    }
}

/// Sets a value in a section.
pub fn put(values: &mut Dict, section: &str, key: &str, value: impl Into<Value>) {
    let entry = values.entry(section.to_owned()).or_insert_with(|| Value::from(Dict::new()));
    if let Value::Dict(_, inner) = entry {
        inner.insert(key.to_owned(), value.into());
    }
}
