//! SKL544: paths in commands and scripts that lead out of the skill.

use crate::security::code_context::{self, Language, CodeContext};
use crate::rule::{Check, Example, Origin, Pattern, Rule, Severity, Tier};
use crate::one_line::one_line;
use crate::view::{PatternHit, LintFile};
use crate::{FileView, Report};
use crate::security::{hits, invocation};
use std::ops::Range;

pub static RULE: Rule = Rule {
    id: "SKL544",
    name: "path-climbs",
    severity: Severity::Warning,
    tier: Tier::Harms,
    origin: Origin::Field("CWE-22 (https://cwe.mitre.org/data/definitions/22.html)"),
    why: "Files above a skill belong to another skill or to the user; a path that climbs there reads or changes \
          them, and leads elsewhere on each machine.",
    fix: "Keep needed files inside the skill, and ask the user for the path of anything else.",
    params: &[],
    patterns: &[
        // Relative to a script, or to the skill.
        Pattern {
            needles: || &["../", "..\"", "..'"],
            regex: r#"(?x-u) ( (?: __file__ | __dirname | import\.meta\.dirname | BASH_SOURCE | \$0 | \$PSScriptRoot | \$\{?(?:SCRIPT_?DIR|script_dir|CLAUDE_SKILL_DIR|SKILL_DIR)\b | \{baseDir\} ) [\x20-~]*? ["'/}] (?: (?: \.\./ | \.\.["'] \s* [,/] \s* ["'] )+ ) [\w@.-] [\w@./-]* )"#,
        },
        Pattern {
            needles: || &["../../"],
            regex: r#"(?x-u) \b (?: cat | cp | mv | rm | less | head | tail | tee | tar | zip | rsync | scp | source | base64 | chmod ) [\ \t] (?: (?: [!-%'-:<?-{}~] [\x20-%'-:<=?-{}~]*? )? [\s"'=@] )? ( (?:\.\./){2,} [\w@.-] [\w@./-]* ) | >>? \s* ["']? ( (?:\.\./){2,} [\w@.-] [\w@./-]* )"#,
        },
        Pattern {
            needles: || &["../../"],
            regex: r#"(?x-u) \b (?: open | Path | (?:read|write|append|copy)File(?:Sync)? | cpSync | rmSync | unlink(?:Sync)? | create(?:Read|Write)Stream | copy(?:file|2|tree)? | move | rmtree | listdir | readdirSync | file_get_contents | file_put_contents | read_csv | File\.(?:read|write|open) ) \( \s* [rbf]? ["'`] ( (?:\.\./){2,} [\w@.-] [\w@./-]* )"#,
        },
    ],
    good: &[Example::new(&[
        (
            "SKILL.md",
            crate::skill_md!("Run `python scripts/run.py`.\n\n```sh\ncd ../..\ngit worktree add ../demo-fix\n```\n"),
        ),
        ("scripts/run.py", "print((pathlib.Path(__file__).parent / \"../SKILL.md\").read_text())\n"),
    ])],
    bad: &[
        Example::new(&[("SKILL.md", crate::skill_md!("```sh\ncp ../../other/notes.md .\n```\n"))]),
        Example::new(&[
            ("SKILL.md", crate::skill_md!("Run `python scripts/run.py`.\n")),
            ("scripts/run.py", "print((pathlib.Path(__file__).parent / \"../../other/SKILL.md\").read_text())\n"),
        ]),
    ],
    check: Check::File(check),
};

/// Index of the pattern for paths relative to a script or the skill.
const FROM_HERE: usize = 0;
/// Index of the pattern for function calls.
const CALL: usize = 2;

fn check(view: &FileView<'_>, report: &mut Report<'_>) {
    let file = view.file;
    let climbs = |hit: &PatternHit| if hit.pattern == FROM_HERE { from_here(file, hit) } else { written(file, hit) };
    let mut found: Vec<_> = hits::executable(file, &RULE).filter_map(climbs).collect();
    found.sort_by_key(|span| span.start);
    hits::once(report, found.into_iter(), |span| format!("path '{}' leaves the skill", one_line(file.slice(span))));
}

/// The path relative to a script or the skill, if it leads out of the skill.
fn from_here(file: &LintFile, hit: &PatternHit) -> Option<Range<usize>> {
    let whole = file.slice(&hit.span);
    let at = whole.find("../").into_iter().chain(whole.find("..\"")).chain(whole.find("..'")).min()?;
    let (start, path) = (&whole[..at], &whole[at..]);
    let is_of_skill = start.contains("SKILL_DIR") || start.contains("baseDir");
    let is_script = matches!(code_context::context_at(file, hit.span.start), CodeContext::File(_));
    // The file itself counts as a folder unless its name is removed.
    let is_file = ["__file__", "BASH_SOURCE", "$0"].iter().any(|name| start.contains(name))
        && !["dirname", ".parent"].iter().any(|folder| start.contains(folder));
    let depth = if is_of_skill { 0 } else { depth(file) + usize::from(is_file) };
    let is_followed = if is_of_skill { invocation::is_invoked(file, &hit.span) || is_script } else { is_script };
    (is_followed && climbs(path) > depth).then(|| hit.span.start + at..hit.span.end)
}

/// The path in a command or call, if it leads out of the skill.
fn written(file: &LintFile, hit: &PatternHit) -> Option<Range<usize>> {
    let is_arrow = file.slice(&hit.span).starts_with('>')
        && file.text.as_deref().is_some_and(|text| text[..hit.span.start].ends_with(['-', '=']));
    if is_arrow {
        return None;
    }
    let is_followed = match code_context::context_at(file, hit.span.start) {
        CodeContext::File(language) | CodeContext::Block(language) => match language {
            Language::Python | Language::JavaScript | Language::Program => hit.pattern == CALL,
            Language::Shell | Language::Windows | Language::Unknown => invocation::is_invoked(file, &hit.span),
            Language::Data => false,
        },
        CodeContext::Inline => hit.pattern != CALL && invocation::is_invoked(file, &hit.span),
        CodeContext::Prose | CodeContext::FrontMatterState => false,
    };
    (is_followed && climbs(file.slice(&hit.span)) > depth(file)).then(|| hit.span.clone())
}

/// Number of folders between the skill's root and the file.
fn depth(file: &LintFile) -> usize {
    file.path.as_str().matches('/').count()
}

/// The maximum number of levels that a path leads above its start.
fn climbs(path: &str) -> usize {
    let mut level = 0_isize;
    let mut highest = 0;
    for part in path.split(['/', '"', '\'', ',', ' ', '\n', '\t', '\r']) {
        level += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        highest = highest.min(level);
    }
    highest.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_climbs_as_far_as_its_highest_folder() {
        for (path, expected) in
            [("../../é", 2), ("a/../../b/../../c", 2), ("..\", \"..\", \"x", 2), ("a/b", 0), ("./..", 1), ("", 0)]
        {
            assert_eq!(climbs(path), expected, "{path}");
        }
    }
}
