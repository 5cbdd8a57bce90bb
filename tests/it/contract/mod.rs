//! What each port promises, as small cases that run on every adapter.
//!
//! A case is a function that takes a scene: an adapter, and the machine on which it works. `contract!` stamps it as one
//! test for each adapter, `index::sqlite::a_removed_file_is_forgotten`. A new adapter is a function that makes its
//! scene, and its name in the list.

/// Stamps cases as tests, in a module for each adapter; the function of the adapter's name makes the scene. Where an
/// adapter needs something that is not here, its cases show as ignored.
macro_rules! contract {
    ([$($adapter:ident),+ $(,)?] $cases:tt) => { $(contract!(@ $adapter $cases);)+ };
    (@ postgres { $($case:ident),+ $(,)? }) => {
        mod postgres {
            $(
                #[test]
                #[cfg_attr(not(has_postgres), ignore = "no PostgreSQL server binaries were found")]
                fn $case() { super::$case(&super::postgres()); }
            )+
        }
    };
    (@ pgvector { $($case:ident),+ $(,)? }) => {
        mod pgvector {
            $(
                #[test]
                #[cfg_attr(not(has_pgvector), ignore = "SKC_TEST_PGVECTOR names no PostgreSQL server with pgvector")]
                fn $case() { super::$case(&super::pgvector()); }
            )+
        }
    };
    (@ $adapter:ident { $($case:ident),+ $(,)? }) => {
        mod $adapter {
            $(#[test] fn $case() { super::$case(&super::$adapter()); })+
        }
    };
}

mod clock;
mod deployer;
mod editor;
mod faults;
mod files;
mod files_random;
mod headings;
mod index;
mod index_random;
pub mod index_scene;
mod log;
mod log_sqlite;
pub mod machines;
#[cfg(target_os = "linux")]
mod remembered;
mod runtime;
mod scan;
mod search;
mod sessions;
mod skill_index;
mod snapshots;
mod stores;
mod team;
mod team_directory;
mod usage;
mod watch;
#[cfg(target_os = "linux")]
mod watched_scans;
