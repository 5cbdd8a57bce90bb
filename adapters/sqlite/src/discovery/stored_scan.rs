//! Serializes a scan in postcard's format. Anything else is not a scan.

use serde::{Deserialize, Serialize};
use skillc_domain::digest::Digest;
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::scan::{ScannedFolder, ScannedRoot, ScannedSkill, SkillForm};
use skillc_domain::survey::Stamp;
use std::path::PathBuf;

/// Serializes a scan; `None` if a path is not UTF-8.
pub fn encode(scanned: &ScannedRoot) -> Option<Vec<u8>> {
    postcard::to_stdvec(&StoredRoot::from(scanned.clone())).ok()
}

/// Deserializes a scan; `None` if the bytes are damaged.
pub fn decode(bytes: &[u8]) -> Option<ScannedRoot> {
    let (stored, rest) = postcard::take_from_bytes::<StoredRoot>(bytes).ok()?;
    let scanned = ScannedRoot::from(stored);
    (rest.is_empty() && is_ordered(&scanned.folders)).then_some(scanned)
}

/// Whether each folder comes after its parent, and siblings are adjacent. Otherwise building a path might not
/// terminate.
fn is_ordered(folders: &[ScannedFolder]) -> bool {
    let are_before = folders.iter().enumerate().all(|(at, folder)| at == 0 || (folder.parent as usize) < at);
    are_before && folders.is_sorted_by_key(|folder| folder.parent)
}

#[derive(Serialize, Deserialize)]
struct StoredRoot {
    root: PathBuf,
    file: String,
    border: Option<PathBuf>,
    taken_ns: i64,
    truncated: bool,
    folders: Vec<StoredFolder>,
    depth_max: u32,
    takes_files: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredFolder {
    parent: u32,
    name: String,
    stamp: StoredStamp,
    target: Option<PathBuf>,
    is_leaf: bool,
    problem: Option<String>,
    skill: Option<(StoredForm, StoredStamp, Option<StoredHead>)>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SkillForm")]
enum FormDef {
    File,
    Stub,
    NotAFile,
    SingleFile,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Stamp")]
struct StampDef {
    size: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    inode: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Digest")]
struct DigestDef([u8; 32]);

#[derive(Serialize, Deserialize)]
#[serde(remote = "SkillHead")]
enum HeadDef {
    Skill {
        name: String,
        description: String,
        #[serde(with = "DigestDef")]
        digest: Digest,
        flaws: Vec<String>,
    },
    Stub(PathBuf),
    Invalid(String),
}

#[derive(Serialize, Deserialize)]
struct StoredForm(#[serde(with = "FormDef")] SkillForm);

#[derive(Serialize, Deserialize)]
struct StoredStamp(#[serde(with = "StampDef")] Stamp);

#[derive(Serialize, Deserialize)]
struct StoredHead(#[serde(with = "HeadDef")] SkillHead);

impl From<ScannedRoot> for StoredRoot {
    fn from(scanned: ScannedRoot) -> Self {
        let ScannedRoot { root, file, border, depth_max, takes_files, taken_ns, folders, truncated } =
            scanned;
        let folders = folders.into_iter().map(StoredFolder::from).collect();
        Self { root, file, border, taken_ns, truncated, folders, depth_max, takes_files }
    }
}

impl From<StoredRoot> for ScannedRoot {
    fn from(stored: StoredRoot) -> Self {
        let StoredRoot { root, file, border, taken_ns, truncated, folders, depth_max, takes_files } = stored;
        let folders = folders.into_iter().map(ScannedFolder::from).collect();
        Self { root, file, border, depth_max, takes_files, taken_ns, folders, truncated }
    }
}

impl From<ScannedFolder> for StoredFolder {
    fn from(folder: ScannedFolder) -> Self {
        let ScannedFolder { parent, name, stamp, target, is_leaf, problem, skill } = folder;
        let skill = skill.map(|ScannedSkill { form, stamp, head }| {
            (StoredForm(form), StoredStamp(stamp), head.map(StoredHead))
        });
        Self { parent, name, stamp: StoredStamp(stamp), target, is_leaf, problem, skill }
    }
}

impl From<StoredFolder> for ScannedFolder {
    fn from(folder: StoredFolder) -> Self {
        let StoredFolder { parent, name, stamp, target, is_leaf, problem, skill } = folder;
        let skill = skill.map(|(form, stamp, head)| ScannedSkill {
            form: form.0,
            stamp: stamp.0,
            head: head.map(|head| head.0),
        });
        Self { parent, name, stamp: stamp.0, target, is_leaf, problem, skill }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ScannedRoot {
        let stamp = Stamp { size: 1, mtime_ns: -2, ctime_ns: 3, inode: u64::MAX };
        let skill = |head| Some(ScannedSkill { form: SkillForm::File, stamp, head });
        let folder = |parent, name: &str, skill| ScannedFolder {
            parent,
            name: name.into(),
            stamp,
            target: (parent == 1).then(|| "/elsewhere/é".into()),
            is_leaf: parent == 1,
            problem: (parent == 1).then(|| "x".into()),
            skill,
        };
        let (name, description, digest) = ("n".into(), "describes".into(), Digest([7; 32]));
        let head = SkillHead::Skill { name, description, digest, flaws: vec!["a".into(), "b".into()] };
        ScannedRoot {
            root: "/r".into(),
            file: "SKILL.md".into(),
            border: Some("/b".into()),
            depth_max: 6,
            takes_files: true,
            taken_ns: 9,
            folders: vec![
                folder(0, "", None),
                folder(0, "a", skill(Some(head))),
                folder(1, "b", skill(Some(SkillHead::Stub("/s".into())))),
                folder(1, "c", skill(Some(SkillHead::Invalid("no".into())))),
                folder(2, "d", skill(None)),
            ],
            truncated: true,
        }
    }

    #[test]
    fn a_scan_survives_a_round_trip() {
        assert_eq!(decode(&encode(&sample()).unwrap()), Some(sample()));
    }

    #[test]
    fn damaged_bytes_are_not_a_scan_and_never_a_loop() {
        let body = encode(&sample()).unwrap();
        for cut in 0..body.len() {
            assert_eq!(decode(&body[..cut]), None, "{cut}");
        }
        for at in 0..body.len() {
            let mut damaged = body.clone();
            damaged[at] ^= 0xff;
            if let Some(scanned) = decode(&damaged) {
                (0..scanned.folders.len()).for_each(|at| drop(scanned.canonical(at)));
            }
        }
    }
}
