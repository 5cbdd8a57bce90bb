//! Holds what an act left behind against what it may.

use super::allowed::{Act, World, reason};
use super::honest::{HOME, SECRET};
use super::sandbox::Sandbox;
use super::tree::{Tree, changes};
use std::collections::BTreeSet;

/// More than any command has to say about these small trees.
const SAID_BYTES_MAX: usize = 4 << 20;

/// Names that files have until they are whole.
const HALF_MADE: [&str; 2] = [".skillc-tmp-", ".skillc-fix-"];

/// Something that must not be.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its kind: equal for faults of one cause, as far as that can be told.
    pub kind: String,
    /// The command or call.
    pub act: String,
}

/// Watches one machine from act to act.
pub struct Judge<'a> {
    sandbox: &'a Sandbox,
    before: Tree,
    made: BTreeSet<String>,
    /// What was found.
    pub faults: Vec<Fault>,
}

impl<'a> Judge<'a> {
    /// Begins with the machine as it is now.
    pub fn new(sandbox: &'a Sandbox) -> Self {
        Self { sandbox, before: sandbox.read(), made: BTreeSet::new(), faults: Vec::new() }
    }

    /// Looks at what an act changed.
    pub fn changed(&mut self, act: &Act) {
        let after = self.sandbox.read();
        let world =
            World { before: &self.before, after: &after, made: &self.made, root: self.sandbox.root() };
        let mut made = Vec::new();
        let mut wrong = BTreeSet::new();
        for change in changes(&self.before, &after) {
            let name = change.path.rsplit('/').next().unwrap_or_default();
            let is_half_made = change.is_new() && HALF_MADE.iter().any(|half| name.starts_with(half));
            if is_half_made {
                wrong.insert(format!("left half made in {}", area(&change.path)));
            } else if reason(&change, act, &world).is_none() {
                wrong.insert(format!("{} {}", change.kind(), area(&change.path)));
            } else if change.is_new() || act.has("--force") {
                made.push(change.path);
            }
        }
        self.made.extend(made);
        self.before = after;
        for kind in wrong {
            self.fault(act, &kind);
        }
    }

    /// Looks at what an act said.
    pub fn said(&mut self, act: &Act, said: &[u8]) {
        let text = String::from_utf8_lossy(said);
        for file in secrets(&text, &self.sandbox.honest) {
            self.fault(act, &format!("told the secret of {file}"));
        }
        if ["panicked at", "skc panicked"].iter().any(|panic| text.contains(panic)) {
            self.fault(act, "panicked");
        }
        if said.len() > SAID_BYTES_MAX {
            self.fault(act, "flooded its output");
        }
    }

    /// What came to be above the machine.
    pub fn strays(&mut self, act: &Act) {
        for stray in self.sandbox.strays() {
            self.fault(act, &format!("created {stray}"));
        }
    }

    /// Notes a fault.
    pub fn fault(&mut self, act: &Act, kind: &str) {
        let kind = format!("{:?} {}: {kind}", act.surface, act.verb());
        self.faults.push(Fault { kind, act: act.words.join(" ") });
    }
}

/// The part of the machine that a path is in: enough to see whose it is, and little enough to count by.
fn area(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let depth = if parts[0] == HOME { 3 } else { 4 };
    parts.iter().take(depth).copied().collect::<Vec<_>>().join("/")
}

/// Whose secrets a text holds.
fn secrets(said: &str, honest: &Tree) -> BTreeSet<String> {
    let holds = |bytes: &[u8], secret: &[u8]| bytes.windows(secret.len()).any(|window| window == secret);
    let holder = |secret: &str| {
        let mut written = honest.iter().filter(|(path, _)| !path.contains("/runtime/"));
        let found =
            written.find(|(_, entry)| entry.bytes().is_some_and(|bytes| holds(bytes, secret.as_bytes())));
        found.map_or("the environment", |(path, _)| path).to_owned()
    };
    let told =
        said.match_indices(SECRET).map(|(at, _)| said.get(at..at + SECRET.len() + 16).unwrap_or(SECRET));
    told.collect::<BTreeSet<_>>().into_iter().map(holder).collect()
}
