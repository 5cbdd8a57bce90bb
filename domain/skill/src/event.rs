//! Access events: one per command that resolves a skill (RFC-0007:C-LOGGING).

use crate::time::{Timestamp, UnixNs, compact};
use std::fmt;

/// When an event happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventTime {
    /// A valid time.
    At(Timestamp),
    /// An unreadable text by a foreign writer.
    Unreadable(String),
}

impl EventTime {
    /// The time, unless it is unreadable.
    pub fn known(&self) -> Option<Timestamp> {
        match self {
            Self::At(at) => Some(*at),
            Self::Unreadable(_) => None,
        }
    }
}

impl Default for EventTime {
    fn default() -> Self {
        Self::Unreadable(String::new())
    }
}

impl From<&str> for EventTime {
    fn from(text: &str) -> Self {
        Timestamp::parse(text).map_or_else(|| Self::Unreadable(text.to_owned()), Self::At)
    }
}

impl fmt::Display for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at) => at.fmt(f),
            Self::Unreadable(text) => f.write_str(text),
        }
    }
}

/// The key that identifies copies of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventId {
    /// Logged without an id.
    #[default]
    Missing,
    /// A UUID, displayed in its canonical form.
    Uuid(u128),
    /// Any other text by a foreign writer.
    Other(String),
}

impl EventId {
    /// Creates a UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, version and variant, 74 random bits.
    pub fn new(at: UnixNs, random: u128) -> Self {
        let ms = u128::from(u64::try_from(at / 1_000_000).unwrap_or(0)) & 0xffff_ffff_ffff;
        let low = random & 0x3fff_ffff_ffff_ffff;
        let mid = (random >> 64) & 0xfff;
        Self::Uuid(ms << 80 | 0x7 << 76 | mid << 64 | 0b10 << 62 | low)
    }

    /// Derives an id for an event that was logged without one, from its fields and the number of equal events before
    /// it in the log. Copies of a log thus yield the same ids, and equal events differ.
    pub fn derived(event: &AccessEvent, equal_before: u64) -> Self {
        let timestamp = event.timestamp.to_string();
        let texts = [
            &timestamp,
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
        Self::new(event.timestamp.known().map_or(0, |at| at.unix_s() * 1_000_000_000), hash.0)
    }

    /// Derives the id of a record in an agent's history. It is the same for every copy of the record, whenever it is
    /// imported.
    pub fn of_record(agent: &str, record: &str, ordinal: u64) -> Self {
        let mut hash = Fnv::default();
        for text in [agent, record] {
            hash.add(&(text.len() as u64).to_le_bytes());
            hash.add(text.as_bytes());
        }
        hash.add(&ordinal.to_le_bytes());
        // The time is not part of it, since not all histories have times.
        Self::new(0, hash.0)
    }

    /// The id as a UUID. An id that is not one is hashed.
    pub fn to_uuid(&self) -> u128 {
        let text = match self {
            Self::Uuid(bits) => return *bits,
            Self::Missing => "",
            Self::Other(text) => text,
        };
        uuid(text).unwrap_or_else(|| {
            Self::derived(&AccessEvent { args: text.to_owned(), ..AccessEvent::default() }, 0).to_uuid()
        })
    }
}

impl From<&str> for EventId {
    fn from(text: &str) -> Self {
        let is_canonical = !text.bytes().any(|b| b.is_ascii_uppercase());
        match uuid(text) {
            _ if text.is_empty() => Self::Missing,
            Some(bits) if is_canonical => Self::Uuid(bits),
            _ => Self::Other(text.to_owned()),
        }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => Ok(()),
            Self::Uuid(bits) => {
                let hex = format!("{bits:032x}");
                write!(f, "{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
            }
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Parses `8-4-4-4-12` hexadecimal digits.
fn uuid(text: &str) -> Option<u128> {
    let is_in_place = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    let is_uuid = text.len() == 36 && text.bytes().enumerate().all(is_in_place);
    is_uuid.then(|| u128::from_str_radix(&text.replace('-', ""), 16).ok())?
}

/// One use of a skill, as a log stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessEvent {
    /// A UUIDv7, assigned once.
    pub event_id: EventId,
    /// When the command ended.
    pub timestamp: EventTime,
    /// The session of the command: `SKC_RUN_ID`, or a new id.
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
    /// The requested heading, path or query, for commands that take one.
    pub target: Option<String>,
    /// The file that was read, relative to the skill; `None` if none was, or the command failed.
    pub file: Option<String>,
    /// The heading of the section that was read.
    pub section: Option<String>,
    /// Whether `args`, by a foreign writer, is not a JSON object.
    pub has_invalid_args: bool,
    /// Whether the sections of `file` do not count as read with it: either only a part that is not a section was
    /// returned, or an agent read the file by its own means.
    pub is_partial: bool,
    /// Whether it is a search without results.
    pub is_without_hit: bool,
    /// Whether it counts for its section only and not as an access: a further section of the same read, or a skill
    /// that was only offered.
    pub is_supplement: bool,
}

/// The commands that read a skill: those of `skc`, then the kinds of `HistoryKind`. Other commands are for authors,
/// count accesses, or run scripts.
pub const READ_COMMANDS: [&str; 10] =
    ["outline", "show", "open", "sources", "search", "load", "chosen", "requested", "read", "searched"];

/// Creates a run id: `YYYYMMDDTHHMMSSZ-<4 hexadecimal digits>`.
pub fn run_id(at: UnixNs, random: u128) -> String {
    format!("{}-{:04x}", compact(at), random & 0xffff)
}

/// FNV-1a with 128 bits (draft-eastlake-fnv), the same on every machine and in every version.
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
        let id = EventId::new(1_645_557_742_000_000_000, 0x0cc3_18c4_dc0c_0c07_398f);
        let text = id.to_string();
        assert_eq!(&text[..15], "017f22e2-79b0-7");
        assert!(matches!(text.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{id}");
        assert_ne!(id, EventId::new(1_645_557_742_000_000_000, 1));
        assert_eq!((text.len(), EventId::from(&*text)), (36, id));
    }

    #[test]
    fn a_text_that_is_no_uuid_has_one_of_its_own() {
        let upper = "0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B";
        assert_eq!(EventId::from(upper).to_uuid(), EventId::from(&*upper.to_lowercase()).to_uuid());
        assert_eq!(EventId::from(upper).to_string(), upper);
        for text in ["", "e1", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5", "0190a1b2_c3d4-7e5f-8a9b-0c1d2e3f4a5b"]
        {
            let id = EventId::from(text);
            assert!(!matches!(id, EventId::Uuid(_)) && id.to_string() == text, "{text}");
            assert_eq!(EventId::Uuid(id.to_uuid()).to_string().len(), 36);
        }
        assert_eq!(EventId::from("e1").to_uuid(), EventId::from("e1").to_uuid());
        assert_ne!(EventId::from("e1").to_uuid(), EventId::from("e2").to_uuid());
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
        assert_eq!(EventId::derived(&event, 0), EventId::derived(&event.clone(), 0));
        assert_ne!(EventId::derived(&event, 0), EventId::derived(&event, 1));
        let moved =
            AccessEvent { command: "sho".into(), skill: "w".into(), args: "{}".into(), ..event.clone() };
        assert_ne!(EventId::derived(&event, 0), EventId::derived(&moved, 0));
        let failed = AccessEvent { error: Some(String::new()), ..event.clone() };
        assert_ne!(EventId::derived(&event, 0), EventId::derived(&failed, 0));
        let mut empty = Fnv::default();
        empty.add(b"a");
        assert_eq!(empty.0, 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964, "the published value");
    }

    #[test]
    fn a_time_that_cannot_be_read_is_kept_as_written() {
        let (known, other) = (EventTime::from("2026-01-31T12:00:00Z"), EventTime::from("yesterday"));
        assert_eq!((known.known().is_some(), other.known()), (true, None));
        assert_eq!([known, other].map(|time| time.to_string()), ["2026-01-31T12:00:00Z", "yesterday"]);
        assert_eq!(EventTime::default(), EventTime::Unreadable(String::new()));
    }

    /// RFC-0014:C-IMPORT
    #[test]
    fn the_id_of_a_record_depends_on_agent_record_and_ordinal_alone() {
        let id = EventId::of_record("codex", "r1", 0);
        assert_eq!(id, EventId::of_record("codex", "r1", 0));
        for other in [
            EventId::of_record("claude", "r1", 0),
            EventId::of_record("codex", "r2", 0),
            EventId::of_record("codex", "r1", 1),
            EventId::of_record("codexr", "1", 0),
        ] {
            assert_ne!(id, other);
        }
        assert!(id.to_string().starts_with("00000000-0000-7"), "{id}");
    }

    /// RFC-0007:C-LOGGING
    #[test]
    fn an_id_has_the_time_then_the_version_and_the_variant_and_else_random_bits() {
        let id = |at, random| EventId::new(at, random).to_string();
        assert_eq!(id(0, 0), "00000000-0000-7000-8000-000000000000");
        assert_eq!(id(0, u128::MAX), "00000000-0000-7fff-bfff-ffffffffffff");
        assert_eq!(id(1_000_000, 0), "00000000-0001-7000-8000-000000000000");
        assert_eq!(id(-1_000_000, 0), id(0, 0));
        let event = AccessEvent { timestamp: "1970-01-01T00:00:01Z".into(), ..AccessEvent::default() };
        assert!(EventId::derived(&event, 0).to_string().starts_with("00000000-03e8-7"));
    }
}
