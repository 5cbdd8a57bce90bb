//! `RuntimeStore`.

use super::machines::{Machine, RealMachine, in_memory, watched};
use skillc_disk::DiskRuntimeStore;
use skillc_memory::MemoryRuntimeStore;
use skillc_ports::{PortError, RuntimeFile, RuntimeGuard, RuntimeStore};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

contract!([memory, disk, listing] {
    a_lock_makes_the_runtime,
    a_lock_is_held_by_one_at_a_time,
    a_lock_that_is_held_is_waited_for,
    locks_of_two_runtimes_are_two,
    trying_a_lock_makes_nothing,
    the_marker_holds_the_name_that_was_set_last,
    a_marker_that_is_not_set_may_be_taken_away,
    a_runtime_file_that_is_not_there_is_none,
    runtime_files_come_back_as_they_were_written,
    runtime_files_stand_where_their_paths_say,
    a_runtime_file_is_replaced_whole,
    a_reader_sees_the_old_bytes_or_the_new_ones,
    a_runtime_file_that_cannot_be_written_is_an_error,
});

struct RuntimeScene {
    machine: Box<dyn Machine>,
    store: Arc<dyn RuntimeStore>,
}

fn memory() -> RuntimeScene {
    let machine = in_memory();
    let store = Arc::new(MemoryRuntimeStore::new(&machine));
    RuntimeScene { machine: Box::new(machine), store }
}

fn disk() -> RuntimeScene {
    RuntimeScene { machine: Box::new(RealMachine::new()), store: Arc::new(DiskRuntimeStore) }
}

/// For a command that looks at every runtime.
fn listing() -> RuntimeScene {
    RuntimeScene { machine: Box::new(RealMachine::new()), store: DiskRuntimeStore.for_listing() }
}

const RUNTIME_FILES: [RuntimeFile; 3] = [RuntimeFile::Stub, RuntimeFile::Manifest, RuntimeFile::Deployments];
/// A runtime; neither it nor its parent folders exist.
const X: &str = "p/.skillc/runtime/x";

impl RuntimeScene {
    fn lock(&self, runtime: &str) -> Box<dyn RuntimeGuard> {
        self.store.lock(&self.machine.at(runtime)).unwrap()
    }

    fn try_lock(&self, runtime: &str) -> Option<Box<dyn RuntimeGuard>> {
        self.store.try_lock(&self.machine.at(runtime))
    }

    fn write(&self, file: RuntimeFile, bytes: &[u8]) -> Result<(), PortError> {
        self.store.write(&self.machine.at(X), file, bytes)
    }

    fn read(&self, file: RuntimeFile) -> Option<Vec<u8>> {
        self.store.read(&self.machine.at(X), file).unwrap()
    }

    fn pending(&self) -> Option<String> {
        self.store.pending(&self.machine.at(X))
    }
}

fn a_lock_makes_the_runtime(at: &RuntimeScene) {
    let _guard = at.lock(X);
    assert!(at.machine.names(X).contains(&".skillc-meta".to_owned()));
}

/// RFC-0001:C-PUBLISH
fn a_lock_is_held_by_one_at_a_time(at: &RuntimeScene) {
    let first = at.lock(X);
    assert!(at.try_lock(X).is_none());
    drop(first);
    let second = at.try_lock(X).expect("a free lock");
    assert!(at.try_lock(X).is_none());
    drop(second);
    drop(at.lock(X));
    assert!(at.try_lock(X).is_some());
}

/// RFC-0001:C-PUBLISH
fn a_lock_that_is_held_is_waited_for(at: &RuntimeScene) {
    let first = at.lock(X);
    let (got, is_got) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let _second = at.lock(X);
            got.send(()).unwrap();
        });
        assert!(is_got.try_recv().is_err(), "granted while another holds it");
        drop(first);
        is_got.recv_timeout(Duration::from_secs(60)).expect("granted after that");
    });
}

fn locks_of_two_runtimes_are_two(at: &RuntimeScene) {
    let _x = at.lock(X);
    let _y = at.lock("p/.skillc/runtime/y");
}

fn trying_a_lock_makes_nothing(at: &RuntimeScene) {
    assert!(at.try_lock(X).is_none());
    assert!(at.machine.names("").is_empty());
}

/// RFC-0001:C-PUBLISH
fn the_marker_holds_the_name_that_was_set_last(at: &RuntimeScene) {
    assert_eq!(at.pending(), None, "where there is no runtime");
    let _guard = at.lock(X);
    assert_eq!(at.pending(), None);
    for name in ["search-0.db", "search-1.db", "search-1.db"] {
        at.store.mark_pending(&at.machine.at(X), name).unwrap();
        assert_eq!(at.pending().as_deref(), Some(name));
    }
    at.store.clear_pending(&at.machine.at(X)).unwrap();
    assert_eq!(at.pending(), None);
}

fn a_marker_that_is_not_set_may_be_taken_away(at: &RuntimeScene) {
    at.store.clear_pending(&at.machine.at(X)).unwrap();
    assert!(at.machine.names("").is_empty(), "and nothing is made");
    let _guard = at.lock(X);
    at.store.clear_pending(&at.machine.at(X)).unwrap();
}

fn a_runtime_file_that_is_not_there_is_none(at: &RuntimeScene) {
    RUNTIME_FILES.iter().for_each(|file| assert_eq!(at.read(*file), None));
    let _guard = at.lock(X);
    RUNTIME_FILES.iter().for_each(|file| assert_eq!(at.read(*file), None));
}

fn runtime_files_come_back_as_they_were_written(at: &RuntimeScene) {
    for (file, bytes) in RUNTIME_FILES.into_iter().zip([&b"stub\r\n"[..], &[0, 255], b""]) {
        at.write(file, bytes).unwrap();
    }
    assert_eq!(RUNTIME_FILES.map(|file| at.read(file).unwrap()), [&b"stub\r\n"[..], &[0, 255], b""]);
}

/// RFC-0001:C-OUTPUT
fn runtime_files_stand_where_their_paths_say(at: &RuntimeScene) {
    for file in RUNTIME_FILES {
        at.write(file, file.path().as_bytes()).unwrap();
        let there = at.machine.read(&format!("{X}/{}", file.path()));
        assert_eq!(there.as_deref(), Some(file.path().as_bytes()));
    }
    let all: Vec<_> = at.machine.all_below(X).into_keys().collect();
    let expected = [".skillc-meta", ".skillc-meta/deployed.json", ".skillc-meta/manifest.json", "SKILL.md"];
    assert_eq!(all, expected, "nothing is left beside them");
}

fn a_runtime_file_is_replaced_whole(at: &RuntimeScene) {
    at.write(RuntimeFile::Stub, b"a long first text").unwrap();
    at.write(RuntimeFile::Stub, b"short").unwrap();
    assert_eq!(at.read(RuntimeFile::Stub).unwrap(), b"short");
    at.machine.write("elsewhere", b"not ours");
    at.machine.link(&format!("{X}/SKILL.md"), "../../../../elsewhere");
    at.write(RuntimeFile::Stub, b"new").unwrap();
    assert_eq!(at.machine.read("elsewhere").unwrap(), b"not ours", "nothing outside the runtime is written");
    assert_eq!(at.read(RuntimeFile::Stub).unwrap(), b"new");
}

fn a_reader_sees_the_old_bytes_or_the_new_ones(at: &RuntimeScene) {
    let texts = [vec![b'a'; 100_000], vec![b'b'; 150_000]];
    at.write(RuntimeFile::Stub, &texts[0]).unwrap();
    let look = || {
        let seen = at.read(RuntimeFile::Stub).expect("one of them");
        assert!(texts.contains(&seen), "{} bytes that nobody wrote", seen.len());
    };
    watched(look, || {
        for text in texts.iter().cycle().take(100) {
            at.write(RuntimeFile::Stub, text).unwrap();
        }
    });
}

fn a_runtime_file_that_cannot_be_written_is_an_error(at: &RuntimeScene) {
    at.machine.write("p/.skillc/runtime", b"a file");
    assert!(at.write(RuntimeFile::Stub, b"stub").is_err());
    assert!(at.store.lock(&at.machine.at(X)).is_err());
    assert_eq!(at.machine.read("p/.skillc/runtime").unwrap(), b"a file");
}
