//! Access events: one for each command that resolves a skill (RFC-0007:C-LOGGING).

use crate::time::{UnixNs, compact};

/// What of an event could not be read when it was taken from a log that something else wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// Its time is not `YYYY-MM-DDTHH:MM:SSZ`.
    pub timestamp: bool,
    /// Its arguments are no JSON object.
    pub args: bool,
}

/// One use of a skill, as the log keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessEvent {
    /// UUIDv7, made once; the key by which copies are recognised.
    pub event_id: String,
    /// `YYYY-MM-DDTHH:MM:SSZ`, UTC.
    pub timestamp: String,
    /// The session.
    pub run_id: String,
    /// The verb, such as `show`.
    pub command: String,
    /// Name of the source folder.
    pub skill: String,
    /// Canonical path of the source.
    pub skill_path: String,
    /// Canonical path of the working directory.
    pub cwd: String,
    /// The arguments as a JSON object, without the skill.
    pub args: String,
    /// The canonical error line; `None` on success.
    pub error: Option<String>,
    /// What was asked for, of a command that asks for one thing: a heading, a path, a query.
    pub target: Option<String>,
    /// The file that was read, relative to the skill; `None` when none was, or the command failed.
    pub file: Option<String>,
    /// The heading of the section that was read.
    pub section: Option<String>,
    /// What could not be read of it.
    pub flaws: Flaws,
}

/// A run id made from the time and chance: `YYYYMMDDTHHMMSSZ-<4 hexadecimal digits>`.
pub fn run_id(at: UnixNs, random: u128) -> String {
    format!("{}-{:04x}", compact(at), random & 0xffff)
}

/// A UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, version and variant, 74 bits of chance.
pub fn event_id(at: UnixNs, random: u128) -> String {
    let ms = u128::from(u64::try_from(at / 1_000_000).unwrap_or(0)) & 0xffff_ffff_ffff;
    let low = random & 0x3fff_ffff_ffff_ffff;
    let mid = (random >> 64) & 0xfff;
    let bits = ms << 80 | 0x7 << 76 | mid << 64 | 0b10 << 62 | low;
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The id of an event that was logged without one: made of all that it says and of how many equal events stand before it
/// in its log, so that copies of one log give the same ids and equal events stay apart. `at` is its time, 0 if unknown.
pub fn inherited_id(event: &AccessEvent, at: UnixNs, equal_before: u64) -> String {
    let texts = [
        &event.timestamp,
        &event.run_id,
        &event.command,
        &event.skill,
        &event.skill_path,
        &event.cwd,
        &event.args,
    ];
    let mut hash = Fnv::default();
    for text in texts.into_iter().chain(&event.error) {
        hash.add(&(text.len() as u64).to_le_bytes());
        hash.add(text.as_bytes());
    }
    hash.add(&equal_before.to_le_bytes());
    event_id(at, hash.0)
}

/// FNV-1a with 128 bits (draft-eastlake-fnv): the same on every machine and in every version.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0007:C-LOGGING
    #[test]
    fn an_event_id_is_a_uuid_of_version_seven() {
        let id = event_id(1_645_557_742_000_000_000, 0x0cc3_18c4_dc0c_0c07_398f);
        assert_eq!(&id[..15], "017f22e2-79b0-7");
        assert!(matches!(id.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{id}");
        assert_ne!(id, event_id(1_645_557_742_000_000_000, 1));
        assert_eq!(id.len(), 36);
    }

    /// RFC-0007:C-LOGGING
    #[test]
    fn a_run_id_is_a_time_and_four_digits() {
        assert_eq!(run_id(0, 0xabcde), "19700101T000000Z-bcde");
    }

    /// Decision 33
    #[test]
    fn an_inherited_id_is_the_same_for_a_copy_and_another_for_an_equal_event() {
        let event = AccessEvent { command: "show".into(), args: "{}".into(), ..AccessEvent::default() };
        assert_eq!(inherited_id(&event, 5, 0), inherited_id(&event.clone(), 5, 0));
        assert_ne!(inherited_id(&event, 5, 0), inherited_id(&event, 5, 1));
        let moved =
            AccessEvent { command: "sho".into(), skill: "w".into(), args: "{}".into(), ..event.clone() };
        assert_ne!(inherited_id(&event, 5, 0), inherited_id(&moved, 5, 0));
        let failed = AccessEvent { error: Some(String::new()), ..event.clone() };
        assert_ne!(inherited_id(&event, 5, 0), inherited_id(&failed, 5, 0));
        let mut empty = Fnv::default();
        empty.add(b"a");
        assert_eq!(empty.0, 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964, "the published value");
    }
}
