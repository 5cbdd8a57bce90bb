//! RFC-0007:C-MCP-SKILLS: skills as served through the protocol's extension.

use super::{Client, LIFECYCLES, Lifecycle};
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn client(site: &Site) -> Client {
    Client::start(site, Lifecycle::Stateless)
}

/// Every skill of the list, page by page.
fn all(client: &mut Client) -> Vec<Value> {
    let (mut skills, mut params) = (Vec::new(), json!({}));
    loop {
        let mut page = client.ask("skills/list", params);
        skills.append(page["skills"].as_array_mut().unwrap());
        let Some(cursor) = page.get("nextCursor") else { return skills };
        params = json!({ "cursor": cursor });
    }
}

fn uris(skills: &[Value]) -> Vec<&str> {
    skills.iter().map(|skill| skill["uri"].as_str().unwrap()).collect()
}

/// The digest and the size of each file of a skill, as the server lists them.
fn manifest(skill: &Value) -> BTreeMap<String, (String, u64)> {
    let files = skill["resources"].as_array().unwrap().iter().map(|file| {
        let text = |key: &str| file[key].as_str().unwrap().to_owned();
        (text("uri"), (text("digest"), file["size"].as_u64().unwrap()))
    });
    files.collect()
}

/// The digest and the size of files on this machine.
fn of_files(uri: &str, folder: &Path, paths: &[&str]) -> BTreeMap<String, (String, u64)> {
    use skillc_ports::SkillFiles;
    let entry = |path: &&str| {
        let bytes = fs::read(folder.join(path)).unwrap();
        let digest = skillc_disk::DiskSkillFiles.digest(&bytes);
        (format!("{uri}/{}", path.replace(' ', "%20")), (format!("sha256:{digest}"), bytes.len() as u64))
    };
    paths.iter().map(entry).collect()
}

const PATHS: [&str; 4] = ["SKILL.md", "assets/a b.bin", "assets/deep/empty.txt", "references/x.md"];

fn rich() -> Site {
    let site = Site::new();
    let front = "---\nname: demo\ndescription: \"Does it: well.\"\nlicense: MIT\nmetadata: {version: \"1.0\"}\nx-on: yes\n\
                 x-n: 0x1F\nx-list: [1, two, null]\n\
                 x-typed: [!!int \"3\", !!float 3, !!str 3, !!bool \"true\", !!null \"\"]\n---\n# Top\r\n";
    site.write("demo", "SKILL.md", front);
    site.write("demo", "references/x.md", "\u{feff}# X\n");
    site.write("demo", "assets/a b.bin", b"\x00\xff\xfe");
    site.write("demo", "assets/deep/empty.txt", "");
    site.write("demo", ".hidden/secret.md", "x");
    site.write("demo", ".env", "x");
    site
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_skill_is_given_with_its_front_matter_and_the_digest_of_every_file() {
    let site = rich();
    for lifecycle in LIFECYCLES {
        let mut client = Client::start(&site, lifecycle);
        let skills = all(&mut client);
        assert_eq!(uris(&skills), ["skill://demo/SKILL.md"]);
        let expected = json!({
            "name": "demo", "description": "Does it: well.", "license": "MIT", "metadata": { "version": "1.0" },
            "x-on": "yes", "x-n": 31, "x-list": [1, "two", null],
            "x-typed": [3, 3.0, "3", true, null],
        });
        assert_eq!(skills[0]["frontmatter"], expected);
        assert_eq!(manifest(&skills[0]), of_files("skill://demo", &site.skill("demo"), &PATHS));
        let one = client.ask("skills/get", json!({ "uri": "skill://demo/SKILL.md" }));
        assert_eq!(one["skill"], skills[0]);
    }
}

/// RFC-0007:C-MCP-SKILLS
#[cfg(unix)]
#[test]
fn a_link_inside_a_skill_is_a_file_by_its_own_path_and_one_that_leads_out_is_none() {
    use std::os::unix::fs::symlink;
    let site = rich();
    let folder = site.skill("demo");
    put(&site.root().join("secret.md"), "secret");
    symlink("references/x.md", folder.join("same.md")).unwrap();
    symlink(site.root().join("secret.md"), folder.join("out.md")).unwrap();
    let mut client = client(&site);
    let mut paths = PATHS.to_vec();
    paths.push("same.md");
    assert_eq!(manifest(&all(&mut client)[0]), of_files("skill://demo", &folder, &paths));
    client.refused("resources/read", json!({ "uri": "skill://demo/out.md" }));
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn skills_come_in_pages_in_the_order_of_their_names() {
    let site = Site::new();
    let names: Vec<String> = (0..120).map(|i| format!("s{i:03}")).collect();
    names.iter().rev().for_each(|name| site.write_skill(name, "x"));
    let mut client = client(&site);
    let first = client.ask("skills/list", json!({}));
    assert_eq!(first["skills"].as_array().unwrap().len(), 50);
    assert_eq!(
        (&first["cacheScope"], first["ttlMs"].as_u64() > Some(0)),
        (&json!("private"), true),
        "{first}"
    );
    let expected: Vec<String> = names.iter().map(|name| format!("skill://{name}/SKILL.md")).collect();
    assert_eq!(uris(&all(&mut client)), expected);
    for cursor in ["", "2", "YWZ0ZXI", "é"] {
        let (code, message) = client.refused("skills/list", json!({ "cursor": cursor }));
        assert_eq!(code, -32602, "{cursor}: {message}");
    }
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_skill_that_a_strict_client_refuses_does_not_spoil_the_list() {
    let site = Site::new();
    site.write_skill("good", "x");
    let bad = |name: &str, front: &str| {
        site.write(name, "SKILL.md", format!("---\n{front}\n---\nx"));
    };
    bad("numbers", "name: numbers\ndescription: x\nmetadata: {version: 1.0}");
    bad("tools", "name: tools\ndescription: x\nallowed-tools: [Read]");
    bad("capital", "name: Capital\ndescription: x");
    bad("missing", "name: missing");
    bad("broken", "name: [");
    bad("typed", "name: typed\ndescription: x\nx-count: !!int three");
    bad("twice", "name: twice\ndescription: x\nmetadata: {a: b, a: c}");
    site.write_skill("large", "x");
    site.write("large", "big.bin", vec![0; 16 * 1024 * 1024]);
    site.write_skill("many", "x");
    (0..512).for_each(|i| drop(site.write("many", &format!("{i}.md"), "x")));
    site.write_skill("most", "x");
    (0..511).for_each(|i| drop(site.write("most", &format!("{i}.md"), "x")));
    let mut client = client(&site);
    let page = client.ask("skills/list", json!({}));
    assert_eq!(uris(page["skills"].as_array().unwrap()), ["skill://good/SKILL.md", "skill://most/SKILL.md"]);
    let told = page["_meta"]["skillc/left-out"].to_string();
    for (name, reason) in [
        ("numbers", "metadata 'version' must be text, got a number"),
        ("tools", "allowed-tools must be text, got a list"),
        ("capital", "'Capital' has capital letters"),
        ("missing", "'description'"),
        ("broken", "invalid frontmatter"),
        ("twice", "duplicate key 'a'"),
        ("typed", "the tag '!!int' does not fit 'three'"),
        ("large", "exceed the limit of 16777216"),
        ("many", "513 files exceed the limit of 512"),
    ] {
        let is_told = told.split("warning[W024]").any(|line| line.contains(name) && line.contains(reason));
        assert!(is_told, "{name}: {told}");
        let uri = format!("skill://{name}/SKILL.md");
        assert_eq!(client.refused("skills/get", json!({ "uri": uri })).0, -32602, "{name}");
    }
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_skill_of_the_home_whose_name_is_taken_is_served_aside() {
    let site = Site::new();
    let home = |folder: &str, name: &str, body: &str| {
        put(&site.home().join(".skillc/skills").join(folder).join("SKILL.md"), skill_md(name, body));
    };
    site.write_skill("demo", "project");
    site.write("other-folder", "SKILL.md", skill_md("demo", "second"));
    site.write_skill("global", "called so");
    home("demo", "demo", "home");
    home("alone", "alone", "home");
    let mut client = client(&site);
    let page = client.ask("skills/list", json!({}));
    let expected = [
        "skill://alone/SKILL.md",
        "skill://demo/SKILL.md",
        "skill://global/demo/SKILL.md",
        "skill://global/global/SKILL.md",
    ];
    assert_eq!(uris(page["skills"].as_array().unwrap()), expected);
    assert!(page["_meta"].to_string().contains("the name 'demo' is taken"), "{page}");
    for (uri, body) in [(expected[1], "project"), (expected[2], "home"), (expected[3], "called so")] {
        let read = client.ask("resources/read", json!({ "uri": uri }));
        assert!(read["contents"][0]["text"].as_str().unwrap().ends_with(body), "{uri}");
    }
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn skills_get_answers_for_the_very_name_of_a_skill_only() {
    let site = rich();
    let mut client = client(&site);
    for uri in [
        "skill://nowhere/SKILL.md",
        "skill://demo/references/x.md",
        "skill://demo/%53KILL.md",
        "skill://demo",
        "skill://global/demo/SKILL.md",
        "file:///demo/SKILL.md",
        "",
    ] {
        assert_eq!(client.refused("skills/get", json!({ "uri": uri })).0, -32602, "{uri}");
    }
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_folder_of_a_skill_lists_what_stands_directly_in_it() {
    let site = rich();
    fs::create_dir(site.skill("demo").join("empty")).unwrap();
    let mut client = client(&site);
    let mut children = |uri: &str| {
        let page = client.ask("resources/directory/read", json!({ "uri": uri }));
        let child = |child: &Value| {
            let text = |key: &str| child[key].as_str().unwrap().to_owned();
            (text("uri"), text("name"), text("mimeType"))
        };
        page["resources"].as_array().unwrap().iter().map(child).collect::<Vec<_>>()
    };
    let row = |uri: &str, name: &str, kind: &str| (uri.to_owned(), name.to_owned(), kind.to_owned());
    let expected = [
        row("skill://demo/SKILL.md", "demo", "text/markdown"),
        row("skill://demo/assets", "assets", "inode/directory"),
        row("skill://demo/references", "references", "inode/directory"),
    ];
    assert_eq!(children("skill://demo"), expected);
    let expected = [
        row("skill://demo/assets/a%20b.bin", "a b.bin", "application/octet-stream"),
        row("skill://demo/assets/deep", "deep", "inode/directory"),
    ];
    assert_eq!(children("skill://demo/assets"), expected);
    assert_eq!(children("skill://demo/empty"), []);
    for uri in [
        "skill://demo/SKILL.md",
        "skill://demo/nothing",
        "skill://demo/assets/",
        "skill://demo/.hidden",
        "skill://no",
        "x",
    ] {
        assert_eq!(client.refused("resources/directory/read", json!({ "uri": uri })).0, -32602, "{uri}");
    }
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn a_folder_comes_in_pages() {
    let site = Site::new();
    site.write_skill("demo", "x");
    (0..300).for_each(|i| drop(site.write("demo", &format!("f/{i:03}.md"), "x")));
    let mut client = client(&site);
    let (mut names, mut params) = (Vec::new(), json!({ "uri": "skill://demo/f" }));
    loop {
        let page = client.ask("resources/directory/read", params);
        names.extend(page["resources"].as_array().unwrap().iter().map(|r| r["name"].clone()));
        let Some(cursor) = page.get("nextCursor") else { break };
        params = json!({ "uri": "skill://demo/f", "cursor": cursor });
    }
    assert_eq!(names, (0..300).map(|i| json!(format!("{i:03}.md"))).collect::<Vec<_>>());
    let bad = json!({ "uri": "skill://demo/f", "cursor": "x" });
    assert_eq!(client.refused("resources/directory/read", bad).0, -32602);
}

/// RFC-0007:C-MCP-SKILLS
#[test]
fn an_edit_shows_in_the_next_answer() {
    let site = rich();
    let mut client = client(&site);
    let folder = site.skill("demo");
    assert_eq!(manifest(&all(&mut client)[0]), of_files("skill://demo", &folder, &PATHS));
    // The same number of bytes in quick succession, so that only the content differs.
    for text in ["aaaa", "bbbb", "cccc"] {
        site.write("demo", "references/x.md", text);
        let one = client.ask("skills/get", json!({ "uri": "skill://demo/SKILL.md" }));
        assert_eq!(manifest(&one["skill"]), of_files("skill://demo", &folder, &PATHS), "{text}");
        let read = client.ask("resources/read", json!({ "uri": "skill://demo/references/x.md" }));
        assert_eq!(read["contents"][0]["text"], text);
    }
    site.write("demo", "SKILL.md", skill_md("renamed", "x"));
    assert_eq!(uris(&all(&mut client)), ["skill://renamed/SKILL.md"]);
    fs::remove_dir_all(&folder).unwrap();
    assert!(all(&mut client).is_empty());
    assert_eq!(client.refused("skills/get", json!({ "uri": "skill://renamed/SKILL.md" })).0, -32602);
    assert_eq!(client.refused("resources/read", json!({ "uri": "skill://renamed/SKILL.md" })).0, -32602);
}
