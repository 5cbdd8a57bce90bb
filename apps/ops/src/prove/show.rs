//! Formats the verdict as text.

use super::markdown::markdown;
use super::reply::ProveReply;
use crate::render::{Render, View, line, table};

/// Number of lines about what lowers the figures; JSON contains all.
const SHORTFALLS_MAX: usize = 20;

impl Render for ProveReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let verdict = self.verdict();
        line(out, if self.is_below_min() { view.bad(verdict) } else { view.strong(verdict) });
        line(out, table(view, &["MEASURE", "SCORE", "FIGURES"], &self.rows().map(Vec::from)));
        let shortfalls = self.shortfalls();
        for shortfall in shortfalls.iter().take(SHORTFALLS_MAX) {
            line(out, format!("  {shortfall}"));
        }
        if let Some(more) = shortfalls.len().checked_sub(SHORTFALLS_MAX).filter(|more| *more > 0) {
            line(out, view.faint(format!("  {more} more: --format json")));
        }
    }

    fn has_failed(&self) -> bool {
        self.is_below_min()
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        (format == "markdown").then(|| markdown(self).into_bytes())
    }
}
