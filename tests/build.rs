//! Whether there is a PostgreSQL server on this machine to run the cases that need one: `cfg(has_postgres)`, and where its
//! programs are in `SKC_POSTGRES_FOUND`.
//!
//! Looked for in `$SKC_POSTGRES_BIN`, where Debian puts them, and in `$PATH`. With `SKC_REQUIRE_POSTGRES=1` their absence
//! is a failure.

use std::env;
use std::path::{Path, PathBuf};

const DEBIAN: &str = "/usr/lib/postgresql";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["SKC_POSTGRES_BIN", "SKC_REQUIRE_POSTGRES"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    // A path that is not there would be looked for again in every build.
    if Path::new(DEBIAN).exists() {
        println!("cargo:rerun-if-changed={DEBIAN}");
    }
    println!("cargo:rustc-check-cfg=cfg(has_postgres)");
    match programs() {
        Some(folder) => {
            println!("cargo:rustc-cfg=has_postgres");
            println!("cargo:rustc-env=SKC_POSTGRES_FOUND={}", folder.display());
        }
        None if env::var("SKC_REQUIRE_POSTGRES").is_ok_and(|value| value == "1") => {
            panic!(
                "SKC_REQUIRE_POSTGRES=1, and no 'initdb' was found in {DEBIAN}/*/bin, $PATH or $SKC_POSTGRES_BIN"
            );
        }
        None => {}
    }
}

/// The folder of `initdb`, `pg_ctl` and `postgres`; servers are started by means of Unix alone.
fn programs() -> Option<PathBuf> {
    env::var_os("CARGO_CFG_UNIX")?;
    let named = env::var_os("SKC_POSTGRES_BIN").map(PathBuf::from);
    let mut folders: Vec<PathBuf> = named.into_iter().collect();
    folders.extend(of_debian());
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

/// The newest first.
fn of_debian() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|p| version(p).is_some()).collect();
    found.sort_by_key(|path| std::cmp::Reverse(version(path)));
    found.into_iter().map(|path| path.join("bin")).collect()
}
