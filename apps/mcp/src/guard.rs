//! The server with a net below it: a panic in an answer is an error for the one who asked, and for nobody else.

use crate::server::Server;
use rmcp::ErrorData;
use rmcp::model::{ClientNotification, ClientRequest, ProtocolVersion, ServerConfig, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// What a client is told of a panic; what it was stands on standard error.
pub const PANICKED: &str = "skc panicked; this call was ended";

/// The server, guarded.
pub struct Guarded(pub Server);

impl Service<RoleServer> for Guarded {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        caught(self.0.handle_request(request, context)).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        caught(self.0.handle_notification(notification, context)).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}

/// What comes of an answer, also where it panics.
async fn caught<T>(answer: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    let mut answer = pin!(answer);
    std::future::poll_fn(|context| {
        // Nothing of an answer outlives its panic but ports, whose writes are atomic.
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(ErrorData::internal_error(PANICKED, None))))
    })
    .await
}
