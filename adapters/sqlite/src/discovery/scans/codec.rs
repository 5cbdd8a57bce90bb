//! A search as bytes: numbers in little endian, texts behind their length. Whatever is not of this form is no search.

use skillc_domain::digest::Digest;
use skillc_domain::discovery::head::SkillHead;
use skillc_domain::discovery::scan::{ScannedFolder, ScannedRoot, ScannedSkill, SkillForm};
use skillc_domain::survey::Stamp;
use std::path::{Path, PathBuf};

/// The first byte; another one for another form.
const VERSION: u8 = 2;
/// Bytes of the shortest folder: no more folders than this says can be in so many bytes.
const FOLDER_BYTES_MIN: usize = 4 + 4 + 32 + 4;

/// A search as bytes; `None` where a path is no text.
pub fn encode(scanned: &ScannedRoot) -> Option<Vec<u8>> {
    let mut body = Out(vec![VERSION]);
    body.path(&scanned.root)?;
    body.text(&scanned.file);
    body.option(scanned.border.as_deref(), Out::path)?;
    body.number(scanned.taken_ns);
    body.byte(u8::from(scanned.truncated));
    body.count(scanned.folders.len());
    for folder in &scanned.folders {
        body.count(folder.parent as usize);
        body.text(&folder.name);
        body.stamp(&folder.stamp);
        body.option(folder.target.as_deref(), Out::path)?;
        body.byte(u8::from(folder.is_leaf));
        body.option(folder.problem.as_deref(), |out, text| {
            out.text(text);
            Some(())
        })?;
        body.option(folder.skill.as_ref(), Out::skill)?;
    }
    Some(body.0)
}

/// The search again.
pub fn decode(body: &[u8]) -> Option<ScannedRoot> {
    let mut body = In(body);
    if body.byte()? != VERSION {
        return None;
    }
    let mut scanned = ScannedRoot {
        root: body.path()?,
        file: body.text()?,
        border: body.option(In::path)?,
        taken_ns: body.number()?,
        truncated: body.flag()?,
        folders: Vec::new(),
    };
    let count = body.count()?;
    if count > body.0.len() / FOLDER_BYTES_MIN {
        return None;
    }
    scanned.folders.reserve_exact(count);
    let mut last_parent = 0;
    for at in 0..count {
        let folder = body.folder()?;
        // Each stands behind the one that holds it, and those of one stand together.
        let parent = folder.parent as usize;
        if parent < last_parent || (at > 0 && parent >= at) {
            return None;
        }
        last_parent = parent;
        scanned.folders.push(folder);
    }
    body.0.is_empty().then_some(scanned)
}

struct Out(Vec<u8>);

impl Out {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn count(&mut self, count: usize) {
        // Bounds keep every count and length far below 32 bits.
        self.0.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn number(&mut self, number: i64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn path(&mut self, path: &Path) -> Option<()> {
        self.text(path.to_str()?);
        Some(())
    }

    fn option<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Self, T) -> Option<()>) -> Option<()> {
        self.byte(u8::from(value.is_some()));
        value.map_or(Some(()), |value| put(self, value))
    }

    fn stamp(&mut self, stamp: &Stamp) {
        self.0.extend_from_slice(&stamp.size.to_le_bytes());
        self.number(stamp.mtime_ns);
        self.number(stamp.ctime_ns);
        self.0.extend_from_slice(&stamp.inode.to_le_bytes());
    }

    fn skill(&mut self, skill: &ScannedSkill) -> Option<()> {
        self.byte(match skill.form {
            SkillForm::File => 0,
            SkillForm::Stub => 1,
            SkillForm::NotAFile => 2,
        });
        self.stamp(&skill.stamp);
        match &skill.head {
            None => self.byte(0),
            Some(SkillHead::Skill { name, description, digest, flaws }) => {
                self.byte(1);
                self.text(name);
                self.text(description);
                self.0.extend_from_slice(&digest.0);
                self.count(flaws.len());
                flaws.iter().for_each(|flaw| self.text(flaw));
            }
            Some(SkillHead::Stub(source)) => {
                self.byte(2);
                self.path(source)?;
            }
            Some(SkillHead::Invalid(message)) => {
                self.byte(3);
                self.text(message);
            }
        }
        Some(())
    }
}

struct In<'a>(&'a [u8]);

impl In<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.take()?)).ok()
    }

    fn number(&mut self) -> Option<i64> {
        self.take().map(i64::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(taken).ok().map(str::to_owned)
    }

    fn path(&mut self) -> Option<PathBuf> {
        self.text().map(PathBuf::from)
    }

    /// The outer `None` says that it cannot be read.
    fn option<T>(&mut self, get: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { get(self).map(Some) } else { Some(None) }
    }

    fn stamp(&mut self) -> Option<Stamp> {
        let (size, mtime_ns) = (u64::from_le_bytes(self.take()?), self.number()?);
        Some(Stamp { size, mtime_ns, ctime_ns: self.number()?, inode: u64::from_le_bytes(self.take()?) })
    }

    fn folder(&mut self) -> Option<ScannedFolder> {
        Some(ScannedFolder {
            parent: u32::try_from(self.count()?).ok()?,
            name: self.text()?,
            stamp: self.stamp()?,
            target: self.option(In::path)?,
            is_leaf: self.flag()?,
            problem: self.option(In::text)?,
            skill: self.option(In::skill)?,
        })
    }

    fn skill(&mut self) -> Option<ScannedSkill> {
        let form = match self.byte()? {
            0 => SkillForm::File,
            1 => SkillForm::Stub,
            2 => SkillForm::NotAFile,
            _ => return None,
        };
        Some(ScannedSkill { form, stamp: self.stamp()?, head: self.head()? })
    }

    fn head(&mut self) -> Option<Option<SkillHead>> {
        Some(match self.byte()? {
            0 => None,
            1 => {
                let (name, description) = (self.text()?, self.text()?);
                let digest = Digest(self.take()?);
                let count = self.count()?;
                let flaws = (0..count).map(|_| self.text()).collect::<Option<_>>()?;
                Some(SkillHead::Skill { name, description, digest, flaws })
            }
            2 => Some(SkillHead::Stub(self.path()?)),
            3 => Some(SkillHead::Invalid(self.text()?)),
            _ => return None,
        })
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
    fn a_search_comes_back() {
        assert_eq!(decode(&encode(&sample()).unwrap()), Some(sample()));
    }

    #[test]
    fn damaged_bytes_are_no_search_and_never_a_loop() {
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
