//! Why a request gets no result, as an error of JSON-RPC (RFC-0012:C-ERRORS).

use crate::contract::Command;
use serde_json::{Value, json};
use skillc_domain::fault::Fault;

/// An error of the operation below the method, from the range that JSON-RPC leaves to servers.
const FAILED: i64 = -32000;

/// An error that answers a request.
#[derive(Debug, PartialEq)]
pub struct Refusal {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Refusal {
    /// A line that is no JSON.
    pub fn parse(message: impl Into<String>) -> Self {
        Self::bare(-32700, message)
    }

    /// JSON that is no request.
    pub fn request(message: impl Into<String>) -> Self {
        Self::bare(-32600, message)
    }

    /// A method that nobody knows.
    pub fn method(name: &str) -> Self {
        let hint = format!("methods: {}", Command::METHODS.join(", "));
        let data = Some(json!({ "hint": hint }));
        Self { code: -32601, message: format!("unknown method '{name}'"), data }
    }

    /// Parameters that do not fit.
    pub fn params(message: impl Into<String>) -> Self {
        Self::from(&Fault::invalid_option(message))
    }

    /// A panic; what it was stands on standard error.
    pub fn panicked() -> Self {
        let message = "skc panicked; this request was ended".to_owned();
        Self::from(&Fault::Internal { message })
    }

    fn bare(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// As it is written.
    pub fn json(self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        error
    }
}

/// Parameters that mean nothing are the client's, a fault of the machine is ours, anything else is the operation's.
impl From<&Fault> for Refusal {
    fn from(fault: &Fault) -> Self {
        let code = match fault {
            Fault::InvalidOption { .. } => -32602,
            Fault::Internal { .. } => -32603,
            _ => FAILED,
        };
        let data = Some(json!({ "code": fault.code(), "hint": fault.hint() }));
        Self { code, message: fault.to_string(), data }
    }
}
