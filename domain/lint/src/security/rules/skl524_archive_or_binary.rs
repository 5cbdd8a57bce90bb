//! SKL524: files that cannot be reviewed before they are used.

use crate::confidence::Confidence;
use crate::installed::source_of_module;
use crate::mentions::stem;
use crate::security::code_context::{self, Language};
use crate::security::magic::{self, Family};
use crate::rule::{Check, Example, Origin, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::LintFile;
use crate::{FileView, Report};

pub static RULE: Rule = Rule {
    id: "SKL524",
    name: "archive-or-binary",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("SkillSpector SC8 and SC9, Cisco skill-scanner ARCHIVE_*, FILE_MAGIC_MISMATCH and BYTECODE_*"),
    why: "People and scanners cannot see into an archive, a program or bytecode, and a file whose content does not \
          match its name deceives both.",
    fix: "Include the source, or the files from the archive; let the agent install compiled programs from where they \
          can be verified.",
    params: &[],
    patterns: &[],
    good: &[Example::new(&[
        ("SKILL.md", crate::skill_md!("Run `scripts/run.sh` on `assets/mesh.obj` with `assets/plan.pdf`.\n")),
        ("assets/mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        ("assets/plan.pdf", "%PDF-1.4\n%%EOF\n"),
        ("scripts/run.sh", "#!/bin/sh\necho run\n"),
    ])],
    bad: &[
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Unpack `assets/pages.zip`.\n")),
            ("assets/pages.zip", "PK\x03\x04text\n"),
        ]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Show `assets/logo.png`.\n")),
            ("assets/logo.png", "#!/bin/sh\necho logo\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Extensions with other uses: 3D models, plain data, keys. A text file with one of them is not a program.
const SHARED: &str = "com bin app run o obj a lib sys img z ar cpl node lz iso pkg elc xpi skill snap class";

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let Some(fact) = fact(view.file) else { return };
    match source_of_module(&view.file.path).filter(|source| view.context.has_file(source)) {
        Some(source) => {
            let (name, source) = (one_line(view.file.path.as_str()), one_line(source.as_str()));
            report.file(format!("compiled code that may differ from '{source}': '{name}'")).at_most(Confidence::Medium)
        }
        None => {
            let finding = report.file(fact);
            if is_data(view.file) || has_source(view) { finding.at_most(Confidence::Medium) } else { finding }
        }
    };
}

/// Extensions of programs and images that are also those of plain data, such as textures.
const OF_DATA: [&str; 4] = ["bin", "img", "obj", "z"];

/// Whether a file may be plain data: its bytes do not begin like a program's.
fn is_data(file: &LintFile) -> bool {
    let extension = file.path.extension().unwrap_or_default().to_ascii_lowercase();
    OF_DATA.contains(&extension.as_str()) && magic::kind(&file.head).is_none()
}

/// Extensions of sources of compiled code.
const SOURCES: [&str; 11] = ["as", "c", "cc", "cpp", "go", "java", "kt", "rs", "ts", "wat", "zig"];

/// Whether the skill has a source of the same stem for a compiled file.
fn has_source(view: &FileView<'_>) -> bool {
    let own = stem(view.file.path.name());
    let is_compiled = view.file.path.extension() == Some("wasm") || view.file.path.extension() == Some("class");
    is_compiled && view.context.survey.files.iter().any(|file| {
        file.path.extension().is_some_and(|extension| SOURCES.contains(&extension)) && stem(file.path.name()) == own
    })
}

/// What is wrong with a file.
fn fact(file: &LintFile) -> Option<String> {
    let name = one_line(file.path.as_str());
    let extension = file.path.extension().unwrap_or_default().to_ascii_lowercase();
    let promised = magic::promised(&extension);
    match (promised, begins(file)) {
        (Some(Family::Package | Family::Database), Some((Family::Archive, _))) => None,
        (Some(is), _) if is_closed(is) => is_named_so(file, &extension).then(|| format!("{}: '{name}'", said(is))),
        (Some(promised), Some((is, kind))) if is_mismatch(promised, is) => {
            Some(format!("'{name}' is named like {}, but is {kind}", called(promised)))
        }
        (None, Some((is, kind))) if is_closed(is) => Some(format!("'{name}' is {kind}")),
        (Some(Family::Text), _) => not_text(file, &extension).map(|what| format!("'{name}' {what}")),
        (Some(promised @ (Family::Image | Family::Font | Family::Media)), None) if is_plain_text(file) => {
            Some(format!("'{name}' is named like {}, but is text", called(promised)))
        }
        (_, _) => None,
    }
}

/// The format that the first bytes indicate. A text may happen to begin with letters that also mark a file: `BZh`,
/// `ID3`.
fn begins(file: &LintFile) -> Option<(Family, &'static str)> {
    let found = magic::kind(&file.head)?;
    let is_chance = file.text.is_some()
        && !matches!(found.0, Family::Text | Family::Document)
        && file.head.iter().take(4).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    (!is_chance).then_some(found)
}

fn is_closed(family: Family) -> bool {
    matches!(family, Family::Program | Family::Bytecode | Family::Archive)
}

/// Whether a file with the extension of a program or archive is one. If the extension has other uses, the file must
/// not be text.
fn is_named_so(file: &LintFile, extension: &str) -> bool {
    file.text.is_none() || begins(file).is_some() || !SHARED.split(' ').any(|shared| shared == extension)
}

fn is_mismatch(promised: Family, is: Family) -> bool {
    match promised {
        Family::Text => !matches!(is, Family::Text),
        // Files with the extension of an old office document are often pages or tables of text.
        Family::Image | Family::Font | Family::Media | Family::Document | Family::Package | Family::Database => {
            is_closed(is) || is == Family::Text
        }
        Family::Program | Family::Bytecode | Family::Archive => false,
    }
}

/// The actual format of a file that should be text.
fn not_text(file: &LintFile, extension: &str) -> Option<&'static str> {
    if file.text.is_some() || file.head.is_empty() {
        return None;
    }
    let is_wide = is_utf16(&file.head);
    let is_run = code_context::language(extension).is_some_and(|language| language != Language::Data);
    match () {
        () if is_run && is_wide => Some("is a script in UTF-16, which scanners skip"),
        () if is_run && file.head.contains(&0) => Some("is named like a script, but is binary"),
        () if is_run => Some("is a script with bytes that are not UTF-8, which scanners skip"),
        () if !is_wide && file.head.contains(&0) => Some("is named like text, but is binary"),
        () => None,
    }
}

/// Whether bytes begin UTF-16 text: they have a byte order mark, or every other byte is 0.
fn is_utf16(head: &[u8]) -> bool {
    let half_is_zero = |from: usize| {
        let bytes = head.iter().skip(from).step_by(2);
        head.len() > 3 && bytes.clone().filter(|byte| **byte == 0).count() * 10 > bytes.count() * 8
    };
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || half_is_zero(0) != half_is_zero(1)
}

/// Whether a file is text, and not a Git LFS pointer.
fn is_plain_text(file: &LintFile) -> bool {
    let text = file.text.as_deref().unwrap_or_default();
    !text.trim().is_empty() && !text.starts_with("version https://git-lfs.github.com/")
}

fn said(family: Family) -> &'static str {
    match family {
        Family::Archive => "archive, whose files are not checked",
        Family::Bytecode => "compiled code without its source",
        _ => "program or library without its source",
    }
}

fn called(family: Family) -> &'static str {
    match family {
        Family::Program => "a program",
        Family::Bytecode => "bytecode",
        Family::Archive => "an archive",
        Family::Package => "an office document or a package",
        Family::Image => "an image",
        Family::Font => "a font",
        Family::Media => "a sound or film",
        Family::Document => "a document",
        Family::Database => "a data file",
        Family::Text => "a text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::path::RelPath;

    fn fact_of(path: &str, bytes: &[u8]) -> Option<String> {
        let text = String::from_utf8(bytes.to_vec()).ok().filter(|text| !text.contains('\0'));
        fact(&LintFile { path: RelPath::parse(path).unwrap(), head: bytes.to_vec(), text, ..LintFile::default() })
    }

    #[test]
    fn locked_archives_and_files_of_another_type_are_reported() {
        for (path, bytes) in [
            ("a.zip", &b"PK\x03\x04"[..]),
            ("a.pyc", b"\xa7\x0d\x0d\x0a\0\0"),
            ("a.exe", b"anything"),
            ("a.bin", b"\0\x01"),
            ("tool", b"\x7fELF\x02\x01\0"),
            ("a.png", b"\x7fELF\x02\x01\0"),
            ("a.png", b"import os\n"),
            ("a.pdf", b"MZ\x90\0\x03\0"),
            ("a.docx", b"#!/bin/sh\n"),
            ("a.md", b"\x89PNG\r\n\x1a\n\0"),
            ("a.txt", b"ab\0\x01\xffcd"),
            ("a.sh", b"\xff\xfee\0c\0h\0o\0"),
            ("a.py", b"e\0c\0h\0o\0"),
            ("a.js", b"\xe9"),
        ] {
            assert!(fact_of(path, bytes).is_some(), "{path} {bytes:?}");
        }
    }

    #[test]
    fn pictures_documents_and_texts_are_what_they_are() {
        for (path, bytes) in [
            ("a.png", &b"\x89PNG\r\n\x1a\n\0"[..]),
            ("a.png", b"version https://git-lfs.github.com/spec/v1\n"),
            ("a.png", b""),
            ("a.docx", b"PK\x03\x04\0"),
            ("a.npz", b"PK\x03\x04\0"),
            ("a.db", b"SQLite format 3\0"),
            ("a.obj", b"v 0 0 0\n"),
            ("a.md", b"BZh is a mark"),
            ("a.csv", b"\xff\xfea\0,\0"),
            ("a.csv", b"\xe9,b\n"),
            ("a.xls", b"<table>"),
            ("tool", b"#!/bin/sh\n"),
            ("tool", b"\xe9"),
        ] {
            assert_eq!(fact_of(path, bytes), None, "{path} {bytes:?}");
        }
    }
}
