//! Ways to import histories regularly, since agents delete them.

use crate::app::App;
use crate::failure::Failure;
use skillc_domain::fault::Fault;
use skillc_ports::{ErrorKind, PortError, WriteOptions};
use std::path::{Path, PathBuf};

/// A way to import regularly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportSchedule {
    /// Claude Code's hook for the end of a session.
    Hook,
    /// A cron job.
    Cron,
    /// A systemd timer.
    Timer,
}

const SERVICE: &str = "[Unit]
Description=Import the histories of agents (skc)

[Service]
Type=oneshot
ExecStart=/usr/bin/env skc history import
";

const TIMER: &str = "[Unit]
Description=Import the histories of agents every hour (skc)

[Timer]
OnCalendar=hourly
Persistent=true

[Install]
WantedBy=timers.target
";

/// Name and content of each systemd unit.
const UNITS: [(&str, &str); 2] = [("skc-history.service", SERVICE), ("skc-history.timer", TIMER)];

/// All ways.
pub fn schedules() -> [ImportSchedule; 3] {
    [ImportSchedule::Hook, ImportSchedule::Cron, ImportSchedule::Timer]
}

impl ImportSchedule {
    /// What runs the import.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hook => "Claude Code, at the end of each session",
            Self::Cron => "cron, every hour",
            Self::Timer => "systemd, every hour",
        }
    }

    /// Where to put the text.
    pub fn place(self) -> &'static str {
        match self {
            Self::Hook => "~/.claude/settings.json",
            Self::Cron => "crontab -e",
            Self::Timer => "skc history install --write",
        }
    }

    /// The text to put there.
    pub fn text(self) -> String {
        match self {
            Self::Hook => r#"{"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "skc history import"}]}]}}"#.to_owned(),
            Self::Cron => "17 * * * * skc history import >/dev/null 2>&1".to_owned(),
            Self::Timer => UNITS.map(|(name, text)| format!("# ~/.config/systemd/user/{name}\n{text}")).join("\n"),
        }
    }
}

/// Writes the systemd service and timer; returns their paths. Files of other programs are not replaced.
///
/// # Errors
/// I/O errors; E100 for another file with the same name.
pub fn write(app: &App) -> Result<Vec<PathBuf>, Failure> {
    let home = &app.call.places.home;
    let config = app.call.environment.agent_vars.get("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = config.unwrap_or_else(|| home.join(".config")).join("systemd/user");
    let folder = app.ports.stores.users_path(&folder)?;
    app.ports.stores.create_folder(&folder)?;
    let is_own = |text: &[u8]| UNITS.iter().any(|(_, own)| own.as_bytes() == text);
    let options = WriteOptions { root: None, follows: false, may_replace: &is_own };
    UNITS
        .iter()
        .map(|(name, text)| {
            let path = folder.join(name);
            let written = app.ports.named.write(&path, text.as_bytes(), &options);
            written.map_err(|error| not_ours(&path, error))?;
            Ok(path)
        })
        .collect()
}

fn not_ours(path: &Path, error: PortError) -> Failure {
    let fault = || {
        let message = format!("'{}' was not written by skc", path.display());
        Fault::refused_option(message, "move it away, or add the output of 'skc history install' to it")
    };
    match error.kind {
        ErrorKind::AlreadyExists => Failure::because(fault(), error),
        _ => error.into(),
    }
}
