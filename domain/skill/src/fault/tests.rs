use super::*;
use crate::reader::tool_name;
use std::path::PathBuf;

/// How the text fields of a sample are filled.
#[derive(Clone, Copy)]
pub(super) enum Sample {
    /// Every text field is empty.
    Empty,
    /// Every text field contains the field's name.
    Named,
}

pub(super) trait FromSample<T> {
    fn field(self, name: &str) -> T;
}

impl FromSample<String> for Sample {
    fn field(self, name: &str) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Named => name.to_owned(),
        }
    }
}

impl FromSample<PathBuf> for Sample {
    fn field(self, name: &str) -> PathBuf {
        FromSample::<String>::field(self, name).into()
    }
}

impl FromSample<&'static str> for Sample {
    fn field(self, name: &str) -> &'static str {
        FromSample::<String>::field(self, name).leak()
    }
}

impl FromSample<Wording> for Sample {
    fn field(self, name: &str) -> Wording {
        about_argument(name, "is wrong")
    }
}

impl FromSample<bool> for Sample {
    fn field(self, _: &str) -> bool {
        matches!(self, Self::Named)
    }
}

macro_rules! numbers_from_samples {
    ($($number:ty),*) => {
        $(impl FromSample<$number> for Sample {
            fn field(self, _: &str) -> $number {
                7
            }
        })*
    };
}

numbers_from_samples!(u32, u64, usize, i128);

/// Every fault and warning, worded for a reader, with its code.
fn every(to: Reader) -> Vec<(&'static str, String)> {
    let mut texts = Vec::new();
    for of in [Sample::Empty, Sample::Named] {
        let text = |message: String, hint: Option<String>| format!("{message}\n{}", hint.unwrap_or_default());
        texts.extend(Fault::samples(of).iter().map(|f| (f.code(), text(f.message(to), f.hint(to)))));
        texts.extend(Warning::samples(of).iter().map(|w| (w.code(), text(w.message(to), w.hint(to)))));
    }
    texts
}

/// Words in a text that only make sense on a command line: options, and commands that the user is not asked to run.
fn command_line_words(text: &str) -> Vec<&str> {
    let without_requests: Vec<&str> = text.split('`').step_by(2).collect();
    let is_option = |word: &&str| {
        word.trim_start_matches(['\'', '"', '('])
            .strip_prefix("--")
            .is_some_and(|name| name.starts_with(char::is_alphabetic))
    };
    let mut found: Vec<&str> =
        without_requests.iter().flat_map(|part| part.split_whitespace()).filter(is_option).collect();
    found.extend(without_requests.iter().filter(|part| {
        part.match_indices("skc ").any(|(at, _)| part[..at].ends_with('\'') || part[..at].ends_with(": "))
    }));
    for word in ["shell", "separated by commas", "on the command line:"] {
        found.extend(text.contains(word).then_some(word));
    }
    found
}

#[test]
fn codes_and_names_are_unique_and_sorted() {
    for rows in [FAULTS, WARNINGS] {
        assert!(rows.windows(2).all(|w| w[0].code < w[1].code));
    }
    let mut names: Vec<_> = FAULTS.iter().chain(WARNINGS).map(|r| r.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|w| w[0] != w[1]));
}

#[test]
fn a_fault_says_its_message_and_keeps_its_hint_apart() {
    let fault =
        Fault::SkillNotFound { skill: "x".into(), single_file: String::new(), suggestions: String::new() };
    assert_eq!(fault.line(), "error[E001]: skill 'x' not found");
    assert!(fault.hint(Reader::Person).unwrap().contains("skc list"));
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn no_fault_or_warning_speaks_of_the_command_line_to_an_agent() {
    let tools: Vec<String> =
        ["list", "build", "outline", "sources", "find", "load", "config", "init"].map(tool_name).into();
    for offered in [Vec::new(), tools] {
        let texts = every(Reader::Agent(offered.leak()));
        assert_eq!(texts.len(), 2 * (FAULTS.len() + WARNINGS.len()));
        for (code, text) in texts {
            assert_eq!(command_line_words(&text), Vec::<&str>::new(), "{code}: {text}");
        }
    }
    let found = |text| !command_line_words(text).is_empty();
    assert!(found("name the file with '--file'") && found("'skc list' lists them") && found("so: skc list"));
    assert!(!found("ask the user to run `skc model install --from x`") && !found("made by skc itself"));
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn a_hint_names_a_tool_that_is_offered_and_else_asks_the_user() {
    let fault =
        Fault::SkillNotFound { skill: "x".into(), single_file: String::new(), suggestions: String::new() };
    let list: &'static [String] = vec!["skc_list".to_owned()].leak();
    let told = |to| fault.hint(to).unwrap();
    assert_eq!(told(Reader::Person), "run 'skc list' to see the skills that can be found from here");
    let find: &'static [String] = vec!["skill_search".to_owned(), "skc_list".to_owned()].leak();
    assert_eq!(told(Reader::Agent(find)), "call skill_search and pass the path of a result as the skill");
    assert_eq!(told(Reader::Agent(list)), "call skc_list to see the skills that can be found from here");
    assert_eq!(
        told(Reader::Agent(&[])),
        "ask the user to run `skc list` to see the skills that can be found from here"
    );
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn an_agent_is_told_what_needs_no_index_unless_it_can_build() {
    let told = |verbs: &[&str], is_stored| {
        let reason = "it was never built here".to_owned();
        let fault = Fault::IndexUnusable { skill: "x".into(), reason, is_stored };
        let tools: Vec<String> = verbs.iter().map(|verb| tool_name(verb)).collect();
        fault.hint(Reader::Agent(tools.leak())).unwrap()
    };
    assert_eq!(
        told(&["outline", "open"], true),
        "it was never built here; call skc_outline and skc_open, which need no index, or ask the user to run `skc build x` \
         to rebuild it"
    );
    let all = ["outline", "open", "build"];
    assert_eq!(told(&all, true), "it was never built here; call skc_build to rebuild it");
    assert_eq!(
        told(&all, false),
        "it was never built here; call skc_outline and skc_open, which need no index, or call skc_build to rebuild it"
    );
}

/// RFC-0007:C-MCP-TOOLS
#[test]
fn an_argument_is_named_as_its_reader_gives_it() {
    let fault = Fault::invalid_argument("max_lines", "must be at least 1, got 0");
    assert_eq!(fault.line(), "error[E100]: --max-lines must be at least 1, got 0");
    assert_eq!(
        fault.line_to(Reader::Agent(&[])),
        "error[E100]: argument 'max_lines' must be at least 1, got 0"
    );
}

#[test]
fn the_candidates_of_an_ambiguous_name_are_its_paths() {
    let candidates = "  - a/SKILL.md\n  - b/SKILL.md".to_owned();
    let fault = Fault::SkillAmbiguous { skill: "x".to_owned(), candidates };
    assert_eq!(fault.candidates(), ["a/SKILL.md", "b/SKILL.md"]);
    assert!(Fault::no_such_skill("x").candidates().is_empty());
}

/// RFC-0005:C-CODES
#[test]
fn a_line_has_the_code_and_the_message_for_its_reader() {
    let fault = Fault::invalid_argument("max_lines", "is wrong");
    assert_eq!(fault.line(), "error[E100]: --max-lines is wrong");
    assert_eq!(fault.line_to(Reader::Agent(&[])), "error[E100]: argument 'max_lines' is wrong");
    let warning = Warning::LoggingDisabled {};
    assert!(warning.line().starts_with("warning[W002]: logging disabled; run"), "{}", warning.line());
    assert!(warning.line_to(Reader::Agent(&[])).ends_with("was not recorded"));
}

#[test]
fn a_message_names_what_it_is_about() {
    let (message, advice) = ("has no name".to_owned(), String::new());
    let fault = Fault::ArchiveRefused { receiver: "claude-ai", path: "/a.zip".into(), message, advice };
    let shown = fault.to_string();
    assert!(["claude-ai", "/a.zip", "has no name"].iter().all(|part| shown.contains(part)), "{shown}");
}
