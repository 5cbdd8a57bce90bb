//! Access events: one for each command that resolves a skill (RFC-0007:C-LOGGING).

use crate::time::{UnixNs, compact};

/// One use of a skill, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}
