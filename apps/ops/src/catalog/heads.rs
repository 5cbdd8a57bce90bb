//! Reads the metadata of skills from their files, once per change.

use crate::app::App;
use crate::runtime::source_built;
use skillc_domain::digest::Digest;
use skillc_domain::discovery::extract::extract_python_skill_text;
use skillc_domain::discovery::head::{PlaceNames, SkillHead, judge, requoted};
use skillc_domain::discovery::merge::file_of;
use skillc_domain::discovery::place::single_file_stem;
use skillc_domain::discovery::scan::{PYTHON_SKILL_FILE, ScannedRoot, SkillForm};
use skillc_domain::discovery::skill::SkillKind;
use skillc_domain::fault::Fault;
use skillc_domain::frontmatter::body;
use skillc_domain::limits::CATALOGED_BYTES_MAX;
use skillc_domain::path::RelPath;
use skillc_ports::ErrorKind;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

/// Number of skills from which more threads pay off.
const PARALLEL_HEADS_MIN: usize = 200;
/// Maximum number of threads; more would wait for each other in the file system.
const THREADS_MAX: usize = 4;

/// Reads the heads that are missing in a scan.
pub fn fill(app: &App, kind: SkillKind, scanned: &mut ScannedRoot) {
    let is_missing = |at: &usize| {
        let skill = scanned.folders[*at].skill.as_ref();
        skill.is_some_and(|skill| skill.head.is_none() && skill.form != SkillForm::NotAFile)
    };
    let missing: Vec<usize> = (0..scanned.folders.len()).filter(is_missing).collect();
    let heads = heads(app, kind, scanned, &missing);
    for (at, head) in missing.into_iter().zip(heads) {
        if let Some(skill) = &mut scanned.folders[at].skill {
            skill.head = head;
        }
    }
}

/// Reads the heads of the skills in these folders, in order; uses several threads if there are many.
fn heads(app: &App, kind: SkillKind, scanned: &ScannedRoot, folders: &[usize]) -> Vec<Option<SkillHead>> {
    if folders.len() < PARALLEL_HEADS_MIN {
        return folders.iter().map(|at| head(app, kind, scanned, *at)).collect();
    }
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    thread::scope(|scope| {
        let begin = |part: &[usize]| {
            let part = part.to_vec();
            scope.spawn(move || part.iter().map(|at| head(app, kind, scanned, *at)).collect::<Vec<_>>())
        };
        let parts: Vec<_> = folders.chunks(folders.len().div_ceil(threads)).map(begin).collect();
        let done = parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect()
    })
}

fn head(app: &App, kind: SkillKind, scanned: &ScannedRoot, at: usize) -> Option<SkillHead> {
    let (folder, place) = (&scanned.folders[at], scanned.canonical(at));
    if leads_out(app, scanned, &place) {
        return Some(SkillHead::Invalid("it is a link that leads out of the project".to_owned()));
    }
    let own = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match folder.skill.as_ref()?.form {
        SkillForm::Stub => Some(stub(app, scanned, &place)),
        SkillForm::SingleFile => {
            let names = [&own, &folder.name].map(|name| single_file_stem(name).unwrap_or_default());
            read(app, kind, place.parent()?, &own, PlaceNames { names: &names, is_single_file: true })
        }
        SkillForm::File | SkillForm::NotAFile => {
            let names = [own.as_str(), folder.name.as_str()];
            // The root has no name in a parent folder.
            let names = if folder.name.is_empty() { &names[..1] } else { &names };
            read(app, kind, &place, file_of(kind), PlaceNames { names, is_single_file: false })
        }
    }
}

/// Whether a folder reached from a repository's root is in neither the repository nor the user's own `.skillc`.
fn leads_out(app: &App, scanned: &ScannedRoot, folder: &Path) -> bool {
    let is_inside = |border: &PathBuf| folder.starts_with(border) || folder.starts_with(&app.call.places.own);
    !scanned.border.as_ref().is_none_or(is_inside)
}

fn stub(app: &App, scanned: &ScannedRoot, runtime: &Path) -> SkillHead {
    let source = source_built(app, runtime).map(|source| app.ports.stores.real_path(&source));
    match source {
        // A stub in a cloned repository can name any folder of this machine.
        Some(source) if leads_out(app, scanned, &source) => {
            SkillHead::Invalid("a stub of a skill outside the project".to_owned())
        }
        Some(source) => SkillHead::Stub(source),
        None => SkillHead::Invalid("a stub whose manifest cannot be read".to_owned()),
    }
}

/// Reads the head of the skill in a file of a folder; `None` if the skill no longer exists.
fn read(app: &App, kind: SkillKind, dir: &Path, file: &str, place: PlaceNames<'_>) -> Option<SkillHead> {
    let file = RelPath::from_walk(file.to_owned());
    let content = match app.ports.files.open(dir).and_then(|tree| tree.read(&file, CATALOGED_BYTES_MAX)) {
        Ok(content) => content,
        Err(error) if error.kind == ErrorKind::NotFound => return None,
        Err(error) => return Some(SkillHead::Invalid(error.reason().to_owned())),
    };
    let digest = app.ports.files.digest(&content.bytes);
    let Ok(text) = std::str::from_utf8(&content.bytes) else {
        return Some(SkillHead::Invalid("not UTF-8".to_owned()));
    };
    if kind == SkillKind::Python {
        return Some(python(app, text, digest));
    }
    let front = app.ports.reader.front_matter(text);
    let Err(flaw) = &front else { return Some(judge(front, body(text), place, digest)) };
    // A lenient client accepts the text after adding quotes; for a strict one, that is a flaw.
    let flaw = Fault::from(flaw.clone()).to_string();
    let again = requoted(text).map(|text| app.ports.reader.front_matter(&text)).filter(Result::is_ok);
    let mut head = judge(again.unwrap_or(front), body(text), place, digest);
    if let SkillHead::Skill { flaws, .. } = &mut head {
        flaws.insert(0, flaw);
    }
    Some(head)
}

/// The head of a Python skill.
fn python(app: &App, text: &str, digest: Digest) -> SkillHead {
    match app.ports.settings_reader.table(text).map(|table| extract_python_skill_text(&table)) {
        Ok(Some((name, description))) => SkillHead::Skill { name, description, digest, flaws: Vec::new() },
        Ok(None) => SkillHead::Invalid(format!("{PYTHON_SKILL_FILE} has no name")),
        Err(message) => SkillHead::Invalid(message),
    }
}
