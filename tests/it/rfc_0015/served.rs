//! RFC-0015:C-PUBLISH-CHECK: checking a site the way clients read it.

use crate::rfc_0004::in_memory_app;
use crate::site::{Run, Site, put, skill_md};
use serde_json::{Value, json};
use skillc_domain::fault::Fault;
use skillc_memory::{MemoryMachine, MemorySiteReader};
use skillc_ports::UnsupportedSiteReader;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const FOLDER: &str = ".well-known/agent-skills";

/// A local static file server.
struct StaticServer {
    address: String,
}

/// Handles a request instead of the file server; returns whether it did.
type Misbehavior = fn(&str, &mut TcpStream) -> bool;

impl StaticServer {
    fn of(root: PathBuf, misbehave: Misbehavior) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = [0; 4096];
                let count = stream.read(&mut head).unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..count]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
                if !misbehave(&path, &mut stream) {
                    send_file(&root.join(path.trim_start_matches('/')), &mut stream);
                }
            }
        });
        Self { address }
    }
}

fn send_file(path: &Path, stream: &mut TcpStream) {
    let (status, bytes) = fs::read(path).map_or((404, b"no such file".to_vec()), |bytes| (200, bytes));
    send(stream, status, &bytes);
}

fn send(stream: &mut TcpStream, status: u16, bytes: &[u8]) {
    let length = bytes.len();
    let _ = write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(bytes);
}

fn redirect(stream: &mut TcpStream, to: &str) -> bool {
    let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: ";
    write!(stream, "{head}{to}\r\n\r\n").is_ok()
}

fn send_for_ever(stream: &mut TcpStream) -> bool {
    let _ = write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    while stream.write_all(&[b' '; 65_536]).is_ok() {}
    true
}

/// A project with two skills, published to the folder `public`.
fn published() -> Site {
    let site = Site::new();
    site.write_skill("alone", "# Alone\n");
    site.write_skill("many", "# Many\n\nRead [more](references/a.md).\n");
    site.write("many", "references/a.md", "# A\n");
    site.skc(["publish", "--well-known", "public"]).ok();
    site
}

fn file(site: &Site, path: &str) -> PathBuf {
    site.project().join("public").join(FOLDER).join(path)
}

fn check_served(site: &Site, misbehave: Misbehavior) -> Run {
    let server = StaticServer::of(site.project().join("public"), misbehave);
    site.skc(["publish", "--check", &server.address, "--format", "json"])
}

fn check(site: &Site) -> Run {
    check_served(site, |_, _| false)
}

/// Checks a site whose only skill is missing.
pub fn refused_site(site: &Site) -> Run {
    site.skc(["publish", "--well-known", "public"]).ok();
    let path = format!("public/{FOLDER}/demo/SKILL.md");
    fs::remove_file(site.project().join(path)).unwrap();
    let server = StaticServer::of(site.project().join("public"), |_, _| false);
    site.skc(["publish", "--check", &server.address])
}

/// Changes the index of a published site.
fn edit_index(site: &Site, edit: impl FnOnce(&mut Value)) {
    let path = file(site, "index.json");
    let mut index: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    edit(&mut index);
    fs::write(path, index.to_string()).unwrap();
}

fn has_error(run: &Run, code: &str, words: &str) {
    assert!(run.err.contains(&format!("error[{code}]")) && run.err.contains(words), "{words}: {}", run.err);
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn a_published_skill_is_read_back_with_its_digests() {
    let site = published();
    let reply = check(&site).ok().json();
    let index: Value = serde_json::from_slice(&fs::read(file(&site, "index.json")).unwrap()).unwrap();
    for (checked, listed) in
        reply["checked"]["skills"].as_array().unwrap().iter().zip(index["skills"].as_array().unwrap())
    {
        assert_eq!(checked["name"], listed["name"]);
        assert_eq!(checked["digest"], listed["digest"]);
        assert_eq!(
            (&checked["accepts"], &checked["is_same_here"]),
            (&json!(true), &json!(true)),
            "{checked}"
        );
    }
    let server = StaticServer::of(site.project().join("public"), |_, _| false);
    let text = site.skc(["publish", "--check", &server.address]).ok().out;
    let index = format!("Index: {}/{FOLDER}/index.json (2 skills)\n", server.address);
    assert_eq!(text, format!("alone: ok, as in this project\nmany: ok, as in this project\n{index}"));
    site.write_skill("alone", "# Changed\n");
    fs::remove_dir_all(site.project().join(".skillc/skills/many")).unwrap();
    let text = site.skc(["publish", "--check", &format!("{}/{FOLDER}/", server.address)]).ok().out;
    assert_eq!(text, format!("alone: ok, another version than in this project\nmany: ok\n{index}"));
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn a_file_that_is_not_what_the_index_says_is_refused() {
    let site = published();
    let mut bytes = fs::read(file(&site, "many.zip")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file(&site, "many.zip"), bytes).unwrap();
    let run = check(&site).fails("E066");
    has_error(&run, "E066", "clients would refuse 'many'");
    has_error(&run, "E066", "its file has the digest sha256:");
    let skills = run.json();
    let accepted = |at: usize| skills["checked"]["skills"][at]["accepts"].as_bool().unwrap();
    assert_eq!((accepted(0), accepted(1)), (true, false));

    let site = published();
    put(&file(&site, "alone/SKILL.md"), skill_md("other", "# Alone\n"));
    let run = check(&site).fails("E066");
    has_error(&run, "E066", "its SKILL.md and the index differ in name");
    fs::remove_file(file(&site, "alone/SKILL.md")).unwrap();
    has_error(&check(&site).fails("E066"), "E066", "the server responded with status 404");
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn each_field_of_a_skill_in_the_index_counts() {
    type Edit = fn(&mut Value);
    let edits: [(Edit, &str); 7] = [
        (
            |skill| skill["digest"] = json!(format!("sha256:{}", "0".repeat(64))),
            "but the index has sha256:000",
        ),
        (|skill| skill["digest"] = json!("md5:1"), "digest 'md5:1' is not"),
        (|skill| skill["name"] = json!(7), "has no name"),
        (|skill| skill["name"] = json!("many"), "another skill of the index has the same name"),
        (|skill| skill["description"] = json!("Other."), "the index differ in description"),
        (|skill| skill["url"] = json!("file:///etc/passwd"), "its url is not http or https"),
        (|skill| skill["type"] = json!("archive"), "its file is not a zip archive"),
    ];
    for (edit, words) in edits {
        let site = published();
        edit_index(&site, |index| edit(&mut index["skills"][0]));
        has_error(&check(&site).fails("E066"), "E066", words);
    }
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn an_archive_that_is_a_bomb_is_refused() {
    let site = published();
    let bomb = "import hashlib, sys, zipfile\n\
                with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:\n\
                \x20   archive.writestr('SKILL.md', '---\\nname: many\\ndescription: d\\n---\\n')\n\
                \x20   archive.writestr('zeros', b'0' * 40_000_000)\n\
                print('sha256:' + hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())\n";
    let path = file(&site, "many.zip");
    let done = Command::new("python3").args(["-c", bomb]).arg(path).output().unwrap();
    let digest = String::from_utf8(done.stdout).unwrap().trim().to_owned();
    edit_index(&site, |index| index["skills"][1]["digest"] = json!(digest));
    has_error(&check(&site).fails("E066"), "E066", "unpacks to more than a hundred times its size");
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn an_index_that_clients_cannot_read_is_refused() {
    for (text, words) in [
        ("<!doctype html><title>Home</title>", "an HTML page instead of the index"),
        ("{", "the index is not JSON"),
        (
            "{\"$schema\": \"https://schemas.agentskills.io/discovery/0.3.0/schema.json\", \"skills\": []}",
            "0.3.0",
        ),
        ("{\"skills\": []}", "it has no $schema, as in version 0.1"),
        ("{\"$schema\": \"https://schemas.agentskills.io/discovery/0.2.0/schema.json\"}", "no list 'skills'"),
    ] {
        let site = published();
        put(&file(&site, "index.json"), text);
        has_error(&check(&site).fails("E065"), "E065", words);
    }
    let site = Site::new();
    has_error(&check(&site).fails("E065"), "E065", "the server responded with status 404");
    has_error(
        &site.skc(["publish", "--check", "http://127.0.0.1:9"]).fails("E065"),
        "E065",
        "no server answers",
    );
    for address in ["skills.example", "file:///etc/passwd", "https://ada:secret@skills.example"] {
        let run = site.skc(["publish", "--check", address]).fails("E100");
        assert!(!run.err.contains("secret"), "{}", run.err);
    }
    site.skc(["publish", "--check", "http://127.0.0.1:9", "--well-known", "public"]).fails("E100");
}

/// RFC-0015:C-PUBLISH-CHECK
#[test]
fn a_server_cannot_lead_elsewhere_or_send_without_end() {
    let site = published();
    let run = check_served(&site, |path, stream| {
        path.ends_with("index.json") && redirect(stream, "file:///etc/passwd")
    });
    has_error(&run.fails("E065"), "E065", "the server redirects to an address that clients do not follow");
    let run = check_served(&site, |path, stream| path.ends_with("index.json") && send_for_ever(stream));
    has_error(&run.fails("E065"), "E065", "it has more than 1048576 bytes");
    let run = check_served(&site, |path, stream| path.ends_with("many.zip") && send_for_ever(stream));
    has_error(&run.fails("E066"), "E066", "it has more than 52428800 bytes");
    let run =
        check_served(&site, |path, stream| path.ends_with("many.zip") && redirect(stream, "/moved.zip"));
    has_error(&run.fails("E066"), "E066", "moved.zip': the server responded with status 404");
    let moved =
        |path: &str, stream: &mut TcpStream| path.ends_with("s/many.zip") && redirect(stream, "/many.zip");
    fs::copy(file(&site, "many.zip"), site.project().join("public/many.zip")).unwrap();
    check_served(&site, moved).ok();
}

/// RFC-0015:C-PUBLISH-CHECK, RFC-0007:C-FEATURES
#[test]
fn without_the_http_feature_a_site_is_e110() {
    let mut app = crate::rfc_0004::app(&MemoryMachine::new());
    let arguments = || json!({"check": "https://skills.example"});
    let index =
        "{\"$schema\": \"https://schemas.agentskills.io/discovery/0.2.0/schema.json\", \"skills\": []}";
    let url = format!("https://skills.example/{FOLDER}/index.json");
    Arc::make_mut(&mut app.ports).sites = Arc::new(MemorySiteReader::default().with(&url, index));
    let answer = in_memory_app(&app, "publish", arguments());
    assert_eq!(answer.reply.unwrap().json()["checked"]["index"], url);
    Arc::make_mut(&mut app.ports).sites = Arc::new(UnsupportedSiteReader);
    let failure = in_memory_app(&app, "publish", arguments()).failures.remove(0);
    assert_eq!(failure.fault, Fault::FeatureMissing { feature: "http".to_owned() });
}
