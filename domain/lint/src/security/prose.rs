//! Classifies a line as prose, comment, program output or code.

use crate::security::context_window::line;
use crate::view::LintFile;

/// The voice of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// Normal text.
    Prose,
    /// A comment of a program.
    Comment,
    /// Text that a program prints, and that an agent reads after running it.
    Printed,
    /// Code of a program.
    Code,
}

/// Extensions of program files.
const PROGRAMS: &str = "\
    py|js|mjs|cjs|ts|tsx|jsx|sh|bash|zsh|ps1|rb|go|rs|java|kt|php|pl|lua|c|cc|cpp|h|hpp|cs|swift|r|jl|ex|exs|scala|sql|\
    bat|cmd|fish";
/// Beginnings of comments.
const COMMENTS: &[&str] = &["#", "//", "/*", "*", "--", ";", "\"\"\"", "'''", "<!--", "REM "];
/// Functions and commands that print.
const PRINTS: &[&str] = &[
    "echo ",
    "print",
    "printf",
    "console.log",
    "console.error",
    "puts ",
    "cat <<",
    "sys.stdout",
    "sys.stderr",
    "write-host",
    "write-output",
    "fmt.print",
    "println",
    "logger.",
    "logging.",
];

/// The voice of the line around an offset.
pub fn voice(file: &LintFile, text: &str, at: usize) -> Voice {
    let ending = file.path.as_str().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    if !ending.is_some_and(|ending| PROGRAMS.split('|').any(|program| program == ending)) {
        return Voice::Prose;
    }
    let line = text[line(text, at)].trim_start();
    if COMMENTS.iter().any(|mark| line.starts_with(mark)) {
        return Voice::Comment;
    }
    let lower = line.to_lowercase();
    if PRINTS.iter().any(|print| lower.contains(print)) {
        return Voice::Printed;
    }
    // Text in multi-line strings and here-documents has no syntax around it.
    if line.contains(['(', '=', '{', '[']) { Voice::Code } else { Voice::Comment }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::path::RelPath;

    #[test]
    fn a_program_speaks_in_comments_and_by_what_it_prints() {
        let of = |path: &str, text: &str| {
            voice(&LintFile { path: RelPath::parse(path).unwrap(), ..LintFile::default() }, text, 3)
        };
        assert_eq!(of("a.md", "x = 1"), Voice::Prose);
        assert_eq!(of("a.sh", "echo \"hi\""), Voice::Printed);
        assert_eq!(of("a.py", "# note"), Voice::Comment);
        assert_eq!(of("a.py", "x = \"hi\""), Voice::Code);
        assert_eq!(of("a.py", "plain words of a docstring"), Voice::Comment);
    }
}
