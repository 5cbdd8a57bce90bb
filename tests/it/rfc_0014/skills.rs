//! RFC-0014:C-SKILLS and C-SECTIONS: the skill, file and sections to which a record belongs.

use super::*;

/// The id of a record, the path that was read, and its offset and limit.
type RecordedRead<'a> = (&'a str, String, Option<(u32, u32)>);

fn import_reads(site: &Site, reads: &[RecordedRead<'_>]) {
    let values: Vec<Value> =
        reads.iter().flat_map(|(uuid, path, lines)| claude_read(uuid, path, *lines)).collect();
    claude_session(site, "s1", &values);
    import(site);
}

/// RFC-0014:C-SKILLS
#[cfg(unix)]
#[test]
fn a_path_belongs_to_the_nearest_skill_upward_with_links_resolved() {
    let site = Site::new();
    let real = agents_skill(&site, "dotfiles", "notes");
    fs::create_dir_all(site.home().join(".claude/skills")).unwrap();
    std::os::unix::fs::symlink(&real, site.home().join(".claude/skills/linked")).unwrap();
    put(&real.join("nested/deep/SKILL.md"), crate::site::skill_md("deep", "# Deep\n"));
    put(&real.join("nested/deep/a.md"), "x\n");
    let path = |rest: &str| site.home().join(".claude/skills/linked").join(rest).to_str().unwrap().to_owned();
    import_reads(
        &site,
        &[
            ("a", path("references/long.md"), None),
            ("b", path("nested/deep/a.md"), None),
            ("c", path("missing.md"), None),
            ("d", site.home().join("elsewhere.md").to_str().unwrap().to_owned(), None),
        ],
    );
    let expected =
        ["read notes references/long.md - - -", "read deep a.md - - -", "read notes missing.md - - -"];
    assert_eq!(events(&site), expected);
    assert_eq!(column(&site, "skill_path")[0], real.to_str().unwrap());
}

/// RFC-0014:C-SKILLS
#[test]
fn two_skills_of_one_name_stay_apart() {
    let site = Site::new();
    let one = agents_skill(&site, ".claude/skills", "notes");
    let other = agents_skill(&site, ".agents/skills", "notes");
    let path = |skill: &std::path::Path| skill.join("SKILL.md").to_str().unwrap().to_owned();
    import_reads(&site, &[("a", path(&one), None), ("b", path(&other), None)]);
    assert_eq!(column(&site, "skill_path"), [one.to_str().unwrap(), other.to_str().unwrap()]);
}

/// RFC-0014:C-SKILLS
#[test]
fn a_skill_whose_folder_is_gone_is_marked() {
    let site = Site::new();
    import_reads(&site, &[("a", "/gone/.claude/skills/old/references/a.md".into(), Some((3, 4)))]);
    assert_eq!(events(&site), ["read old references/a.md [3,6] - -"]);
    assert_eq!(column(&site, "skill_path"), ["/gone/.claude/skills/old"]);
    let args = column(&site, "args").concat();
    assert!(args.contains(r#""gone":true"#) && args.contains(r#""lines_only":true"#), "{args}");
}

/// RFC-0014:C-SKILLS
#[test]
fn a_read_of_a_deployed_build_belongs_to_its_source() {
    let site = Site::built("demo", "# Demo\n\nfirst\n");
    let deployed = site.project().join(".claude/skills/demo/SKILL.md");
    assert!(deployed.exists());
    import_reads(&site, &[("a", deployed.to_str().unwrap().to_owned(), Some((1, 3)))]);
    assert_eq!(column(&site, "skill_path"), [site.skill("demo").to_str().unwrap()]);
    // The line numbers refer to the stub.
    assert!(column(&site, "args")[0].contains(r#""lines_only":true"#));
    let stats = site.skc(["stats", "demo", "--group-by", "files", "--format", "json"]).ok().json();
    assert_eq!(stats["data"], json!([{ "file": "SKILL.md", "count": 1 }]));
}

/// RFC-0014:C-SKILLS
#[test]
fn a_name_without_a_path_is_looked_up_in_the_agents_own_folders() {
    let site = Site::new();
    let own = agents_skill(&site, ".claude/skills", "notes");
    let values = [
        claude("1", "assistant", tool_use("t1", "Skill", json!({ "skill": "notes" }))),
        claude("2", "user", tool_result("t1", "Launching skill: notes", false)),
        claude("3", "assistant", tool_use("t2", "Skill", json!({ "skill": "plugin:notes" }))),
        claude("4", "user", tool_result("t2", "Launching skill: plugin:notes", false)),
        claude("5", "user", json!("<command-name>/notes</command-name>")),
        claude("6", "user", json!("<command-name>/compact</command-name>")),
    ];
    claude_session(&site, "s1", &values);
    import(&site);
    assert_eq!(
        column(&site, "command || ' ' || skill_path"),
        [format!("chosen {}", own.display()), "chosen ".to_owned(), format!("requested {}", own.display()),]
    );
}

/// RFC-0014:C-SECTIONS
#[test]
fn a_range_of_lines_reads_the_sections_that_it_overlaps_and_counts_as_one_read() {
    let site = Site::new();
    let skill = agents_skill(&site, ".claude/skills", "notes");
    let path = skill.join("references/long.md").to_str().unwrap().to_owned();
    import_reads(
        &site,
        &[("a", path.clone(), Some((6, 3))), ("b", path.clone(), None), ("c", path, Some((1, 2)))],
    );
    let expected = [
        "read notes references/long.md [6,8] One -",
        "read notes references/long.md [6,8] Deep -",
        "read notes references/long.md - - -",
        "read notes references/long.md [1,2] - -",
    ];
    assert_eq!(events(&site), expected);
    let skill = skill.to_str().unwrap();
    let stats = |grouping: &str| {
        site.skc(["stats", skill, "--group-by", grouping, "--format", "json"]).ok().json()["data"].clone()
    };
    assert_eq!(stats("files"), json!([{ "file": "references/long.md", "count": 3 }]));
    assert_eq!(stats("commands")["read"], 3);
    let section = |name: &str| json!({ "section": name, "file": "references/long.md", "count": 1 });
    assert_eq!(stats("sections"), json!([section("Deep"), section("One")]));
    let summary = stats("summary");
    assert_eq!((&summary["unique_sections"], &summary["unique_files"]), (&json!(2), &json!(1)));
}

/// RFC-0014:C-SECTIONS
#[test]
fn only_the_lines_of_a_file_changed_since_are_known() {
    let site = Site::new();
    let skill = agents_skill(&site, ".claude/skills", "notes");
    let file = skill.join("references/long.md");
    put(&file, "# Other\n\ntext\n");
    import_reads(&site, &[("a", file.to_str().unwrap().to_owned(), Some((1, 2)))]);
    assert_eq!(events(&site), ["read notes references/long.md [1,2] - -"]);
    assert!(column(&site, "args")[0].contains(r#""lines_only":true"#));
}
