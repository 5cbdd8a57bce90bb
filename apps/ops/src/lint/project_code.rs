//! The code of the project around a skill: whether it uses a file that no text of the skill mentions, and whether it
//! installs the skill under another name than its folder's.

use super::surroundings::{FOLDERS_ABOVE_MAX, exists};
use crate::run::Run;
use crate::source::skill_file;
use skillc_domain::path::RelPath;
use skillc_lint::code_text::{has_access, has_literal, loads_skills, names_place, uses};
use skillc_lint::rules::skl104_name_match_dir::MANIFESTS;
use skillc_lint::set_aside::is_of_agent;
use skillc_ports::InspectedKind;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of a project's folders that are listed, those nearest to its root first.
const FOLDERS_MAX: usize = 1_000;
/// Size of the largest file of code that is read, in bytes; larger ones are bundles or data.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Size of all code that is read of a project, in bytes.
const BYTES_MAX: usize = 16 * 1024 * 1024;
/// Extensions of code that may install a skill or read its files.
const EXTENSIONS: &[&str] =
    &["bash", "cjs", "cts", "go", "js", "mjs", "mts", "ps1", "py", "rb", "rs", "sh", "ts", "zsh"];
/// Folders of other projects' code, and of tests, which name skills and files only to check them.
const FOLDERS_APART: &[&str] = &[
    "__pycache__",
    "__tests__",
    "node_modules",
    "site-packages",
    "spec",
    "target",
    "test",
    "tests",
    "vendor",
    "venv",
];
/// Parts of the names of files that check others.
const CHECKS: &[&str] = &["check", "lint", "test", "valid"];

/// The code of the projects of a run, outside of their skills. A project's is read once, and only if a finding needs it.
#[derive(Default)]
pub struct ProjectCode {
    /// The root of the project of each skill.
    roots: Mutex<BTreeMap<PathBuf, Option<PathBuf>>>,
    /// The code below each root.
    texts: Mutex<BTreeMap<PathBuf, Arc<Texts>>>,
}

/// The code of a project.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    loads_skills: OnceLock<bool>,
}

impl Texts {
    /// Whether one of the texts is such.
    fn any(&self, is_such: impl Fn(&String) -> bool) -> bool {
        self.texts.iter().any(is_such)
    }

    /// Whether the program loads skills itself.
    fn loads_skills(&self) -> bool {
        *self.loads_skills.get_or_init(|| self.any(|text| loads_skills(text)))
    }
}

impl ProjectCode {
    /// Whether a file of the code around a skill names both the skill and its folder, neither of which contains the
    /// other's name.
    pub fn names_both(&self, run: &Run<'_>, skill: &Path, name: &str, folder: &str) -> bool {
        let is_both = |text: &String| has_literal(text, name) && has_literal(text, folder);
        !name.contains(folder) && !folder.contains(name) && self.texts(run, skill).any(is_both)
    }

    /// Whether a file of the code around a skill names a file of it or imports it.
    pub fn uses(&self, run: &Run<'_>, skill: &Path, file: &RelPath) -> bool {
        self.texts(run, skill).any(|text| uses(text, file))
    }

    /// Whether a file of the code around a skill names a file of it together with its folder.
    pub fn names_place(&self, run: &Run<'_>, skill: &Path, file: &RelPath) -> bool {
        self.texts(run, skill).any(|text| names_place(text, file))
    }

    /// Whether a file of the code around a skill names the folder, which is inside another one, of a file that the skill
    /// lacks. It probably writes the file.
    pub fn writes(&self, run: &Run<'_>, skill: &Path, file: &RelPath) -> bool {
        file.folder().contains('/') && self.contains(run, skill, &format!("{}/", file.folder()))
    }

    /// Whether a file of the code around a skill contains a text.
    pub fn contains(&self, run: &Run<'_>, skill: &Path, text: &str) -> bool {
        self.texts(run, skill).any(|code| code.contains(text))
    }

    /// Whether the code around a skill loads skills, and reads a field of them: `fields.agent`.
    pub fn reads_field(&self, run: &Run<'_>, skill: &Path, field: &str) -> bool {
        let texts = self.texts(run, skill);
        texts.loads_skills() && texts.any(|code| has_access(code, field) || has_literal(code, field))
    }

    /// Whether a file of the code around a skill has a word as a literal.
    pub fn has_literal(&self, run: &Run<'_>, skill: &Path, word: &str) -> bool {
        self.texts(run, skill).any(|code| has_literal(code, word))
    }

    /// Whether a file of the code around a skill names the first folder of a path, or the file if it has none.
    pub fn names_beginning(&self, run: &Run<'_>, skill: &Path, path: &RelPath) -> bool {
        let first = path.as_str().split('/').next().unwrap_or_default();
        self.texts(run, skill).any(|code| has_literal(code, first))
    }

    /// Whether a skill is built into a program that loads skills itself: it is neither in a folder `skills` directly below
    /// the project's root nor in a plugin or a folder of a client, and the code reads the front matter of skills.
    pub fn is_built_in(&self, run: &Run<'_>, skill: &Path) -> bool {
        let Some(root) = self.root(run, skill) else { return false };
        let within = skill.strip_prefix(&root).unwrap_or(skill);
        let folders: Vec<_> = within.iter().map(|folder| folder.to_string_lossy()).collect();
        let is_for_clients = folders.len() == 1
            || folders.first().is_some_and(|folder| folder == "skills")
            || folders.iter().any(|folder| folder.contains("plugin") || is_of_agent(folder));
        !is_for_clients && self.texts(run, skill).loads_skills()
    }

    fn root(&self, run: &Run<'_>, skill: &Path) -> Option<PathBuf> {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots.entry(skill.to_owned()).or_insert_with(|| root(run, skill)).clone()
    }

    fn texts(&self, run: &Run<'_>, skill: &Path) -> Arc<Texts> {
        let Some(root) = self.root(run, skill) else { return Arc::default() };
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || Arc::new(Texts { texts: texts_below(run, &root), ..Texts::default() });
        texts.entry(root.clone()).or_insert_with(read).clone()
    }
}

/// The root of the project that a skill belongs to: the nearest folder above it with a manifest or a repository, or the
/// outermost Python package.
fn root(run: &Run<'_>, skill: &Path) -> Option<PathBuf> {
    let above = || skill.ancestors().skip(1).take(FOLDERS_ABOVE_MAX);
    let has = |folder: &Path, name: &str| exists(run, &folder.join(name));
    let (module, manifests): (Vec<&str>, Vec<&str>) =
        MANIFESTS.iter().partition(|name| name.ends_with("__init__.py"));
    let is_root = |folder: &&Path| manifests.iter().chain(&[".git"]).any(|name| has(folder, name));
    let is_module = |folder: &&Path| module.iter().any(|name| has(folder, name));
    above().find(is_root).or_else(|| above().filter(is_module).last()).map(Path::to_owned)
}

/// The texts of the files of code below a folder, except those of skills.
fn texts_below(run: &Run<'_>, root: &Path) -> Vec<String> {
    let mut open = VecDeque::from([root.to_owned()]);
    let (mut texts, mut bytes, mut folders) = (Vec::new(), 0, 0);
    while let Some(folder) = open.pop_front().filter(|_| folders < FOLDERS_MAX && bytes < BYTES_MAX) {
        folders += 1;
        let entries = run.app.ports.inspector.entries(&folder).unwrap_or_default();
        let is_skill = entries.iter().any(|entry| entry.path.ends_with(skill_file().as_str()));
        if is_skill && folder != root {
            continue;
        }
        let Ok(tree) = run.app.ports.files.open(&folder) else { continue };
        for entry in entries {
            let Some(name) = entry.path.file_name().and_then(|name| name.to_str()) else { continue };
            match entry.kind {
                InspectedKind::Folder if !name.starts_with('.') && !FOLDERS_APART.contains(&name) => {
                    open.push_back(entry.path);
                }
                InspectedKind::File if is_code(name) => {
                    let path = RelPath::from_walk(name.to_owned());
                    let read = tree.read(&path, FILE_BYTES_MAX).ok();
                    if let Some(text) = read.and_then(|read| String::from_utf8(read.bytes).ok()) {
                        bytes += text.len();
                        texts.push(text);
                    }
                }
                _ => {}
            }
        }
    }
    texts
}

fn is_code(name: &str) -> bool {
    let stem_and_extension = name.rsplit_once('.');
    stem_and_extension.is_some_and(|(stem, extension)| {
        EXTENSIONS.contains(&extension) && !CHECKS.iter().any(|word| stem.contains(word))
    })
}
