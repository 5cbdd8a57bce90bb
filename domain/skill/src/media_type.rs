//! Media types of files, by extension.

use crate::path::RelPath;

/// The media type of a folder in MCP's skills extension.
pub const FOLDER: &str = "inode/directory";
/// The media type of a file with an unknown extension.
const UNKNOWN: &str = "application/octet-stream";

/// Extensions in lower case with their media types: those that are common in published skills.
const KINDS: &[(&str, &str)] = &[
    ("bash", "text/x-shellscript"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("rs", "text/x-rust"),
    ("sh", "text/x-shellscript"),
    ("sql", "application/sql"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("ts", "text/x-typescript"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// The media type of a file.
pub fn media_type(path: &RelPath) -> &'static str {
    let extension = path.extension().unwrap_or_default();
    let known = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
    known.map_or(UNKNOWN, |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_the_kind_of_its_extension() {
        for (path, kind) in [
            ("SKILL.md", "text/markdown"),
            ("a.b/X.PNG", "image/png"),
            ("LICENSE", UNKNOWN),
            (".md", UNKNOWN),
            ("x.", UNKNOWN),
            ("x.bin", UNKNOWN),
        ] {
            assert_eq!(media_type(&RelPath::parse(path).unwrap()), kind, "{path}");
        }
    }
}
