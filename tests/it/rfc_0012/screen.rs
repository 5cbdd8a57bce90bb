//! A real terminal: a separate tmux server with `skc` in its only pane.

use crate::site::Site;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long to wait for the expected screen. It is so long that only a hang reaches it.
const DEADLINE: Duration = Duration::from_secs(30);

/// A terminal, which is closed on drop.
pub struct Screen {
    socket: PathBuf,
}

impl Screen {
    /// Opens a terminal of this size, in which a shell runs a script in the project of a site. `$SKC` is the program.
    pub fn start(site: &Site, columns: u32, lines: u32, script: &str) -> Self {
        // A server that has ended may still hold its socket.
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let screen = Self { socket: site.root().join(format!("tmux-{number}")) };
        let mut vars =
            vec![format!("HOME={}", site.home().display()), format!("SKILLC_HOME={}", site.home().display())];
        vars.push(format!("PATH={}", std::env::var("PATH").unwrap_or_default()));
        vars.push(format!("SKC={}", crate::site::program()));
        // `cat` keeps the pane open after the script, so that its output can be read.
        let shell = format!("{script}\ncat");
        let (columns, lines) = (columns.to_string(), lines.to_string());
        let mut args = vec!["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &lines];
        let project = site.project();
        args.extend(["-c", project.to_str().unwrap()]);
        args.extend(["env", "-i", "TERM=screen-256color", "LC_ALL=C.UTF-8"]);
        args.extend(vars.iter().map(String::as_str));
        args.extend(["sh", "-c", &shell]);
        let done = screen.tmux(&args);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(screen.tmux(&["set", "-s", "set-clipboard", "on"]).status.success());
        screen
    }

    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux")
            .args(["-u", "-S"])
            .arg(&self.socket)
            .args(args)
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap()
    }

    /// Presses keys, given by their tmux names.
    pub fn press(&self, keys: &[&str]) {
        assert!(self.tmux(&[&["send-keys"], keys].concat()).status.success());
    }

    /// The text that a program sent to the clipboard.
    pub fn clipboard(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["show-buffer"]).stdout).into_owned()
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        assert!(self.tmux(&["send-keys", "-l", text]).status.success());
    }

    /// Resizes the terminal.
    pub fn resize(&self, columns: u32, lines: u32) {
        let (columns, lines) = (columns.to_string(), lines.to_string());
        assert!(self.tmux(&["resize-window", "-x", &columns, "-y", &lines]).status.success());
    }

    /// The text on the screen, without empty lines at the end.
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).trim_end().to_owned()
    }

    /// Waits until the screen satisfies the predicate, and returns it.
    #[track_caller]
    pub fn wait_for(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let since = Instant::now();
        loop {
            let shown = self.shown();
            if fits(&shown) {
                return shown;
            }
            assert!(since.elapsed() < DEADLINE, "no {what} in:\n{shown}");
            // A terminal does not report changes.
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a text is visible, and returns the screen.
    #[track_caller]
    pub fn wait_text(&self, text: &str) -> String {
        self.wait_for(text, |shown| shown.contains(text))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
