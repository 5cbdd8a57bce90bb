//! Folders that package managers and interpreters fill, and that no author writes.

use skillc_domain::path::RelPath;

/// Names of folders for third-party packages.
const PACKAGE_FOLDERS: &[&str] = &["node_modules", "site-packages", "venv", "virtualenv", "bower_components"];
/// The folder in which Python stores compiled modules.
const CACHE_FOLDER: &str = "__pycache__";

/// The outermost folder of installed packages that contains a file: `scripts/venv` for `scripts/venv/bin/pip`.
pub fn package_folder(path: &RelPath) -> Option<&str> {
    folder_named(path, |name| PACKAGE_FOLDERS.contains(&name))
}

/// The folder of compiled modules that contains a file.
pub fn cache_folder(path: &RelPath) -> Option<&str> {
    folder_named(path, |name| name == CACHE_FOLDER)
}

/// The source of a compiled module: `scripts/run.py` for `scripts/__pycache__/run.cpython-312.pyc`.
pub fn source_of_module(path: &RelPath) -> Option<RelPath> {
    let (above, _) = cache_folder(path)?.rsplit_once(CACHE_FOLDER)?;
    let stem = path.name().strip_suffix(".pyc")?.split('.').next()?;
    RelPath::parse(&format!("{above}{stem}.py")).ok()
}

fn folder_named(path: &RelPath, is_one: impl Fn(&str) -> bool) -> Option<&str> {
    let path = path.as_str();
    let mut start = 0;
    for (end, _) in path.match_indices('/') {
        if is_one(&path[start..end]) {
            return Some(&path[..end]);
        }
        start = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> RelPath {
        RelPath::parse(path).unwrap()
    }

    #[test]
    fn the_outermost_folder_of_packages_is_told() {
        for (file, expected) in [
            ("scripts/venv/lib/python3.14/site-packages/pip/a.py", Some("scripts/venv")),
            ("node_modules/a/index.js", Some("node_modules")),
            ("venv", None),
            ("references/venv.md", None),
            ("scripts/__pycache__/a.cpython-312.pyc", None),
        ] {
            assert_eq!(package_folder(&path(file)), expected, "{file}");
        }
    }

    #[test]
    fn a_compiled_module_has_its_source_above_its_folder() {
        for (file, expected) in [
            ("scripts/__pycache__/run.cpython-312.pyc", Some("scripts/run.py")),
            ("__pycache__/run.pyc", Some("run.py")),
            ("scripts/run.pyc", None),
        ] {
            assert_eq!(source_of_module(&path(file)), expected.map(path), "{file}");
        }
    }
}
