//! Pipes, sockets, devices, files without permissions, sparse files, and folders in place of files or files in place
//! of folders.

use super::features::Ground;
use super::honest::PROJECT;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;

const PLACES: &[&str] = &[
    ".skillc/config.toml",
    ".skillc/config.toml",
    ".skillc/config.toml",
    ".skillc/config.toml",
    ".skillc/logs",
    ".skillc/runtime",
    ".skillc/runtime/{skill}",
    ".skillc/runtime/{built}/SKILL.md",
    ".skillc/runtime/{built}/.skillc-meta",
    ".skillc/runtime/{built}/.skillc-meta/manifest.json",
    ".skillc/runtime/{built}/.skillc-meta/deployed.json",
    ".skillc/runtime/{built}/.skillc-meta/build.lock",
    ".skillc/runtime/{built}/.skillc-meta/publish.pending",
    ".skillc/runtime/{built}/.skillc-meta/logs.db",
    ".skillc/runtime/{built}/.skillc-meta/logs.db-wal",
    ".skillc/runtime/{built}/.skillc-meta/logs.db-shm",
    ".skillc/runtime/{built}/.skillc-meta/{index}",
    ".skillc/runtime/{built}/.skillc-meta/{index}.lock",
    ".skillc/runtime/{built}/.skillc-meta/{index}-journal",
    ".skillc/skills/{skill}",
    ".skillc/skills/{skill}/SKILL.md",
    ".skillc/skills/{skill}/refs",
    ".skillc/skills/{skill}/refs/a.md",
    ".skillc/skills/{skill}/scripts/run.py",
    ".skillc/skills/{skill}/.skilllint.toml",
    ".claude",
    ".claude/skills",
    ".claude/skills/{skill}",
    ".agents/skills/plain/SKILL.md",
    "vendor/dl/SKILL.md",
    "vendor/dl/refs/b.md",
    "AGENTS.md",
    "usage.html",
    "eval.db",
    "baseline.json",
    "queries.jsonl",
    "prompt.md",
    ".mcp.json",
    "package.json",
];

/// Far above every limit of the program. The file takes no blocks on disk.
const SPARSE_BYTES: u64 = 256 << 20;

/// Plants one of them; returns its path and a description.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let (built, _) = ground.built();
    let (index, skill) = (ground.index_name(PROJECT, &built), ground.skill());
    let place = ground.random.pick(PLACES).replace("{skill}", &skill);
    let place = place.replace("{built}", &built).replace("{index}", &index);
    let path = ground.room(&place)?;
    let rights = Mode::from_raw_mode(0o644);
    let node = |kind, device| mknodat(CWD, &path, kind, rights, device).ok();
    let what = match ground.random.below(7) {
        0 => node(FileType::Fifo, 0).map(|()| "FIFO")?,
        1 => node(FileType::Socket, 0).map(|()| "socket")?,
        2 => node(FileType::CharacterDevice, makedev(1, 5)).map(|()| "endless device")?,
        3 => {
            fs::write(&path, "secret").ok()?;
            fs::set_permissions(&path, Permissions::from_mode(0o000)).ok()?;
            "file without rights"
        }
        4 => File::create(&path)
            .and_then(|file| file.set_len(SPARSE_BYTES))
            .map(|()| "sparse file of 256 MiB")
            .ok()?,
        5 => {
            fs::create_dir(&path).ok()?;
            fs::write(path.join("SKILL.md"), "no front matter\n").ok()?;
            "folder"
        }
        _ => fs::write(&path, b"\0\xff junk").map(|()| "file of junk").ok()?,
    };
    Some((place.clone(), format!("{what} at {place}")))
}
