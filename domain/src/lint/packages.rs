//! Packages that a command installs or runs, and whether the command says which version.

use super::nearby;
use super::rule::Pattern;
use std::ops::Range;

/// Where packages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    /// npmjs.com.
    Npm,
    /// pypi.org.
    PyPi,
    /// Go's module proxy.
    Go,
    /// crates.io.
    Crates,
    /// rubygems.org.
    Gems,
}

/// What a command does with a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Fetched and run at once.
    Run,
    /// Installed as a program.
    Program,
    /// Added to a project or an environment.
    Library,
}

/// Which version of a package a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One that cannot change: a number, or a commit.
    Fixed,
    /// None, or a name that moves, such as `latest`.
    Any,
    /// A repository or an address without a commit or digest.
    Moving,
}

/// A package as a command names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Where it comes from.
    pub registry: Registry,
    /// What is done with it.
    pub usage: Use,
    /// Without version and extras.
    pub name: String,
    /// Which version.
    pub version: Version,
    /// Bytes of the text: the name with its version.
    pub span: Range<usize>,
}

/// Commands that install or run packages, up to the end of each.
pub const PATTERN: Pattern = Pattern {
    needles: &[
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
    ],
    regex: r"(?x-u) (?: ^ | [\s`'\x22(;&|$>=\[/] ) ( (?: npx | uvx | bunx | pnpm\ dlx | yarn\ dlx | bun\ x | npm\ exec | pipx\ (?:run|install) | uv\ tool\ (?:run|install) | uv\ run\ --with | (?:python[\d.]*\ -m\ )? (?:uv\ )? pip[\d.]*\ install | uv\ add | poetry\ add | pipenv\ install
        | npm\ (?:install|i|add) | pnpm\ (?:add|install|i) | yarn\ (?:global\ )?add | bun\ (?:add|install) | go\ (?:install|get) | cargo\ install | gem\ install ) \b (?: [\x20-%'-:<-_a-{}~\t] | \\\r?\n )* )",
};

/// Servers that a setting starts by a runner of packages: `"command": "npx", "args": ["-y", "name"]`.
pub const SETTING: Pattern = Pattern {
    needles: &["\"npx\"", "\"uvx\"", "\"bunx\"", "'npx'", "'uvx'"],
    regex: r#"(?x-u) ["'] ( (?:npx|uvx|bunx) ["'] \s* ,? \s* (?: ["']?args["']? \s* [:=] \s* )? \[? (?: \s* ["'][\x20-!\#-&(-~]*["'] \s* ,? )+ )"#,
};

/// The packages that a command names, in its order. `command` is where it stands in the text.
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
        // What stands behind a package that is run are its own arguments.
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

/// The address of a registry that a command takes packages from instead of the public one.
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
    /// Whether a flag such as `-g` makes a library a program.
    has_global: bool,
}

impl Tool {
    fn usage(&self, words: &[(&str, Range<usize>)]) -> Use {
        let is_global = self.has_global && words.iter().any(|(word, _)| matches!(*word, "-g" | "--global"));
        if is_global { Use::Program } else { self.usage }
    }
}

/// A word with its place.
type Placed<'a> = (&'a str, Range<usize>);

/// The tool of a command, and its words behind it with their places.
fn words<'a>(text: &'a str, command: &Range<usize>) -> Option<(Tool, Vec<Placed<'a>>)> {
    let written = text.get(command.clone())?;
    let ends = |c: char| c.is_whitespace() || "\"'`,()\\".contains(c);
    let mut words = Vec::new();
    let mut rest = written.split(ends);
    let mut at = command.start;
    for word in rest.by_ref() {
        // A bracket of a list is none of the word; one of extras, `a[b]`, is.
        let bare = word.trim_start_matches('[');
        let start = at + (word.len() - bare.len());
        let bare = if bare.contains('[') { bare } else { bare.trim_end_matches(']') };
        if !bare.is_empty() {
            words.push((bare, start..start + bare.len()));
        }
        // Every separator is one byte.
        at += word.len() + 1;
    }
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

/// Flags behind which the package itself is named.
fn is_naming(flag: &str) -> bool {
    matches!(flag, "--from" | "--with" | "-p" | "--package" | "--spec")
}

/// Flags whose value is the next word.
fn takes_value(flag: &str) -> bool {
    matches!(
        flag,
        "-r" | "--requirement"
            | "-c"
            | "--constraint"
            | "-i"
            | "--index-url"
            | "--extra-index-url"
            | "--index"
            | "--default-index"
            | "-t"
            | "--target"
            | "--python"
            | "--registry"
            | "--prefix"
            | "-f"
            | "--find-links"
            | "--group"
            | "--version"
            | "--vers"
            | "-v"
            | "--rev"
            | "--tag"
            | "--branch"
            | "--path"
            | "--root"
            | "--features"
            | "-F"
            | "--trusted-host"
            | "--source"
            | "-e"
            | "--editable"
            | "--cache-dir"
            | "--platform"
            | "--filter"
            | "-w"
            | "--workspace"
            | "--cwd"
            | "-C"
            | "--root-dir"
    )
}

/// Whether a word cannot be a package, so that prose has begun.
fn is_end_of_command(word: &str) -> bool {
    word.starts_with('#')
        || word.ends_with(':')
        || matches!(
            word,
            "and"
                | "or"
                | "to"
                | "for"
                | "the"
                | "then"
                | "if"
                | "in"
                | "with"
                | "is"
                | "from"
                | "—"
                | "-"
                | "on"
                | "before"
                | "as"
                | "first"
                | "if:"
                | "which"
        )
}

fn package(
    registry: Registry,
    usage: Use,
    word: &str,
    span: Range<usize>,
    flags: &[&str],
) -> Option<Package> {
    if is_end_of_command(word) {
        return None;
    }
    let word = word.trim_end_matches(['.', ',', ';', ':', '*', '!', '?', '}']);
    let span = span.start..span.start + word.len();
    let made = |name: &str, version| {
        Some(Package { registry, usage, name: name.to_ascii_lowercase(), version, span: span.clone() })
    };
    if let Some(version) = repository(word, flags) {
        return made(word, version);
    }
    let is_local = word.starts_with(['.', '/', '~', '$', '<', '{', '%', '\\'])
        || word.contains(['<', '{', '$', '=', '>', '~', '|', '\\']) && !word.contains("==");
    let has_bound = word.contains(">=") || word.contains("~=") || word.contains("<");
    if is_local && !has_bound
        || (word.contains('/') && !word.starts_with('@') && registry != Registry::Go)
        || word.ends_with(".whl")
        || word.ends_with(".tgz")
    {
        return None;
    }
    let (name, version) = parted(registry, word);
    if !is_name(registry, name) {
        return None;
    }
    let is_flagged = matches!(registry, Registry::Crates | Registry::Gems)
        && flags.iter().any(|flag| {
            matches!(*flag, "--version" | "--vers" | "-v" | "--rev") || flag.starts_with("--version=")
        });
    made(name, if is_flagged { Version::Fixed } else { version })
}

/// The version of a package from a repository or an address; `None` for one of a registry.
fn repository(word: &str, flags: &[&str]) -> Option<Version> {
    let is_git = word.starts_with("git+")
        || word.starts_with("github:")
        || word.starts_with("gitlab:")
        || word.starts_with("bitbucket:")
        || word.starts_with("git://")
        || word.starts_with("git@");
    let is_address = word.starts_with("http://") || word.starts_with("https://");
    if !is_git && !is_address {
        return None;
    }
    let end = word.rsplit(['@', '#']).next().unwrap_or_default();
    let is_commit = end.len() >= 7 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_digest =
        word.contains("sha256=") || flags.iter().any(|flag| matches!(*flag, "--require-hashes" | "--rev"));
    Some(if is_commit || has_digest { Version::Fixed } else { Version::Moving })
}

/// Name and version of a package of a registry.
fn parted(registry: Registry, word: &str) -> (&str, Version) {
    let (name, version) = match registry {
        Registry::PyPi => {
            let at = word.find(['=', '>', '<', '~', '!', '@', ';', '[']).unwrap_or(word.len());
            let rest = word[at..].rsplit(']').next().unwrap_or_default();
            (&word[..at], rest)
        }
        _ => match word.char_indices().skip(1).find(|(_, c)| *c == '@') {
            Some((at, _)) => (&word[..at], &word[at..]),
            None => (word, ""),
        },
    };
    let number = version.trim_start_matches(['=', '@', 'v', '~', '<', '!', '^', ' ']);
    let is_numbered = number.starts_with(|c: char| c.is_ascii_digit()) && !version.starts_with('>');
    let is_commit =
        registry == Registry::Go && number.len() >= 12 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_filled = number.starts_with(['$', '{', '<']);
    (name, if is_numbered || is_commit || is_filled { Version::Fixed } else { Version::Any })
}

/// Whether a word can be the name of a package there, and stands for no other one.
fn is_name(registry: Registry, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.@/".contains(c);
    let is_filler = [
        "package",
        "packages",
        "pkg",
        "name",
        "package-name",
        "your-package",
        "my-package",
        "some-package",
        "module",
        "library",
        "dependency",
        "dependencies",
        "foo",
        "bar",
        "x",
        "example",
        "tool",
        "yourpackage",
        "packagename",
        "command",
        "it",
        "everything",
        "this",
        "these",
    ]
    .contains(&name);
    let has_start = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@');
    let is_module = registry != Registry::Go || name.split('/').next().is_some_and(|host| host.contains('.'));
    name.len() > 1
        && name.chars().all(is_part)
        && has_start
        && is_module
        && !is_filler
        && name.contains(|c: char| c.is_ascii_lowercase() || c.is_ascii_uppercase())
        && !name.contains("your-")
        && !name.contains("...")
        && !name.ends_with(".txt")
        && !name.ends_with(".toml")
        && !name.ends_with(".json")
}

/// The line of a requirements file that names a package without saying which commit; `None` for other files.
pub fn is_requirements(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with("requirements") && name.ends_with(".txt")
}

/// The command around an offset, for messages: no more of it than its line.
pub fn shown<'a>(text: &'a str, command: &Range<usize>) -> &'a str {
    let line = nearby::line(text, command.start);
    text[command.start..command.end.min(line.end)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

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
