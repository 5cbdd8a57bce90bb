//! Finds, lists and fills stores of skills.

use crate::import;
use crate::sandbox;
use crate::shipped;
use crate::spelling;
use skillc_domain::limits::TEXT_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_domain::places::{SKILL_FILE, below};
use skillc_fs::{EntryKind, Folder, resolve_users, resolve_within};
use skillc_ports::error::{ErrorKind, PortError};
use skillc_ports::stores::{Found, SkillStores};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Stores on the local file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSkillStores;

impl SkillStores for DiskSkillStores {
    fn look(&self, path: &Path, within: &[&Path]) -> Found {
        if !spelling::is_exact(path) {
            return Found::Nothing;
        }
        if let Some(folder) = without_links(path, within) {
            return look_in(&folder);
        }
        let resolved = match within {
            [] => fs::canonicalize(path).map_err(|e| PortError::io("look", e)),
            roots => resolve_within(path, roots),
        };
        match resolved.and_then(|resolved| look_at(&resolved)) {
            Ok(found) => found,
            Err(PortError { kind: ErrorKind::Linked, at, .. }) => {
                Found::Linked(at.unwrap_or_else(|| path.to_owned()))
            }
            Err(_) => Found::Nothing,
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn real_path(&self, path: &Path) -> PathBuf {
        let resolved =
            |above: &Path| Some(below(fs::canonicalize(above).ok()?, path.strip_prefix(above).ok()?));
        path.ancestors().find_map(resolved).unwrap_or_else(|| path.to_owned())
    }

    fn users_path(&self, path: &Path) -> Result<PathBuf, PortError> {
        resolve_users(path)
    }

    fn mentions(&self, file: &Path, word: &str) -> bool {
        text(file).is_some_and(|text| holds_word(&text, word))
    }

    fn names(&self, store: &Path) -> Result<Vec<String>, PortError> {
        let Some(folder) = Folder::open_existing(store)? else { return Ok(Vec::new()) };
        let is_folder = |name: &Path, kind| match kind {
            EntryKind::Folder => true,
            EntryKind::Link => store.join(name).is_dir(),
            EntryKind::File | EntryKind::Other => false,
        };
        let folders = folder.entries()?.into_iter().filter(|(name, kind)| is_folder(Path::new(name), *kind));
        let mut names: Vec<String> = folders.filter_map(|(name, _)| name.into_string().ok()).collect();
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        Ok(names)
    }

    fn create_folder(&self, folder: &Path) -> Result<(), PortError> {
        Folder::create(folder).map(drop)
    }

    fn create_skill(&self, folder: &Path, skill_md: &str) -> Result<(), PortError> {
        Folder::create(folder)?.write_new(SKILL_FILE, skill_md.as_bytes())
    }

    fn write_skill(&self, folder: &Path, files: &[(&str, &[u8])]) -> Result<(), PortError> {
        shipped::write(folder, files)
    }

    fn rename(&self, folder: &Path, name: &str) -> Result<(), PortError> {
        let (parent, old) = Folder::of_file(folder)?;
        let refused = |kind| Err(PortError::new(kind, format!("rename '{}'", folder.display())));
        match parent.kind(&old) {
            Some(EntryKind::Folder) => {
                parent.rename_new(&old, name)?;
                if parent.kind(name) == Some(EntryKind::Folder) {
                    return Ok(());
                }
                // Another process put a link in its place.
                parent.rename_new(name, &old)?;
                refused(ErrorKind::NotAFile)
            }
            Some(_) => refused(ErrorKind::NotAFile),
            None => refused(ErrorKind::NotFound),
        }
    }

    fn import(&self, from: &Path, to: &Path, aside: Option<&str>) -> Result<(), PortError> {
        import::import(from, to, aside)
    }

    fn escaping_links(&self, from: &Path) -> Result<Vec<RelPath>, PortError> {
        import::escaping_links(from)
    }
}

/// Classifies a path without links. Looks for SKILL.md below the opened folder, not by path.
fn look_at(path: &Path) -> Result<Found, PortError> {
    Ok(Folder::open_existing(path)?.map_or(Found::Nothing, |folder| look_in(&folder)))
}

/// The folder at a path within the roots, if the path is canonical. Opening it without links takes one system call,
/// while resolving a path takes one per component.
fn without_links(path: &Path, within: &[&Path]) -> Option<Folder> {
    let is_within = within.is_empty() || within.iter().any(|root| path.starts_with(root));
    let is_normal = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    // Other systems check each component anyway, and may accept names in any case.
    if !cfg!(target_os = "linux") || !path.is_absolute() || !is_within || !is_normal {
        return None;
    }
    // Normalized as `components` does, for instance without a trailing slash.
    Folder::open(&path.components().collect::<PathBuf>()).ok()
}

fn look_in(folder: &Folder) -> Found {
    let is_skill = match sandbox::metadata(folder.dir(), Path::new(SKILL_FILE)) {
        Ok(metadata) => metadata.is_file() && spelling::is_exact(&folder.path().join(SKILL_FILE)),
        // A link that leads out is never followed; builds report it.
        Err(error) => sandbox::is_escape(&error),
    };
    if is_skill { Found::Skill(folder.path().to_owned()) } else { Found::Folder }
}

fn text(file: &Path) -> Option<String> {
    if !file.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(file).ok()?.take(TEXT_BYTES_MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Whether a text contains a word as a whole word.
fn holds_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const STORES: DiskSkillStores = DiskSkillStores;

    #[test]
    fn a_skill_is_a_folder_with_a_skill_md() {
        let store = TempDir::new().unwrap();
        let at = |name: &str| store.path().join(name);
        fs::create_dir_all(at("skill")).unwrap();
        fs::write(at("skill/SKILL.md"), "").unwrap();
        fs::create_dir_all(at("odd/SKILL.md")).unwrap();
        assert_eq!(
            STORES.look(&at("skill/../skill"), &[]),
            Found::Skill(fs::canonicalize(at("skill")).unwrap())
        );
        assert_eq!(STORES.look(&at("odd"), &[]), Found::Folder);
        assert_eq!(STORES.look(&at("skill/SKILL.md"), &[]), Found::Nothing);
        assert_eq!(STORES.look(&at("nothing"), &[]), Found::Nothing);
        assert!(STORES.is_folder(&at("odd")) && !STORES.is_folder(&at("skill/SKILL.md")));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_are_those_of_folders_and_of_links_to_them() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        let home = TempDir::new().unwrap();
        let store = home.path().join(".skillc/skills");
        for name in ["b", "a", ".hidden", "B"] {
            fs::create_dir_all(store.join(name)).unwrap();
        }
        fs::create_dir(store.join(std::ffi::OsStr::from_bytes(b"\xff"))).unwrap();
        fs::write(store.join("file"), "").unwrap();
        symlink("../..", store.join("link-to-a-folder-above")).unwrap();
        symlink("file", store.join("link-to-a-file")).unwrap();
        symlink("nothing", store.join("dangling")).unwrap();
        assert_eq!(STORES.names(&store).unwrap(), ["B", "a", "b", "link-to-a-folder-above"]);
        assert!(STORES.names(&home.path().join("none")).unwrap().is_empty());
        assert!(STORES.names(&store.join("file")).unwrap().is_empty());
    }

    #[test]
    fn a_word_is_mentioned_only_as_a_whole() {
        let home = TempDir::new().unwrap();
        let file = home.path().join("AGENTS.md");
        assert!(!STORES.mentions(&file, "skc"));
        fs::write(&file, "risk c, riskcheck; run `skc list`").unwrap();
        assert!(STORES.mentions(&file, "skc") && STORES.mentions(&file, "list"));
        assert!(
            !STORES.mentions(&file, "isk") && !STORES.mentions(&file, "") && !STORES.mentions(&file, "check")
        );
        assert!(!STORES.mentions(home.path(), "skc"), "a folder holds none");
    }

    /// RFC-0006:C-INIT
    #[test]
    fn init_never_overwrites_a_skill() {
        let home = TempDir::new().unwrap();
        let folder = home.path().join("skills/x");
        STORES.create_skill(&folder, "first").unwrap();
        assert_eq!(STORES.create_skill(&folder, "second").unwrap_err().kind, ErrorKind::AlreadyExists);
        assert_eq!(fs::read(folder.join("SKILL.md")).unwrap(), b"first");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_made_once_and_never_over_a_file() {
        let home = TempDir::new().unwrap();
        let folder = home.path().join("a/b");
        STORES.create_folder(&folder).unwrap();
        STORES.create_folder(&folder).unwrap();
        let file = folder.join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            assert_eq!(STORES.create_folder(&path).unwrap_err().kind, ErrorKind::AlreadyExists, "{path:?}");
        }
    }
}
