//! The main loop of the picker: handles all pending input in order, and then draws.

use crate::item::ScopeView;
use crate::keys::key;
use crate::screen::{Theme, draw};
use crate::source::SkillSource;
use crate::state::{Effect, Key, PickAction, PickerEvent, State};
use crate::terminal::{self, Screen};
use crate::work::Workers;
use ratatui::crossterm::event::{self, Event};
use skillc_domain::fault::Fault;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The initial state of the picker.
#[derive(Clone, Debug)]
pub struct PickOptions {
    /// Text that the search line holds at the start; may be empty.
    pub query: String,
    /// The scope shown first.
    pub scope: ScopeView,
    /// Whether to draw in color.
    pub has_color: bool,
}

/// The result of the picker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The path of the SKILL.md of the picked skill, and what to do with it.
    Skill(PathBuf, PickAction),
    /// The user cancelled, or the input ended.
    Nothing,
}

/// Input of the main loop.
enum Input {
    Terminal(Event),
    Picker(PickerEvent),
    /// The terminal is closed, or a signal asks the process to end.
    Closed,
}

/// Lets the user pick a skill. The terminal is restored when this returns.
///
/// # Errors
/// E085 without a terminal.
pub fn pick(source: SkillSource, options: &PickOptions) -> Result<Picked, Fault> {
    terminal::check()?;
    let source = Arc::new(source);
    let (mut state, effects) = State::new(source.items(), &options.query, options.scope);
    let (sender, input) = channel();
    let mut screen = Screen::open()?;
    listen(sender.clone());
    let workers = Workers::start(source, move |event| drop(sender.send(Input::Picker(event))));
    effects.into_iter().for_each(|effect| workers.run(effect));
    let theme = Theme { has_color: options.has_color };
    loop {
        if screen.terminal.draw(|frame| draw(frame, &mut state, theme)).is_err() {
            return Ok(Picked::Nothing);
        }
        for effect in handle_pending(&mut state, &input) {
            match effect {
                Effect::End(Some((path, action))) => return Ok(Picked::Skill(path, action)),
                Effect::End(None) => return Ok(Picked::Nothing),
                effect => workers.run(effect),
            }
        }
    }
}

/// Waits for input, and handles all that is pending.
fn handle_pending(state: &mut State, input: &Receiver<Input>) -> Vec<Effect> {
    let mut effects = Vec::new();
    let first = input.recv().unwrap_or(Input::Closed);
    for next in std::iter::once(first).chain(input.try_iter()) {
        effects.extend(match next {
            Input::Terminal(event) => key(event).map(|key| state.handle_key(key)).unwrap_or_default(),
            Input::Picker(event) => state.handle_event(event),
            Input::Closed => state.handle_key(Key::Cancel),
        });
        if matches!(effects.last(), Some(Effect::End(_))) {
            break;
        }
    }
    effects
}

/// Listens to the terminal and to signals, each on a thread that ends with the process.
fn listen(sender: Sender<Input>) {
    let closer = sender.clone();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Input::Terminal(event)).is_err() {
                return;
            }
        }
        let _ = sender.send(Input::Closed);
    });
    #[cfg(unix)]
    thread::spawn(move || {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) else {
            return;
        };
        if signals.forever().next().is_some() {
            let _ = closer.send(Input::Closed);
        }
    });
    #[cfg(not(unix))]
    drop(closer);
}
