//! The information about the client in the head of an HTTP request.

use rmcp::RoleServer;
use rmcp::service::RequestContext;

/// The header that names the session of an HTTP request.
#[cfg(feature = "http")]
pub const SESSION_HEADER: &str = "mcp-session-id";

/// The head of a request.
pub struct HttpHead {
    /// The session that the client names.
    pub session: Option<String>,
    /// Its `User-Agent`.
    pub user_agent: Option<String>,
}

impl HttpHead {
    /// The head of a request; `None` if it did not come over HTTP.
    #[cfg(feature = "http")]
    pub fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let head = context.extensions.get::<hyper::http::request::Parts>()?;
        let text = |name: &str| head.headers.get(name)?.to_str().ok().map(str::to_owned);
        Some(Self { session: text(SESSION_HEADER), user_agent: text(hyper::header::USER_AGENT.as_str()) })
    }

    /// `None`: no request comes over HTTP.
    #[cfg(not(feature = "http"))]
    pub fn of(_: &RequestContext<RoleServer>) -> Option<Self> {
        None
    }
}
