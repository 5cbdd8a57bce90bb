//! Faults and warnings as the JSON object that every surface sends.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use skillc_domain::fault::{Fault, Warning};
use skillc_domain::reader::Reader;

/// Whether a hint is a question followed by possible answers. It is printed unchanged, after an empty line
/// (RFC-0002:C-SHOW); any other hint follows `hint:`.
pub fn is_question(hint: &str) -> bool {
    hint.lines().next().is_some_and(|first| first.ends_with('?'))
}

/// A fault or warning for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// A code of RFC-0005, such as `E001`.
    pub code: &'static str,
    /// The fact, on one line.
    pub message: String,
    /// A command or an edit that helps.
    pub hint: Option<String>,
    /// The paths of the skills that an ambiguous name may refer to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

impl From<&Fault> for Diagnostic {
    fn from(fault: &Fault) -> Self {
        Self::of(fault, Reader::Person)
    }
}

impl From<&Warning> for Diagnostic {
    fn from(warning: &Warning) -> Self {
        let (message, hint) = (warning.to_string(), warning.hint(Reader::Person));
        Self { code: warning.code(), message, hint, candidates: Vec::new() }
    }
}

impl Diagnostic {
    /// A fault, worded for a reader.
    pub fn of(fault: &Fault, to: Reader) -> Self {
        let candidates = fault.candidates().into_iter().map(str::to_owned).collect();
        Self { code: fault.code(), message: fault.message(to), hint: fault.hint(to), candidates }
    }

    /// Converts to a JSON object.
    pub fn json(&self) -> Value {
        // Strings can always be serialized.
        serde_json::to_value(self).unwrap_or_default()
    }
}
