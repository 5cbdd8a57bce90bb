//! The promises of each port as small cases that run on every adapter.
//!
//! A case is a function that takes a scene: an adapter and the machine on which it works. `contract!` expands it to one
//! test per adapter, such as `index::sqlite::a_removed_file_is_forgotten`. A new adapter needs a function that creates
//! its scene, and its name in the list.

/// Expands cases to tests in one module per adapter; the function named after the adapter creates the scene. Tests are
/// ignored, with a reason, if the adapter needs a program that is not installed.
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
