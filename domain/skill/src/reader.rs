//! Wording for different readers: a person passes options and runs commands, an agent passes arguments and calls
//! tools.

use std::borrow::Cow;

/// Who reads a message or a hint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// A person at the command line.
    #[default]
    Person,
    /// An agent that can call these tools.
    Agent(&'static [String]),
}

/// The name of a verb's tool.
pub fn tool_name(verb: &str) -> String {
    match verb {
        "find" => "skill_search".to_owned(),
        "load" => "skill_load".to_owned(),
        verb => format!("skc_{verb}"),
    }
}

impl Reader {
    /// Names an argument: `--max-lines`, or "argument 'max_lines'".
    pub fn argument(self, name: &str) -> String {
        match self {
            Self::Person => format!("--{}", name.replace('_', "-")),
            Self::Agent(_) => format!("argument '{name}'"),
        }
    }

    /// Tells the reader to call a verb: "run 'skc outline demo'", or "call skc_outline". An agent that lacks the tool
    /// is told to ask the user.
    pub fn run(self, command: &str) -> String {
        match (self, self.tool(command)) {
            (Self::Agent(_), Some(tool)) => format!("call {tool}"),
            _ => self.run_yourself(command),
        }
    }

    /// Tells the reader to run a command that is not a tool: "run 'skc sync'", or "ask the user to run `skc sync`".
    pub fn run_yourself(self, command: &str) -> String {
        match self {
            Self::Person => format!("run 'skc {command}'"),
            Self::Agent(_) => format!("ask the user to run `skc {command}`"),
        }
    }

    /// Whether the reader is an agent that can call the tool of this verb.
    pub fn has_tool(self, verb: &str) -> bool {
        self.tool(verb).is_some()
    }

    fn tool(self, command: &str) -> Option<&'static str> {
        let Self::Agent(offered) = self else { return None };
        let name = tool_name(command.split(' ').next().unwrap_or_default());
        offered.iter().find(|tool| **tool == name).map(String::as_str)
    }
}

/// A text with a version for each kind of reader. Boxed, since a fault may have two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    person: Box<str>,
    agent: Box<str>,
}

impl Wording {
    /// Calls `word` for each kind of reader. An agent's tools are unknown here, so `word` may only name arguments.
    pub fn new(word: impl Fn(Reader) -> String) -> Self {
        Self { person: word(Reader::Person).into(), agent: word(Reader::Agent(&[])).into() }
    }

    /// The text for one reader.
    pub fn of(&self, to: Reader) -> Cow<'_, str> {
        match to {
            Reader::Person => (&*self.person).into(),
            Reader::Agent(_) => (&*self.agent).into(),
        }
    }
}

impl<T: Into<String>> From<T> for Wording {
    fn from(text: T) -> Self {
        let person: Box<str> = text.into().into();
        Self { agent: person.clone(), person }
    }
}

/// A message that begins with an argument's name, such as "argument 'limit' must be at least 1, got 0".
pub fn about_argument(name: &str, rest: &str) -> Wording {
    Wording::new(|to| format!("{} {rest}", to.argument(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> Reader {
        Reader::Agent(["skc_outline", "skill_load"].map(str::to_owned).to_vec().leak())
    }

    /// RFC-0005:C-HINTS
    #[test]
    fn a_person_runs_a_command_and_an_agent_calls_a_tool_or_asks_the_user() {
        for (command, person, of_agent) in [
            ("outline demo", "run 'skc outline demo'", "call skc_outline"),
            ("load demo", "run 'skc load demo'", "call skill_load"),
            ("find x", "run 'skc find x'", "ask the user to run `skc find x`"),
            ("sync", "run 'skc sync'", "ask the user to run `skc sync`"),
        ] {
            assert_eq!((&*Reader::Person.run(command), &*agent().run(command)), (person, of_agent));
        }
        assert_eq!(agent().run_yourself("outline"), "ask the user to run `skc outline`");
    }

    #[test]
    fn only_an_agent_that_is_offered_a_tool_has_it() {
        assert!(agent().has_tool("outline") && agent().has_tool("load"));
        assert!(!agent().has_tool("find") && !Reader::Person.has_tool("outline"));
        assert_eq!(["find", "load", "show"].map(tool_name), ["skill_search", "skill_load", "skc_show"]);
    }

    /// RFC-0005:C-HINTS
    #[test]
    fn an_argument_is_named_as_the_reader_passes_it() {
        let wording = about_argument("max_lines", "is wrong");
        assert_eq!(wording.of(Reader::Person), "--max-lines is wrong");
        assert_eq!(wording.of(agent()), "argument 'max_lines' is wrong");
        let same = Wording::from("same");
        assert_eq!((same.of(Reader::Person), same.of(agent())), ("same".into(), "same".into()));
    }
}
