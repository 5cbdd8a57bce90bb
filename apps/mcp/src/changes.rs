//! What changes among the files that are served, found by one thread for all clients.

use skillc_domain::skill_uri::SkillUri;
use skillc_ops::App;
use skillc_ops::serve::{Shelf, Snapshot, watched_folders};
use skillc_ports::{Changed, PortError, Watch, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// How long nothing may happen before a change counts as done: editors and builds write in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// How long changes are gathered where they do not stop.
const GATHERED_MAX: Duration = Duration::from_secs(1);
/// How long a client that asks to be told is kept waiting for the watch to begin.
const BEGIN_MAX: Duration = Duration::from_secs(2);
/// Changes that wait for a slow client; one that falls behind is told that everything may have changed.
const WAITING_MAX: usize = 16;

/// The files that changed at one moment; `None` where they cannot be told any more.
pub type Change = Option<Arc<BTreeSet<SkillUri>>>;

/// Tells changes to whoever asks, from the first time that somebody asks.
pub struct Changes {
    app: Arc<App>,
    shelf: Arc<Shelf>,
    told: broadcast::Sender<Arc<BTreeSet<SkillUri>>>,
    has_begun: OnceLock<bool>,
}

impl Changes {
    /// Nothing is watched yet.
    pub fn new(app: Arc<App>, shelf: Arc<Shelf>) -> Self {
        let (told, _) = broadcast::channel(WAITING_MAX);
        Self { app, shelf, told, has_begun: OnceLock::new() }
    }

    /// Whether there is anything that could watch.
    pub fn can_be_told(&self) -> bool {
        self.app.watcher.is_some()
    }

    /// Begins to watch, the first time; whether changes are told. Blocks until then, for `BEGIN_MAX` at most.
    pub fn begin(&self) -> bool {
        *self.has_begun.get_or_init(|| {
            let Some(watcher) = self.app.watcher.clone() else { return false };
            let (app, shelf, told) = (self.app.clone(), self.shelf.clone(), self.told.clone());
            let (ready, is_ready) = channel();
            // It ends with the process: what it watches is of use as long as anybody could ask.
            thread::spawn(move || watch(&app, &shelf, watcher.as_ref(), &told, &ready));
            // Where it takes longer, it begins all the same.
            is_ready.recv_timeout(BEGIN_MAX).unwrap_or_else(|error| error == RecvTimeoutError::Timeout)
        })
    }

    /// Changes from now on.
    pub fn listen(&self) -> Listener {
        Listener(self.told.subscribe())
    }
}

/// One who is told.
pub struct Listener(broadcast::Receiver<Arc<BTreeSet<SkillUri>>>);

impl Listener {
    /// The next change.
    pub async fn next(&mut self) -> Change {
        match self.0.recv().await {
            Ok(changed) => Some(changed),
            Err(broadcast::error::RecvError::Lagged(_)) => None,
            // The sender lives as long as the server, which is who asks.
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Watches, compares and tells, for ever. Each time the watch is made anew: links and folders may have come.
fn watch(
    app: &App,
    shelf: &Shelf,
    watcher: &dyn Watcher,
    told: &broadcast::Sender<Arc<BTreeSet<SkillUri>>>,
    ready: &Sender<bool>,
) {
    let (happened, happenings) = channel();
    let changed: Changed = Arc::new(move || {
        // Whoever compares has ended, and with him the need to know.
        let _ = happened.send(());
    });
    let Ok((mut current, mut before)) = look(app, shelf, watcher, &changed) else {
        let _ = ready.send(false);
        return;
    };
    let _ = ready.send(true);
    while happenings.recv().is_ok() {
        settle(&happenings);
        let now = match look(app, shelf, watcher, &changed) {
            Ok((watch, now)) => {
                current = watch;
                now
            }
            // The old watch goes on.
            Err(_) => Snapshot::take(app, shelf).0,
        };
        let changes = before.changes(&now);
        before = now;
        if !changes.is_empty() {
            // Nobody listening is no failure.
            let _ = told.send(Arc::new(changes));
        }
    }
    drop(current);
}

/// A watch, and what is served after it began, so that no change falls between the two.
fn look(
    app: &App,
    shelf: &Shelf,
    watcher: &dyn Watcher,
    changed: &Changed,
) -> Result<(Box<dyn Watch>, Snapshot), PortError> {
    let skills: Vec<PathBuf> = Snapshot::take(app, shelf).1;
    let watch = watcher.watch(&watched_folders(app, &skills), changed.clone())?;
    Ok((watch, Snapshot::take(app, shelf).0))
}

/// Waits until nothing happens for a moment.
fn settle(happenings: &Receiver<()>) {
    let began = Instant::now();
    while began.elapsed() < GATHERED_MAX && happenings.recv_timeout(QUIET).is_ok() {}
}
