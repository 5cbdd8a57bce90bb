//! Formats the verdict as a table for a pull request.

use super::reply::{ProveReply, percent};
use crate::markdown::{escaped, table};

/// A heading, the table, and a collapsed section with what lowers the figures.
pub fn markdown(reply: &ProveReply) -> String {
    let rows = reply.rows().into_iter().map(|row| row.map(|text| cell(&text)).to_vec());
    let mut text =
        format!("### {}\n\n{}", cell(&reply.verdict()), table(&["measure", "score", "figures"], rows));
    let shortfalls = reply.shortfalls();
    if !shortfalls.is_empty() {
        text += &format!("\n<details><summary>What lowers it: {}</summary>\n\n", shortfalls.len());
        for shortfall in shortfalls {
            text += &format!("- {}\n", cell(&shortfall));
        }
        text += "\n</details>\n";
    }
    if let Some(min) = reply.min.filter(|_| reply.is_below_min()) {
        text += &format!("\nBelow the required score of {}.\n", percent(min));
    }
    text
}

/// A text that stays in its cell and contains no markup.
fn cell(text: &str) -> String {
    escaped(&text.replace(['\n', '\r'], " ")).replace('_', "\\_")
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
