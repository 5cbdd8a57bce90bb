//! What a shell command reads, runs and searches. Commands are recognized by their first word, as Codex recognizes
//! implicit uses of skills; redirected output and edits in place are not reads.

use super::LineRange;

/// A command as an agent gave it to a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellText {
    /// A line for a shell.
    Line(String),
    /// A list of arguments.
    Words(Vec<String>),
}

/// One command of a pipeline or list, split into words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellCommand {
    /// The words, quotes removed.
    pub words: Vec<String>,
    /// Whether its input is the output of the command before it.
    pub is_piped: bool,
}

/// A path that a command uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellUse {
    /// The path as written in the command.
    pub path: String,
    /// The folder of a preceding `cd`, as written.
    pub cwd: Option<String>,
    /// What the command does with it.
    pub verb: ShellVerb,
}

/// What a command does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellVerb {
    /// Prints these lines of it.
    Read(LineRange),
    /// Runs it.
    Run,
    /// Searches it.
    Search,
}

const INTERPRETERS: [&str; 10] =
    ["python", "python3", "bash", "zsh", "sh", "node", "deno", "ruby", "perl", "pwsh"];
const SCRIPT_ENDINGS: [&str; 7] = [".py", ".sh", ".js", ".ts", ".rb", ".pl", ".ps1"];

/// Whether a path has the extension of a script.
pub fn is_script(path: &str) -> bool {
    SCRIPT_ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// Splits a line into the commands of its lists and pipelines, and says for each whether its input is piped. Quotes
/// are respected and kept; a here-document ends the line, since its body is data.
pub fn split_commands(line: &str) -> Vec<(String, bool)> {
    let mut commands = vec![(String::new(), false)];
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let current = commands.last_mut().map(|(text, _)| text);
        let Some(current) = current else { break };
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (Some('\''), _) => {}
            (_, '\\') => {
                current.push(c);
                current.extend(chars.next());
                continue;
            }
            (None, '<') if chars.peek() == Some(&'<') => break,
            // `2>&1` and `>&2` do not separate commands.
            (None, '&') if current.ends_with('>') || chars.peek() == Some(&'>') => {}
            (None, '|' | '&' | ';' | '\n') => {
                let is_double = matches!(c, '|' | '&') && chars.peek() == Some(&c);
                if is_double {
                    chars.next();
                }
                commands.push((String::new(), c == '|' && !is_double));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    commands.retain(|(text, _)| !text.trim().is_empty());
    commands
}

/// The paths that a list of commands uses, in order.
pub fn uses(commands: &[ShellCommand]) -> Vec<ShellUse> {
    let mut found: Vec<ShellUse> = Vec::new();
    let mut cwd: Option<String> = None;
    // Index in `found` at which the current pipeline began.
    let mut pipeline = 0;
    for command in commands {
        if !command.is_piped {
            pipeline = found.len();
        }
        let Some((words, writes)) = plain_words(&command.words) else { continue };
        match &words[..] {
            ["cd", folder, ..] => cwd = Some((*folder).to_owned()),
            [name, arguments @ ..] => {
                let own = of_command(name, arguments, command.is_piped);
                if own.is_empty() && command.is_piped {
                    narrow(&mut found[pipeline..], name, arguments);
                }
                let here = |(path, verb)| ShellUse { path, cwd: cwd.clone(), verb };
                found.extend(own.into_iter().map(here));
            }
            [] => {}
        }
        if writes {
            // The output went to a file, so the agent did not see it.
            let seen = |used: &ShellUse| !matches!(used.verb, ShellVerb::Read(_));
            let rest: Vec<_> = found.drain(pipeline..).filter(seen).collect();
            found.extend(rest);
        }
    }
    found
}

/// The words without leading assignments and without redirections, and whether the output goes to a file.
fn plain_words(words: &[String]) -> Option<(Vec<&str>, bool)> {
    let is_assignment = |word: &&String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    };
    let mut rest = words.iter().skip_while(is_assignment).map(String::as_str);
    let (mut plain, mut writes) = (Vec::new(), false);
    while let Some(word) = rest.next() {
        let is_error = word.starts_with("2>");
        let target = ["2>>", "2>", "&>>", "&>", "1>>", "1>", ">>", ">"]
            .into_iter()
            .find_map(|operator| word.strip_prefix(operator));
        match target {
            Some(target) => {
                let target = if target.is_empty() { rest.next().unwrap_or_default() } else { target };
                writes |= !is_error && !target.starts_with('&');
            }
            None => {
                plain.extend(Some(word.strip_prefix('<').unwrap_or(word)).filter(|word| !word.is_empty()))
            }
        }
    }
    (!plain.is_empty()).then_some((plain, writes))
}

/// What one command does with the paths among its arguments.
fn of_command(name: &str, arguments: &[&str], is_piped: bool) -> Vec<(String, ShellVerb)> {
    let base = name.rsplit('/').next().unwrap_or(name);
    if INTERPRETERS.contains(&base) {
        let script = arguments.iter().find(|argument| !argument.starts_with('-'));
        let script = script.filter(|script| is_script(script));
        return script.map(|script| ((*script).to_owned(), ShellVerb::Run)).into_iter().collect();
    }
    if is_script(name) && name.contains('/') {
        return vec![(name.to_owned(), ShellVerb::Run)];
    }
    match base {
        "rg" | "grep" | "egrep" | "fgrep" | "ag" => searched(arguments, is_piped),
        _ => reader(base, arguments)
            .map(|(files, range)| files.into_iter().map(|file| (file, ShellVerb::Read(range))).collect())
            .unwrap_or_default(),
    }
}

/// The searched paths: all operands except the pattern, or the working directory.
fn searched(arguments: &[&str], is_piped: bool) -> Vec<(String, ShellVerb)> {
    let has_pattern_option = arguments.iter().any(|argument| matches!(*argument, "-e" | "-f" | "--files"));
    let mut operands =
        operands(arguments, &["-e", "-f", "-A", "-B", "-C", "-m", "-g", "-t", "--glob", "--type"]);
    if !has_pattern_option && !operands.is_empty() {
        operands.remove(0);
    }
    if operands.is_empty() && !is_piped {
        operands.push(".");
    }
    operands.into_iter().map(|path| (path.to_owned(), ShellVerb::Search)).collect()
}

/// The files and lines that a command prints; `None` if it prints none.
fn reader(name: &str, arguments: &[&str]) -> Option<(Vec<String>, LineRange)> {
    let is_edit = |argument: &&str| argument.starts_with("-i") || argument.starts_with("--in-place");
    let (files, range) = match name {
        "cat" | "less" | "more" => (operands(arguments, &[]), LineRange::Whole),
        "nl" => (operands(arguments, &["-b", "-w", "-s", "-v", "-n"]), LineRange::Whole),
        "bat" | "batcat" => {
            let range = option(arguments, &["-r", "--line-range"]);
            let files =
                operands(arguments, &["-r", "--line-range", "-l", "--language", "--style", "--theme"]);
            (files, range.map_or(LineRange::Whole, |range| between(range, ':')))
        }
        "head" => (operands(arguments, &["-n", "-c", "--lines", "--bytes"]), head_range(arguments)),
        "tail" => (operands(arguments, &["-n", "-c", "--lines", "--bytes"]), tail_range(arguments)),
        "sed" if arguments.iter().any(is_edit) => (Vec::new(), LineRange::Whole),
        "sed" => sed(arguments),
        "awk" | "gawk" | "mawk" => {
            let mut files = operands(arguments, &["-F", "-v", "-f"]);
            if !arguments.contains(&"-f") && !files.is_empty() {
                files.remove(0);
            }
            (files, LineRange::Unknown)
        }
        _ => return None,
    };
    Some((files.into_iter().filter(|file| *file != "-").map(str::to_owned).collect(), range))
}

fn sed<'a>(arguments: &[&'a str]) -> (Vec<&'a str>, LineRange) {
    let given = option(arguments, &["-e", "--expression"]);
    let mut files = operands(arguments, &["-e", "-f", "--expression", "--file"]);
    let script = match given {
        Some(script) => Some(script),
        None if files.is_empty() || arguments.contains(&"-f") => None,
        None => Some(files.remove(0)),
    };
    let prints_selected =
        arguments.iter().any(|a| a.starts_with("-n") || *a == "--quiet" || *a == "--silent");
    let range = script.filter(|_| prints_selected).and_then(|script| script.strip_suffix('p'));
    (files, range.map_or(LineRange::Unknown, |range| between(range, ',')))
}

/// Parses `A,B`, `A,$` or `A` as a range.
fn between(text: &str, separator: char) -> LineRange {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|line| *line > 0);
    match text.split_once(separator) {
        None => number(text).map_or(LineRange::Unknown, |line| LineRange::Lines(line, Some(line))),
        Some((first, last)) => match (number(first), number(last)) {
            (Some(first), Some(last)) => LineRange::Lines(first, Some(last.max(first))),
            (Some(first), None) if matches!(last.trim(), "$" | "") => LineRange::Lines(first, None),
            (None, Some(last)) if first.is_empty() => LineRange::Lines(1, Some(last)),
            _ => LineRange::Unknown,
        },
    }
}

/// Number of lines that `head` and `tail` print by default.
const DEFAULT_LINES: &str = "10";

/// The number of lines passed to `head` or `tail`; `None` if bytes are counted.
fn line_count<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    if arguments.iter().any(|argument| argument.starts_with("-c") || argument.starts_with("--bytes")) {
        return None;
    }
    let short = arguments.iter().find_map(|argument| {
        argument.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let plus = arguments.iter().find(|argument| argument.starts_with('+')).copied();
    Some(option(arguments, &["-n", "--lines"]).or(short).or(plus).unwrap_or(DEFAULT_LINES))
}

fn head_range(arguments: &[&str]) -> LineRange {
    let lines = line_count(arguments).and_then(|count| count.parse::<u32>().ok()).filter(|count| *count > 0);
    lines.map_or(LineRange::Unknown, |last| LineRange::Lines(1, Some(last)))
}

fn tail_range(arguments: &[&str]) -> LineRange {
    let first = line_count(arguments).and_then(|count| count.strip_prefix('+')?.parse::<u32>().ok());
    first.map_or(LineRange::Unknown, |first| LineRange::Lines(first.max(1), None))
}

/// Narrows the reads of a pipeline to the lines that its next command lets through.
fn narrow(reads: &mut [ShellUse], name: &str, arguments: &[&str]) {
    let range = match name.rsplit('/').next().unwrap_or(name) {
        "head" => head_range(arguments),
        "tail" => tail_range(arguments),
        "sed" => sed(arguments).1,
        "cat" | "less" | "more" | "nl" | "bat" | "tee" => return,
        _ => LineRange::Unknown,
    };
    for used in reads {
        used.verb = match used.verb {
            ShellVerb::Read(LineRange::Whole) => ShellVerb::Read(range),
            // A part of a part: which lines is not worth computing.
            ShellVerb::Read(_) => ShellVerb::Read(LineRange::Unknown),
            other => other,
        };
    }
}

/// The value of an option: the next word, the rest of the word, or the text after `=`.
fn option<'a>(arguments: &[&'a str], names: &[&str]) -> Option<&'a str> {
    for (at, argument) in arguments.iter().enumerate() {
        for name in names {
            match argument.strip_prefix(name) {
                Some("") => return arguments.get(at + 1).copied(),
                Some(rest) if name.starts_with("--") => return rest.strip_prefix('='),
                Some(rest) => return Some(rest),
                None => {}
            }
        }
    }
    None
}

/// The arguments that are neither options nor values of the given options.
fn operands<'a>(arguments: &[&'a str], with_value: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--" => found.extend(rest.by_ref()),
            option if with_value.contains(&option) => drop(rest.next()),
            option if option.len() > 1 && option.starts_with('-') => {}
            // The obsolete form `tail +10`.
            plus if plus.len() > 1 && plus.starts_with('+') => {}
            operand => found.push(operand),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The uses in a line, split at spaces, with quotes removed.
    fn of(line: &str) -> Vec<String> {
        let words = |text: &str| text.split_whitespace().map(|word| word.replace(['\'', '"'], "")).collect();
        let commands = split_commands(line).into_iter();
        let commands: Vec<ShellCommand> =
            commands.map(|(text, is_piped)| ShellCommand { words: words(&text), is_piped }).collect();
        let shown = uses(&commands).into_iter().map(|used| {
            let cwd = used.cwd.map(|cwd| format!("{cwd}: ")).unwrap_or_default();
            match used.verb {
                ShellVerb::Read(range) => format!("{cwd}read {} {range}", used.path),
                ShellVerb::Run => format!("{cwd}run {}", used.path),
                ShellVerb::Search => format!("{cwd}search {}", used.path),
            }
        });
        shown.collect()
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn commands_that_print_a_file_read_it() {
        for (line, expected) in [
            ("cat a.md", "read a.md all"),
            ("cat -n a.md", "read a.md all"),
            ("sed -n '10,29p' a.md", "read a.md 10-29"),
            ("sed -n 10,29p a.md", "read a.md 10-29"),
            ("sed -n '10,$p' a.md", "read a.md 10-"),
            ("sed -n 7p a.md", "read a.md 7-7"),
            ("sed -n -e 1,5p a.md", "read a.md 1-5"),
            ("sed s/a/b/ a.md", "read a.md some"),
            ("head a.md", "read a.md 1-10"),
            ("head -20 a.md", "read a.md 1-20"),
            ("head -n 20 a.md", "read a.md 1-20"),
            ("head -n20 a.md", "read a.md 1-20"),
            ("head --lines=20 a.md", "read a.md 1-20"),
            ("head -c 100 a.md", "read a.md some"),
            ("tail -n +40 a.md", "read a.md 40-"),
            ("tail +40 a.md", "read a.md 40-"),
            ("tail -5 a.md", "read a.md some"),
            ("bat -r 3:9 a.md", "read a.md 3-9"),
            ("bat --line-range=:9 a.md", "read a.md 1-9"),
            ("awk NR==3 a.md", "read a.md some"),
            ("/bin/cat a.md", "read a.md all"),
            ("LC_ALL=C cat a.md 2>/dev/null", "read a.md all"),
            ("cat < a.md", "read a.md all"),
            ("cat a.md | head -20", "read a.md 1-20"),
            ("cat a.md|head -n 3", "read a.md 1-3"),
            ("nl -ba a.md | sed -n '5,9p'", "read a.md 5-9"),
            ("cat a.md | head -20 | tail -5", "read a.md some"),
            ("cat a.md 2>&1", "read a.md all"),
            ("cat a.md | grep x", "read a.md some"),
        ] {
            assert_eq!(of(line), [expected], "{line}");
        }
        assert_eq!(of("cat a.md b.md"), ["read a.md all", "read b.md all"]);
        assert_eq!(of("cd /s && cat a.md; cat b.md"), ["/s: read a.md all", "/s: read b.md all"]);
        assert_eq!(of("cat a.md && head -3 b.md"), ["read a.md all", "read b.md 1-3"]);
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn edits_redirections_and_mere_mentions_are_no_reads() {
        for line in [
            "sed -i 's/a/b/' a.md",
            "sed -i.bak s/a/b/ a.md",
            "sed --in-place s/a/b/ a.md",
            "cat a.md > b.md",
            "cat a.md >b.md",
            "cat a.md | tee x >> b.md",
            "cat a.md > /dev/null",
            "echo 'cat a.md'",
            "echo \"see; cat a.md\"",
            "rm a.md",
            "cat <<EOF\ncat a.md\nEOF",
            "git add a.md",
            "",
            "|",
            "'",
        ] {
            assert_eq!(of(line), Vec::<String>::new(), "{line}");
        }
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn scripts_run_by_an_interpreter_or_by_their_path() {
        for (line, expected) in [
            ("python3 scripts/fill.py a.pdf", "run scripts/fill.py"),
            ("python -u scripts/fill.py", "run scripts/fill.py"),
            ("bash /s/scripts/x.sh", "run /s/scripts/x.sh"),
            ("./scripts/x.sh --all", "run ./scripts/x.sh"),
            ("node scripts/x.js | head -3", "run scripts/x.js"),
            ("python3 scripts/x.py > out.txt", "run scripts/x.py"),
        ] {
            assert_eq!(of(line), [expected], "{line}");
        }
        assert!(of("python3 -c print").is_empty() && of("python3 data.txt").is_empty());
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn a_search_names_what_is_searched() {
        assert_eq!(of("rg -n word /s/x"), ["search /s/x"]);
        assert_eq!(of("grep -rn word /s/x /s/y"), ["search /s/x", "search /s/y"]);
        assert_eq!(of("rg word"), ["search ."]);
        assert_eq!(of("grep -e a -e b x.md"), ["search x.md"]);
        assert_eq!(of("ls | grep word"), Vec::<String>::new());
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn a_line_is_split_where_the_shell_splits_it() {
        let split = |line: &str| {
            let shown = |(text, is_piped): (String, bool)| {
                format!("{}{}", if is_piped { "|" } else { "" }, text.trim())
            };
            split_commands(line).into_iter().map(shown).collect::<Vec<_>>()
        };
        for (line, expected) in [
            ("a | b || c && d & e; f\ng", vec!["a", "|b", "c", "d", "e", "f", "g"]),
            ("a '|' \"&;\" b", vec!["a '|' \"&;\" b"]),
            ("a '\\' | b", vec!["a '\\'", "|b"]),
            ("a \\| b", vec!["a \\| b"]),
            ("a \"\\\"|\" b", vec!["a \"\\\"|\" b"]),
            ("a '\"' | b \"'\" | c", vec!["a '\"'", "|b \"'\"", "|c"]),
            ("a 2>&1 | b", vec!["a 2>&1", "|b"]),
            ("a &> b", vec!["a &> b"]),
            ("a < b <<EOF\nc", vec!["a < b"]),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn output_in_a_file_was_not_seen_but_errors_in_one_do_not_matter() {
        for (line, expected) in [
            ("cat a.md 2> err", vec!["read a.md all"]),
            ("cat a.md >&2", vec!["read a.md all"]),
            ("cat a.md 2>>err", vec!["read a.md all"]),
            ("cat a.md &> out", vec![]),
            ("cat a.md 1>out", vec![]),
            ("cat a.md; cat b.md > out", vec!["read a.md all"]),
            ("grep x a.md > out", vec!["search a.md"]),
            ("X=1 Y_2=b cat a.md", vec!["read a.md all"]),
            ("=x cat a.md", vec![]),
            ("X=1", vec![]),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }

    /// RFC-0014:C-SHELL
    #[test]
    fn operands_are_neither_options_nor_their_values() {
        for (line, expected) in [
            ("head -n 5 -- -x.md", vec!["read -x.md 1-5"]),
            ("cat - a.md", vec!["read a.md all"]),
            ("awk -f prog a.md", vec!["read a.md some"]),
            ("awk -F : x a.md", vec!["read a.md some"]),
            ("sed -f script a.md", vec!["read a.md some"]),
            ("sed --quiet 3p a.md", vec!["read a.md 3-3"]),
            ("sed 3p a.md", vec!["read a.md some"]),
            ("sed -n 9,3p a.md", vec!["read a.md 9-9"]),
            ("sed -n 0p a.md", vec!["read a.md some"]),
            ("sed -n /x/,5p a.md", vec!["read a.md some"]),
            ("head -n 0 a.md", vec!["read a.md some"]),
            ("head --bytes=9 a.md", vec!["read a.md some"]),
            ("tail -n +0 a.md", vec!["read a.md 1-"]),
            ("bat -l md -r 5: a.md", vec!["read a.md 5-"]),
            ("grep -A 3 word a.md", vec!["search a.md"]),
            ("rg --files dir", vec!["search dir"]),
            ("cat a.md | rg word", vec!["read a.md some"]),
            ("cat a.md | tee", vec!["read a.md all"]),
            ("cat a.md | sed -n 2,4p", vec!["read a.md 2-4"]),
            ("scripts.py", vec![]),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }
}
