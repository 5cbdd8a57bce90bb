//! The verdict as a table for a pull request.

use super::reply::{ProveReply, percent};

/// A heading, the table, and what lowers the figures behind a fold.
pub fn markdown(reply: &ProveReply) -> String {
    let mut text =
        format!("### {}\n\n| measure | score | figures |\n|---|---|---|\n", cell(&reply.verdict()));
    for row in reply.rows() {
        text += &format!("| {} |\n", row.map(|text| cell(&text)).join(" | "));
    }
    let shortfalls = reply.shortfalls();
    if !shortfalls.is_empty() {
        text += &format!("\n<details><summary>What lowers it: {}</summary>\n\n", shortfalls.len());
        for shortfall in shortfalls {
            text += &format!("- {}\n", cell(&shortfall));
        }
        text += "\n</details>\n";
    }
    if let Some(min) = reply.min.filter(|_| reply.is_below_min()) {
        text += &format!("\nBelow the score of {} that is asked for.\n", percent(min));
    }
    text
}

/// A text that stays in its cell and is no markup.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '&' => out.extend(['\\', c]),
            // A mark of no width, so that no user is mentioned.
            '@' => out.push_str("@\u{200b}"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0016:C-PROVE
    #[test]
    fn a_text_stays_in_its_cell() {
        assert_eq!(cell("a|b <img>\n`x` @me"), "a\\|b \\<img\\> \\`x\\` @\u{200b}me");
    }
}
