//! RFC-0000: the promises of compatibility.

use crate::site::{Run, Site, finish, program, put, snapshot};
use skillc_ops::OPS;
use std::ffi::OsStr;
use std::process::{Command, Output};

/// RFC-0000:C-COMPAT-FORMAT
#[test]
fn a_skill_of_the_open_format_needs_nothing_added() {
    let site = Site::new();
    let least = "---\nname: least\ndescription: The least that the format asks for.\n---\n";
    site.write("least", "SKILL.md", least);
    site.skc(["build", "least"]).ok();
    assert_eq!(snapshot(&site.skill("least")), [("SKILL.md".to_owned(), least.as_bytes().to_vec())]);

    site.write("full", "SKILL.md", FULL_SKILL);
    site.write("full", "references/REFERENCE.md", "# Reference\n\nThe marmot whistles.\n");
    site.write("full", "scripts/run.py", "print('whistle')\n");
    site.write("full", "assets/logo.bin", [0, 159, 146, 150]);
    assert_eq!(site.skc(["build", "full"]).ok().err, "");
    assert!(site.skc(["outline", "full"]).ok().out.contains("Reference"));
    assert!(site.skc(["show", "full", "--section", "Steps"]).ok().out.contains("Call the marmot."));
    assert_eq!(site.skc(["open", "full", "assets/logo.bin"]).ok().bytes, [0, 159, 146, 150]);
    assert!(site.skc(["sources", "full"]).ok().out.contains("run.py"));
    assert!(site.skc(["search", "full", "whistles"]).ok().out.contains("references/REFERENCE.md#Reference"));
    let stub = std::fs::read_to_string(site.runtime("full").join("SKILL.md")).unwrap();
    assert!(stub.starts_with("---\nname: "), "{stub}");
}

/// Every field that the format has.
const FULL_SKILL: &str = "---
name: full
description: Calls marmots. Use when a marmot is needed.
license: Apache-2.0
compatibility: Requires Python 3
metadata:
  author: example-org
  version: \"1.0\"
allowed-tools: Bash(git:*) Read
---
# Full

## Steps

Call the marmot. See [the reference](references/REFERENCE.md).
";

/// RFC-0000:C-COMPAT-OFFLINE
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux can take the network away from one process")]
#[test]
fn every_command_works_offline() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nmarmot\n");
    site.write_skill("spare", "# Spare\n");
    site.write_skill("worn", "# Worn\n");
    let offline = Offline::find(&site);
    for command in commands_in_working_order() {
        let line = command_line(command);
        let done = offline.run(&site, &line);
        assert_eq!(done.status, 0, "{line:?} offline: {}{}", done.out, done.err);
        assert!(!done.out.is_empty(), "{line:?} says nothing");
    }
}

/// A way to run a program without network access.
enum Offline {
    /// A separate network namespace without any interface that is up.
    Namespace(&'static [&'static str]),
    /// A system call trace. Any call of the network family is a failure.
    Trace,
}

impl Offline {
    /// The first way that is permitted here and proven to work.
    fn find(site: &Site) -> Self {
        for options in [&["-rn", "--"][..], &["-n", "--"]] {
            let looked = output(Command::new("unshare").args(options).args(["cat", "/proc/net/route"]));
            if looked.is_some_and(|o| o.status.success() && text(&o.stdout).lines().count() <= 1) {
                return Self::Namespace(options);
            }
        }
        let trace = site.root().join("trace");
        let traced = Command::new("strace").arg("-o").arg(&trace).arg("true").status();
        assert!(
            traced.is_ok_and(|status| status.success()),
            "neither `unshare -n` nor `strace` works here, so nothing shows that skc works offline"
        );
        Self::Trace
    }

    fn run(&self, site: &Site, line: &[&str]) -> Run {
        let trace = site.root().join("trace");
        let mut command = site.command(line);
        let inner = command.get_args().map(OsStr::to_owned).collect::<Vec<_>>();
        let mut outer = match self {
            Self::Namespace(options) => {
                let mut unshare = Command::new("unshare");
                unshare.args(*options);
                unshare
            }
            Self::Trace => {
                let mut strace = Command::new("strace");
                strace.args(["-f", "-qq", "-e", "trace=network", "-e", "signal=none", "-o"]).arg(&trace);
                strace
            }
        };
        outer.arg(program()).args(inner).env_clear();
        outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        outer.current_dir(site.project());
        command = outer;
        let done = finish(command);
        if matches!(self, Self::Trace) {
            let calls = std::fs::read_to_string(&trace).unwrap();
            assert_eq!(calls, "", "{line:?} asks for a network");
        }
        done
    }
}

fn output(command: &mut Command) -> Option<Output> {
    command.output().ok()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All commands, `build` before those that read its index.
fn commands_in_working_order() -> Vec<&'static str> {
    // `team` needs a server; `eval` needs a file of queries and has its own tests.
    let is_shown = |name: &&str| !matches!(*name, "team" | "eval");
    let mut names: Vec<&str> = OPS.iter().map(|entry| entry.name).filter(is_shown).collect();
    names.push("try");
    names.sort_by_key(|name| *name != "build");
    names
}

/// A command line for each command, on the skill `demo`. A new command needs a line here.
fn command_line(command: &'static str) -> Vec<&'static str> {
    let arguments: &[&str] = match command {
        "init" => &["fresh"],
        "model" => &["status"],
        "build" | "lint" | "outline" | "sources" | "stats" | "undeploy" | "pack" | "prove" => &["demo"],
        "publish" => &["demo", "--well-known", "public"],
        "plugin" => &["check"],
        "log" => &["forget", "demo"],
        "history" => &["sources"],
        "show" => &["demo", "--section", "Top"],
        "open" => &["demo", "SKILL.md"],
        "search" => &["demo", "marmot"],
        "find" => &["marmot"],
        "explain" => &["E001"],
        // Two skills have this name there.
        "load" => &[".skillc/skills/demo"],
        "enable" | "disable" => &["demo"],
        "mentions" => &["$demo"],
        "remove" => &["spare"],
        "rename" => &["worn", "renewed"],
        "undo" => &["--list"],
        "sync" | "list" | "targets" | "catalog" | "config" | "slim" | "doctor" | "try" => &[],
        new => panic!("no line shows '{new}' offline"),
    };
    [&[command], arguments].concat()
}

/// RFC-0000:C-COMPAT-PORTABLE
#[test]
fn building_and_reading_leave_the_source_untouched() {
    let site = Site::new();
    site.write_skill("demo", "# Top\n\nmarmot\n");
    site.write_skill("spare", "# Spare\n");
    site.write_skill("worn", "# Worn\n");
    site.write("demo", "notes/a.txt", "a\r\n");
    site.write("demo", ".hidden/b", [255]);
    put(
        &site.home().join(".skillc/skills/demo/SKILL.md"),
        "---\nname: demo\ndescription: d\n---\n# Top\nmarmot\n",
    );
    let stores = [site.skill("demo"), site.home().join(".skillc/skills/demo")];
    let before = stores.each_ref().map(|store| (snapshot(store), modified(store)));
    let variants: [&[&str]; 5] = [
        &["build", "demo", "--copy", "--force"],
        &["build", "demo", "--global", "--target", "cursor"],
        &["build", "--all"],
        &["build", "--all", "--global"],
        &["list", "--check-obsolete"],
    ];
    for command in commands_in_working_order() {
        site.skc(command_line(command)).ok();
    }
    for line in variants {
        site.skc(line).ok();
    }
    assert_eq!(stores.each_ref().map(|store| (snapshot(store), modified(store))), before);
}

/// The modification times of all folders and files below a folder.
fn modified(folder: &std::path::Path) -> Vec<std::time::SystemTime> {
    let time = |path: &std::path::Path| std::fs::symlink_metadata(path).unwrap().modified().unwrap();
    let below = snapshot(folder).into_iter().map(|(name, _)| time(&folder.join(name)));
    std::iter::once(time(folder)).chain(below).collect()
}
