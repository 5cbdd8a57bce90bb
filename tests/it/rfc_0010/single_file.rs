//! RFC-0010:C-SINGLE: single-file skills.

use super::scene::{configure, configure_project, text, write};
use crate::mcp::{Client, Lifecycle, logged};
use crate::site::{Site, put, skill_md};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

/// A file in the project's store.
fn file(site: &Site, name: &str) -> PathBuf {
    site.project().join(".skillc/skills").join(name)
}

/// A project with a single-file skill, which has no front matter.
fn scene() -> Site {
    let site = Site::new();
    put(
        &file(&site, "whistle.md"),
        "# Whistling\n\nWhistle like a marmot\nin the hills.\n\n## Breath\n\nSlowly.\n",
    );
    site
}

fn catalog(site: &Site, more: &[&str]) -> Value {
    site.skc(["catalog", "--format", "json"].iter().chain(more)).ok().json()
}

fn column<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

fn found(site: &Site, request: &str) -> Vec<Value> {
    let reply = site.skc(["find", request, "--mode", "lexical", "-o", "json"]).ok().json();
    reply["results"].as_array().unwrap().clone()
}

/// RFC-0010:C-SINGLE
#[test]
fn a_markdown_file_in_a_store_is_a_skill() {
    let site = scene();
    let described = "---\ndescription: Sings when asked.\nmetadata: {a: b}\n---\n# Title\n\nText.\n";
    put(&site.home().join(".skillc/skills/sing.md"), described);
    put(&file(&site, "named.md"), skill_md("named", "# Named\n"));
    for none in ["README.md", "Changelog.md", "LICENSE.md", ".hidden.md", "note.txt", "NOTE.MD"] {
        put(&file(&site, none), "# About\n\nAbout this folder.\n");
    }
    put(&file(&site, "group/deeper.md"), "# Deeper\n\nNot directly in the store.\n");
    put(&site.project().join(".agents/skills/other.md"), "# Other\n\nIn no store.\n");
    for time in ["read", "remembered"] {
        let reply = catalog(&site, &[]);
        let skills = &reply["skills"];
        assert_eq!(column(skills, "name"), ["named", "whistle", "sing"], "{time}");
        assert_eq!(
            column(skills, "description"),
            ["Does named. Use when testing.", "Whistle like a marmot in the hills.", "Sings when asked."]
        );
        assert_eq!(column(skills, "scope"), ["repo", "repo", "user"]);
        assert_eq!(column(skills, "kind"), ["markdown"; 3]);
        let (path, dir) = (file(&site, "whistle.md"), file(&site, ""));
        assert_eq!(
            (&skills[1]["path"], &skills[1]["dir"]),
            (&json!(path), &json!(dir.parent().unwrap().join("skills")))
        );
        assert_eq!(
            skills[1]["locations"],
            json!([{ "path": path, "scope": "repo", "root": "skillc", "stub": false }])
        );
        assert_eq!(reply["errors"], json!([]), "{time}");
    }
}

/// RFC-0010:C-SINGLE
#[test]
fn folders_of_markdown_skills_can_be_named_in_place_of_the_stores() {
    let site = scene();
    put(&site.project().join("notes/ours.md"), "Ours.\n");
    put(&site.project().join("notes/deep/SKILL.md"), skill_md("deep", "# Deep\n"));
    put(&site.home().join("mine/mine.md"), "Mine.\n");
    configure(&site, "[discovery]\nmarkdown_roots = ['~/mine', '~/missing']\n");
    assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["mine"]);
    configure_project(&site, "[discovery]\nmarkdownRoots = ['notes']\n");
    for _ in 0..2 {
        let reply = catalog(&site, &[]);
        assert_eq!(column(&reply["skills"], "name"), ["ours", "mine"], "only files, and no folder below");
        assert_eq!(column(&reply["skills"], "scope"), ["repo", "user"]);
    }
    configure_project(
        &site,
        "[discovery]\nroots = ['notes']\nmarkdown_roots = ['notes', '.skillc/skills']\n",
    );
    assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["whistle", "deep", "ours", "mine"]);
    configure_project(&site, "[discovery]\nroots = ['notes']\n");
    configure(&site, "[discovery]\nmarkdown_roots = []\n");
    assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["deep"], "an empty list takes none");
}

/// RFC-0010:C-SINGLE
#[test]
fn a_folder_that_is_a_skill_has_no_single_files() {
    let site = Site::new();
    let folder = site.project().join("notes");
    put(&folder.join("SKILL.md"), skill_md("notes", "# Notes\n"));
    put(&folder.join("reference.md"), "# Reference\n\nPart of the skill.\n");
    configure_project(&site, "[discovery]\nmarkdown_roots = ['notes']\n");
    assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["notes"]);
    fs::remove_file(folder.join("SKILL.md")).unwrap();
    assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["reference"]);
}

/// RFC-0010:C-SINGLE
#[test]
fn a_single_file_is_found_by_name_path_and_words() {
    let site = scene();
    for (request, reason) in [
        ("whistle", "exact_name"),
        ("whis", "prefix"),
        ("a marmot in the hills", "lexical"),
        ("breath", "lexical"),
        (&text(&file(&site, "whistle.md")), "exact_path"),
    ] {
        let first = found(&site, request).into_iter().next().unwrap_or_else(|| panic!("{request}"));
        assert_eq!((&first["name"], &first["reason"]), (&json!("whistle"), &json!(reason)), "{request}");
    }
    let store = site.project().join(".skillc/skills");
    assert!(found(&site, &text(&store)).iter().all(|found| found["reason"] != "exact_path"));
    put(&file(&site, "whistle.md"), "Yodel like a cowherd.\n");
    assert_eq!(found(&site, "cowherd yodel")[0]["name"], "whistle", "a change is seen at once");
    assert!(found(&site, "marmot hills").iter().all(|found| found["name"] != "whistle"));
    fs::remove_file(file(&site, "whistle.md")).unwrap();
    assert!(found(&site, "cowherd yodel").iter().all(|found| found["name"] != "whistle"));
}

/// RFC-0010:C-SINGLE
#[test]
fn a_single_file_is_loaded_without_the_files_beside_it() {
    let site = scene();
    put(&file(&site, "other.md"), "Other.\n");
    put(&file(&site, "data.txt"), "no part of a skill\n");
    let path = file(&site, "whistle.md");
    let dir = text(path.parent().unwrap());
    let expected = format!(
        "<skill_context name=\"whistle\" path=\"{}\">\n{}\nBase directory: file://{dir}/\n\
         Relative paths in this skill are resolved from this directory.\n<skill_files>\n</skill_files>\n\
         </skill_context>\n",
        text(&path),
        fs::read_to_string(&path).unwrap()
    );
    assert_eq!(site.skc(["load", "whistle"]).ok().out, expected);
    let load = |args: &[&str]| site.skc([&["load"], args, &["-o", "json"]].concat());
    let by_name = load(&["whistle"]).ok().json();
    assert_eq!((&by_name["text"], &by_name["files_truncated"]), (&json!(expected), &json!(false)));
    for given in [".skillc/skills/whistle.md", &text(&path)] {
        assert_eq!(load(&[given]).ok().json(), by_name, "{given}");
    }
    load(&[&dir]).fails("E071");
    load(&[".skillc/skills/data.txt"]).fails("E071");
    let reference = by_name["ref"].as_str().unwrap();
    assert_eq!(load(&["--ref", reference]).ok().json(), by_name);
    put(&path, "Changed.\n");
    load(&["--ref", reference]).fails("E075");
    let events = logged(&site, "whistle");
    assert!(events.iter().all(|event| event.command == "load"), "{events:?}");
    assert_eq!(events[0].file.as_deref(), Some("whistle.md"));
}

/// RFC-0010:C-SINGLE
#[test]
fn a_command_that_takes_folders_says_that_load_reads_a_single_file() {
    let site = scene();
    for command in [
        vec!["build", "whistle"],
        vec!["show", "whistle", "-s", "Breath"],
        vec!["outline", "whistle"],
        vec!["search", "whistle", "breath"],
        vec!["sources", "whistle"],
        vec!["open", ".skillc/skills/whistle.md", "SKILL.md"],
    ] {
        let refused = site.skc(&command).fails("E001");
        let hint = format!(
            "'{}' is a single-file skill, which is never built: run 'skc load {}' to read it",
            command[1], command[1]
        );
        assert!(refused.err.contains(&hint), "{command:?}: {}", refused.err);
    }
    let mut client = Client::start(&site, Lifecycle::Stateless);
    let refused = client.call("skc_show", json!({ "skill": "whistle", "section": "Breath" }));
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("call skill_load to read it"), "{said}");
    put(&site.project().join("notes/ours.md"), "Ours.\n");
    configure_project(&site, "[discovery]\nmarkdown_roots = ['notes']\n");
    let hints = |name: &str| site.skc(["outline", name]).fails("E001").err.contains("skc load");
    assert!(hints("ours") && hints("notes/ours.md"));
    assert!(!hints("whistle"), "the stores are no such folders any more");
    configure_project(&site, "[permissions]\ndeny = ['whistle']\n");
    let agent = site.skc_with(&[("SKILLC_AGENT", "x")], ["outline", "whistle"]).fails("E001");
    assert!(!agent.err.contains("single file"), "{}", agent.err);
}

/// RFC-0010:C-SINGLE
#[test]
fn a_file_that_is_no_valid_skill_is_an_error_and_blocks_nothing() {
    let site = scene();
    let outside = site.root().join("outside.md");
    put(&outside, "Secret.\n");
    put(&site.project().join("beside.md"), "In the project, and not in the store.\n");
    let flawed: [(&str, &[u8], &str); 7] = [
        ("binary.md", b"\x00\xff\xfe\x00", "not UTF-8"),
        ("huge.md", &vec![b'x'; 10 * 1024 * 1024], "too large"),
        ("empty.md", b"", "missing"),
        ("only-headings.md", b"# Title\n\n## More\n", "missing"),
        ("Whistle.md", b"A twin but for a letter.\n", "name 'Whistle' must be lowercase"),
        (
            "other-name.md",
            b"---\nname: whistle\ndescription: x\n---\n",
            "name 'whistle' differs from the name of its file, 'other-name'",
        ),
        ("broken.md", b"---\nname: [\n---\nText.\n", ""),
    ];
    for (name, bytes, _) in &flawed {
        put(&file(&site, name), bytes);
    }
    for (name, to) in [
        ("out.md", outside),
        ("up.md", "../../beside.md".into()),
        ("gone.md", "gone-too.md".into()),
        ("deep.md", "dir.md/inner.md".into()),
    ] {
        symlink(to, file(&site, name)).unwrap();
    }
    assert!(Command::new("mkfifo").arg(file(&site, "fifo.md")).status().unwrap().success());
    put(&file(&site, "dir.md/inner.md"), "A folder is no file.\n");
    let links = ["out.md", "up.md", "deep.md"].map(|name| (name, "a link that leads out of its folder"));
    let odd = ["gone.md", "fifo.md"].map(|name| (name, "not a regular file"));
    for time in ["read", "remembered"] {
        let reply = catalog(&site, &[]);
        assert_eq!(column(&reply["skills"], "name"), ["whistle"], "{time}");
        let errors = reply["errors"].as_array().unwrap();
        assert_eq!(errors.len(), flawed.len() + 5, "{time}: {errors:?}");
        let known = flawed.iter().map(|(name, _, message)| (*name, *message));
        for (name, message) in known.chain(links).chain(odd) {
            let path = json!(file(&site, name));
            let error = errors.iter().find(|error| error["path"] == path).unwrap_or_else(|| panic!("{name}"));
            assert!(error["message"].as_str().unwrap().contains(message), "{name}, {time}: {error}");
        }
    }
    let refused = site.skc(["load", "binary"]).fails("E082");
    assert!(refused.err.contains("not UTF-8") && !refused.err.contains("Claude"), "{}", refused.err);
    for name in ["huge", "Whistle", "out", "fifo", ".skillc/skills/out.md", ".skillc/skills/fifo.md"] {
        site.skc(["load", name]).fails("E082");
    }
    site.skc(["load", "dir"]).fails("E071");
    site.skc(["load", "whistle"]).ok();
    let asked = site.skc(["find", "huge", "-o", "json"]).ok().json();
    assert!(asked["invalid"][0].as_str().unwrap().starts_with("huge: "), "{asked}");
}

/// RFC-0010:C-SINGLE
#[test]
fn a_lenient_reader_takes_a_file_with_another_name() {
    let site = Site::new();
    put(&file(&site, "My Notes.md"), "Notes.\n");
    put(&file(&site, "place.md"), "---\nname: given\ndescription: x\n---\n");
    configure(&site, "[discovery]\nlenient = true\n");
    let reply = catalog(&site, &[]);
    assert_eq!(column(&reply["skills"], "name"), ["My Notes", "given"]);
    assert!(
        reply["skills"].as_array().unwrap().iter().all(|skill| skill["flaws"].as_array().unwrap().len() == 1)
    );
    for rule in ["given", "place"] {
        configure(&site, &format!("[discovery]\nlenient = true\n[permissions]\ndeny = ['{rule}']\n"));
        assert_eq!(column(&catalog(&site, &[])["skills"], "name"), ["My Notes"], "{rule}");
        let refused = site.skc_with(&[("SKILLC_AGENT", "x")], ["load", "given"]);
        refused.fails("E072");
    }
}

/// RFC-0010:C-SINGLE
#[test]
fn links_to_a_file_of_the_same_folder_are_places_of_it() {
    let site = scene();
    symlink("whistle.md", file(&site, "pipe.md")).unwrap();
    let reply = catalog(&site, &[]);
    assert_eq!(column(&reply["skills"], "name"), ["whistle"]);
    let places = ["pipe.md", "whistle.md"].map(|name| text(&file(&site, name)));
    let mut met = column(&reply["skills"][0]["locations"], "path");
    met.sort_unstable();
    assert_eq!(met, places);
}

/// RFC-0010:C-SINGLE
#[test]
fn a_file_and_a_folder_of_one_name_are_two_skills() {
    let site = scene();
    write(&file(&site, "whistle"), "# Folder\n");
    let reply = catalog(&site, &[]);
    assert_eq!(column(&reply["skills"], "name"), ["whistle"; 2]);
    assert_eq!(reply["same_names"][0]["copies"], false);
    site.skc(["load", "whistle"]).fails("E070");
    site.skc(["load", ".skillc/skills/whistle.md"]).ok();
    let folder = site.skc(["load", ".skillc/skills/whistle"]).ok().out;
    assert!(folder.contains("# Folder"), "{folder}");
    site.skc(["build", "whistle"]).ok();
    site.skc(["disable", "whistle"]).ok();
    assert_eq!(catalog(&site, &[])["total"], 0);
    site.skc(["enable", "whistle"]).ok();
    assert!(site.project().join(".claude/skills/whistle").exists(), "the folder is deployed again");
}

/// RFC-0010:C-SINGLE
#[test]
fn rules_hide_a_single_file_as_any_skill() {
    let site = scene();
    for (rules, code) in [
        ("[permissions]\ndeny = ['whis*']\n", "E072"),
        ("[skills]\ndisabled = ['whistle']\n", "E073"),
        ("[permissions]\nconfirm = ['whistle']\n", "E074"),
    ] {
        configure(&site, rules);
        let is_seen = code == "E074";
        assert_eq!(catalog(&site, &[])["total"], u64::from(is_seen), "{rules}");
        assert_eq!(!found(&site, "marmot").is_empty(), is_seen, "{rules}");
        for given in ["whistle", ".skillc/skills/whistle.md"] {
            let refused = site.skc(["load", given]).fails(code);
            assert!(refused.out.is_empty(), "{rules}");
        }
        let mut client = Client::start(&site, Lifecycle::Stateless);
        let reply = client.call("skill_load", json!({ "name": "whistle" }));
        assert_eq!(reply["_meta"]["skillc/errors"][0]["code"], code, "{reply}");
    }
    site.skc(["enable", "whistle", "--allow"]).ok();
    site.skc(["load", "whistle"]).ok();
    site.skc(["disable", "whistle", "--project"]).ok();
    site.skc(["load", "whistle"]).fails("E073");
    assert!(site.skc(["catalog"]).ok().err.lines().all(|line| !line.contains("W059")));
    site.skc(["enable", "whistle", "--project"]).ok();
    site.skc(["load", "whistle"]).ok();
}

/// RFC-0010:C-SINGLE
#[test]
fn a_single_file_inside_a_denied_skill_is_kept_from_an_agent() {
    let site = Site::new();
    write(&site.skill("secret"), "# Secret\n");
    put(&file(&site, "secret/parts/part.md"), "A part of it.\n");
    configure_project(&site, "[discovery]\nmarkdown_roots = ['.skillc/skills/secret/parts']\n");
    configure(&site, "[permissions]\ndeny = ['secret']\n");
    let load = || site.skc_with(&[("SKILLC_AGENT", "x")], ["load", "part"]);
    load().fails("E072");
    configure(&site, "");
    load().ok();
}

/// RFC-0010:C-SINGLE
#[test]
fn agents_and_programs_get_single_files_as_any_skill() {
    let site = scene();
    let mut client = Client::start(&site, Lifecycle::Initialize("2025-11-25"));
    let found = client.call("skill_search", json!({ "query": "whistle like a marmot" }));
    assert_eq!(found["structuredContent"]["results"][0]["name"], "whistle", "{found}");
    let loaded = client.call("skill_load", json!({ "name": "whistle" }));
    let shown = loaded["content"][0]["text"].as_str().unwrap();
    assert!(shown.contains("Whistle like a marmot\nin the hills."), "{shown}");
    for _ in 0..3 {
        put(&file(&site, "new.md"), "Yodel like a cowherd.\n");
        let found = client.call("skill_search", json!({ "query": "yodel cowherd" }));
        assert_eq!(found["structuredContent"]["results"][0]["name"], "new", "{found}");
        put(&file(&site, "new.md"), "Hum like a bee.\n");
        let found = client.call("skill_search", json!({ "query": "hum bee" }));
        assert_eq!(found["structuredContent"]["results"][0]["name"], "new", "{found}");
        fs::remove_file(file(&site, "new.md")).unwrap();
        let gone = client.call("skill_load", json!({ "name": "new" }));
        assert_eq!(gone["_meta"]["skillc/errors"][0]["code"], "E071", "{gone}");
    }
    let mut host = Client::start_command(site.command(["host"]), Lifecycle::Raw);
    let listed = host.ask("skills.list", json!({}));
    assert_eq!(column(&listed["skills"], "name"), ["whistle"], "{listed}");
    assert_eq!(listed["skills"][0]["path"], json!(file(&site, "whistle.md")));
}

/// RFC-0010:C-SINGLE
#[test]
fn a_list_in_a_file_has_single_files_and_a_clients_budget_has_none() {
    let site = scene();
    site.skc(["catalog", "--write", "AGENTS.md"]).ok();
    let listed = fs::read_to_string(site.project().join("AGENTS.md")).unwrap();
    assert!(
        listed.contains(".skillc/skills/whistle.md") && !listed.contains(&text(&site.root())),
        "{listed}"
    );
    site.skc(["catalog", "--write", "AGENTS.md", "--check"]).ok();
    let folder = site.project().join(".claude/skills");
    put(&folder.join("single.md"), "Single.\n");
    write(&folder.join("folder"), "# Folder\n");
    configure_project(&site, "[discovery]\nmarkdown_roots = ['.claude/skills']\n");
    let reply = catalog(&site, &["--budget", "claude-code"]);
    assert_eq!(column(&reply["skills"], "name"), ["folder", "single"]);
    assert_eq!(reply["budget"]["whole"], 1, "{reply}");
}
