//! `skc doctor` (RFC-0016:C-DOCTOR): finds problems with the skills of this machine.

use crate::catalog::Roots;
use crate::doctor::{FindingSeverity, Fixed, HealthFinding, examine, fix, title};
use crate::failure::Failure;
use crate::operation::{Operation, Surface};
use crate::render::{Render, View, counted, line, plain};
use crate::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Check the skills of this machine, and how each agent treats them.
///
/// It examines links, copies, builds, logs, settings, and files of agents. Each finding says what is wrong, why it
/// matters, and which command fixes it. Nothing is written without '--fix', which makes the safe changes; 'skc undo'
/// reverts them. The exit status is 1 if there is an error.
#[derive(Debug, clap::Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorRequest {
    /// Fix what can be fixed safely.
    #[arg(long)]
    #[serde(default)]
    pub fix: bool,
    /// Which folders of skills.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub roots: Roots,
}

/// The findings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DoctorReply {
    /// Most severe first.
    pub findings: Vec<HealthFinding>,
    /// Number of errors among them.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of notes.
    pub notes: usize,
    /// What was fixed; with `fix`.
    pub fixed: Vec<HealthFinding>,
    /// The trash entry with which `skc undo` reverts it; null if nothing was changed.
    pub receipt: Option<String>,
}

/// Implements `skc doctor`.
pub struct Doctor;

impl Operation for Doctor {
    const NAME: &'static str = "doctor";
    const SURFACE: Surface = Surface::CommandLine;
    const IS_READ_ONLY: bool = false;
    const IS_PAGED: bool = true;
    // The remains of an interrupted rename are a finding.
    const SETTLES_RENAMES: bool = false;
    const EXAMPLES: &'static str = "skc doctor\nskc doctor --fix\nskc doctor --roots all --format json";
    type Request = DoctorRequest;
    type Reply = DoctorReply;

    async fn run(run: &mut Run<'_>, request: DoctorRequest) -> Result<DoctorReply, Failure> {
        let which = match request.roots {
            Roots::Default => run.app.call.settings.discovery.default_roots,
            named => named.which(),
        };
        let found = examine(run.app, which);
        if !request.fix {
            return Ok(reply(found, Fixed::default()));
        }
        let fixed = fix(run, found).await?;
        Ok(reply(examine(run.app, which), fixed))
    }
}

fn reply(findings: Vec<HealthFinding>, fixed: Fixed) -> DoctorReply {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    DoctorReply {
        errors: count(FindingSeverity::Error),
        warnings: count(FindingSeverity::Warning),
        notes: count(FindingSeverity::Note),
        findings,
        fixed: fixed.findings,
        receipt: fixed.receipt,
    }
}

impl Render for DoctorReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        for finding in &self.fixed {
            let what = format!("{}: {}", view.path(&finding.path), short(view, &finding.what));
            line(out, format!("{} {what}", view.good("Fixed")));
        }
        if !self.fixed.is_empty() {
            line(out, view.faint("'skc undo' reverts this"));
            line(out, "");
        }
        for group in self.findings.chunk_by(|a, b| (a.check, a.severity) == (b.check, b.severity)) {
            render_group(group, view, out);
            line(out, "");
        }
        line(out, self.summary(view));
    }

    fn has_failed(&self) -> bool {
        self.errors > 0
    }
}

/// Findings of one check and severity.
fn render_group(group: &[HealthFinding], view: &View, out: &mut Vec<u8>) {
    let Some(first) = group.first() else { return };
    let severity = match first.severity {
        FindingSeverity::Error => view.bad("error"),
        FindingSeverity::Warning => view.careful("warning"),
        FindingSeverity::Note => view.faint("note"),
    };
    line(out, format!("{severity}: {}: {}", view.strong(title(first.check)), first.why));
    for finding in group {
        line(out, format!("  {}: {}", view.path(&finding.path), short(view, &finding.what)));
        line(out, view.faint(format!("    {}", short(view, &finding.fix))));
    }
}

/// Shortens the paths in a text like [`View::path`]. In a command, the path must work in a shell, so a tilde is never
/// quoted.
fn short(view: &View, text: &str) -> String {
    let begin = |text: String, folder: &Path, instead: &str, before: &[&str]| {
        let folder = format!("{}/", folder.display());
        let is_folder = folder.len() > 1;
        before.iter().filter(|_| is_folder).fold(text, |text, before| {
            text.replace(&format!("{before}{folder}"), &format!("{before}{instead}"))
        })
    };
    let text = begin(plain(text), &view.cwd, "", &[" ", "'"]);
    // The words before a quoted path in a sentence; in a command it follows another word.
    begin(text, &view.home, "~/", &[" ", "to '", "from '", "uses '", "in '"])
}

impl DoctorReply {
    fn summary(&self, view: &View) -> String {
        if self.findings.is_empty() {
            return view.good("Nothing is wrong");
        }
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let counts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, thing)| counted(count as u64, thing))
            .collect();
        let fixable = self.findings.iter().filter(|finding| finding.fixable).count();
        let advice = match fixable {
            0 => String::new(),
            count => format!("; 'skc doctor --fix' fixes {count} of them"),
        };
        format!("{}{advice}", counts.join(", "))
    }
}
