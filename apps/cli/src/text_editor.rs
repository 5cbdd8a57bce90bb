//! Runs the editor given by `VISUAL` or `EDITOR` in the terminal.

use crate::environment::variable;
use skillc_ports::{ErrorKind, PortError, TextEditor};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// The editor from the environment; `None` if neither variable is set.
pub fn editor_of_environment() -> Option<Arc<dyn TextEditor>> {
    let command = variable("VISUAL").or_else(|| variable("EDITOR"))?;
    Some(Arc::new(TerminalEditor { command }))
}

/// An editor by its command, which may have arguments, such as `code --wait`.
struct TerminalEditor {
    command: String,
}

impl TextEditor for TerminalEditor {
    fn edit(&self, path: &Path) -> Result<(), PortError> {
        let doing = || format!("run the editor '{}'", self.command);
        let status = self.process(path).status().map_err(|error| PortError::io(doing(), error))?;
        match status.success() {
            true => Ok(()),
            false => Err(PortError::new(ErrorKind::Failed, doing()).caused_by(status.to_string())),
        }
    }
}

impl TerminalEditor {
    /// The shell splits the command, as for other programs that run an editor.
    #[cfg(unix)]
    fn process(&self, path: &Path) -> Command {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{} \"$@\"", self.command)).arg("sh").arg(path);
        shell
    }

    #[cfg(not(unix))]
    fn process(&self, path: &Path) -> Command {
        let mut words = self.command.split_whitespace();
        let mut editor = Command::new(words.next().unwrap_or_default());
        editor.args(words).arg(path);
        editor
    }
}
