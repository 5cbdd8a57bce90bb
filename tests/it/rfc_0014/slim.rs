//! RFC-0014:C-SLIM: proposals derived from histories, applied and undone.

use super::*;
use crate::site::snapshot;
use std::path::Path;

/// Writes a skill into the user's store, with a section that is long enough to be moved to a file.
fn stored_skill(site: &Site, name: &str, description: &str) -> PathBuf {
    let folder = site.home().join(".skillc/skills").join(name);
    let long = "Words that nobody needed so far.\n".repeat(20);
    let text = format!(
        "---\nname: {name}\ndescription: {description}\n---\n# {name}\n\nintro\n\n## Used\n\nread\n\n## Old forms\n\n{long}\n## End\n\nlast\n"
    );
    put(&folder.join("SKILL.md"), text);
    put(&folder.join("scripts/run.sh"), "true\n");
    age(&folder.join("SKILL.md"));
    folder
}

fn listed(uuid: &str, session: &str, line: &str, name: &str) -> Value {
    json!({ "type": "attachment", "uuid": uuid, "sessionId": session, "timestamp": AT, "cwd": "/work/app",
            "attachment": { "type": "skill_listing", "content": line, "names": [name] } })
}

fn proposals(site: &Site) -> Vec<Value> {
    site.skc(["slim", "--format", "json"]).ok().json()["proposals"].as_array().unwrap().clone()
}

/// Writes six sessions that load `notes` and read some of its lines.
fn reads(site: &Site, folder: &Path) {
    let file = folder.join("SKILL.md");
    let mut values: Vec<Value> =
        (0..6).flat_map(|n| claude_read(&format!("r{n}"), file.to_str().unwrap(), Some((9, 2)))).collect();
    values.extend(claude_read("whole", file.to_str().unwrap(), None));
    claude_session(site, "s1", &values);
}

/// RFC-0014:C-SLIM
#[test]
fn sections_that_were_never_read_are_moved_and_undone() {
    let site = Site::new();
    let folder = stored_skill(&site, "notes", "Takes notes.");
    reads(&site, &folder);
    import(&site);
    let [proposal] = &proposals(&site)[..] else { panic!("{:?}", proposals(&site)) };
    assert_eq!((&proposal["id"], &proposal["kind"]), (&json!("move:notes/SKILL.md"), &json!("move")));
    assert_eq!(
        (&proposal["replayed"], &proposal["missed"], &proposal["times"]),
        (&json!(7), &json!(0), &json!(1))
    );
    assert!((140..200).contains(&proposal["tokens"].as_u64().unwrap()), "{proposal}");
    let diff = proposal["diff"].as_str().unwrap();
    assert!(
        diff.contains("+See [Old forms](references/old-forms.md).") && diff.contains("--- /dev/null"),
        "{diff}"
    );
    let before = snapshot(&folder);
    let text = site.skc(["slim", "--apply", "move:notes/SKILL.md"]).ok().out;
    assert!(text.contains("Applied move:notes/SKILL.md"), "{text}");
    let now = fs::read_to_string(folder.join("SKILL.md")).unwrap();
    assert!(
        now.contains("## Used\n\nread\n") && now.contains("## End") && !now.contains("nobody needed"),
        "{now}"
    );
    let moved = fs::read_to_string(folder.join("references/old-forms.md")).unwrap();
    assert!(moved.starts_with("# Old forms\n") && moved.contains("nobody needed"), "{moved}");
    assert!(folder.join("scripts/run.sh").exists());
    assert!(proposals(&site).is_empty());
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&folder), before);
}

/// RFC-0014:C-SLIM
#[test]
fn nothing_is_changed_without_apply() {
    let site = Site::new();
    let folder = stored_skill(&site, "notes", "Takes notes.");
    reads(&site, &folder);
    import(&site);
    let before = snapshot(&site.home().join(".skillc/skills"));
    let text = site.skc(["slim"]).ok().out;
    assert!(
        text.contains("7 recorded reads replayed, 0 would have failed")
            && text.contains("Nothing was changed"),
        "{text}"
    );
    site.skc(["slim", "notes"]).ok();
    site.skc(["slim", "--apply", "move:other/SKILL.md"]).fails("E100");
    assert_eq!(snapshot(&site.home().join(".skillc/skills")), before);
    let none = Site::new();
    assert!(none.skc(["slim"]).ok().out.contains("Nothing to propose"));
}

/// RFC-0014:C-SLIM
#[test]
fn an_unused_skill_is_switched_off() {
    let site = Site::new();
    let folder = stored_skill(&site, "idle", "Does what nobody wants.");
    site.skc(["build", folder.to_str().unwrap(), "-t", "claude"]).ok();
    let line = "- idle: Does what nobody wants.";
    let values: Vec<Value> =
        (0..12).map(|n| listed(&format!("l{n}"), &format!("s{n}"), line, "idle")).collect();
    claude_session(&site, "s1", &values);
    import(&site);
    let [proposal] = &proposals(&site)[..] else { panic!("{:?}", proposals(&site)) };
    assert_eq!(
        (&proposal["id"], &proposal["tokens"], &proposal["times"]),
        (&json!("disable:idle"), &json!(8), &json!(12))
    );
    site.skc(["slim", "--apply", "all"]).ok();
    assert!(proposals(&site).is_empty());
    let config = fs::read_to_string(site.home().join(".skillc/config.toml")).unwrap();
    assert!(config.contains("idle"), "{config}");
    site.skc(["enable", "idle"]).ok();
    assert_eq!(proposals(&site).len(), 1);
}

/// RFC-0014:C-SLIM
#[test]
fn a_description_that_was_cut_is_shortened() {
    let site = Site::new();
    let description = "Takes notes of all meetings. Use it when somebody speaks. It also draws pictures of every speaker, and writes letters.";
    let folder = stored_skill(&site, "notes", description);
    site.skc(["build", folder.to_str().unwrap(), "-t", "claude"]).ok();
    let cut = format!("- notes: {}…", &description[..75]);
    let mut values = vec![listed("l1", "s1", &cut, "notes"), listed("l2", "s2", &cut, "notes")];
    values.extend(claude_read("a", folder.join("SKILL.md").to_str().unwrap(), None));
    claude_session(&site, "s1", &values);
    import(&site);
    let [proposal] = &proposals(&site)[..] else { panic!("{:?}", proposals(&site)) };
    assert_eq!(proposal["id"], "shorten:notes");
    let diff = proposal["diff"].as_str().unwrap();
    assert!(
        diff.contains("+description: \"Takes notes of all meetings. Use it when somebody speaks.\""),
        "{diff}"
    );
    site.skc(["slim", "--apply", "shorten:notes"]).ok();
    let now = fs::read_to_string(folder.join("SKILL.md")).unwrap();
    assert!(now.contains("speaks.\"\n---\n# notes"), "{now}");
    assert!(proposals(&site).is_empty(), "older lists say nothing of it");
    // A description that is shown in full is not reported.
    let site = Site::new();
    let folder = stored_skill(&site, "notes", description);
    site.skc(["build", folder.to_str().unwrap(), "-t", "claude"]).ok();
    claude_session(&site, "s1", &[listed("l1", "s1", &format!("- notes: {description}"), "notes")]);
    import(&site);
    assert!(proposals(&site).is_empty());
}

/// Writes a stored skill with a reference file of four sections, each long enough to be moved to a file.
fn skill_with_reference(site: &Site) -> PathBuf {
    let folder = stored_skill(site, "forms", "Fills forms.");
    let long = "What there is to know about this part of a form.\n".repeat(16);
    let section = |name: &str| format!("## {name}\n\n{name}. {long}\n");
    let text = ["Fill", "Sign", "Send", "File"].map(section).concat();
    put(&folder.join("references/parts.md"), format!("# Parts\n\n{text}"));
    age(&folder.join("references/parts.md"));
    folder
}

/// Writes sessions that each read these ranges of the reference file.
fn sessions_read(site: &Site, folder: &Path, sessions: &[&[(u32, u32)]]) {
    let file = folder.join("references/parts.md");
    for (session, ranges) in sessions.iter().enumerate() {
        let mut values = Vec::new();
        for (at, range) in ranges.iter().enumerate() {
            values.extend(claude_read(&format!("u{session}-{at}"), file.to_str().unwrap(), Some(*range)));
        }
        values.iter_mut().for_each(|value| value["sessionId"] = format!("s{session}").into());
        claude_session(site, &format!("s{session}"), &values);
    }
}

/// The line number of a heading in the reference file.
fn line_of(folder: &Path, heading: &str) -> u32 {
    let text = fs::read_to_string(folder.join("references/parts.md")).unwrap();
    text.lines().position(|line| line == format!("## {heading}")).unwrap() as u32 + 1
}

/// RFC-0014:C-SLIM
#[test]
fn a_file_of_which_sessions_read_one_part_is_split_and_undone() {
    let site = Site::new();
    let folder = skill_with_reference(&site);
    let [fill, sign] = ["Fill", "Sign"].map(|heading| line_of(&folder, heading));
    let one: &[(u32, u32)] = &[(fill, 5), (fill + 6, 3)];
    let other: &[(u32, u32)] = &[(sign, 5)];
    sessions_read(&site, &folder, &[one, one, one, other, other, other]);
    let whole = claude_read("whole", folder.join("references/parts.md").to_str().unwrap(), None);
    claude_session(&site, "whole", &whole);
    import(&site);
    let found = proposals(&site);
    let split = found.iter().find(|one| one["kind"] == "split").unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(split["id"], "split:forms/references/parts.md");
    // Nine reads of lines, and one of the whole file.
    assert_eq!((&split["replayed"], &split["missed"], &split["times"]), (&json!(10), &json!(0), &json!(1)));
    assert!((500..700).contains(&split["tokens"].as_u64().unwrap()), "three of four parts: {split}");
    assert!(split["diff"].as_str().unwrap().contains("+See [Fill](fill.md)."), "{split}");
    let before = snapshot(&folder);
    site.skc(["slim", "--apply", "split:forms/references/parts.md"]).ok();
    let part = fs::read_to_string(folder.join("references/sign.md")).unwrap();
    assert!(part.starts_with("# Sign\n\nSign. What there is"), "{part}");
    let rest = fs::read_to_string(folder.join("references/parts.md")).unwrap();
    assert!(
        rest.starts_with("# Parts\n\n## Fill\n\nSee [Fill](fill.md).\n") && !rest.contains("What there"),
        "{rest}"
    );
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&folder), before);
}

/// RFC-0014:C-SLIM
#[test]
fn sections_that_are_always_read_together_are_joined_and_undone() {
    let site = Site::new();
    let folder = skill_with_reference(&site);
    let [fill, send] = ["Fill", "Send"].map(|heading| line_of(&folder, heading));
    let both: &[(u32, u32)] = &[(fill, 5), (send, 5)];
    sessions_read(&site, &folder, &[both; 6]);
    import(&site);
    let found = proposals(&site);
    let join = found.iter().find(|one| one["kind"] == "join").unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(join["id"], "join:forms/references/parts.md#Fill");
    assert_eq!(
        (&join["replayed"], &join["missed"], &join["times"], &join["tokens"]),
        (&json!(12), &json!(0), &json!(6), &json!(60))
    );
    let before = snapshot(&folder);
    site.skc(["slim", "--apply", "join:forms/references/parts.md#Fill"]).ok();
    assert!(line_of(&folder, "Send") < line_of(&folder, "Sign"), "behind the first");
    assert!(proposals(&site).iter().all(|one| one["kind"] != "join"), "done");
    site.skc(["undo"]).ok();
    assert_eq!(snapshot(&folder), before);
}

/// RFC-0014:C-SLIM
#[test]
fn proposals_for_one_file_are_applied_one_after_another() {
    let site = Site::new();
    let folder = skill_with_reference(&site);
    let [fill, send] = ["Fill", "Send"].map(|heading| line_of(&folder, heading));
    let both: &[(u32, u32)] = &[(fill, 5), (send, 5)];
    sessions_read(&site, &folder, &[both; 6]);
    import(&site);
    let ids: Vec<Value> = proposals(&site).iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids.len(), 2, "sections to move, and sections to join: {ids:?}");
    let reply = site.skc(["slim", "--apply", "all", "--format", "json"]).ok().json();
    assert_eq!(reply["applied"].as_array().unwrap().len(), 2, "{}", reply["applied"]);
    let now = fs::read_to_string(folder.join("references/parts.md")).unwrap();
    assert!(now.contains("See [Sign](sign.md).") && now.find("## Send") < now.find("## Sign"), "{now}");
}

/// RFC-0014:C-SLIM
#[test]
fn a_skill_in_no_store_is_not_changed() {
    let site = Site::new();
    let stored = stored_skill(&site, "notes", "Takes notes.");
    let folder = site.home().join(".claude/skills/notes");
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::rename(&stored, &folder).unwrap();
    reads(&site, &folder);
    import(&site);
    let before = snapshot(&folder);
    let [proposal] = &proposals(&site)[..] else { panic!("{:?}", proposals(&site)) };
    assert!(proposal["obstacle"].as_str().unwrap().contains("not in a store"), "{proposal}");
    site.skc(["slim", "--apply", "move:notes/SKILL.md"]).fails("E100");
    assert_eq!(site.skc(["slim", "--apply", "all", "--format", "json"]).ok().json()["applied"], json!([]));
    assert_eq!(snapshot(&folder), before);
}
