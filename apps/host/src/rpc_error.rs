//! The errors of the protocol (RFC-0012:C-ERRORS).

use crate::contract::Command;
use serde_json::{Value, json};
use skillc_domain::fault::Fault;
use skillc_ops::Diagnostic;

/// The code for a failed operation, from the range that JSON-RPC reserves for servers.
const FAILED: i64 = -32000;

#[derive(Debug, PartialEq)]
pub struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    /// The line is not JSON.
    pub fn parse(message: impl Into<String>) -> Self {
        Self::bare(-32700, message)
    }

    /// The JSON is not a request.
    pub fn request(message: impl Into<String>) -> Self {
        Self::bare(-32600, message)
    }

    /// The method is unknown; the hint lists all methods.
    pub fn method(name: &str) -> Self {
        let hint = format!("methods: {}", Command::METHODS.join(", "));
        let data = Some(json!({ "hint": hint }));
        Self { code: -32601, message: format!("unknown method '{name}'"), data }
    }

    /// The parameters are invalid: E100.
    pub fn params(message: impl Into<String>) -> Self {
        Self::from(&Fault::invalid_option(message))
    }

    /// Something outside of the request failed: E999.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::from(&Fault::Internal { message: message.into() })
    }

    /// The request panicked; standard error has the panic itself.
    pub fn panicked() -> Self {
        Self::internal("skc panicked; this request was ended")
    }

    fn bare(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// As the member `error` of a response.
    pub fn json(self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        error
    }
}

/// E100 is an error of the parameters, E999 an internal error, and any other fault a failed operation.
impl From<&Fault> for RpcError {
    fn from(fault: &Fault) -> Self {
        let code = match fault {
            Fault::InvalidOption { .. } => -32602,
            Fault::Internal { .. } => -32603,
            _ => FAILED,
        };
        Self { code, message: fault.to_string(), data: Some(Diagnostic::from(fault).json()) }
    }
}
