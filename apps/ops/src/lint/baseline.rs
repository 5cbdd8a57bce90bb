//! The baseline: a file of accepted findings.

use super::reply::LintReply;
use crate::app::App;
use crate::failure::Failure;
use crate::written::{self, Allowed};
use serde::{Deserialize, Serialize};
use skillc_domain::fault::Fault;
use skillc_domain::limits::BASELINE_BYTES_MAX;
use skillc_lint::baseline::Baseline;
use skillc_ports::ErrorKind;
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the file format.
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u32,
    /// By skill, then by rule and file: digests of source lines with the number of accepted findings.
    skillc_lint_baseline: BTreeMap<String, BTreeMap<String, u32>>,
}

/// Options for writing the baseline.
#[derive(Clone, Copy, Debug)]
pub struct BaselineWrite {
    /// Whether to rewrite an existing file.
    pub is_asked: bool,
    /// Whether to follow a link that belongs to the user.
    pub follows: bool,
}

/// Removes accepted findings from a reply. Writes the baseline first if it does not exist or `writing` asks for it.
///
/// # Errors
/// E100 if the file is not a baseline, E999 if it cannot be read or written.
pub fn hold_against(
    app: &App,
    reply: &mut LintReply,
    file: &str,
    writing: BaselineWrite,
) -> Result<(), Failure> {
    let path = app.call.places.cwd.join(file);
    let known = read(app, &path, file)?;
    let is_new = known.is_none();
    let accepted = match known {
        Some(form) if !writing.is_asked => form,
        known => {
            let form = form(app, reply, known);
            write(app, &path, &form, writing)?;
            let count: u32 = form.skillc_lint_baseline.values().flat_map(BTreeMap::values).sum();
            let done = if is_new { "made" } else { "written anew" };
            reply.note = Some(format!("baseline {done}: {file} accepts {count} findings"));
            form
        }
    };
    let mut baselines: BTreeMap<String, Baseline> = accepted
        .skillc_lint_baseline
        .into_iter()
        .map(|(skill, accepted)| (skill, Baseline { accepted }))
        .collect();
    for skill in &mut reply.skills {
        let baseline = baselines.entry(skill.skill.clone()).or_default();
        let before = skill.diagnostics.len();
        skill.diagnostics.retain(|found| !baseline.take(&key(app, &found.identity)));
        skill.accepted = before - skill.diagnostics.len();
    }
    Ok(())
}

/// The current findings and, for skills that were not linted, the previously accepted ones.
fn form(app: &App, reply: &LintReply, before: Option<Form>) -> Form {
    // Two folders may contain skills with the same name.
    let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for skill in &reply.skills {
        let found = skill.diagnostics.iter().map(|found| key(app, &found.identity));
        keys.entry(skill.skill.clone()).or_default().extend(found);
    }
    let accepted = |keys: Vec<String>| Baseline::of(keys.iter().map(String::as_str)).accepted;
    let mut skills = before.map(|form| form.skillc_lint_baseline).unwrap_or_default();
    skills.extend(keys.into_iter().map(|(skill, keys)| (skill, accepted(keys))));
    Form { version: VERSION, skillc_lint_baseline: skills }
}

/// The key of a finding: rule and file in plain text, but the source line as a digest, since a baseline must not copy
/// the skill.
fn key(app: &App, identity: &str) -> String {
    let mut parts = identity.splitn(3, '\0');
    let (rule, file) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match parts.next() {
        Some(source) if !source.is_empty() => {
            format!("{rule} {file} {}", app.ports.files.digest(source.as_bytes()).hash16())
        }
        _ => format!("{rule} {file}"),
    }
}

fn read(app: &App, path: &Path, file: &str) -> Result<Option<Form>, Failure> {
    let bytes = match app.ports.named.read(path, BASELINE_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let form = parsed(&bytes);
    let flaw = || {
        Fault::invalid_option(format!(
            "--baseline '{file}' exists and is not a baseline of skc lint; name another file"
        ))
    };
    Ok(Some(form.ok_or_else(flaw)?))
}

fn parsed(bytes: &[u8]) -> Option<Form> {
    serde_json::from_slice(bytes).ok().filter(|form: &Form| form.version == VERSION)
}

fn write(app: &App, path: &Path, form: &Form, writing: BaselineWrite) -> Result<(), Failure> {
    // Maps of strings and numbers can always be serialized.
    let mut bytes = serde_json::to_vec_pretty(form).unwrap_or_default();
    bytes.push(b'\n');
    let allowed = Allowed { follows: writing.follows, is_forced: false };
    written::write(app, path, &bytes, allowed, &|old| parsed(old).is_some())
}
