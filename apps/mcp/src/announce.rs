//! Announcements of changes, in the ways of both generations of the protocol.

use crate::changes::{Change, Listener};
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use skillc_domain::skill_uri::SkillUri;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// Names that one client may subscribe to: more than any shows at a time.
const SUBSCRIPTIONS_MAX: usize = 1_000;

/// What one client of the older generation subscribed to. A clone is that of another client, and empty.
#[derive(Default)]
pub struct Subscriptions {
    uris: Arc<Mutex<BTreeSet<String>>>,
    /// The task that tells the client, once there is one. It ends with this value, and so with the session: only at the
    /// next change would it find out by itself that nobody is left.
    telling: Mutex<JoinSet<()>>,
}

impl Clone for Subscriptions {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Subscriptions {
    /// Adds a name; `false` for one too many.
    pub fn add(&self, uri: String) -> bool {
        let mut uris = locked(&self.uris);
        let fits = uris.len() < SUBSCRIPTIONS_MAX || uris.contains(&uri);
        if fits {
            uris.insert(uri);
        }
        fits
    }

    /// Takes a name away, if it was there.
    pub fn remove(&self, uri: &str) {
        locked(&self.uris).remove(uri);
    }

    /// Tells this client every change until it is gone; once, however often it says that it is ready.
    pub fn announce(&self, mut changes: Listener, peer: Peer<RoleServer>) {
        let (uris, mut telling) = (self.uris.clone(), locked(&self.telling));
        if !telling.is_empty() {
            return;
        }
        telling.spawn(async move {
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

/// Tells a client of the newer generation what it asked for, until it no longer listens.
pub async fn announce(mut changes: Listener, context: &SubscriptionContext) {
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

/// What of a wish can be told at all.
pub fn acceptable(wish: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = SubscriptionFilter::new();
    accepted.resources_list_changed = wish.resources_list_changed;
    accepted.resource_subscriptions = wish
        .resource_subscriptions
        .as_ref()
        .map(|uris| uris.iter().take(SUBSCRIPTIONS_MAX).cloned().collect());
    accepted
}

/// The names of a client that a change is about: of a file itself, or of a folder above it.
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
