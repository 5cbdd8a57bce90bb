//! The lasting state of a home directory and a project: the user's files, what is deployed, and the logged events.

use crate::site::snapshot;
use rusqlite::{Connection, OpenFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The prefix of the run ids of earlier commands.
pub const EARLIER_RUN: &str = "earlier-";

/// Files of skc that contain times, random names or databases, and the .gitignore, which any command may write. Their
/// content is checked elsewhere.
const VARYING: &[&str] = &[
    "/.skillc-meta/",
    "home/.skillc/trash/",
    "home/.skillc/journal/",
    "home/.skillc/history/",
    "home/.skillc/cache/",
    "home/.skillc/logs/",
    "home/.skillc/discovery.db",
    "project/.skillc/logs/",
    "project/.skillc/.gitignore",
    "project/usage.html",
];

/// Prefixes of what a killed writer leaves. The next writer removes it unless another reason is given.
const TEMPORARY: &[&str] = &[
    ".skillc-tmp-",
    ".skillc-fix-",
    ".skillc-aside-",
    // Another import may be running; the next one removes it when it is two hours old, and so does the doctor.
    ".skillc-import-",
    // Waits for the trash, and is what `skc undo` restores.
    ".skillc-replaced-",
];

/// The state of a home and a project.
pub struct State {
    /// Each lasting entry with its content.
    lasting: BTreeMap<String, Vec<u8>>,
    /// The content of every file, wherever it is.
    contents: BTreeSet<Vec<u8>>,
    /// How often each earlier event is logged.
    events: BTreeMap<String, usize>,
}

impl State {
    /// Reads the state of the folder that contains the home directory and the project.
    pub fn of(root: &Path) -> Self {
        let all = snapshot(root);
        let is_varying = |name: &str| VARYING.iter().any(|part| name.contains(part));
        // A runtime may also be created only for the log.
        let is_runtime = |name: &str| name.contains("/.skillc/runtime/") && name.ends_with('/');
        let is_lasting = |name: &str| !is_temporary(name) && !is_varying(name) && !is_runtime(name);
        let lasting = all.iter().filter(|(name, _)| is_lasting(name)).cloned().collect();
        let logs = all.iter().filter(|(name, _)| name.ends_with("/logs.db"));
        let mut events = BTreeMap::new();
        logs.for_each(|(name, _)| count_events(&root.join(name), &mut events));
        Self { lasting, contents: all.into_iter().map(|(_, content)| content).collect(), events }
    }

    /// The user's files that are neither in their old state nor as the command leaves them, and whose content is
    /// nowhere else.
    pub fn losses(&self, before: &Self, after: &Self) -> Vec<String> {
        let is_users = |name: &str| !name.ends_with('/') && !name.contains("/.skillc/runtime/");
        let users = before.lasting.iter().filter(|(name, _)| is_users(name));
        let mut losses = Vec::new();
        for (name, old) in users {
            match self.lasting.get(name) {
                Some(content) if content == old || after.lasting.get(name) == Some(content) => {}
                Some(content) => losses.push(format!("'{name}' is {:?}", String::from_utf8_lossy(content))),
                None if self.contents.contains(old) || !after.contents.contains(old) => {}
                None => losses.push(format!("'{name}' is lost")),
            }
        }
        losses
    }

    /// Earlier events that are not logged as often as after an undisturbed run.
    pub fn lost_events(&self, after: &Self) -> Vec<String> {
        let other = |(id, count): (&String, &usize)| {
            let now = self.events.get(id).copied().unwrap_or(0);
            (now != *count).then(|| format!("the event '{id}' is logged {now} times, not {count}"))
        };
        after.events.iter().filter_map(other).collect()
    }
}

/// The lasting entries that differ from the expected state.
pub fn differences<'a>(expected: &'a State, state: &'a State) -> impl Iterator<Item = String> + 'a {
    let changed = expected.lasting.iter().filter_map(|(name, content)| match state.lasting.get(name) {
        Some(there) if there == content => None,
        Some(there) => {
            Some(format!("'{name}' is {:?}", String::from_utf8_lossy(&there[..there.len().min(300)])))
        }
        None => Some(format!("'{name}' is missing")),
    });
    let new = state.lasting.keys().filter(|name| !expected.lasting.contains_key(*name));
    changed.chain(new.map(|name| format!("'{name}' is there")))
}

fn is_temporary(name: &str) -> bool {
    name.split('/').any(|part| TEMPORARY.iter().any(|prefix| part.starts_with(prefix)))
}

/// Counts the earlier events of a log. A file that is not a log has none.
fn count_events(log: &Path, events: &mut BTreeMap<String, usize>) {
    let Ok(db) = Connection::open_with_flags(log, OpenFlags::SQLITE_OPEN_READ_ONLY) else { return };
    let Ok(mut all) = db.prepare("SELECT run_id FROM access_log") else { return };
    let ids = all.query_map([], |row| row.get::<_, String>(0)).into_iter().flatten().flatten();
    for id in ids.filter(|id| id.starts_with(EARLIER_RUN)) {
        *events.entry(id).or_default() += 1;
    }
}
