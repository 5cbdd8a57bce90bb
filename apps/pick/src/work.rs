//! What takes time, on threads of its own, so that typing never waits.

use crate::source::Source;
use crate::state::{Effect, News, Place};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How long nothing is typed before it is asked what means something near: less than a person takes to look up.
const QUIET: Duration = Duration::from_millis(150);

/// Takes work; each kind is done in its order.
pub struct Work {
    reads: Sender<PathBuf>,
    asks: Sender<String>,
    switches: Sender<(String, bool, Place)>,
}

impl Work {
    /// Begins; what comes of it is told to `tell`.
    pub fn begin(source: Arc<Source>, tell: impl Fn(News) + Clone + Send + 'static) -> Self {
        let (reads, to_read) = channel();
        let (asks, to_ask) = channel();
        let (switches, to_switch) = channel::<(String, bool, Place)>();
        let (for_reads, for_asks) = ((source.clone(), tell.clone()), (source.clone(), tell.clone()));
        thread::spawn(move || read(&for_reads.0, &to_read, for_reads.1));
        thread::spawn(move || ask(&for_asks.0, &to_ask, for_asks.1));
        thread::spawn(move || {
            for (name, is_enabled, place) in to_switch {
                tell(News::Switched(source.switch(&name, is_enabled, place)));
            }
        });
        Self { reads, asks, switches }
    }

    /// Passes an effect on. A thread that is gone has ended the process already.
    pub fn take(&self, effect: Effect) {
        match effect {
            Effect::Read(path) => drop(self.reads.send(path)),
            Effect::Ask(query) => drop(self.asks.send(query)),
            Effect::Switch { name, is_enabled, place } => drop(self.switches.send((name, is_enabled, place))),
            Effect::End(_) => {}
        }
    }
}

/// Only the last of several is of interest.
fn read(source: &Source, wanted: &Receiver<PathBuf>, tell: impl Fn(News)) {
    while let Ok(first) = wanted.recv() {
        let path = wanted.try_iter().last().unwrap_or(first);
        tell(News::Preview(path.clone(), source.preview(&path)));
    }
}

/// The same, once nothing was typed for a while.
fn ask(source: &Source, wanted: &Receiver<String>, tell: impl Fn(News)) {
    while let Ok(mut query) = wanted.recv() {
        loop {
            match wanted.recv_timeout(QUIET) {
                Ok(newer) => query = newer,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        let near = source.near(&query);
        let is_known = near.is_some();
        tell(News::Near(query, near));
        if !is_known {
            return;
        }
    }
}
