//! How many requests are worked on at a time; who comes when there is no room waits.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Room for requests. A clone is the same room.
#[derive(Clone)]
pub struct Room(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    free: usize,
    /// Nobody is let in any more, and nobody is waited for.
    is_closed: bool,
}

/// A place in the room, given back when it is dropped.
pub struct Seat(Room);

impl Room {
    /// A room for so many.
    pub fn new(seats: usize) -> Self {
        let state = Mutex::new(State { free: seats, is_closed: false });
        Self(Arc::new(Shared { state, changed: Condvar::new() }))
    }

    /// Waits for a place; `None` once the room is closed.
    pub fn enter(&self) -> Option<Seat> {
        let state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |state: &mut State| state.free == 0 && !state.is_closed;
        let mut state = self.0.changed.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return None;
        }
        state.free -= 1;
        Some(Seat(self.clone()))
    }

    /// Waits until every place is free, or the room is closed.
    pub fn wait_until_empty(&self, seats: usize) {
        let state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |state: &mut State| state.free < seats && !state.is_closed;
        drop(self.0.changed.wait_while(state, waits));
    }

    /// Lets nobody in any more.
    pub fn close(&self) {
        self.change(|state| state.is_closed = true);
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_all();
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.change(|state| state.free += 1);
    }
}
