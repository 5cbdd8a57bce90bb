//! Limits the connections of a server, and chooses which one to evict when it is full. It performs no I/O.
//!
//! A connection starts untrusted. It becomes trusted with the token (HTTP) or its first line (socket). A full server
//! evicts the oldest untrusted connection to admit a new one, so that idle strangers cannot block it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

/// Interval at which a full server checks for idle connections.
const IDLE_CHECK: Duration = Duration::from_secs(1);

/// The connection slots of a server. Clones share them.
#[derive(Clone)]
pub struct Slots(Arc<Shared>);

struct Shared {
    slots_max: usize,
    idle_max: Duration,
    state: Mutex<State>,
    released: Notify,
}

#[derive(Default)]
struct State {
    next: u64,
    connections: BTreeMap<u64, Connection>,
}

struct Connection {
    is_trusted: bool,
    active: Instant,
    /// Dropped to evict the connection.
    _keep: oneshot::Sender<()>,
}

/// The slot of one connection, released on drop.
pub struct Slot {
    slots: Slots,
    number: u64,
}

/// Resolves when a connection is evicted.
pub struct Eviction(oneshot::Receiver<()>);

impl Slots {
    /// Slots for `slots_max` connections. If all are trusted, the longest idle one is evicted, but only after
    /// `idle_max`.
    pub fn new(slots_max: usize, idle_max: Duration) -> Self {
        let (state, released) = (Mutex::default(), Notify::new());
        Self(Arc::new(Shared { slots_max, idle_max, state, released }))
    }

    /// Takes a slot for a new connection. Waits only while all others are trusted and not idle.
    pub async fn take(&self) -> (Slot, Eviction) {
        loop {
            if let Some(taken) = self.try_take() {
                return taken;
            }
            // Without a release, a connection may have become idle in the meantime.
            let _ = timeout(IDLE_CHECK, self.0.released.notified()).await;
        }
    }

    /// Evicts the oldest untrusted connection, for example when the system has no more descriptors.
    pub fn evict_untrusted(&self) {
        let mut state = self.state();
        if let Some(number) = state.untrusted() {
            state.connections.remove(&number);
        }
    }

    fn try_take(&self) -> Option<(Slot, Eviction)> {
        let mut state = self.state();
        if state.connections.len() >= self.0.slots_max {
            let number = state.untrusted().or_else(|| state.idle(self.0.idle_max))?;
            state.connections.remove(&number);
        }
        let (keep, eviction) = oneshot::channel();
        let number = state.next;
        state.next += 1;
        let connection = Connection { is_trusted: false, active: Instant::now(), _keep: keep };
        state.connections.insert(number, connection);
        Some((Slot { slots: self.clone(), number }, Eviction(eviction)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The oldest untrusted connection.
    fn untrusted(&self) -> Option<u64> {
        self.connections.iter().find(|(_, connection)| !connection.is_trusted).map(|(number, _)| *number)
    }

    /// The longest idle connection, if it has been idle for `idle_max`.
    fn idle(&self, idle_max: Duration) -> Option<u64> {
        let (number, connection) = self.connections.iter().min_by_key(|(_, connection)| connection.active)?;
        (connection.active.elapsed() >= idle_max).then_some(*number)
    }
}

impl Slot {
    /// Marks the connection as trusted and active now.
    pub fn mark_active(&self) {
        if let Some(connection) = self.slots.state().connections.get_mut(&self.number) {
            (connection.is_trusted, connection.active) = (true, Instant::now());
        }
    }

    /// Whether the connection is trusted; `false` after its eviction.
    #[cfg(any(feature = "http", test))]
    pub fn is_trusted(&self) -> bool {
        self.slots.state().connections.get(&self.number).is_some_and(|connection| connection.is_trusted)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.state().connections.remove(&self.number);
        self.slots.0.released.notify_one();
    }
}

impl Eviction {
    /// Waits for the eviction.
    pub async fn wait(&mut self) {
        // Nothing is ever sent: an eviction drops the sender.
        let _ = (&mut self.0).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::yield_now;

    fn is_evicted((_, eviction): &mut (Slot, Eviction)) -> bool {
        eviction.0.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    fn full(slots_max: usize, idle_max: Duration) -> (Slots, Vec<(Slot, Eviction)>) {
        let slots = Slots::new(slots_max, idle_max);
        let taken = (0..slots_max).map(|_| slots.try_take().unwrap()).collect();
        (slots, taken)
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn the_oldest_untrusted_connection_is_evicted_and_no_trusted_one() {
        let (slots, mut taken) = full(3, Duration::MAX);
        taken[0].0.mark_active();
        taken.push(slots.try_take().unwrap());
        assert_eq!(taken.iter_mut().map(is_evicted).collect::<Vec<_>>(), [false, true, false, false]);
        taken[2].0.mark_active();
        taken[3].0.mark_active();
        assert!(slots.try_take().is_none(), "all are trusted");
        slots.evict_untrusted();
        assert_eq!(taken.iter_mut().filter_map(|one| is_evicted(one).then_some(())).count(), 1);
        drop(taken.remove(0));
        assert!(slots.try_take().is_some());
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn the_trusted_connection_that_was_idle_longest_is_evicted() {
        let (slots, mut taken) = full(3, Duration::ZERO);
        taken.iter().for_each(|(slot, _)| slot.mark_active());
        taken[0].0.mark_active();
        taken.push(slots.try_take().unwrap());
        assert_eq!(taken.iter_mut().map(is_evicted).collect::<Vec<_>>(), [false, true, false, false]);
        assert!(!taken[1].0.is_trusted(), "an evicted connection is not trusted");
        taken[1].0.mark_active();
        assert!(is_evicted(&mut taken[1]));
    }

    /// RFC-0007:C-MCP-TRANSPORTS
    #[test]
    fn a_released_slot_goes_to_the_waiting_connection() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (slots, mut taken) = full(1, Duration::MAX);
            taken[0].0.mark_active();
            let waiting = tokio::spawn(async move { slots.take().await.0.is_trusted() });
            yield_now().await;
            assert!(!waiting.is_finished());
            taken.clear();
            assert!(!waiting.await.unwrap());
        });
    }
}
