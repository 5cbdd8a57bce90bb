//! A real terminal: a tmux of one's own, with `skc` in its only pane.

use crate::site::Site;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a screen may take to look as it should: far more than it does, so that only a hang meets it.
const DEADLINE: Duration = Duration::from_secs(30);

/// A terminal. It goes with the value.
pub struct Screen {
    socket: PathBuf,
}

impl Screen {
    /// A terminal of this size, in which a shell runs a script in the project of a site; `$SKC` is the program.
    pub fn start(site: &Site, columns: u32, lines: u32, script: &str) -> Self {
        // A server that was ended may still hold its socket.
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let screen = Self { socket: site.root().join(format!("tmux-{number}")) };
        let mut vars =
            vec![format!("HOME={}", site.home().display()), format!("SKILLC_HOME={}", site.home().display())];
        vars.push(format!("PATH={}", std::env::var("PATH").unwrap_or_default()));
        vars.push(format!("SKC={}", crate::site::program()));
        // The pane stays when the script is over, so that what it left can be seen.
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

    /// Presses keys, by the names that tmux gives them.
    pub fn press(&self, keys: &[&str]) {
        assert!(self.tmux(&[&["send-keys"], keys].concat()).status.success());
    }

    /// What a program sent to the clipboard.
    pub fn clipboard(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["show-buffer"]).stdout).into_owned()
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        assert!(self.tmux(&["send-keys", "-l", text]).status.success());
    }

    /// Gives the terminal another size.
    pub fn resize(&self, columns: u32, lines: u32) {
        let (columns, lines) = (columns.to_string(), lines.to_string());
        assert!(self.tmux(&["resize-window", "-x", &columns, "-y", &lines]).status.success());
    }

    /// What is to be seen, without the empty lines at its end.
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).trim_end().to_owned()
    }

    /// Waits until the screen fits, and returns it.
    #[track_caller]
    pub fn wait_for(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let since = Instant::now();
        loop {
            let shown = self.shown();
            if fits(&shown) {
                return shown;
            }
            assert!(since.elapsed() < DEADLINE, "no {what} in:\n{shown}");
            // A terminal tells nobody that it was drawn on.
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a text is to be seen.
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
