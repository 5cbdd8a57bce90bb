//! Checks the position of SKILL.md in an archive.

use super::refusal::PackRefusal;
use super::target::{PackLayout, PackTarget};
use skillc_domain::archive::{ArchiveEntry, ArchiveListing};
use skillc_domain::places::SKILL_FILE;
use std::collections::BTreeSet;

/// The folder that macOS adds to archives.
const MACOS_FOLDER: &str = "__MACOSX";

pub(super) fn refusals(target: &PackTarget, archive: &ArchiveListing) -> Vec<PackRefusal> {
    let skill_files: Vec<&ArchiveEntry> =
        archive.files().filter(|file| file.file_name() == SKILL_FILE).collect();
    let mut found = Vec::new();
    match skill_files[..] {
        [] => found.push(none(target, archive)),
        [only] => found.extend(misplaced(target, only)),
        _ => found.push(several(target, &skill_files)),
    }
    found.extend(second_folder(target, archive));
    found.extend(from_macos(target, archive));
    found
}

fn none(target: &PackTarget, archive: &ArchiveListing) -> PackRefusal {
    let other_case = archive.files().find(|file| file.file_name().eq_ignore_ascii_case(SKILL_FILE));
    let advice = match other_case {
        Some(file) => format!("rename '{}' to SKILL.md, in capitals", file.name),
        None => "add a SKILL.md".to_owned(),
    };
    let own = "the archive has no SKILL.md";
    PackRefusal::certain(target.source, target.words.map_or(own, |words| words.one_skill_md), advice)
}

fn several(target: &PackTarget, skill_files: &[&ArchiveEntry]) -> PackRefusal {
    let names: Vec<&str> = skill_files.iter().take(3).map(|file| file.name.as_str()).collect();
    let own = format!("{} files are called SKILL.md", skill_files.len());
    let message = target.words.map_or(own, |words| words.one_skill_md.to_owned());
    let advice = format!("leave out all but one, or give the others another name: {}", names.join(", "));
    PackRefusal::new(target.layout == PackLayout::Folder, target.source, message, advice)
}

fn misplaced(target: &PackTarget, skill_md: &ArchiveEntry) -> Option<PackRefusal> {
    let folders = skill_md.name.matches('/').count();
    let (is_right, own, advice) = match target.layout {
        PackLayout::Folder => {
            (folders == 1, "SKILL.md is not in the top folder", "put the files into one folder at the top")
        }
        PackLayout::Root => (
            folders == 0,
            "SKILL.md is not at the top of the archive",
            "archive the files of the skill without its folder",
        ),
        PackLayout::FolderOrRoot => {
            (folders <= 1, "SKILL.md is more than one folder deep", "leave out the folders above the skill")
        }
    };
    let message = target.words.map_or(own, |words| words.top_level);
    let advice = format!("{advice}; it is '{}'", skill_md.name);
    (!is_right).then(|| PackRefusal::certain(target.source, message, advice))
}

/// Reports another folder or file next to the skill's folder.
fn second_folder(target: &PackTarget, archive: &ArchiveListing) -> Option<PackRefusal> {
    if target.layout != PackLayout::Folder {
        return None;
    }
    let top = |entry: &ArchiveEntry| entry.name.split('/').next().unwrap_or_default().to_owned();
    let tops: BTreeSet<String> = archive.entries.iter().map(top).filter(|top| top != MACOS_FOLDER).collect();
    let shown: Vec<&str> = tops.iter().take(3).map(String::as_str).collect();
    let message = format!("{} entries are at the top, not one folder: {}", tops.len(), shown.join(", "));
    let advice = "put all files into one folder with the name of the skill";
    (tops.len() > 1).then(|| PackRefusal::certain(target.source, message, advice))
}

fn from_macos(target: &PackTarget, archive: &ArchiveListing) -> Option<PackRefusal> {
    let is_macos = |entry: &&ArchiveEntry| {
        entry.name.split('/').next() == Some(MACOS_FOLDER) || entry.file_name().starts_with("._")
    };
    let entry = archive.entries.iter().find(is_macos)?;
    let message = format!("'{}' is metadata of macOS", entry.name);
    let advice = "archive it with 'skc pack', or with: zip -X -r FILE FOLDER -x '*/._*'";
    Some(PackRefusal::new(target.layout == PackLayout::Folder, target.source, message, advice))
}
