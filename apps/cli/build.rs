//! Makes a program for this machine start faster, as far as its linker and its C library can:
//!
//! - It writes the program's own addresses in the compact form (`DT_RELR`).
//! - It takes the unwinder of panics from GCC's static library, so that no shared library is loaded for it.
//! - It links the C library statically if the program looks up no host names. The program's address stays random. Host
//!   names are looked up by shared libraries of the system (NSS), which do not fit another version of the C library.
//!
//! A program for other machines is built with `SKC_PORTABLE` set.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version of glibc that reads the compact form (`DT_RELR`).
const GLIBC_MIN: (u32, u32) = (2, 36);

/// The features with which the program looks up host names.
const NETWORK_FEATURES: [&str; 3] = ["TEAM", "MEANING", "HTTP"];

/// The libraries that rustc links, and the static one of the C compiler that replaces each.
const STATIC_LIBRARIES: [(&str, &str); 7] = [
    ("libc.a", "libc.a"),
    ("libm.a", "libm.a"),
    ("libgcc_s.a", "libgcc_eh.a"),
    ("libutil.a", "libutil.a"),
    ("librt.a", "librt.a"),
    ("libpthread.a", "libpthread.a"),
    ("libdl.a", "libdl.a"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SKC_PORTABLE");
    println!("cargo::rustc-check-cfg=cfg(static_libc)");
    let has = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    if !has("CARGO_CFG_TARGET_OS", "linux") || !has("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    // `.cargo/config.toml` keeps rustc from passing it.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,relro,-z,now");
    if env::var_os("HOST") != env::var_os("TARGET") || env::var_os("SKC_PORTABLE").is_some() {
        return;
    }
    if glibc().is_some_and(|version| version >= GLIBC_MIN) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    // Copies, since the compiler's own folder has the shared libraries too, and these would be preferred.
    if let Some(folder) = copies(&out.join("unwinder"), &[("libgcc_eh.a", "libgcc_eh.a")]) {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
    let has_feature = |feature: &&str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    if NETWORK_FEATURES.iter().any(has_feature) || !links_statically(&out) {
        return;
    }
    if let Some(folder) = copies(&out.join("static"), &STATIC_LIBRARIES) {
        println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
        println!("cargo::rustc-link-arg-bins=-static-pie");
        println!("cargo::rustc-cfg=static_libc");
    }
}

/// Whether a program that is linked statically, at a random address, runs.
fn links_statically(out: &Path) -> bool {
    let (source, program) = (out.join("trial.c"), out.join("trial"));
    let code = "#include <math.h>\nint main(int n, char **v) { return log((double)n) != 0; }\n";
    let mut link = Command::new("cc");
    link.args(["-O1", "-static-pie", "-o"]).args([&program, &source]).arg("-lm");
    let is_linked =
        fs::write(&source, code).is_ok() && link.output().is_ok_and(|linked| linked.status.success());
    is_linked && Command::new(&program).status().is_ok_and(|ended| ended.success())
}

/// A folder with copies of the compiler's libraries, each under its new name; `None` if one is missing.
fn copies(folder: &Path, libraries: &[(&str, &str)]) -> Option<PathBuf> {
    fs::create_dir_all(folder).ok()?;
    for (name, original) in libraries {
        fs::copy(compilers_file(original)?, folder.join(name)).ok()?;
    }
    Some(folder.to_owned())
}

/// A file of the C compiler, by its name.
fn compilers_file(name: &str) -> Option<PathBuf> {
    let said = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let file = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    // Without such a file, the bare name is printed.
    Some(file).filter(|file| file.is_absolute() && file.is_file())
}

/// The version of this machine's glibc.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
