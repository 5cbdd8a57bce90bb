//! From the first screen to the last: what comes in is taken in order, and drawn when there is nothing more of it.

use crate::item::ScopeFilter;
use crate::keys::key;
use crate::screen::{Look, draw};
use crate::source::Source;
use crate::state::{Effect, Key, News, State};
use crate::terminal::{self, Screen};
use crate::work::Work;
use ratatui::crossterm::event::{self, Event};
use skillc_domain::fault::Fault;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// How the picker begins.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is typed already.
    pub query: String,
    /// Which skills are shown first.
    pub scope: ScopeFilter,
    /// Whether colour is wanted.
    pub has_colour: bool,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// With a skill: its SKILL.md.
    Skill(PathBuf),
    /// With none.
    Nothing,
}

/// What comes in.
enum Coming {
    Event(Event),
    News(News),
    /// Nothing more can be typed, or the process is told to end.
    Over,
}

/// Lets a person pick a skill. The terminal is as it was when this returns.
///
/// # Errors
/// E085 where there is no terminal.
pub fn pick(source: Source, asked: &Asked) -> Result<Picked, Fault> {
    terminal::check()?;
    let source = Arc::new(source);
    let (mut state, effects) = State::new(source.items(), &asked.query, asked.scope);
    let (sender, coming) = channel();
    let mut screen = Screen::open()?;
    listen(sender.clone());
    let work = Work::begin(source, move |news| drop(sender.send(Coming::News(news))));
    effects.into_iter().for_each(|effect| work.take(effect));
    let look = Look { has_colour: asked.has_colour };
    loop {
        if screen.terminal.draw(|frame| draw(frame, &mut state, look)).is_err() {
            return Ok(Picked::Nothing);
        }
        for effect in next(&mut state, &coming) {
            match effect {
                Effect::End(Some(path)) => return Ok(Picked::Skill(path)),
                Effect::End(None) => return Ok(Picked::Nothing),
                effect => work.take(effect),
            }
        }
    }
}

/// Waits for something, and takes with it all that is there already.
fn next(state: &mut State, coming: &Receiver<Coming>) -> Vec<Effect> {
    let mut effects = Vec::new();
    let first = coming.recv().unwrap_or(Coming::Over);
    for one in std::iter::once(first).chain(coming.try_iter()) {
        effects.extend(match one {
            Coming::Event(event) => key(event).map(|key| state.press(key)).unwrap_or_default(),
            Coming::News(news) => state.hear(news),
            Coming::Over => state.press(Key::Cancel),
        });
        if matches!(effects.last(), Some(Effect::End(_))) {
            break;
        }
    }
    effects
}

/// Listens to the terminal and to signals, each on a thread of its own that ends with the process.
fn listen(sender: Sender<Coming>) {
    let over = sender.clone();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Coming::Event(event)).is_err() {
                return;
            }
        }
        let _ = sender.send(Coming::Over);
    });
    #[cfg(unix)]
    thread::spawn(move || {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) else {
            return;
        };
        if signals.forever().next().is_some() {
            let _ = over.send(Coming::Over);
        }
    });
    #[cfg(not(unix))]
    drop(over);
}
