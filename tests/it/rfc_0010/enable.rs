//! RFC-0010:C-ENABLE: disabling and enabling skills.

use super::scene::{configure, configure_project, repo, text, user, write};
use crate::site::{Site, snapshot};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn site() -> Site {
    let site = Site::new();
    write(&repo(&site, "release"), "# R\n");
    site
}

fn users(site: &Site) -> PathBuf {
    site.home().join(".skillc/config.toml")
}

fn projects(site: &Site) -> PathBuf {
    site.project().join(".skillc/config.toml")
}

/// RFC-0010:C-ENABLE
#[test]
fn a_skill_that_is_switched_off_is_not_loaded_until_it_is_switched_on() {
    let site = site();
    let off = site.skc(["disable", "release"]).ok();
    assert!(off.out.contains("release is switched off in ~/.skillc/config.toml"), "{}", off.out);
    assert_eq!(fs::read_to_string(users(&site)).unwrap(), "[skills]\ndisabled = [\"release\"]\n");
    assert!(site.skc(["load", "release"]).fails("E073").err.contains("skc enable release"));
    let again = site.skc(["disable", "release", "--format", "json"]).ok().json();
    assert_eq!((&again["changed"], &again["enabled"]), (&false.into(), &false.into()));
    site.skc(["enable", "release"]).ok();
    site.skc(["load", "release"]).ok();
    let noop = site.skc(["enable", "release"]).ok();
    assert!(noop.out.contains("nothing to do"), "{}", noop.out);
}

/// RFC-0010:C-ENABLE
#[test]
fn only_the_list_is_changed_in_the_file() {
    let site = site();
    let before = "# mine\r\nversion = 1\r\n\r\n[skills] # all\r\ndisabled = [\r\n  'other', # why\r\n]\r\n";
    configure(&site, before);
    site.skc(["disable", "release"]).ok();
    let after = fs::read_to_string(users(&site)).unwrap();
    assert_eq!(after, before.replace("# why\r\n", "# why\r\n  \"release\",\r\n"));
    site.skc(["enable", "release"]).ok();
    assert_eq!(fs::read_to_string(users(&site)).unwrap(), before);
}

/// RFC-0010:C-ENABLE
#[test]
fn the_project_has_its_own_list_and_enable_says_where_a_skill_is_still_off() {
    let site = site();
    site.skc(["disable", "release", "--project"]).ok();
    assert!(projects(&site).is_file() && !users(&site).exists());
    let still = site.skc(["enable", "release"]).ok();
    assert!(
        still.err.contains("warning[W057]: ") && still.err.contains(&text(&projects(&site))),
        "{}",
        still.err
    );
    site.skc(["load", "release"]).fails("E073");
    site.skc(["enable", "release", "--project"]).ok();
    site.skc(["load", "release"]).ok();
    let elsewhere = Site::without_project();
    write(&user(&elsewhere, "notes"), "# N\n");
    elsewhere.skc(["disable", "notes", "--project"]).fails("E100");
    site.skc(["enable", "release", "--project", "--allow"]).fails("E100");
}

/// RFC-0010:C-ENABLE
#[test]
fn a_name_that_no_skill_has_is_refused_with_those_like_it() {
    let site = site();
    let refused = site.skc(["disable", "relase"]).fails("E071");
    assert!(refused.err.contains("  - release"), "{}", refused.err);
    site.skc(["enable", "../x"]).fails("E071");
    assert!(!users(&site).exists());
    configure(&site, "[skills]\ndisabled = ['gone']\n");
    site.skc(["enable", "gone"]).ok();
    assert_eq!(fs::read_to_string(users(&site)).unwrap(), "[skills]\ndisabled = []\n");
}

/// RFC-0010:C-ENABLE
#[test]
fn a_file_that_cannot_be_changed_is_left_as_it_is() {
    let site = site();
    for toml in ["[skills\n", "skills = 3\n", "[skills]\ndisabled = 'x'\n", "skills.enabled = true\n"] {
        configure(&site, toml);
        let refused = site.skc(["disable", "release"]).fails("E105");
        assert_eq!((refused.out.as_str(), fs::read_to_string(users(&site)).unwrap()), ("", toml.to_owned()));
    }
    fs::remove_file(users(&site)).unwrap();
    symlink("nowhere/config.toml", users(&site)).unwrap();
    site.skc(["disable", "release"]).fails("E105");
    assert!(fs::symlink_metadata(users(&site)).unwrap().is_symlink());
    fs::remove_file(users(&site)).unwrap();
    fs::create_dir(users(&site)).unwrap();
    site.skc(["disable", "release"]).fails("E105");
}

/// RFC-0010:C-ENABLE
#[test]
fn a_link_in_the_place_of_a_file_is_followed_for_the_user_and_stays_in_a_project() {
    let site = site();
    let dotfiles = site.root().join("dotfiles.toml");
    fs::write(&dotfiles, "version = 1\n").unwrap();
    configure(&site, "");
    fs::remove_file(users(&site)).unwrap();
    symlink(&dotfiles, users(&site)).unwrap();
    site.skc(["disable", "release"]).ok();
    assert!(fs::symlink_metadata(users(&site)).unwrap().is_symlink());
    assert!(fs::read_to_string(&dotfiles).unwrap().contains("release"));
    let others = site.root().join("others.toml");
    fs::write(&others, "").unwrap();
    configure_project(&site, "");
    fs::remove_file(projects(&site)).unwrap();
    symlink(&others, projects(&site)).unwrap();
    let before = snapshot(&site.project());
    site.skc(["disable", "release", "--project"]).fails("E018");
    assert_eq!((fs::read_to_string(&others).unwrap(), snapshot(&site.project())), (String::new(), before));
}

/// RFC-0010:C-ENABLE
#[test]
fn no_concurrent_change_is_lost() {
    let site = Site::new();
    let names: Vec<String> = (0..8).map(|number| format!("skill-{number}")).collect();
    names.iter().for_each(|name| drop(write(&repo(&site, name), "# S\n")));
    let running: Vec<_> = names.iter().map(|name| site.command(["disable", name]).spawn().unwrap()).collect();
    for child in running {
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let told = fs::read_to_string(users(&site)).unwrap();
    assert!(names.iter().all(|name| told.contains(&format!("\"{name}\""))), "{told}");
}
