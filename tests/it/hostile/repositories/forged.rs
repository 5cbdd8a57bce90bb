//! Indexes, logs, markers, manifests and deployment lists that someone else created or forged.

use super::features::Ground;
use super::honest::{HOME, NEIGHBOR, PROJECT};
use rusqlite::Connection;
use std::path::Path;

/// Targets of forged paths, as a repository would write them.
const OUTSIDE: &[&str] = &[
    "{root}/home/.claude/skills/commit",
    "{root}/home/.ssh/id_rsa",
    "{root}/home/docs",
    "{root}/code/neighbor",
    "{root}/code/neighbor/.skillc/skills/demo",
    "{root}/code/neighbor/.claude/skills/demo",
    "../../../../../../home/.bashrc",
    "../../../../../neighbor/notes.txt",
    "~/.bashrc",
];

type Forger = fn(&mut Ground<'_>, &str, &str) -> Option<String>;

const FORGERS: [Forger; 9] =
    [marker, manifest, deployed, foreign_index, forged_index, corrupt, foreign_log, forged_log, journal];

/// Plants one next to the original build of a skill.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let (skill, meta) = ground.built();
    let forge = *ground.random.pick(&FORGERS);
    let what = forge(ground, &skill, &meta)?;
    Some((format!(".skillc/runtime/{skill}"), format!("{what} of {skill}")))
}

fn outside(ground: &mut Ground<'_>) -> String {
    let root = ground.sandbox.root().to_string_lossy().into_owned();
    ground.random.pick(OUTSIDE).replace("{root}", &root)
}

fn marker(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let text = match ground.random.below(5) {
        0 => outside(ground),
        1 => "../../../../../notes.txt".to_owned(),
        2 => "search-0123456789abcdef.db\n/etc".to_owned(),
        3 => "x".repeat(1 << 20),
        _ => ground.index_name(PROJECT, skill),
    };
    ground.put(&format!("{meta}/publish.pending"), &text)?;
    Some(format!("marker {:?}", text.chars().take(60).collect::<String>()))
}

fn manifest(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let honest = String::from_utf8(ground.honest(&format!("{PROJECT}/{meta}/manifest.json"))).ok()?;
    let own = ground.sandbox.project().join(".skillc/skills").join(skill);
    let text = match ground.random.below(4) {
        0 => honest.replace(own.to_str()?, &outside(ground)),
        1 => honest.replace(skill, "../../../../home"),
        2 => "[".repeat(100_000),
        _ => String::from_utf8(
            ground.honest(&format!("{HOME}/.skillc/runtime/mine/.skillc-meta/manifest.json")),
        )
        .ok()?,
    };
    ground.put(&format!("{meta}/manifest.json"), text)?;
    Some("forged manifest".to_owned())
}

/// The original list with each of its paths replaced, so that only the targets are foreign.
fn deployed(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let honest = String::from_utf8(ground.honest(&format!("{PROJECT}/{meta}/deployed.json"))).ok()?;
    let own = ground.sandbox.project().join(".claude/skills").join(skill);
    let to = outside(ground);
    let text = match ground.random.below(3) {
        0 => honest.replace(own.to_str()?, &to),
        1 => honest.replace(".claude/skills", "../neighbor/.claude/skills"),
        _ => "{\"places\":[\"/\",\"\",null,{}]}".to_owned(),
    };
    ground.put(&format!("{meta}/deployed.json"), text)?;
    Some(format!("deployments at {to}"))
}

/// The other project's index under the name of ours: valid, but of other files.
fn foreign_index(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let theirs = ground.index_name(NEIGHBOR, "commit");
    let bytes = ground.honest(&format!("{NEIGHBOR}/.skillc/runtime/commit/.skillc-meta/{theirs}"));
    // A repository contains nothing secret; only the place is foreign.
    let bytes = without_secrets(bytes);
    ground.put(&format!("{meta}/{}", ground.index_name(PROJECT, skill)), bytes)?;
    Some("an index of another skill".to_owned())
}

fn forged_index(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let name = ground.index_name(PROJECT, skill);
    // Written again, so that nothing is changed through a link of another feature.
    let honest = ground.honest(&format!("{PROJECT}/{meta}/{name}"));
    ground.put(&format!("{meta}/{name}"), honest)?;
    let path = ground.sandbox.project().join(meta).join(&name);
    let to = outside(ground);
    let is_pending = ground.random.percent(60);
    let statement = *ground.random.pick(&[
        "UPDATE published SET name = ?1",
        "UPDATE published SET bytes = CAST(?1 AS BLOB)",
        "UPDATE headings SET file = ?1",
        "UPDATE files SET path = ?1",
        "UPDATE index_meta SET value = ?1",
        "UPDATE index_meta SET value = ?1 WHERE key = 'skill_path'",
    ]);
    if is_pending {
        ground.put(&format!("{meta}/publish.pending"), &name)?;
    }
    change(&path, statement, &to)?;
    Some(format!("index after '{statement}' with {to}, pending: {is_pending}"))
}

fn corrupt(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let name = match ground.random.below(2) {
        0 => ground.index_name(PROJECT, skill),
        _ => "logs.db".to_owned(),
    };
    let mut bytes = ground.honest(&format!("{PROJECT}/{meta}/{name}"));
    if bytes.is_empty() {
        return None;
    }
    if ground.random.percent(30) {
        bytes.truncate(ground.random.below(bytes.len()));
    }
    for _ in 0..ground.random.below(200) {
        let at = ground.random.below(bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(at) {
            *byte = ground.random.next() as u8;
        }
    }
    ground.put(&format!("{meta}/{name}"), bytes)?;
    Some(format!("corrupt {name}"))
}

fn foreign_log(ground: &mut Ground<'_>, _: &str, meta: &str) -> Option<String> {
    let bytes = ground.honest(&format!("{HOME}/.skillc/runtime/mine/.skillc-meta/logs.db"));
    let place = match ground.random.below(2) {
        0 => format!("{meta}/logs.db"),
        _ => ".skillc/logs/demo/.skillc-meta/logs.db".to_owned(),
    };
    ground.put(&place, bytes)?;
    Some(format!("another's log at {place}"))
}

/// Rows that claim a skill is elsewhere: `sync` sends each row where it belongs.
fn forged_log(ground: &mut Ground<'_>, _: &str, meta: &str) -> Option<String> {
    let bytes = ground.honest(&format!("{PROJECT}/{meta}/logs.db"));
    let place = match ground.random.below(2) {
        0 => format!("{meta}/logs.db"),
        _ => ".skillc/logs/demo/.skillc-meta/logs.db".to_owned(),
    };
    ground.put(&place, bytes)?;
    let to = outside(ground);
    let path = ground.sandbox.project().join(&place);
    let statement = *ground.random.pick(&[
        "UPDATE access_log SET skill_path = ?1",
        "UPDATE access_log SET skill = ?1",
        "UPDATE access_log SET cwd = ?1, file = ?1",
        "CREATE TABLE IF NOT EXISTS other (a); ",
    ]);
    change(&path, statement, &to)?;
    Some(format!("log at {place} after '{statement}' with {to}"))
}

/// A rollback journal that names a file outside as its super-journal, and junk.
fn journal(ground: &mut Ground<'_>, skill: &str, meta: &str) -> Option<String> {
    let name = ground.index_name(PROJECT, skill);
    let to = outside(ground);
    let mut bytes = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    bytes.extend([0; 504]);
    bytes.extend(to.as_bytes());
    bytes.extend(u32::try_from(to.len()).ok()?.to_be_bytes());
    bytes.extend(to.bytes().fold(0_u32, |sum, b| sum.wrapping_add(u32::from(b))).to_be_bytes());
    bytes.extend([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    let beside = *ground.random.pick(&["-journal", "-wal"]);
    ground.put(&format!("{meta}/{name}{beside}"), bytes)?;
    Some(format!("{name}{beside} that names {to}"))
}

/// Changes a database in place; `None` if the statement does not fit it.
fn change(path: &Path, statement: &str, value: &str) -> Option<()> {
    let db = Connection::open(path).ok()?;
    db.pragma_update(None, "journal_mode", "DELETE").ok()?;
    let changed = match statement.contains("?1") {
        true => db.execute(statement, [value]).map(|_| ()),
        false => db.execute_batch(&format!(
            "{statement} CREATE TRIGGER IF NOT EXISTS t AFTER INSERT ON access_log BEGIN UPDATE access_log SET file = 'x'; END;"
        )),
    };
    changed.ok()
}

/// The same bytes with each secret overwritten.
fn without_secrets(mut bytes: Vec<u8>) -> Vec<u8> {
    let secret = super::honest::SECRET.as_bytes();
    let found: Vec<usize> =
        bytes.windows(secret.len()).enumerate().filter(|(_, w)| *w == secret).map(|(at, _)| at).collect();
    for at in found {
        bytes[at..at + secret.len()].fill(b'x');
    }
    bytes
}
