//! Classifies the code or prose around an offset, and whether a command there would be run.

use crate::security::context_window;
use crate::view::LintFile;
use skillc_domain::markup::RegionKind;
use std::ops::Range;

/// The language family of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// POSIX shells and formats that embed them: Dockerfiles, Makefiles, consoles.
    Shell,
    /// PowerShell and the Windows command line.
    Windows,
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Any other programming language.
    Program,
    /// Settings, markup, data: read, not run.
    Data,
    /// A code block with no language or an unknown one.
    Unknown,
}

/// The kind of text at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeContext {
    /// A script or data file.
    File(Language),
    /// A code block of a Markdown text.
    Block(Language),
    /// Inline code in Markdown.
    Inline,
    /// Prose: in Markdown, including its comments, or in a text that is neither script nor data.
    Prose,
    /// The front matter of a Markdown text.
    FrontMatterState,
}

/// File extensions and info strings of code blocks, by language; all in lower case.
const LANGUAGES: &[(Language, &str)] = &[
    (
        Language::Shell,
        "sh bash zsh fish ksh dash shell console shellsession terminal command bats dockerfile docker \
         containerfile makefile make mk just justfile shell-session sh-session service desktop",
    ),
    (Language::Windows, "ps1 psm1 psd1 powershell pwsh ps bat batch cmd vbs reg"),
    (Language::Python, "py pyw python python3 ipython pycon"),
    (Language::JavaScript, "js mjs cjs jsx ts mts cts tsx javascript typescript node"),
    (
        Language::Program,
        "rb ruby pl pm perl php lua go golang rs rust java kt kotlin swift c h cc cpp c++ cs csharp r jl \
         julia scala groovy dart ex exs elixir applescript osascript vb awk sql vue svelte solidity sol \
         haskell hs",
    ),
    (
        Language::Data,
        "json jsonc json5 jsonl yaml yml toml ini cfg conf xml csv tsv html htm css scss svg diff patch \
         mermaid latex tex bib bibtex lock log http properties graphql proto plist env dot plantuml yara \
         sigma regex md markdown",
    ),
];

/// The language for a name such as `bash` or an extension such as `sh`, in any case.
pub fn language(name: &str) -> Option<Language> {
    let name = name.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|(_, names)| names.split(' ').any(|known| known == name))
        .map(|(language, _)| *language)
}

/// The kind of text at an offset.
pub fn context_at(file: &LintFile, offset: usize) -> CodeContext {
    if file.markup.is_none() {
        return file_language(file).map_or(CodeContext::Prose, CodeContext::File);
    }
    if file.is_front_matter(offset) {
        return CodeContext::FrontMatterState;
    }
    match file.region_at(offset) {
        Some(RegionKind::CodeBlock) => CodeContext::Block(block_language(file, offset)),
        Some(RegionKind::InlineCode) => CodeContext::Inline,
        Some(RegionKind::Comment | RegionKind::Html) | None => CodeContext::Prose,
    }
}

/// Whether an offset is in prose, rather than in a program, in data, or in code in a text.
pub fn is_text(file: &LintFile, offset: usize) -> bool {
    matches!(context_at(file, offset), CodeContext::Prose | CodeContext::FrontMatterState)
}

/// The code block around an offset.
pub fn block(file: &LintFile, offset: usize) -> Option<Range<usize>> {
    let blocks = &file.markup.as_ref()?.code_blocks;
    let at = blocks.partition_point(|block| block.span.end <= offset);
    blocks.get(at).map(|block| block.span.clone()).filter(|span| span.start <= offset)
}

/// The inline code around an offset, including the backticks.
pub fn inline(file: &LintFile, offset: usize) -> Option<Range<usize>> {
    let regions = &file.markup.as_ref()?.regions;
    let at = regions.partition_point(|region| region.span.end <= offset);
    let region = regions.get(at).filter(|region| region.kind == RegionKind::InlineCode)?;
    Some(region.span.clone()).filter(|span| span.start <= offset)
}

/// Whether the file is a script, judged by its name and its first line.
pub fn is_script(file: &LintFile) -> bool {
    file.markup.is_none()
        && file_language(file).is_some_and(|language| !matches!(language, Language::Data | Language::Unknown))
}

/// Words that may precede an imperative verb, in lower case.
const LEADS: &str = "then|and|to|also|please|always|must|should|will|silently|automatically|immediately|first|finally|next|now|just|quietly|can|could|shall|or|step|secretly|afterwards|you|agent|it|skill|is|be|are";

/// Whether words at an offset can be an order to the reader: at the start of a sentence or list item, or after a word
/// that introduces one. Headings and table rows name things instead.
pub fn is_order(text: &str, offset: usize) -> bool {
    let line = context_window::line(text, offset);
    let before = &text[line.start..offset.clamp(line.start, line.end)];
    if text[line].trim_start().starts_with(['#', '|']) {
        return false;
    }
    let sentence = before.rsplit(['.', ':', '!', '?', ';', ',', '(']).next().unwrap_or_default();
    let words = sentence.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let last = words.rsplit(' ').next().unwrap_or_default();
    // A report of what was done, not a request.
    let whole = before
        .rsplit(['.', '!', '?'])
        .next()
        .unwrap_or_default()
        .trim_start_matches(|c: char| !c.is_alphanumeric());
    if ["You've", "You have", "We ", "We've", "I ", "I've", "They "]
        .iter()
        .any(|start| whole.starts_with(start))
    {
        return false;
    }
    let is_number = !words.is_empty() && words.bytes().all(|byte| byte.is_ascii_digit());
    words.is_empty() || is_number || LEADS.split('|').any(|lead| lead == last)
}

/// Whether the line before an offset begins a comment in a script.
pub fn is_comment(file: &LintFile, offset: usize) -> bool {
    let line = file.text.as_deref().map_or(0..0, |text| context_window::line(text, offset));
    let start = file.slice(&line).trim_start_matches([' ', '\t']);
    let is_word = |word: &str| start.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    (start.starts_with('#') && !start.starts_with("#!"))
        || ["//", "/*", "* ", "-- ", "rem ", "::", "<!--", "'''", "\"\"\""].iter().any(|mark| is_word(mark))
}

/// The language of a non-Markdown file; `None` for plain text and unknown types.
fn file_language(file: &LintFile) -> Option<Language> {
    let name = file.path.extension().unwrap_or_else(|| file.path.name());
    language(name).or_else(|| file.text.as_deref().and_then(shebang))
}

fn shebang(text: &str) -> Option<Language> {
    let program = text.strip_prefix("#!")?.lines().next()?;
    let word = program.split([' ', '/']).rfind(|word| !word.is_empty() && !word.starts_with('-'))?;
    Some(
        language(word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
            .unwrap_or(Language::Program),
    )
}

fn block_language(file: &LintFile, offset: usize) -> Language {
    let Some(markup) = &file.markup else { return Language::Unknown };
    let at = markup.code_blocks.partition_point(|block| block.span.end <= offset);
    let info = markup.code_blocks.get(at).map_or("", |block| block.info.as_str());
    let word =
        info.trim_start_matches(['{', '.', '!']).split([' ', ',', '{', '}', ':']).next().unwrap_or_default();
    language(word).unwrap_or(Language::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillc_domain::path::RelPath;

    fn file(path: &str, text: &str) -> LintFile {
        LintFile { path: RelPath::parse(path).unwrap(), text: Some(text.to_owned()), ..LintFile::default() }
    }

    #[test]
    fn a_script_is_known_by_its_name_or_its_first_line() {
        for (path, text, expected) in [
            ("a.sh", "", Some(Language::Shell)),
            ("Makefile", "", Some(Language::Shell)),
            ("run", "#!/usr/bin/env -S python3.11\n", Some(Language::Python)),
            ("run", "#!/bin/bash -e\n", Some(Language::Shell)),
            ("run", "#!/opt/odd\n", Some(Language::Program)),
            ("a.json", "#!/bin/sh", Some(Language::Data)),
            ("notes.txt", "text", None),
            ("é", "#!", None),
        ] {
            assert_eq!(file_language(&file(path, text)), expected, "{path} {text}");
        }
    }

    #[test]
    fn a_comment_is_known_by_the_start_of_its_line() {
        for (text, expected) in [
            ("  # é", true),
            ("#!/bin/sh", false),
            ("// x", true),
            ("Rem x", true),
            ("é # x", false),
            ("", false),
        ] {
            assert_eq!(is_comment(&file("a.sh", text), text.len()), expected, "{text}");
        }
    }
}
