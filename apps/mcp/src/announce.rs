//! Notifies clients of changes, in the forms of both generations of the protocol.

use crate::changes::{Change, ChangeReceiver};
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use skillc_domain::skill_uri::SkillUri;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// URIs that one client may subscribe to: more than any client shows at once.
const SUBSCRIPTIONS_MAX: usize = 1_000;

/// The subscriptions of one client of the older generation. A clone belongs to another client and starts empty.
#[derive(Default)]
pub struct Subscriptions {
    uris: Arc<Mutex<BTreeSet<String>>>,
    /// The notifying task, once it has started. It is aborted when this value is dropped at the end of the session;
    /// otherwise it would only notice at the next change.
    task: Mutex<JoinSet<()>>,
}

impl Clone for Subscriptions {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Subscriptions {
    /// Adds a URI; `false` if the limit is reached.
    pub fn add(&self, uri: String) -> bool {
        let mut uris = locked(&self.uris);
        let fits = uris.len() < SUBSCRIPTIONS_MAX || uris.contains(&uri);
        if fits {
            uris.insert(uri);
        }
        fits
    }

    /// Removes a URI, if it is present.
    pub fn remove(&self, uri: &str) {
        locked(&self.uris).remove(uri);
    }

    /// Starts notifying the client of every change. Further calls do nothing.
    pub fn announce(&self, mut changes: ChangeReceiver, peer: Peer<RoleServer>) {
        let (uris, mut task) = (self.uris.clone(), locked(&self.task));
        if !task.is_empty() {
            return;
        }
        task.spawn(async move {
            loop {
                let change = changes.next().await;
                if peer.notify_resource_list_changed().await.is_err() {
                    return;
                }
                let touched = touched(locked(&uris).iter(), &change);
                for uri in touched {
                    let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                }
            }
        });
    }
}

/// Sends a client of the newer generation the notifications it asked for, until it stops listening.
pub async fn announce(mut changes: ChangeReceiver, context: &SubscriptionContext) {
    loop {
        let change = tokio::select! {
            () = context.cancelled() => return,
            change = changes.next() => change,
        };
        let sink = context.sink();
        if context.accepted().resources_list_changed == Some(true)
            && sink.notify_resource_list_changed().await.is_err()
        {
            return;
        }
        for uri in touched(context.accepted().resource_subscriptions.iter().flatten(), &change) {
            if sink.notify_resource_updated(uri).await.is_err() {
                return;
            }
        }
    }
}

/// The part of a requested filter that the server supports.
pub fn supported(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = requested.resources_list_changed;
    accepted.resource_subscriptions = requested
        .resource_subscriptions
        .as_ref()
        .map(|uris| uris.iter().take(SUBSCRIPTIONS_MAX).cloned().collect());
    accepted
}

/// The subscribed URIs that a change affects: those of a changed file, or of a folder above one.
fn touched<'a>(uris: impl Iterator<Item = &'a String>, change: &Change) -> Vec<String> {
    let is_touched = |uri: &&String| match (change, SkillUri::parse(uri)) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(changed), Some(asked)) => changed.iter().any(|file| is_in(file, &asked)),
    };
    uris.filter(is_touched).cloned().collect()
}

fn is_in(file: &SkillUri, asked: &SkillUri) -> bool {
    file.place == asked.place && (file.path == asked.path || file.path.below(&asked.path).is_some())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_about_a_file_and_the_folders_above_it() {
        let file = SkillUri::parse("skill://demo/a/b.md").unwrap();
        let change = Some(Arc::new(BTreeSet::from([file])));
        let asked = [
            "skill://demo/a/b.md",
            "skill://demo/a",
            "skill://demo",
            "skill://demo/a/c.md",
            "skill://demo/a/b",
            "skill://other/a/b.md",
            "file:///demo/a/b.md",
        ]
        .map(str::to_owned);
        assert_eq!(touched(asked.iter(), &change), &asked[..3]);
        assert_eq!(touched(asked.iter(), &None), &asked[..6]);
    }

    #[test]
    fn a_client_may_not_subscribe_without_end() {
        let subscriptions = Subscriptions::default();
        assert!((0..SUBSCRIPTIONS_MAX).all(|i| subscriptions.add(format!("skill://s{i}"))));
        assert!(!subscriptions.add("skill://more".to_owned()));
        assert!(subscriptions.add("skill://s1".to_owned()));
        subscriptions.remove("skill://s1");
        assert!(subscriptions.add("skill://more".to_owned()));
        assert!(locked(&subscriptions.clone().uris).is_empty());
    }
}
