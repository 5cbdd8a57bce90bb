//! Isolates panics: only the request that panicked fails, and the server continues.

use rmcp::ErrorData;
use rmcp::model::{ClientNotification, ClientRequest, ProtocolVersion, ServerConfig, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// The message for the client; standard error has the panic itself.
pub const PANICKED: &str = "skc panicked; this request was ended";

/// A service whose panics become errors of their requests.
pub struct CatchPanic<S>(pub S);

impl<S: Service<RoleServer>> Service<RoleServer> for CatchPanic<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        catch_panic(self.0.handle_request(request, context)).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        catch_panic(self.0.handle_notification(notification, context)).await
    }

    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.0.supported_protocol_versions()
    }
}

async fn catch_panic<T>(response: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    let mut response = pin!(response);
    std::future::poll_fn(|context| {
        // Only ports outlive the panic, and their writes are atomic.
        let polled = catch_unwind(AssertUnwindSafe(|| response.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(ErrorData::internal_error(PANICKED, None))))
    })
    .await
}
