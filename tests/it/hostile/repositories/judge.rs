//! Compares the effects of an act with what it may do.

use super::allowed::{Act, Surface, World, reason};
use super::honest::{HOME, SECRET};
use super::sandbox::Sandbox;
use super::tree::{Tree, changes};
use std::collections::BTreeSet;

/// More output than any command needs for these small trees.
const OUTPUT_BYTES_MAX: usize = 4 << 20;

/// Begin the names of incomplete files.
const TEMPORARY_PREFIXES: [&str; 2] = [".skillc-tmp-", ".skillc-fix-"];

/// A violation.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Equal for faults that probably have the same cause.
    pub kind: String,
    /// The command or call that caused it.
    pub act: String,
}

/// Observes one machine across acts.
pub struct Judge<'a> {
    sandbox: &'a Sandbox,
    before: Tree,
    made: BTreeSet<String>,
    /// Violations so far.
    pub faults: Vec<Fault>,
}

impl<'a> Judge<'a> {
    /// Starts with the current state of the machine.
    pub fn new(sandbox: &'a Sandbox) -> Self {
        Self { sandbox, before: sandbox.read(), made: BTreeSet::new(), faults: Vec::new() }
    }

    /// Checks the changes of an act.
    pub fn changed(&mut self, act: &Act) {
        let after = self.sandbox.read();
        let world =
            World { before: &self.before, after: &after, made: &self.made, root: self.sandbox.root() };
        let mut made = Vec::new();
        let mut wrong = BTreeSet::new();
        for change in changes(&self.before, &after) {
            let name = change.path.rsplit('/').next().unwrap_or_default();
            let is_half_made =
                change.is_new() && TEMPORARY_PREFIXES.iter().any(|half| name.starts_with(half));
            // `rename` moves what the repository brought along under such a name.
            if is_half_made && !self.before.keys().any(|path| path.rsplit('/').next() == Some(name)) {
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

    /// Checks the output of an act.
    pub fn said(&mut self, act: &Act, said: &[u8]) {
        let text = String::from_utf8_lossy(said);
        for file in secrets(&text, &self.sandbox.honest) {
            self.fault(act, &format!("told the secret of {file}"));
        }
        if ["panicked at", "skc panicked"].iter().any(|panic| text.contains(panic)) {
            self.fault(act, "panicked");
        }
        // A user who opens a file gets all of it.
        if said.len() > OUTPUT_BYTES_MAX && !(act.surface == Surface::CommandLine && act.verb() == "open") {
            self.fault(act, "flooded its output");
        }
    }

    /// Checks for new entries above the machine.
    pub fn strays(&mut self, act: &Act) {
        for stray in self.sandbox.strays() {
            self.fault(act, &format!("created {stray}"));
        }
    }

    /// Records a fault.
    pub fn fault(&mut self, act: &Act, kind: &str) {
        let kind = format!("{:?} {}: {kind}", act.surface, act.verb());
        self.faults.push(Fault { kind, act: act.words.join(" ") });
    }
}

/// The area of the machine that a path is in. Faults are counted per area.
fn area(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let depth = if parts[0] == HOME { 3 } else { 4 };
    parts.iter().take(depth).copied().collect::<Vec<_>>().join("/")
}

/// The owners of the secrets in a text.
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
