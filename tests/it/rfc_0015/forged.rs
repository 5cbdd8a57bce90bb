//! Malformed archives, written byte by byte.

/// An entry of a forged archive.
#[derive(Clone)]
pub struct ForgedEntry {
    /// The name in the central directory.
    pub name: Vec<u8>,
    /// The name in the local header, if it differs.
    pub local_name: Option<Vec<u8>>,
    pub bytes: Vec<u8>,
    /// The declared uncompressed size in bytes, if it is wrong.
    pub declared: Option<u32>,
    pub checksum: Option<u32>,
    /// The compression method: 0 for stored, 8 for deflated.
    pub method: u16,
    pub flags: u16,
    /// The Unix mode, including the file type.
    pub mode: u32,
}

/// The flag bit of names in UTF-8.
const UTF8: u16 = 1 << 11;

pub fn entry(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> ForgedEntry {
    let (local_name, declared, checksum) = Default::default();
    let (name, bytes) = (name.into(), bytes.into());
    ForgedEntry { name, local_name, bytes, declared, checksum, method: 0, flags: UTF8, mode: 0o100_644 }
}

/// An archive with these entries in a folder `demo`, after a valid SKILL.md.
pub fn beside_skill_md(more: &[ForgedEntry]) -> Vec<u8> {
    archive(&[&[entry("demo/SKILL.md", SKILL_MD)], more].concat())
}

/// A SKILL.md that every receiver accepts.
pub const SKILL_MD: &str = "---\nname: demo\ndescription: Does demo. Use when testing.\n---\n# Demo\n";

/// The bytes of an archive.
pub fn archive(entries: &[ForgedEntry]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let at = out.len() as u32;
        let local_name = entry.local_name.as_ref().unwrap_or(&entry.name);
        out.extend(b"PK\x03\x04\x14\x00");
        out.extend(entry.fields(local_name));
        out.extend([0; 2]);
        out.extend(local_name);
        out.extend(&entry.bytes);
        directory.extend(b"PK\x01\x02\x14\x03\x14\x00");
        directory.extend(entry.fields(&entry.name));
        // Extra fields, comment, disk, internal attributes.
        directory.extend([0; 8]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(&entry.name);
    }
    let count = (entries.len() as u16).to_le_bytes();
    let (start, length) = (out.len() as u32, directory.len() as u32);
    out.extend(directory);
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    out.extend([count, count].concat());
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

impl ForgedEntry {
    /// The fields that both headers share, up to the length of the name.
    fn fields(&self, name: &[u8]) -> Vec<u8> {
        let checksum = self.checksum.unwrap_or_else(|| crc32(&self.bytes));
        let size = self.bytes.len() as u32;
        let mut fields = [self.flags.to_le_bytes(), self.method.to_le_bytes()].concat();
        // 1980-01-01 00:00
        fields.extend([0, 0, 0x21, 0]);
        fields.extend(checksum.to_le_bytes());
        fields.extend(size.to_le_bytes());
        fields.extend(self.declared.unwrap_or(size).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
