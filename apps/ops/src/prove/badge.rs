//! The badge for a score: SVG, or for `.json` the data for badge services.

use serde_json::json;
use std::path::Path;

/// The label that identifies files written by `prove`, so that it may replace them.
const LABEL: &str = "skc prove";
/// Widths of the two halves of the drawing, in pixels: `skill` and `100 %` in 11-pixel Verdana.
const HALVES: (u32, u32) = (36, 44);

/// The file's content, depending on its extension. The score is from 0 to 1; `None` if nothing could be measured.
pub fn badge(path: &Path, score: Option<f64>) -> Vec<u8> {
    let message = score.map_or("no data".to_owned(), super::reply::percent);
    let (color, hex) = color(score);
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    match is_json {
        true => {
            let data = json!({ "schemaVersion": 1, "label": LABEL, "message": message, "color": color });
            format!("{data:#}\n").into_bytes()
        }
        false => svg(&message, hex).into_bytes(),
    }
}

/// Whether a file is a badge written by `prove`.
pub fn is_badge(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]);
    start.contains(&format!("<!-- {LABEL} -->")) || start.contains(&format!("\"label\": \"{LABEL}\""))
}

fn color(score: Option<f64>) -> (&'static str, &'static str) {
    match score {
        Some(score) if score >= 0.9 => ("brightgreen", "#3a7d1f"),
        Some(score) if score >= 0.7 => ("yellow", "#8a6a00"),
        Some(_) => ("red", "#b3261e"),
        None => ("lightgrey", "#6b6b6b"),
    }
}

fn svg(message: &str, color: &str) -> String {
    let (left, right) = HALVES;
    let (width, at_left, at_right) = (left + right, left / 2, left + right / 2);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="skill: {message}">
<!-- {LABEL} -->
<title>skill: {message}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{color}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{at_left}" y="14">skill</text><text x="{at_right}" y="14">{message}</text></g>
</svg>
"##
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0016:C-PROVE
    #[test]
    fn a_badge_has_the_score_and_is_recognized() {
        for name in ["badge.svg", "badge.json"] {
            let bytes = badge(Path::new(name), Some(0.876));
            let text = String::from_utf8(bytes.clone()).unwrap();
            assert!(text.contains("87 %") && is_badge(&bytes), "{text}");
        }
        assert!(!is_badge(b"<svg></svg>"));
        assert!(badge(Path::new("x"), None).starts_with(b"<svg"));
    }
}
