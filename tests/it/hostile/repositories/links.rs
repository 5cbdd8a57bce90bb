//! Links of every kind at every place that the program could use.

use super::features::Ground;
use super::honest::{HOME, NEIGHBOR, PROJECT};
use skillc::CLIENTS;
use skillc_domain::agents::AGENTS;
use std::os::unix::fs::symlink;

/// Places where the program expects a folder. `{skill}` stands for a skill of the project, `{built}` for one that has
/// a runtime.
const FOLDERS: &[&str] = &[
    ".skillc",
    ".skillc/skills",
    ".skillc/runtime",
    ".skillc/runtime/{skill}",
    ".skillc/runtime/{built}/.skillc-meta",
    ".skillc/runtime/{skill}/.skillc-meta",
    ".skillc/logs",
    ".skillc/logs/{skill}",
    ".skillc/logs/{skill}/.skillc-meta",
    ".skillc/trash",
    ".skillc/skills/{skill}",
    ".skillc/skills/linked",
    ".skillc/skills/{skill}/refs",
    ".skillc/skills/{skill}/scripts",
    ".skillc/skills/{skill}/more",
    ".skillc/skills/{skill}/.skillc-tmp-abcdef",
    ".claude",
    ".claude/skills",
    ".claude/skills/{skill}",
    ".agents",
    ".agents/skills",
    ".agents/skills/plain",
    ".agents/skills/{skill}",
    ".vscode",
    ".codex",
    ".cursor",
    ".gemini",
    "vendor",
    "vendor/dl",
    "vendor/dl/refs",
    "out",
    "src",
];

/// Places where the program expects a file. `{index}` stands for the file name of the built skill's index.
const FILES: &[&str] = &[
    ".skillc/runtime/{built}/.skillc-meta/logs.db",
    ".skillc/runtime/{built}/.skillc-meta/logs.db-wal",
    ".skillc/runtime/{built}/.skillc-meta/logs.db-shm",
    ".skillc/runtime/{built}/.skillc-meta/logs.db-journal",
    ".skillc/runtime/{built}/.skillc-meta/{index}",
    ".skillc/runtime/{built}/.skillc-meta/{index}-journal",
    ".skillc/runtime/{built}/.skillc-meta/{index}-wal",
    ".skillc/runtime/{built}/.skillc-meta/{index}.lock",
    ".skillc/runtime/{built}/.skillc-meta/{index}.tmp",
    ".skillc/runtime/{built}/.skillc-meta/{index}.corrupt",
    ".skillc/runtime/{built}/.skillc-meta/build.lock",
    ".skillc/runtime/{skill}/.skillc-meta/build.lock",
    ".skillc/runtime/{built}/.skillc-meta/publish.pending",
    ".skillc/runtime/{built}/.skillc-meta/manifest.json",
    ".skillc/runtime/{built}/.skillc-meta/deployed.json",
    ".skillc/runtime/{built}/.skillc-meta/.skillc-tmp-abcdef",
    ".skillc/runtime/{built}/SKILL.md",
    ".skillc/runtime/{skill}/SKILL.md",
    ".skillc/logs/{skill}/.skillc-meta/logs.db",
    ".skillc/config.toml",
    ".skillc/config.toml",
    ".skillc/config.toml",
    ".skillc/skills/{skill}/SKILL.md",
    ".skillc/skills/{skill}/.skilllint.toml",
    ".skillc/skills/{skill}/refs/a.md",
    ".skillc/skills/{skill}/scripts/run.py",
    ".skillc/skills/{skill}/LICENSE",
    ".skillc/skills/loose.md",
    ".claude/skills/{skill}/SKILL.md",
    ".agents/skills/plain/SKILL.md",
    ".agents/skills/plain/.skillc-meta/manifest.json",
    "vendor/dl/SKILL.md",
    "vendor/dl/refs/b.md",
    "AGENTS.md",
    "usage.html",
    "eval.db",
    "eval.db-journal",
    "baseline.json",
    "queries.jsonl",
    "prompt.md",
    ".skilllint.toml",
    ".mcp.json",
    "opencode.jsonc",
    "package.json",
    ".git",
];

/// Folders outside the project, with valuable content or with content that resembles what belongs at a place.
const FOLDERS_OUTSIDE: &[&str] = &[
    HOME,
    "home/.ssh",
    "home/docs",
    "home/.claude",
    "home/.claude/skills",
    "home/.claude/skills/commit",
    "home/.skillc",
    "home/.skillc/skills",
    "home/.skillc/skills/mine",
    "home/.skillc/runtime",
    "home/.skillc/runtime/helper",
    "code",
    NEIGHBOR,
    "code/neighbor/.skillc",
    "code/neighbor/.skillc/skills",
    "code/neighbor/.skillc/skills/demo",
    "code/neighbor/.skillc/skills/demo/refs",
    "code/neighbor/.skillc/runtime",
    "code/neighbor/.skillc/runtime/demo",
    "code/neighbor/.skillc/runtime/demo/.skillc-meta",
    "code/neighbor/.claude",
    "code/neighbor/.claude/skills",
    "code/neighbor/.agents",
    "code/neighbor/.agents/skills",
    "code/neighbor/.agents/skills/theirs",
];

const FILES_OUTSIDE: &[&str] = &[
    "home/.ssh/id_rsa",
    "home/.ssh/SKILL.md",
    "home/.bashrc",
    "home/.netrc",
    "home/.claude.json",
    "home/.claude/skills/commit/SKILL.md",
    "home/.claude/skills/commit/notes.md",
    "home/docs/thesis.txt",
    "home/.skillc/config.toml",
    "home/.skillc/mcp-token",
    "home/.skillc/skills/mine/SKILL.md",
    "code/neighbor/AGENTS.md",
    "code/neighbor/notes.txt",
    "code/neighbor/.mcp.json",
    "code/neighbor/.skillc/skills/demo/SKILL.md",
    "code/neighbor/.skillc/skills/demo/refs/a.md",
    "code/neighbor/.skillc/runtime/demo/SKILL.md",
    "code/neighbor/.skillc/runtime/demo/.skillc-meta/logs.db",
    "code/neighbor/.skillc/runtime/demo/.skillc-meta/manifest.json",
    "code/neighbor/.skillc/runtime/demo/.skillc-meta/{index}",
];

/// Paths outside the project that do not exist, in folders where nothing may be created.
const NOTHING_OUTSIDE: &[&str] =
    &["home/new", "home/.ssh/authorized_keys", "home/docs/new/deep", "code/neighbor/new", "code/other"];

/// Ways to write a target.
#[derive(Clone, Copy)]
enum Form {
    Relative,
    Absolute,
    /// Into a folder of the project and back out with `..`.
    Detour,
    /// Through `/proc/self/root`, a link of the kernel.
    ProcRoot,
}

/// Plants a link.
pub fn plant(ground: &mut Ground<'_>) -> Option<(String, String)> {
    let (place, is_folder) = place(ground);
    let target = target(ground, &place, is_folder);
    symlink(&target, ground.room(&place)?).ok()?;
    Some((
        place.clone(),
        format!("link {place} -> {}", target.replace(ground.sandbox.root().to_str()?, "{root}")),
    ))
}

fn place(ground: &mut Ground<'_>) -> (String, bool) {
    let share = ground.random.below(100);
    let is_folder = share < 48;
    let template = match share {
        // The first three lead to most of the others, so they are drawn most often.
        0..10 => FOLDERS[ground.random.below(3)].to_owned(),
        10..40 => ground.random.pick(FOLDERS).to_string(),
        40..48 => agent_folder(ground),
        48..54 => client_file(ground),
        _ => ground.random.pick(FILES).to_string(),
    };
    let (built, _) = ground.built();
    let index = ground.index_name(PROJECT, &built);
    let skill = ground.skill();
    (template.replace("{skill}", &skill).replace("{built}", &built).replace("{index}", &index), is_folder)
}

/// The folder of skills of an agent, or the one above it.
fn agent_folder(ground: &mut Ground<'_>) -> String {
    let folder = ground.random.pick(AGENTS).project;
    let first = folder.split('/').next().unwrap_or(folder);
    if ground.random.percent(50) { folder.to_owned() } else { first.to_owned() }
}

fn client_file(ground: &mut Ground<'_>) -> String {
    let files: Vec<&str> = CLIENTS.iter().filter_map(|client| client.project).collect();
    ground.random.pick(&files).to_string()
}

fn target(ground: &mut Ground<'_>, place: &str, is_folder: bool) -> String {
    if place.ends_with("config.toml") && ground.random.percent(60) {
        return telling(ground, place);
    }
    let fits = ground.random.percent(90) == is_folder;
    let index = ground.index_name(NEIGHBOR, "demo");
    match ground.random.below(100) {
        0..62 => {
            let some = if fits { FOLDERS_OUTSIDE } else { FILES_OUTSIDE };
            let target = ground.random.pick(some).replace("{index}", &index);
            let target = look_alike(ground, place).unwrap_or(target);
            written(ground, place, &target)
        }
        62..77 => {
            let target = ground.random.pick(NOTHING_OUTSIDE).to_string();
            written(ground, place, &target)
        }
        77..84 => odd_file(ground, place),
        84..90 => ["{own}", ".", "..", "../..", "{own}/x"][ground.random.below(5)]
            .replace("{own}", place.rsplit('/').next().unwrap_or(place)),
        _ => {
            let inside =
                ["README.md", "src", ".git", ".skillc/skills/demo", ".skillc/runtime/demo", "notes.txt"];
            let target = format!("{PROJECT}/{}", ground.random.pick(&inside));
            written(ground, place, &target)
        }
    }
}

/// A file that a parser of configurations may quote in its error message.
fn telling(ground: &mut Ground<'_>, place: &str) -> String {
    match ground.random.below(4) {
        0 => "/proc/self/environ".to_owned(),
        1 => odd_file(ground, place),
        _ => {
            let file = ground.random.word(&[
                "home/.netrc",
                "home/.bashrc",
                "home/.claude.json",
                "home/.skillc/mcp-token",
            ]);
            written(ground, place, file)
        }
    }
}

/// In a third of all cases, the file of the neighbor at the same place.
fn look_alike(ground: &mut Ground<'_>, place: &str) -> Option<String> {
    let path = format!("{NEIGHBOR}/{place}");
    (ground.random.percent(33) && ground.sandbox.honest.contains_key(&path)).then_some(path)
}

/// An endless file, one without a size, or one of the kernel. It is only planted where the program reads: a command
/// that writes through a link would replace the device of the real machine.
fn odd_file(ground: &mut Ground<'_>, place: &str) -> String {
    let is_read_only =
        place.ends_with("config.toml") || place.ends_with("SKILL.md") || place.contains("/refs");
    match ground.random.below(3) {
        0 => written(ground, place, "zero"),
        1 if is_read_only => "/proc/self/maps".to_owned(),
        _ => "/proc/self/environ".to_owned(),
    }
}

/// A path below the machine's root as the target of a link at a place.
fn written(ground: &mut Ground<'_>, place: &str, path: &str) -> String {
    let form =
        *ground.random.pick(&[Form::Relative, Form::Relative, Form::Absolute, Form::Detour, Form::ProcRoot]);
    let root = ground.sandbox.root().to_string_lossy().into_owned();
    let up = "../".repeat(format!("{PROJECT}/{place}").matches('/').count());
    match form {
        Form::Relative => up + path,
        Form::Absolute => format!("{root}/{path}"),
        Form::Detour => format!("{up}{PROJECT}/src/../../../{path}"),
        Form::ProcRoot => format!("/proc/self/root{root}/{path}"),
    }
}
