//! RFC-0015:C-SAFE: archives with random changes.
//!
//! `SKC_ARCHIVES` sets their number (3,000), `SKC_ARCHIVE_SEED` the seed.

use super::forged::{SKILL_MD, archive, beside_skill_md, entry};
use crate::random::{Random, number};
use skillc_archive::ZipArchives;
use skillc_domain::archive::ArchiveMember;
use skillc_domain::limits::{ARCHIVE_ENTRIES_MAX, LOAD_BYTES_MAX};
use skillc_lint::pack::{PACK_TARGETS, refusals};
use skillc_ports::Archives;
use std::io::Cursor;
use std::time::{Duration, Instant};

/// The archives to which the changes are made.
fn originals() -> Vec<Vec<u8>> {
    let member = |name: &str, bytes: &str| ArchiveMember { name: name.to_owned(), bytes: bytes.into() };
    let text = "marmot ".repeat(300);
    vec![
        ZipArchives.pack(&[member("demo/SKILL.md", SKILL_MD), member("demo/größe.md", &text)]).unwrap(),
        beside_skill_md(&[entry("demo/a/", ""), entry("demo/a/b.md", text.as_str())]),
        archive(&[entry("SKILL.md", SKILL_MD)]),
    ]
}

/// Values that often break parsers of lengths and offsets.
const EDGES: [u8; 6] = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

fn mutated(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] = *random.pick(&EDGES),
            2 => bytes[at] ^= 1 << random.below(8),
            3 => {
                let to = (at + random.below(64)).min(bytes.len());
                let part = bytes[at..to].to_vec();
                let place = random.below(bytes.len());
                bytes.splice(place..place, part);
            }
            4 if bytes.len() > 64 => drop(bytes.drain(at..(at + random.below(32)).min(bytes.len()))),
            _ => {
                let signatures = [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"];
                bytes.splice(at..at, **random.pick(&signatures));
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

/// RFC-0015:C-SAFE
#[test]
fn a_changed_archive_is_read_without_a_panic_and_in_time() {
    let seed = number("SKC_ARCHIVE_SEED", 1);
    let (mut random, originals) = (Random::new(seed), originals());
    let mut read = 0;
    for round in 0..number("SKC_ARCHIVES", 3_000) {
        let bytes = mutated(random.pick(&originals).clone().as_slice(), &mut random);
        let start = Instant::now();
        if let Ok(found) = ZipArchives.inspect(Box::new(Cursor::new(bytes))) {
            read += 1;
            assert!(found.listing.entries.len() as u64 <= ARCHIVE_ENTRIES_MAX);
            assert!(found.skill_md.is_none_or(|skill_md| skill_md.len() as u64 <= LOAD_BYTES_MAX));
            for target in PACK_TARGETS {
                refusals(target, &found.listing, None);
            }
        }
        assert!(start.elapsed() < Duration::from_secs(5), "seed {seed}, round {round}");
    }
    assert!(read > 0, "seed {seed}: no archive was read");
}
