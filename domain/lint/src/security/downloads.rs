//! Files that a shell command downloads: the name under which they are saved, and whether they are run unchecked.

use crate::security::{context_window, flow};
use std::ops::Range;

/// Number of bytes after a download in which its file may be run or checked.
const RUN_BYTES_MAX: usize = 1_500;
/// Commands that verify a file before it is run.
const CHECKS: &str =
    "sha256 sha512 shasum sha1sum gpg gpgv cosign minisign get-filehash verify digest checksum";
/// Commands that run or install the file named next.
const STARTERS: &str = "\
    sh bash zsh dash source . python python3 node perl ruby php sudo exec start Start-Process & -File \
    msiexec -i open deno bun powershell pwsh cmd -pkg nohup installer call env then do";

fn is_one(word: &str, words: &str) -> bool {
    words.split(' ').any(|listed| listed == word)
}

/// Whether the file that a shell command downloads is run later without having been verified.
pub fn is_run_unchecked(text: &str, command: &Range<usize>) -> bool {
    run_unchecked(text, command).is_some()
}

fn run_unchecked(text: &str, span: &Range<usize>) -> Option<()> {
    let command = text.get(span.clone())?;
    let first_end = command.find("&&").or_else(|| command.find(';')).unwrap_or(command.len());
    let rest = context_window::after(text, span.start + first_end, RUN_BYTES_MAX);
    // Only the rest of the same block or script counts.
    let rest = rest.split("\n```").next().unwrap_or_default();
    let run = match saved_as(&command[..first_end]) {
        Some(name) => runs(rest, name)?,
        None => unpacked_and_run(&command[..first_end], rest)?,
    };
    (!is_checked(&rest[..run])).then_some(())
}

/// Whether a text compares a digest or a signature.
pub fn is_checked(between: &str) -> bool {
    let between = between.to_ascii_lowercase();
    CHECKS.split(' ').any(|check| between.contains(check))
}

/// The last segment of the name under which a download is saved: that after `-o`, `>` and the like, otherwise that of
/// the URL.
fn saved_as(command: &str) -> Option<&str> {
    let words: Vec<&str> = command
        .split(|c: char| c.is_whitespace() || "\"'`,()".contains(c))
        .filter(|w| !w.is_empty())
        .collect();
    let is_flag = |word: &str| {
        matches!(
            word,
            ">" | "--output" | "-OutFile" | "-outfile" | "--output-document" | "-Destination" | "-outf"
        ) || (word.starts_with('-')
            && !word.starts_with("--")
            && (word.ends_with('o') || (word.ends_with('O') && words[0].eq_ignore_ascii_case("wget"))))
    };
    let named = words.iter().position(|word| is_flag(word)).and_then(|at| words.get(at + 1));
    let glued = words
        .iter()
        .find_map(|word| word.strip_prefix("--output=").or(word.strip_prefix("-o/").map(|_| &word[2..])));
    let address = words.iter().rfind(|word| word.contains("://"));
    let is_saved = words[0].eq_ignore_ascii_case("wget")
        || words.iter().any(|word| {
            word.starts_with('-') && !word.starts_with("--") && word.contains('O') || *word == "--remote-name"
        });
    let last = words.last().filter(|word| {
        matches!(words[0].to_ascii_lowercase().as_str(), "certutil" | "bitsadmin" | "downloadfile")
            && !word.contains("://")
    });
    let path = named.copied().or(glued).or(last.copied()).or(address.copied().filter(|_| is_saved))?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).split(['?', '#']).next()?;
    // A short name is also part of many other words, but its whole path is not.
    let name = if name.len() > 2 { name } else { path };
    (name.len() > 2 || name.starts_with('$')).then_some(name)
}

/// The offset at which something is run after an archive was unpacked straight from the network.
fn unpacked_and_run(command: &str, rest: &str) -> Option<usize> {
    let is_unpacked = command.split('|').skip(1).any(|part| {
        ["tar ", "unzip ", "bsdtar ", "cpio "].iter().any(|tool| part.trim_start().starts_with(tool))
    });
    let starts = [
        "&& bash ",
        "&& sh ",
        "&& ./",
        "&& sudo ./",
        "; bash ",
        "; sh ",
        "; ./",
        "\n./",
        "\nbash ",
        "\nsh ",
        "\nsudo ./",
        "\nsudo bash ",
    ];
    starts.iter().filter_map(|start| rest.find(start)).min().filter(|_| is_unpacked)
}

/// The offset at which a text runs or installs a file.
fn runs(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    for part in text.split_inclusive(['&', ';', '|', '\n']) {
        if flow::has_word(part, name) && is_run(part, name) {
            return Some(from);
        }
        from += part.len();
    }
    None
}

fn is_run(part: &str, name: &str) -> bool {
    let bare = |word| {
        // The end of the sentence around a command is not part of a name.
        if word == "." {
            return word;
        }
        let word = str::trim_end_matches(word, ['.', ':', '`', '"', '\'', ')', ',', ';', '&', '|']);
        word.trim_start_matches(['"', '\'', '`', '(', ',', ';', '&', '|'])
    };
    let words: Vec<&str> = part.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let Some(at) = words.iter().position(|word| word.ends_with(name)) else { return false };
    let is_first = at == 0 && !words[0].contains("://") && (words[0] != name || name.contains('.'));
    // The command that runs it is directly before it, with only flags in between.
    let before = words[..at].iter().rfind(|word| !word.starts_with('-') || is_one(word, STARTERS));
    let starts = |word: &&str| {
        is_one(word.rsplit('/').next().unwrap_or(word), STARTERS) || *word == "/i" || *word == "/c"
    };
    let is_right = |word: &&str| word.contains('7') || word.ends_with('x');
    let is_made = before.is_some_and(is_right) && words[..at].iter().any(|word| word.ends_with("chmod"));
    is_first || before.is_some_and(starts) || is_made
}
