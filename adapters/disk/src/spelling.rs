//! Whether an entry of a folder is spelled as given. Systems that ignore case also find it by other spellings; two
//! skills would then share what is stored by name (runtime, deployments, settings).

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Whether the last part of a path is spelled like its entry. Also true if there is no such entry.
pub fn is_exact(path: &Path) -> bool {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return true };
    let Some(other) = name.to_str().and_then(in_other_case) else { return true };
    // Where case counts, there is hardly ever an entry with the other spelling.
    fs::symlink_metadata(folder.join(other)).is_err() || has_entry(folder, name)
}

fn has_entry(folder: &Path, name: &OsStr) -> bool {
    fs::read_dir(folder).map_or(true, |mut entries| entries.any(|e| e.is_ok_and(|e| e.file_name() == name)))
}

/// A name with its first letter in the other case; `None` if it has no ASCII letter.
fn in_other_case(name: &str) -> Option<String> {
    let at = name.find(|c: char| c.is_ascii_alphabetic())?;
    let letter = char::from(name.as_bytes()[at]);
    let other =
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    Some(format!("{}{other}{}", &name[..at], &name[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn the_other_case_differs_in_one_letter() {
        for (name, other) in
            [("alpha", Some("Alpha")), ("1-B", Some("1-b")), ("é-x", Some("é-X")), ("1-é", None)]
        {
            assert_eq!(in_other_case(name).as_deref(), other);
        }
    }

    /// Two entries here are what one entry is on a system that ignores case, which lists only one of them.
    #[test]
    fn an_entry_is_exact_if_the_folder_lists_it() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("alpha"), "").unwrap();
        assert!(is_exact(&at("alpha")) && is_exact(&at("beta")));
        let is_other_found = at("Alpha").exists();
        assert_eq!(is_exact(&at("ALPHA")), !is_other_found);
        assert!(!is_exact(&at("Alpha")), "the folder lists 'alpha' alone");
    }
}
