//! RFC-0007:C-MAN.

use crate::site::Site;
use std::fs;
use std::path::Path;
use std::process::Command;

/// RFC-0007:C-MAN
#[test]
fn every_command_has_a_man_page() {
    let site = Site::new();
    fs::create_dir(site.project().join("man1")).unwrap();
    site.skc(["man", "man1"]).ok();
    let page = |name: &str| fs::read_to_string(site.project().join("man1").join(name)).unwrap();
    assert!(page("skc.1").contains("SUBCOMMANDS"));
    assert!(page("skc-mcp-config.1").contains(".TH skc-mcp-config 1 \"\" \"skc "));
    for verb in skillc::full_command().get_subcommands() {
        let text = page(&format!("skc-{}.1", verb.get_name()));
        assert!(text.contains("EXAMPLES"), "{}", verb.get_name());
        assert!(!text.contains("RFC-") && !text.contains('\u{1b}'), "{}", verb.get_name());
    }
    if Path::new("/usr/bin/man").exists() {
        for page in fs::read_dir(site.project().join("man1")).unwrap() {
            let path = page.unwrap().path();
            let shown = Command::new("man").args(["-l", "--warnings"]).arg(&path).output().unwrap();
            let warnings = String::from_utf8_lossy(&shown.stderr).into_owned();
            assert!(shown.status.success() && warnings.is_empty(), "{}: {warnings}", path.display());
        }
    }
}

/// RFC-0007:C-MAN
#[test]
fn a_file_that_is_no_page_is_not_replaced() {
    let site = Site::new();
    let (folder, mine) = (site.project().join("man1"), site.project().join("man1/skc.1"));
    site.skc(["man", "man1"]).fails("E999");
    fs::create_dir(&folder).unwrap();
    fs::write(&mine, "mine").unwrap();
    site.skc(["man", "man1"]).fails("E052");
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    fs::remove_file(&mine).unwrap();
    site.skc(["man", "man1"]).ok();
    let first = fs::read(&mine).unwrap();
    site.skc(["man", folder.to_str().unwrap()]).ok();
    assert_eq!(fs::read(&mine).unwrap(), first);
}
