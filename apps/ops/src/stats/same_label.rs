//! Tells apart rows with the same label: skills of one name in several folders.

use crate::render::View;
use std::path::Path;

/// For each row, a line with the path of its skill if another row has the same label.
pub fn paths_of_same_labels<T>(
    view: &View,
    rows: &[T],
    label: impl Fn(&T) -> String,
    path: impl Fn(&T) -> Option<&str>,
) -> Vec<Option<String>> {
    let labels: Vec<String> = rows.iter().map(label).collect();
    let is_shared = |label: &String| labels.iter().filter(|other| *other == label).count() > 1;
    let line = |row: &T| {
        let path = path(row).map_or("folder unknown".to_owned(), |path| view.path(Path::new(path)));
        view.faint(format!("  {path}"))
    };
    rows.iter().zip(&labels).map(|(row, label)| is_shared(label).then(|| line(row))).collect()
}
