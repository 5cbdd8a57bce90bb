//! `TeamStore`: what several machines share.

use super::machines::{block_on, in_memory};
use crate::postgres::cluster::empty_database;
use skillc_domain::event::{AccessEvent, EventId};
use skillc_domain::team::{TeamCatalogEntry, TeamCatalogHeading, TeamOrigin};
use skillc_domain::time::rfc3339;
use skillc_domain::usage::{UsageFilter, UsageQuery};
use skillc_memory::MemoryTeamStore;
use skillc_ports::{ErrorKind, TeamStore};

contract!([memory, postgres] {
    before_init_every_operation_says_that_it_is_not_ready,
    init_may_be_repeated_and_what_is_there_stays,
    the_store_keeps_its_identity,
    an_event_that_two_machines_send_is_counted_once,
    a_log_counts_every_machine_unless_one_is_named,
    each_organization_sees_its_own,
    a_status_counts_events_and_skills,
    publishing_the_same_again_changes_nothing,
    an_append_of_nothing_adds_nothing,
});

struct TeamScene {
    store: Box<dyn TeamStore>,
}

fn memory() -> TeamScene {
    TeamScene { store: Box::new(MemoryTeamStore::new(&in_memory())) }
}

fn postgres() -> TeamScene {
    TeamScene { store: Box::new(empty_database().store()) }
}

impl TeamScene {
    fn ready(&self) -> &dyn TeamStore {
        block_on(self.store.init()).unwrap();
        &*self.store
    }

    fn append(&self, origin: &TeamOrigin, events: &[AccessEvent]) -> u64 {
        block_on(self.store.log(origin).append(events)).unwrap()
    }

    /// Number of accesses visible to an organization.
    fn total(&self, org: &str, machine: Option<&str>) -> u64 {
        let filter = UsageFilter { machine: machine.map(str::to_owned), ..UsageFilter::default() };
        let query = UsageQuery { filter, ..UsageQuery::default() };
        block_on(self.store.log(&origin(org, "z")).usage(&query)).unwrap().summary.total_accesses
    }
}

fn origin(org: &str, machine: &str) -> TeamOrigin {
    TeamOrigin { org: org.to_owned(), machine: machine.to_owned() }
}

fn event(chance: u128) -> AccessEvent {
    let at = 1_769_860_800_000_000_000;
    AccessEvent {
        event_id: EventId::new(at, chance),
        timestamp: rfc3339(at).as_str().into(),
        command: "show".to_owned(),
        skill: "x".to_owned(),
        args: "{}".to_owned(),
        ..AccessEvent::default()
    }
}

fn entry(description: &str) -> TeamCatalogEntry {
    TeamCatalogEntry {
        skill: "x".to_owned(),
        name: "X".to_owned(),
        description: description.to_owned(),
        digest: "a".repeat(64),
        headings: vec![TeamCatalogHeading { file: "SKILL.md".to_owned(), level: 1, text: "X".to_owned() }],
    }
}

fn before_init_every_operation_says_that_it_is_not_ready(at: &TeamScene) {
    let (store, origin) = (&at.store, origin("o", "a"));
    let kinds = [
        block_on(store.status()).unwrap_err().kind,
        block_on(store.log(&origin).append(&[event(1)])).unwrap_err().kind,
        block_on(store.log(&origin).usage(&UsageQuery::default())).unwrap_err().kind,
        block_on(store.publish(&origin, &entry("d"))).unwrap_err().kind,
    ];
    assert_eq!(kinds, [ErrorKind::NotReady; 4]);
}

fn init_may_be_repeated_and_what_is_there_stays(at: &TeamScene) {
    at.ready();
    assert_eq!(at.append(&origin("o", "a"), &[event(1)]), 1);
    at.ready();
    assert_eq!(at.total("o", None), 1);
}

fn the_store_keeps_its_identity(at: &TeamScene) {
    let first = block_on(at.store.init()).unwrap();
    assert!(!first.store.is_empty());
    assert_eq!(block_on(at.store.init()).unwrap().store, first.store);
    assert_eq!(block_on(at.store.status()).unwrap().store, first.store);
    assert_eq!(first.schema, first.schema_known);
}

fn an_event_that_two_machines_send_is_counted_once(at: &TeamScene) {
    at.ready();
    assert_eq!(at.append(&origin("o", "a"), &[event(1), event(2), event(1)]), 2);
    assert_eq!(at.append(&origin("o", "b"), &[event(2), event(3)]), 1);
    assert_eq!(at.total("o", None), 3);
}

fn a_log_counts_every_machine_unless_one_is_named(at: &TeamScene) {
    at.ready();
    at.append(&origin("o", "a"), &[event(1), event(2)]);
    at.append(&origin("o", "b"), &[event(3)]);
    let totals = [None, Some("a"), Some("b"), Some("c")].map(|machine| at.total("o", machine));
    assert_eq!(totals, [3, 2, 1, 0]);
}

fn each_organization_sees_its_own(at: &TeamScene) {
    let store = at.ready();
    assert_eq!(at.append(&origin("o", "a"), &[event(1)]), 1);
    assert_eq!(at.append(&origin("p", "a"), &[event(1), event(2)]), 2, "the same id is another event there");
    assert_eq!([at.total("o", None), at.total("p", None), at.total("q", None)], [1, 2, 0]);
    assert!(block_on(store.publish(&origin("o", "a"), &entry("d"))).unwrap());
    assert!(block_on(store.publish(&origin("p", "a"), &entry("d"))).unwrap());
}

fn a_status_counts_events_and_skills(at: &TeamScene) {
    let store = at.ready();
    at.append(&origin("o", "a"), &[event(1), event(2)]);
    block_on(store.publish(&origin("o", "a"), &entry("one"))).unwrap();
    block_on(store.publish(&origin("o", "a"), &entry("two"))).unwrap();
    let status = block_on(store.status()).unwrap();
    assert_eq!((status.events, status.skills), (2, 1));
    assert!(status.may_write && status.may_init);
}

fn publishing_the_same_again_changes_nothing(at: &TeamScene) {
    let store = at.ready();
    let publish = |machine: &str, text: &str| block_on(store.publish(&origin("o", machine), &entry(text)));
    let changed = [("a", "one"), ("a", "one"), ("b", "one"), ("b", "two"), ("a", "one")]
        .map(|(machine, text)| publish(machine, text).unwrap());
    assert_eq!(changed, [true, false, false, true, true]);
}

fn an_append_of_nothing_adds_nothing(at: &TeamScene) {
    at.ready();
    assert_eq!(at.append(&origin("o", "a"), &[]), 0);
    assert_eq!(at.total("o", None), 0);
}
