//! RFC-0015:C-PUBLISH: skills for a static server.

use crate::mcp::{Client, Lifecycle};
use crate::site::{Site, put, skill_md, snapshot};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const INDEX: &str = "public/.well-known/agent-skills/index.json";

/// Two skills: one has only a SKILL.md, the other one more file.
fn scene() -> Site {
    let site = Site::new();
    site.write_skill("alone", "# Alone\n");
    site.write_skill("many", "# Many\n\nRead [more](references/a.md).\n");
    site.write("many", "references/a.md", "# A\n");
    site
}

fn index(site: &Site) -> Value {
    serde_json::from_slice(&fs::read(site.project().join(INDEX)).unwrap()).unwrap()
}

/// The type, file and digest of each listed skill.
fn listed(index: &Value) -> Vec<[String; 3]> {
    let text = |skill: &Value, key: &str| skill[key].as_str().unwrap().to_owned();
    let skills = index["skills"].as_array().unwrap().iter();
    skills.map(|skill| ["type", "url", "digest"].map(|key| text(skill, key))).collect()
}

fn sha256(site: &Site, url: &str) -> String {
    let path = site.project().join("public/.well-known/agent-skills").join(url);
    let done = Command::new("sha256sum").arg(path).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    format!("sha256:{}", text.split(' ').next().unwrap())
}

/// RFC-0015:C-PUBLISH
#[test]
fn an_index_lists_each_skill_with_its_file_and_digest() {
    let site = scene();
    let reply = site.skc(["publish", "--well-known", "public", "-o", "json"]).ok().json();
    let index = index(&site);
    assert_eq!(index["$schema"], "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    assert_eq!(index["skills"], reply["skills"]);
    assert_eq!(index["skills"][0]["name"], "alone");
    assert_eq!(index["skills"][0]["description"], "Does alone. Use when testing.");
    let listed = listed(&index);
    assert_eq!(listed[0][..2], ["skill-md", "alone/SKILL.md"]);
    assert_eq!(listed[1][..2], ["archive", "many.zip"]);
    for [_, url, digest] in &listed {
        assert_eq!(*digest, sha256(&site, url), "{url}");
    }
    let archive = "public/.well-known/agent-skills/many.zip";
    site.skc(["pack", "--check", archive, "--for", "well-known"]).ok();
    let before = snapshot(&site.project().join("public"));
    site.skc(["publish", "--well-known", "public"]).ok();
    assert_eq!(snapshot(&site.project().join("public")), before);
}

/// RFC-0015:C-PUBLISH
#[test]
fn digests_are_those_that_the_server_of_the_extension_reports() {
    let site = scene();
    site.skc(["publish", "--well-known", "public"]).ok();
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let list = client.request("skills/list", serde_json::json!({}));
    let text = list.to_string();
    let [_, _, digest] = &listed(&index(&site))[0];
    assert!(text.contains(digest.as_str()), "{digest} in {text}");
    let unpack = "import hashlib, zipfile\n\
                  archive = zipfile.ZipFile('public/.well-known/agent-skills/many.zip')\n\
                  print(*('sha256:' + hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()))\n";
    let done = Command::new("python3").args(["-c", unpack]).current_dir(site.project()).output().unwrap();
    let digests = String::from_utf8(done.stdout).unwrap();
    assert_eq!(digests.split_whitespace().count(), 2);
    assert!(digests.split_whitespace().all(|digest| text.contains(digest)), "{digests} in {text}");
}

/// RFC-0015:C-PUBLISH
#[test]
fn nothing_is_published_if_clients_would_refuse_a_skill() {
    let site = scene();
    site.write("Bad", "SKILL.md", skill_md("Bad", ""));
    let run = site.skc(["publish", "--well-known", "public"]).fails("E057");
    assert!(run.err.contains("name 'Bad' contains uppercase characters"), "{}", run.err);
    assert!(!site.project().join("public").exists());
    site.skc(["publish", "alone", "many", "--well-known", "public"]).ok();
    put(&site.project().join("other/alone/SKILL.md"), skill_md("alone", "x"));
    let run = site.skc(["publish", "alone", "other/alone", "--well-known", "public"]).fails("E100");
    assert!(run.err.contains("two skills are called 'alone'"), "{}", run.err);
}

/// RFC-0015:C-PUBLISH
#[test]
fn files_that_a_new_index_no_longer_lists_stay_and_are_named() {
    let site = scene();
    site.skc(["publish", "--well-known", "public"]).ok();
    let out = site.skc(["publish", "alone", "--well-known", "public"]).ok().out;
    assert!(out.contains("No longer listed: public/.well-known/agent-skills/many.zip\n"), "{out}");
    assert_eq!(listed(&index(&site)).len(), 1);
    site.write("alone", "b.md", "# B\n");
    site.write_skill("alone", "# Alone\n\nRead [b](b.md).\n");
    let out = site.skc(["publish", "alone", "--well-known", "public"]).ok().out;
    assert!(out.contains("No longer listed: public/.well-known/agent-skills/alone/SKILL.md\n"), "{out}");
}

/// RFC-0015:C-PUBLISH
#[test]
fn files_of_others_in_the_folder_of_the_index_stay() {
    for (file, text) in [("index.json", "{\"skills\": []}"), ("alone/SKILL.md", "mine"), ("many.zip", "mine")]
    {
        let site = scene();
        let path = site.project().join("public/.well-known/agent-skills").join(file);
        put(&path, text);
        site.skc(["publish", "--well-known", "public"]).fails("E052");
        assert_eq!(fs::read(&path).unwrap(), text.as_bytes(), "{file}");
        site.skc(["publish", "--well-known", "public", "--force"]).ok();
        site.write_skill("alone", "# Changed\n");
        site.skc(["publish", "--well-known", "public"]).ok();
    }
    let site = scene();
    symlink(site.home(), site.project().join("public")).unwrap();
    site.skc(["publish", "--well-known", "public"]).fails("E018");
    assert!(!site.home().join(".well-known").exists());
}
