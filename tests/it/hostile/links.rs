//! Links that lead out of a skill, planted before or after its build, and dangling links.

use super::{LINES, make_fifo, promptly};
use crate::site::{Site, put};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A site with a secret outside the skill `demo`.
fn site() -> Site {
    let site = Site::new();
    put(&site.root().join("outside/a.md"), "# Secret\n\nxylophone\n");
    put(
        &site.root().join("outside/SKILL.md"),
        "---\nname: demo\ndescription: xylophone\n---\n# Secret\n\nxylophone\n",
    );
    site.write_skill("demo", "# Top\n\nharmless\n");
    site.write("demo", "refs/a.md", "# Reference\n\nharmless\n");
    site
}

/// A way out: what is removed, where the link is created, and where it leads; `{out}` is the folder outside.
const WAYS_OUT: [(&str, &str, &str); 12] = [
    ("refs/a.md", "refs/a.md", "{out}/a.md"),
    ("refs/a.md", "refs/a.md", "../../../../../outside/a.md"),
    ("refs/a.md", "refs/a.md", "../refs/../../../../../outside/a.md"),
    ("refs", "refs", "{out}"),
    ("refs", "refs", "../../../../outside"),
    ("refs", "refs", "/proc/self/root{out}"),
    ("SKILL.md", "SKILL.md", "{out}/SKILL.md"),
    ("SKILL.md", "SKILL.md", "../../../../outside/SKILL.md"),
    ("refs/a.md", "other", "{out}"),
    ("refs/a.md", "other.md", "{out}/nothing.md"),
    ("refs/a.md", "up", "../.."),
    ("refs/a.md", "zero.md", "/dev/zero"),
];

fn plant(site: &Site, (gone, link, to): (&str, &str, &str)) {
    let skill = site.skill("demo");
    let gone = skill.join(gone);
    if gone.is_dir() {
        fs::remove_dir_all(gone).unwrap()
    } else {
        fs::remove_file(gone).unwrap()
    }
    let outside = site.root().join("outside").to_string_lossy().into_owned();
    symlink(to.replace("{out}", &outside), skill.join(link)).unwrap();
}

/// Decision 8.
#[test]
fn no_link_leads_any_command_out_of_the_skill() {
    for way in WAYS_OUT {
        for is_built_before in [false, true] {
            let site = site();
            if is_built_before {
                promptly(&site, ["build", "demo"]).ok();
            }
            plant(&site, way);
            let outside = fs::canonicalize(site.root().join("outside")).unwrap();
            for line in LINES {
                let run = promptly(&site, line);
                let said = run.out + &run.err.replace(&*outside.to_string_lossy(), "");
                let is_query = line.contains(&"xylophone") && said.contains("No section has");
                assert!(is_query || !said.contains("xylophone"), "{way:?} {line:?}: {said}");
                assert!(!said.contains("E999"), "{way:?} {line:?}: {said}");
            }
            promptly(&site, ["build", "demo"]).fails("E012");
            assert_nowhere(&site.project().join(".skillc/runtime"));
            assert_nowhere(&site.project().join(".claude"));
        }
    }
}

#[track_caller]
fn assert_nowhere(folder: &Path) {
    if !folder.exists() {
        return;
    }
    for (name, bytes) in
        crate::site::snapshot(folder).into_iter().filter(|(name, _)| !name.contains("logs.db"))
    {
        assert!(!String::from_utf8_lossy(&bytes).contains("xylophone"), "{name} holds what stands outside");
    }
}

/// Decision 8: two links that lead out only in combination.
#[test]
fn links_that_lead_out_together_are_refused() {
    let site = site();
    symlink("up/../../outside/a.md", site.skill("demo").join("refs/b.md")).unwrap();
    symlink("../../..", site.skill("demo").join("refs/up")).unwrap();
    promptly(&site, ["build", "demo"]).fails("E012");
    for path in ["refs/b.md", "refs/up/../outside/a.md", "refs/up/outside/a.md"] {
        assert_eq!(promptly(&site, ["open", "demo", path]).status, 1, "{path}");
    }
    assert!(!promptly(&site, ["open", "demo", "refs/up/../../outside/a.md"]).out.contains("xylophone"));
}

/// Decision 8: loops end.
#[test]
fn loops_of_links_end() {
    let site = site();
    let skill = site.skill("demo");
    for (to, at) in [
        ("loop", "loop"),
        ("b", "a"),
        ("a", "b"),
        (".", "here"),
        ("..", "refs/up"),
        ("../refs", "refs/again"),
        ("none", "gone.md"),
    ] {
        symlink(to, skill.join(at)).unwrap();
    }
    for n in 0..30 {
        fs::create_dir(skill.join(format!("d{n}"))).unwrap();
        (0..30).for_each(|to| symlink(format!("../d{to}"), skill.join(format!("d{n}/{to}"))).unwrap());
    }
    promptly(&site, ["build", "demo"]).ok();
    for line in LINES {
        promptly(&site, line);
    }
    assert!(promptly(&site, ["show", "demo", "--section", "Reference"]).ok().out.contains("harmless"));
    promptly(&site, ["open", "demo", "loop"]).fails("E021");
    promptly(&site, ["open", "demo", "gone.md"]).fails("E021");
}

/// Decision 23, in places that belong to skillc.
#[test]
fn a_pipe_in_a_runtime_blocks_nothing() {
    for name in [
        "SKILL.md",
        "{meta}/manifest.json",
        "{meta}/deployed.json",
        "{meta}/build.lock",
        "{meta}/publish.pending",
        "{meta}/logs.db",
        "{index}",
        "{index}.tmp",
        "{index}.lock",
        "{index}-journal",
        "{index}.corrupt",
    ] {
        let site = site();
        promptly(&site, ["build", "demo"]).ok();
        let index = site.index("demo").to_string_lossy().into_owned();
        let path = name.replace("{meta}", ".skillc-meta").replace("{index}", &index);
        let path = site.runtime("demo").join(path);
        let _ = fs::remove_file(&path);
        make_fifo(&path);
        for line in LINES {
            let run = promptly(&site, line);
            assert!(!run.out.contains("xylophone") || line[0] == "search", "{name} {line:?}");
        }
        promptly(&site, ["undeploy", "demo"]);
    }
}

/// What is written to a runtime stays there.
#[test]
fn nothing_is_written_through_a_link_in_a_runtime() {
    let site = site();
    let victim = site.root().join("victim");
    fs::create_dir(&victim).unwrap();
    fs::create_dir_all(site.runtime("demo")).unwrap();
    symlink(&victim, site.runtime("demo").join(".skillc-meta")).unwrap();
    let fallback = site.project().join(".skillc/logs/demo");
    fs::create_dir_all(&fallback).unwrap();
    symlink(&victim, fallback.join(".skillc-meta")).unwrap();
    for line in LINES {
        promptly(&site, line);
    }
    promptly(&site, ["build", "demo"]).fails("E018");
    assert_eq!(fs::read_dir(&victim).unwrap().count(), 0);
}
