//! A home, a project and an agent's folder that are used by only one measurement.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The skill's name, and its folder's.
pub const SKILL: &str = "bench";

/// The environment in which `skc` runs: its own home, one project with one skill, one agent's folder.
pub struct Site {
    skc: PathBuf,
    root: PathBuf,
}

impl Site {
    /// An empty site; existing content at `root` is deleted.
    pub fn new(skc: &Path, root: PathBuf) -> io::Result<Self> {
        let site = Site { skc: skc.to_path_buf(), root };
        let _ = fs::remove_dir_all(&site.root);
        for folder in [site.home(), site.skill(), site.agent()] {
            fs::create_dir_all(folder)?;
        }
        fs::write(site.project().join(".skillc/config.toml"), "")?;
        Ok(site)
    }

    /// Its home.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn project(&self) -> PathBuf {
        self.root.join("proj")
    }

    fn agent(&self) -> PathBuf {
        self.root.join("agent")
    }

    /// The skill's source folder.
    pub fn skill(&self) -> PathBuf {
        self.project().join(".skillc/skills").join(SKILL)
    }

    fn runtime(&self) -> PathBuf {
        self.project().join(".skillc/runtime").join(SKILL)
    }

    /// `skc` with these arguments, run in the project, with only `PATH` from the caller's environment.
    pub fn skc(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.skc);
        command.args(args).current_dir(self.project()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.home()).env("SKILLC_HOME", self.home());
        command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        command
    }

    /// The build that rows refer to: to the runtime, with a link in the agent's folder.
    pub fn build(&self) -> Command {
        let agent = self.agent();
        let mut command = self.skc(&["build", SKILL, "--target"]);
        command.arg(agent);
        command
    }

    /// Restores the state before any build.
    pub fn forget_build(&self) -> Result<(), String> {
        let link = self.agent().join(SKILL);
        if link.is_symlink() {
            fs::remove_file(&link).map_err(|e| format!("{}: {e}", link.display()))?;
        }
        match fs::remove_dir_all(self.runtime()) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                Err(format!("{}: {e}", self.runtime().display()))
            }
            _ => Ok(()),
        }
    }

    /// The skill's log.
    pub fn log(&self) -> PathBuf {
        self.runtime().join(".skillc-meta/logs.db")
    }

    /// The log that is used if the skill's log cannot be written.
    pub fn fallback_log(&self) -> PathBuf {
        self.project().join(".skillc/logs").join(SKILL).join(".skillc-meta/logs.db")
    }

    /// Restores the state before any use.
    pub fn forget_logs(&self) -> io::Result<()> {
        for log in [self.log(), self.fallback_log()] {
            for suffix in ["", "-wal", "-shm"] {
                let file = log.with_file_name(format!("logs.db{suffix}"));
                match fs::remove_file(file) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Puts a folder in place of the log, and a file in place of the fallback folder, so that commands continue with
    /// W002. They then only do the part of logging that needs no exclusive lock: they fail to open it.
    pub fn block_logs(&self) -> io::Result<()> {
        self.forget_logs()?;
        fs::create_dir_all(self.log())?;
        fs::write(self.project().join(".skillc/logs"), "")
    }

    /// The database written by the last build.
    pub fn index(&self) -> Result<PathBuf, String> {
        let folder = self.runtime().join(".skillc-meta");
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let name_fits = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("search-") && name.ends_with(".db")
        };
        let found = entries.filter_map(|entry| Some(entry.ok()?.path())).find(name_fits);
        found.ok_or(format!("no search-*.db in {}", folder.display()))
    }
}
