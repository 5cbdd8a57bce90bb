//! Parses shell commands into words.

use skillc_domain::history::shell::{ShellCommand, ShellText, ShellUse, split_commands, uses};

/// Length in bytes above which a command is ignored; a script of that length is data.
const COMMAND_BYTES_MAX: usize = 64 * 1024;

/// Maximum nesting of shells.
const DEPTH_MAX: u8 = 3;

/// The paths that a command uses. Looks into `bash -c` and the like.
pub fn paths(text: &ShellText) -> Vec<ShellUse> {
    match text {
        ShellText::Line(line) => of_line(line, 0),
        ShellText::Words(words) => of_commands(&[ShellCommand { words: words.clone(), is_piped: false }], 0),
    }
}

fn of_line(line: &str, depth: u8) -> Vec<ShellUse> {
    if line.len() > COMMAND_BYTES_MAX || depth > DEPTH_MAX {
        return Vec::new();
    }
    let command =
        |(text, is_piped): (String, bool)| Some(ShellCommand { words: shlex::split(&text)?, is_piped });
    let commands: Vec<ShellCommand> = split_commands(line).into_iter().filter_map(command).collect();
    of_commands(&commands, depth)
}

fn of_commands(commands: &[ShellCommand], depth: u8) -> Vec<ShellUse> {
    match commands {
        [only] => inner_line(&only.words).map_or_else(|| uses(commands), |line| of_line(line, depth + 1)),
        _ => uses(commands),
    }
}

/// The command line passed to a shell with `-c`.
fn inner_line(words: &[String]) -> Option<&str> {
    let [shell, option, line, ..] = words else { return None };
    let is_shell = matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash"));
    (is_shell && option.starts_with('-') && option.ends_with('c')).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::history::LineRange;
    use skillc_domain::history::shell::ShellVerb;

    /// RFC-0014:C-SHELL
    #[test]
    fn quotes_are_those_of_a_shell() {
        let line = |text: &str| paths(&ShellText::Line(text.to_owned()));
        let read = |path: &str, lines| {
            vec![ShellUse { path: path.to_owned(), cwd: None, verb: ShellVerb::Read(lines) }]
        };
        assert_eq!(line("cat 'a b.md' | head -20"), read("a b.md", LineRange::Lines(1, Some(20))));
        assert_eq!(line("sed -n '2,5p' \"a b.md\""), read("a b.md", LineRange::Lines(2, Some(5))));
        assert_eq!(line("bash -lc 'cat a.md'"), read("a.md", LineRange::Whole));
        let words = ["bash", "-lc", "cat a.md"].map(str::to_owned).to_vec();
        assert_eq!(paths(&ShellText::Words(words)), read("a.md", LineRange::Whole));
        assert_eq!(line("echo 'see; cat a.md'"), []);
        assert_eq!(line("cat 'unclosed"), []);
    }
}
