//! Tells apart rows with the same label: skills of one name in several folders.

use crate::render::View;
use std::collections::HashMap;
use std::path::Path;

/// For each row, a line with the path of its skill if another row has the same label.
pub fn paths_of_same_labels<T>(
    view: &View,
    rows: &[T],
    label: impl Fn(&T) -> String,
    path: impl Fn(&T) -> Option<&str>,
) -> Vec<Option<String>> {
    let labels: Vec<String> = rows.iter().map(label).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
    let line = |row: &T| {
        let path = path(row).map_or("folder unknown".to_owned(), |path| view.path(Path::new(path)));
        view.faint(format!("  {path}"))
    };
    rows.iter().zip(&labels).map(|(row, label)| (counts[label.as_str()] > 1).then(|| line(row))).collect()
}
