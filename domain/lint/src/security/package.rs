//! A package as named in a command: its name, and whether its version can change.

use std::ops::Range;

/// A package registry.
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
    /// Downloaded and run at once.
    Run,
    /// Installed as a program.
    Program,
    /// Added to a project or an environment.
    Library,
}

/// How a command specifies a package's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// A fixed version: a number, or a commit.
    Fixed,
    /// No version, or a moving name such as `latest`.
    Any,
    /// A repository or URL without a commit or digest.
    Moving,
}

/// A package as named in a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The registry that it comes from.
    pub registry: Registry,
    /// What the command does with it.
    pub usage: Use,
    /// The name, without version and extras.
    pub name: String,
    /// How its version is specified.
    pub version: Version,
    /// Byte range of the name with its version.
    pub span: Range<usize>,
}

/// Words with which a sentence continues after a command.
const JOINING: &str = "\
    and or to for the then if in with is from — - on before as first if: which";

/// Placeholders for package names.
const FILLERS: &str = "\
    package packages pkg name package-name your-package my-package some-package module library \
    dependency dependencies foo bar x example tool yourpackage packagename command it everything this \
    these";

/// Whether a word is in a list of words.
pub fn is_one(word: &str, words: &str) -> bool {
    words.split(' ').any(|listed| listed == word)
}

/// The package that a word of a command names; `None` for paths, placeholders and invalid names.
pub fn package(
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

/// Whether a word cannot be a package, because prose has begun.
pub fn is_end_of_command(word: &str) -> bool {
    word.starts_with('#') || word.ends_with(':') || is_one(word, JOINING)
}

/// The version of a package from a repository or URL; `None` for a package from a registry.
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

/// Splits a registry package into name and version.
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

/// Whether a word is a valid package name in the registry and not a placeholder.
fn is_name(registry: Registry, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.@/".contains(c);
    let is_filler = is_one(name, FILLERS);
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

/// Whether a path is that of a requirements file.
pub fn is_requirements(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with("requirements") && name.ends_with(".txt")
}
