//! The text formats that are indexed (RFC-0004:C-FORMATS).

use crate::path::RelPath;

/// How a text is divided into sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At Markdown headings.
    Headings,
    /// Not at all: the text is one section without a heading.
    Whole,
}

/// An indexed file format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// File name extension in lower case, without the dot; matches any case.
    pub extension: &'static str,
    /// How its text is divided.
    pub cut: Cut,
}

/// All formats, one per line.
pub const FORMATS: &[Format] =
    &[Format { extension: "md", cut: Cut::Headings }, Format { extension: "txt", cut: Cut::Whole }];

/// The format of a file, by its extension; `None` if files of this kind are not indexed.
pub fn format_of(path: &RelPath) -> Option<&'static Format> {
    let extension = path.extension()?;
    FORMATS.iter().find(|format| format.extension.eq_ignore_ascii_case(extension))
}

/// Whether a file is Markdown; only Markdown has an outline and sections.
pub fn is_markdown(path: &RelPath) -> bool {
    format_of(path).is_some_and(|format| format.cut == Cut::Headings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0004:C-FORMATS
    #[test]
    fn an_unsupported_kind_has_no_format() {
        let format = |path: &str| format_of(&RelPath::parse(path).unwrap()).map(|f| f.cut);
        assert_eq!(format("a/b.md"), Some(Cut::Headings));
        assert_eq!(format("A.MD"), Some(Cut::Headings));
        assert_eq!(format("x.txt"), Some(Cut::Whole));
        for path in ["x.py", "md", "a.md/x", ".md", "x.md.bak"] {
            assert_eq!(format(path), None, "{path}");
        }
    }
}
