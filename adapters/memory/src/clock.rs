//! The machine's clock, which advances only with changes and waiting, and reproducible random numbers.

use crate::faults::next_random;
use crate::machine::MemoryMachine;
use skillc_domain::time::UnixNs;
use skillc_ports::Clock;

/// The clock of a machine: advances by 50 ms at each change and survey, and while something waits.
#[derive(Clone, Debug)]
pub struct MemoryClock {
    machine: MemoryMachine,
}

impl MemoryClock {
    /// The clock of this machine.
    pub fn new(machine: &MemoryMachine) -> Self {
        Self { machine: machine.clone() }
    }

    /// Sets the clock.
    pub fn set(&self, now: UnixNs) {
        self.machine.world().tree.now_ns = now;
    }

    /// Restarts `random` with a seed.
    pub fn seed(&self, seed: u64) {
        self.machine.world().chance = seed;
    }
}

impl Clock for MemoryClock {
    fn now(&self) -> UnixNs {
        self.machine.world().tree.now_ns
    }

    fn wait(&self, ns: u64) {
        self.machine.pass(i64::try_from(ns).unwrap_or(i64::MAX));
    }

    /// The same sequence on every new machine.
    fn random(&self) -> u128 {
        let mut world = self.machine.world();
        let high = next_random(&mut world.chance);
        u128::from(high) << 64 | u128::from(next_random(&mut world.chance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stands_still_until_something_changes() {
        let machine = MemoryMachine::new();
        let clock = MemoryClock::new(&machine);
        let before = clock.now();
        assert_eq!(clock.now(), before);
        machine.write("/a", "a");
        assert!(clock.now() > before);
        clock.set(5);
        assert_eq!(MemoryClock::new(&machine).now(), 5);
    }

    #[test]
    fn chance_is_the_same_on_every_machine_and_does_not_repeat() {
        let draws = || {
            let clock = MemoryClock::new(&MemoryMachine::new());
            [clock.random(), clock.random()]
        };
        assert_eq!(draws(), draws());
        assert_ne!(draws()[0], draws()[1]);
    }
}
