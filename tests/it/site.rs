//! An isolated environment for a test: home, project and program in a temporary folder.

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use walkdir::WalkDir;

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    /// Exit status; -1 after a signal.
    pub status: i32,
    /// Standard output, lossily decoded.
    pub out: String,
    /// Standard output as bytes.
    pub bytes: Vec<u8>,
    /// Standard error, lossily decoded, without the lines that name base directories.
    pub err: String,
    /// The base directories that standard error names.
    pub base_directories: Vec<String>,
}

impl Run {
    /// Asserts success; prints all output otherwise.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.status, 0, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Asserts status 1 and a line of stderr that begins with `error[<code>]: `.
    #[track_caller]
    pub fn fails(self, code: &str) -> Self {
        assert_eq!(self.status, 1, "stdout: {}\nstderr: {}", self.out, self.err);
        assert!(
            self.err.lines().any(|l| l.starts_with(&format!("error[{code}]: "))),
            "no {code} in: {}",
            self.err
        );
        self
    }

    /// Parses standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\nstderr: {}", self.out, self.err))
    }
}

/// A home and a project in a temporary folder, deleted on drop.
pub struct Site {
    root: tempfile::TempDir,
}

impl Site {
    /// Creates an empty home directory and an empty project next to it, which is the working directory.
    pub fn new() -> Self {
        let site = Self::without_project();
        fs::create_dir_all(site.project().join(".skillc/skills")).unwrap();
        site
    }

    /// Like `new`, but the working directory is not a project.
    pub fn without_project() -> Self {
        let root = tempfile::Builder::new().prefix("skc-it-").tempdir().unwrap();
        for folder in ["home", "project"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        Self { root }
    }

    /// The folder above home and project.
    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap()
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The working directory of `skc`.
    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The folder of a skill in the project's store.
    pub fn skill(&self, name: &str) -> PathBuf {
        self.project().join(".skillc/skills").join(name)
    }

    /// The runtime of a skill in the project.
    pub fn runtime(&self, name: &str) -> PathBuf {
        self.project().join(".skillc/runtime").join(name)
    }

    /// The only index of a runtime.
    pub fn index(&self, name: &str) -> PathBuf {
        let meta = self.runtime(name).join(".skillc-meta");
        let found = fs::read_dir(meta).unwrap().map(|e| e.unwrap().path()).find(|p| is_index(p));
        found.expect("an index")
    }

    /// Writes a file of a project skill; creates parent folders.
    pub fn write(&self, skill: &str, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.skill(skill).join(path);
        put(&file, text);
        file
    }

    /// Writes a SKILL.md with valid front matter and this body, into the project's store.
    pub fn write_skill(&self, name: &str, body: &str) {
        self.write(name, "SKILL.md", skill_md(name, body));
    }

    /// A new site with one built skill.
    pub fn built(name: &str, body: &str) -> Self {
        let site = Self::new();
        site.write_skill(name, body);
        site.skc(["build", name]).ok();
        site
    }

    /// Runs the program in the project.
    pub fn skc<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Run {
        finish(self.command(args))
    }

    /// Runs the program in another working directory.
    pub fn skc_in<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, cwd: &Path, args: I) -> Run {
        let mut command = self.command(args);
        command.current_dir(cwd);
        finish(command)
    }

    /// Runs the program with additional environment variables.
    pub fn skc_with<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
        &self,
        vars: &[(&str, &str)],
        args: I,
    ) -> Run {
        let mut command = self.command(args);
        command.envs(vars.iter().copied());
        finish(command)
    }

    /// Prepares a run. The environment contains only HOME, SKILLC_HOME and PATH.
    pub fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Command {
        let mut command = Command::new(program());
        command
            .args(args)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.home())
            .env("SKILLC_HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            // Where tools/coverage.py lets programs count the lines that they run.
            .envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// The program under test.
pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_skc-under-test")
}

/// The prefix of the line on standard error that names the base directory of a skill.
const BASE_DIRECTORY: &str = "base directory: ";

/// Splits standard error into the base directories that it names and the other lines.
pub fn without_base_directories(err: &str) -> (Vec<String>, String) {
    let (dirs, others): (Vec<&str>, Vec<&str>) =
        err.split_inclusive('\n').partition(|line| line.starts_with(BASE_DIRECTORY));
    (dirs.iter().map(|line| line[BASE_DIRECTORY.len()..].trim_end().to_owned()).collect(), others.concat())
}

/// Runs a prepared command and waits for its end.
pub fn finish(mut command: Command) -> Run {
    let output = command.output().unwrap();
    let (base_directories, err) = without_base_directories(&String::from_utf8_lossy(&output.stderr));
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        bytes: output.stdout,
        err,
        base_directories,
    }
}

/// A SKILL.md with valid front matter.
pub fn skill_md(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}. Use when testing.\n---\n{body}")
}

/// Writes a file; creates parent folders.
pub fn put(file: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// All entries below a folder, sorted by relative path, with the content of files and the targets of links.
pub fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let content = |entry: walkdir::DirEntry| {
        let path = entry.path();
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        match entry.file_type() {
            kind if kind.is_dir() => (name + "/", Vec::new()),
            kind if kind.is_symlink() => {
                (name, fs::read_link(path).unwrap().to_string_lossy().into_owned().into_bytes())
            }
            kind if kind.is_file() => (name, fs::read(path).unwrap()),
            _ => (name, Vec::new()),
        }
    };
    let entries = WalkDir::new(folder).min_depth(1).into_iter().map(|entry| content(entry.unwrap()));
    let mut found: Vec<_> = entries.collect();
    found.sort();
    found
}

fn is_index(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.starts_with("search-") && name.ends_with(".db")
}
