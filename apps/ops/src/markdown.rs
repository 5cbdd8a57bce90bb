//! Formats texts by authors as Markdown in which nothing becomes markup.

/// A table whose cells are already Markdown.
pub fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let row = |cells: String| format!("| {cells} |\n");
    let rule = format!("|{}\n", "---|".repeat(heads.len()));
    let rows: String = rows.into_iter().map(|cells| row(cells.join(" | "))).collect();
    row(heads.join(" | ").to_lowercase()) + &rule + &rows
}

/// A text as a single line that stays in its cell. Everything but underscores is escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '<' | '>' | '*' | '`' | '[' | ']' | '\\' | '#' | '&' => out.extend(['\\', c]),
            // Followed by a zero-width space, so that no user is mentioned.
            '@' => out.push_str("@\u{200b}"),
            c => out.push(c),
        }
    }
    out
}
