//! RFC-0010:C-WRITE: the catalog block in a user's file.

use crate::site::{Site, put, skill_md, snapshot};
use std::fs;

fn site() -> Site {
    let site = Site::without_project();
    put(&site.project().join(".agents/skills/x/SKILL.md"), skill_md("x", "body"));
    site
}

/// RFC-0010:C-WRITE
#[test]
fn the_block_in_a_file_is_kept_up_to_date_and_the_rest_stays() {
    let site = site();
    let file = site.project().join("AGENTS.md");
    let write = || site.skc(["catalog", "--write", "AGENTS.md"]).ok().out;
    assert_eq!(write(), "created: AGENTS.md\n");
    let made = fs::read_to_string(&file).unwrap();
    assert!(
        made.starts_with("<!-- skc:catalog begin -->\n## Skills\n") && made.ends_with("end -->\n"),
        "{made}"
    );
    assert_eq!(write(), "up to date: AGENTS.md\n");
    fs::write(&file, format!("# Mine\r\n\r\n{made}\r\ntail \u{feff}")).unwrap();
    put(&site.project().join(".agents/skills/y/SKILL.md"), skill_md("y", "body"));
    assert_eq!(write(), "updated: AGENTS.md\n");
    let updated = fs::read_to_string(&file).unwrap();
    assert!(updated.starts_with("# Mine\r\n\r\n<!-- skc:catalog begin -->\n## Skills\r\n"), "{updated:?}");
    assert!(updated.ends_with("end -->\n\r\ntail \u{feff}") && updated.contains("**y**"));
    put(&site.project().join(".skillc/config.toml"), "[skills]\nenabled = false\n");
    assert_eq!(write(), "updated: AGENTS.md\n");
    assert!(
        fs::read_to_string(&file).unwrap().contains("begin -->\n<!-- skc:catalog end"),
        "nothing in between"
    );
}

/// RFC-0010:C-WRITE
#[test]
fn a_check_writes_nothing_and_ends_with_1_when_out_of_date() {
    let site = site();
    let check = || site.skc(["catalog", "--write", "AGENTS.md", "--check"]);
    assert_eq!(check().status, 1);
    assert!(!site.project().join("AGENTS.md").exists());
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    assert_eq!(check().ok().out, "up to date: AGENTS.md\n");
    put(&site.project().join(".agents/skills/x/SKILL.md"), skill_md("x", "body").replace("Does", "Did"));
    let before = fs::read(site.project().join("AGENTS.md")).unwrap();
    assert_eq!(check().out, "out of date: AGENTS.md\n");
    assert_eq!(fs::read(site.project().join("AGENTS.md")).unwrap(), before);
    site.skc(["catalog", "--check"]).fails("E100");
}

/// RFC-0010:C-WRITE
#[test]
fn broken_marks_are_refused_and_nothing_is_written() {
    let site = site();
    let file = site.project().join("AGENTS.md");
    for broken in
        ["<!-- skc:catalog begin -->\n", "a\n<!-- skc:catalog end -->\n<!-- skc:catalog begin -->\n"]
    {
        fs::write(&file, broken).unwrap();
        site.skc(["catalog", "--write", "AGENTS.md"]).fails("E077");
        assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    site.skc(["catalog", "--write", "AGENTS.md"]).fails("E999");
}

/// RFC-0010:C-WRITE
#[test]
fn without_a_skill_no_file_is_made_and_no_marks_are_added() {
    let site = Site::without_project();
    let nothing = "nothing to list in AGENTS.md: the repository has no skills; '--scope all' includes those of the user\n";
    assert_eq!(site.skc(["catalog", "--write", "AGENTS.md"]).ok().out, nothing);
    assert!(snapshot(&site.project()).is_empty());
    put(&site.project().join("AGENTS.md"), "# Mine");
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    assert_eq!(fs::read_to_string(site.project().join("AGENTS.md")).unwrap(), "# Mine");
}

/// RFC-0010:C-WRITE
#[test]
fn the_block_in_a_file_depends_neither_on_the_agents_of_the_machine_nor_on_its_users_roots() {
    let site = site();
    put(&site.project().join(".git/HEAD"), "");
    put(&site.project().join(".cursor/skills/for-cursor/SKILL.md"), skill_md("for-cursor", "body"));
    put(&site.home().join(".agents/skills/mine/SKILL.md"), skill_md("mine", "body"));
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    let text = fs::read_to_string(site.project().join("AGENTS.md")).unwrap();
    assert!(text.contains(".cursor/skills/for-cursor/SKILL.md") && !text.contains("mine"), "{text}");
    let check = || site.skc(["catalog", "--write", "AGENTS.md", "--check"]).ok();
    fs::create_dir(site.home().join(".cursor")).unwrap();
    check();
    for roots in ["standard", "all"] {
        put(&site.home().join(".skillc/config.toml"), format!("[discovery]\ndefault_roots = \"{roots}\"\n"));
        check();
    }
    let standard = site.skc(["catalog", "--write", "AGENTS.md", "--check", "--roots", "standard"]);
    assert_eq!(standard.status, 1, "roots that are named count");
}

/// RFC-0010:C-WRITE
#[test]
fn the_block_in_a_file_does_not_depend_on_its_users_settings() {
    let site = site();
    put(&site.project().join(".git/HEAD"), "");
    put(&site.project().join(".agents/skills/y/SKILL.md"), skill_md("y", "body"));
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    for settings in [
        "[skills]\ndisabled = ['x']",
        "[skills]\nenabled = false",
        "[skills.initial]\nmax_entries = 1",
        "[permissions]\ndeny = ['x']",
        "[permissions]\nconfirm = ['x']",
        "[discovery]\nlenient = true",
        "[discovery]\nroots = ['~/more']",
    ] {
        put(&site.home().join(".skillc/config.toml"), settings);
        site.skc(["catalog", "--write", "AGENTS.md", "--check"]).ok();
    }
    put(&site.project().join(".skillc/config.toml"), "[skills]\ndisabled = ['x']\n");
    assert_eq!(site.skc(["catalog", "--write", "AGENTS.md", "--check"]).status, 1, "the project's counts");
}

/// RFC-0010:C-WRITE
#[test]
fn the_block_in_a_file_lists_the_repositorys_skills_by_relative_paths() {
    let site = site();
    put(&site.home().join(".agents/skills/mine/SKILL.md"), skill_md("mine", "body"));
    put(&site.project().join(".git/HEAD"), "");
    fs::create_dir(site.project().join("docs")).unwrap();
    let written = |arguments: &[&str], file: &str| {
        site.skc([&["catalog", "--write", file][..], arguments].concat()).ok();
        fs::read_to_string(site.project().join(file)).unwrap()
    };
    let text = written(&[], "AGENTS.md");
    assert!(text.contains("`.agents/skills/x/SKILL.md`") && !text.contains("mine"), "{text}");
    assert!(!text.contains(site.root().to_str().unwrap()), "{text}");
    let below = written(&[], "docs/skills.txt");
    assert!(below.contains("<path>../.agents/skills/x/SKILL.md</path>"), "{below}");
    let all = written(&["--scope", "all"], "ALL.md");
    assert!(all.contains("**mine**") && all.contains("**x**"), "{all}");
    assert!(written(&["--scope", "user"], "USER.md").contains("**mine**"));
}
