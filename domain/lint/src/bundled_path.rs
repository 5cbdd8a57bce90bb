//! Paths of bundled files in code, and what the words around them say.

use crate::link::OWN_FOLDER;
use skillc_domain::markup::{CodeBlock, Markup, RegionKind};
use skillc_domain::path::RelPath;
use skillc_domain::text::lines;
use std::ops::Range;

/// Names of folders for bundled files.
const FOLDERS: &[&str] =
    &["references/", "reference/", "scripts/", "assets/", "templates/", "examples/", "resources/"];
/// Names of shells after an opening fence.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "shell", "console"];
/// Commands that run the file after them.
const RUNNERS: &[&str] = &[
    "python",
    "python3",
    "py",
    "bash",
    "sh",
    "zsh",
    "node",
    "tsx",
    "ts-node",
    "bun",
    "run",
    "deno",
    "rscript",
    "ruby",
    "perl",
    "pwsh",
    "powershell",
    "source",
    ".",
    "sudo",
    "exec",
    "uv",
    "&&",
    ";",
    "$",
];
/// Words before a path that mean the file need not exist: it is forbidden, only an example, or about to be created.
const NOT_USED: &[&str] = &[
    "never",
    "not",
    "don't",
    "avoid",
    "e.g",
    "example",
    "such as",
    "instead of",
    "like",
    "optional",
    "if",
    "create",
    "creates",
    "creating",
    "write",
    "writes",
    "save",
    "saves",
    "saved",
    "generate",
    "generates",
    "generated",
    "produce",
    "produces",
    "add",
    "adds",
    "output",
    "outputs",
    "store",
    "stores",
    "export",
    "exports",
    "named",
    "rename",
    "emit",
    "emits",
    "place",
    "put",
    "update",
    "wrong",
    "bad",
    "missing",
    "removed",
    "deprecated",
    "existing",
    "maps to",
    "becomes",
    "file:",
    "file**:",
];
/// Verbs directly before a path that tell the reader to read or run it.
const LOADS: &[&str] = &["see", "read", "load", "run", "open", "check", "consult", "follow", "execute"];
/// Words that negate such a verb.
const FORBIDS: &[&str] = &["never", "not", "don't", "avoid", "if"];
/// Words after a path that mean it may be missing.
const MAY_MISS: &[&str] = &[
    "if present",
    "if it exists",
    "if they exist",
    "if exists",
    "if available",
    "if any",
    "(optional",
    "(create",
    "is created",
    "are created",
    "will be created",
    "is generated",
    "is written",
    "does not exist",
    "doesn't exist",
    "not included",
    "if you have",
    "coming soon",
    "from the upstream",
    "in the upstream",
    "(planned",
    "(todo",
];
/// Words before a path that mean it belongs to someone else.
const OTHERS: &[&str] = &[
    "your project",
    "your repo",
    "user's project",
    "project's",
    "in the project",
    "the repo",
    "repository",
    "codebase",
    "package bundles",
    "npm package",
    "` skill",
    "skill `",
    "skill's",
    "upstream",
    "plugin",
    "monorepo",
    "package.json",
    "pull request",
];
/// Words before a path that mean it exists only in some copies of the skill.
const IN_SOME: &[&str] = &["may contain", "may also contain", "may include", "might contain", "may have"];
/// Prefixes of placeholder names.
const STAND_INS: &[&str] = &[
    "my-",
    "my_",
    "your",
    "foo",
    "bar.",
    "example",
    "script.",
    "script_name",
    "script-name",
    "do_something",
    "do-something",
    "file.",
    "file_name",
    "filename",
    "name.",
];
/// How many bytes of a line are considered on each side of a path.
const NEAR_BYTES: usize = 300;

/// A path mentioned in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledPath {
    /// Relative to the skill's folder.
    pub path: RelPath,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Whether it begins with a client's name for the skill's folder.
    pub is_rooted: bool,
    /// Whether the reader is told to read or run it.
    pub is_used: bool,
    /// Whether the text creates it, or it belongs to the settings of a user's project.
    pub is_foreign: bool,
}

/// The paths in code, in document order, except those in links. Linear in the text.
pub fn bundled_paths(text: &str, markup: &Markup) -> Vec<BundledPath> {
    let regions = markup.regions.iter().filter(|region| region.span.start >= markup.body_start());
    let mut found = Vec::new();
    for region in regions {
        match region.kind {
            RegionKind::InlineCode if !is_linked(markup, region.span.start) => {
                found.extend(
                    words_of(text, &region.span).filter_map(|word| inline(text, markup, &region.span, word)),
                );
            }
            RegionKind::CodeBlock => {
                let at = markup.code_blocks.partition_point(|block| block.span.end <= region.span.start);
                let block = markup.code_blocks.get(at);
                found.extend(words_of(text, &region.span).filter_map(|word| in_block(text, block, word)));
            }
            RegionKind::InlineCode | RegionKind::Comment | RegionKind::Html => {}
        }
    }
    found
}

fn is_linked(markup: &Markup, at: usize) -> bool {
    let next = markup.links.partition_point(|link| link.span.end <= at);
    markup.links.get(next).is_some_and(|link| link.span.start <= at)
}

/// The words in a range that contain the name of one of the folders.
fn words_of<'t>(text: &'t str, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let base = range.start;
    let part = &text[range.clone()];
    let is_end = |c: char| c.is_whitespace() || "`\"'()[],;=".contains(c);
    part.split(is_end).filter(|word| FOLDERS.iter().any(|folder| word.contains(folder))).map(move |word| {
        let start = base + (word.as_ptr() as usize - part.as_ptr() as usize);
        start..start + word.len()
    })
}

/// Parses a word as a path. It must have an extension and no placeholder.
fn path(text: &str, word: Range<usize>) -> Option<(RelPath, Range<usize>, bool)> {
    let written = text[word.clone()].trim_end_matches(['.', ':']);
    let own = OWN_FOLDER.iter().find_map(|name| written.strip_prefix(name)?.strip_prefix('/'));
    let below = own.unwrap_or(written);
    let below = below.strip_prefix("./").unwrap_or(below);
    let is_plain =
        below.chars().all(|c| c.is_alphanumeric() || "/._-+@".contains(c)) && !below.contains("..");
    let name = below.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.')?;
    let is_name = !stem.is_empty() && !is_stand_in(name);
    let is_extension = (1..=10).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.chars().all(|c| c.is_ascii_alphanumeric());
    let is_below = FOLDERS.iter().any(|folder| below.starts_with(folder));
    let start = word.start + (written.len() - below.len());
    let path = RelPath::parse(below).ok()?;
    (is_plain && is_name && is_extension && is_below)
        .then(|| (path, start..start + below.len(), own.is_some()))
}

/// Whether a name is a placeholder, or that of a file that is not distributed: `my-report.md`, `Sxxxxx.md`,
/// `notes.local.md`.
fn is_stand_in(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    STAND_INS.iter().any(|start| small.starts_with(start))
        || small.contains("xxx")
        || small.contains(".local.")
}

/// A path in inline code: on its own, or run by a command in the same code.
fn inline(text: &str, markup: &Markup, code: &Range<usize>, word: Range<usize>) -> Option<BundledPath> {
    let (path, span, is_rooted) = path(text, word.clone())?;
    let content = text[code.clone()].trim_matches(['`', ' ']);
    let is_alone = content == &text[word.clone()];
    let command = &text[code.start..word.start];
    let is_run = is_alone || is_run(command.trim_start_matches('`'));
    let line = lines::around(text, code.start);
    let before = near_end(&text[line.start..code.start]).to_lowercase();
    let after = near_start(&text[code.end.min(line.end)..line.end]).to_lowercase();
    let is_made = is_alone && is_made(&before) || ends_in_output(command);
    let is_used = is_run && !is_set_aside(&before, &after) && !is_below_examples(markup, code.start);
    Some(BundledPath { path, span, is_rooted, is_used, is_foreign: is_made })
}

/// A path in a code block, run by a shell command. In other languages, paths belong to the user's project.
fn in_block(text: &str, block: Option<&CodeBlock>, word: Range<usize>) -> Option<BundledPath> {
    let (path, span, is_rooted) = path(text, word.clone())?;
    let info = block.map_or("", |block| block.info.as_str()).to_ascii_lowercase();
    let is_shell = SHELLS.contains(&info.split([' ', '{']).next().unwrap_or_default());
    let line = lines::around(text, word.start);
    let before = near_end(&text[line.start..word.start]);
    let is_comment = before.contains('#');
    let is_output = ends_in_output(before) || is_comment && is_made(&before.to_lowercase());
    let is_settings = ["json", "yaml", "yml", "toml", "dockerfile", "makefile"].contains(&info.as_str());
    let is_used = is_shell && !is_comment && is_run(before);
    Some(BundledPath { path, span, is_rooted, is_used, is_foreign: is_output || is_settings && !is_rooted })
}

/// Whether the words before a path are a command that runs it.
fn is_run(before: &str) -> bool {
    let mut words = before.split_whitespace().rev().filter(|word| !word.starts_with('-') && *word != "\"");
    words.next().is_none_or(|last| {
        let last = last.trim_matches('"').to_ascii_lowercase();
        let name = last.rsplit('/').next().unwrap_or_default();
        RUNNERS.contains(&name) || name.starts_with("python3.")
    })
}

/// Whether a command ends with a redirection to the path.
fn ends_in_output(before: &str) -> bool {
    let last = before.trim_end_matches(['"', '\'', '=']).split_whitespace().next_back().unwrap_or_default();
    last.ends_with('>')
        || matches!(last, "-o" | "--output" | "--out" | "-O" | "tee" | "touch" | "mkdir" | "--output-file")
}

/// Whether the words before a path say that it is created.
fn is_made(before: &str) -> bool {
    let sentence = before.rsplit(['.', ';']).next().unwrap_or_default();
    let mut words = sentence.split(|c: char| !c.is_alphabetic());
    words.any(|word| {
        ["save", "create", "write", "generate", "export", "output", "store"]
            .iter()
            .any(|verb| word.strip_prefix(verb).is_some_and(|rest| matches!(rest, "" | "s" | "d" | "ing")))
    })
}

/// Whether the line says that the path need not exist.
fn is_set_aside(before: &str, after: &str) -> bool {
    // The dots of an abbreviation end no sentence.
    let before = before.replace("e.g. ", "e.g ");
    let sentence = before.rsplit(". ").next().unwrap_or_default();
    let is_word = |expected: &&&str| {
        sentence.match_indices(**expected).any(|(at, _)| {
            let starts = !sentence[..at].ends_with(|c: char| c.is_alphanumeric());
            starts && !sentence[at + expected.len()..].starts_with(|c: char| c.is_alphanumeric())
        })
    };
    // `Full example: see` requires the path in spite of the word before it.
    let is_ordered = sentence.trim_end().rsplit(' ').next().is_some_and(|last| LOADS.contains(&last));
    let not_used = if is_ordered { FORBIDS } else { NOT_USED };
    not_used.iter().any(|word| is_word(&word))
        || before.contains(['❌', '→'])
        || before.trim_end().ends_with("(runs")
        || ["'s `", "’s `", "s' `", "s’ `"].iter().any(|owner| format!("{before}`").ends_with(owner))
        || OTHERS.iter().chain(IN_SOME).any(|words| before.contains(words))
        || MAY_MISS.iter().any(|words| after.contains(words))
        || after.trim_start().starts_with("in the ")
            && ["project", "repo"].iter().any(|word| after.contains(word))
}

/// Whether the nearest heading announces examples.
fn is_below_examples(markup: &Markup, at: usize) -> bool {
    let next = markup.headings.partition_point(|heading| heading.offset <= at);
    let heading = next.checked_sub(1).map(|at| markup.headings[at].text.to_lowercase()).unwrap_or_default();
    ["example", "anti-pattern", "antipattern", "file structure", "directory structure", "project structure"]
        .iter()
        .any(|word| heading.contains(word))
}

fn near_end(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(NEAR_BYTES))..]
}

fn near_start(text: &str) -> &str {
    &text[..text.floor_char_boundary(NEAR_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_known_folder_and_an_extension() {
        for (word, expected) in [
            ("references/a.md", Some("references/a.md")),
            ("./scripts/run.py", Some("scripts/run.py")),
            ("{baseDir}/scripts/run.py", Some("scripts/run.py")),
            ("assets/x.ts.template", Some("assets/x.ts.template")),
            ("references/a.md:", Some("references/a.md")),
            ("scripts/tool.py:15", None),
            ("references/<name>.md", None),
            ("references/*.md", None),
            ("references/", None),
            ("docs/references/a.md", None),
            ("scripts/my-script.py", None),
            ("reference/errors/Sxxxxx.md", None),
            ("references/notes.local.md", None),
            ("scripts/../a.md", None),
        ] {
            let found = path(word, 0..word.len());
            assert_eq!(found.as_ref().map(|(path, ..)| path.as_str()), expected, "{word}");
        }
    }

    #[test]
    fn a_command_runs_what_it_begins_with_or_what_an_interpreter_is_given() {
        for (before, expected) in [
            ("", true),
            ("python3 ", true),
            ("uv run --with x ", false),
            ("uv run ", true),
            ("bunx tsx ", true),
            ("cat ", false),
            ("./tool --config ", false),
            ("cd x && ", true),
        ] {
            assert_eq!(is_run(before), expected, "{before}");
        }
    }
}
