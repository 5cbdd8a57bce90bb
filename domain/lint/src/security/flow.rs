//! Whether the data that one call reads reaches another call: a few statements, followed by the names that they
//! assign to.
//!
//! No language is parsed. A statement ends where its brackets are closed; what it assigns, returns or writes to is
//! named by its first words. That is sufficient for scripts of the size that skills contain, and a person reads the
//! finding anyway.

use crate::security::context_window;
use std::ops::Range;

/// Number of bytes after a source in which names are followed.
const AFTER_BYTES_MAX: usize = 3_000;
/// Extensions of archives and encoded files, which carry the data of other files.
const PACKED: &[&str] = &[".zip", ".tgz", ".tar.gz", ".tar", ".gz", ".7z", ".bundle", ".b64", ".enc"];
/// Function calls that write a value to a file named in the same call.
const SAVING: &[&str] = &[
    "write_text(",
    "write_bytes(",
    "writeFile",
    "urlretrieve(",
    "DownloadFile(",
    "copyfile(",
    "copy(",
    "to_csv(",
];
/// Maximum number of lines of a statement.
const STATEMENT_LINES_MAX: usize = 24;
/// Maximum number of names that are followed at a time.
const NAMES_MAX: usize = 12;

/// Finds where the data at `source` reaches one of the sinks: the byte range from the sink's start to its end. A sink
/// is a lower-case text such as `exec(`; one that begins with `^` must start a statement.
pub fn reaches(text: &str, source: &Range<usize>, sinks: &[&str]) -> Option<Range<usize>> {
    let start =
        context_window::line(text, source.start).start - context_window::above(text, source.start).len();
    let end = context_window::floor(text, (source.end + AFTER_BYTES_MAX).min(text.len()));
    let mut names: Vec<String> = Vec::new();
    let mut opened: Vec<(&str, &str)> = Vec::new();
    let mut clients: Vec<&str> = Vec::new();
    let mut function = None;
    for span in statements(text, start..end) {
        let statement = &text[span.clone()];
        function = defined(statement).or(function);
        opened.extend(handle(statement));
        let is_source = span.start < source.end && source.start < span.end;
        let is_taken = is_source || names.iter().any(|name| has_word(statement, name));
        let found = sink(statement, sinks);
        if span.end <= source.start || !is_taken {
            clients.extend(assigned(statement).filter(|_| found.is_some()));
            continue;
        }
        let client = clients.iter().find_map(|name| Some((statement.find(&format!("{name}."))?, name.len())));
        if let Some(found) = found.or(client.map(|(at, len)| at..at + len)) {
            return Some(span.start + found.start..span.start + found.end);
        }
        let filled = assigned(statement);
        names.extend(filled.map(str::to_owned));
        names.extend(
            opened.iter().filter(|(handle, _)| filled == Some(*handle)).map(|(_, path)| (*path).to_owned()),
        );
        names.extend(written(statement).map(str::to_owned));
        if statement.trim_start().starts_with("return") {
            names.extend(function.map(str::to_owned));
        }
        names.truncate(NAMES_MAX);
    }
    None
}

/// The statements in a part of a text: lines, joined while brackets are open or a line ends with a backslash.
fn statements(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = part.start;
    std::iter::from_fn(move || {
        let start = at;
        let mut depth = 0;
        for line in text[start..part.end].split_inclusive('\n').take(STATEMENT_LINES_MAX) {
            at += line.len();
            depth = (depth + opened(line)).max(0);
            if depth == 0 && !line.trim_end().ends_with(['\\', '|']) {
                break;
            }
        }
        (at > start).then_some(start..at)
    })
}

/// The number of brackets that a line opens, minus those that it closes; a bracket that opens a block does not count.
fn opened(line: &str) -> i32 {
    let line = line.trim_end();
    let before = line.strip_suffix('{').map(str::trim_end);
    let is_block = before.is_some_and(|b| {
        b.ends_with([')', '}']) || ["=>", "else", "try", "do"].iter().any(|w| b.ends_with(w))
    });
    let line = if is_block { &line[..line.len() - 1] } else { line };
    line.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => depth - 1,
        _ => depth,
    })
}

fn sink(statement: &str, sinks: &[&str]) -> Option<Range<usize>> {
    let lower = statement.to_ascii_lowercase();
    let indent = lower.len() - lower.trim_start().len();
    let found = |sink: &&str| {
        if let Some(first) = sink.strip_prefix('^') {
            return lower[indent..].starts_with(first).then(|| indent..indent + first.trim_end().len());
        }
        let is_whole = |at: usize| !is_word_before(&lower, at) || !sink.starts_with(char::is_alphabetic);
        let at = lower.match_indices(*sink).find(|(at, _)| is_whole(*at));
        at.map(|(at, _)| at..at + sink.trim_end().len())
    };
    sinks.iter().filter_map(found).min_by_key(|span| span.start)
}

fn is_word_before(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The name that a statement assigns to: `x` in `const x = 1`, `x["a"] = 1`, `x.append(1)`, `with a as x:`, `x=1`.
fn assigned(statement: &str) -> Option<&str> {
    if let Some((_, name)) =
        statement.split_once(" as ").filter(|_| statement.trim_start().starts_with("with "))
    {
        return word(name);
    }
    let mut rest = statement.trim_start().trim_start_matches(['$', '-', ' ', '{']);
    for keyword in [
        "export ",
        "local ",
        "readonly ",
        "declare ",
        "const ",
        "let ",
        "var ",
        "set ",
        "my ",
        "for ",
        "await ",
        "(",
    ] {
        rest = rest.strip_prefix(keyword).unwrap_or(rest).trim_start_matches(['$', ' ', '{']);
    }
    let name = word(rest)?;
    let after = rest[name.len()..].trim_start_matches(['}', ' ']);
    let is_assigned = after.starts_with(['=', ',', ':', '[', '+', '|'])
        || after.starts_with("in ")
        || after.starts_with("of ");
    let is_filled = [
        "append(",
        "update(",
        "push(",
        "extend(",
        "write(",
        "add(",
        "set_content(",
        "attach(",
        "attachment(",
        "insert(",
        "writestr(",
    ]
    .iter()
    .any(|call| after.contains(call));
    (is_assigned || (after.starts_with('.') && (is_filled || after.contains('=')))).then_some(name)
}

/// The name of a file handle, and the path that it was opened for.
fn handle(statement: &str) -> Option<(&str, &str)> {
    let (_, rest) = statement.split_once("open(")?;
    let path = rest.split([',', ')']).next()?.trim().trim_matches(['"', '\'']);
    let name = statement.split_once(" as ").map_or(statement, |(_, name)| name);
    Some((word(name.trim_start())?, path)).filter(|(_, path)| path.len() > 2)
}

/// The name of the function that a statement defines.
fn defined(statement: &str) -> Option<&str> {
    let statement = statement.trim_start();
    let statement = statement.strip_prefix("async ").unwrap_or(statement);
    let name =
        ["def ", "function ", "func ", "sub "].iter().find_map(|keyword| statement.strip_prefix(keyword))?;
    word(name)
}

/// Files that a shell statement writes to: the targets of `>`, and everything below temporary folders.
fn written(statement: &str) -> impl Iterator<Item = &str> {
    let mut is_redirected = false;
    let is_saved = SAVING.iter().any(|call| statement.contains(call));
    let ends = |c: char| c.is_whitespace() || "\"'`();|,".contains(c);
    statement.split(ends).filter(|token| !token.is_empty()).filter_map(move |token| {
        let was_redirected =
            std::mem::replace(&mut is_redirected, token == ">" || token == ">>" || token == "tee");
        let target = token.trim_start_matches('>');
        let is_passed_on = ["/tmp/", "/var/tmp/", "/dev/shm/", "$TMP", "${TMP", "$env:TEMP", "%TEMP%"];
        let is_file = is_saved && target.len() > 3 && has_extension(target);
        let is_packed = is_file || PACKED.iter().any(|end| target.ends_with(end));
        let is_target = is_packed
            || was_redirected
            || target.len() < token.len()
            || is_passed_on.iter().any(|p| target.starts_with(p));
        (is_target && target.len() > 2 && !target.starts_with('&') && target != "/dev/null").then_some(target)
    })
}

/// Whether a token ends with a file extension.
fn has_extension(token: &str) -> bool {
    let end = token.rsplit_once('.').map_or("", |(_, end)| end);
    (1..6).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !token.contains("://")
}

fn word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    Some(&text[..end]).filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a text contains a name as a whole word.
pub fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(text: &'a str, sinks: &[&str]) -> Option<&'a str> {
        let at = text.find("SOURCE").unwrap();
        reaches(text, &(at..at + 6), sinks).map(|span| &text[span])
    }

    #[test]
    fn a_value_is_followed_to_the_call_that_takes_it() {
        for text in [
            "post(url, SOURCE)",
            "x = SOURCE\npost(x)",
            "post(\n  url,\n  json=SOURCE,\n)",
            "data = {\n 'a': SOURCE,\n}\nbody = dumps(data)\npost(body)",
            "with open(SOURCE) as f:\n    d = f.read()\npost(\n  d\n)",
            "def take():\n    return SOURCE\n\npost(take())",
            "const x = SOURCE;\nif (y) {\n  post(x)\n}",
            "d['k'] = SOURCE\npost(d)",
            "all.append(SOURCE)\npost(all)",
            "cat SOURCE > /x/out\npost( /x/out",
            "tar czf /tmp/a.tgz SOURCE\npost( @/tmp/a.tgz",
            "for f in SOURCE:\n  post(f)",
        ] {
            assert_eq!(found(text, &["post("]), Some("post("), "{text}");
        }
    }

    #[test]
    fn a_value_that_goes_elsewhere_is_let_go() {
        for text in [
            "x = SOURCE\npost(y)",
            "post(a)\nx = SOURCE",
            "x = SOURCE\nxpost(x)",
            "def a():\n  print(SOURCE)\npost(b)",
            "x = SOURCE\npost(x2)",
            "é = SOURCE",
        ] {
            assert_eq!(found(text, &["post("]), None, "{text}");
        }
        let long = "(".repeat(100_000) + "SOURCE";
        assert_eq!(found(&long, &["post("]), None);
    }
}
