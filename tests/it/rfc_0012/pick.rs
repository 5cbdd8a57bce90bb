//! The picker in a real terminal (RFC-0012:C-PICK).

use super::screen::Screen;
use super::{scene, shared};
use crate::site::{Site, finish, put};
use std::fs;
use std::process::Command;

fn picking(site: &Site, columns: u32, lines: u32, command: &str) -> Screen {
    let screen = Screen::start(site, columns, lines, &format!("echo before; {command}; echo \"status $?\""));
    screen.wait_for("list", |shown| shown.contains("3/3 all"));
    screen
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_picked_skill_is_loaded_to_standard_output() {
    let site = scene();
    let screen = picking(&site, 100, 20, "\"$SKC\" pick > out.txt");
    for expected in [
        "What pdf-forms does.",
        "pdf-forms",
        "release-notes",
        "discord",
        "repo",
        "user",
        "Fills in forms",
        "Sections",
        "  Steps",
        "esc cancel",
    ] {
        screen.wait_text(expected);
    }
    screen.type_text("rel");
    screen.wait_for("list of one skill", |shown| {
        shown.contains("1/3 all") && shown.contains("release-notes") && !shown.contains("discord")
    });
    screen.press(&["Enter"]);
    let after = screen.wait_text("status 0");
    assert!(after.starts_with("before\n"), "the screen is as it was: {after}");
    let loaded = fs::read_to_string(site.project().join("out.txt")).unwrap();
    assert_eq!(loaded, site.skc(["load", "release-notes"]).ok().out);
    assert!(loaded.starts_with("<skill_context name=\"release-notes\""), "{loaded}");
}

/// RFC-0012:C-PICK, RFC-0010:C-SINGLE
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_single_file_is_shown_and_picked_as_any_skill() {
    let site = scene();
    let file = site.project().join(".skillc/skills/whistle.md");
    put(&file, "# Whistling\n\nWhistle like a marmot.\n");
    let command = "echo before; \"$SKC\" pick > out.txt; echo \"status $?\"";
    let screen = Screen::start(&site, 100, 20, command);
    screen.wait_text("4/4 all");
    screen.type_text("whi");
    screen.wait_for("preview of the file", |shown| {
        ["1/4 all", "Whistling", "Whistle like a marmot."].iter().all(|text| shown.contains(text))
    });
    screen.press(&["Enter"]);
    screen.wait_text("status 0");
    let loaded = fs::read_to_string(site.project().join("out.txt")).unwrap();
    assert_eq!(loaded, site.skc(["load", "whistle"]).ok().out);
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_picked_skill_is_announced_and_copied_on_a_terminal() {
    let site = scene();
    let loaded = "Loaded release-notes from .agents/skills/release-notes/SKILL.md\n";
    for (key, what) in [("Enter", "path"), ("C-y", "text")] {
        let screen = picking(&site, 80, 24, "\"$SKC\" pick");
        screen.press(&["Down", key]);
        let shown = screen.wait_text("status 0");
        let copied = format!("Copied its {what} (OSC 52; some terminals forbid it)\n");
        assert_eq!(shown, format!("before\n{loaded}{copied}status 0"));
        let expected = match what {
            "path" => site.project().join(".agents/skills/release-notes/SKILL.md").display().to_string(),
            _ => site.skc(["load", "release-notes"]).ok().out,
        };
        assert_eq!(screen.clipboard().trim_end(), expected.trim_end());
    }
    let screen = picking(&site, 80, 24, "\"$SKC\" pick --print-text");
    screen.press(&["Down", "Enter"]);
    let shown = screen.wait_text("status 0");
    assert!(shown.contains("<skill_context name=\"release-notes\"") && !shown.contains("Copied"), "{shown}");
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_search_without_a_query_opens_the_picker_on_a_terminal() {
    let site = scene();
    let screen = picking(&site, 80, 24, "\"$SKC\" find");
    screen.press(&["Down", "Enter"]);
    let shown = screen.wait_text("status 0");
    assert!(shown.contains("Loaded release-notes from "), "{shown}");
    site.skc(["find"]).fails("E100");
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_picked_skill_is_opened_in_the_editor() {
    let site = scene();
    let screen = picking(&site, 80, 24, "EDITOR='echo editing' \"$SKC\" pick");
    screen.press(&["Down", "C-o"]);
    let shown = screen.wait_text("status 0");
    assert!(shown.contains("editing "), "{shown}");
    assert!(shown.contains("\nEdited .agents/skills/release-notes/SKILL.md\n"), "{shown}");
    let screen = picking(&site, 80, 24, "\"$SKC\" pick");
    screen.press(&["Down", "C-o"]);
    assert!(screen.wait_text("status 1").contains("error[E100]: no editor is set"));
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_path_alone_is_printed_for_scripts() {
    let site = scene();
    let screen = picking(&site, 80, 24, "cd \"$(dirname \"$(\"$SKC\" pick --print)\")\" && pwd");
    screen.press(&["Down", "Enter"]);
    let shown = screen.wait_text("status 0");
    assert!(shown.replace('\n', "").contains(".agents/skills/release-notes"), "{shown}");
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn nothing_is_picked_by_escape_or_a_signal() {
    // Only on Linux can a process be found by its working directory.
    let signals: &[&str] = if cfg!(target_os = "linux") { &["TERM", "INT", "HUP"] } else { &[] };
    for way in ["Escape", "C-c"].iter().chain(signals).copied() {
        let site = scene();
        let screen = picking(
            &site,
            80,
            24,
            "\"$SKC\" pick > out.txt; echo \"status $?\"; stty -a | grep -c -- '-icanon'",
        );
        if signals.contains(&way) {
            let pid = pid_of(&site);
            assert!(Command::new("kill").args([&format!("-{way}"), &pid]).status().unwrap().success());
        } else {
            screen.press(&[way]);
        }
        let shown = screen.wait_text("status 1");
        let last = screen
            .wait_for("end", |shown| shown.lines().filter(|line| line.starts_with("status")).count() == 2);
        assert!(shown.starts_with("before\n"), "{way}: {shown}");
        assert!(last.lines().any(|line| line == "0"), "{way}: still raw: {last}");
        assert_eq!(fs::read_to_string(site.project().join("out.txt")).unwrap(), "", "{way}");
    }
}

/// The process id of the picker in the project of a site.
fn pid_of(site: &Site) -> String {
    let is_ours = |pid: &String| {
        let cwd = fs::read_link(format!("/proc/{pid}/cwd")).ok();
        let exe = fs::read_link(format!("/proc/{pid}/exe")).ok();
        cwd == Some(site.project())
            && exe.is_some_and(|exe| exe == fs::canonicalize(crate::site::program()).unwrap())
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().into_string().ok());
    all.filter(|name| name.bytes().all(|b| b.is_ascii_digit())).find(is_ours).expect("a running picker")
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn a_skill_is_switched_and_the_scope_chosen_while_picking() {
    let site = scene();
    let screen = picking(&site, 80, 10, "\"$SKC\" pick");
    screen.press(&["C-e"]);
    screen.wait_for("a mark", |shown| shown.lines().any(|line| line.starts_with(">- pdf-forms")));
    let config = fs::read_to_string(site.home().join(".skillc/config.toml")).unwrap();
    assert!(config.contains("pdf-forms"), "{config}");
    screen.press(&["C-e"]);
    screen.wait_for("no mark", |shown| shown.lines().any(|line| line.starts_with(">+ pdf-forms")));
    screen.press(&["Down", "M-e"]);
    screen.wait_for("a mark", |shown| shown.lines().any(|line| line.starts_with(">- release-notes")));
    let config = fs::read_to_string(site.project().join(".skillc/config.toml")).unwrap();
    assert!(config.contains("release-notes"), "{config}");
    screen.press(&["Tab"]);
    screen.wait_text("2/3 repo");
    screen.press(&["Tab"]);
    screen.wait_for("list of one skill", |shown| {
        shown.contains("1/3 user") && shown.contains("discord") && !shown.contains("pdf-forms")
    });
    screen.press(&["Tab"]);
    screen.wait_text("3/3 all");
}

/// RFC-0012:C-PICK
#[cfg_attr(not(has_tmux), ignore = "no tmux was found")]
#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let site = scene();
    shared(
        &site,
        false,
        "wide",
        "\"日本語の説明 🦀 with an escape \\e[31m and much more than there is room for.\"",
    );
    let screen = Screen::start(&site, 20, 5, "\"$SKC\" pick; echo \"status $?\"");
    screen.wait_for("list on five lines", |shown| {
        shown.contains("4/4 all") && shown.lines().count() == 5 && shown.contains(">+ pdf-forms")
    });
    screen.type_text("日本");
    screen.wait_for("one", |shown| shown.contains("+ wide") && !shown.contains("pdf-forms"));
    screen.resize(120, 30);
    screen.wait_for("preview", |shown| {
        shown.contains("│ wide (repo)") && shown.contains("日本語の説明 🦀 with an escape \\u{1b}[31m")
    });
    screen.resize(50, 12);
    screen.wait_for("no preview", |shown| shown.contains("wide") && !shown.contains('│'));
    screen.press(&["Escape"]);
    screen.wait_text("status 1");
}

/// RFC-0012:C-PICK
#[test]
fn without_a_terminal_nothing_is_picked() {
    let site = scene();
    site.skc_with(&[("TERM", "dumb")], ["pick"]).fails("E085");
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let mut command = Command::new("setsid");
    let skc = site.command(["pick"]);
    command.arg("-w").arg(skc.get_program()).arg("pick").current_dir(site.project()).env_clear();
    command.envs(skc.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(std::process::Stdio::null());
    finish(command).fails("E085");
}
