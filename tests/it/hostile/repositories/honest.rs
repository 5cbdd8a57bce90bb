//! The machine before anything hostile is added: a home folder with valuable files, another project, and a project as
//! a colleague would leave it.

use super::random::Random;
use crate::site::{put, skill_md};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The home, below the sandbox.
pub const HOME: &str = "home";
/// Another project of the user.
pub const NEIGHBOR: &str = "code/neighbor";
/// The cloned project, the working directory.
pub const PROJECT: &str = "code/clone";
/// Where temporary files go.
pub const TEMPORARY: &str = "tmp";

/// The beginning of every secret; occurs nowhere else.
pub const SECRET: &str = "zqcanary";

/// Skills of the project. `commit` is also a folder that the user wrote by hand, `helper` also a global skill.
pub const SKILLS: [&str; 3] = ["demo", "commit", "helper"];
/// Skills of the home's store.
pub const GLOBAL_SKILLS: [&str; 2] = ["mine", "helper"];

/// A text with a unique secret.
fn secret(random: &mut Random) -> String {
    format!("{SECRET}{:016x}", random.next())
}

/// Writes the whole machine; builds are left to the program.
pub fn write(root: &Path, random: &mut Random) {
    home(&root.join(HOME), random);
    neighbor(&root.join(NEIGHBOR), random);
    project(&root.join(PROJECT));
    fs::create_dir_all(root.join(TEMPORARY)).unwrap();
}

fn home(home: &Path, random: &mut Random) {
    put(&home.join(".claude/skills/commit/SKILL.md"), skill_md("commit", "# Precious\n\nWritten by hand.\n"));
    put(&home.join(".claude/skills/commit/notes.md"), "# Notes\n\nof years\n");
    put(&home.join(".claude/settings.json"), "{}\n");
    for (file, text) in [
        (".ssh/id_rsa", "-----BEGIN KEY-----\n{}\n-----END KEY-----\n"),
        (".ssh/SKILL.md", "---\nname: ssh\ndescription: {}\n---\n# {}\n"),
        (".bashrc", "export TOKEN={}\n"),
        (".netrc", "machine example login me password {}\n"),
        (".claude.json", "{\"mcpServers\":{},\"key\":\"{}\"}\n"),
        ("docs/thesis.txt", "{}\n"),
        ("docs/demo/thesis.md", "# Thesis\n\n{}\n"),
        ("docs/SKILL.md", "---\nname: docs\ndescription: {}\n---\n# Chapter\n\n{}\n"),
        (".skillc/mcp-token", "{}"),
        (".skillc/team-password", "{}\n"),
    ] {
        put(&home.join(file), text.replace("{}", &secret(random)));
        fs::set_permissions(home.join(file), fs::Permissions::from_mode(0o600)).unwrap();
    }
    put(
        &home.join(".skillc/config.toml"),
        format!(
            "[team]\nurl = \"postgres://me:{}@127.0.0.1:1/team?connect_timeout=1\"\nmachine = \"here\"\n",
            secret(random)
        ),
    );
    for name in GLOBAL_SKILLS {
        put(
            &home.join(format!(".skillc/skills/{name}/SKILL.md")),
            skill_md(name, "# Mine\n\nmarmot of the user\n"),
        );
    }
}

fn neighbor(neighbor: &Path, random: &mut Random) {
    let skill = |name: &str, secret: &str| {
        format!(
            "---\nname: {name}\ndescription: {secret} of {name}. Use when testing.\n---\n# Top\n\nmarmot {secret}\n"
        )
    };
    for name in SKILLS {
        put(&neighbor.join(format!(".skillc/skills/{name}/SKILL.md")), skill(name, &secret(random)));
        put(
            &neighbor.join(format!(".skillc/skills/{name}/refs/a.md")),
            format!("# Ref\n\nmarmot {}\n", secret(random)),
        );
    }
    put(&neighbor.join(".agents/skills/theirs/SKILL.md"), skill("theirs", &secret(random)));
    for file in ["AGENTS.md", "notes.txt", ".mcp.json", ".env"] {
        put(&neighbor.join(file), format!("{}\n", secret(random)));
    }
    put(&neighbor.join(".git/HEAD"), "ref: refs/heads/main\n");
}

/// The project as its author would have committed it, with every file that a command line in `commands.rs` names.
fn project(project: &Path) {
    for name in SKILLS {
        let folder = project.join(".skillc/skills").join(name);
        put(
            &folder.join("SKILL.md"),
            skill_md(name, "# Top\n\nmarmot, see [ref](refs/a.md)\n\n## Low\n\nmore\n"),
        );
        put(&folder.join("refs/a.md"), "# Ref\n\nmarmot again\n");
        put(&folder.join("scripts/run.py"), "print('hello')\n");
    }
    for (file, text) in [
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            ".agents/skills/plain/SKILL.md",
            "---\nname: plain\ndescription: Plain. Use when testing.\n---\n# P\n",
        ),
        ("vendor/dl/SKILL.md", "---\nname: dl\ndescription: Downloaded. Use when testing.\n---\n# D\n"),
        ("vendor/dl/refs/b.md", "# B\n\nmarmot\n"),
        ("README.md", "# Clone\n"),
        ("src/lib.rs", "fn main() {}\n"),
        ("AGENTS.md", "# Agents\n\nRead the code.\n"),
        ("prompt.md", "Use $demo and $commit.\n"),
        ("queries.jsonl", "{\"query\": \"marmot\", \"relevant\": [\"demo\"]}\n"),
        ("notes.txt", "kept by the author\n"),
    ] {
        put(&project.join(file), text);
    }
}
