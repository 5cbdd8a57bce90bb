//! D11: a client without the token, or one that stays silent, does not hold up the others.

use super::client::DEADLINE;
use super::http::{Http, call};
use super::socket::{Client, path, serve};
use crate::site::Site;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The number of hostile connections of each kind.
const HOSTILE: usize = 200;
/// How long an authorized call may take meanwhile.
const CALL_TIME_MAX: Duration = Duration::from_secs(1);

fn connect(http: &Http, sent: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(&http.address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    // A connection that the server has already closed cannot be written to.
    let _ = stream.write_all(sent);
    stream
}

/// Asserts that a call is answered quickly. Other tests run at the same time, so one slow call proves nothing: one of
/// three has to be quick.
#[track_caller]
fn is_answered_soon(http: &Http, beside: &str) {
    let timed = || {
        let began = Instant::now();
        let answer = http.post(&[], call("skc_list", json!({})));
        assert_eq!(answer.status, 200, "{beside}: {answer:?}");
        began.elapsed()
    };
    let mut times = (0..3).map(|_| timed());
    let slow = times.find(|time| *time < CALL_TIME_MAX).is_none();
    assert!(!slow, "{beside}: three calls took {CALL_TIME_MAX:?} or more each");
}

/// RFC-0007:C-MCP-TRANSPORTS, D11
#[test]
fn a_client_without_the_token_cannot_block_its_user() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let wrong = "0".repeat(64);
    let head = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {wrong}\r\n");
    let kinds: [(&str, Vec<u8>); 7] = [
        ("another path", b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()),
        ("idle", Vec::new()),
        ("a slow head", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX".to_vec()),
        ("a slow body", format!("{head}Content-Length: 100\r\n\r\n{{").into()),
        ("an endless body", format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n").into()),
        ("a wrong token", format!("{head}Content-Length: 0\r\n\r\n").into()),
        ("requests without an end", b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100)),
    ];
    for (kind, sent) in &kinds {
        for is_half_open in [false, true] {
            let hostile: Vec<TcpStream> = (0..HOSTILE).map(|_| connect(&http, sent)).collect();
            if is_half_open {
                hostile.iter().for_each(|stream| drop(stream.shutdown(Shutdown::Write)));
            }
            is_answered_soon(&http, kind);
            // They continue to send.
            hostile.iter().for_each(|mut stream| drop(stream.write_all(sent)));
            is_answered_soon(&http, kind);
        }
    }
    assert_eq!(http.served.end("-TERM").0, Some(0));
}

/// RFC-0007:C-MCP-TRANSPORTS, D11
#[test]
fn strangers_who_come_again_and_again_block_no_other() {
    let site = Site::built("demo", "# Top\n");
    let http = Http::start(&site);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for sent in [&b""[..], b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
            let (http, is_over) = (&http, &is_over);
            scope.spawn(move || {
                let mut held = std::collections::VecDeque::new();
                while !is_over.load(Ordering::Relaxed) {
                    held.push_back(connect(http, sent));
                    if held.len() > HOSTILE {
                        held.pop_front();
                    }
                }
            });
        }
        let calls = || (0..20).for_each(|_| is_answered_soon(&http, "a storm"));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(calls));
        is_over.store(true, Ordering::Relaxed);
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    #[cfg(target_os = "linux")]
    {
        let open = std::fs::read_dir(format!("/proc/{}/fd", http.served.child.id())).unwrap().count();
        assert!(open < 256 + 40, "{open} descriptors");
    }
    assert_eq!(http.served.end("-TERM").0, Some(0));
}

/// RFC-0007:C-MCP-TRANSPORTS, D11
#[test]
fn a_stranger_is_refused_once_and_has_to_connect_again() {
    let site = Site::new();
    let http = Http::start(&site);
    let get = b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut answers = String::new();
    connect(&http, &get.repeat(2)).read_to_string(&mut answers).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 404").count(), 1, "{answers}");
    assert!(answers.to_lowercase().contains("connection: close"), "{answers}");

    // The connection of an authorized user stays open, even after a request to an unknown path.
    let ping = http.request(&[("Connection", "")], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let last = http.request(&[], r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
    let mut answers = String::new();
    connect(&http, &[&ping[..], get, &last].concat()).read_to_string(&mut answers).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 2, "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 404").count(), 1, "{answers}");
}

/// RFC-0007:C-MCP-TRANSPORTS, D11
#[test]
fn a_silent_client_on_the_socket_blocks_no_other() {
    let site = Site::new();
    let served = serve(&site);
    let mut earlier = Client::connect(&path(&site));
    for sent in [&b""[..], b"{\"jsonrpc\":"] {
        let idle = |_| {
            let mut stream = UnixStream::connect(path(&site)).unwrap();
            stream.write_all(sent).unwrap();
            stream
        };
        let held: Vec<UnixStream> = (0..300).map(idle).collect();
        let began = Instant::now();
        assert_eq!(Client::connect(&path(&site)).list()["result"]["isError"], false);
        assert!(began.elapsed() < CALL_TIME_MAX, "{:?}", began.elapsed());
        drop(held);
    }
    assert_eq!(earlier.list()["result"]["isError"], false, "whoever is known stays");
    assert_eq!(served.end("-TERM").0, Some(0));
}
