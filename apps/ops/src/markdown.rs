//! Markdown that shows texts of authors, none of which becomes markup.

/// A table; the cells are Markdown already.
pub fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let row = |cells: String| format!("| {cells} |\n");
    let rule = format!("|{}\n", "---|".repeat(heads.len()));
    let rows: String = rows.into_iter().map(|cells| row(cells.join(" | "))).collect();
    row(heads.join(" | ").to_lowercase()) + &rule + &rows
}

/// A text of one line that stays in its cell and is no markup, but for underscores.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '<' | '>' | '*' | '`' | '[' | ']' | '\\' | '#' | '&' => out.extend(['\\', c]),
            // A mark of no width, so that no user is mentioned.
            '@' => out.push_str("@\u{200b}"),
            c => out.push(c),
        }
    }
    out
}
