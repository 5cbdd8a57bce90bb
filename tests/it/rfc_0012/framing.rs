//! Requests and replies, one per line (RFC-0012:C-FRAMING, C-ERRORS).

use super::{host, scene};
use crate::mcp::Client;
use crate::site::Site;
use serde_json::{Value, json};
use skillc_domain::config::Settings;
use skillc_domain::places::Places;
use skillc_host::{HostServer, serve};
use skillc_ops::Environment;
use skillc_ops::workspace::Workspace;
use skillc_ports::Quiet;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Asserts that the connection still answers and ends with success.
#[track_caller]
fn is_well(mut client: Client) {
    let listed = client.ask("skills.list", json!({}));
    assert!(listed["skills"].is_array(), "{listed}");
    let end = client.close();
    assert_eq!((end.status, end.out.as_str(), end.err.as_str()), (0, "", ""));
}

/// RFC-0012:C-FRAMING, RFC-0012:C-ERRORS
#[test]
fn after_any_line_the_next_one_is_served() {
    let site = scene();
    let mut client = host(&site);
    let deep = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"skills.list","params":{}"#, "[".repeat(500_000));
    let long = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"{}"}}"#, "x".repeat(3 << 20));
    let cases: &[(&[u8], Option<i64>)] = &[
        (b"", None),
        (b" \t ", None),
        (b"\xEF\xBB\xBF", None),
        (b"no JSON", Some(-32700)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xFFng\"}", Some(-32700)),
        (b"\xFF\xFE\x00", Some(-32700)),
        (deep.as_bytes(), Some(-32700)),
        (long.as_bytes(), Some(-32600)),
        (b"[]", Some(-32600)),
        (b"7", Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"skills.list"}"#, Some(-32600)),
        (br#"{"jsonrpc":"1.0","id":1,"method":"skills.list"}"#, Some(-32600)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#, Some(-32601)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"skill.search"}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"skill.search","params":{"query":1}}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"skills.list","params":{"no":1}}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"method":"skills.list","params":["/"]}"#, Some(-32602)),
        (br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None),
        (br#"{"jsonrpc":"2.0","method":"skills.list"}"#, None),
        (br#"{"jsonrpc":"2.0","method":"no.such","params":[]}"#, None),
        (br#"[{"jsonrpc":"2.0","method":"skills.list"}]"#, None),
    ];
    for (line, code) in cases {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        client.send_line(line);
        if let Some(code) = code {
            let answer = client.read();
            assert_eq!(answer["error"]["code"], *code, "{shown}: {answer}");
        }
        // The line before got no other reply.
        let listed = client.request("skills.list", json!({}));
        assert!(listed["result"]["skills"].is_array(), "{shown}: {listed}");
    }
    is_well(client);
}

/// RFC-0012:C-ERRORS, L3
#[test]
fn a_request_that_cannot_be_read_gets_its_error_by_its_id() {
    let site = scene();
    let mut client = host(&site);
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for line in [
        r#"{"jsonrpc":"2.0","id":"mine","method":"skills.list","params":{"a":"\ud800"}}"#.to_owned(),
        r#"{"params":{"a":"\ud800"},"method":"skills.list","id":"mine","jsonrpc":"2.0"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":"mine","method":"skills.list","params":{{"a":{deep}}}}}"#),
        r#"{"jsonrpc":"2.0","id":"\u006dine","method":"skills.list","params":{"#.to_owned(),
    ] {
        client.send_line(&line);
        let refused = client.read();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("mine"), &json!(-32700)), "{line}");
    }
    client.send_line(r#"{"jsonrpc":"2.0","method":"skills.list","params":{"message":"\ud800"}}"#);
    is_well(client);
}

/// RFC-0012:C-FRAMING
#[test]
fn an_array_is_answered_by_one_array() {
    let site = scene();
    let mut child = site.command(["host"]).stdin(Stdio::piped()).spawn().unwrap();
    let list = |id: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "skills.list" });
    let notification = json!({ "jsonrpc": "2.0", "method": "skills.list" });
    let batch =
        json!([list(json!("a")), notification, 5, { "jsonrpc": "2.0", "id": 2, "method": "no.such" }]);
    // The last line has no line break.
    child.stdin.take().unwrap().write_all(batch.to_string().as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success());
    let answers: Value = serde_json::from_slice(&done.stdout).unwrap();
    let told: Vec<Value> =
        answers.as_array().unwrap().iter().map(|a| json!([a["id"], a["error"]["code"]])).collect();
    assert_eq!(told, [json!(["a", null]), json!([null, -32600]), json!([2, -32601])]);
}

/// RFC-0012:C-FRAMING
#[test]
fn all_that_was_asked_is_answered_when_the_input_ends() {
    let site = scene();
    let mut client = host(&site);
    let ids: Vec<u64> = (0..100)
        .map(|_| client.send("skill.search", json!({ "query": "release", "mode": "rule" })))
        .collect();
    let end = client.close();
    assert_eq!((end.status, end.err.as_str()), (0, ""));
    let mut answered: Vec<u64> = end
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|answer| {
            assert_eq!(answer["result"]["results"][0]["name"], "release-notes", "{answer}");
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);
    let nothing = site.skc(["host"]).ok();
    assert_eq!((nothing.out.as_str(), nothing.err.as_str()), ("", ""));
}

/// RFC-0012:C-FRAMING
#[cfg(unix)]
#[test]
fn a_client_that_reads_no_answers_is_read_no_further() {
    let site = Site::new();
    let mut child = site.command(["host"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let (sender, written) = channel();
    std::thread::spawn(move || {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"no.such","params":["{}"]}}"#, "x".repeat(100_000))
                + "\n";
        for _ in 0..5_000 {
            if input.write_all(line.as_bytes()).is_err() {
                return;
            }
        }
        let _ = sender.send(());
    });
    // Without backpressure, all 500 MB would have been accepted long ago.
    assert!(written.recv_timeout(Duration::from_secs(5)).is_err(), "all was read");
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
        let kib = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
        let resident = status.lines().find(|line| line.starts_with("VmRSS:")).and_then(kib).unwrap();
        assert!(resident < 200 * 1024, "{resident} KiB");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// RFC-0012:C-FRAMING
#[test]
fn a_host_whose_answers_are_not_read_ends() {
    let site = Site::new();
    let mut child = site.command(["host"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills.list\"}\n").unwrap();
    // The input stays open.
    assert!(child.wait().unwrap().success());
    drop(input);
}

/// A writer whose output can be read afterward.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// RFC-0012:C-ERRORS
#[test]
fn a_panic_is_an_error_of_its_request() {
    let site = scene();
    let places = Places::new(site.home(), site.project(), None);
    let app = skillc::app(places.clone(), Settings::default(), Environment::default(), Arc::new(Quiet));
    let home = site.home();
    let resolve = move |cwd: &Path| {
        assert!(cwd != home, "a bug on purpose");
        Workspace {
            places: places.clone(),
            settings: Settings::default(),
            environment: Environment::default(),
        }
    };
    let line = |id: u64, cwd: PathBuf| json!({ "jsonrpc": "2.0", "id": id, "method": "skills.list", "params": { "cwd": cwd } });
    let input = [
        line(1, site.home()),
        line(2, site.project()),
        json!([line(3, site.home()), line(4, site.project())]),
    ];
    let input: String = input.iter().map(|line| format!("{line}\n")).collect();
    let out = Kept::default();
    serve(Arc::new(HostServer::new(app, Arc::new(resolve))), Cursor::new(input.into_bytes()), out.clone())
        .unwrap();
    let out = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
    let answers = out.lines().flat_map(|line| match serde_json::from_str(line).unwrap() {
        Value::Array(all) => all,
        one => vec![one],
    });
    let mut told: Vec<(u64, Value, Value)> = answers
        .map(|a| (a["id"].as_u64().unwrap(), a["error"]["code"].clone(), a["error"]["data"]["code"].clone()))
        .collect();
    told.sort_by_key(|(id, ..)| *id);
    let (failed, well) = ((json!(-32603), json!("E999")), (Value::Null, Value::Null));
    let expected = [(1, &failed), (2, &well), (3, &failed), (4, &well)];
    assert_eq!(told, expected.map(|(id, (code, fault))| (id, code.clone(), fault.clone())));
}

/// RFC-0012:C-FRAMING
#[test]
fn requests_run_side_by_side() {
    let site = scene();
    let places = Places::new(site.home(), site.project(), None);
    let app = skillc::app(places.clone(), Settings::default(), Environment::default(), Arc::new(Quiet));
    let (met, both) = (Mutex::new(0), Condvar::new());
    // Each of the two requests waits until the other one has arrived.
    let resolve = move |_: &Path| {
        let mut met = met.lock().unwrap();
        *met += 1;
        both.notify_all();
        let waited = both.wait_timeout_while(met, Duration::from_secs(30), |met| *met < 2).unwrap();
        assert!(!waited.1.timed_out(), "one waits for the other");
        Workspace {
            places: places.clone(),
            settings: Settings::default(),
            environment: Environment::default(),
        }
    };
    let line = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": "skills.list" });
    let out = Kept::default();
    let input = format!("{}\n{}\n", line(1), line(2));
    serve(Arc::new(HostServer::new(app, Arc::new(resolve))), Cursor::new(input.into_bytes()), out.clone())
        .unwrap();
    let out = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
    assert_eq!(out.lines().filter(|line| line.contains("\"result\"")).count(), 2, "{out}");
}
