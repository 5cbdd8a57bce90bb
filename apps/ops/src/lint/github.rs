//! Findings as annotations of a GitHub workflow: each a command on a line of its own.

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

/// Lines; and columns where a finding stands on one line, for a runner drops them elsewhere.
fn place(found: &LintDiagnostic) -> String {
    let LintDiagnostic { line, column, end_line, end_column, .. } = found;
    let lines = format!("line={line},endLine={end_line}");
    if line == end_line { format!("{lines},col={column},endColumn={end_column}") } else { lines }
}

/// What would end a command, or begin an escape, is escaped; so is what the page or the terminal that shows the runner's log
/// would take for an order.
fn data(text: &str) -> String {
    plain(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
