//! In which way a log is kept safe while it is written: a write-ahead log where all writers share memory.

use rusqlite::{Connection, ErrorCode};
use std::path::Path;
use std::time::Duration;

/// How often the change to WAL is tried, since SQLite does not wait for it by itself: 50 tries of 20 ms.
const WAL_TRIES_MAX: u32 = 50;
const WAL_TRY_EVERY: Duration = Duration::from_millis(20);

/// Switches to WAL if need be and possible; every file of the log is open then. The pragma's answer is looked at: it fails by saying another mode.
pub fn use_wal(db: &Connection, log: &Path) -> rusqlite::Result<()> {
    // The pragma says `wal` also where the change cannot be written, as on a full disk: the mode is asked for again, so often.
    for attempt in 1..=WAL_TRIES_MAX {
        let now: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if now == "wal" {
            return db.pragma_update(None, "synchronous", "NORMAL");
        }
        if stands_on_network(log) {
            return Ok(());
        }
        match db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            // A file system without shared memory stays with the journal it has, which is slower and as safe.
            Ok(mode) if mode != "wal" => return Ok(()),
            // What stands beside the log is opened when it is read in its new mode.
            Ok(_) => db.pragma_query_value(None, "schema_version", |_| Ok(()))?,
            Err(error) if attempt < WAL_TRIES_MAX && is_busy(&error) => std::thread::sleep(WAL_TRY_EVERY),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether a connection needs no file beside the log that it opens by its name later: those of a write-ahead log are open.
pub fn has_all_open(db: &Connection) -> bool {
    db.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0)).is_ok_and(|mode| mode == "wal")
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Whether several machines may write there, who share no memory. One that cannot be asked is taken for local.
#[cfg(target_os = "linux")]
fn stands_on_network(log: &Path) -> bool {
    // The magic numbers have 32 bits; the field's width and sign differ between processors.
    rustix::fs::statfs(log).is_ok_and(|fs| is_network(fs.f_type as u32))
}

#[cfg(not(target_os = "linux"))]
fn stands_on_network(_log: &Path) -> bool {
    false
}

/// Whether a file system is one of a network, by its magic number in statfs(2). FUSE may be one, but is local as a rule.
#[cfg(target_os = "linux")]
fn is_network(magic: u32) -> bool {
    const NFS: u32 = 0x6969;
    const SMB: u32 = 0x517b;
    const CIFS: u32 = 0xff53_4d42;
    const SMB2: u32 = 0xfe53_4d42;
    const V9FS: u32 = 0x0102_1997;
    const AFS: u32 = 0x5346_414f;
    const AFS_OF_LINUX: u32 = 0x6b41_4653;
    const CODA: u32 = 0x7375_7245;
    matches!(magic, NFS | SMB | CIFS | SMB2 | V9FS | AFS | AFS_OF_LINUX | CODA)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_a_network_are_known_by_their_number() {
        for network in [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x5346_414f, 0x7375_7245] {
            assert!(is_network(network), "{network:#x}");
        }
        let (ext4, btrfs, tmpfs, overlay, fuse) =
            (0xef53, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x6573_5546);
        for local in [ext4, btrfs, tmpfs, overlay, fuse] {
            assert!(!is_network(local), "{local:#x}");
        }
    }
}
