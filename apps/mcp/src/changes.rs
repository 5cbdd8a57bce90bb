//! Finds changes of the served files, on one thread for all clients.

use skillc_domain::skill_uri::SkillUri;
use skillc_ops::App;
use skillc_ops::serve::{ServedSkills, ServedSnapshot, watched_folders};
use skillc_ops::workspace::LiveApp;
use skillc_ports::{Changed, PortError, Watch, Watcher};
use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// Time without events after which a change counts as complete: editors and builds write in several steps.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// Longest time that changes are collected before they are reported.
const DEBOUNCE_MAX: Duration = Duration::from_secs(1);
/// Longest time that a subscribing client waits for the watch to start.
const START_MAX: Duration = Duration::from_secs(2);
/// Changes buffered for a slow client; one that falls behind is notified that everything may have changed.
const BUFFERED_MAX: usize = 16;

/// The files that changed together; `None` if any file may have changed.
pub type Change = Option<Arc<BTreeSet<SkillUri>>>;

/// Reports changes to all receivers. The watch starts with the first `start`.
pub struct Changes {
    app: Arc<LiveApp>,
    skills: Arc<ServedSkills>,
    sender: broadcast::Sender<Arc<BTreeSet<SkillUri>>>,
    is_started: OnceLock<bool>,
}

impl Changes {
    /// Changes of these skills; nothing is watched yet.
    pub fn new(app: Arc<LiveApp>, skills: Arc<ServedSkills>) -> Self {
        let (sender, _) = broadcast::channel(BUFFERED_MAX);
        Self { app, skills, sender, is_started: OnceLock::new() }
    }

    /// Whether this machine can watch files at all.
    pub fn is_supported(&self) -> bool {
        self.app.initial().ports.watcher.is_some()
    }

    /// Starts the watch on the first call; returns whether changes are reported. Blocks until the watch has started,
    /// for `START_MAX` at most.
    pub fn start(&self) -> bool {
        *self.is_started.get_or_init(|| {
            let Some(watcher) = self.app.initial().ports.watcher.clone() else { return false };
            let (app, skills, sender) = (self.app.clone(), self.skills.clone(), self.sender.clone());
            let (ready, is_ready) = channel();
            // Never joined: it watches until the process ends.
            thread::spawn(move || watch(&app, &skills, watcher.as_ref(), &sender, &ready));
            // A slow start is still a start.
            is_ready.recv_timeout(START_MAX).unwrap_or_else(|error| error == RecvTimeoutError::Timeout)
        })
    }

    /// A receiver of all changes from now on.
    pub fn subscribe(&self) -> ChangeReceiver {
        ChangeReceiver(self.sender.subscribe())
    }
}

pub struct ChangeReceiver(broadcast::Receiver<Arc<BTreeSet<SkillUri>>>);

impl ChangeReceiver {
    /// Waits for the next change.
    pub async fn next(&mut self) -> Change {
        match self.0.recv().await {
            Ok(changed) => Some(changed),
            Err(broadcast::error::RecvError::Lagged(_)) => None,
            // The sender lives as long as the server.
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Watches, compares and reports forever. The watch is replaced after each change, since links and folders may be new.
fn watch(
    app: &LiveApp,
    skills: &ServedSkills,
    watcher: &dyn Watcher,
    sender: &broadcast::Sender<Arc<BTreeSet<SkillUri>>>,
    ready: &Sender<bool>,
) {
    let (event, events) = channel();
    let changed: Changed = Arc::new(move || {
        // Fails only after this function has returned.
        let _ = event.send(());
    });
    let Ok((mut current, mut before)) = start_watch(&app.current(), skills, watcher, &changed) else {
        let _ = ready.send(false);
        return;
    };
    let _ = ready.send(true);
    while events.recv().is_ok() {
        debounce(&events);
        let now = match start_watch(&app.current(), skills, watcher, &changed) {
            Ok((watch, now)) => {
                current = watch;
                now
            }
            // The old watch stays in place.
            Err(_) => ServedSnapshot::take(&app.current(), skills),
        };
        let changes = before.changes(&now);
        before = now;
        if !changes.is_empty() {
            // An error means only that there are no receivers.
            let _ = sender.send(Arc::new(changes));
        }
    }
    drop(current);
}

/// Starts a watch, and takes a snapshot after its start, so that no change is missed between the two.
fn start_watch(
    app: &App,
    skills: &ServedSkills,
    watcher: &dyn Watcher,
    changed: &Changed,
) -> Result<(Box<dyn Watch>, ServedSnapshot), PortError> {
    let watch = watcher.watch(&watched_folders(app, skills), changed.clone())?;
    Ok((watch, ServedSnapshot::take(app, skills)))
}

/// Waits until no event arrives for `DEBOUNCE`.
fn debounce(events: &Receiver<()>) {
    let began = Instant::now();
    while began.elapsed() < DEBOUNCE_MAX && events.recv_timeout(DEBOUNCE).is_ok() {}
}
