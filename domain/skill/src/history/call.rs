//! A call as an agent recorded it: names and paths as they were written, not yet connected to a skill.

use super::{LineRange, shell::ShellText};
use crate::time::UnixNs;

/// One thing that an agent or its user did, or was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCall {
    /// The agent's id of the session.
    pub session: String,
    /// The working directory as recorded; empty if it is not.
    pub cwd: String,
    /// When it happened.
    pub at: UnixNs,
    /// Whether the history holds no times, so that `at` is when its file was last written.
    pub is_time_estimated: bool,
    /// What identifies the record among all of this agent's, also in copies, resumed and forked sessions.
    pub record: String,
    /// What happened.
    pub action: AgentAction,
    /// What came of it.
    pub outcome: CallOutcome,
    /// The tokens of the message, on one call of each message.
    pub tokens: Option<TokenUse>,
    /// The model of the message; empty if it is not recorded.
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
    /// A command was typed that may be a skill or one of the agent's own.
    Typed {
        /// The command, without its slash.
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
    /// A shell ran a command.
    Shell {
        /// The command as the agent gave it.
        text: ShellText,
        /// Where it ran, if not in the session's working directory.
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
    /// Characters of its part of the list.
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

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The history does not say.
    Unknown,
    /// It succeeded.
    Succeeded,
    /// It failed.
    Failed,
    /// A process ended with this status.
    Exited(i32),
}

/// The status of a process whose reader closed the pipe, as in `cat file | head`: nothing went wrong.
const SIGPIPE_STATUS: i32 = 141;

impl CallOutcome {
    /// The failure in words; `None` if it succeeded, or nothing is known.
    pub fn failure(self) -> Option<String> {
        match self {
            Self::Unknown | Self::Succeeded | Self::Exited(0 | SIGPIPE_STATUS) => None,
            Self::Failed => Some("failed".to_owned()),
            Self::Exited(status) => Some(format!("exit {status}")),
        }
    }
}

/// Tokens of a message, as the agent's provider counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenUse {
    /// Sent, without those from a cache.
    pub input: u64,
    /// Received.
    pub output: u64,
    /// Sent from a cache.
    pub cache_read: u64,
    /// Written to a cache.
    pub cache_write: u64,
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
}
