//! Makes a program for this machine start faster: the linker writes the program's own addresses in the compact form, if
//! the C library reads it, and takes the unwinder of panics from GCC's static library, so that no shared library is
//! loaded for it. A program for other machines is built with `SKC_PORTABLE` set.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The first version of glibc that reads the compact form (`DT_RELR`).
const GLIBC_MIN: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SKC_PORTABLE");
    let has = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    let is_for_glibc = has("CARGO_CFG_TARGET_OS", "linux") && has("CARGO_CFG_TARGET_ENV", "gnu");
    let is_for_here = env::var_os("HOST") == env::var_os("TARGET") && env::var_os("SKC_PORTABLE").is_none();
    if !is_for_glibc || !is_for_here {
        return;
    }
    if glibc().is_some_and(|version| version >= GLIBC_MIN) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if let Some(folder) = gcc_libraries() {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// The folder of GCC's static libraries, if the unwinder is among them.
fn gcc_libraries() -> Option<PathBuf> {
    let said = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let library = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    // Without the library, its bare name is printed.
    let folder = library.parent().filter(|_| library.is_file())?;
    Some(folder.to_owned()).filter(|folder| folder.is_absolute())
}

/// The version of this machine's glibc.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
