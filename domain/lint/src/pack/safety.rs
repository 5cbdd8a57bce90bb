//! Checks that hold for every receiver: what no careful program would unpack.

use super::refusal::PackRefusal;
use skillc_domain::archive::{ArchiveEntry, ArchiveFlaw, ArchiveListing, ArchivedKind};
use skillc_domain::limits::{ARCHIVE_ENTRIES_MAX, PATH_SEGMENT_BYTES_MAX};
use std::collections::BTreeMap;

/// Section 4.4.17: file names are relative, with forward slashes and without a drive.
const ZIP: &str = "https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.10.TXT 4.4.17";
/// Attacks on programs that unpack archives.
const UNPACKING: &str = "https://cwe.mitre.org/data/definitions/409.html";
/// Maximum depth of folders that all systems can unpack.
const FOLDERS_MAX: usize = 64;
/// File extensions of archives.
const ARCHIVES: [&str; 7] = [".zip", ".skill", ".tar", ".gz", ".tgz", ".7z", ".rar"];

/// A property of an entry's name that makes an archive unacceptable, with its message and advice.
struct NameFlaw {
    applies: fn(&ArchiveEntry) -> bool,
    is_certain: bool,
    message: &'static str,
    advice: &'static str,
}

const NAME_FLAWS: &[NameFlaw] = &[
    NameFlaw {
        applies: |entry| entry.name.split(['/', '\\']).any(|segment| segment == ".."),
        is_certain: true,
        message: "the name climbs out of the archive",
        advice: "do not unpack it: it was made to write outside of the folder",
    },
    NameFlaw {
        applies: |entry| entry.name.starts_with(['/', '\\']),
        is_certain: true,
        message: "the name is absolute",
        advice: "archive the folder by a relative path",
    },
    NameFlaw {
        applies: |entry| entry.name.contains('\\'),
        is_certain: true,
        message: "the name has a backslash",
        advice: "archive it with 'skc pack'; Compress-Archive of PowerShell writes backslashes",
    },
    NameFlaw {
        applies: |entry| entry.name.contains(':'),
        is_certain: true,
        message: "the name has a colon, which Windows does not accept",
        advice: "rename the file",
    },
    NameFlaw {
        applies: |entry| entry.name.chars().any(char::is_control),
        is_certain: true,
        message: "the name has a control character",
        advice: "rename the file",
    },
    NameFlaw {
        applies: |entry| {
            entry.name.trim_end_matches('/').split('/').any(|segment| matches!(segment, "" | "."))
        },
        is_certain: true,
        message: "the name has an empty part",
        advice: "archive it with 'skc pack'",
    },
    NameFlaw {
        applies: |entry| entry.name.split('/').any(|segment| segment.len() > PATH_SEGMENT_BYTES_MAX),
        is_certain: true,
        message: "the name is longer than file systems allow",
        advice: "give the file a shorter name",
    },
    NameFlaw {
        applies: |entry| entry.name.matches('/').count() > FOLDERS_MAX,
        is_certain: true,
        message: "the file is too many folders deep",
        advice: "move it up",
    },
    NameFlaw {
        applies: |entry| entry.kind == ArchivedKind::Link,
        is_certain: true,
        message: "the entry is a link",
        advice: "put the file itself in its place",
    },
    NameFlaw {
        applies: |entry| entry.is_encrypted,
        is_certain: true,
        message: "the entry is encrypted",
        advice: "archive it without a password",
    },
    NameFlaw {
        applies: |entry| !entry.has_portable_name,
        is_certain: false,
        message: "the name is not marked as UTF-8, and is read differently elsewhere",
        advice: "archive it with 'skc pack', or use ASCII names",
    },
    NameFlaw {
        applies: |entry| {
            entry.is_file() && ARCHIVES.iter().any(|end| entry.name.to_ascii_lowercase().ends_with(end))
        },
        is_certain: false,
        message: "the file is an archive, which no receiver unpacks",
        advice: "put its files into the skill, or leave it out",
    },
];

pub(super) fn refusals(archive: &ArchiveListing) -> Vec<PackRefusal> {
    let mut found: Vec<PackRefusal> = archive.flaws.iter().map(of_flaw).collect();
    found.extend(NAME_FLAWS.iter().filter_map(|flaw| of_names(flaw, archive)));
    found.extend(twins(archive));
    found
}

fn of_flaw(flaw: &ArchiveFlaw) -> PackRefusal {
    let advice = match flaw {
        ArchiveFlaw::TooManyEntries { .. } => {
            format!("leave out files; only the first {ARCHIVE_ENTRIES_MAX} entries were looked at")
        }
        ArchiveFlaw::TooLarge { .. } => "leave out the largest files".to_owned(),
        ArchiveFlaw::Bomb { .. } => "do not unpack it: it may be made to fill the disk".to_owned(),
        ArchiveFlaw::Damaged { .. } => "fetch or make it again".to_owned(),
    };
    PackRefusal::certain(UNPACKING, flaw.to_string(), advice)
}

/// One refusal for all entries with a flaw, which names the first of them.
fn of_names(flaw: &NameFlaw, archive: &ArchiveListing) -> Option<PackRefusal> {
    let mut named = archive.entries.iter().filter(|entry| (flaw.applies)(entry));
    let first = named.next()?;
    let more = match named.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let message = format!("{}: '{}'{more}", flaw.message, first.name);
    Some(PackRefusal::new(flaw.is_certain, ZIP, message, flaw.advice))
}

/// Reports names that are the same file on a system that ignores case.
fn twins(archive: &ArchiveListing) -> Option<PackRefusal> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for entry in &archive.entries {
        let name = entry.name.trim_end_matches('/');
        let Some(twin) = seen.insert(name.to_lowercase(), name) else { continue };
        let message = match twin == name {
            true => format!("the name occurs twice: '{name}'"),
            false => format!("'{twin}' and '{name}' are one file on macOS and Windows"),
        };
        return Some(PackRefusal::certain(ZIP, message, "rename or leave out one of them"));
    }
    None
}
