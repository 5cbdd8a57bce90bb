//! Configuration files that are not files, are enormous, or lead elsewhere (D3, D6). RFC-0009:C-FILES, C-PROJECT.

use super::{make_fifo, promptly};
use crate::site::{Site, put};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const SECRET: &str = "hunter2-of-the-environment";

fn project_file(site: &Site) -> PathBuf {
    site.project().join(".skillc/config.toml")
}

fn users_file(site: &Site) -> PathBuf {
    site.home().join(".skillc/config.toml")
}

/// Runs a command with a secret in its environment, which must appear on no stream; E101 must report the obstacle.
#[track_caller]
fn is_told(site: &Site, says: &str) {
    for line in [&["config"][..], &["list"], &["load", "none"]] {
        let mut command = site.command(line);
        command.env("AWS_SECRET_ACCESS_KEY", SECRET);
        let run = super::in_time(command);
        assert!(run.err.starts_with("error[E101]: ") && run.err.contains(says), "{line:?}: {}", run.err);
        assert!(!run.err.contains("hunter2") && !run.out.contains("hunter2"), "{line:?}: {}", run.err);
        assert!(run.err.len() < 4_096, "{}", run.err.len());
    }
    promptly(site, ["load", "none"]).fails("E086");
}

/// D6, RFC-0009:C-FILES
#[test]
fn a_link_in_the_place_of_a_projects_configuration_is_named_and_never_followed() {
    let site = Site::new();
    let secret = site.home().join(".netrc");
    put(&secret, "machine example.org login me password hunter2\n");
    let valid = site.home().join("valid.toml");
    put(&valid, "hunter2 = 1\n[search]\ntokenizer = 'hunter2'\n");
    for target in
        [Path::new("/proc/self/environ"), Path::new("/proc/kmsg"), &secret, &valid, Path::new("none")]
    {
        symlink(target, project_file(&site)).unwrap();
        is_told(&site, "config.toml': it is a link");
        fs::remove_file(project_file(&site)).unwrap();
    }
    let elsewhere = site.root().join("elsewhere");
    put(&elsewhere.join("config.toml"), "hunter2 = 1\n");
    fs::remove_dir_all(site.project().join(".skillc")).unwrap();
    symlink(&elsewhere, site.project().join(".skillc")).unwrap();
    is_told(&site, "/.skillc' is a link");
}

/// D6, RFC-0009:C-FILES
#[test]
fn a_users_configuration_may_be_a_link_of_his_own_to_a_regular_file() {
    let site = Site::without_project();
    let dotfiles = site.root().join("dotfiles");
    put(&dotfiles.join("skillc/config.toml"), "[search]\ntokenizer = 'cjk'\n");
    let has_cjk = |site: &Site| promptly(site, ["config"]).ok().out.contains("cjk");
    fs::create_dir(site.home().join(".skillc")).unwrap();
    symlink(dotfiles.join("skillc/config.toml"), users_file(&site)).unwrap();
    assert!(has_cjk(&site));
    fs::remove_dir_all(site.home().join(".skillc")).unwrap();
    symlink(dotfiles.join("skillc"), site.home().join(".skillc")).unwrap();
    assert!(has_cjk(&site));
    fs::remove_file(dotfiles.join("skillc/config.toml")).unwrap();
    for (target, says) in
        [("/dev/zero", "not a regular file"), ("/", "not a regular file"), ("none", "the link is broken")]
    {
        symlink(target, users_file(&site)).unwrap();
        is_told(&site, says);
        fs::remove_file(users_file(&site)).unwrap();
    }
}

/// D6, RFC-0009:C-FILES
#[test]
fn a_configuration_that_is_enormous_or_no_file_is_reported_at_once() {
    for file in [project_file, users_file] {
        let site = Site::new();
        let file = file(&site);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::File::create(&file).unwrap().set_len(3 << 30).unwrap();
        is_told(&site, "exceeds the limit of 1048576 bytes");
        fs::write(&file, vec![0; 1 << 20]).unwrap();
        is_told(&site, "line 1, column 1");
        fs::write(&file, [b'['; 1 << 20]).unwrap();
        is_told(&site, "line 1");
        fs::write(&file, b"# \xff").unwrap();
        is_told(&site, "not UTF-8");
        fs::remove_file(&file).unwrap();
        make_fifo(&file);
        is_told(&site, "not a regular file");
        fs::remove_file(&file).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(&file).unwrap();
        is_told(&site, "not a regular file");
        drop(socket);
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        is_told(&site, "not a regular file");
    }
}

/// D6, RFC-0009:C-FILES
#[test]
fn many_faults_of_a_configuration_are_reported_in_few_lines() {
    let site = Site::new();
    let long = format!("{} = 1\n", "k".repeat(100_000));
    let many: String = (0..20_000).map(|number| format!("\"a{number}\\u001b[2J\" = 1\n")).collect();
    put(&project_file(&site), format!("{long}{many}[search]\ntokenizer = '{}'\n", "v".repeat(100_000)));
    let run = promptly(&site, ["config"]).ok();
    assert_eq!(run.err.matches("warning[").count(), 51, "{}", run.err.len());
    assert!(
        run.err.contains("… and ") && run.err.len() < 20_000 && !run.err.contains('\u{1b}'),
        "{}",
        run.err
    );
}

/// D6
#[test]
fn the_file_of_a_password_is_bounded_and_never_waited_for() {
    let site = Site::new();
    let file = site.home().join("password");
    put(&users_file(&site), "[team]\nurl = 'postgres:///x?host=/no'\npassword_file = '~/password'\n");
    make_fifo(&file);
    assert!(promptly(&site, ["config"]).ok().err.contains("not a regular file"));
    fs::remove_file(&file).unwrap();
    fs::File::create(&file).unwrap().set_len(3 << 30).unwrap();
    assert!(promptly(&site, ["config"]).ok().err.contains("exceeds the limit of 1048576 bytes"));
}

/// D3, RFC-0009:C-PROJECT, RFC-0001:C-DEPLOYMENT
#[test]
fn a_projects_targets_lie_inside_it_and_nothing_is_deployed_elsewhere() {
    let site = Site::new();
    site.write_skill("evil", "# Evil\n");
    let precious = site.home().join("evil/thesis.txt");
    put(&precious, "mine");
    fs::create_dir_all(site.home().join(".ssh")).unwrap();
    symlink(site.home(), site.project().join("out")).unwrap();
    let absolute = site.home().join(".ssh").to_string_lossy().into_owned();
    for place in ["~", "~/", "~/.claude/skills", "../x", "../../x", "a/../../x", "out", "out/deep", &absolute]
    {
        put(&project_file(&site), format!("[targets]\nclaude = '{place}'\n"));
        let run = promptly(&site, ["build", "evil", "--target", "claude", "--force"]).ok();
        let told =
            format!("warning[W033]: 'targets.claude = \"{place}\"' is allowed only in the user's own file");
        assert!(run.err.contains(&told), "{place}: {}", run.err);
        assert!(!site.project().join("~").exists(), "{place}");
        let own: Vec<_> = fs::read_dir(site.home()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(own.len(), 2, "{place}: {own:?}");
        assert_eq!(fs::read_dir(site.home().join(".ssh")).unwrap().count(), 0, "{place}");
    }
    assert!(precious.is_file() && site.project().join(".claude/skills/evil").exists());
    put(&project_file(&site), "[targets]\nclaude = 'tools/../mine'\n");
    promptly(&site, ["build", "evil", "--target", "claude"]).ok();
    assert!(site.project().join("mine/evil/SKILL.md").is_file());
    for reserved in [".skillc", ".skillc/deep", ".git", ".git/hooks"] {
        put(&project_file(&site), format!("[targets]\nclaude = '{reserved}'\n"));
        promptly(&site, ["build", "evil", "--target", "claude", "--force"]).fails("E014");
        assert!(!site.project().join(reserved).join("evil").exists(), "{reserved}");
    }
    put(&users_file(&site), "[targets]\nown = '~'\n");
    promptly(&site, ["build", "evil", "--target", "own"]).fails("E014");
}
