//! RFC-0006: scaffolding.

use crate::site::{Site, snapshot};
use std::fs;

/// RFC-0006:C-INIT
#[test]
fn init_makes_a_project_and_may_be_repeated() {
    let site = Site::without_project();
    let first = site.skc(["init"]).ok();
    assert!(first.out.contains(".skillc/skills"), "{}", first.out);
    assert!(site.project().join(".skillc/skills").is_dir());
    site.write_skill("kept", "# Kept\n");
    let before = snapshot(&site.project());
    let second = site.skc(["init"]).ok();
    // By now there is a skill to build.
    let expected = first.out.replace("'skc init' with a name", "'skc build --all'");
    assert!(first.out.contains("'skc init' with a name"), "{}", first.out);
    assert_eq!((second.out, second.err), (expected, String::new()));
    assert_eq!(snapshot(&site.project()), before);
}

/// RFC-0006:C-INIT, RFC-0007:C-LIST
#[test]
fn init_in_a_folder_of_skills_says_how_they_are_built() {
    let site = Site::without_project();
    let folder = site.project();
    for name in ["two", "one"] {
        crate::site::put(&folder.join(name).join("SKILL.md"), crate::site::skill_md(name, "# X\n"));
    }
    let overview = site.skc(["list"]).ok().out;
    assert!(overview.ends_with("Skills  2 in this folder\nNext    run 'skc build one'\n"), "{overview}");
    let done = site.skc(["init"]).ok();
    assert!(done.out.ends_with("Next: run 'skc build one'\n"), "{}", done.out);
    site.skc(["build", "one"]).ok();
    assert!(site.skill("one").join("SKILL.md").is_file());
    let again = site.skc(["init"]).ok();
    assert!(again.out.ends_with("Next: run 'skc build --all'\n"), "{}", again.out);

    let repository = Site::without_project();
    let skill = repository.project().join("skills/own/SKILL.md");
    crate::site::put(&skill, crate::site::skill_md("own", "# X\n"));
    let overview = repository.skc(["list"]).ok().out;
    assert!(overview.ends_with("Skills  1 in skills\nNext    run 'skc init --in-place'\n"), "{overview}");
    let done = repository.skc(["init"]).ok();
    assert!(done.out.ends_with("Next: run 'skc init --in-place'\n"), "{}", done.out);
    let global = repository.skc(["init", "--global"]).ok();
    assert!(global.out.ends_with("Next: run 'skc init' with a name\n"), "{}", global.out);
}

/// RFC-0006:C-INIT
#[test]
fn init_with_a_name_makes_a_skill() {
    let expected = "---\nname: my-skill\ndescription: \"TODO: Add skill description\"\n---\n\n# My Skill\n";
    for (arguments, path) in [
        (&["init", "My-Skill"][..], "project/.skillc/skills/my-skill/SKILL.md"),
        (&["init", "my-skill", "--global"], "home/.skillc/skills/my-skill/SKILL.md"),
    ] {
        let site = Site::without_project();
        let done = site.skc(arguments).ok();
        assert!(done.out.contains("my-skill/SKILL.md"), "{}", done.out);
        assert_eq!(fs::read_to_string(site.root().join(path)).unwrap(), expected);
        let store = path.split("skills/").next().unwrap();
        let is_stores =
            |name: &str| [".gitignore", "config.toml"].iter().any(|own| name == format!("{store}{own}"));
        let files = snapshot(&site.root()).into_iter().map(|(name, _)| name);
        let files = files.filter(|name| !name.ends_with('/') && !is_stores(name));
        assert_eq!(files.collect::<Vec<_>>(), [path]);
    }
    let site = Site::new();
    let below = site.project().join("src/deep");
    fs::create_dir_all(&below).unwrap();
    site.skc_in(&below, ["init", "my-skill"]).ok();
    assert_eq!(fs::read_to_string(site.skill("my-skill").join("SKILL.md")).unwrap(), expected);
}

/// RFC-0006:C-INIT
#[test]
fn a_new_skill_builds_unchanged() {
    let site = Site::without_project();
    site.skc(["init", "my-skill"]).ok();
    assert_eq!(site.skc(["build", "my-skill"]).ok().err, "");
    site.skc(["show", "my-skill", "--section", "My Skill"]).ok();
    let longest = "a".repeat(64);
    site.skc(["init", &longest]).ok();
    site.skc(["build", &longest]).ok();
}

/// RFC-0006:C-INIT
#[test]
fn init_refuses_a_name_out_of_form() {
    let site = Site::new();
    let before = snapshot(&site.root());
    let too_long = "a".repeat(65);
    for name in [
        "",
        " ",
        "a b",
        "a_b",
        "naïve",
        "技能",
        "a.b",
        "a-",
        "a--b",
        "x:y",
        "a\nb",
        "a\u{202e}b",
        "\u{1b}[31m",
        &too_long,
    ] {
        let refused = site.skc(["init", name]).fails("E051");
        assert_eq!(refused.out, "", "{name:?}");
        assert!(!refused.err.contains(['\u{1b}', '\u{202e}']), "{name:?}: {}", refused.err);
    }
    site.skc(["init", "--", "-a"]).fails("E051");
    assert_eq!(snapshot(&site.root()), before);
}

/// RFC-0006:C-INIT
#[test]
fn init_refuses_a_name_that_is_a_path() {
    let site = Site::new();
    let before = snapshot(&site.root());
    let absolute = site.root().join("victim");
    for name in [
        "../x",
        "../../x",
        absolute.to_str().unwrap(),
        "a/b",
        "a/",
        "./a",
        ".",
        "..",
        "a\\b",
        "C:x",
        "~",
        ".git",
    ] {
        site.skc(["init", name]).fails("E051");
        site.skc(["init", name, "--global"]).fails("E051");
    }
    assert_eq!(snapshot(&site.root()), before);
}

/// RFC-0006:C-INIT
#[test]
fn a_second_init_leaves_the_skill_as_it_is() {
    let site = Site::new();
    let mine = site.write("mine", "SKILL.md", "mine, whatever it says\n");
    for name in ["mine", "MINE"] {
        let refused = site.skc(["init", name]).fails("E050");
        assert!(refused.err.contains("skill 'mine' already exists"), "{}", refused.err);
    }
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine, whatever it says\n");
    site.write("draft", "notes.md", "a folder without SKILL.md\n");
    site.skc(["init", "draft"]).ok();
    assert_eq!(
        fs::read_to_string(site.skill("draft").join("notes.md")).unwrap(),
        "a folder without SKILL.md\n"
    );
}

/// RFC-0006:C-INIT
#[test]
fn init_says_what_it_changed_in_a_name() {
    let site = Site::new();
    let done = site.skc(["init", "My-Skill"]).ok();
    assert!(done.out.contains("The name 'My-Skill' was converted to lower case"), "{}", done.out);
    let same = site.skc(["init", "another", "--format", "json"]).ok().json();
    assert_eq!(same.get("given"), None);
}

/// RFC-0006:C-INIT
#[test]
fn init_keeps_a_configuration_that_is_there() {
    let site = Site::without_project();
    let config = site.project().join(".skillc/config.toml");
    let mine = "# mine\n[index]\non_stale = \"error\"\n";
    crate::site::put(&config, mine);
    site.skc(["init"]).ok();
    assert_eq!(fs::read_to_string(&config).unwrap(), mine);
    for _ in 0..2 {
        site.skc(["init", "--in-place"]).ok();
        assert_eq!(
            fs::read_to_string(&config).unwrap(),
            format!("{mine}\n[sources]\nroots = [\"skills\"]\n")
        );
    }
    let fresh = Site::without_project();
    fresh.skc(["init"]).ok();
    let text = fs::read_to_string(fresh.project().join(".skillc/config.toml")).unwrap();
    assert_eq!(text, "version = 1\n\n[index]\non_stale = \"rebuild\"\n");
    let settings = fresh.skc(["config"]).ok();
    assert!(settings.err.is_empty(), "{}", settings.err);
}

/// RFC-0006:C-INIT
#[test]
fn a_repeated_init_names_the_configured_store() {
    let site = Site::without_project();
    site.skc(["init", "--in-place"]).ok();
    let again = site.skc(["init"]).ok();
    assert!(again.out.contains("store in skills\n"), "{}", again.out);
    assert!(!site.project().join(".skillc/skills").exists(), "no second store");
}

/// RFC-0006:C-INIT
#[test]
fn the_root_folder_is_no_project() {
    let site = Site::without_project();
    let mut command = site.command(["init", "demo"]);
    command.current_dir("/");
    let run = crate::site::finish(command);
    assert!(run.status == 2 || run.status == 1, "{}", run.status);
    assert!(run.err.contains("error[E100]: the root folder cannot be a project"), "{}", run.err);
    assert!(!std::path::Path::new("/.skillc").exists());
}

/// RFC-0006:C-INIT
#[test]
fn init_says_how_skills_of_an_agents_folder_are_built() {
    let site = Site::without_project();
    fs::create_dir(site.project().join(".git")).unwrap();
    let skill = site.project().join(".claude/skills/own/SKILL.md");
    crate::site::put(&skill, crate::site::skill_md("own", "# X\n"));
    let done = site.skc(["init", "--in-place"]).ok();
    let hint = "To build the skills in .claude/skills (1), move their folders to skills\n";
    assert!(done.out.contains(hint), "{}", done.out);
    fs::rename(site.project().join(".claude/skills/own"), site.project().join("skills/own")).unwrap();
    let built = site.skc(["build", "--all"]).ok();
    assert!(built.out.contains("Deploy   .claude/skills/own"), "{}", built.out);
    assert!(!site.skc(["init"]).ok().out.contains("To build the skills"));
}
