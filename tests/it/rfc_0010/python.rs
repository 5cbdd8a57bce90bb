//! RFC-0010:C-CATALOG: Python skills, which are folders with a `manifest.toml` in the configured places.

use super::scene::{configure, configure_project, text, user, write};
use crate::site::{Run, Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A user whose folder of Python skills is `~/py`.
fn scene() -> Site {
    let site = Site::new();
    configure(&site, "[discovery]\npython_roots = ['~/py']\n");
    site
}

/// Writes a manifest in the user's folder and returns its path.
fn manifest(site: &Site, folder: &str, toml: impl AsRef<[u8]>) -> PathBuf {
    let file = site.home().join("py").join(folder).join("manifest.toml");
    put(&file, toml);
    file
}

/// A skill as its authors write one.
fn notify(site: &Site) -> PathBuf {
    let toml = "id = 'notify'\nname = 'Discord Notes'\nversion = '1.0.0'\nentry_file = 'main.py'\n\
                description = 'Send a message <b> on Discord.'\n";
    put(&site.home().join("py/notify/main.py"), "print('sent')\n");
    manifest(site, "notify", toml)
}

fn catalog(site: &Site, more: &[&str]) -> Run {
    site.skc(["catalog", "--format", "json"].iter().chain(more)).ok()
}

#[track_caller]
fn found(site: &Site, args: &[&str]) -> Vec<Value> {
    let reply = site.skc([&["find"], args, &["-o", "json"]].concat()).ok().json();
    reply["results"].as_array().unwrap().clone()
}

fn column<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// RFC-0010:C-CATALOG
#[test]
fn python_skills_are_found_where_the_settings_say_so_and_nowhere_else() {
    let site = Site::new();
    let named = |folder: &Path, name: &str| {
        put(&folder.join(name).join("manifest.toml"), format!("name = '{name}'\n"));
    };
    let (tools, own) = (site.project().join("tools/py"), site.home().join("py"));
    named(&tools, "repos");
    named(&own.join("group"), "users");
    named(&site.home().join(".agents/skills"), "no-python-root");
    named(&site.project().join(".skillc/skills"), "nor-the-store");
    put(&own.join("markdown/SKILL.md"), skill_md("markdown", "in a folder of Python skills"));
    assert_eq!(catalog(&site, &[]).json()["total"], 0);
    configure_project(&site, "[discovery]\npython_roots = ['tools/py']\n");
    configure(&site, "[discovery]\npythonRoots = ['~/py', '~/missing']\n");
    for _ in 0..2 {
        let reply = catalog(&site, &[]).json();
        assert_eq!(column(&reply["skills"], "name"), ["repos", "users"]);
        assert_eq!(column(&reply["skills"], "scope"), ["repo", "user"]);
        assert_eq!(column(&reply["skills"], "kind"), ["python"; 2]);
        assert_eq!(reply["errors"], json!([]));
    }
    assert_eq!(column(&catalog(&site, &["--scope", "user"]).json()["skills"], "name"), ["users"]);
}

/// RFC-0010:C-CATALOG
#[test]
fn a_python_skill_is_called_and_described_by_its_manifest() {
    let site = scene();
    let file = notify(&site);
    write(&user(&site, "notes"), "# Notes\n");
    manifest(&site, "by-id", "id = ' sender '\nname = \" \\t\"\ndescription = '  '\n");
    let reply = catalog(&site, &[]).json();
    let skills = &reply["skills"];
    assert_eq!(column(skills, "name"), ["notes", "sender", "Discord Notes"]);
    assert_eq!(column(skills, "kind"), ["markdown", "python", "python"]);
    assert_eq!(skills[1]["description"], "", "none is needed");
    assert_eq!(skills[2]["description"], "Send a message <b> on Discord.");
    assert_eq!((&skills[2]["path"], &skills[2]["dir"]), (&json!(file), &json!(file.parent().unwrap())));
    let root = text(&site.home().join("py"));
    assert_eq!(
        skills[2]["locations"],
        json!([{ "path": file, "scope": "user", "root": root, "stub": false }])
    );
    assert_eq!(skills[2]["id"].as_str().unwrap().len(), 16);
    let block = site.skc(["catalog"]).ok().out;
    assert!(block.contains("<name>Discord Notes</name>\n"), "{block}");
    assert!(
        block.contains(&format!("<path>{}</path>", text(&file))) && block.contains("message &lt;b&gt; on")
    );
}

/// RFC-0010:C-CATALOG
#[test]
fn a_manifest_that_names_nothing_or_cannot_be_read_is_an_error_and_no_skill() {
    let site = scene();
    notify(&site);
    let flawed: [(&str, &[u8], &str); 7] = [
        ("empty", b"", "manifest.toml has no name"),
        ("nameless", b"description = 'Sends.'\n", "manifest.toml has no name"),
        ("blank", b"name = '  '\nid = \"\\n\"\n", "manifest.toml has no name"),
        ("number", b"name = 3\n[id]\nname = 'inner'\n", "manifest.toml has no name"),
        ("broken", b"name = [", "invalid array at line 1, column 9"),
        ("bytes", b"name = '\xff'\n", "not UTF-8"),
        ("huge", &[b'#'; 4 * 1024 * 1024 + 1], "too large"),
    ];
    let files: Vec<PathBuf> = flawed.iter().map(|(folder, toml, _)| manifest(&site, folder, toml)).collect();
    for time in ["read", "remembered"] {
        let run = catalog(&site, &[]);
        let reply = run.json();
        assert_eq!(column(&reply["skills"], "name"), ["Discord Notes"], "{time}");
        let errors = reply["errors"].as_array().unwrap();
        assert_eq!(errors.len(), flawed.len(), "{time}: {errors:?}");
        for ((folder, _, message), file) in flawed.iter().zip(&files) {
            let told = errors.iter().find(|error| error["path"] == json!(file)).unwrap();
            assert!(told["message"].as_str().unwrap().starts_with(message), "{folder}, {time}: {told}");
        }
    }
    let told = site.skc(["catalog"]).ok().err;
    assert!(told.contains("skipped ~/py/nameless/manifest.toml: manifest.toml has no name\n"), "{told}");
    assert_eq!(found(&site, &["discord"]).len(), 1, "the others are found all the same");
    site.skc(["load", "nameless"]).fails("E082");
}

/// RFC-0010:C-CATALOG
#[test]
fn a_python_skill_is_found_by_words_of_its_manifest() {
    let site = scene();
    let file = notify(&site);
    write(&user(&site, "coffee"), "# Brew\n");
    for (request, reason) in [
        ("send something to somebody on discord", "lexical"),
        ("Discord Notes", "exact_name"),
        ("disc", "prefix"),
        (&text(&file), "exact_path"),
        (&text(file.parent().unwrap()), "exact_path"),
        ("entry_file", "lexical"),
    ] {
        let first = found(&site, &[request, "--mode", "lexical"]).swap_remove(0);
        assert_eq!(
            (&first["name"], &first["reason"]),
            (&json!("Discord Notes"), &json!(reason)),
            "{request}"
        );
        assert_eq!((&first["path"], &first["scope"]), (&json!(file), &json!("user")), "{request}");
    }
    assert_eq!(found(&site, &["message", "--mode", "rule"])[0]["reason"], "token_overlap");
    fs::write(&file, "name = 'notify'\ndescription = 'Whistle like a marmot.'\n").unwrap();
    assert_eq!(found(&site, &["marmot"])[0]["name"], "notify");
    assert!(found(&site, &["discord"]).iter().all(|skill| skill["name"] != "notify"));
    fs::remove_file(&file).unwrap();
    assert!(found(&site, &["marmot"]).iter().all(|skill| skill["name"] != "notify"));
}

/// RFC-0010:C-LOAD
#[test]
fn a_python_skill_is_loaded_as_its_manifest() {
    let site = scene();
    let file = notify(&site);
    let dir = text(file.parent().unwrap());
    let run = site.skc(["load", "Discord Notes"]).ok();
    let expected = format!(
        "<skill_context name=\"Discord Notes\" path=\"{dir}/manifest.toml\">\n{}\n\
         Base directory: file://{dir}/\nRelative paths in this skill are resolved from this directory.\n\
         <skill_files>\n<file>{dir}/main.py</file>\n</skill_files>\n</skill_context>\n",
        fs::read_to_string(&file).unwrap()
    );
    assert_eq!(run.out, expected);
    let load = |args: &[&str]| site.skc([&["load"], args, &["-o", "json"]].concat());
    let by_name = load(&["Discord Notes"]).ok().json();
    for path in [&dir, &text(&file), "~/py/notify"] {
        assert_eq!(load(&[path]).ok().json(), by_name, "{path}");
    }
    let reference = by_name["ref"].as_str().unwrap();
    assert_eq!(load(&["--ref", reference]).ok().json()["text"], expected);
    fs::write(&file, "name = 'Discord Notes'\n").unwrap();
    load(&["--ref", reference]).fails("E075");
    load(&[&text(&file.with_file_name("main.py"))]).fails("E071");
}
