//! The dependency graph: layers point inward, files do not import each other in a circle, and each third-party crate
//! is used only where it is allowed.

mod imports;
mod ops_layers;
pub mod tokens;

use imports::Imports;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use walkdir::WalkDir;

/// The layer of each of our crates. A crate depends only on lower ones. Inside `apps` the order is ops < mcp, host,
/// pick < cli.
const LAYERS: &[(&str, &str, u32)] = &[
    ("skillc-domain", "domain/skill", 0),
    ("skillc-lint", "domain/lint", 5),
    ("skillc-ports", "ports", 10),
    ("skillc-fs", "adapters/fs", 15),
    ("skillc-archive", "adapters/archive", 20),
    ("skillc-memory", "adapters/memory", 20),
    ("skillc-sqlite", "adapters/sqlite", 20),
    ("skillc-postgres", "adapters/postgres", 20),
    ("skillc-disk", "adapters/disk", 20),
    ("skillc-links", "adapters/links", 20),
    ("skillc-markdown", "adapters/markdown", 20),
    ("skillc-regex", "adapters/regex", 20),
    ("skillc-embed", "adapters/embed", 20),
    ("skillc-history", "adapters/history", 20),
    ("skillc-json", "adapters/json", 20),
    ("skillc-web", "adapters/web", 20),
    ("skillc-ops", "apps/ops", 30),
    ("skillc-mcp", "apps/mcp", 31),
    ("skillc-host", "apps/host", 31),
    ("skillc-pick", "apps/pick", 31),
    ("skillc", "apps/cli", 32),
    ("skillc-tests", "tests", 40),
];

/// The third-party crates that each of our crates may use (adr/0001). `tests` may use any.
const EXTERNAL: &[(&str, &[&str])] = &[
    ("skillc-domain", &[]),
    ("skillc-lint", &[]),
    ("skillc-ports", &["async-trait"]),
    ("skillc-fs", &["cap-std", "getrandom", "rustix"]),
    ("skillc-archive", &["zip"]),
    ("skillc-memory", &["async-trait", "serde_json"]),
    (
        "skillc-sqlite",
        &["async-trait", "postcard", "rusqlite", "rustix", "serde", "serde_json", "sqlite-vec"],
    ),
    ("skillc-postgres", &["async-trait", "idna_adapter", "sqlx", "tokio"]),
    ("skillc-disk", &["walkdir", "sha2", "cap-std", "rustix", "getrandom", "notify"]),
    ("skillc-links", &["getrandom", "junction"]),
    ("skillc-markdown", &["pulldown-cmark", "html5gum", "granit-parser", "serde-saphyr", "serde"]),
    ("skillc-regex", &["regex", "aho-corasick"]),
    (
        "skillc-embed",
        &[
            "rten",
            "rten-onnx",
            "rten-tensor",
            "unicode-normalization",
            "unicode_categories",
            "ureq",
            "zip",
            "sha2",
            "serde",
            "serde_json",
        ],
    ),
    ("skillc-history", &["memchr", "ruzstd", "serde_json"]),
    ("skillc-json", &["jsonc-parser", "serde", "serde_json"]),
    ("skillc-web", &["ureq", "url"]),
    (
        "skillc-ops",
        &[
            "serde",
            "serde_json",
            "schemars",
            "clap",
            "glob",
            "base64",
            "diffy",
            "csv",
            "shlex",
            "tokio",
            "unicode-width",
        ],
    ),
    ("skillc-mcp", &["rmcp", "tokio", "serde_json", "hyper", "hyper-util", "http-body-util", "subtle"]),
    ("skillc-host", &["tokio", "serde", "serde_json"]),
    ("skillc-pick", &["base64", "ratatui", "nucleo-matcher", "unicode-width", "signal-hook"]),
    (
        "skillc",
        &[
            "clap",
            "clap_complete",
            "clap_complete_nushell",
            "clap_mangen",
            "figment",
            "tokio",
            "serde",
            "serde_json",
            "indicatif",
            "anstream",
            "terminal_size",
            "tempfile",
            "gethostname",
            "toml_edit",
            "jsonc-parser",
            "signal-hook",
        ],
    ),
];

/// Adapters that only the composition root and the tests may name.
const ADAPTER_LAYER: u32 = 20;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let args = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let done = Command::new(cargo).args(args).current_dir(repository()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let metadata: Value = serde_json::from_slice(&done.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The names of a package's dependencies; with `is_dev`, those of its tests.
fn dependencies(package: &Value, is_dev: bool) -> Vec<String> {
    let all = package["dependencies"].as_array().unwrap().iter();
    all.filter(|d| (d["kind"] == "dev") == is_dev).map(|d| d["name"].as_str().unwrap().to_owned()).collect()
}

fn layer(name: &str) -> Option<u32> {
    LAYERS.iter().find(|(known, ..)| *known == name).map(|(.., layer)| *layer)
}

#[test]
fn dependencies_point_inward() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let own = layer(name).unwrap_or_else(|| panic!("{name} has no layer"));
        for dependency in dependencies(&package, false) {
            let Some(inner) = layer(&dependency) else { continue };
            let is_adapter_in_wrong_hands =
                inner == ADAPTER_LAYER && !matches!(name, "skillc" | "skillc-tests");
            if inner >= own || is_adapter_in_wrong_hands {
                wrong.push(format!("{name} -> {dependency}"));
            }
        }
    }
    assert!(wrong.is_empty(), "edges that point outward: {wrong:?}");
}

/// Import circles that are still to be broken, by the folder of their crate. Entries are only ever removed.
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[];

#[test]
fn files_of_a_crate_do_not_import_each_other_in_a_circle() {
    let mut problems = Vec::new();
    let mut broken: BTreeSet<usize> = (0..KNOWN_CIRCLES.len()).collect();
    for (_, folder, _) in LAYERS.iter().filter(|(_, folder, _)| *folder != "tests") {
        let imports = imports::imports(&repository().join(folder).join("src"));
        for circle in imports::circles(&imports) {
            let is_known = |(at, files): &(&str, &[&str])| {
                at == folder && circle.iter().all(|file| files.contains(&file.as_str()))
            };
            match KNOWN_CIRCLES.iter().position(is_known) {
                Some(at) => drop(broken.remove(&at)),
                None => problems.push(described(folder, &imports, &circle)),
            }
        }
    }
    problems.extend(
        broken.iter().map(|at| {
            format!("this circle is broken; remove it from KNOWN_CIRCLES: {:?}", KNOWN_CIRCLES[*at])
        }),
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The files of a circle, each with its imports from the others.
fn described(folder: &str, imports: &Imports, circle: &BTreeSet<String>) -> String {
    let mut lines = vec![format!("import circle in {folder}:")];
    for file in circle {
        let inside = imports[file].iter().filter(|(target, _)| circle.contains(*target));
        lines.extend(inside.map(|(target, name)| format!("    {file} imports {name} from {target}")));
    }
    lines.join("\n")
}

#[test]
fn the_import_graph_sees_through_re_exports_and_past_tests() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("lib.rs", "mod a;\nmod b;\npub use a::A;"),
        (
            "a/mod.rs",
            "mod c;\npub use c::C;\npub struct A; // use crate::b::B;\n#[cfg(test)]\nmod t { use crate::b::B; }",
        ),
        ("a/c.rs", "pub struct C; fn f() { super::super::b::g('\"', \"crate::a::A\") }"),
        ("b.rs", "use crate::{A, a::C as D};\npub struct B; pub fn g() {}"),
    ];
    std::fs::create_dir(folder.path().join("a")).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    let imports = imports::imports(folder.path());
    let of = |file: &str| imports.get(file).map(|i| i.keys().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(of("b.rs"), Some(vec!["a/c.rs", "a/mod.rs"]));
    assert_eq!(of("a/c.rs"), Some(vec!["b.rs"]));
    assert_eq!((of("a/mod.rs"), of("lib.rs")), (None, None));
    let circle = ["a/c.rs", "b.rs"].map(str::to_owned).into();
    assert_eq!(imports::circles(&imports), [circle]);
}

#[test]
fn third_party_crates_stay_where_they_are_allowed() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let Some((_, allowed)) = EXTERNAL.iter().find(|(known, _)| *known == name) else { continue };
        for dependency in dependencies(&package, false) {
            if layer(&dependency).is_none() && !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{name} -> {dependency}"));
            }
        }
    }
    assert!(wrong.is_empty(), "crates that adr/0001 does not allow there: {wrong:?}");
}

#[test]
fn every_crate_stands_in_its_folder() {
    let found: BTreeMap<String, String> = packages()
        .iter()
        .map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap());
            let folder = manifest.parent().unwrap().strip_prefix(repository()).unwrap();
            (package["name"].as_str().unwrap().to_owned(), folder.to_string_lossy().replace('\\', "/"))
        })
        .collect();
    let expected =
        LAYERS.iter().map(|(name, folder, _)| ((*name).to_owned(), (*folder).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn only_the_composition_root_names_adapters() {
    let adapters: Vec<String> = LAYERS
        .iter()
        .filter(|(.., l)| *l == ADAPTER_LAYER)
        .map(|(name, ..)| name.replace('-', "_"))
        .collect();
    for file in rust_files(&repository().join("apps")) {
        if file.ends_with("cli/src/wire.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for adapter in &adapters {
            assert!(!text.contains(adapter.as_str()), "{} names {adapter}", file.display());
        }
    }
}

#[test]
fn the_domain_asks_the_world_for_nothing() {
    for file in rust_files(&repository().join("domain")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for word in
            ["std::fs", "std::env", "std::net", "std::process", "std::thread", "SystemTime", "println!"]
        {
            assert!(!code.contains(word), "{} uses {word}", file.display());
        }
    }
}

#[test]
fn every_third_party_crate_has_a_reason() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let section = manifest.split("[workspace.dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let lines: Vec<&str> = section.lines().filter(|line| !line.is_empty()).collect();
    for (at, line) in
        lines.iter().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.contains("path ="))
    {
        // Two crates with the same purpose may share a reason.
        let above = lines[..at].iter().rev().find(|l| l.starts_with('#') || l.contains("path ="));
        assert!(above.is_some_and(|l| l.starts_with('#')), "no reason above: {line}");
    }
}

/// Files that may use paths with `std::fs`, each with the reason. All other code reads, writes, replaces and deletes
/// through `skillc-fs`, below a descriptor (adr/0031).
const PATH_USERS: &[(&str, &str)] = &[
    ("adapters/disk/src/inspect.rs", "looks whether a link leads back to itself, and a program is there"),
    ("adapters/disk/src/named.rs", "reads files that the user named"),
    ("adapters/disk/src/spelling.rs", "looks how a folder lists a name"),
    ("adapters/disk/src/stores.rs", "looks whether a path is there, and resolves it before it is opened"),
    ("adapters/disk/src/scan.rs", "lists folders; what it finds is opened through skillc-fs"),
    ("adapters/disk/src/scan/known.rs", "looks whether listed folders changed"),
    (
        "adapters/disk/src/scan/watched.rs",
        "looks whether listed folders changed; reads a limit of the kernel",
    ),
    ("adapters/embed/src/check.rs", "the folder of models in the user's own .skillc"),
    ("adapters/embed/src/disk.rs", "reads a model that the user named, and writes into the folder of models"),
    ("adapters/embed/src/embedder.rs", "the folder of models in the user's own .skillc"),
    ("adapters/embed/src/hub.rs", "the folder of models in the user's own .skillc"),
    ("adapters/embed/src/store/mod.rs", "the folder of models in the user's own .skillc"),
    ("apps/cli/src/clients/mod.rs", "looks where this program is, and which of two files a client has"),
    ("apps/cli/src/config/place.rs", "looks where a folder leads that a project's configuration names"),
    ("apps/cli/build.rs", "runs when skc is built, in a folder of Cargo"),
    ("apps/cli/src/environment.rs", "resolves home and working directory, once"),
    ("apps/cli/src/demo.rs", "writes into a temporary home of its own"),
    ("apps/mcp/src/socket.rs", "the socket that the user named"),
    ("apps/mcp/src/token.rs", "the token in the user's own .skillc; links are refused"),
    ("apps/pick/src/terminal.rs", "the terminal"),
];

/// Whether a line of code names a function of `std::fs`, or opens a file by path.
fn opens_by_path(line: &str) -> bool {
    let is_function = |at: usize| {
        let (before, rest) = (&line[..at], &line[at + "fs::".len()..]);
        // `rustix::fs` and `cap_std::fs` work below a descriptor; a type, such as `fs::Metadata`, opens nothing.
        let is_std = before.ends_with("std::") && !before.ends_with("cap_std::")
            || !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        is_std && rest.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let opens = ["File::open(", "File::create", "File::options", "open_ambient"];
    line.match_indices("fs::").any(|(at, _)| is_function(at))
        || line.contains("use std::fs;")
        || opens.iter().any(|word| line.contains(word)) && !line.contains("cap_std")
}

/// D1
#[test]
fn files_are_opened_by_path_only_where_the_list_says_so() {
    let mut found = Vec::new();
    for file in ["adapters", "apps"].iter().flat_map(|folder| rust_files(&repository().join(folder))) {
        let name = file.strip_prefix(repository()).unwrap().to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        let uses = code.lines().any(opens_by_path);
        let is_test = name.ends_with("tests.rs") || name.contains("/examples/");
        if uses && !is_test && !name.starts_with("adapters/fs/") {
            found.push(name);
        }
    }
    let listed: Vec<&str> = PATH_USERS.iter().map(|(file, _)| *file).collect();
    let idle: Vec<_> = listed.iter().filter(|file| !found.iter().any(|name| name == *file)).collect();
    assert!(idle.is_empty(), "these use no paths any more: {idle:?}");
    found.retain(|file| !listed.contains(&file.as_str()));
    assert!(found.is_empty(), "these open files by path, and should not: {found:?}");
}

/// A panic that aborts cannot be caught, and a single call of the server would end all (adr/0021).
#[test]
fn panics_unwind_in_every_profile() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("panic ="), "a profile says what a panic does");
}

/// The usage store and the index must not be corrupted by the WAL-reset bug fixed in SQLite 3.51.3, and only one
/// SQLite library may be linked (adr/0004).
#[test]
fn sqlite_is_one_and_is_sound() {
    assert!(rusqlite::version_number() >= 3_051_003, "SQLite {}", rusqlite::version());
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    assert_eq!(lock.matches("name = \"libsqlite3-sys\"").count(), 1);
}

/// All Rust files below a folder.
pub fn rust_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}
