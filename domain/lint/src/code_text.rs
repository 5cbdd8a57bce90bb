//! What the code of a project says about the skills in it: names in string literals, imports, and a loader of its own.

use skillc_domain::path::RelPath;

/// Maximum number of findings of a rule in one skill for which the code of the project is searched, since each costs a
/// pass over it.
pub const SEARCHES_MAX: usize = 64;

/// Characters that may stand directly before or after a name in a literal.
const BOUNDS: [u8; 5] = *b"\"'`/\\";

/// Whether a text has a word between quotation marks or slashes: `'demo'`, `"skills/demo/SKILL.md"`.
pub fn has_literal(text: &str, word: &str) -> bool {
    let is_bound = |byte: Option<&u8>| byte.is_some_and(|byte| BOUNDS.contains(byte));
    let bytes = text.as_bytes();
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            is_bound(at.checked_sub(1).and_then(|before| bytes.get(before)))
                && is_bound(bytes.get(at + word.len()))
        })
}

/// Whether code reads a field of something: `fields.agent`, but not `.agents` or `/.agent`.
pub fn has_access(text: &str, field: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(field).any(|(at, _)| {
        let owner = text[..at].strip_suffix('.').map(|before| before.trim_end_matches('?'));
        let is_owned =
            owner.is_some_and(|owner| owner.ends_with(|c: char| is_name(c) || c == ')' || c == ']'));
        is_owned && !text[at + field.len()..].starts_with(is_name)
    })
}

/// Whether code uses a file: it has its name as a literal, or imports it from its folder as a module. A nested `SKILL.md`
/// is named together with its folder.
pub fn uses(text: &str, file: &RelPath) -> bool {
    let folder = file.folder().rsplit('/').next().unwrap_or_default();
    let is_named = has_literal(text, file.name()) && (file.name() != "SKILL.md" || has_literal(text, folder));
    is_named || imports(text, file, folder) || names_folder(text, folder)
}

/// Whether code names both a file and its folder, which is not one that many skills have: `join('metadata', 'acme.yaml')`.
pub fn names_place(text: &str, file: &RelPath) -> bool {
    let folder = file.folder();
    !folder.is_empty()
        && !COMMON_FOLDERS.contains(&folder)
        && has_literal(text, folder)
        && has_literal(text, file.name())
}

/// Names of folders that many skills have.
const COMMON_FOLDERS: [&str; 8] =
    ["assets", "data", "docs", "examples", "references", "resources", "scripts", "templates"];

/// Whether code that is about skills names a folder of one: `skill / "stages" / f"{name}.md"`.
fn names_folder(text: &str, folder: &str) -> bool {
    !COMMON_FOLDERS.contains(&folder) && has_literal(text, folder) && text.contains("SKILL.md")
}

/// What code contains that reads front matter itself.
const READS_FRONT_MATTER: &[&str] = &[
    "frontmatter",
    "front_matter",
    "Frontmatter",
    "FrontMatter",
    "FRONTMATTER",
    "safe_load",
    "gray-matter",
    "\"---",
    "'---",
];

/// Whether code loads skills: it names `SKILL.md` and reads front matter.
pub fn loads_skills(text: &str) -> bool {
    text.contains("SKILL.md") && READS_FRONT_MATTER.iter().any(|reading| text.contains(reading))
}

/// Whether a line of a text imports a module: `from demo.scripts import table` for `scripts/table.py`.
fn imports(text: &str, file: &RelPath, folder: &str) -> bool {
    let stem = file.name().rsplit_once('.').map_or(file.name(), |(stem, _)| stem);
    let has = |line: &str, word: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
    };
    !folder.is_empty()
        && file.extension() == Some("py")
        && text.lines().any(|line| line.contains("import ") && has(line, stem) && has(line, folder))
}

#[cfg(test)]
mod tests {
    use super::{has_access, has_literal, loads_skills, uses};
    use skillc_domain::path::RelPath;

    #[test]
    fn a_word_is_a_literal_or_part_of_a_path_in_one() {
        for (text, expected) in [
            ("copy('demo')", true),
            ("copy(\"skills/demo/SKILL.md\")", true),
            ("copy(`skills/demo`)", true),
            ("copy('demos', 'my-demo', 'demo two')", false),
            ("demo", false),
            ("'demo", false),
            ("", false),
        ] {
            assert_eq!(has_literal(text, "demo"), expected, "{text}");
        }
        assert!(!has_literal("''", ""));
    }

    #[test]
    fn a_field_is_read_of_something() {
        for (text, expected) in [
            ("print(fields.agent)", true),
            ("if (read()?.agent) {}", true),
            ("join('.agents/skills')", false),
            ("join('/.agent/skills')", false),
            ("fields.agent_id", false),
            ("agent", false),
        ] {
            assert_eq!(has_access(text, "agent"), expected, "{text}");
        }
    }

    #[test]
    fn code_uses_a_file_that_it_names_or_imports() {
        for (text, path, expected) in [
            ("open('guide.md')", "references/guide.md", true),
            ("from acme.demo.scripts import table, other", "scripts/table.py", true),
            ("from acme.demo.scripts import tables", "scripts/table.py", false),
            ("import table", "table.py", false),
            ("read('SKILL.md')", "inner/SKILL.md", false),
            ("read('inner/SKILL.md')", "inner/SKILL.md", true),
            ("SKILL = 'SKILL.md'\nread(root / 'stages' / f'{name}.md')", "stages/plan.md", true),
            ("SKILL = 'SKILL.md'\nread(root / 'references' / f'{name}.md')", "references/plan.md", false),
        ] {
            assert_eq!(uses(text, &RelPath::parse(path).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn code_loads_skills_if_it_reads_their_front_matter() {
        assert!(loads_skills(
            "text = (folder / 'SKILL.md').read_text()\n_, front, body = text.split('---', 2)\n"
        ));
        assert!(!loads_skills("shutil.copy(folder / 'SKILL.md', target)\n"));
    }
}
