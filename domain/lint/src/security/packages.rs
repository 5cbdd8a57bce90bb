//! Packages that a command installs or runs, and their versions.

use crate::security::context_window;
use crate::security::package::{is_end_of_command, is_one, package};

use crate::rule::Pattern;
pub use crate::security::package::{Package, Registry, Use};
use std::ops::Range;

/// Commands that install or run packages, up to the end of each.
pub const PATTERN: Pattern = Pattern {
    needles: || {
        &[
            "npx ",
            "uvx ",
            "bunx ",
            "pnpm dlx",
            "yarn dlx",
            "bun x ",
            "npm exec",
            "pipx ",
            "pip install",
            "pip3 install",
            "npm install",
            "npm i ",
            "npm add ",
            "pnpm add",
            "pnpm install",
            "pnpm i ",
            "yarn add",
            "yarn global",
            "bun add",
            "bun install",
            "uv add",
            "uv tool",
            "uv run --with",
            "uv pip",
            "go install",
            "go get ",
            "cargo install",
            "gem install",
            "poetry add",
            "deno install",
            "pipenv install",
        ]
    },
    regex: r"(?x-u) (?: ^ | [\s`'\x22(;&|$>=\[/] ) ( (?: npx | uvx | bunx | pnpm\ dlx | yarn\ dlx | bun\ x | npm\ exec | pipx\ (?:run|install) | uv\ tool\ (?:run|install) | uv\ run\ --with | (?:python[\d.]*\ -m\ )? (?:uv\ )? pip[\d.]*\ install | uv\ add | poetry\ add | pipenv\ install
        | npm\ (?:install|i|add) | pnpm\ (?:add|install|i) | yarn\ (?:global\ )?add | bun\ (?:add|install) | go\ (?:install|get) | cargo\ install | gem\ install ) \b (?: [\x20-%'-:<-_a-{}~\t] | \\\r?\n )* )",
};

/// Servers that a setting starts with a package runner: `"command": "npx", "args": ["-y", "name"]`.
pub const SETTING: Pattern = Pattern {
    needles: || &["\"npx\"", "\"uvx\"", "\"bunx\"", "'npx'", "'uvx'"],
    regex: r#"(?x-u) ["'] ( (?:npx|uvx|bunx) ["'] \s* ,? \s* (?: ["']?args["']? \s* [:=] \s* )? \[? (?: \s* ["'][\x20-!\#-&(-~]*["'] \s* ,? )+ )"#,
};

/// Flags whose value is the next word.
const VALUED: &str = "\
    -r --requirement -c --constraint -i --index-url --extra-index-url --index --default-index -t \
    --target --python --registry --prefix -f --find-links --group --version --vers -v --rev --tag \
    --branch --path --root --features -F --trusted-host --source -e --editable --cache-dir --platform \
    --filter -w --workspace --cwd -C --root-dir";
/// The packages that a command names, in order; `command` is its range in the text.
pub fn packages(text: &str, command: &Range<usize>) -> Vec<Package> {
    let Some((tool, words)) = words(text, command) else { return Vec::new() };
    let (registry, usage) = (tool.registry, tool.usage(&words));
    let mut found = Vec::new();
    let mut skip = false;
    let mut command_done = false;
    let flags: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    for (at, (word, span)) in words.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let is_named = at > 0 && is_naming(words[at - 1].0);
        if word.starts_with('-') {
            skip = takes_value(word);
            continue;
        }
        // The words after a package that is run are its own arguments.
        if command_done && !is_named {
            continue;
        }
        command_done |= usage == Use::Run && !is_named;
        let has_source = flags.iter().any(|flag| is_naming(flag));
        if usage == Use::Run && has_source && !is_named {
            continue;
        }
        if let Some(package) = package(registry, usage, word, span.clone(), &flags) {
            found.push(package);
        } else if is_end_of_command(word) {
            break;
        }
    }
    found
}

/// The URL of a registry that a command uses instead of the public one.
pub fn own_registry<'a>(text: &'a str, command: &Range<usize>) -> Option<&'a str> {
    let (_, words) = words(text, command)?;
    let flags = [
        "--index-url",
        "-i",
        "--extra-index-url",
        "--index",
        "--default-index",
        "--registry",
        "--find-links",
        "-f",
        "--source",
        "--trusted-host",
    ];
    let value = |at: usize, word: &'a str| match word.split_once('=') {
        Some((flag, value)) if flags.contains(&flag) => Some(value),
        _ if flags.contains(&word) => words.get(at + 1).map(|(next, _)| *next),
        _ => None,
    };
    words
        .iter()
        .enumerate()
        .find_map(|(at, (word, _))| value(at, word))
        .filter(|value| value.contains("://") || value.contains('.'))
}

struct Tool {
    registry: Registry,
    usage: Use,
    /// Whether a flag such as `-g` installs a library as a program.
    has_global: bool,
}

impl Tool {
    fn usage(&self, words: &[(&str, Range<usize>)]) -> Use {
        let is_global = self.has_global && words.iter().any(|(word, _)| matches!(*word, "-g" | "--global"));
        if is_global { Use::Program } else { self.usage }
    }
}

/// A word with its byte range.
type Placed<'a> = (&'a str, Range<usize>);

/// Maximum number of words of a command that are examined; lines can have any length.
const WORDS_MAX: usize = 100;

/// The words of a command with their byte ranges.
fn placed<'a>(text: &'a str, command: &Range<usize>) -> Vec<Placed<'a>> {
    let ends = |c: char| c.is_ascii_whitespace() || "\"'`,()\\".contains(c);
    let mut words = Vec::new();
    let mut at = command.start;
    for word in text.get(command.clone()).unwrap_or_default().split(ends) {
        // A list's bracket is not part of the word; that of extras, `a[b]`, is.
        let bare = word.trim_start_matches('[');
        let start = at + (word.len() - bare.len());
        let bare = if bare.contains('[') { bare } else { bare.trim_end_matches(']') };
        if !bare.is_empty() {
            words.push((bare, start..start + bare.len()));
        }
        if words.len() >= WORDS_MAX {
            break;
        }
        // Every separator is one byte.
        at += word.len() + 1;
    }
    words
}

/// The tool of a command, and the words after it with their byte ranges.
fn words<'a>(text: &'a str, command: &Range<usize>) -> Option<(Tool, Vec<Placed<'a>>)> {
    let mut words = placed(text, command);
    let tool = |registry, usage, has_global| Tool { registry, usage, has_global };
    let first = words.first()?.0;
    let second = words.get(1).map_or("", |(word, _)| *word);
    let third = words.get(2).map_or("", |(word, _)| *word);
    let (tool, count) = match (first, second) {
        ("npx" | "bunx", _) => (tool(Registry::Npm, Use::Run, false), 1),
        ("uvx", _) => (tool(Registry::PyPi, Use::Run, false), 1),
        ("pnpm" | "yarn", "dlx") | ("bun", "x") | ("npm", "exec") => {
            (tool(Registry::Npm, Use::Run, false), 2)
        }
        ("pipx", "run") => (tool(Registry::PyPi, Use::Run, false), 2),
        ("pipx", _) => (tool(Registry::PyPi, Use::Program, false), 2),
        ("uv", "tool") => {
            (tool(Registry::PyPi, if third == "run" { Use::Run } else { Use::Program }, false), 3)
        }
        ("uv", "run") => (tool(Registry::PyPi, Use::Run, false), 2),
        ("uv", "pip") => (tool(Registry::PyPi, Use::Library, false), 3),
        ("uv" | "poetry" | "pipenv", _) => (tool(Registry::PyPi, Use::Library, false), 2),
        ("npm" | "pnpm" | "bun", _) => (tool(Registry::Npm, Use::Library, true), 2),
        ("yarn", "global") => (tool(Registry::Npm, Use::Program, false), 3),
        ("yarn", _) => (tool(Registry::Npm, Use::Library, false), 2),
        ("go", "install") => (tool(Registry::Go, Use::Program, false), 2),
        ("go", _) => (tool(Registry::Go, Use::Library, false), 2),
        ("cargo", _) => (tool(Registry::Crates, Use::Program, false), 2),
        ("gem", _) => (tool(Registry::Gems, Use::Program, false), 2),
        (python, "-m") if python.starts_with("python") => (tool(Registry::PyPi, Use::Library, false), 4),
        (pip, _) if pip.starts_with("pip") => (tool(Registry::PyPi, Use::Library, false), 2),
        _ => return None,
    };
    let is_key = |word: &str| matches!(word, "args" | "args:" | ":" | "=");
    let behind = words.split_off(count.min(words.len()));
    Some((tool, behind.into_iter().filter(|(word, _)| !is_key(word)).collect()))
}

/// Whether a flag is followed by the package itself.
fn is_naming(flag: &str) -> bool {
    matches!(flag, "--from" | "--with" | "-p" | "--package" | "--spec")
}

/// Whether a flag's value is the next word.
fn takes_value(flag: &str) -> bool {
    is_one(flag, VALUED)
}

/// The command around an offset, for messages; limited to its line.
pub fn shown<'a>(text: &'a str, command: &Range<usize>) -> &'a str {
    let line = context_window::line(text, command.start);
    text[command.start..command.end.min(line.end)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::package::Version;

    fn found(command: &str) -> Vec<(String, Version)> {
        packages(command, &(0..command.len())).into_iter().map(|p| (p.name, p.version)).collect()
    }

    #[test]
    fn a_command_tells_which_packages_it_takes() {
        use Version::{Any, Fixed, Moving};
        for (command, expected) in [
            ("npx -y @a/b arg", vec![("@a/b", Any)]),
            ("npx -y @a/b@1.2.3 --x y", vec![("@a/b", Fixed)]),
            ("npx cowsay@latest", vec![("cowsay", Any)]),
            ("npx -p typescript tsc", vec![("typescript", Any)]),
            ("uvx --from git+https://x.io/a a", vec![("git+https://x.io/a", Moving)]),
            ("uvx ruff==0.4 check .", vec![("ruff", Fixed)]),
            (
                "pip install requests 'flask[b]==1.0' numpy>=2",
                vec![("requests", Any), ("flask", Fixed), ("numpy", Any)],
            ),
            ("pip install -r requirements.txt", vec![]),
            ("pip install -e . --quiet", vec![]),
            ("python3 -m pip install numpy", vec![("numpy", Any)]),
            ("pip install git+https://x.io/a@0123abcd", vec![("git+https://x.io/a@0123abcd", Fixed)]),
            ("npm install", vec![]),
            ("npm install -g tsx pnpm@2", vec![("tsx", Any), ("pnpm", Fixed)]),
            ("go install x.io/a/b@latest", vec![("x.io/a/b", Any)]),
            ("go install ./...", vec![]),
            ("cargo install just --version 1.0", vec![("just", Fixed)]),
            ("pip install <package>", vec![]),
            ("pip install é", vec![]),
            ("npx\", \"args\": [\"-y\", \"tsx\"]", vec![("tsx", Any)]),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(name, version)| (name.to_owned(), version)).collect();
            assert_eq!(found(command), expected, "{command}");
        }
        assert_eq!(
            own_registry("pip install -i https://x.io/simple a", &(0..36)),
            Some("https://x.io/simple")
        );
    }
}
