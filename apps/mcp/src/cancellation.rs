//! Cancellation of requests over HTTP: the notification is a request of its own that names the session and the id.

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, RequestId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// A request of a session.
type Key = (String, RequestId);

/// The session requests that are being answered.
#[derive(Clone, Default)]
pub struct PendingRequests(Arc<Mutex<HashMap<Key, oneshot::Sender<()>>>>);

/// A request that is being answered, until it is dropped.
pub struct PendingRequest {
    key: Key,
    all: PendingRequests,
    cancelled: oneshot::Receiver<()>,
}

impl PendingRequests {
    /// Records a message of a session. A cancellation notification ends the request that it names. `None` for a
    /// message that cannot be cancelled, and for an id that is already pending.
    pub fn receive(&self, session: &str, message: &ClientJsonRpcMessage) -> Option<PendingRequest> {
        match message {
            ClientJsonRpcMessage::Notification(sent) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.cancel(&(session.to_owned(), id.clone()));
                }
                None
            }
            ClientJsonRpcMessage::Request(sent) => match &sent.request {
                ClientRequest::InitializeRequest(_) => None,
                _ => self.add((session.to_owned(), sent.id.clone())),
            },
            _ => None,
        }
    }

    fn add(&self, key: Key) -> Option<PendingRequest> {
        let mut pending = self.locked();
        if pending.contains_key(&key) {
            return None;
        }
        let (cancel, cancelled) = oneshot::channel();
        pending.insert(key.clone(), cancel);
        Some(PendingRequest { key, all: self.clone(), cancelled })
    }

    fn cancel(&self, key: &Key) {
        if let Some(cancel) = self.locked().remove(key) {
            // An error means that the request has just been answered.
            let _ = cancel.send(());
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Key, oneshot::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingRequest {
    /// Resolves when the client cancels the request.
    pub async fn cancelled(&mut self) {
        if (&mut self.cancelled).await.is_err() {
            std::future::pending().await
        }
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.all.locked().remove(&self.key);
    }
}
