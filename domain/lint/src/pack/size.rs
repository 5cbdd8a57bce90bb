//! Checks the limits on files and bytes, and suggests what to omit.

use super::refusal::PackRefusal;
use super::target::PackTarget;
use skillc_domain::archive::{ArchiveEntry, ArchiveListing};
use std::collections::BTreeMap;

/// Number of files or folders named in an advice.
const NAMED_MAX: usize = 3;

pub(super) fn refusals(target: &PackTarget, archive: &ArchiveListing) -> Vec<PackRefusal> {
    too_many_files(target, archive).into_iter().chain(too_large(target, archive)).collect()
}

fn too_many_files(target: &PackTarget, archive: &ArchiveListing) -> Option<PackRefusal> {
    let (max, count) = (target.files_max?, archive.files().count());
    if count <= max {
        return None;
    }
    let message = match target.words.map(|words| words.too_many_files) {
        Some((before, after)) => format!("{before}{max}{after}"),
        None => format!("{count} files exceed the limit of {max}"),
    };
    let advice = format!("it has {count}; leave out, for example, {}", largest_folders(archive));
    Some(PackRefusal::certain(target.source, message, advice))
}

fn too_large(target: &PackTarget, archive: &ArchiveListing) -> Option<PackRefusal> {
    let (max, bytes) = (target.bytes_max?, archive.bytes());
    if bytes <= max {
        return None;
    }
    let message = format!("{bytes} bytes unpacked exceed the limit of {max}");
    let advice = format!("leave out, for example, {}", largest_files(archive));
    Some(PackRefusal::certain(target.source, message, advice))
}

/// The folders that contain the most files.
fn largest_folders(archive: &ArchiveListing) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in archive.files() {
        let folder = file.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(folder, count)| (std::cmp::Reverse(*count), *folder));
    let shown = counts.iter().take(NAMED_MAX).map(|(folder, count)| format!("{folder}/ ({count} files)"));
    shown.collect::<Vec<_>>().join(", ")
}

fn largest_files(archive: &ArchiveListing) -> String {
    let mut files: Vec<&ArchiveEntry> = archive.files().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.bytes));
    let shown = files.iter().take(NAMED_MAX).map(|file| format!("{} ({} bytes)", file.name, file.bytes));
    shown.collect::<Vec<_>>().join(", ")
}
