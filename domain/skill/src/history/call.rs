//! A call as recorded by an agent: names and paths as written, not yet linked to a skill.

use super::{LineRange, shell::ShellText};
use crate::time::UnixNs;

/// Something that an agent or its user did, or that the agent was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCall {
    /// The agent's id of the session.
    pub session: String,
    /// The working directory as recorded; empty if it was not.
    pub cwd: String,
    /// When it happened.
    pub at: UnixNs,
    /// Whether the history has no times, so that `at` is the last modification of its file.
    pub is_time_estimated: bool,
    /// Identifies the record among all records of this agent, including copies and resumed or forked sessions.
    pub record: String,
    /// What happened.
    pub action: AgentAction,
    /// How the call ended.
    pub outcome: CallOutcome,
    /// The tokens of the message; set on one call per message.
    pub tokens: Option<TokenUse>,
    /// The model of the message; empty if not recorded.
    pub model: String,
}

/// What an agent or its user did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// The agent was given a list of skills.
    Offered(Vec<OfferedSkill>),
    /// A skill was loaded.
    Loaded {
        /// Its name as written, possibly `plugin:name`.
        name: String,
        /// Its folder or SKILL.md, if recorded.
        path: Option<String>,
        /// Who chose it.
        by: SkillChooser,
    },
    /// The user typed a command, which may be a skill or one of the agent's own.
    Typed {
        /// The command without its slash.
        name: String,
    },
    /// A file was read.
    Read {
        /// Its path as written.
        path: String,
        /// The lines that were returned.
        lines: LineRange,
    },
    /// A file or folder was searched.
    Searched {
        /// Its path as written; the working directory if there is none.
        path: Option<String>,
    },
    /// A shell command ran.
    Shell {
        /// The command as passed to the shell.
        text: ShellText,
        /// The folder in which it ran, if not the session's working directory.
        workdir: Option<String>,
    },
}

/// A skill in a list that an agent was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedSkill {
    /// Its name.
    pub name: String,
    /// Its folder or SKILL.md, if recorded.
    pub path: Option<String>,
    /// Length of its entry in the list, in characters.
    pub chars: u32,
}

/// Who chose a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillChooser {
    /// The agent.
    Agent,
    /// The user.
    User,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The history does not record it.
    Unknown,
    /// It succeeded.
    Succeeded,
    /// It failed.
    Failed,
    /// A process ended with this status.
    Exited(i32),
}

/// The exit status of a process whose reader closed the pipe, as in `cat file | head`. It is not a failure.
const SIGPIPE_STATUS: i32 = 141;

impl CallOutcome {
    /// The failure in words; `None` if the call succeeded or its outcome is unknown.
    pub fn failure(self) -> Option<String> {
        match self {
            Self::Unknown | Self::Succeeded | Self::Exited(0 | SIGPIPE_STATUS) => None,
            Self::Failed => Some("failed".to_owned()),
            Self::Exited(status) => Some(format!("exit {status}")),
        }
    }
}

/// Token counts of a message, as reported by the agent's provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenUse {
    /// Input tokens, without those read from a cache.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Tokens written to a cache.
    pub cache_write: u64,
}

impl TokenUse {
    /// The tokens of a message of OpenCode, each found by its JSON pointer. Reasoning tokens count as output.
    pub fn of_opencode(number: impl Fn(&str) -> u64) -> Self {
        Self {
            input: number("/input"),
            output: number("/output").saturating_add(number("/reasoning")),
            cache_read: number("/cache/read"),
            cache_write: number("/cache/write"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC-0014:C-RECORDS
    #[test]
    fn a_reader_that_closed_the_pipe_is_no_failure() {
        let failures = [0, 141, 1, 127].map(|status| CallOutcome::Exited(status).failure());
        assert_eq!(failures, [None, None, Some("exit 1".to_owned()), Some("exit 127".to_owned())]);
        assert_eq!(CallOutcome::Unknown.failure(), None);
    }

    /// RFC-0014:C-COST
    #[test]
    fn tokens_of_thoughts_count_as_output() {
        let numbers =
            [("/input", 1), ("/output", 2), ("/reasoning", 40), ("/cache/read", 3), ("/cache/write", 4)];
        let number = |pointer: &str| {
            numbers.iter().find(|(known, _)| *known == pointer).map_or(0, |(_, number)| *number)
        };
        let expected = TokenUse { input: 1, output: 42, cache_read: 3, cache_write: 4 };
        assert_eq!(TokenUse::of_opencode(number), expected);
        assert_eq!(TokenUse::of_opencode(|_| u64::MAX).output, u64::MAX);
    }
}
