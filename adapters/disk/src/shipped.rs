//! Writes a skill that is embedded in the program.

use skillc_fs::{EntryKind, Folder, TemporaryEntry};
use skillc_ports::error::{ErrorKind, PortError};
use std::collections::BTreeSet;
use std::path::Path;

/// Prefix of names of incomplete folders.
const INCOMPLETE: &str = ".skillc-shipped-";
/// Maximum depth of folders that are compared; deeper ones are not skc's.
const DEPTH_MAX: usize = 8;

/// Implements `SkillStores::write_skill`.
pub(crate) fn write(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), PortError> {
    let (parent, name) = Folder::create_of_file(folder)?;
    if parent.kind(&name) == Some(EntryKind::Folder) && holds(&parent.subfolder(&name)?, files) {
        return Ok(());
    }
    parent.remove_stale(INCOMPLETE, |kind| kind == EntryKind::Folder);
    let made = make(&parent, files)?;
    match parent.kind(&name) {
        None => made.persist_new(&name),
        // The old folder is deleted on drop.
        Some(_) => {
            let old = parent.temporary_entry(INCOMPLETE)?;
            made.swap_in(&name, old.name())
        }
    }
}

fn make<'a>(parent: &'a Folder, files: &[(&str, &[u8])]) -> Result<TemporaryEntry<'a>, PortError> {
    let made = parent.temporary_entry(INCOMPLETE)?;
    parent.create_subfolder(made.name())?;
    for (path, bytes) in files {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut folder = parent.subfolder(made.name())?;
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            folder = folder.create_subfolder(part)?;
        }
        folder.write_new(name, bytes)?;
    }
    Ok(made)
}

/// Whether a folder contains exactly these files.
fn holds(folder: &Folder, files: &[(&str, &[u8])]) -> bool {
    let mut found = BTreeSet::new();
    let are_same = list(folder, "", DEPTH_MAX, &mut found).is_ok()
        && found.len() == files.len()
        && files.iter().all(|(path, _)| found.contains(*path));
    are_same
        && files.iter().all(|(path, bytes)| read(folder, path, bytes.len()).is_ok_and(|own| own == *bytes))
}

fn list(
    folder: &Folder,
    above: &str,
    depth_left: usize,
    found: &mut BTreeSet<String>,
) -> Result<(), PortError> {
    if depth_left == 0 {
        return Err(PortError::new(ErrorKind::Failed, "look into the folder of a shipped skill"));
    }
    for (name, kind) in folder.entries()? {
        let path = format!("{above}{}", name.to_string_lossy());
        match kind {
            EntryKind::Folder => list(&folder.subfolder(&name)?, &format!("{path}/"), depth_left - 1, found)?,
            EntryKind::File | EntryKind::Link | EntryKind::Other => {
                found.insert(path);
            }
        }
    }
    Ok(())
}

fn read(folder: &Folder, path: &str, bytes: usize) -> Result<Vec<u8>, PortError> {
    let bytes_max = u64::try_from(bytes).unwrap_or(u64::MAX);
    match path.split_once('/') {
        Some((first, rest)) => read(&folder.subfolder(first)?, rest, bytes),
        None => folder.read(path, bytes_max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// RFC-0007:C-SHIPPED
    #[test]
    fn a_shipped_skill_is_written_once_and_again_when_it_differs() {
        let home = tempfile::TempDir::new().unwrap();
        let at = home.path().join("shipped/x");
        let files: &[(&str, &[u8])] = &[("SKILL.md", b"one"), ("references/deep/a.md", b"two")];
        write(&at, files).unwrap();
        let modified = || fs::metadata(&at).unwrap().modified().unwrap();
        let first = modified();
        write(&at, files).unwrap();
        assert_eq!(modified(), first);
        for spoil in ["SKILL.md", "references/stray.md"] {
            fs::write(at.join(spoil), "edited").unwrap();
            write(&at, files).unwrap();
            assert_eq!(fs::read(at.join("SKILL.md")).unwrap(), b"one");
            assert_eq!(fs::read_dir(at.join("references")).unwrap().count(), 1, "{spoil}");
        }
        assert_eq!(fs::read_dir(home.path().join("shipped")).unwrap().count(), 1);
    }
}
