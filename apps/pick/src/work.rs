//! Slow work on threads of its own, so that typing never waits.

use crate::source::SkillSource;
use crate::state::{Effect, PickerEvent, SettingsScope};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Pause in typing after which a semantic search starts: shorter than a glance at the screen.
const DEBOUNCE: Duration = Duration::from_millis(150);

/// The worker threads, one for each kind of work.
pub struct Workers {
    previews: Sender<PathBuf>,
    searches: Sender<String>,
    switches: Sender<(String, bool, SettingsScope)>,
}

impl Workers {
    /// Starts the threads; they pass their results to `emit`.
    pub fn start(source: Arc<SkillSource>, emit: impl Fn(PickerEvent) + Clone + Send + 'static) -> Self {
        let (previews, to_preview) = channel();
        let (searches, to_search) = channel();
        let (switches, to_switch) = channel::<(String, bool, SettingsScope)>();
        let (for_previews, for_searches) = ((source.clone(), emit.clone()), (source.clone(), emit.clone()));
        thread::spawn(move || preview(&for_previews.0, &to_preview, for_previews.1));
        thread::spawn(move || search(&for_searches.0, &to_search, for_searches.1));
        thread::spawn(move || {
            for (name, is_enabled, scope) in to_switch {
                emit(PickerEvent::Switched(source.switch(&name, is_enabled, scope)));
            }
        });
        Self { previews, searches, switches }
    }

    /// Queues an effect. It is dropped if its thread has ended, as that of searches does without a model.
    pub fn run(&self, effect: Effect) {
        match effect {
            Effect::Preview(path) => drop(self.previews.send(path)),
            Effect::Search(query) => drop(self.searches.send(query)),
            Effect::Switch { name, is_enabled, scope } => drop(self.switches.send((name, is_enabled, scope))),
            Effect::End(_) => {}
        }
    }
}

/// Reads the most recently requested preview.
fn preview(source: &SkillSource, requests: &Receiver<PathBuf>, emit: impl Fn(PickerEvent)) {
    while let Ok(first) = requests.recv() {
        let path = requests.try_iter().last().unwrap_or(first);
        emit(PickerEvent::Preview(path.clone(), source.preview(&path)));
    }
}

/// Searches for the last query once typing pauses.
fn search(source: &SkillSource, queries: &Receiver<String>, emit: impl Fn(PickerEvent)) {
    while let Ok(mut query) = queries.recv() {
        loop {
            match queries.recv_timeout(DEBOUNCE) {
                Ok(newer) => query = newer,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        let paths = source.similar(&query);
        let is_supported = paths.is_some();
        emit(PickerEvent::Similar(query, paths));
        if !is_supported {
            return;
        }
    }
}
