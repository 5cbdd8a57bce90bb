//! The journal mode of a log: write-ahead logging if all writers can share memory.

use rusqlite::{Connection, ErrorCode};
use std::path::Path;
use std::time::Duration;

/// Number of attempts, 20 ms apart, to switch to WAL mode. SQLite does not wait for that itself.
const WAL_TRIES_MAX: u32 = 50;
const WAL_TRY_EVERY: Duration = Duration::from_millis(20);

/// Switches to WAL mode if possible. Every file of the log is open afterwards.
pub fn use_wal(db: &Connection, log: &Path) -> rusqlite::Result<()> {
    // The pragma reports `wal` even if the change cannot be written, for instance to a full disk, so each attempt
    // begins with a check.
    for attempt in 1..=WAL_TRIES_MAX {
        let now: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if now == "wal" {
            return db.pragma_update(None, "synchronous", "NORMAL");
        }
        if is_on_network(log) {
            return Ok(());
        }
        match db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            // Without shared memory the mode stays as it is, which is slower but equally safe.
            Ok(mode) if mode != "wal" => return Ok(()),
            // The first read in the new mode opens the other files.
            Ok(_) => db.pragma_query_value(None, "schema_version", |_| Ok(()))?,
            Err(error) if attempt < WAL_TRIES_MAX && is_busy(&error) => std::thread::sleep(WAL_TRY_EVERY),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether the log is in WAL mode. Then all of its files are open, and none is opened by name later.
pub fn is_wal(db: &Connection) -> bool {
    db.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0)).is_ok_and(|mode| mode == "wal")
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Whether other machines, with which no memory can be shared, may write to the log. Unknown file systems count as
/// local.
#[cfg(target_os = "linux")]
pub fn is_on_network(log: &Path) -> bool {
    // Magic numbers have 32 bits; the field's width and sign differ between processors.
    rustix::fs::statfs(log).is_ok_and(|fs| is_network(fs.f_type as u32))
}

#[cfg(not(target_os = "linux"))]
pub fn is_on_network(_log: &Path) -> bool {
    false
}

/// Whether a magic number from statfs(2) is that of a network file system. FUSE counts as local, which it usually is.
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
