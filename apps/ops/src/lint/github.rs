//! Findings as annotations of a GitHub workflow: one workflow command per line.

use super::reply::{LintDiagnostic, LintReply};
use crate::harmless::plain;

/// One workflow command for each finding.
pub fn annotations(reply: &LintReply) -> Vec<u8> {
    let mut out = String::new();
    for skill in &reply.skills {
        for found in &skill.diagnostics {
            let file = property(&skill.path_of(&found.file));
            let title = property(&format!("{} {} ({})", found.rule, found.name, found.tier));
            let hint = found.hint.as_deref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            let message = data(&format!("{}{hint}", found.message));
            let place = place(found);
            out += &format!("::{} file={file},{place},title={title}::{message}\n", found.severity);
        }
    }
    out.into_bytes()
}

/// The lines of a finding, and its columns if it is on one line; runners ignore columns otherwise.
fn place(found: &LintDiagnostic) -> String {
    let LintDiagnostic { line, column, end_line, end_column, .. } = found;
    let lines = format!("line={line},endLine={end_line}");
    if line == end_line { format!("{lines},col={column},endColumn={end_column}") } else { lines }
}

/// Escapes characters that would end a command or begin an escape, and those that the log viewer would interpret.
fn data(text: &str) -> String {
    plain(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
