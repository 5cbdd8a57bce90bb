//! The reply of `skc eval discovery`.

use super::{Measured, Miss, QualityRow, Triggered};
use crate::markdown::{self, escaped};
use crate::render::{Render, View, counted, line, plain, table};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashSet;

/// How well skills are found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoveryReply {
    /// Skills of the corpus.
    pub skills: usize,
    /// Number of queries.
    pub queries: usize,
    /// Quality of each mode, for all queries and for each kind.
    pub modes: Vec<QualityRow>,
    /// The queries whose first result does not answer them, by mode.
    pub misses: Vec<Miss>,
    /// The outcome of each trial of a skill. The first result stands in for the choice of a model.
    pub triggers: Vec<Triggered>,
    /// Notes on the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Render for DiscoveryReply {
    fn render(&self, view: &View, out: &mut Vec<u8>) {
        let queries = counted(self.queries as u64, "query");
        line(out, format!("{}, {queries}", counted(self.skills as u64, "skill")));
        if !self.modes.is_empty() {
            line(out, self.table(view));
        }
        render_misses(view, &self.misses, out);
        if !self.triggers.is_empty() {
            render_triggers(view, &self.triggers, out);
        }
    }

    fn diagnostics(&self, _: &View, out: &mut Vec<u8>) {
        if let Some(note) = &self.note {
            line(out, format!("note: {note}"));
        }
    }

    fn formatted(&self, format: &str) -> Option<Vec<u8>> {
        let rows = self.modes.iter().map(|row| cells(row).iter().map(|text| escaped(&plain(text))).collect());
        (format == "markdown").then(|| markdown::table(&HEADS, rows).into_bytes())
    }
}

impl DiscoveryReply {
    /// The figures, with the models if there are several.
    fn table(&self, view: &View) -> String {
        let mut heads = HEADS.to_vec();
        let mut rows: Vec<Vec<String>> = self.modes.iter().map(cells).collect();
        let models: HashSet<&str> = self.modes.iter().filter_map(|row| row.model.as_deref()).collect();
        if models.len() > 1 {
            heads.insert(1, "MODEL");
            for (cells, row) in rows.iter_mut().zip(&self.modes) {
                cells.insert(1, row.model.clone().unwrap_or_default());
            }
        }
        table(view, &heads, &rows)
    }
}

const HEADS: [&str; 9] =
    ["MODE", "KIND", "QUERIES", "HIT@1", "HIT@10", "MRR@10", "NDCG@10", "95 %", "SILENT"];

/// A mode, with the model if it has one.
fn title(mode: &str, model: Option<&str>) -> String {
    model.map_or_else(|| mode.to_owned(), |model| format!("{mode} with {model}"))
}

fn cells(row: &QualityRow) -> Vec<String> {
    let shown = |value: &Measured| format!("{:.3}", value.mean);
    let ndcg = &row.ndcg_at_10;
    vec![
        row.mode.clone(),
        plain(&row.kind),
        row.queries.to_string(),
        shown(&row.hit_at_1),
        shown(&row.hit_at_10),
        shown(&row.mrr_at_10),
        shown(ndcg),
        format!("{:.3}-{:.3}", ndcg.low, ndcg.high),
        format!("{:.3}", row.silent),
    ]
}

fn render_misses(view: &View, misses: &[Miss], out: &mut Vec<u8>) {
    for of_mode in misses.chunk_by(|a, b| (&a.mode, &a.model) == (&b.mode, &b.model)) {
        let title = title(&of_mode[0].mode, of_mode[0].model.as_deref());
        line(out, view.strong(format!("{title}: {} missed", of_mode.len())));
        for miss in of_mode {
            let first = plain(miss.first.as_deref().unwrap_or("nothing"));
            let relevant = plain(&miss.relevant.join(", "));
            let rank = miss.rank.map_or("not found".to_owned(), |rank| format!("in place {rank}"));
            line(out, format!("  '{}': won by {first}; {relevant} {rank}", plain(&miss.query)));
        }
    }
}

fn render_triggers(view: &View, triggers: &[Triggered], out: &mut Vec<u8>) {
    line(out, "The first result represents the choice of a model, which may differ.");
    for own in triggers.chunk_by(|a, b| (&a.mode, &a.model) == (&b.mode, &b.model)) {
        let right = own.iter().filter(|trial| trial.is_right()).count();
        let title = title(&own[0].mode, own[0].model.as_deref());
        line(out, view.strong(format!("{title}: {right} of {} correct", own.len())));
        for miss in own.iter().filter(|trial| !trial.is_right()) {
            let first = plain(miss.first.as_deref().unwrap_or("nothing"));
            let what = match miss.should_trigger {
                true => format!(
                    "won by {first}{}",
                    miss.rank.map(|rank| format!(", itself {rank}.")).unwrap_or_default()
                ),
                false => "should not come first".to_owned(),
            };
            line(out, format!("  '{}': {what}", plain(&miss.query)));
        }
    }
}
