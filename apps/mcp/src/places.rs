//! How many connections a server has at a time, and which one goes when there are too many. It knows no streams.
//!
//! A connection comes as a stranger. One that proved itself (over HTTP by the token, on a socket by its first line) is
//! known. When a further one comes to a full server, the stranger who came first goes; so whoever never proves himself
//! holds up nobody.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

/// How often a full server looks whether somebody has been quiet for long enough.
const LOOK: Duration = Duration::from_secs(1);

/// The places of a server. A clone is the same.
#[derive(Clone)]
pub struct Places(Arc<Shared>);

struct Shared {
    places_max: usize,
    quiet_max: Duration,
    state: Mutex<State>,
    left: Notify,
}

#[derive(Default)]
struct State {
    next: u64,
    taken: BTreeMap<u64, Taken>,
}

struct Taken {
    is_known: bool,
    heard: Instant,
    /// Dropped when the connection has to go.
    _stay: oneshot::Sender<()>,
}

/// The place of one connection, given back when it is dropped.
pub struct Place {
    places: Places,
    number: u64,
}

/// Resolves when a connection has to go.
pub struct Leave(oneshot::Receiver<()>);

impl Places {
    /// For so many connections. Of known ones, when all are known, the one goes that was quiet for the longest time, but
    /// only after `quiet_max`.
    pub fn new(places_max: usize, quiet_max: Duration) -> Self {
        let (state, left) = (Mutex::default(), Notify::new());
        Self(Arc::new(Shared { places_max, quiet_max, state, left }))
    }

    /// A place for a connection that came. Waits only while all others are known and none of them is quiet.
    pub async fn take(&self) -> (Place, Leave) {
        loop {
            if let Some(taken) = self.try_take() {
                return taken;
            }
            // Where nobody left, somebody may have become quiet.
            let _ = timeout(LOOK, self.0.left.notified()).await;
        }
    }

    /// Sends away the stranger who came first, as where the system has no more descriptors.
    pub fn send_away_a_stranger(&self) {
        let mut state = self.state();
        if let Some(number) = state.stranger() {
            state.taken.remove(&number);
        }
    }

    fn try_take(&self) -> Option<(Place, Leave)> {
        let mut state = self.state();
        if state.taken.len() >= self.0.places_max {
            let number = state.stranger().or_else(|| state.quiet(self.0.quiet_max))?;
            state.taken.remove(&number);
        }
        let (stay, leave) = oneshot::channel();
        let number = state.next;
        state.next += 1;
        state.taken.insert(number, Taken { is_known: false, heard: Instant::now(), _stay: stay });
        Some((Place { places: self.clone(), number }, Leave(leave)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The stranger who came first.
    fn stranger(&self) -> Option<u64> {
        self.taken.iter().find(|(_, taken)| !taken.is_known).map(|(number, _)| *number)
    }

    /// The connection that was quiet for the longest time, if that is long enough.
    fn quiet(&self, quiet_max: Duration) -> Option<u64> {
        let (number, taken) = self.taken.iter().min_by_key(|(_, taken)| taken.heard)?;
        (taken.heard.elapsed() >= quiet_max).then_some(*number)
    }
}

impl Place {
    /// The connection proved itself, or once more gave a sign of life.
    pub fn is_heard(&self) {
        if let Some(taken) = self.places.state().taken.get_mut(&self.number) {
            (taken.is_known, taken.heard) = (true, Instant::now());
        }
    }

    /// Whether the connection proved itself.
    pub fn is_known(&self) -> bool {
        self.places.state().taken.get(&self.number).is_some_and(|taken| taken.is_known)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.state().taken.remove(&self.number);
        self.places.0.left.notify_one();
    }
}

impl Leave {
    /// Waits until the connection has to go.
    pub async fn told(&mut self) {
        // Nothing is ever sent: the other end goes.
        let _ = (&mut self.0).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::yield_now;

    fn has_to_go((_, leave): &mut (Place, Leave)) -> bool {
        leave.0.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    fn full(places_max: usize, quiet_max: Duration) -> (Places, Vec<(Place, Leave)>) {
        let places = Places::new(places_max, quiet_max);
        let taken = (0..places_max).map(|_| places.try_take().unwrap()).collect();
        (places, taken)
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn the_stranger_who_came_first_goes_and_nobody_who_is_known() {
        let (places, mut taken) = full(3, Duration::MAX);
        taken[0].0.is_heard();
        taken.push(places.try_take().unwrap());
        assert_eq!(taken.iter_mut().map(has_to_go).collect::<Vec<_>>(), [false, true, false, false]);
        taken[2].0.is_heard();
        taken[3].0.is_heard();
        assert!(places.try_take().is_none(), "all are known");
        places.send_away_a_stranger();
        assert_eq!(taken.iter_mut().filter_map(|one| has_to_go(one).then_some(())).count(), 1);
        drop(taken.remove(0));
        assert!(places.try_take().is_some());
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn of_those_who_are_known_the_one_goes_that_was_quiet_the_longest() {
        let (places, mut taken) = full(3, Duration::ZERO);
        taken.iter().for_each(|(place, _)| place.is_heard());
        taken[0].0.is_heard();
        taken.push(places.try_take().unwrap());
        assert_eq!(taken.iter_mut().map(has_to_go).collect::<Vec<_>>(), [false, true, false, false]);
        assert!(!taken[1].0.is_known(), "whoever went is known no more");
        taken[1].0.is_heard();
        assert!(has_to_go(&mut taken[1]));
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn a_place_that_is_left_is_taken_by_whoever_waits() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (places, mut taken) = full(1, Duration::MAX);
            taken[0].0.is_heard();
            let waiting = tokio::spawn(async move { places.take().await.0.is_known() });
            yield_now().await;
            assert!(!waiting.is_finished());
            taken.clear();
            assert!(!waiting.await.unwrap());
        });
    }
}
