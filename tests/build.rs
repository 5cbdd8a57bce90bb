//! Whether there is a PostgreSQL server on this machine to run the cases that need one: `cfg(has_postgres)`, and where
//! its programs are in `SKC_POSTGRES_FOUND`. The same for one with pgvector: `cfg(has_pgvector)`, `SKC_PGVECTOR_FOUND`.
//! Whether there is a tmux, for the cases that need a terminal: `cfg(has_tmux)`. `cfg(has_model)` says that
//! `$SKC_TEST_MODEL` is a folder with the default embedding model, `cfg(has_skills_model)` that
//! `$SKC_TEST_MODEL_SKILLS` is one with the model `skills`.
//!
//! They are searched for in `$SKC_POSTGRES_BIN`, in Debian's locations, and in `$PATH`. With `SKC_REQUIRE_POSTGRES=1`,
//! a missing server is a failure, and with `SKC_REQUIRE_TMUX=1` a missing tmux. A server with pgvector is only searched
//! for in `$SKC_TEST_PGVECTOR`.

use std::env;
use std::path::{Path, PathBuf};

const DEBIAN: &str = "/usr/lib/postgresql";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in [
        "SKC_POSTGRES_BIN",
        "SKC_REQUIRE_POSTGRES",
        "SKC_TEST_PGVECTOR",
        "SKC_TEST_MODEL",
        "SKC_REQUIRE_MODEL",
        "SKC_TEST_MODEL_SKILLS",
    ] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    // A missing path would be searched for again in every build.
    if Path::new(DEBIAN).exists() {
        println!("cargo:rerun-if-changed={DEBIAN}");
    }
    println!("cargo:rustc-check-cfg=cfg(has_postgres)");
    println!("cargo:rustc-check-cfg=cfg(has_pgvector)");
    if let Some(folder) = named("SKC_TEST_PGVECTOR") {
        assert!(has_server(&folder), "SKC_TEST_PGVECTOR is '{}', without 'initdb'", folder.display());
        println!("cargo:rustc-cfg=has_pgvector");
        println!("cargo:rustc-env=SKC_PGVECTOR_FOUND={}", folder.display());
    }
    println!("cargo:rustc-check-cfg=cfg(has_model)");
    look_for_model();
    println!("cargo:rustc-check-cfg=cfg(has_skills_model)");
    look_for_skills_model();
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
    look_for_tmux();
    look_for_clients();
}

/// `cfg(has_clients)` says that `$SKC_TEST_CLIENTS` is a folder of npm packages with clients of plugins.
fn look_for_clients() {
    println!("cargo:rerun-if-env-changed=SKC_TEST_CLIENTS");
    println!("cargo:rustc-check-cfg=cfg(has_clients)");
    if let Some(folder) = named("SKC_TEST_CLIENTS") {
        println!("cargo:rustc-cfg=has_clients");
        println!("cargo:rustc-env=SKC_CLIENTS_FOUND={}", folder.display());
    }
}

fn look_for_tmux() {
    println!("cargo:rerun-if-env-changed=SKC_REQUIRE_TMUX");
    println!("cargo:rustc-check-cfg=cfg(has_tmux)");
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join("tmux")).find(|file| file.is_file());
    match found {
        Some(file) => {
            println!("cargo:rerun-if-changed={}", file.display());
            println!("cargo:rustc-cfg=has_tmux");
        }
        None if env::var("SKC_REQUIRE_TMUX").is_ok_and(|value| value == "1") => {
            panic!("SKC_REQUIRE_TMUX=1, and no 'tmux' was found in $PATH");
        }
        None => {}
    }
}

/// The model is too large for the repository; `.ci/run` downloads it.
fn look_for_model() {
    let model = env::var_os("SKC_TEST_MODEL").map(PathBuf::from);
    match model.filter(|folder| folder.join("model.safetensors").is_file()) {
        Some(folder) => {
            println!("cargo:rustc-cfg=has_model");
            println!("cargo:rustc-env=SKC_MODEL_FOUND={}", folder.display());
        }
        None if env::var("SKC_REQUIRE_MODEL").is_ok_and(|value| value == "1") => {
            panic!("SKC_REQUIRE_MODEL=1, and 'SKC_TEST_MODEL' names no folder with model.safetensors");
        }
        None => {}
    }
}

/// The model `skills`, produced by `tools/train/export.py`; its tests need the default model too.
fn look_for_skills_model() {
    let Some(folder) = named("SKC_TEST_MODEL_SKILLS") else { return };
    let weights = folder.join("skills.safetensors");
    assert!(weights.is_file(), "SKC_TEST_MODEL_SKILLS is '{}', without skills.safetensors", folder.display());
    if env::var_os("SKC_TEST_MODEL").is_some() {
        println!("cargo:rustc-cfg=has_skills_model");
        println!("cargo:rustc-env=SKC_MODEL_SKILLS_FOUND={}", folder.display());
    }
}

/// The folder of `initdb`, `pg_ctl` and `postgres`. Servers can only be started on Unix.
fn programs() -> Option<PathBuf> {
    env::var_os("CARGO_CFG_UNIX")?;
    let mut folders: Vec<PathBuf> = named("SKC_POSTGRES_BIN").into_iter().collect();
    folders.extend(of_debian());
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    folders.into_iter().find(|folder| has_server(folder))
}

/// A folder that a variable names.
fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn has_server(folder: &Path) -> bool {
    folder.join("initdb").is_file() && folder.join("pg_ctl").is_file()
}

/// Debian's versions, newest first.
fn of_debian() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|p| version(p).is_some()).collect();
    found.sort_by_key(|path| std::cmp::Reverse(version(path)));
    found.into_iter().map(|path| path.join("bin")).collect()
}
